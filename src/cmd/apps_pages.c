#include <stdio.h>

#include "cmd/apps.h"
#include "cmd/warc_files.h"
#include "os/file.h"
#include "page/page.h"
#include "warc/warc_http.h"

#define BODY_MAX ((size_t)16 << 20)

struct source {
	apps_page_fn *fn;
	void *arg;
	struct arena arena;
	struct buf spare, body, url[2];
	bool stopped;
};

static void source_release(struct source *s)
{
	arena_release(&s->arena);
	buf_release(&s->spare);
	buf_release(&s->body);
	buf_release(&s->url[0]);
	buf_release(&s->url[1]);
}

static void count_links(struct source *s, const struct page *p, struct app_page *to)
{
	struct url own, u;

	if (url_parse(to->url, NULL, &s->url[0], &own, NULL) != ST_OK)
		return;
	for (size_t i = 0; i < p->n_links; i++) {
		if (p->links[i].kind != LINK_ANCHOR ||
		    url_parse(p->links[i].url, &own, &s->url[1], &u, NULL) != ST_OK)
			continue;
		to->links++;
		to->own_links += str_eq(url_server(&u), url_server(&own));
	}
}

static void give(struct source *s, struct str url, struct str type, struct str fields,
		 struct str body)
{
	struct app_page page = {
		.url = url, .fields = fields, .html = body, .remembered = APP_NONE
	};
	struct page parsed;

	page_parse(&(struct page_input){ body, type, url },
		   &(struct page_options){ .no_guesses = true, .no_language = true },
		   &s->arena, &parsed);
	if (parsed.kind == PAGE_HTML) {
		page.text = parsed.text;
		count_links(s, &parsed, &page);
		s->stopped = !s->fn(s->arg, &page, &parsed);
	}
	arena_reset(&s->arena);
}

static enum status give_record(struct source *s, struct warc_reader *r,
			       const struct warc_record *rec, struct diag *why)
{
	struct warc_http h;

	if (rec->type != WARC_RESPONSE || !warc_is_http(rec) ||
	    rec->block_bytes > BODY_MAX)
		return ST_OK;
	TRY(warc_http_read(r, BODY_MAX, &s->spare, &h, why));
	buf_reset(&s->body);
	if (h.head.status != 200 || warc_http_decode(&h, &s->body) == ST_UNSUPPORTED)
		return ST_OK;
	give(s, warc_bare_uri(warc_field(rec, STR("WARC-Target-URI"))),
	     stored_head_field(&h.head, STR("Content-Type")), h.head.fields,
	     buf_str(&s->body));
	return ST_OK;
}

static enum status give_warc(struct source *s, const char *path, struct diag *why)
{
	cleanup(warc_reader_release) struct warc_reader r = { 0 };
	struct warc_record *rec;
	enum status st;

	TRY(warc_reader_open(&r, path, why));
	while (!s->stopped && (st = warc_next(&r, &rec, why)) == ST_OK)
		TRY(give_record(s, &r, rec, why));
	return s->stopped || st == ST_AGAIN || st == ST_CORRUPT ? ST_OK : st;
}

static bool is_html_name(struct str name)
{
	return str_ends(name, STR(".html")) || str_ends(name, STR(".htm")) ||
	       str_ends(name, STR(".xhtml"));
}

static enum status give_html(struct source *s, const struct apps_settings *o,
			     struct str name, struct diag *why)
{
	cleanup(buf_release) struct buf path = { 0 }, url = { 0 };

	buf_add(&path, name);
	buf_reset(&s->body);
	TRY(file_load(buf_cstr(&path), BODY_MAX, &s->body, why));
	buf_addf(&url, "file://%s" STR_FMT, name.p[0] == '/' ? "" : "/", STR_ARG(name));
	give(s, o->url.n ? o->url : buf_str(&url), STR("text/html"), o->header,
	     buf_str(&s->body));
	return ST_OK;
}

int apps_each_page(const struct command *self, const struct apps_settings *o,
		   struct args *args, apps_page_fn *fn, void *arg)
{
	cleanup(source_release) struct source s = { .fn = fn,
						    .arg = arg,
						    .body = BUF(4 * BODY_MAX) };
	cleanup(warc_files_release) struct warc_files files = { 0 };
	struct diag why;
	size_t n = 0;

	if (args->n == 0)
		return apps_fail(self, EXIT_USAGE,
				 "give HTML files, WARC files or the "
				 "folder of a crawl");
	for (size_t i = 0; i < args->n && !s.stopped; i++) {
		if (!is_html_name(args->words[i]))
			args->words[n++] = args->words[i];
		else if (give_html(&s, o, args->words[i], &why) != ST_OK)
			return apps_fail(self, EXIT_FAILED, why.text);
	}
	args->n = n;
	if (n > 0 && warc_files_find(&files, args, &why) != ST_OK)
		return apps_fail(self, EXIT_FAILED, why.text);
	for (size_t i = 0; i < files.n && !s.stopped; i++)
		if (give_warc(&s, files.v[i], &why) != ST_OK)
			return apps_fail(self, EXIT_FAILED, why.text);
	return ARGS_GO;
}
