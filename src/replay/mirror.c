#include "replay/mirror.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "os/file.h"
#include "replay/rewrite.h"

#define SEGMENT_MAX 100 /* bytes of a name; longer ones are cut and hashed */

static bool is_html(struct str mime)
{
	return str_eq_nocase(mime, STR("text/html")) ||
	       str_eq_nocase(mime, STR("application/xhtml+xml"));
}

/* --- names of files --- */

/* What any file system and any shell takes; the rest becomes '_'. */
static bool is_plain(char c)
{
	return ascii_is_alpha(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
	       c == '.' || c == '~' || c == '+' || c == ',';
}

/* True when something of it was lost. */
static bool add_segment(struct buf *to, struct str s)
{
	bool changed = s.n > SEGMENT_MAX || (s.n > 0 && s.p[0] == '.');

	for (size_t i = 0; i < MIN(s.n, (size_t)SEGMENT_MAX); i++) {
		bool plain = is_plain(s.p[i]) && !(i == 0 && s.p[i] == '.');

		buf_add_char(to, plain ? s.p[i] : '_');
		changed |= !plain;
	}
	return changed;
}

static struct str extension_for(struct str mime, struct str name)
{
	static const struct {
		struct str mime, extension;
	} kinds[] = {
		{ STR("text/html"), STR(".html") },
		{ STR("application/xhtml+xml"), STR(".html") },
		{ STR("text/css"), STR(".css") },
		{ STR("text/javascript"), STR(".js") },
		{ STR("application/javascript"), STR(".js") },
		{ STR("application/json"), STR(".json") },
		{ STR("image/png"), STR(".png") },
		{ STR("image/jpeg"), STR(".jpg") },
		{ STR("image/gif"), STR(".gif") },
		{ STR("image/svg+xml"), STR(".svg") },
		{ STR("image/webp"), STR(".webp") },
		{ STR("application/pdf"), STR(".pdf") },
	};

	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct str e = kinds[i].extension;

		if (!str_eq_nocase(mime, kinds[i].mime))
			continue;
		bool has = name.n > e.n && str_eq_nocase(str_skip(name, name.n - e.n), e);
		bool is_htm = str_eq(e, STR(".html")) && name.n > 4 &&
			      str_eq_nocase(str_skip(name, name.n - 4), STR(".htm"));
		return has || is_htm ? STR("") : e;
	}
	return STR("");
}

/* Folders never have the name of a file: those end in something with a dot. */
static bool add_folders(struct buf *to, struct str path)
{
	bool lossy = false;
	struct str segment;

	while (path.n) {
		size_t slash = str_find_char(path, '/');

		segment = str_slice(path, 0, slash);
		lossy |= add_segment(to, segment.n ? segment : STR("_"));
		if (str_find_char(segment, '.') != STR_NONE)
			buf_add_char(to, '_');
		buf_add_char(to, '/');
		path = slash == STR_NONE ? STR("") : str_skip(path, slash + 1);
	}
	return lossy;
}

void mirror_add_path(struct buf *to, struct str url, struct str mime)
{
	cleanup(buf_release) struct buf scratch = { 0 }, name = { 0 };
	struct url u;

	if (url_parse(url, NULL, &scratch, &u, NULL) != ST_OK)
		u = (struct url){ .host = STR("_"), .path = STR("/") };
	size_t slash = str_rfind_char(u.path, '/');
	struct str last = str_skip(u.path, slash + 1);
	bool lossy = false;

	add_segment(to, url_authority(&u)); /* "_8080" is no other host's port */
	buf_add_char(to, '/');
	if (slash > 0)
		lossy |= add_folders(to, str_slice(u.path, 1, slash));
	lossy |= add_segment(&name, last.n ? last : STR("index"));
	struct str extension = extension_for(mime, buf_str(&name));
	size_t dot = str_rfind_char(buf_str(&name), '.');
	bool has_dot = dot != STR_NONE && dot > 0;
	struct str stem = extension.n || !has_dot ? buf_str(&name)
						  : str_slice(buf_str(&name), 0, dot);
	buf_add(to, stem);
	if (lossy || u.has_query)
		buf_addf(to, "-%08x", (uint32_t)hash64(url));
	buf_add(to, str_skip(buf_str(&name), stem.n));
	buf_add(to, extension.n || has_dot ? extension : STR(".data"));
}

/* --- what is there --- */

