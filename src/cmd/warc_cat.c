#include <inttypes.h>
#include <stdio.h>

#include "archive/cdx.h"
#include "archive/cdx_read.h"
#include "cmd/warc_files.h"
#include "cmd/warc_tools.h"
#include "os/file.h"
#include "os/map_file.h"
#include "warc/warc_http.h"

#define PAYLOAD_MAX ((size_t)1 << 30)

enum part { PART_RECORD, PART_BLOCK, PART_HEAD, PART_PAYLOAD };

struct cat_settings {
	struct str_list offsets;
	struct str url;
	int type, part;
	bool raw;
};

static const struct option_row cat_options[] = {
	OPTION(LIST, "offset", offsetof(struct cat_settings, offsets), .letter = 'n',
	       .value = "N",
	       .help = "the record at this byte of the file, as 'warc ls' and the index "
		       "list it"),
	OPTION(STR, "url", offsetof(struct cat_settings, url), .letter = 'u',
	       .value = "URL", .help = "the records of this URL"),
	OPTION(CHOICE, "type", offsetof(struct cat_settings, type), .letter = 't',
	       .standard = "all", .words = TYPE_WORDS,
	       .help = "only records of this type"),
	OPTION(CHOICE, "part", offsetof(struct cat_settings, part), .letter = 'p',
	       .standard = "record", .words = "record|block|head|payload",
	       .help = "part to print: all, all but the WARC header, the HTTP head, or "
		       "the body"),
	OPTION(FLAG, "raw", offsetof(struct cat_settings, raw),
	       .help = "the payload as stored, without undoing Content-Encoding and "
		       "chunks"),
	OPTION_END
};

static void put(struct str s)
{
	fwrite(s.p, 1, s.n, stdout);
}

static enum status print_payload(struct warc_reader *r, const struct cat_settings *s,
				 struct diag *why)
{
	cleanup(buf_release) struct buf spare = { 0 };
	cleanup(buf_release) struct buf plain = BUF(PAYLOAD_MAX);
	struct warc_http h;

	TRY(warc_http_read(r, PAYLOAD_MAX, &spare, &h, why));
	if (s->part == PART_HEAD) {
		put(h.head.all);
		return ST_OK;
	}
	if (s->raw || warc_http_decode(&h, &plain) == ST_UNSUPPORTED)
		put(h.body);
	else
		put(buf_str(&plain));
	return ST_OK;
}

static enum status print_record(struct warc_reader *r, const struct cat_settings *s,
				struct diag *why)
{
	struct str piece;
	enum status st;

	if (s->part == PART_HEAD || s->part == PART_PAYLOAD)
		return print_payload(r, s, why);
	if (s->part == PART_RECORD)
		put(buf_str(&r->header));
	while ((st = warc_block(r, &piece, why)) == ST_OK)
		put(piece);
	if (s->part == PART_RECORD)
		put(STR("\r\n\r\n"));
	return st == ST_AGAIN ? ST_OK : st;
}

static enum status cat_offsets(struct warc_reader *r, const struct cat_settings *s,
			       uint64_t *found, struct diag *why)
{
	struct warc_record *rec;
	uint64_t offset;

	for (size_t i = 0; i < s->offsets.n; i++) {
		if (!str_to_uint(s->offsets.v[i], UINT64_MAX, &offset))
			return diag_fail(why, ST_SYNTAX, "not an offset: " STR_FMT,
					 STR_ARG(s->offsets.v[i]));
		warc_seek(r, offset);
		enum status st = warc_next(r, &rec, why);

		if (st == ST_AGAIN)
			return diag_fail(why, ST_NOT_FOUND,
					 "the file ends before byte %" PRIu64, offset);
		TRY(st);
		TRY(print_record(r, s, why));
		++*found;
	}
	return ST_OK;
}

static enum status cat_file(const char *path, const struct cat_settings *s,
			    uint64_t *found, struct diag *why)
{
	cleanup(warc_reader_release) struct warc_reader r = { 0 };
	struct warc_record *rec;
	enum status st;

	TRY(warc_reader_open(&r, path, why));
	if (s->offsets.n)
		return cat_offsets(&r, s, found, why);
	while ((st = warc_next(&r, &rec, why)) == ST_OK) {
		if (!warc_is_wanted(rec, s->type, s->url))
			continue;
		TRY(print_record(&r, s, why));
		++*found;
	}
	return st == ST_AGAIN ? ST_OK : st;
}

