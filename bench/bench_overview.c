/*
 * The overview of a large application, in a real browser: bench_overview [STATES]
 *
 * Makes a crawl of so many states (2,500) with six edges each, writes its overview, opens
 * it, and measures by script what a person would feel: the time to open it, a frame
 * while panning and zooming, and a step of the slider.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "os/clock.h"
#include "os/file.h"
#include "overview/overview.h"

#define EDGES 6

static char dir[] = "/dev/shm/thresh-bench-overview.XXXXXX";

/* Families of pages: a common frame, parts of the family, and some of its own. */
static struct str observation(struct buf *b, struct rng *r, uint32_t nr)
{
	cleanup(buf_release) struct buf html = { 0 }, text = { 0 };
	struct json_out o = { .to = b };

	buf_reset(b);
	buf_add(&html, STR("<html><body>"));
	for (int i = 0; i < 60; i++)
		if (rng_chance(r, 0.9))
			buf_addf(&html, "<div class=\"part-%u\"><p></p></div>",
				 nr % 50 * 60 + (unsigned)i);
	buf_addf(&html, "<div class=\"own-%u\"></div>", nr);
	for (int i = 0; i < 40; i++)
		buf_addf(&text, "word%u ", (unsigned)rng_below(r, 5000));
	json_open(&o, '{');
	json_put_str(&o, "url", STR("http://app.example/"));
	json_put_str(&o, "title", STR("A state of a large application"));
	json_put_str(&o, "html", buf_str(&html));
	json_put_str(&o, "text", buf_str(&text));
	json_key(&o, STR("candidates"));
	json_open(&o, '[');
	for (int i = 0; i < EDGES; i++)
		json_add_raw(&o, STR("{\"path\":\"0\",\"tag\":\"a\",\"text\":\"go\","
				     "\"events\":[\"click\"],\"box\":[9,9,80,20],"
				     "\"css\":\"#x\",\"xpath\":\"/X\"}"));
	json_close(&o, ']');
	json_close(&o, '}');
	return buf_str(b);
}

static enum status make_crawl(struct model *m, uint32_t n, struct diag *why)
{
	struct content by_simhash = content_of_method(method_find(STR("simhash64")));
	cleanup(buf_release) struct buf b = { 0 };
	struct rng r = { 3 };
	uint32_t nr;
	bool kept;

	TRY(model_open(m, dir, STR("{}"), &by_simhash,
		       (struct state_thresholds){ 0, CONTENT_FARTHEST }, why));
	for (uint32_t i = 0; i < n; i++)
		TRY(model_add_state(m, observation(&b, &r, i), STR(""), &nr, why));
	for (uint32_t s = 0; s < n; s++)
		for (uint32_t c = 0; c < EDGES; c++) {
			struct deed d = { .state = s,
					  .candidate = c,
					  .outcome = DEED_DONE,
					  .to = (uint32_t)rng_below(&r, n) };

			if (c < 2 && 2 * s + c + 1 < n)
				d.to = 2 * s + c + 1;
			TRY(model_add_deed(m, &d, &kept, why));
		}
	return ST_OK;
}

/* Times of `n` calls, in ms: "median 95th worst". */
static const char measure[] =
	"(() => {"
	"const times = (n, f) => { const t = []; for (let i = 0; i < n; i++) {"
	"  const a = performance.now(); f(i); pen.getImageData(0, 0, 1, 1); "
	"t.push(performance.now() - a); }"
	"  t.sort((x, y) => x - y); return [t[n >> 1], t[Math.floor(n * 0.95)], t[n - "
	"1]].map((x) => x.toFixed(1)).join('  '); };"
	"const key = (k) => canvas.dispatchEvent(new KeyboardEvent('keydown', { key: k "
	"}));"
	"const slide = (id) => (i) => { const s = document.getElementById(id); s.value = "
	"s.min * 1 + (s.max - s.min) * ((i * 7) % 20) / 20; s.dispatchEvent(new "
	"Event('input')); flush(); };"
	"const flush = () => { drawNow(true); };"
	"const out = [];"
	"fit(); flush(); out.push('pan, all in view        ' + times(40, (i) => { key(i "
	"% 2 ? 'ArrowLeft' : 'ArrowRight'); flush(); }));"
	"out.push('zoom                    ' + times(40, (i) => { key(i < 20 ? '+' : "
	"'-'); flush(); }));"
	"for (let i = 0; i < 16; i++) key('+'); flush();"
	"out.push('pan, near               ' + times(40, (i) => { key(i % 2 ? 'ArrowUp' "
	": 'ArrowDown'); flush(); }));"
	"out.push('slider, template        ' + times(20, slide('template')));"
	"out.push('slider, content         ' + times(20, slide('content')));"
	"out.push('choose a state          ' + times(20, () => { key('n'); flush(); }));"
	"return out.join('\\n'); })()";

static enum status look(struct browser *b, struct diag *why)
{
	cleanup(buf_release) struct buf url = { 0 };
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	struct tab *t;

	TRY(tab_open(b, &(struct tab_options){ .real_time = true }, &t, why));
	buf_addf(&url, "file://%s/overview/index.html", dir);
	int64_t begin = clock_mono_ms(&real_clock);
	TRY(tab_goto(t, buf_str(&url), 100, why));
	TRY(tab_evaluate(t, STR("current.kept.length"), false, NULL, why));
	printf("opened in %lld ms\n", (long long)(clock_mono_ms(&real_clock) - begin));
	TRY(tab_evaluate(t, str_from(measure), false, &reply, why));
	printf("ms: median, 95th of a hundred, worst\n" STR_FMT "\n",
	       STR_ARG(tab_value_str(&reply)));
	return ST_OK;
}

static enum status run(uint32_t n, struct diag *why)
{
	struct model m;
	struct browser b = { 0 };
	uint64_t bytes;
	char path[128];
	int64_t begin = clock_mono_ms(&real_clock);

	TRY(make_crawl(&m, n, why));
	int64_t made = clock_mono_ms(&real_clock);
	TRY(overview_write(&m,
			   &(struct overview_facts){ .url = STR("http://app.example/"),
						     .settings = STR("{}"),
						     .width = 1280,
						     .height = 800 },
			   why));
	snprintf(path, sizeof(path), "%s/overview/index.html", dir);
	TRY(file_size(path, &bytes, why));
	printf("%zu states, %zu edges: made in %lld ms, overview of %.1f MB in %lld ms\n",
	       m.simulation.kept_count, m.simulation.edge_count,
	       (long long)(made - begin), (double)bytes / 1e6,
	       (long long)(clock_mono_ms(&real_clock) - made));
	model_close(&m);
	TRY(browser_start(&b, &(struct browser_options){ .timeout_ms = 120000 }, why));
	enum status st = look(&b, why);
	browser_release(&b);
	return st;
}

int main(int argc, char **argv)
{
	struct diag why = { 0 };
	uint32_t n = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 2500;

	if (!mkdtemp(dir))
		return 1;
	enum status st = run(n, &why);
	if (st != ST_OK)
		printf("%s\n", why.text);
	if (getenv("KEEP"))
		printf("%s\n", dir);
	else if (dir_remove(dir, NULL) != ST_OK)
		return 1;
	return st == ST_OK ? 0 : 1;
}