struct mirror {
	const struct captures *captures;
	const char *out;
	struct mirror_counts *counts;
	struct str own;    /* path of the file being written */
	struct buf target; /* of a link */
};

/* The capture that stands for a URL, redirects followed; NULL. */
static const struct held *find_shown(const struct captures *c, struct str url)
{
	const struct held *h = captures_find(c, url, 0);

	return h && h->status == 200 && !h->is_resource ? h : NULL;
}

static void add_relative(struct buf *to, struct str from, struct str target)
{
	size_t same = 0;

	for (size_t i = 0; i < MIN(from.n, target.n) && from.p[i] == target.p[i]; i++)
		if (from.p[i] == '/')
			same = i + 1;
	for (size_t i = same; i < from.n; i++)
		if (from.p[i] == '/')
			buf_add(to, STR("../"));
	buf_add(to, str_skip(target, same));
}

static bool map_link(void *ctx, const struct url *u, struct buf *to)
{
	struct mirror *m = ctx;
	const struct held *h = find_shown(m->captures, url_without_fragment(u));

	if (!h) { /* to the web, from wherever the file is */
		buf_add(to, u->href);
		return true;
	}
	buf_reset(&m->target);
	mirror_add_path(&m->target, h->url, h->mime);
	add_relative(to, m->own, buf_str(&m->target));
	if (u->has_fragment) {
		buf_add_char(to, '#');
		buf_add(to, u->fragment);
	}
	return true;
}

/* --- writing --- */

static void make_content(struct mirror *m, const struct held *h, struct str body,
			 struct buf *to)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	struct rewrite how = { .map = map_link, .ctx = m, .no_scripts = h->is_dom };
	struct url own;

	if (url_parse(h->url, NULL, &scratch, &own, NULL) != ST_OK) {
		buf_add(to, body);
		return;
	}
	if (is_html(h->mime)) {
		/* The file has no header that says so. */
		if (h->is_dom)
			how.inject = STR("<meta charset=\"utf-8\">");
		rewrite_html(body, &own, &how, to);
	} else if (str_eq_nocase(h->mime, STR("text/css"))) {
		rewrite_css(body, &own, &how, to);
	} else {
		buf_add(to, body);
	}
}

static enum status make_folders(const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf dir = { 0 };

	for (const char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		buf_reset(&dir);
		buf_add(&dir, (struct str){ path, (size_t)(p - path) });
		if (!dir_exists(buf_cstr(&dir)))
			TRY(dir_make(buf_cstr(&dir), why));
	}
	return ST_OK;
}

static enum status write_one(struct mirror *m, const struct held *page, struct diag *why)
{
	const struct held *dom = captures_find_dom(m->captures, page->url);
	const struct held *h = dom && is_html(page->mime) ? dom : page;
	cleanup(held_body_release) struct held_body b = { 0 };
	cleanup(buf_release) struct buf path = { 0 }, full = { 0 }, out = { 0 };
	struct diag lost;

	if (captures_read(m->captures, h, &b, &lost) != ST_OK) {
		m->counts->failed++;
		return ST_OK;
	}
	mirror_add_path(&path, page->url, page->mime);
	m->own = buf_str(&path);
	make_content(m, h, buf_str(&b.body), &out);
	buf_addf(&full, "%s/", m->out);
	buf_add(&full, buf_str(&path));
	TRY(make_folders(buf_cstr(&full), why));
	TRY(file_save(buf_cstr(&full), buf_str(&out), why));
	m->counts->files++;
	m->counts->pages += is_html(page->mime);
	m->counts->rendered += h == dom && dom;
	m->counts->bytes += out.n;
	return ST_OK;
}

enum status mirror_write(const struct captures *c, const char *out,
			 struct mirror_counts *ret, struct diag *why)
{
	struct mirror m = { .captures = c, .out = out, .counts = ret };
	enum status st = ST_OK;

	*ret = (struct mirror_counts){ 0 };
	TRY(dir_make(out, why));
	for (size_t i = 0; st == ST_OK && i < c->n; i++) {
		const struct held *h = find_shown(c, c->v[i].url);

		/* Once for each URL: at its last capture. */
		if (h && (i + 1 == c->n || c->v[i + 1].hash != c->v[i].hash) &&
		    h->hash == c->v[i].hash)
			st = write_one(&m, h, why);
	}
	buf_release(&m.target);
	return st;
}
