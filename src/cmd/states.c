#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/args.h"
#include "cmd/commands.h"
#include "cmd/states_report.h"
#include "observe/login.h"
#include "os/file.h"
#include "os/progress.h"
#include "os/signals.h"
#include "states/choose.h"
#include "url/url.h"

struct settings {
	struct str cookies, logged_in;
	struct str out, resume, method, locale, timezone, browser, connect_to, attach;
	struct str_list values, include, exclude, strip, hosts;
	int writes;
	uint64_t size;
	int pieces;
	uint64_t max_states, max_depth, max_events, max_ms, max_visits, settle_ms, seed;
	uint64_t max_fired, request_ms;
	struct worth_limits worth;
	uint64_t width, height, max_traffic;
	double threshold, content_threshold, enough;
	bool fail_on_problem, allow_destructive, addresses, screenshots, real_time,
		insecure, scroll, json;
};

#define AT(field) offsetof(struct settings, field)

static const struct option_row rows[] = {
	{ "out", 'o', OPTION_STR, AT(out), 0, 0, NULL, "DIR", NULL,
	  "folder of the crawl; one that exists is resumed" },
	{ "resume", 0, OPTION_STR, AT(resume), 0, 0, NULL, "DIR", NULL,
	  "go on with the crawl in this folder, with the settings it was begun with" },
	{ "threshold", 't', OPTION_REAL, AT(threshold), 0, 1, "0", "X", NULL,
	  "states whose templates differ by no more than this are one (0 to 1)" },
	{ "content-threshold", 0, OPTION_REAL, AT(content_threshold), 0, 128, "128", "X",
	  NULL,
	  "the same for their contents, in the measure of the method; 128 ignores them" },
	{ "method", 'm', OPTION_STR, AT(method), 0, 0, "simhash64", "NAME", NULL,
	  "fingerprint of the content; 'thresh dedup --help' names them" },
	{ "size", 0, OPTION_UINT, AT(size), 0, 63, "0", "N", NULL,
	  "pieces a shingle of the method; 0 is its own" },
	{ "pieces", 0, OPTION_CHOICE, AT(pieces), 0, 0, "own", NULL,
	  "own|chars|words|sentences", "what its shingles are made of" },
	{ "strip", 0, OPTION_LIST, AT(strip), 0, 0, NULL, "WHAT", NULL,
	  "structure, attributes, text or spaces: the content is the HTML without them, "
	  "not the visible text; or a CSS selector of what counts nowhere" },
	{ "max-states", 0, OPTION_UINT, AT(max_states), 0, 0, "1000", "N", NULL,
	  "stop after so many states; 0 for no limit" },
	{ "max-depth", 0, OPTION_UINT, AT(max_depth), 0, 0, "0", "N", NULL,
	  "events from the start; 0 for no limit" },
	{ "max-events", 0, OPTION_UINT, AT(max_events), 0, 0, "0", "N", NULL,
	  "events in all; 0 for no limit" },
	{ "max-time", 0, OPTION_TIME, AT(max_ms), 0, 0, "1h", "TIME", NULL,
	  "stop after this time; 0 for no limit" },
	{ "max-visits", 0, OPTION_UINT, AT(max_visits), 0, 0, "3", "N", NULL,
	  "states of one template to explore in a row without meeting an element never "
	  "seen; what was tried nowhere is tried nevertheless; 0 for no limit" },
	{ "max-repeats", 0, OPTION_UINT, AT(worth.repeats), 0, 0, "0", "N", NULL,
	  "how often in a row one control, in whatever states, is tried without meeting "
	  "an element never seen; 0 for no limit" },
	{ "max-alike", 0, OPTION_UINT, AT(worth.alike), 0, 0, "30", "N", NULL,
	  "controls of one kind, as those of a list, to try in a row in one state "
	  "without "
	  "meeting an element never seen; 0 for no limit" },
	{ "max-series", 0, OPTION_UINT, AT(worth.series), 0, 0, "100", "N", NULL,
	  "controls of one kind, in states merged into others, to try in a row without "
	  "meeting an element never seen; 0 for no limit" },
	{ "enough", 0, OPTION_REAL, AT(enough), 0, 1, "0.01", "P", NULL,
	  "end when an event brings something new with a probability below this, by the "
	  "rule of three; 0 for never" },
	{ "max-combinations", 0, OPTION_UINT, AT(worth.combinations), 0, 0, "50", "N",
	  NULL,
	  "states that show no element never seen; when there are more, nothing is tried "
	  "again in another state; 0 for no limit" },
	{ "max-per-state", 0, OPTION_UINT, AT(max_fired), 0, 0, "0", "N", NULL,
	  "events to try in one state; 0 for no limit" },
	{ "wait", 0, OPTION_TIME, AT(settle_ms), 1, 600000, "1s", "TIME", NULL,
	  "time the page gets after each event, by its own clock" },
	{ "max-wait", 0, OPTION_TIME, AT(request_ms), 1, 600000, "10s", "TIME", NULL,
	  "for the answer to a request of the page; one that took longer is refused "
	  "from then on" },
	{ "seed", 0, OPTION_UINT, AT(seed), 0, 0, "1", "N", NULL,
	  "of the page's randomness and of what is typed" },
	{ "value", 0, OPTION_LIST, AT(values), 0, 0, NULL, "NAME=VALUE", NULL,
	  "what to type into a field, by its name, id or label" },
	{ "cookies", 0, OPTION_STR, AT(cookies), 0, 0, NULL, "FILE", NULL,
	  "of a session to crawl in: Netscape's format, or the storage state of "
	  "Playwright" },
	{ "logged-in", 0, OPTION_STR, AT(logged_in), 0, 0, NULL, "SELECTOR", NULL,
	  "what the first page must show, or nothing is crawled" },
	{ "fail-on-problem", 0, OPTION_FLAG, AT(fail_on_problem), 0, 0, "no", NULL, NULL,
	  "exit code 7 when a page threw, logged an error, or met a failed request" },
	{ "include", 0, OPTION_LIST, AT(include), 0, 0, NULL, "WHAT", NULL,
	  "only these elements and what is in them: CSS selector, XPath, or words of "
	  "their text" },
	{ "exclude", 0, OPTION_LIST, AT(exclude), 0, 0, NULL, "WHAT", NULL,
	  "never these" },
	{ "allow-destructive", 0, OPTION_FLAG, AT(allow_destructive), 0, 0, "no", NULL,
	  NULL, "also click what logs out, deletes, pays or unsubscribes" },
	{ "writes", 0, OPTION_CHOICE, AT(writes), 0, 0, "once", NULL, "none|once|all",
	  "what the page may send by other methods than GET: nothing; what an event "
	  "sends, "
	  "once and never DELETE, repetitions get the first answer; everything" },
	{ "allow-host", 0, OPTION_LIST, AT(hosts), 0, 0, NULL, "HOST[:PORT]", NULL,
	  "a host on this machine or in a private network that the page may ask, besides "
	  "the start's own" },
	{ "addresses", 0, OPTION_FLAG, AT(addresses), 0, 0, "yes", NULL, NULL,
	  "open, last of all, addresses of the site that a page names in attributes, "
	  "comments, "
	  "scripts or text without showing a link" },
	{ "scroll", 0, OPTION_FLAG, AT(scroll), 0, 0, "no", NULL, NULL,
	  "scroll every long page, not only those that listen for it" },
	{ "screenshots", 0, OPTION_FLAG, AT(screenshots), 0, 0, "yes", NULL, NULL,
	  "a picture of every new state" },
	{ "max-traffic", 0, OPTION_BYTES, AT(max_traffic), 0, 0, "1G", "BYTES", NULL,
	  "WARC to write of what the browser asks and gets; 0 for none" },
	{ "real-time", 0, OPTION_FLAG, AT(real_time), 0, 0, "no", NULL, NULL,
	  "let the page's clock be the real one" },
	{ "insecure", 0, OPTION_FLAG, AT(insecure), 0, 0, "no", NULL, NULL,
	  "accept any certificate" },
	{ "width", 0, OPTION_UINT, AT(width), 200, 10000, "1280", "PIXELS", NULL,
	  "of the window" },
	{ "height", 0, OPTION_UINT, AT(height), 200, 10000, "800", "PIXELS", NULL,
	  "of the window" },
	{ "locale", 0, OPTION_STR, AT(locale), 0, 0, "en-US", "NAME", NULL,
	  "what the page sees" },
	{ "timezone", 0, OPTION_STR, AT(timezone), 0, 0, "UTC", "NAME", NULL,
	  "what the page sees" },
	{ "browser", 0, OPTION_STR, AT(browser), 0, 0, NULL, "PROGRAM", NULL,
	  "the Chromium to start" },
	{ "attach", 0, OPTION_STR, AT(attach), 0, 0, NULL, "WS-URL", NULL,
	  "use a running browser: ws://127.0.0.1:PORT/devtools/browser/ID" },
	{ "connect-to", 0, OPTION_STR, AT(connect_to), 0, 0, NULL, "IP:PORT", NULL,
	  "all hosts lead there" },
	{ "json", 0, OPTION_FLAG, AT(json), 0, 0, "no", NULL, NULL,
	  "print the result as JSON" },
	OPTION_END,
};

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

