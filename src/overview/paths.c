#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "os/file.h"
#include "overview/overview.h"

/* By which edge each kept state is reached first: edge + 1, 0 for none. */
static uint32_t *first_edges(const struct model *m)
{
	uint32_t *came = xcalloc(m->state_count, sizeof(*came));

	for (bool any = true; any;) {
		any = false;
		for (size_t i = 0; i < m->simulation.edge_count; i++) {
			const struct transition *t = &m->simulation.edges[i];

			if (t->to != 0 && !came[t->to] &&
			    (t->from == 0 || came[t->from])) {
				came[t->to] = (uint32_t)i + 1;
				any = true;
			}
		}
	}
	return came;
}

#define STEPS_MAX 64

static size_t steps_to(const struct model *m, const uint32_t *came, uint32_t to,
		       const struct deed **ret)
{
	size_t n = 0;

	for (uint32_t at = to; at != 0 && came[at] && n < STEPS_MAX; n++) {
		const struct transition *t = &m->simulation.edges[came[at] - 1];

		ret[n] = &m->deeds[t->action];
		at = t->from;
	}
	for (size_t i = 0; i < n / 2; i++)
		SWAP(ret[i], ret[n - 1 - i]);
	return n;
}

static const char *recorder_type(uint8_t event)
{
	switch (event) {
	case EVENT_DBLCLICK:
		return "doubleClick";
	case EVENT_HOVER:
	case EVENT_FOCUS:
		return "hover";
	case EVENT_KEY:
		return "keyDown";
	case EVENT_SCROLL:
		return "scroll";
	case EVENT_CHOOSE:
		return "change";
	default:
		return "click";
	}
}

static void add_recorder_selector(struct json_out *o, struct str css)
{
	json_put_str(o, "target", STR("main"));
	json_key(o, STR("selectors"));
	json_open(o, '[');
	json_open(o, '[');
	json_add_str(o, css);
	json_close(o, ']');
	json_close(o, ']');
}

static void add_recorder_step(const struct model *m, const struct deed *d,
			      struct json_out *o)
{
	const struct candidate *c = &m->states[d->state]->seen.candidates[d->candidate];

	if (d->event == EVENT_OPEN) {
		json_open(o, '{');
		json_put_str(o, "type", STR("navigate"));
		json_put_str(o, "url", c->href);
		json_close(o, '}');
		return;
	}
	if (c->hover_css.n) {
		json_open(o, '{');
		json_put_str(o, "type", STR("hover"));
		add_recorder_selector(o, c->hover_css);
		json_close(o, '}');
	}
	json_open(o, '{');
	json_put_str(o, "type", str_from(recorder_type(d->event)));
	if (d->event == EVENT_KEY)
		json_put_str(o, "key", STR("Enter"));
	if (d->event == EVENT_CHOOSE)
		json_put_str(o, "value", STR(""));
	if (d->event == EVENT_CONTEXTMENU)
		json_put_str(o, "button", STR("secondary"));
	add_recorder_selector(o, c->css);
	json_put_int(o, "offsetX", c->box[2] / 2);
	json_put_int(o, "offsetY", c->box[3] / 2);
	json_close(o, '}');
}

static enum status write_recorder(const struct model *m, const struct overview_facts *f,
				  uint32_t nr, const struct deed **steps, size_t n,
				  struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };
	char name[64];

	json_open(&o, '{');
	cleanup(buf_release) struct buf title = { 0 };
	overview_add_name(&title, nr);
	json_put_str(&o, "title", buf_str(&title));
	json_key(&o, STR("steps"));
	json_open(&o, '[');
	json_open(&o, '{');
	json_put_str(&o, "type", STR("setViewport"));
	json_put_uint(&o, "width", f->width);
	json_put_uint(&o, "height", f->height);
	json_put_uint(&o, "deviceScaleFactor", 1);
	json_put_bool(&o, "isMobile", false);
	json_put_bool(&o, "hasTouch", false);
	json_put_bool(&o, "isLandscape", false);
	json_close(&o, '}');
	json_open(&o, '{');
	json_put_str(&o, "type", STR("navigate"));
	json_put_str(&o, "url", f->url);
	json_close(&o, '}');
	for (size_t i = 0; i < n; i++)
		add_recorder_step(m, steps[i], &o);
	json_close(&o, ']');
	json_close(&o, '}');
	buf_add_char(&b, '\n');
	snprintf(name, sizeof(name), "paths/%u.recorder.json", nr);
	return overview_save(m, name, &b, why);
}

static const char *playwright_call(uint8_t event)
{
	switch (event) {
	case EVENT_DBLCLICK:
		return "dblclick()";
	case EVENT_CONTEXTMENU:
		return "click({ button: 'right' })";
	case EVENT_HOVER:
		return "hover()";
	case EVENT_FOCUS:
		return "focus()";
	case EVENT_LONGPRESS:
		return "click({ delay: 800 })";
	case EVENT_KEY:
		return "press('Enter')";
	case EVENT_SCROLL:
		return "evaluate((e) => e.scrollTo(0, e.scrollHeight))";
	case EVENT_CHOOSE:
		return "selectOption({ index: 1 })";
	default:
		return "click()";
	}
}

static void add_quoted(struct buf *to, struct str s)
{
	struct json_out o = { .to = to };

	json_add_str(&o, s);
}

