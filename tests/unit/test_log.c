#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "os/log.h"
#include "test.h"

/* What log_event() writes, taken from a pipe. */
static struct str logged(char *to, size_t size, enum log_level level)
{
	int fds[2];

	if (pipe(fds) != 0)
		return STR("");
	log_set_fd(fds[1]);
	log_event(level, "disk-low", "%d bytes \"left\"", 7);
	close(fds[1]);
	ssize_t n = read(fds[0], to, size);
	close(fds[0]);
	log_set_fd(2);
	return (struct str){ to, n < 0 ? 0 : (size_t)n };
}

static void a_line_an_event_for_people(void)
{
	char line[512];

	CHECK(str_eq(logged(line, sizeof(line), LOG_WARN),
		     STR("warning: disk-low: 7 bytes \"left\"\n")));
}

static void what_is_too_verbose_is_not_said(void)
{
	char line[512];

	log_set_level(LOG_WARN);
	CHECK(logged(line, sizeof(line), LOG_INFO).n == 0);
	CHECK(logged(line, sizeof(line), LOG_ERROR).n > 0);
	CHECK(str_starts(logged(line, sizeof(line), LOG_ANSWER), STR("info: ")));
	log_set_level(LOG_INFO);
}

static void as_json_it_can_be_parsed(void)
{
	char line[512];
	struct json *v = NULL;

	log_set_json(true);
	CHECK(json_parse(logged(line, sizeof(line), LOG_INFO), &v, NULL) == ST_OK);
	CHECK(str_eq(json_str(json_get(v, "event")), STR("disk-low")));
	CHECK(str_eq(json_str(json_get(v, "text")), STR("7 bytes \"left\"")));
	CHECK(json_str(json_get(v, "time")).n == 24);
	json_release(&v);
	log_set_json(false);
}

int main(void)
{
	RUN(a_line_an_event_for_people);
	RUN(what_is_too_verbose_is_not_said);
	RUN(as_json_it_can_be_parsed);
	DONE();
}
