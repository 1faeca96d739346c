/* thresh crawl: from seeds, a settings file or an old folder to a running crawl. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cluster/exchange.h"
#include "cmd/args.h"
#include "cmd/commands.h"
#include "cmd/crawl_campaigns.h"
#include "cmd/crawl_end.h"
#include "cmd/crawl_replay.h"
#include "cmd/preset.h"
#include "crawl/crawl.h"
#include "crawl/setup.h"
#include "os/file.h"
#include "os/log.h"
#include "report/report.h"
#include "serve/server.h"
#include "spec/start.h"

#define CONFIG_MAX ((size_t)64 << 20)

static enum status write_config(struct crawl_start *s, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 }, old = { 0 };
	char *path = path_join(&s->bytes, s->dir, STR("crawl.yaml"));

	settings_format(&s->settings, &s->seeds, &text);
	if (file_exists(path) && file_load(path, CONFIG_MAX, &old, why) == ST_OK &&
	    str_eq(buf_str(&old), buf_str(&text)))
		return ST_OK;
	return file_save_private(path, buf_str(&text), why);
}

/* What a person should know before it begins. */
static void say_start(const struct crawl_start *s)
{
	for (size_t i = 0; i < s->passed_over.n; i++)
		fprintf(stderr, "thresh crawl: " STR_FMT "\n",
			STR_ARG(s->passed_over.v[i]));
	for (size_t i = s->seeds.n - s->seeds_added; i < s->seeds.n && !s->settings.quiet;
	     i++)
		fprintf(stderr,
			"thresh crawl: " STR_FMT " is a new seed of the crawl in %s\n",
			STR_ARG(s->seeds.v[i]), s->dir);
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
	/* A 304 is an answer too; who had nothing to request was not blocked. */
	if (n->requests + n->unreachable > 0 &&
	    n->ok + n->not_modified + n->redirects == 0)
		return EXIT_BLOCKED;
	return n->failed + n->unreachable > 0 ? EXIT_PARTIAL : EXIT_FINE;
}

/* A rehearsal leaves nothing behind: it happens in a folder of its own. */
static int rehearse(struct crawl_start *s, struct diag *why)
{
	cleanup(crawl_result_release) struct crawl_result result = { 0 };
	char dir[] = "/tmp/thresh-dry-run-XXXXXX";

	if (!mkdtemp(dir)) {
		perror("thresh crawl: /tmp");
		return EXIT_FAILED;
	}
	s->settings.quiet = true;
	enum status st = dir_make(path_join(&s->bytes, dir, STR("state")), why);
	if (st == ST_OK)
		st = crawl_run(dir, &s->settings, &s->seeds, &result, why);
	if (st != ST_OK)
		fprintf(stderr, "thresh crawl: %s\n", why->text);
	if (dir_remove(dir, why) != ST_OK)
		fprintf(stderr, "thresh crawl: %s\n", why->text);
	return st == ST_OK ? EXIT_FINE : EXIT_FAILED;
}

/* With --cluster, as one of several nodes. */
static enum status run_node(struct crawl_start *s, struct crawl_result *ret,
			    struct diag *why)
{
	struct cluster_place place = { 0 };
	struct crawl_outside outside = real_outside;

	if (s->settings.cluster.n == 0)
		return crawl_run(s->dir, &s->settings, &s->seeds, ret, why);
	TRY(cluster_place_parse(s->settings.cluster, &place, why));
	enum status st = cluster_new(&outside.exchange, &place, s->dir, why);
	if (st == ST_OK)
		st = crawl_run_in(&outside, s->dir, &s->settings, &s->seeds, ret, why);
	cluster_free(&outside.exchange);
	cluster_place_release(&place);
	return st;
}

/* With --listen, watched and steered over HTTP meanwhile. */
static enum status run_served(struct crawl_start *s, struct crawl_result *ret,
			      struct diag *why)
{
	struct serve_options o = { .dir = s->dir,
				   .listen = s->settings.listen,
				   .is_inside = true,
				   .hosts = s->settings.names.v,
				   .n_hosts = s->settings.names.n };
	struct serve_server *server = NULL;
	struct campaign_host host = { 0 };

