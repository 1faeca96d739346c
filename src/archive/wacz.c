#include "archive/wacz.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/date.h"
#include "base/encode.h"
#include "base/json.h"
#include "os/map_file.h"
#include "warc/member.h"

#define LINES_A_BLOCK 300 /* what the field's indexer takes */

static struct str base_name(const char *path)
{
	struct str s = str_from(path);
	size_t slash = str_rfind_char(s, '/');

	return slash == STR_NONE ? s : str_skip(s, slash + 1);
}

/* A line of index.idx: key and time of the block's first line, and where it is. */
static void add_block(struct member_writer *m, struct digest *sha256, struct str lines,
		      struct buf *data, struct buf *idx)
{
	size_t before = data->n, brace = str_find_char(lines, '{');
	uint8_t hash[32];

	member_add(m, lines, data);
	digest_of(sha256, str_skip(buf_str(data), before), hash);
	buf_add(idx, str_slice(lines, 0, brace));
	buf_addf(idx, "{\"offset\": %zu, \"length\": %zu, \"digest\": \"sha256:", before,
		 data->n - before);
	buf_add_hex(idx, (struct str){ (const char *)hash, sizeof(hash) });
	buf_add(idx, STR("\"}\n"));
}

static enum status add_index(struct zip_writer *z, const char *path, struct diag *why)
{
	cleanup(map_file_release) struct map_file map = { 0 };
	cleanup(buf_release) struct buf data = { .limit = SIZE_MAX / 2 };
	cleanup(buf_release) struct buf idx = { 0 };
	cleanup(member_writer_release) struct member_writer m = { 0 };
	struct str rest, line;
	size_t lines = 0;

	TRY(map_file_open(&map, path, MAP_SEQUENTIAL, why));
	member_writer_init(&m, MEMBER_GZIP);
	buf_add(&idx, STR("!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": "
			  "\"index.cdx.gz\"}\n"));
	rest = map.bytes;
	for (struct str start = rest; start.n > 0;) {
		bool more = str_take_until(&rest, '\n', &line);

		lines += more;
		if (more && lines % LINES_A_BLOCK != 0)
			continue;
		size_t n = start.n - rest.n;
		if (n > 0)
			add_block(&m, &z->sha256, str_slice(start, 0, n), &data, &idx);
		start = rest;
	}
	TRY(zip_add(z, STR("indexes/index.cdx.gz"), buf_str(&data), why));
	return zip_add(z, STR("indexes/index.idx"), buf_str(&idx), why);
}

static void add_resources(const struct zip_writer *z, struct json_out *o)
{
	cleanup(buf_release) struct buf hash = { 0 };

	json_key(o, STR("resources"));
	json_open(o, '[');
	for (size_t i = 0; i < z->n; i++) {
		const struct zip_entry *e = &z->entries[i];
		size_t slash = str_rfind_char(e->name, '/');

		buf_reset(&hash);
		buf_add(&hash, STR("sha256:"));
		buf_add_hex(&hash, (struct str){ (const char *)e->sha256, 32 });
		json_open(o, '{');
		json_put_str(o, "name",
			     slash == STR_NONE ? e->name : str_skip(e->name, slash + 1));
		json_put_str(o, "path", e->name);
		json_put_str(o, "hash", buf_str(&hash));
		json_put_uint(o, "bytes", e->bytes);
		json_close(o, '}');
	}
	json_close(o, ']');
}

static enum status add_package(struct zip_writer *z, const struct wacz_options *o,
			       struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	cleanup(buf_release) struct buf date = { 0 };
	struct json_out j = { .to = &text };

	buf_add_date_iso(&date, o->now_ms, true);
	json_open(&j, '{');
	json_put_str(&j, "profile", STR("data-package"));
	add_resources(z, &j);
	json_put_str(&j, "wacz_version", STR("1.1.1"));
	json_put_str(&j, "software", STR("thresh/" THRESH_VERSION));
	json_put_str(&j, "created", buf_str(&date));
	if (o->title.n)
		json_put_str(&j, "title", o->title);
	if (o->description.n)
		json_put_str(&j, "description", o->description);
	if (o->main_url.n)
		json_put_str(&j, "mainPageUrl", o->main_url);
	json_close(&j, '}');
	buf_add_char(&text, '\n');
	TRY(zip_add(z, STR("datapackage.json"), buf_str(&text), why));

	buf_reset(&text);
	buf_add(&text, STR("{\"path\": \"datapackage.json\", \"hash\": \"sha256:"));
	buf_add_hex(&text, (struct str){ (const char *)z->entries[z->n - 1].sha256, 32 });
	buf_add(&text, STR("\"}\n"));
	return zip_add(z, STR("datapackage-digest.json"), buf_str(&text), why);
}

static enum status add_all(struct zip_writer *z, const struct wacz_options *o,
			   struct diag *why)
{
	for (size_t i = 0; i < o->warc_count; i++) {
		cleanup(buf_release) struct buf name = { 0 };

		buf_add(&name, STR("archive/"));
		buf_add(&name, base_name(o->warcs[i]));
		TRY(zip_add_file(z, buf_str(&name), o->warcs[i], why));
	}
	TRY(add_index(z, o->index, why));
	if (o->pages)
		TRY(zip_add_file(z, STR("pages/pages.jsonl"), o->pages, why));
	else
		TRY(zip_add(z, STR("pages/pages.jsonl"),
			    STR("{\"format\": \"json-pages-1.0\", \"id\": \"pages\", "
				"\"title\": \"All Pages\"}\n"),
			    why));
	if (o->log)
		TRY(zip_add_file(z, STR("logs/crawl.log"), o->log, why));
	TRY(add_package(z, o, why));
	return zip_end(z, why);
}

enum status wacz_write(const struct wacz_options *o, struct diag *why)
{
	cleanup(zip_release) struct zip_writer z = { 0 };
	char tmp[PATH_MAX];

	if (snprintf(tmp, sizeof(tmp), "%s.tmp", o->path) >= (int)sizeof(tmp))
		return diag_fail(why, ST_TOO_LARGE, "the path is too long");
	TRY(zip_open(&z, tmp, o->now_ms, why));
	enum status st = add_all(&z, o, why);
	if (st == ST_OK)
		st = file_rename(tmp, o->path, why);
	if (st != ST_OK)
		(void)!file_remove(tmp, NULL);
	return st;
}
