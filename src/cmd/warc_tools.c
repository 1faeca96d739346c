#include "cmd/warc_tools.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/warc_index.h"
#include "cmd/warc_files.h"
#include "os/terminal.h"
#include "warc/warc_check.h"

int warc_complain(const struct command *self, const struct diag *why, int code)
{
	fprintf(stderr, "thresh %s: %s\n", self->name, why->text);
	return code;
}

bool warc_is_wanted(const struct warc_record *rec, int type, struct str url)
{
	return (type == 0 || (int)rec->type == type - 1) &&
	       (url.n == 0 ||
		str_eq(warc_bare_uri(warc_field(rec, STR("WARC-Target-URI"))), url));
}

struct check_settings {
	bool quiet, strict;
};

static const struct option_row check_options[] = {
	OPTION(FLAG, "quiet", offsetof(struct check_settings, quiet), .letter = 'q',
	       .help = "print nothing; only the exit code"),
	OPTION(FLAG, "strict", offsetof(struct check_settings, strict),
	       .help = "warnings count as errors"),
	OPTION_END
};

static void print_finding(void *arg, const struct check_finding *f)
{
	const struct check_settings *s = arg;
	cleanup(buf_release) struct buf what = { 0 };
	cleanup(buf_release) struct buf id = { 0 };

	if (s->quiet)
		return;
	buf_add_visible(&what, f->what);
	buf_add_visible(&id, f->id);
	printf("%s:%" PRIu64 ": %s: " STR_FMT "%s" STR_FMT "\n", f->path, f->offset,
	       f->is_error || s->strict ? "error" : "warning", STR_ARG(buf_str(&what)),
	       id.n ? " " : "", STR_ARG(buf_str(&id)));
}

static int check_files(const struct command *self, const struct warc_files *files,
		       struct check_settings *s)
{
	cleanup(warc_check_release) struct warc_check c;
	struct diag why;

	warc_check_init(&c, print_finding, s);
	for (size_t i = 0; i < files->n; i++)
		if (warc_check_file(&c, files->v[i], &why) != ST_OK)
			return warc_complain(self, &why, EXIT_FAILED);
	warc_check_end(&c);
	if (s->strict) {
		c.errors += c.warnings;
		c.warnings = 0;
	}
	if (!s->quiet)
		printf("%zu file%s, %" PRIu64 " record%s, %" PRIu64 " error%s, %" PRIu64
		       " warning%s\n",
		       files->n, files->n == 1 ? "" : "s", c.records,
		       c.records == 1 ? "" : "s", c.errors, c.errors == 1 ? "" : "s",
		       c.warnings, c.warnings == 1 ? "" : "s");
	return c.errors ? EXIT_DIFFERENT : EXIT_FINE;
}

static int run_check(const struct command *self, int argc, char **argv)
{
	cleanup(args_release) struct args args = { 0 };
	cleanup(warc_files_release) struct warc_files files = { 0 };
	struct check_settings s = { 0 };
	struct diag why;
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	if (warc_files_find(&files, &args, &why) != ST_OK)
		return warc_complain(self, &why, EXIT_USAGE);
	return check_files(self, &files, &s);
}

struct index_settings {
	struct str output;
};

static const struct option_row index_options[] = {
	OPTION(STR, "output", offsetof(struct index_settings, output), .letter = 'o',
	       .value = "FILE",
	       .help = "file to write instead of standard output; replaced at the end"),
	OPTION_END
};

enum status warc_make_scratch(char *path, size_t n, struct diag *why)
{
	const char *base = getenv("TMPDIR");

	snprintf(path, n, "%s/thresh-XXXXXX", base && *base ? base : "/tmp");
	if (!mkdtemp(path))
		return diag_fail(why, ST_IO, "%.200s: cannot make a folder", path);
	return ST_OK;
}

struct str warc_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return str_from(slash ? slash + 1 : path);
}

enum status warc_index_all(const struct command *self, const struct warc_files *files,
			   const char *scratch, const char *to, bool *ret_partial,
			   struct diag *why)
{
	cleanup(warc_index_release) struct warc_index x = { 0 };
	cleanup(file_close) struct file f = { 0 };

	warc_index_init(&x, scratch);
	for (size_t i = 0; i < files->n; i++) {
		enum status st = warc_index_file(&x, files->v[i],
						 warc_base_name(files->v[i]), why);

		if (st == ST_CORRUPT) {
			warc_complain(self, why, 0);
			*ret_partial = true;
		} else if (st != ST_OK) {
			return st;
		}
	}
	TRY(file_open(&f, to, FILE_CREATE, why));
	TRY(warc_index_write(&x, &f, why));
	return file_sync(&f, why);
}

static enum status copy_out(const char *path, struct diag *why)
{
	cleanup(map_file_release) struct map_file map = { 0 };

	TRY(map_file_open(&map, path, MAP_SEQUENTIAL, why));
	if (map.bytes.n)
		fwrite(map.bytes.p, 1, map.bytes.n, stdout);
	return ST_OK;
}

static int run_index(const struct command *self, int argc, char **argv)
{
	cleanup(args_release) struct args args = { 0 };
	cleanup(warc_files_release) struct warc_files files = { 0 };
	struct index_settings s = { 0 };
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
	const char *result = path_join(&args.bytes, scratch, STR("index.cdxj"));
	const char *fresh = result;
	if (s.output.n) {
		result = path_join(&args.bytes, "", s.output);
		cleanup(buf_release) struct buf tmp = { 0 };
		buf_addf(&tmp, STR_FMT ".tmp", STR_ARG(s.output));
		fresh = path_join(&args.bytes, "", buf_str(&tmp));
	}
	enum status st = warc_index_all(self, &files, scratch, fresh, &partial, &why);
	if (st == ST_OK)
		st = s.output.n ? file_rename(fresh, result, &why)
				: copy_out(result, &why);
	(void)!dir_remove(scratch, NULL);
	if (st != ST_OK)
		return warc_complain(self, &why, EXIT_FAILED);
	return partial ? EXIT_PARTIAL : EXIT_FINE;
}

static const struct example check_examples[] = {
	{ "thresh warc check example.org/", "validate all files of a crawl" },
	{ NULL, NULL },
};

const struct command cmd_warc_check = {
	.name = "warc check",
	.summary = "validate WARC files",
	.operands = "FILE|DIR...",
	.about = "Prints every defect with file and offset.  Compression, form and "
		 "digests of each record are checked, and the references between records "
		 "of all given files.  Exit code 7 when there is an error.",
	.options = check_options,
	.examples = check_examples,
	.run = run_check,
};

static const struct example index_examples[] = {
	{ "thresh warc index *.warc.gz -o index.cdxj", "make the index of some files" },
	{ NULL, NULL },
};

const struct command cmd_warc_index = {
	.name = "warc index",
	.summary = "make a sorted CDXJ index of WARC files",
	.operands = "FILE|DIR...",
	.about = "The lines are those of cdxj-indexer, byte for byte.",
	.options = index_options,
	.examples = index_examples,
	.run = run_index,
};