/* The records of one capture stand together, the one in the index first. */
static enum status cat_capture(const char *path, uint64_t offset,
			       const struct cat_settings *s, uint64_t *found,
			       struct diag *why)
{
	cleanup(warc_reader_release) struct warc_reader r = { 0 };
	struct warc_record *rec;
	enum status st;

	TRY(warc_reader_open(&r, path, why));
	warc_seek(&r, offset);
	while ((st = warc_next(&r, &rec, why)) == ST_OK) {
		bool main = rec->type == WARC_RESPONSE || rec->type == WARC_REVISIT;

		if (!warc_is_wanted(rec, 0, s->url) || (main && rec->offset != offset))
			return ST_OK;
		if (!warc_is_wanted(rec, s->type, s->url))
			continue;
		TRY(print_record(&r, s, why));
		++*found;
	}
	return st == ST_AGAIN ? ST_OK : st;
}

/* A finished crawl has an index: no need to read everything for one URL. */
static char *index_of(struct args *args, const struct cat_settings *s)
{
	if (args->n != 1 || s->url.n == 0 || s->offsets.n)
		return NULL;
	char *dir = path_join(&args->bytes, "", args->words[0]);
	char *folder = path_join(&args->bytes, dir, STR("indexes"));
	char *path = path_join(&args->bytes, folder, STR("index.cdxj"));
	/* While it runs, the newest captures are not in the sorted one. */
	char *open = path_join(&args->bytes, folder, STR("index.cdxj.open"));
	return file_exists(path) && !file_exists(open) ? path : NULL;
}

static enum status cat_indexed(struct args *args, const char *index,
			       const struct cat_settings *s, uint64_t *found,
			       struct diag *why)
{
	cleanup(map_file_release) struct map_file map = { 0 };
	cleanup(buf_release) struct buf scratch = { 0 };
	struct cdx_line l;
	struct str rest, line;
	char *dir = path_join(&args->bytes, "", args->words[0]);
	char *folder = path_join(&args->bytes, dir, STR("archive"));

	TRY(map_file_open(&map, index, MAP_RANDOM, why));
	cdx_add_key(&scratch, s->url);
	rest = cdx_find(map.bytes, buf_str(&scratch));
	while (str_take_until(&rest, '\n', &line)) {
		if (cdx_line_parse(line, &scratch, &l) != ST_OK)
			return diag_fail(why, ST_CORRUPT, "%s: a line cannot be read",
					 index);
		if (!str_eq(l.url, s->url) || str_find_char(l.filename, '/') != STR_NONE)
			continue;
		TRY(cat_capture(path_join(&args->bytes, folder, l.filename), l.offset, s,
				found, why));
	}
	return ST_OK;
}

static int run_cat(const struct command *self, int argc, char **argv)
{
	cleanup(args_release) struct args args = { 0 };
	cleanup(warc_files_release) struct warc_files files = { 0 };
	struct cat_settings s = { 0 };
	struct diag why;
	uint64_t found = 0;
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	const char *index = index_of(&args, &s);
	if (index && cat_indexed(&args, index, &s, &found, &why) != ST_OK)
		code = warc_complain(self, &why, EXIT_PARTIAL);
	else if (!index && warc_files_find(&files, &args, &why) != ST_OK)
		code = warc_complain(self, &why, EXIT_USAGE);
	for (size_t i = 0; i < files.n; i++)
		if (cat_file(files.v[i], &s, &found, &why) != ST_OK)
			code = warc_complain(self, &why, EXIT_PARTIAL);
	str_list_release(&s.offsets);
	if (code != ARGS_GO)
		return code;
	if (found == 0) {
		fprintf(stderr, "thresh %s: no such record\n", self->name);
		return EXIT_FAILED;
	}
	return EXIT_FINE;
}

static const struct example cat_examples[] = {
	{ "thresh warc cat x.warc.gz -n 1234 -p payload", "the page of one record" },
	{ "thresh warc cat example.org/ -u https://example.org/ -t response",
	  "the answer of a server for a URL" },
	{ NULL, NULL },
};

const struct command cmd_warc_cat = {
	.name = "warc cat",
	.summary = "print records of WARC files, or what is in them",
	.operands = "FILE|DIR...",
	.about = "Without --offset and --url all records are printed, decompressed.",
	.options = cat_options,
	.examples = cat_examples,
	.run = run_cat,
};
