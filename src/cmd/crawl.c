/* thresh crawl: from seeds, a settings file or an old folder to a running crawl. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "cmd/args.h"
#include "cmd/commands.h"
#include "crawl/crawl.h"
#include "crawl/setup.h"
#include "os/file.h"
#include "report/report.h"
#include "spec/seeds.h"

#define CONFIG_MAX ((size_t)64 << 20)

struct start {
	struct crawl_settings given, settings;
	struct str_list seeds;
	struct arena bytes;
	char *dir;
};

static enum status read_config(struct start *s, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct diag detail;

	TRY(file_load(path, CONFIG_MAX, &text, why));
	enum status st = settings_parse(buf_str(&text), &s->settings, &s->seeds,
					&s->bytes, &detail);
	return st == ST_OK ? ST_OK : diag_fail(why, st, "%s: %s", path, detail.text);
}

static enum status read_seeds(struct start *s, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };

	TRY(file_load(path, CONFIG_MAX, &text, why));
	return seeds_parse(buf_str(&text), &s->seeds, &s->settings.revisit_seeds,
			   &s->bytes, why);
}

static bool is_crawl_folder(struct start *s, const char *path)
{
	return dir_exists(path) &&
	       file_exists(path_join(&s->bytes, path, STR("crawl.yaml")));
}

/* No host is called so: it is a file that is not there. */
static bool is_file_name(struct str word)
{
	return str_ends(word, STR(".yaml")) || str_ends(word, STR(".yml")) ||
	       str_ends(word, STR(".txt"));
}

/* A folder to go on with, a settings file, a list of seeds, or a seed itself. */
static enum status read_operand(struct start *s, struct str word, struct diag *why)
{
	const char *path = word.p; /* of the command line, so a C string */

	if (is_crawl_folder(s, path)) {
		s->dir = strdup(path);
		return read_config(s, path_join(&s->bytes, path, STR("crawl.yaml")), why);
	}
	if (file_exists(path) &&
	    (str_ends(word, STR(".yaml")) || str_ends(word, STR(".yml"))))
		return read_config(s, path, why);
	if (file_exists(path) && !dir_exists(path))
		return read_seeds(s, path, why);
	if (is_file_name(word) && str_find(word, STR("://")) == STR_NONE &&
	    str_find_char(word, '/') == STR_NONE)
		return diag_fail(why, ST_NOT_FOUND, "%s: there is no such file", path);
	VEC_ADD(s->seeds.v, s->seeds.n, s->seeds.cap, seed_with_scheme(word, &s->bytes));
	return ST_OK;
}

/* Named after the host of the first seed. */
static enum status choose_folder(struct start *s, struct diag *why)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	struct url u;

	if (s->given.output.n > 0) {
		free(s->dir);
		s->dir = strndup(s->given.output.p, s->given.output.n);
		return ST_OK;
	}
	if (s->dir)
		return ST_OK;
	if (s->seeds.n == 0)
		return diag_fail(why, ST_SYNTAX,
				 "give a URL, a file of seeds, a crawl.yaml "
				 "or the folder of a crawl");
	TRY(url_parse(s->seeds.v[0], NULL, &scratch, &u, why));
	/* The host is [a-z0-9.-] or an address: a harmless name, but not a hidden one. */
	s->dir = strndup(u.host.p, u.host.n);
	return ST_OK;
}

static enum status prepare(struct start *s, const struct args *args, struct diag *why)
{
	options_default(crawl_options, &s->settings, &s->bytes);
	for (size_t i = 0; i < args->n; i++)
		TRY(read_operand(s, args->words[i], why));
	TRY(choose_folder(s, why));
	/* The same command again goes on with what is there. */
	if (args->n > 0 && is_crawl_folder(s, s->dir)) {
		struct str_list seeds = TAKE(s->seeds);

		TRY(read_config(s, path_join(&s->bytes, s->dir, STR("crawl.yaml")), why));
		for (size_t i = 0; i < seeds.n; i++) {
			bool known = false;

			for (size_t k = 0; k < s->seeds.n; k++)
				known = known || str_eq(seeds.v[i], s->seeds.v[k]);
			if (!known)
				VEC_ADD(s->seeds.v, s->seeds.n, s->seeds.cap, seeds.v[i]);
		}
		str_list_release(&seeds);
	}
	TRY(settings_overlay(&s->settings, &s->given, args->given, args->given_n,
			     &s->bytes, why));
	if (s->seeds.n == 0)
		return diag_fail(why, ST_SYNTAX, "there is no seed");
	return setup_check(&s->settings, &s->seeds, why);
}

static enum status write_config(struct start *s, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 }, old = { 0 };
	char *path = path_join(&s->bytes, s->dir, STR("crawl.yaml"));

	settings_format(&s->settings, &s->seeds, &text);
	if (file_exists(path) && file_load(path, CONFIG_MAX, &old, why) == ST_OK &&
	    str_eq(buf_str(&old), buf_str(&text)))
		return ST_OK;
	return file_save_private(path, buf_str(&text), why);
}

static int exit_of(enum crawl_end end, const struct crawl_counts *n)
{
	switch (end) {
	case CRAWL_FINISHED:
		break;
	case CRAWL_LIMIT:
		return EXIT_LIMIT;
	case CRAWL_DISK_LOW:
		return EXIT_DISK_LOW;
	case CRAWL_INTERRUPTED:
		return EXIT_INTERRUPTED;
	case CRAWL_FAILED:
		return EXIT_FAILED;
	case CRAWL_BLOCKED:
		return EXIT_BLOCKED;
	}
	/* A 304 is an answer too; who requested nothing was not blocked. */
	if (n->requests > 0 && n->ok + n->not_modified + n->redirects == 0)
		return EXIT_BLOCKED;
	return n->failed > 0 ? EXIT_PARTIAL : EXIT_FINE;
}

