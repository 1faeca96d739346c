/* thresh status: how a crawl is doing, running or not. */
#include <signal.h>
#include <stdio.h>

#include "base/date.h"
#include "base/json.h"
#include "cmd/args.h"
#include "cmd/commands.h"
#include "cmd/status_audit.h"
#include "cmd/status_cluster.h"
#include "frontier/waiting.h"
#include "os/clock.h"
#include "os/file.h"

struct status_settings {
	bool json, watch, audit;
	struct str cluster;
};

static const struct option_row options[] = {
	OPTION(FLAG, "json", offsetof(struct status_settings, json), .standard = "no",
	       .help = "print JSON"),
	OPTION(FLAG, "watch", offsetof(struct status_settings, watch), .letter = 'w',
	       .standard = "no",
	       .help = "print again every two seconds until the crawl ends"),
	OPTION(FLAG, "audit", offsetof(struct status_settings, audit), .standard = "no",
	       .help = "count the final states of all URLs from the journal, and list "
		       "URLs of a finished crawl that have none; exit code 7 when there "
		       "are any"),
	OPTION(STR, "cluster", offsetof(struct status_settings, cluster),
	       .value = "PLACES",
	       .help = "instead of a folder: all nodes of the crawl there (see crawl "
		       "--cluster)"),
	OPTION_END
};

static double number(const struct json *v, const char *name)
{
	return json_number(json_get(v, name), 0);
}

/* A process of this number is enough: whether it is ours cannot be known. */
static bool is_running(const struct json *v)
{
	double pid = number(v, "pid");

	return json_get(v, "ended") == NULL && pid > 1 && kill((pid_t)pid, 0) == 0;
}

static void print_life(const struct json *v)
{
	if (is_running(v))
		printf("running");
	else if (json_get(v, "ended"))
		printf("ended: " STR_FMT, STR_ARG(json_str(json_get(v, "ended"))));
	else
		printf("not running: it was killed; 'thresh crawl DIR' resumes it");
}

static void print_hosts(const struct json *v)
{
	const struct json *waits = json_get(v, "hosts_waiting_for");
	cleanup(buf_release) struct buf b = { 0 };
	unsigned counts[SITE_WAITS] = { 0 };

	for (unsigned k = 0; waits && k < SITE_WAITS; k++)
		counts[k] = (unsigned)number(waits, site_wait_names[k]);
	buf_add_waits(&b, counts);
	printf("%-10s %.0f active, %.0f waiting" STR_FMT ", %.0f done, %.0f given up\n",
	       "hosts", number(v, "hosts_active"), number(v, "hosts_waiting"),
	       STR_ARG(buf_str(&b)), number(v, "hosts_done"),
	       number(v, "hosts_given_up"));
}

static void print_words(const struct json *v)
{
	struct buf date = { 0 };

	buf_add_date_iso(&date, (int64_t)number(v, "time_ms"), false);
	print_life(v);
	printf(", as of " STR_FMT "\n", STR_ARG(buf_str(&date)));
	printf("%-10s %.0f fetched, %.0f queued, %.0f held, %.0f found, %.0f in flight, "
	       "%.1f per second\n",
	       "pages", number(v, "done"), number(v, "queued"), number(v, "held"),
	       number(v, "found"), number(v, "in_flight"), number(v, "rate"));
	printf("%-10s %.0f ok, %.0f redirects, %.0f client errors (4xx), %.0f server "
	       "errors (5xx), %.0f without answer, %.0f retried\n",
	       "answers", number(v, "ok"), number(v, "redirects"),
	       number(v, "client_errors"), number(v, "server_errors"),
	       number(v, "failed"), number(v, "retries"));
	printf("%-10s %.0f new, %.0f duplicates, %.0f near-duplicates, %.0f soft 404\n",
	       "content", number(v, "novel"), number(v, "exact_duplicates"),
	       number(v, "near_duplicates"), number(v, "soft_404"));
	printf("%-10s %.0f by rules; %.0f refused or dropped, of them %.0f "
	       "robots-denied\n",
	       "skipped", number(v, "skipped_by_rules"), number(v, "refused"),
	       number(v, "robots_denied"));
	printf("%-10s %.1f MB received, of them %.1f MB not stored again\n", "bytes",
	       number(v, "received_bytes") / 1e6,
	       number(v, "bytes_not_stored_again") / 1e6);
	if (number(v, "rendered") > 0)
		printf("%-10s %.0f pages in a browser, %.0f failed; they brought %.0f "
		       "links and %.1f MB of text that the plain fetch had not\n",
		       "rendered", number(v, "rendered"), number(v, "render_failed"),
		       number(v, "render_new_links"),
		       number(v, "render_new_text_bytes") / 1e6);
	print_hosts(v);
	buf_release(&date);
}

/* `ret_running`: there is more to watch. */
static int show(const char *dir, const struct status_settings *s, bool *ret_running)
{
	cleanup(buf_release) struct buf text = { 0 };
	cleanup(arena_release) struct arena a = { 0 };
	struct json *v = NULL;
	struct diag why;

	*ret_running = false;
	if (file_load(path_join(&a, dir, STR("state/status.json")), (size_t)1 << 20,
		      &text, &why) != ST_OK ||
	    json_parse(buf_str(&text), &v, &why) != ST_OK) {
		fprintf(stderr, "thresh status: %s\n", why.text);
		return EXIT_FAILED;
	}
	*ret_running = is_running(v);
	if (s->json)
		printf(STR_FMT "\n", STR_ARG(buf_str(&text)));
	else
		print_words(v);
	fflush(stdout);
	json_release(&v);
	return EXIT_FINE;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct status_settings s = { 0 };
	struct args args = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);
	bool running;

	if (code == ARGS_GO && args.n == 0 && s.cluster.n > 0)
		code = status_cluster(s.cluster);
	if (code == ARGS_GO && args.n != 1) {
		fprintf(stderr, "thresh status: give the folder of a crawl\n");
		code = EXIT_USAGE;
	}
	if (code == ARGS_GO) {
		code = show(args.words[0].p, &s, &running);
		while (code == EXIT_FINE && s.watch && running) {
			sleep_ms(2000);
			code = show(args.words[0].p, &s, &running);
		}
	}
	if (code == EXIT_FINE && s.audit && args.n == 1)
		code = status_audit(args.words[0].p);
	args_release(&args);
	return code;
}

static const struct example examples[] = {
	{ "thresh status example.org --watch", "follow a running crawl" },
	{ "thresh status example.org --audit", "does every URL have a final state?" },
	{ NULL, NULL },
};

const struct command cmd_status = {
	.name = "status",
	.summary = "show how a crawl is doing",
	.operands = "DIR",
	.about = "Prints the counts of the crawl in the folder; while it runs they are "
		 "at most one second old.",
	.options = options,
	.examples = examples,
	.run = run,
};