/* A selector leads into frames where it says ">>>". */
static void add_locator(struct buf *to, struct str css)
{
	size_t at;

	buf_add(to, STR("page"));
	while ((at = str_find(css, STR(" >>> "))) != STR_NONE) {
		buf_add(to, STR(".frameLocator("));
		add_quoted(to, str_slice(css, 0, at));
		buf_add_char(to, ')');
		css = str_skip(css, at + 5);
	}
	buf_add(to, STR(".locator("));
	add_quoted(to, css);
	buf_add_char(to, ')');
}

static void add_playwright_step(struct buf *to, struct str css, const char *call)
{
	buf_add(to, STR("  await "));
	add_locator(to, css);
	buf_addf(to, ".%s;\n", call);
}

#define FILLED_MAX ((size_t)1 << 20)

/* What the event entered before it clicked. */
static void add_playwright_fills(const struct model *m, const struct deed *d,
				 struct buf *to)
{
	const struct candidate *c = &m->states[d->state]->seen.candidates[d->candidate];
	size_t frame = STR_NONE, at = 0;
	cleanup(buf_release) struct buf text = { 0 };
	char path[4096];

	while ((at = str_find(str_skip(c->css, frame == STR_NONE ? 0 : frame + 5),
			      STR(" >>> "))) != STR_NONE)
		frame = at + (frame == STR_NONE ? 0 : frame + 5);
	snprintf(path, sizeof(path), "%s/states/filled-%u-%u-%u.jsonl", m->dir, d->state,
		 d->candidate, d->event);
	if (!file_exists(path) || file_load(path, FILLED_MAX, &text, NULL) != ST_OK)
		return;
	struct str lines = buf_str(&text), line;
	while (str_take_line(&lines, &line)) {
		cleanup(buf_release) struct buf css = { 0 };
		struct json *v = NULL;

		if (json_parse(line, &v, NULL) != ST_OK)
			continue;
		const struct json *selector = json_first(v), *value = json_next(selector);
		struct str kind = json_str(json_next(value));
		if (frame != STR_NONE)
			buf_add(&css, str_slice(c->css, 0, frame + 5));
		buf_add(&css, json_str(selector));
		buf_add(to, STR("  await "));
		add_locator(to, buf_str(&css));
		if (str_eq(kind, STR("check"))) {
			buf_add(to, STR(".first().check();\n"));
		} else {
			buf_add(to, str_eq(kind, STR("select"))
					    ? STR(".first().selectOption(")
					    : STR(".first().fill("));
			add_quoted(to, json_str(value));
			buf_add(to, STR(");\n"));
		}
		json_release(&v);
	}
}

/* The target as far as it has a name: its address without query, and its title. */
static void add_playwright_expect(const struct model *m, uint32_t nr, struct buf *to)
{
	const struct observation *o = &m->states[nr]->seen;
	size_t end = 0;

	while (end < o->url.n && o->url.p[end] != '?' && o->url.p[end] != '#')
		end++;
	buf_add(to, STR("  await expect.poll(() => page.url().split(/[?#]/)[0]).toBe("));
	add_quoted(to, str_slice(o->url, 0, end));
	buf_add(to, STR(");\n"));
	if (o->title.n) {
		buf_add(to, STR("  await expect(page).toHaveTitle("));
		add_quoted(to, o->title);
		buf_add(to, STR(");\n"));
	}
}

static enum status write_playwright(const struct model *m, const struct overview_facts *f,
				    uint32_t nr, const struct deed **steps, size_t n,
				    struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	char name[64];

	buf_add(&b, STR("import { test, expect } from '@playwright/test';\n\ntest("));
	add_quoted(&b, m->states[nr]->seen.title);
	buf_add(&b,
		STR(", async ({ page }) => {\n  page.on('dialog', (d) => d.accept());\n"
		    "  await page.goto("));
	add_quoted(&b, f->url);
	buf_add(&b, STR(");\n"));
	for (size_t i = 0; i < n; i++) {
		const struct candidate *c =
			&m->states[steps[i]->state]->seen.candidates[steps[i]->candidate];

		if (steps[i]->event == EVENT_OPEN) {
			buf_add(&b, STR("  await page.goto("));
			add_quoted(&b, c->href);
			buf_add(&b, STR(");\n"));
			continue;
		}
		if (c->hover_css.n)
			add_playwright_step(&b, c->hover_css, "hover()");
		add_playwright_fills(m, steps[i], &b);
		add_playwright_step(&b, c->css, playwright_call(steps[i]->event));
	}
	add_playwright_expect(m, nr, &b);
	buf_add(&b, STR("});\n"));
	snprintf(name, sizeof(name), "paths/%u.spec.ts", nr);
	return overview_save(m, name, &b, why);
}

enum status overview_write_paths(const struct model *m, const struct overview_facts *f,
				 struct diag *why)
{
	const struct deed *steps[STEPS_MAX];
	uint32_t *came = first_edges(m);
	enum status st = ST_OK;
	char path[4096];

	snprintf(path, sizeof(path), "%s/overview/paths", m->dir);
	st = dir_make(path, why);
	for (size_t i = 0; i < m->simulation.kept_count && st == ST_OK; i++) {
		uint32_t nr = m->simulation.kept[i];
		size_t n = steps_to(m, came, nr, steps);

		st = write_recorder(m, f, nr, steps, n, why);
		if (st == ST_OK)
			st = write_playwright(m, f, nr, steps, n, why);
	}
	free(came);
	return st;
}