static void say_end(const struct start *s, enum crawl_end end,
		    const struct crawl_counts *n, const struct diag *why)
{
	if (s->settings.quiet || s->settings.json) {
		if (end == CRAWL_DISK_LOW || end == CRAWL_FAILED || end == CRAWL_BLOCKED)
			fprintf(stderr, "thresh crawl: %s\n", why->text);
		return;
	}
	fprintf(stderr,
		"%s: %llu pages asked, %llu new, %llu the same, %llu nearly the same, "
		"%llu failed\n",
		why->text, (unsigned long long)n->done, (unsigned long long)n->novel,
		(unsigned long long)n->exact, (unsigned long long)n->near,
		(unsigned long long)n->failed);
	if (n->rule_skips + n->refused + n->dropped > 0)
		fprintf(stderr,
			"not asked: %llu known under another URL, %llu refused or "
			"dropped; "
			"%s/skipped.jsonl says why for each\n",
			(unsigned long long)n->rule_skips,
			(unsigned long long)(n->refused + n->dropped), s->dir);
	if (n->revisited > 0)
		fprintf(stderr,
			"asked again: %llu pages, %llu changed, %llu unchanged, %llu "
			"gone\n",
			(unsigned long long)n->revisited, (unsigned long long)n->changed,
			(unsigned long long)n->unchanged, (unsigned long long)n->gone);
	if (s->settings.report)
		fprintf(stderr, "report: %s/report.html\n", s->dir);
	if (end != CRAWL_FINISHED)
		fprintf(stderr, "To go on: thresh crawl %s\n", s->dir);
}

/* A rehearsal leaves nothing behind: it happens in a folder of its own. */
static int rehearse(struct start *s, struct diag *why)
{
	char dir[] = "/tmp/thresh-dry-run-XXXXXX";
	struct crawl_counts counts;
	enum crawl_end end;

	if (!mkdtemp(dir)) {
		perror("thresh crawl: /tmp");
		return EXIT_FAILED;
	}
	s->settings.quiet = true;
	enum status st = dir_make(path_join(&s->bytes, dir, STR("state")), why);
	if (st == ST_OK)
		st = crawl_run(dir, &s->settings, &s->seeds, &end, &counts, why);
	if (st != ST_OK)
		fprintf(stderr, "thresh crawl: %s\n", why->text);
	if (dir_remove(dir, why) != ST_OK)
		fprintf(stderr, "thresh crawl: %s\n", why->text);
	return st == ST_OK ? EXIT_FINE : EXIT_FAILED;
}

static int crawl(struct start *s, struct diag *why)
{
	struct crawl_counts counts = { 0 };
	enum crawl_end end = CRAWL_FAILED;
	struct file lock = { 0 };
	enum status st = dir_make(path_join(&s->bytes, s->dir, STR("state")), why);

	if (st == ST_OK)
		st = file_open(&lock, path_join(&s->bytes, s->dir, STR("state/lock")),
			       FILE_UPDATE, why);
	if (st == ST_OK)
		st = file_lock(&lock, why);
	if (st == ST_OK) /* a crawl that runs keeps its settings */
		st = write_config(s, why);
	if (st == ST_OK)
		st = crawl_run(s->dir, &s->settings, &s->seeds, &end, &counts, why);
	file_close(&lock);
	if (st != ST_OK) {
		fprintf(stderr, "thresh crawl: %s\n", why->text);
		return st == ST_SYNTAX      ? EXIT_USAGE
		       : st == ST_DISK_FULL ? EXIT_DISK_LOW
					    : EXIT_FAILED;
	}
	struct diag unwritten;
	if (s->settings.report && report_write(s->dir, &unwritten) != ST_OK) {
		fprintf(stderr, "thresh crawl: no report: %s\n", unwritten.text);
		s->settings.report = false;
	}
	say_end(s, end, &counts, why);
	return exit_of(end, &counts);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct start s = { 0 };
	struct args args = { 0 };
	struct diag why = { { 0 } };
	int code = args_parse(self, argc, argv, &s.given, &args);

	if (code == ARGS_GO) {
		if (prepare(&s, &args, &why) == ST_OK) {
			code = s.settings.dry_run ? rehearse(&s, &why) : crawl(&s, &why);
		} else {
			fprintf(stderr, "thresh crawl: %s\nTry 'thresh crawl --help'.\n",
				why.text);
			code = EXIT_USAGE;
		}
	}
	settings_release(&s.given);
	settings_release(&s.settings);
	str_list_release(&s.seeds);
	arena_release(&s.bytes);
	args_release(&args);
	free(s.dir);
	return code;
}

static const struct example examples[] = {
	{ "thresh crawl https://example.org", "into ./example.org, this host, politely" },
	{ "thresh crawl seeds.txt -o DIR --scope domain --max-pages 1M --max-time 2h",
	  "many seeds, their whole domains, within limits" },
	{ "thresh crawl DIR", "go on with a crawl that was stopped or killed" },
	{ "thresh crawl DIR --recrawl", "ask again for what is due; store what changed" },
	{ NULL, NULL },
};

const struct command cmd_crawl = {
	.name = "crawl",
	.summary = "crawl from seeds into a folder, politely; resumes",
	.operands = "URL|SEEDS|crawl.yaml|DIR...",
	.about =
		"Crawls from the given seeds into a folder: WARC files with their index, "
		"lists of pages and of everything that was not asked and why. Obeys "
		"robots.txt and is slow enough for every server unless told otherwise. "
		"It can be killed at any time; the same command goes on. The first ^C "
		"finishes what is in flight, the second stops at once.",
	.options = crawl_options,
	.examples = examples,
	.run = run,
};
