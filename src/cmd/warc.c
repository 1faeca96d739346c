#include <inttypes.h>
#include <stdio.h>

#include "base/json.h"
#include "cmd/commands.h"
#include "cmd/warc_files.h"
#include "cmd/warc_tools.h"
#include "os/terminal.h"
#include "warc/warc_http.h"

struct ls_settings {
	bool json;
	int type; /* 0: all, else 1 + enum warc_type */
	struct str url;
};

static const struct option_row ls_options[] = {
	OPTION(FLAG, "json", offsetof(struct ls_settings, json),
	       .help = "print one JSON object per record, with all header fields"),
	OPTION(CHOICE, "type", offsetof(struct ls_settings, type), .letter = 't',
	       .standard = "all", .words = TYPE_WORDS,
	       .help = "only records of this type"),
	OPTION(STR, "url", offsetof(struct ls_settings, url), .letter = 'u',
	       .value = "URL", .help = "only records of this URL"),
	OPTION_END
};

/* Status and media type of what the record holds. */
static void describe(struct warc_reader *r, struct warc_record *rec, int *ret_status,
		     struct buf *mime)
{
	struct str piece, type = warc_field(rec, STR("Content-Type"));
	struct stored_head h = { 0 };
	struct diag ignored;

	if (warc_is_http(rec) && warc_block(r, &piece, &ignored) == ST_OK) {
		(void)stored_head_parse(str_slice(piece, 0, WARC_HEADER_MAX), &h);
		if (h.status)
			type = stored_head_field(&h, STR("Content-Type"));
	}
	size_t end = str_find_char(type, ';');
	buf_reset(mime);
	buf_add_visible(mime, str_trim(str_slice(type, 0, end)));
	*ret_status = h.status;
}

static void print_row(const struct warc_record *rec, int status, struct str mime)
{
	cleanup(buf_release) struct buf uri = { 0 };
	char code[8] = "-";

	if (status)
		snprintf(code, sizeof(code), "%d", status);
	buf_add_visible(&uri, warc_bare_uri(warc_field(rec, STR("WARC-Target-URI"))));
	printf("%10" PRIu64 " %9" PRIu64 " %-12s %4s %-24s %10" PRIu64 " %.*s " STR_FMT
	       "\n",
	       rec->offset, rec->length, warc_type_name(rec->type).p, code,
	       mime.n ? mime.p : "-", rec->block_bytes,
	       STR_ARG(str_slice(warc_field(rec, STR("WARC-Date")), 0, 30)),
	       STR_ARG(uri.n ? buf_str(&uri) : STR("-")));
}

static void print_json(const struct warc_record *rec, const char *path, int status)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	json_open(&o, '{');
	json_put_str(&o, "file", str_from(path));
	json_put_uint(&o, "offset", rec->offset);
	json_put_uint(&o, "length", rec->length);
	json_put_str(&o, "version", rec->version);
	if (status)
		json_put_int(&o, "status", status);
	json_key(&o, STR("fields"));
	json_open(&o, '[');
	for (size_t i = 0; i < rec->field_count; i++) {
		json_open(&o, '[');
		json_add_str(&o, rec->fields[i].name);
		json_add_str(&o, rec->fields[i].value);
		json_close(&o, ']');
	}
	json_close(&o, ']');
	json_close(&o, '}');
	printf(STR_FMT "\n", STR_ARG(buf_str(&b)));
}

static enum status list_file(const char *path, const struct ls_settings *s,
			     struct diag *why)
{
	cleanup(warc_reader_release) struct warc_reader r = { 0 };
	cleanup(buf_release) struct buf mime = { 0 };
	struct warc_record *rec;
	enum status st;
	int status;

	TRY(warc_reader_open(&r, path, why));
	while ((st = warc_next(&r, &rec, why)) == ST_OK) {
		if (!warc_is_wanted(rec, s->type, s->url))
			continue;
		describe(&r, rec, &status, &mime);
		if ((st = warc_end(&r, why)) != ST_OK)
			break;
		if (s->json)
			print_json(rec, path, status);
		else
			print_row(rec, status, (struct str){ buf_cstr(&mime), mime.n });
	}
	if (st == ST_AGAIN)
		return ST_OK;
	struct diag cause = *why;
	return diag_fail(why, st, "%s: at byte %" PRIu64 ": %.150s", path,
			 warc_error_offset(&r), cause.text);
}

static int run_ls(const struct command *self, int argc, char **argv)
{
	cleanup(args_release) struct args args = { 0 };
	cleanup(warc_files_release) struct warc_files files = { 0 };
	struct ls_settings s = { 0 };
	struct diag why;
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	if (warc_files_find(&files, &args, &why) != ST_OK)
		return warc_complain(self, &why, EXIT_USAGE);
	code = EXIT_FINE;
	for (size_t i = 0; i < files.n; i++) {
		if (files.n > 1 && !s.json)
			printf("%s%s:\n", i ? "\n" : "", files.v[i]);
		if (list_file(files.v[i], &s, &why) != ST_OK)
			code = warc_complain(self, &why, EXIT_PARTIAL);
	}
	return code;
}

static const struct example ls_examples[] = {
	{ "thresh warc ls example.org/", "all records of a crawl" },
	{ "thresh warc ls -t response x.warc.gz", "the answers in one file" },
	{ NULL, NULL },
};

static const struct command cmd_warc_ls = {
	.name = "warc ls",
	.summary = "list the records of WARC files",
	.operands = "FILE|DIR...",
	.about = "Columns: offset and length in the file, type, HTTP status, media type, "
		 "length of the block, date, URL.",
	.options = ls_options,
	.examples = ls_examples,
	.run = run_ls,
};

static const struct command *const children[] = {
	&cmd_warc_ls,     &cmd_warc_cat, &cmd_warc_check, &cmd_warc_index, &cmd_warc_wacz,
	&cmd_warc_replay, NULL,
};

const struct command cmd_warc = {
	.name = "warc",
	.summary = "read, extract, validate, index and pack WARC files",
	.operands = "COMMAND FILE|DIR...",
	.about = "Reads .warc, .warc.gz and .warc.zst, WARC/1.0 and 1.1, of any writer.  "
		 "A crawl's folder stands for all files in its archive/.",
	.children = children,
};
