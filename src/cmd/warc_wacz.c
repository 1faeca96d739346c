#include <stdio.h>

#include "archive/wacz.h"
#include "cmd/warc_files.h"
#include "cmd/warc_pages.h"
#include "cmd/warc_tools.h"
#include "os/clock.h"
#include "warc/repack.h"

struct wacz_settings {
	struct str output, title, description, main_url;
};

static const struct option_row wacz_rows[] = {
	OPTION(STR, "output", offsetof(struct wacz_settings, output), .letter = 'o',
	       .value = "FILE",
	       .help = "the file to write [the folder's or first file's name, with "
		       ".wacz]"),
	OPTION(STR, "title", offsetof(struct wacz_settings, title), .value = "TEXT",
	       .help = "title of the collection"),
	OPTION(STR, "description", offsetof(struct wacz_settings, description),
	       .value = "TEXT", .help = "description of the collection"),
	OPTION(STR, "main-url", offsetof(struct wacz_settings, main_url), .value = "URL",
	       .help = "first page to show"),
	OPTION_END
};

/* "dir/" or "x.warc.gz" to "dir.wacz" or "x.wacz". */
static char *default_output(struct arena *a, struct str first)
{
	cleanup(buf_release) struct buf name = { 0 };
	size_t dot = str_find(first, STR(".warc"));

	while (first.n > 1 && first.p[first.n - 1] == '/')
		first.n--;
	buf_add(&name, str_slice(first, 0, dot));
	buf_add(&name, STR(".wacz"));
	return path_join(a, "", buf_str(&name));
}

/* The list of pages and the log of a crawl's folder, when it is one. */
static const char *beside(struct args *args, struct str name)
{
	const char *dir = path_join(&args->bytes, "", args->words[0]);
	const char *path = path_join(&args->bytes, dir, name);

	uint64_t bytes = 0;

	if (args->n != 1 || !dir_exists(dir) || file_size(path, &bytes, NULL) != ST_OK)
		return NULL;
	return bytes ? path : NULL;
}

/* Players know gzip alone: a file in zstd is repacked, and its copy is what is packed. */
static enum status use_gzip(struct warc_files *files, const char *scratch,
			    struct arena *a, struct diag *why)
{
	for (size_t i = 0; i < files->n; i++) {
		struct str name = warc_base_name(files->v[i]);
		cleanup(buf_release) struct buf renamed = { 0 };

		if (!str_ends(name, STR(".zst")))
			continue;
		buf_add(&renamed, str_slice(name, 0, name.n - 4));
		buf_add(&renamed, STR(".gz"));
		const char *copy = path_join(a, scratch, buf_str(&renamed));
		TRY(warc_repack(files->v[i], copy, MEMBER_GZIP, why));
		files->v[i] = copy;
	}
	return ST_OK;
}

static int run_wacz(const struct command *self, int argc, char **argv)
{
	cleanup(args_release) struct args args = { 0 };
	cleanup(warc_files_release) struct warc_files files = { 0 };
	struct wacz_settings s = { 0 };
	struct diag why;
	char scratch[512];
	bool partial = false;
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	if (warc_files_find(&files, &args, &why) != ST_OK)
		return warc_complain(self, &why, EXIT_USAGE);
	if (warc_make_scratch(scratch, sizeof(scratch), &why) != ST_OK)
		return warc_complain(self, &why, EXIT_FAILED);
	const char *index = path_join(&args.bytes, scratch, STR("index.cdxj"));
	struct wacz_options o = {
		.path = s.output.n ? path_join(&args.bytes, "", s.output)
				   : default_output(&args.bytes, args.words[0]),
		.warcs = files.v,
		.warc_count = files.n,
		.index = index,
		.pages = beside(&args, STR("pages.jsonl")),
		.log = beside(&args, STR("crawl.log")),
		.title = s.title,
		.description = s.description,
		.main_url = s.main_url,
		.now_ms = clock_wall_ms(&real_clock),
	};
	enum status st = use_gzip(&files, scratch, &args.bytes, &why);
	if (st == ST_OK)
		st = warc_index_all(self, &files, scratch, index, &partial, &why);
	if (st == ST_OK && !o.pages) {
		o.pages = path_join(&args.bytes, scratch, STR("pages.jsonl"));
		st = warc_pages_write(&files, o.pages, &why);
	}
	if (st == ST_OK)
		st = wacz_write(&o, &why);
	(void)!dir_remove(scratch, NULL);
	if (st != ST_OK)
		return warc_complain(self, &why, EXIT_FAILED);
	fprintf(stderr, "%s: %zu WARC file%s\n", o.path, files.n,
		files.n == 1 ? "" : "s");
	return partial ? EXIT_PARTIAL : EXIT_FINE;
}

static const struct example wacz_examples[] = {
	{ "thresh warc wacz example.org/", "pack a crawl into example.org.wacz" },
	{ NULL, NULL },
};

const struct command cmd_warc_wacz = {
	.name = "warc wacz",
	.summary = "pack WARC files, index and list of pages into one WACZ file",
	.operands = "FILE|DIR...",
	.about = "A WACZ file can be replayed in a browser.  For a crawl's folder it "
		 "includes the list of pages and the log; for other files the list is "
		 "made.",
	.options = wacz_rows,
	.examples = wacz_examples,
	.run = run_wacz,
};
