/*
 * tests/apps/controls.html in a real Chromium: each control is observed and judged as in
 * a crawl.  Skipped, with a word, where no browser is installed.
 */
#include <stdlib.h>
#include <string.h>

#include "observe/guard.h"
#include "observe/wall.h"
#include "test.h"

static struct browser browser;
static struct diag why;

static bool page_url(struct buf *to)
{
	const char *slash = strrchr(__FILE__, '/');
	char path[4096];

	snprintf(path, sizeof(path), "%.*s/../apps/controls.html",
		 (int)(slash - __FILE__), __FILE__);
	char *real = realpath(path, NULL);
	if (!real)
		return false;
	buf_addf(to, "file://%s", real);
	free(real);
	return true;
}

static bool observe_controls(struct arena *a, struct observation *ret)
{
	cleanup(buf_release) struct buf url = { 0 }, json = { 0 };
	struct tab_options options = { .seed = 1 };
	struct observe_options how = { 0 };
	struct tab *t;

	if (page_url(&url) && tab_open(&browser, &options, &t, &why) == ST_OK &&
	    tab_goto(t, buf_str(&url), 1000, &why) == ST_OK &&
	    observe_text(t, &how, &json, &why) == ST_OK &&
	    observation_parse(buf_str(&json), a, ret, &why) == ST_OK) {
		tab_close(t);
		return true;
	}
	printf("# %s\n", why.text);
	return false;
}

static void what_takes_away_is_refused_and_little_else(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct guard_options g = { .origin = STR("file://") };
	struct observation o;
	enum { BOXES = 1000 };
	static uint8_t offered[BOXES], refused[BOXES];
	size_t bad = 0, good = 0, caught = 0, alarms = 0, boxes[2] = { 0 };

	CHECK(observe_controls(&a, &o));
	for (struct str html = o.html;
	     str_find(html, STR("<div class=\"")) != STR_NONE;) {
		html = str_skip(html, str_find(html, STR("<div class=\"")) + 12);
		boxes[0] += str_starts(html, STR("bad\""));
		boxes[1] += str_starts(html, STR("good\""));
	}
	for (size_t i = 0; i < o.candidate_count; i++) {
		struct str way = o.candidates[i].path, step;
		uint64_t box = 0;

		/* body, then the box. */
		CHECK(str_take_until(&way, '/', &step) &&
		      str_take_until(&way, '/', &step) &&
		      str_to_uint(step, BOXES - 1, &box));
		offered[box] = 1;
		if (guard_refuses(&g, &o.candidates[i]))
			refused[box] = 1;
	}
	for (size_t i = 0; i < boxes[0] + boxes[1]; i++) {
		bool is_of_bad = i < boxes[0];

		if (!offered[i])
			printf("# box %zu offers nothing\n", i);
		bad += is_of_bad && offered[i];
		good += !is_of_bad && offered[i];
		caught += is_of_bad && refused[i];
		alarms += !is_of_bad && refused[i];
		if (offered[i] && is_of_bad != refused[i])
			printf("# box %zu: %s\n", i,
			       is_of_bad ? "missed" : "false alarm");
	}
	printf("# %zu of %zu refused, %zu false alarms of %zu\n", caught, bad, alarms,
	       good);
	CHECK(bad >= 150 && good >= 150);
	CHECK((double)caught >= 0.98 * (double)bad);
	CHECK((double)alarms <= 0.05 * (double)good);
}

int main(void)
{
	if (browser_start(&browser, &(struct browser_options){ .timeout_ms = 20000 },
			  &why) != ST_OK) {
		printf("1..0 # SKIP %s\n", why.text);
		return 0;
	}
	RUN(what_takes_away_is_refused_and_little_else);
	browser_release(&browser);
	DONE();
}