/* "https://host:port" of the start URL, for the guard. */
static int origin_of(struct str text, struct arena *a, struct explore_options *o)
{
	cleanup(buf_release) struct buf scratch = { 0 }, origin_scratch = { 0 };
	struct url url;
	struct diag why;

	if (url_parse(text, NULL, &scratch, &url, &why) != ST_OK ||
	    !(url_is_http(&url) || url.scheme_kind == URL_FILE)) {
		fprintf(stderr, "thresh states: not a URL of the web: '" STR_FMT "'\n",
			STR_ARG(text));
		return EXIT_USAGE;
	}
	o->url = arena_copy(a, url.href);
	o->guard.origin = url.scheme_kind == URL_FILE
				  ? STR("file://")
				  : arena_copy(a, url_origin(&url, &origin_scratch));
	return EXIT_FINE;
}

static char *cstr_or_null(struct arena *a, struct str s)
{
	if (s.n == 0)
		return NULL;
	char *c = arena_alloc(a, s.n + 1);

	memcpy(c, s.p, s.n);
	c[s.n] = '\0';
	return c;
}

/* What of --strip are selectors; the rest is the content's business. */
static struct str_list selectors_of(const struct str_list *strip, struct arena *a)
{
	struct str_list l = { .v = arena_alloc(a, (strip->n + 1) * sizeof(*l.v)) };

