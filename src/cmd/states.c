#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/args.h"
#include "cmd/commands.h"
#include "cmd/preset.h"
#include "cmd/states_report.h"
#include "cmd/states_settings.h"
#include "observe/login.h"
#include "os/file.h"
#include "os/progress.h"
#include "os/signals.h"
#include "overview/har.h"
#include "states/choose.h"

struct show {
	struct progress progress;
	struct signals signals;
	uint32_t max_depth;
	int64_t begin_ms;
};

static bool on_event(void *ctx, const struct model *m, const struct explore_stats *s)
{
	struct show *show = ctx;
	cleanup(buf_release) struct buf b = { 0 };
	int64_t now_ms = clock_mono_ms(&real_clock);

	if (signals_take(&show->signals))
		return false;
	if (!progress_due(&show->progress))
		return true;
	buf_addf(&b,
		 "%zu states, %zu edges, %zu merged, %zu events to try, %.1f events/s",
		 m->simulation.kept_count, m->simulation.edge_count,
		 m->state_count - m->simulation.kept_count,
		 choose_count(m, show->max_depth),
		 (double)s->events * 1000 / (double)MAX(now_ms - show->begin_ms, 1));
	progress_show(&show->progress, buf_str(&b));
	return true;
}

static int finish(const struct states_settings *s, const struct model *m,
		  const struct explore_stats *stats)
{
	cleanup(problems_release) struct problems problems;
	struct diag why;
	struct crawl_summary sum = {
		.model = m, .stats = stats, .dir = s->out, .problems = &problems
	};

	problems_find(m, &problems);
	if (problems_write_junit(m, &problems, &why) != ST_OK)
		fprintf(stderr, "thresh states: %s\n", why.text);
	if (s->har && har_write(m->dir, &why) != ST_OK)
		fprintf(stderr, "thresh states: %s\n", why.text);
	(s->json ? states_print_json : states_print_words)(&sum);
	int code = states_exit_code(&sum);
	return s->fail_on_problem && problems.n && code != EXIT_INTERRUPTED
		       ? EXIT_DIFFERENT
		       : code;
}

static int usage(const char *words)
{
	fprintf(stderr, "thresh states: %s\n", words);
	return EXIT_USAGE;
}

/* Whatever happened: what was seen is shown. */
static int show_crawl(const struct states_settings *s, struct model *m,
		      const struct explore_options *o, struct str settings,
		      const struct explore_stats *stats, int64_t begin_ms)
{
	struct overview_facts facts = {
		.url = o->url,
		.settings = settings,
		.width = (uint32_t)s->width,
		.height = (uint32_t)s->height,
		.pictures = s->screenshots,
		.end = stats->end,
		.duration_ms = (uint64_t)(clock_mono_ms(&real_clock) - begin_ms),
	};
	struct diag why;

	if (m->state_count == 0)
		return EXIT_FAILED;
	if (overview_write(m, &facts, &why) == ST_OK)
		return finish(s, m, stats);
	fprintf(stderr, "thresh states: %s\n", why.text);
	return EXIT_FAILED;
}

static int crawl(const struct states_settings *s, struct str text, struct arena *a)
{
	static const int stops[] = { 2, 15, 0 };
	struct explore_options o = { 0 };
	struct explore_stats stats = { 0 };
	struct model m;
	struct show show = { 0 };
	struct diag why;
	cleanup(buf_release) struct buf settings = { 0 }, cookies = { 0 };
	struct content content;
	int code = states_origin(text, a, &o);

	if (code != EXIT_FINE)
		return code;
	states_fill_options(s, a, &o);
	states_describe(s, o.url, &settings);
	if (s->out.n == 0)
		code = usage("say where to write: -o DIR");
	else if (states_read_content(buf_str(&settings), &content, &why) != ST_OK ||
		 states_load_checks(s, a, &o, &why) != ST_OK ||
		 (s->cookies.n &&
		  login_load(arena_cstr_or_null(a, s->cookies), &cookies, &why) != ST_OK))
		code = usage(why.text);
	o.cookies = buf_str(&cookies);
	o.logged_in = s->logged_in;
	if (code != EXIT_FINE)
		return code;
	if (model_open(&m, arena_cstr_or_null(a, s->out), buf_str(&settings), &content,
		       (struct state_thresholds){ s->threshold, s->content_threshold },
		       &why) != ST_OK ||
	    signals_open(&show.signals, stops, &why) != ST_OK) {
		fprintf(stderr, "thresh states: %s\n", why.text);
		return EXIT_FAILED;
	}
	if (!o.browser.ws_url && geteuid() == 0)
		fprintf(stderr, "thresh states: as root the browser has no sandbox; an "
				"ordinary user is safer\n");
	show.max_depth = (uint32_t)s->max_depth;
	show.begin_ms = clock_mono_ms(&real_clock);
	progress_init(&show.progress, 2, &real_clock);
	enum status st = explore(&m, &o, on_event, &show, &stats, &why);
	progress_end(&show.progress, STR(""));
	progress_release(&show.progress);
	signals_close(&show.signals, NULL);
	if (st != ST_OK)
		fprintf(stderr, "thresh states: %s\n", why.text);
	code = show_crawl(s, &m, &o, buf_str(&settings), &stats, show.begin_ms);
	if (st != ST_OK)
		code = EXIT_FAILED;
	model_close(&m);
	return code;
}

/* `--resume DIR`, or a folder that exists and no URL. */
static int resume(struct states_settings *s, struct args *args, struct str *ret_url)
{
	struct diag why;

	if (s->resume.n)
		s->out = s->resume;
	if (s->out.n == 0) {
		fprintf(stderr, "thresh states: one URL, please\n");
		return EXIT_USAGE;
	}
	if (states_restore(s, arena_cstr_or_null(&args->bytes, s->out), &args->bytes,
			   ret_url, &why) == ST_OK)
		return ARGS_GO;
	fprintf(stderr, "thresh states: %s\n", why.text);
	return EXIT_FAILED;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct states_settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	struct str url = { 0 };
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code == ARGS_GO && (args.n > 1 || (args.n == 1 && s.resume.n))) {
		fprintf(stderr, "thresh states: one URL, please, or --resume DIR\n");
		code = EXIT_USAGE;
	}
	if (code == ARGS_GO && states_preset(&s, &args.bytes, &why) != ST_OK)
		code = usage(why.text);
	if (code == ARGS_GO && args.n == 1)
		url = args.words[0];
	else if (code == ARGS_GO)
		code = resume(&s, &args, &url);
	if (code == ARGS_GO)
		code = crawl(&s, url, &args.bytes);
	states_settings_release(&s);
	return code;
}

static const struct command *const children[] = { &cmd_states_diff, &cmd_states_validate,
						  NULL };

static const struct example examples[] = {
	{ "thresh states http://localhost:8080/ -o app",
	  "crawl an application; the same command resumes" },
	{ "thresh states --resume app", "go on after a kill or a limit" },
	{ "thresh states http://localhost:8080/ -o app --value user=admin --value "
	  "password=secret",
	  "give the login form what it wants" },
	{ NULL, NULL },
};

const struct command cmd_states = {
	.name = "states",
	.summary = "crawl a JavaScript application in a real browser",
	.operands = "URL",
	.about = "Drives Chromium, fires the events that the page listens for, and "
		 "builds the "
		 "graph of its states. States whose templates are near are one; the "
		 "folder keeps "
		 "every observation, so that the graph can be seen at any threshold "
		 "afterwards.",
	.options = states_options,
	.examples = examples,
	.children = children,
	.run = run,
};
