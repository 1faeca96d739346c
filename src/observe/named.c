#include "observe/named.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "page/css.h"
#include "page/jsguess.h"
#include "url/url.h"
#include "web/http.h"

void named_release(struct named *n)
{
	for (size_t i = 0; i < n->count; i++)
		str_list_release(&n->lists[i]);
	free(n->lists);
	map_release(&n->files);
	arena_release(&n->memory);
	*n = (struct named){ 0 };
}

static void add(struct str_list *l, struct str s, struct arena *a)
{
	if (l->n < NAMED_PER_FILE_MAX && s.n && s.n <= JSGUESS_MAX_BYTES)
		VEC_ADD(l->v, l->n, l->cap, arena_copy(a, s));
}

static bool ends_address(char c)
{
	return (unsigned char)c <= ' ' || c == '"' || c == '\'' || c == '`' || c == '<' ||
	       c == '>' || c == '\\' || c == ')' || c == '}';
}

/* Whole addresses stand in comments as well, where no string begins. */
static void add_whole_addresses(struct str text, struct arena *a, struct str_list *ret)
{
	size_t at;

	while ((at = str_find(text, STR("http"))) != STR_NONE) {
		struct str s = str_skip(text, at);
		size_t n = 0;

		text = str_skip(text, at + 4);
		if (!str_starts(s, STR("http://")) && !str_starts(s, STR("https://")))
			continue;
		while (n < s.n && !ends_address(s.p[n]))
			n++;
		while (n && (s.p[n - 1] == '.' || s.p[n - 1] == ',' || s.p[n - 1] == ';'))
			n--;
		add(ret, str_slice(s, 0, n), a);
	}
}

void named_in_text(struct str text, bool style, struct arena *a, struct str_list *ret)
{
	enum css_url_kind kind;
	struct str s, rest = text;

	if (style) {
		while (css_next_url(&rest, a, &s, &kind))
			if (!str_starts_nocase(s, STR("data:")))
				add(ret, s, a);
		return;
	}
	add_whole_addresses(text, a, ret);
	while (ret->n < NAMED_PER_FILE_MAX && jsguess_next(&rest, a, &s))
		if (!str_starts(s, STR("http")))
			add(ret, s, a);
}

void named_in_fields(struct str fields, struct arena *a, struct str_list *ret)
{
	struct str line;

	while (str_take_line(&fields, &line)) {
		size_t colon = str_find_char(line, ':');
		struct str name = str_slice(line, 0, colon);
		struct str value =
			colon == STR_NONE ? STR("") : str_trim(str_skip(line, colon + 1));
		struct http_link link;
		struct str url;
		uint64_t delay;

		if (str_eq_nocase(name, STR("link"))) {
			while (http_link_next(&value, &link))
				add(ret, link.target, a);
		} else if (str_eq_nocase(name, STR("refresh"))) {
			if (http_parse_refresh(value, &delay, &url))
				add(ret, url, a);
		} else if (str_eq_nocase(name, STR("content-location"))) {
			add(ret, value, a);
		}
	}
}

/* Of the site, in its normal form, without fragment; false: it is not one to open. */
static bool resolve(struct str text, struct str base_text, struct str origin,
		    struct arena *a, struct str *ret)
{
	cleanup(buf_release) struct buf base_scratch = { 0 }, scratch = { 0 },
					own = { 0 };
	struct url base, url;

	if (url_parse(base_text, NULL, &base_scratch, &base, NULL) != ST_OK ||
	    url_parse(text, &base, &scratch, &url, NULL) != ST_OK || !url_is_http(&url) ||
	    !str_eq(url_origin(&url, &own), origin))
		return false;
	*ret = arena_copy(a, str_slice(url.href, 0, str_find_char(url.href, '#')));
	return true;
}

