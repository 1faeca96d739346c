#include "cmd/warc_pages.h"

#include "base/encode.h"
#include "base/hash.h"
#include "base/json.h"
#include "os/file.h"
#include "page/page.h"
#include "warc/warc_http.h"

/* Larger answers are data, not pages to show in a list. */
#define BODY_MAX    ((size_t)4 << 20)
#define FLUSH_BYTES ((size_t)1 << 20)

struct pages {
	struct file file;
	struct buf lines, spare, body;
	struct arena arena;
};

static void pages_release(struct pages *p)
{
	file_close(&p->file);
	buf_release(&p->lines);
	buf_release(&p->spare);
	buf_release(&p->body);
	arena_release(&p->arena);
}

/* Lives in the arena until the next page. */
static struct str title_of(struct pages *p, const struct warc_http *h, struct str type,
			   struct str url)
{
	struct page page;

	buf_reset(&p->body);
	if (warc_http_decode(h, &p->body) == ST_UNSUPPORTED)
		return STR("");
	page_parse(&(struct page_input){ buf_str(&p->body), type, url },
		   &(struct page_options){ .max_links = 1,
					   .max_text_bytes = 1024,
					   .no_guesses = true,
					   .no_language = true },
		   &p->arena, &page);
	return page.title;
}

static void add_line(struct pages *p, const struct warc_record *rec, struct str url,
		     struct str title)
{
	cleanup(buf_release) struct buf id = { 0 };
	struct json_out o = { .to = &p->lines };

	buf_add_hex64(&id, hash64(warc_field(rec, STR("WARC-Record-ID"))));
	json_open(&o, '{');
	json_put_str(&o, "id", buf_str(&id));
	json_put_str(&o, "url", url);
	json_put_str(&o, "ts", warc_field(rec, STR("WARC-Date")));
	json_put_str(&o, "title", title);
	json_close(&o, '}');
	buf_add_char(&p->lines, '\n');
}

static enum status add_record(struct pages *p, struct warc_reader *r,
			      const struct warc_record *rec, struct diag *why)
{
	struct str url = warc_bare_uri(warc_field(rec, STR("WARC-Target-URI")));
	struct warc_http h;

	if (rec->type != WARC_RESPONSE || !warc_is_http(rec) ||
	    rec->block_bytes > BODY_MAX)
		return ST_OK;
	TRY(warc_http_read(r, BODY_MAX, &p->spare, &h, why));
	struct str type = stored_head_field(&h.head, STR("Content-Type"));
	if (h.head.status != 200 || (!str_starts_nocase(type, STR("text/html")) &&
				     !str_starts_nocase(type, STR("application/xhtml"))))
		return ST_OK;
	add_line(p, rec, url, title_of(p, &h, type, url));
	arena_reset(&p->arena);
	if (p->lines.n < FLUSH_BYTES)
		return ST_OK;
	TRY(file_write(&p->file, buf_str(&p->lines), why));
	buf_reset(&p->lines);
	return ST_OK;
}

static enum status add_file(struct pages *p, const char *path, struct diag *why)
{
	cleanup(warc_reader_release) struct warc_reader r = { 0 };
	struct warc_record *rec;
	enum status st;

	TRY(warc_reader_open(&r, path, why));
	while ((st = warc_next(&r, &rec, why)) == ST_OK &&
	       (st = add_record(p, &r, rec, why)) == ST_OK)
		;
	return st == ST_AGAIN || st == ST_CORRUPT ? ST_OK : st;
}

enum status warc_pages_write(const struct warc_files *files, const char *path,
			     struct diag *why)
{
	cleanup(pages_release) struct pages p = { .body = BUF(BODY_MAX) };

	TRY(file_open(&p.file, path, FILE_CREATE, why));
	buf_add(&p.lines, STR("{\"format\": \"json-pages-1.0\", \"id\": \"pages\", "
			      "\"title\": \"All Pages\"}\n"));
	for (size_t i = 0; i < files->n; i++)
		TRY(add_file(&p, files->v[i], why));
	return file_write(&p.file, buf_str(&p.lines), why);
}
