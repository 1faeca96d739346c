#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/visible.h"

const char *status_name(enum status st)
{
	static const char *const names[] = {
		[ST_OK] = "ok",
		[ST_AGAIN] = "not yet",
		[ST_SYNTAX] = "syntax error",
		[ST_TOO_LARGE] = "too large",
		[ST_NOT_FOUND] = "not found",
		[ST_EXISTS] = "already there",
		[ST_CORRUPT] = "corrupt",
		[ST_UNSUPPORTED] = "unsupported",
		[ST_DENIED] = "denied",
		[ST_TIMEOUT] = "timed out",
		[ST_CANCELLED] = "cancelled",
		[ST_IO] = "input/output error",
		[ST_DISK_FULL] = "disk full",
	};

	return (size_t)st < COUNT(names) ? names[st] : "unknown";
}

void diag_say(struct diag *why, const char *fmt, ...)
{
	va_list ap;

	if (!why)
		return;
	va_start(ap, fmt);
	int n = vsnprintf(why->text, sizeof(why->text), fmt, ap);
	va_end(ap);
	/* Messages quote what they complain about, and that may be anybody's. */
	if (n > 0)
		make_visible(why->text, MIN((size_t)n, sizeof(why->text) - 1));
}