	if (o.listen.n > 0) {
		TRY(serve_start(&server, &o, why));
		TRY(crawl_campaigns_start(&host, s->dir, &s->settings, why));
		if (!s->settings.quiet)
			fprintf(stderr, "http://%s/#token=" STR_FMT " - the dashboard\n",
				serve_address(server), STR_ARG(serve_token(server)));
	}
	enum status st = run_node(s, ret, why);
	campaign_host_stop(&host);
	if (server)
		serve_stop(server);
	return st;
}

/* In its folder, which nobody else may use meanwhile. */
static enum status run_locked(struct crawl_start *s, struct crawl_result *ret,
			      struct diag *why)
{
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
		st = run_served(s, ret, why);
	file_close(&lock);
	return st;
}

static int crawl(struct crawl_start *s, struct diag *why)
{
	cleanup(crawl_result_release) struct crawl_result result = {
		.end = CRAWL_FAILED
	};
	bool is_new = !dir_exists(s->dir);
	enum status st = run_locked(s, &result, why);

	if (st != ST_OK) {
		struct diag ignored;

		fprintf(stderr, "thresh crawl: %s\n", why->text);
		/* A start that failed leaves no folder behind. */
		if (is_new && result.counts.requests == 0 && dir_exists(s->dir) &&
		    dir_remove(s->dir, &ignored) != ST_OK)
			fprintf(stderr, "thresh crawl: %s\n", ignored.text);
		return st == ST_SYNTAX      ? EXIT_USAGE
		       : st == ST_DISK_FULL ? EXIT_DISK_LOW
					    : EXIT_FAILED;
	}
	struct diag unwritten;
	if (s->settings.report && report_write(s->dir, &unwritten) != ST_OK) {
		fprintf(stderr, "thresh crawl: no report: %s\n", unwritten.text);
		s->settings.report = false;
	}
	crawl_end_print(s, &result, why);
	return exit_of(result.end, &result.counts);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct crawl_settings given = { 0 };
	struct crawl_start s = { 0 };
	struct args args = { 0 };
	struct diag why = { { 0 } };
	int code = args_parse(self, argc, argv, &given, &args);

	if (code == ARGS_GO) {
		if (crawl_start_read(&s, args.words, args.n, &given, args.given,
				     args.given_n, &why) == ST_OK &&
		    crawl_preset(&s.settings, &why) == ST_OK &&
		    setup_check(&s.settings, &s.seeds, &why) == ST_OK) {
			log_set_level((enum log_level)MIN(
				(int)LOG_ERROR + s.settings.log_level,
				s.settings.quiet ? LOG_WARN : LOG_DEBUG));
			say_start(&s);
			code = s.settings.replay
				       ? crawl_replay_run(&s,
							  &(struct replay_options){
								  &given, args.given,
								  args.given_n })
			       : s.settings.dry_run ? rehearse(&s, &why)
						    : crawl(&s, &why);
		} else {
			fprintf(stderr, "thresh crawl: %s\nTry 'thresh crawl --help'.\n",
				why.text);
			code = EXIT_USAGE;
		}
	}
	settings_release(&given);
	crawl_start_release(&s);
	args_release(&args);
	return code;
}

static const struct example examples[] = {
	{ "thresh crawl https://example.org",
	  "crawl this host into ./example.org, politely" },
	{ "thresh crawl seeds.txt -o DIR --scope domain --max-pages 1M --max-time 2h",
	  "crawl the domains of many seeds, within limits" },
	{ "thresh crawl DIR", "resume a crawl that was stopped or killed" },
	{ "thresh crawl DIR --recrawl",
	  "revisit the pages that are due; store what changed" },
	{ "thresh crawl DIR --replay",
	  "make all its decisions again, without the network, and compare" },
	{ NULL, NULL },
};

const struct command cmd_crawl = {
	.name = "crawl",
	.summary = "crawl from seeds into a folder, politely; resumes",
	.operands = "URL|SEEDS|crawl.yaml|DIR...",
	.about = "Crawls from the given seeds into a folder: WARC files with their "
		 "index, a list of pages, and a ledger of the URLs that were not "
		 "fetched, with the reason of each. Obeys robots.txt and limits the rate "
		 "per host, domain and address by default. It can be killed at any time; "
		 "the same command resumes it. The first ^C waits for the requests in "
		 "flight, the second stops at once.",
	.options = crawl_options,
	.examples = examples,
	.run = run,
};