static enum status read_file(struct tab *t, struct str frame, struct str url,
			     struct str_list *ret, bool style, struct arena *a,
			     struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	cleanup(arena_release) struct arena scratch = { 0 };
	cleanup(str_list_release) struct str_list found = { 0 };
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	json_open(&o, '{');
	json_put_str(&o, "frameId", frame);
	json_put_str(&o, "url", url);
	json_close(&o, '}');
	enum status st = tab_call(t, "Page.getResourceContent", buf_str(&b), &reply, why);
	/* What the browser has thrown away names nothing. */
	if (st != ST_OK)
		return st == ST_DENIED || st == ST_NOT_FOUND ? ST_OK : st;
	if (json_bool(json_get(reply.result, "base64Encoded"), false))
		return ST_OK;
	struct str text = json_str(json_get(reply.result, "content"));
	named_in_text(str_slice(text, 0, NAMED_BYTES_MAX), style, &scratch, &found);
	for (size_t i = 0; i < found.n; i++) {
		struct str s = found.v[i];
		cleanup(buf_release) struct buf own = { 0 }, base = { 0 };
		struct url sheet;

		/* A style sheet's are relative to itself, a script's to the page. */
		if (style && url_parse(url, NULL, &base, &sheet, NULL) == ST_OK &&
		    !resolve(s, url, url_origin(&sheet, &own), a, &s))
			continue;
		add(ret, s, a);
	}
	return ST_OK;
}

/* The list of a file, read when it is met for the first time; NULL: too many. */
static enum status list_of(struct named *n, struct tab *t, struct str frame,
			   const struct json *resource, struct str_list **ret,
			   struct diag *why)
{
	struct str url = json_str(json_get(resource, "url"));
	bool style = str_eq(json_str(json_get(resource, "type")), STR("Stylesheet"));
	uint64_t *at = map_find(&n->files, hash64(url) | 1);
	struct str_list found = { 0 };

	*ret = at ? &n->lists[*at - 1] : NULL;
	if (at || n->count >= NAMED_FILES_MAX)
		return ST_OK;
	enum status st = read_file(t, frame, url, &found, style, &n->memory, why);
	if (st != ST_OK) {
		str_list_release(&found);
		return st;
	}
	VEC_ADD(n->lists, n->count, n->cap, found);
	*map_add(&n->files, hash64(url) | 1, NULL) = n->count;
	*ret = &n->lists[n->count - 1];
	return ST_OK;
}

static bool is_of_site(struct str url, struct str origin)
{
	return str_starts(url, origin) && url.n > origin.n && url.p[origin.n] == '/';
}

enum status named_find(struct named *n, struct tab *t, struct str origin, struct arena *a,
		       struct str_list *ret, struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	cleanup(str_list_release) struct str_list fields = { 0 };
	struct str page = tab_url(t), url;

	if (!is_of_site(page, origin))
		return ST_OK;
	named_in_fields(tab_document_fields(t), a, &fields);
	for (size_t i = 0; i < fields.n; i++)
		if (resolve(fields.v[i], page, origin, a, &url))
			VEC_ADD(ret->v, ret->n, ret->cap, url);
	TRY(tab_call(t, "Page.getResourceTree", STR("{}"), &reply, why));
	const struct json *tree = json_get(reply.result, "frameTree");
	struct str frame = json_str(json_get(json_get(tree, "frame"), "id"));
	for (const struct json *r = json_first(json_get(tree, "resources")); r;
	     r = json_next(r)) {
		struct str type = json_str(json_get(r, "type"));
		struct str_list *l = NULL;

		if (!(str_eq(type, STR("Script")) || str_eq(type, STR("Stylesheet"))) ||
		    !is_of_site(json_str(json_get(r, "url")), origin))
			continue;
		TRY(list_of(n, t, frame, r, &l, why));
		for (size_t i = 0; l && i < l->n; i++)
			if (resolve(l->v[i], page, origin, a, &url))
				VEC_ADD(ret->v, ret->n, ret->cap, url);
	}
	return ST_OK;
}
