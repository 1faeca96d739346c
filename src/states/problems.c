#include "states/problems.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "os/file.h"

static const char *const names[PROBLEM_KINDS] = { "exception",     "console", "request",
						  "status",        "crash",   "check",
						  "accessibility", "html" };

const char *problem_kind_name(enum problem_kind kind)
{
	return names[kind];
}

static bool kind_of(struct str line, enum problem_kind *ret)
{
	for (int k = 0; k < PROBLEM_KINDS; k++) {
		struct str rest = line;

		if (str_take_prefix(&rest, str_from(names[k])) &&
		    str_starts(rest, STR(": "))) {
			*ret = (enum problem_kind)k;
			return true;
		}
	}
	return false;
}

/* Lines that are no problem, as those of a stack below an exception, are passed over. */
static void add_lines(struct problems *p, struct str text, uint32_t state)
{
	struct str line;

	while (str_take_line(&text, &line)) {
		struct problem one = { .text = line, .state = state };
		bool is_new = false;

		if (!kind_of(line, &one.kind))
			continue;
		map_add(&p->seen, hash64(line) | 1, &is_new);
		if (!is_new)
			continue;
		VEC_ADD(p->v, p->n, p->cap, one);
		p->counts[one.kind]++;
	}
}

void problems_find(const struct model *m, struct problems *ret)
{
	*ret = (struct problems){ 0 };
	for (uint32_t i = 0; i < m->state_count; i++)
		add_lines(ret, m->states[i]->problems, i);
	for (size_t i = 0; i < m->deed_count; i++)
		if (m->deeds[i].outcome == DEED_DONE)
			add_lines(ret, m->deeds[i].why, m->deeds[i].to);
}

void problems_release(struct problems *p)
{
	free(p->v);
	map_release(&p->seen);
	*p = (struct problems){ 0 };
}

static void add_xml(struct buf *to, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '<')
			buf_add(to, STR("&lt;"));
		else if (c == '&')
			buf_add(to, STR("&amp;"));
		else if (c == '"')
			buf_add(to, STR("&quot;"));
		else
			/* XML has no control characters but these. */
			buf_add_char(to, (uint8_t)c < 0x20 && c != '\n' && c != '\t' ? ' '
										     : c);
	}
}

static void add_case(const struct model *m, const struct problems *p, uint32_t state,
		     struct buf *to)
{
	const struct observation *o = &m->states[state]->seen;
	bool any = false;

	buf_addf(to, "  <testcase classname=\"state %u\" name=\"", state);
	add_xml(to, o->title);
	buf_add_char(to, ' ');
	add_xml(to, o->url);
	buf_add(to, STR("\">"));
	for (size_t i = 0; i < p->n; i++) {
		uint32_t at = p->v[i].state;

		if (m->simulation.absorbed_by[at] != state && at != state)
			continue;
		buf_add(to, any ? STR("\n") : STR("<failure message=\"problems\">"));
		add_xml(to, p->v[i].text);
		any = true;
	}
	buf_add(to, any ? STR("</failure></testcase>\n") : STR("</testcase>\n"));
}

static bool has_problem(const struct model *m, const struct problems *p, uint32_t state)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].state == state ||
		    m->simulation.absorbed_by[p->v[i].state] == state)
			return true;
	return false;
}

enum status problems_write_junit(const struct model *m, const struct problems *p,
				 struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	const struct simulation *s = &m->simulation;
	size_t failed = 0;
	char path[4096];

	for (size_t i = 0; i < s->kept_count; i++)
		failed += has_problem(m, p, s->kept[i]);
	buf_addf(&b,
		 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"states\" "
		 "tests=\"%zu\" failures=\"%zu\">\n",
		 s->kept_count, failed);
	for (size_t i = 0; i < s->kept_count; i++)
		add_case(m, p, s->kept[i], &b);
	buf_add(&b, STR("</testsuite>\n"));
	TRY(buf_status(&b));
	snprintf(path, sizeof(path), "%s/overview/junit.xml", m->dir);
	return file_save(path, buf_str(&b), why);
}
