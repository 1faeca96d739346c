#include "os/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/date.h"
#include "base/json.h"
#include "base/visible.h"

#define LINE_MAX_BYTES 8192

static const char *const names[] = { "info", "error", "warning", "info", "debug" };
static atomic_int most_verbose_level = LOG_INFO;
static atomic_bool as_json;
static atomic_int log_fd = 2;
static pthread_mutex_t whole_line = PTHREAD_MUTEX_INITIALIZER;

void log_set_level(enum log_level most_verbose)
{
	atomic_store(&most_verbose_level, (int)most_verbose);
}

void log_set_json(bool json)
{
	atomic_store(&as_json, json);
}

void log_set_fd(int fd)
{
	atomic_store(&log_fd, fd);
}

bool log_wants(enum log_level level)
{
	return (int)level <= atomic_load(&most_verbose_level);
}

static void add_json_line(struct buf *line, enum log_level level, const char *event,
			  struct str text)
{
	struct json_out o = { .to = line };
	struct timespec now;
	char stamp[32];
	struct buf date = { .p = stamp, .cap = sizeof(stamp), .limit = sizeof(stamp) };

	clock_gettime(CLOCK_REALTIME, &now);
	buf_add_date_iso(&date, now.tv_sec * 1000LL + now.tv_nsec / 1000000, true);
	json_open(&o, '{');
	json_put_str(&o, "time", buf_str(&date));
	json_put_str(&o, "level", str_from(names[level]));
	json_put_str(&o, "event", str_from(event));
	json_put_str(&o, "text", text);
	json_close(&o, '}');
}

void log_event(enum log_level level, const char *event, const char *fmt, ...)
{
	char text[LINE_MAX_BYTES];
	cleanup(buf_release) struct buf line = { 0 };
	va_list ap;

	if (!log_wants(level))
		return;
	va_start(ap, fmt);
	int n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	size_t length = n < 0 ? 0 : MIN((size_t)n, sizeof(text) - 1);
	struct str said = { text, make_visible(text, length) };
	if (atomic_load(&as_json))
		add_json_line(&line, level, event, said);
	else
		buf_addf(&line, "%s: %s: " STR_FMT, names[level], event, STR_ARG(said));
	buf_add_char(&line, '\n');
	pthread_mutex_lock(&whole_line);
	/* A log that cannot be written has nobody to tell. */
	if (write(atomic_load(&log_fd), line.p, line.n) < 0) {
	}
	pthread_mutex_unlock(&whole_line);
}
