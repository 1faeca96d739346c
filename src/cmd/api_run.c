/* thresh api run: campaigns, until they are done. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/run.h"
#include "base/alloc.h"
#include "cmd/api.h"
#include "cmd/args.h"
#include "os/progress.h"
#include "os/signals.h"

struct settings {
	struct str out, crawl, secrets, services, record, replay, contact, user_agent,
		ca_file, proxy;
	bool dry_run, once, allow_private, json, quiet, kb;
};

#define AT(field) offsetof(struct settings, field)

static const struct option_row rows[] = {
	OPTION(STR, "out", AT(out), .letter = 'o', .standard = "campaigns",
	       .value = "DIR",
	       .help = "folder of the campaigns: budgets, knowledge base, a folder per "
		       "campaign"),
	OPTION(FLAG, "dry-run", AT(dry_run), .letter = 'n', .standard = "no",
	       .help = "print the first requests and the plan of the budgets; send "
		       "nothing"),
	OPTION(FLAG, "once", AT(once), .standard = "no",
	       .help = "one round now, whatever 'every' says"),
	OPTION(STR, "crawl", AT(crawl), .value = "DIR",
	       .help = "hand links to the crawl in this folder, with their score, as "
		       "they are found"),
	OPTION(STR, "secrets", AT(secrets), .value = "FILE",
	       .help = "keys and tokens as JSON, of mode 600; the environment otherwise "
		       "(THRESH_SERVICE_NAME)"),
	OPTION(STR, "services", AT(services), .value = "DIR",
	       .help = "more descriptions, NAME.json; they come before the shipped ones"),
	OPTION(STR, "record", AT(record), .value = "DIR",
	       .help = "keep every answer there"),
	OPTION(STR, "replay", AT(replay), .value = "DIR",
	       .help = "answers from there instead of the network; no time passes"),
	OPTION(STR, "contact", AT(contact), .value = "URL|MAIL",
	       .help = "who operates this, for the User-Agent"),
	OPTION(STR, "user-agent", AT(user_agent), .value = "TEXT",
	       .help = "instead of thresh's own"),
	OPTION(STR, "proxy", AT(proxy), .value = "URL", .help = "http:// or socks5://"),
	OPTION(STR, "ca-file", AT(ca_file), .value = "FILE",
	       .help = "certificates of authorities, PEM; the system's otherwise"),
	OPTION(FLAG, "allow-private", AT(allow_private), .standard = "no",
	       .help = "also addresses that are not public, besides those of the "
		       "campaign"),
	OPTION(FLAG, "kb", AT(kb), .standard = "yes",
	       .help = "fill the knowledge base DIR/kb from triples.nq"),
	OPTION(FLAG, "json", AT(json), .standard = "no",
	       .help = "print the counts as JSON"),
	OPTION(FLAG, "quiet", AT(quiet), .letter = 'q', .standard = "no",
	       .help = "no progress"),
	OPTION_END,
};

struct job {
	struct settings s;
	struct args args;
	struct catalog catalog;
	struct secrets secrets;
	struct campaign *campaigns;
	size_t n;
	struct signals signals;
	struct progress progress;
	struct fake_clock replay_clock;
};

static void job_release(struct job *j)
{
	for (size_t i = 0; i < j->n; i++)
		campaign_release(&j->campaigns[i]);
	free(j->campaigns);
	catalog_release(&j->catalog);
	secrets_release(&j->secrets);
	progress_release(&j->progress);
	args_release(&j->args);
}

static enum status load(struct job *j, struct diag *why)
{
	if (j->s.services.n > 0)
		j->catalog.dir = cmd_text(&j->args, j->s.services);
	if (j->s.secrets.n > 0)
		TRY(secrets_load(&j->secrets, cmd_text(&j->args, j->s.secrets), why));
	j->campaigns = xcalloc(j->args.n, sizeof(*j->campaigns));
	for (size_t i = 0; i < j->args.n; i++) {
		cleanup(doc_release) struct api_doc d = { 0 };

		TRY(doc_load(&d, j->args.words[i].p, why));
		TRY(campaign_parse(&d, &j->catalog, &j->campaigns[i], why));
		j->n++;
	}
	return ST_OK;
}

static int complain(const struct job *j, const struct diag *why)
{
	cleanup(buf_release) struct buf clean = { 0 };
	struct str text = secrets_redact(&j->secrets, str_from(why->text), &clean);

	fprintf(stderr, "thresh api run: " STR_FMT "\n", STR_ARG(text));
	return EXIT_FAILED;
}

/* --- the run --- */