	for (size_t i = 0; i < strip->n; i++)
		if (!content_strip_word(strip->v[i]))
			l.v[l.n++] = strip->v[i];
	return l;
}

static void fill_options(const struct settings *s, struct arena *a,
			 struct explore_options *o)
{
	o->guard.allow_destructive = s->allow_destructive;
	o->guard.include = s->include;
	o->guard.exclude = s->exclude;
	o->values = s->values;
	o->wall.writes = (enum wall_writes)s->writes;
	o->wall.hosts = s->hosts;
	o->strip = selectors_of(&s->strip, a);
	o->max_states = s->max_states;
	o->max_depth = s->max_depth;
	o->max_events = s->max_events;
	o->max_ms = s->max_ms;
	o->max_visits = s->max_visits;
	o->worth = s->worth;
	o->enough = s->enough;
	o->max_fired = s->max_fired;
	o->settle_ms = s->settle_ms;
	o->scroll = s->scroll;
	o->addresses = s->addresses;
	o->no_screenshots = !s->screenshots;
	o->max_traffic = s->max_traffic;
	o->tab.record_traffic = s->max_traffic > 0;
	o->browser.program = cstr_or_null(a, s->browser);
	o->browser.ws_url = cstr_or_null(a, s->attach);
	o->browser.trust_any_certificate = s->insecure;
	o->tab.width = (uint32_t)s->width;
	o->tab.height = (uint32_t)s->height;
	o->tab.locale = cstr_or_null(a, s->locale);
	o->tab.timezone = cstr_or_null(a, s->timezone);
	o->tab.seed = s->seed;
	o->tab.real_time = s->real_time;
	o->tab.request_ms = (uint32_t)s->request_ms;
	if (s->connect_to.n) {
		cleanup(buf_release) struct buf b = { 0 };

		buf_add(&b, STR("MAP * "));
		buf_add(&b, s->connect_to);
		o->browser.host_rules = cstr_or_null(a, buf_str(&b));
	}
}

/* Rows that do not decide what the graph is: they may differ when a crawl is resumed. */
static bool is_free(const char *name)
{
	static const char *const free_rows[] = {
		"out",       "resume",          "max-states", "max-events",  "cookies",
		"logged-in", "fail-on-problem", "max-time",   "max-depth",   "browser",
		"attach",    "connect-to",      "json",       "screenshots", "max-traffic"
	};

	for (size_t i = 0; i < COUNT(free_rows); i++)
		if (strcmp(name, free_rows[i]) == 0)
			return true;
	return false;
}

/* What must not change between a crawl and its resumption. */
static void describe(const struct settings *s, struct str url, struct buf *to)
{
	struct json_out o = { .to = to };

	json_open(&o, '{');
	json_put_str(&o, "url", url);
	for (const struct option_row *row = rows; row->name; row++) {
		cleanup(buf_release) struct buf text = { 0 };

		if (is_free(row->name))
			continue;
		option_format(row, s, &text);
		json_put_str(&o, row->name, buf_str(&text));
	}
	json_close(&o, '}');
}

