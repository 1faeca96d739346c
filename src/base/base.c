#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/visible.h"

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