static bool show(void *arg, const struct work *w)
{
	struct job *j = arg;
	struct work_counts c = { 0 };
	cleanup(buf_release) struct buf line = { 0 };

	if (signals_take(&j->signals) != 0)
		return false;
	if (!progress_due(&j->progress))
		return true;
	for (size_t i = 0; i < w->n_campaigns; i++) {
		c.requests += w->counts[i].requests;
		c.new_items += w->counts[i].new_items;
		c.links += w->counts[i].links;
		c.waits += w->counts[i].waits;
	}
	buf_addf(&line,
		 "%llu requests, %llu new items, %llu links, %zu streams pending, %llu "
		 "times rate-limited",
		 (unsigned long long)c.requests, (unsigned long long)c.new_items,
		 (unsigned long long)c.links, w->pending, (unsigned long long)c.waits);
	progress_show(&j->progress, buf_str(&line));
	return true;
}

static void pass(void *arg, int64_t ms)
{
	fake_clock_pass(&((struct job *)arg)->replay_clock, ms);
}

static int run_campaigns(struct job *j, struct diag *why)
{
	static const int codes[] = { [API_COMPLETE] = EXIT_FINE,
				     [API_PARTIAL] = EXIT_PARTIAL,
				     [API_LIMIT] = EXIT_LIMIT,
				     [API_INTERRUPTED] = EXIT_INTERRUPTED };
	cleanup(buf_release) struct buf agent = { 0 };
	struct api_outside outside = { .clock = &real_clock,
				       .open_fetcher = fetcher_open_network };
	struct api_result result;

	buf_addf(&agent,
		 "Mozilla/5.0 (compatible; thresh/" THRESH_VERSION "%s" STR_FMT ")",
		 j->s.contact.n ? "; +" : "", STR_ARG(j->s.contact));
	if (j->s.replay.n > 0) {
		fake_clock_init(&j->replay_clock, clock_wall_ms(&real_clock));
		outside = (struct api_outside){ .clock = &j->replay_clock.base,
						.pass_time = pass,
						.arg = j };
	}
	struct fetch_options fetch = {
		.user_agent = j->s.user_agent.n ? j->s.user_agent : buf_str(&agent),
		.proxy = j->s.proxy,
		.ca_file = j->s.ca_file,
		.allow_private = j->s.allow_private,
		.body_max = (uint64_t)64 << 20,
	};
	struct api_run_options o = { .dir = cmd_text(&j->args, j->s.out),
				     .secrets = &j->secrets,
				     .record = cmd_text(&j->args, j->s.record),
				     .replay = cmd_text(&j->args, j->s.replay),
				     .crawl = cmd_text(&j->args, j->s.crawl),
				     .fetch = &fetch,
				     .once = j->s.once,
				     .no_kb = !j->s.kb,
				     .progress = show,
				     .arg = j };
	if (signals_open(&j->signals, (int[]){ SIGINT, SIGTERM, 0 }, why) != ST_OK)
		return complain(j, why);
	enum status st = api_run(&outside, j->campaigns, j->n, &o, &result, why);
	progress_clear(&j->progress);
	signals_close(&j->signals, NULL);
	if (st != ST_OK)
		return complain(j, why);
	api_print_result(&result, j->s.json);
	return codes[result.end];
}

static int run(const struct command *self, int argc, char **argv)
{
	cleanup(job_release) struct job j = { 0 };
	struct diag why = { { 0 } };
	int code = args_parse(self, argc, argv, &j.s, &j.args);

	if (code != ARGS_GO)
		return code;
	if (j.args.n == 0) {
		fprintf(stderr, "thresh api run: give a campaign.yaml\n");
		return EXIT_USAGE;
	}
	progress_init(&j.progress, 2, &real_clock);
	j.progress.off = j.s.quiet || j.s.json;
	if (load(&j, &why) != ST_OK) {
		complain(&j, &why);
		return EXIT_USAGE;
	}
	if (!j.s.dry_run && !j.s.quiet)
		api_warn_of_budgets(j.campaigns, j.n);
	if (!j.s.dry_run)
		return run_campaigns(&j, &why);
	return api_print_plan(j.campaigns, j.n, &j.secrets, &why) == ST_OK
		       ? EXIT_FINE
		       : complain(&j, &why);
}

static const struct example examples[] = {
	{ "thresh api run energy.yaml", "run a campaign, or go on with it" },
	{ "thresh api run -n energy.yaml", "the requests, and whether they fit" },
	{ "thresh api run -o archive a.yaml b.yaml", "two that share their budgets" },
	{ "thresh api run --crawl crawls/energy energy.yaml",
	  "links go to a crawl that runs" },
	{ NULL, NULL },
};

const struct command cmd_api_run = {
	.name = "api run",
	.summary = "run campaigns through web APIs",
	.operands = "CAMPAIGN.yaml...",
	.about =
		"Fetches what the campaigns ask for, within the budgets of the services, "
		"into WARC files, items.jsonl, links.jsonl for a web crawl, and triples. "
		"The same command again fetches only what is new; one that was killed "
		"goes "
		"on. See doc/api.md.",
	.options = rows,
	.examples = examples,
	.run = run,
};