/* The settings and the URL of the crawl in `dir`, as describe() wrote them. */
static enum status restore(struct settings *s, const char *dir, struct arena *a,
			   struct str *ret_url, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json *all = NULL;
	enum status st = ST_OK;

	TRY(model_settings(dir, &b, why));
	TRY(json_parse(buf_str(&b), &all, why));
	*ret_url = arena_copy(a, json_str(json_get(all, "url")));
	for (const struct json *v = json_first(all); v && st == ST_OK; v = json_next(v)) {
		const struct option_row *row = option_find(rows, json_name(v));

		if (row && !is_free(row->name) && json_str(v).n)
			st = option_set(row, s, json_str(v), a, why);
	}
	json_release(&all);
	return st;
}

static int finish(const struct settings *s, const struct model *m,
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

static enum status read_content(struct str settings, struct content *ret,
				struct diag *why)
{
	struct json *all = NULL;

	TRY(json_parse(settings, &all, why));
	enum status st = content_parse(all, ret, why);
	json_release(&all);
	return st;
}

static int crawl(const struct settings *s, struct str text, struct arena *a)
{
	static const int stops[] = { 2, 15, 0 };
	struct explore_options o = { 0 };
	struct explore_stats stats = { 0 };
	struct model m;
	struct show show = { 0 };
	struct diag why;
	cleanup(buf_release) struct buf settings = { 0 }, cookies = { 0 };
	struct content content;
	int code = origin_of(text, a, &o);

	if (code != EXIT_FINE)
		return code;
	fill_options(s, a, &o);
	describe(s, o.url, &settings);
	if (s->out.n == 0)
		code = usage("say where to write: -o DIR");
	else if (read_content(buf_str(&settings), &content, &why) != ST_OK ||
		 (s->cookies.n &&
		  login_load(cstr_or_null(a, s->cookies), &cookies, &why) != ST_OK))
		code = usage(why.text);
	o.cookies = buf_str(&cookies);
	o.logged_in = s->logged_in;
	if (code != EXIT_FINE)
		return code;
	if (model_open(&m, cstr_or_null(a, s->out), buf_str(&settings), &content,
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
	/* Whatever happened: what was seen is shown. */
	if (m.state_count == 0) {
		code = EXIT_FAILED;
	} else {
		struct overview_facts facts = {
			.url = o.url,
			.settings = buf_str(&settings),
			.width = (uint32_t)s->width,
			.height = (uint32_t)s->height,
			.pictures = s->screenshots,
			.end = stats.end,
			.duration_ms =
				(uint64_t)(clock_mono_ms(&real_clock) - show.begin_ms),
		};

		if (overview_write(&m, &facts, &why) == ST_OK) {
			code = finish(s, &m, &stats);
			code = st == ST_OK ? code : EXIT_FAILED;
		} else {
			fprintf(stderr, "thresh states: %s\n", why.text);
			code = EXIT_FAILED;
		}
	}
	model_close(&m);
	return code;
}

/* `--resume DIR`, or a folder that exists and no URL. */
static int resume(struct settings *s, struct args *args, struct str *ret_url)
{
	struct diag why;

	if (s->resume.n)
		s->out = s->resume;
	if (s->out.n == 0) {
		fprintf(stderr, "thresh states: one URL, please\n");
		return EXIT_USAGE;
	}
	if (restore(s, cstr_or_null(&args->bytes, s->out), &args->bytes, ret_url, &why) ==
	    ST_OK)
		return ARGS_GO;
	fprintf(stderr, "thresh states: %s\n", why.text);
	return EXIT_FAILED;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	struct str url = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code == ARGS_GO && (args.n > 1 || (args.n == 1 && s.resume.n))) {
		fprintf(stderr, "thresh states: one URL, please, or --resume DIR\n");
		code = EXIT_USAGE;
	}
	if (code == ARGS_GO && args.n == 1)
		url = args.words[0];
	else if (code == ARGS_GO)
		code = resume(&s, &args, &url);
	if (code == ARGS_GO)
		code = crawl(&s, url, &args.bytes);
	str_list_release(&s.values);
	str_list_release(&s.include);
	str_list_release(&s.exclude);
	str_list_release(&s.strip);
	str_list_release(&s.hosts);
	return code;
}

static const struct command *const children[] = { &cmd_states_diff, NULL };

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
	.options = rows,
	.examples = examples,
	.children = children,
	.run = run,
};
