#include "apps/fixture.h"

#include "apps/extract.h"
#include "apps/link_rules.h"
#include "base/hash.h"
#include "base/json.h"

struct check {
	struct app_scan *scan;
	const struct app_fixture *fixture;
	struct app_verdict verdict;
	struct fixture_result result;
	struct buf *problems;
};

static void problem(struct check *c, const char *what, struct str expected,
		    struct str got)
{
	c->result.failures++;
	buf_addf(c->problems, STR_FMT ": %s: expected '" STR_FMT "', got '" STR_FMT "'\n",
		 STR_ARG(c->fixture->file), what, STR_ARG(expected), STR_ARG(got));
}

static const char *const action_names[] = { "nothing", "follow", "next", "view",
					    "never" };

static void check_links(struct check *c, struct str links, enum app_action expected)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	struct url own, u;
	struct str word;

	if (url_parse(c->fixture->url, NULL, &scratch[0], &own, NULL) != ST_OK) {
		buf_release(&scratch[0]);
		return;
	}
	while (str_take_until(&links, ' ', &word)) {
		if (word.n == 0 || url_parse(word, &own, &scratch[1], &u, NULL) != ST_OK)
			continue;
		struct app_advice a =
			link_rules_find(c->scan, &c->verdict, &u, word, false);
		if (a.action != expected) {
			c->result.failures++;
			buf_addf(c->problems,
				 STR_FMT ": link " STR_FMT ": expected %s, got %s\n",
				 STR_ARG(c->fixture->file), STR_ARG(word),
				 action_names[expected], action_names[a.action]);
		}
	}
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
}

/* --- objects --- */

static bool is_field(struct str name)
{
	return !str_eq(name, STR("url")) && !str_eq(name, STR("application")) &&
	       !str_eq(name, STR("level"));
}

static void add_value(struct buf *to, const struct json *v)
{
	switch (json_kind(v)) {
	case JSON_STRING:
		buf_add(to, json_str(v));
		break;
	case JSON_NUMBER:
		buf_addf(to, "%.17g", json_number(v, 0));
		break;
	case JSON_ARRAY:
		for (const struct json *c = json_first(v); c; c = json_next(c)) {
			add_value(to, c);
			buf_add_char(to, '\n');
		}
		break;
	default:
		break;
	}
}

/* Each field of each object, by its place: "3 author=Anna". */
static size_t collect(struct str lines, struct map *to, const struct map *other,
		      struct buf *unmatched, size_t *ret_shared)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct str line;
	size_t n = 0, nr = 0;

	while (str_take_line(&lines, &line)) {
		struct json *o = NULL;

		if (str_trim(line).n == 0 || json_parse(line, &o, NULL) != ST_OK)
			continue;
		for (const struct json *f = json_first(o); f; f = json_next(f)) {
			if (!is_field(json_name(f)) || json_kind(f) == JSON_NULL)
				continue;
			buf_reset(&text);
			buf_addf(&text, "%zu " STR_FMT "=", nr, STR_ARG(json_name(f)));
			add_value(&text, f);
			uint64_t key = hash64(buf_str(&text));
			if (to)
				map_add(to, key, NULL);
			if (other && map_find(other, key))
				++*ret_shared;
			else if (other && unmatched->n < 4000)
				buf_addf(unmatched, "  got " STR_FMT "\n",
					 STR_ARG(str_slice(buf_str(&text), 0, 300)));
			n++;
		}
		nr++;
		json_release(&o);
	}
	return n;
}

static void check_objects(struct check *c, const struct app_page *page,
			  struct str objects)
{
	cleanup(buf_release) struct buf got = { 0 }, unmatched = { 0 };
	cleanup(map_release) struct map expected = { 0 };
	size_t right = 0;

	app_extract(c->scan->library, &c->verdict, page, &got);
	c->result.expected = (unsigned)collect(objects, &expected, NULL, NULL, NULL);
	c->result.found =
		(unsigned)collect(buf_str(&got), NULL, &expected, &unmatched, &right);
	c->result.right = (unsigned)right;
	if (right < c->result.expected || right < c->result.found) {
		buf_addf(c->problems,
			 STR_FMT ": %u of %u fields are right, %u were found\n" STR_FMT,
			 STR_ARG(c->fixture->file), c->result.right, c->result.expected,
			 c->result.found, STR_ARG(buf_str(&unmatched)));
	}
}

struct fixture_result fixture_check(struct app_scan *s, uint32_t app,
				    const struct app_fixture *f, struct str html,
				    struct str objects, struct buf *problems)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct app_page page = {
		.url = f->url, .fields = f->header, .html = html, .remembered = APP_NONE
	};
	struct check c = { .scan = s, .fixture = f, .problems = problems };

	c.verdict = app_scan_page(s, &page, &a);
	if (c.verdict.app != app) {
		problem(&c, "application", s->library->apps[app].id,
			c.verdict.app == APP_NONE ? STR("none")
						  : s->library->apps[c.verdict.app].id);
		return c.result;
	}
	struct str level = c.verdict.level ? c.verdict.level->id : STR("");
	if (!str_eq(level, f->level))
		problem(&c, "level", f->level, level);
	check_links(&c, f->follow, ACTION_FOLLOW);
	check_links(&c, f->next, ACTION_NEXT);
	check_links(&c, f->view, ACTION_VIEW);
	check_links(&c, f->never, ACTION_NEVER);
	if (objects.n)
		check_objects(&c, &page, objects);
	return c.result;
}

double fixture_f1(const struct fixture_result *r)
{
	unsigned both = r->expected + r->found;

	return both ? 2.0 * r->right / both : 1;
}
