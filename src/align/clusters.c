#include "align/clusters.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/json.h"
#include "url/normal.h"

void cluster_line_release(struct cluster_line *l)
{
	free(l->urls);
	arena_release(&l->bytes);
	*l = (struct cluster_line){ 0 };
}

static void add_url(struct cluster_line *l, struct str url)
{
	VEC_ADD(l->urls, l->n, l->cap, url);
}

static enum status parse_tsv(struct str line, unsigned nr, struct cluster_line *ret,
			     struct diag *why)
{
	size_t tab = str_find_char(line, '\t');
	struct str rest = str_skip(line, tab == STR_NONE ? 0 : tab + 1), url;

	if (tab == STR_NONE)
		return diag_fail(why, ST_SYNTAX,
				 "line %u, column %zu: want 'cluster<TAB>url'", nr,
				 line.n + 1);
	if (rest.n == 0)
		return diag_fail(why, ST_SYNTAX, "line %u, column %zu: want a URL", nr,
				 tab + 2);
	ret->name = str_slice(line, 0, tab);
	while (str_take_until(&rest, '\t', &url))
		add_url(ret, url);
	return ST_OK;
}

static enum status parse_json(struct str line, unsigned nr, struct cluster_line *ret,
			      struct diag *why)
{
	cleanup(json_release) struct json *root = NULL;

	TRY(json_parse_line(line, nr, &root, why));
	const struct json *url = json_get(root, "url"), *urls = json_get(root, "urls");
	if (json_kind(url) != JSON_STRING && json_kind(urls) != JSON_ARRAY)
		return diag_fail(why, ST_SYNTAX,
				 "line %u, column 1: want a member 'url' or 'urls'", nr);
	ret->name = arena_copy(&ret->bytes, json_str(json_get(root, "cluster")));
	if (json_kind(url) == JSON_STRING)
		add_url(ret, arena_copy(&ret->bytes, json_str(url)));
	for (const struct json *u = json_first(urls); u; u = json_next(u))
		add_url(ret, arena_copy(&ret->bytes, json_str(u)));
	return ST_OK;
}

enum status cluster_line_parse(struct str line, unsigned nr, struct cluster_line *ret,
			       struct diag *why)
{
	ret->n = 0;
	ret->nr = nr;
	ret->text = line;
	ret->name = (struct str){ "", 0 };
	arena_reset(&ret->bytes);
	if (line.n > 0 && line.p[line.n - 1] == '\r')
		line.n--;
	if (line.n == 0)
		return ST_OK;
	return line.p[0] == '{' ? parse_json(line, nr, ret, why)
				: parse_tsv(line, nr, ret, why);
}

static bool lies_in(struct str part, struct str whole)
{
	return part.p >= whole.p && part.p + part.n <= whole.p + whole.n;
}

enum status cluster_url_parse(struct str text, struct buf scratch[2], struct str *ret,
			      struct diag *why)
{
	struct url u;

	/* The URL standard would encode it: nobody means that. */
	if (str_find_char(text, '\0') != STR_NONE)
		return diag_fail(why, ST_SYNTAX, "a NUL byte in a URL");
	TRY(url_parse_normal(text, NULL, NORMAL_STANDARD, scratch, &u, why));
	if (u.host.n == 0)
		return diag_fail(why, ST_SYNTAX, "a URL without a host");
	*ret = url_without_fragment(&u);
	return ST_OK;
}

/* Where a URL of this line stands, or the NUL byte in it. */
static size_t column_of(struct str line, struct str url)
{
	bool decoded = !lies_in(url, line);
	size_t nul = decoded ? str_find(line, STR("\\u0000")) : str_find_char(url, '\0');

	return 1 + (decoded ? 0 : (size_t)(url.p - line.p)) + (nul == STR_NONE ? 0 : nul);
}

static void add_normal(struct url_set *s, const struct cluster_line *l, size_t which,
		       struct str text, struct buf scratch[2])
{
	struct str href;
	struct diag why = { 0 };

	if (cluster_url_parse(l->urls[which], scratch, &href, &why) != ST_OK) {
		if (s->unusable++ == 0)
			diag_say(&s->first_unusable, "line %u, column %zu: %s", l->nr,
				 column_of(l->text, l->urls[which]), why.text);
		return;
	}
	if (!lies_in(href, text))
		href = arena_copy(&s->bytes, href);
	url_set_add(s, l->name, href);
}

enum status clusters_parse(struct str text, struct url_set *ret, struct diag *why)
{
	cleanup(cluster_line_release) struct cluster_line l = { 0 };
	struct buf scratch[2] = { { 0 }, { 0 } };
	struct str rest = text, line;
	enum status st = ST_OK;

	for (unsigned nr = 1; st == ST_OK && str_take_line(&rest, &line); nr++) {
		st = cluster_line_parse(line, nr, &l, why);
		for (size_t i = 0; st == ST_OK && i < l.n; i++)
			add_normal(ret, &l, i, text, scratch);
	}
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
	return st;
}
