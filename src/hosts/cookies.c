#include "hosts/cookies.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "os/file.h"
#include "os/log.h"
#include "url/suffix.h"

#define FILE_MAX ((size_t)64 << 20)

void cookies_release(struct cookies *c)
{
	for (size_t i = 0; i < c->domains.n; i++)
		cookie_jar_release(&c->jars[i]);
	free(c->jars);
	intern_release(&c->domains);
	*c = (struct cookies){ 0 };
}

/* The jar of a host; NULL when there is none and `make` is false. */
static struct cookie_jar *jar_of(struct cookies *c, struct str host, bool make)
{
	struct str domain = suffix_site(host);
	size_t known = c->domains.n;
	uint32_t id =
		make ? intern_add(&c->domains, domain) : intern_find(&c->domains, domain);

	if (id == INTERN_NONE)
		return NULL;
	if (id == known) {
		VEC_RESERVE(c->jars, c->cap, known + 1);
		c->jars[id] = (struct cookie_jar){ 0 };
	}
	return &c->jars[id];
}

void cookies_give(struct cookies *c, struct fetch_task *t, struct arena *a,
		  int64_t now_ms)
{
	cleanup(buf_release) struct buf scratch = { 0 }, field = { 0 };
	struct cookie_jar *jar;
	struct url u;

	if (!c->on || c->n == 0 || t->purpose == PURPOSE_ROBOTS ||
	    url_parse(t->url, NULL, &scratch, &u, NULL) != ST_OK ||
	    !(jar = jar_of(c, u.host, false)))
		return;
	size_t before = jar->n;
	cookie_jar_format(jar, &u, now_ms, &field);
	c->n -= before - jar->n; /* some may have expired */
	t->cookies = arena_copy(a, buf_str(&field));
}

static void take(struct cookies *c, const struct url *from, struct str field,
		 int64_t now_ms)
{
	struct cookie_jar *jar = jar_of(c, from->host, c->n < COOKIES_MAX);

	if (!jar) {
		c->refused++;
		return;
	}
	size_t before = jar->n;
	if (cookie_jar_add(jar, from, field, now_ms) != ST_OK)
		c->refused++;
	else
		c->changed = true;
	c->n += jar->n - before;
}

void cookies_take(struct cookies *c, const struct fetch_task *t,
		  const struct stored_head *head, int64_t now_ms)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	struct str rest = head->fields, name, value;
	struct url u;

	if (!c->on || t->purpose == PURPOSE_ROBOTS ||
	    url_parse(t->url, NULL, &scratch, &u, NULL) != ST_OK)
		return;
	while (stored_field_next(&rest, &name, &value))
		if (str_eq_nocase(name, STR("Set-Cookie")))
			take(c, &u, value, now_ms);
}

bool cookies_want_again(const struct cookies *c, const struct fetch_task *t,
			const struct stored_head *head, int code)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	struct str location = stored_head_field(head, STR("Location"));
	struct url own, goal;

	if (!c->on || t->attempt > 0 || t->purpose == PURPOSE_ROBOTS || code < 300 ||
	    code >= 400 || location.n == 0 ||
	    stored_head_field(head, STR("Set-Cookie")).n == 0)
		return false;
	bool same = url_parse(t->url, NULL, &scratch[0], &own, NULL) == ST_OK &&
		    url_parse(location, &own, &scratch[1], &goal, NULL) == ST_OK &&
		    str_eq(url_without_fragment(&goal), url_without_fragment(&own));
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
	return same;
}

/* --- cookies.txt --- */

void cookies_parse(struct cookies *c, struct str text, int64_t now_ms, size_t *ret_bad)
{
	struct str line;

	*ret_bad = 0;
	while (str_take_line(&text, &line)) {
		struct str copy = line, domain;

		str_take_prefix(&line, STR("#HttpOnly_"));
		copy = line;
		if (str_trim(line).n == 0 || line.p[0] == '#')
			continue;
		str_take_char(&copy, '.');
		if (!str_take_until(&copy, '\t', &domain) || domain.n == 0 ||
		    c->n >= COOKIES_MAX) {
			++*ret_bad;
			continue;
		}
		struct cookie_jar *jar = jar_of(c, domain, true);
		size_t before = jar->n;
		*ret_bad += cookie_jar_add_line(jar, line, now_ms) != ST_OK;
		c->n += jar->n - before;
	}
}

void cookies_format(const struct cookies *c, struct buf *to)
{
	buf_add(to, STR("# Netscape HTTP Cookie File\n"));
	for (size_t i = 0; i < c->domains.n; i++)
		cookie_jar_format_lines(&c->jars[i], to);
}

static enum status load_file(struct cookies *c, const char *path, int64_t now_ms,
			     struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	size_t bad;

	TRY(file_load(path, FILE_MAX, &text, why));
	cookies_parse(c, buf_str(&text), now_ms, &bad);
	if (bad > 0)
		return diag_fail(why, ST_SYNTAX, "%s: %zu lines are no cookies", path,
				 bad);
	return ST_OK;
}

static char *state_path(const char *dir, struct arena *a)
{
	return path_join(a, dir, STR("state/cookies.txt"));
}

enum status cookies_load(struct cookies *c, const char *dir, struct str file,
			 int64_t now_ms, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	char *state = state_path(dir, &a);

	if (!c->on)
		return ST_OK;
	if (file.n > 0)
		TRY(load_file(c, path_join(&a, "", file), now_ms, why));
	if (file_exists(state) && load_file(c, state, now_ms, why) != ST_OK)
		log_event(LOG_WARN, "cookies", "%s; the others are used", why->text);
	return ST_OK;
}

enum status cookies_save(struct cookies *c, const char *dir, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = { 0 };

	if (!c->on || !c->changed)
		return ST_OK;
	cookies_format(c, &text);
	c->changed = false;
	return file_save_private(state_path(dir, &a), buf_str(&text), why);
}
