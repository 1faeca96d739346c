#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "cmd/args.h"
#include "cmd/commands.h"
#include "os/signals.h"
#include "testweb/control.h"
#include "testweb/manifest.h"
#include "testweb/server.h"
#include "testweb/trap.h"

/* What makes a web: the rows of these options are shared by all commands about it. */
struct web_settings {
	uint64_t seed, pages, hosts, per_address, day, aliases;
	double trouble_share, alias_share, words;
	struct str_list kinds, traps, trouble;
	struct str manifest;
	bool sizes;
	/* of serve */
	uint64_t port, seed_hosts;
	struct str log, ca, seeds_file, hosts_file;
	bool any_address;
};

#define AT(field) offsetof(struct web_settings, field)
#define WEB_ROWS                                                                              \
	{                                                                                     \
		"seed",      0,                                                               \
		OPTION_UINT, AT(seed),                                                        \
		0,           1e15,                                                            \
		"1",         "N",                                                             \
		NULL,        "the number from which everything follows"                       \
	},                                                                                    \
		{ "pages", 0,       OPTION_UINT, AT(pages), 1,                                \
		  1e9,     "10000", "N",         NULL,      "content pages over all hosts" }, \
		{ "hosts", 0, OPTION_UINT, AT(hosts), 1, 65536, "32", "N", NULL, "sites" },   \
		{ "hosts-per-address",                                                        \
		  0,                                                                          \
		  OPTION_UINT,                                                                \
		  AT(per_address),                                                            \
		  1,                                                                          \
		  65536,                                                                      \
		  "4",                                                                        \
		  "N",                                                                        \
		  NULL,                                                                       \
		  "sites that share an IP address" },                                         \
		{ "kinds",     0,                                                             \
		  OPTION_LIST, AT(kinds),                                                     \
		  0,           0,                                                             \
		  "all",       "LIST",                                                        \
		  NULL,        "blog, forum, wiki, shop, news, docs, gallery, mirror" },      \
		{ "traps",                                                                    \
		  0,                                                                          \
		  OPTION_LIST,                                                                \
		  AT(traps),                                                                  \
		  0,                                                                          \
		  0,                                                                          \
		  "all",                                                                      \
		  "LIST",                                                                     \
		  NULL,                                                                       \
		  "calendar, path, facets, loop, ladder, echo, random, soft404, grid; "       \
		  "or none" },                                                                \
		{ "trouble",                                                                  \
		  0,                                                                          \
		  OPTION_LIST,                                                                \
		  AT(trouble),                                                                \
		  0,                                                                          \
		  0,                                                                          \
		  "none",                                                                     \
		  "LIST",                                                                     \
		  NULL,                                                                       \
		  "latency, 429, 5xx, reset, truncated, overlong, length, chunks, "           \
		  "headers, body, drip, bomb, charset, html, robots, 401, cookies; or "       \
		  "all" },                                                                    \
		{ "trouble-share",                                                            \
		  0,                                                                          \
		  OPTION_REAL,                                                                \
		  AT(trouble_share),                                                          \
		  0,                                                                          \
		  1,                                                                          \
		  "3%",                                                                       \
		  "P",                                                                        \
		  NULL,                                                                       \
		  "pages that have one of the troubles" },                                    \
		{ "alias-share",                                                              \
		  0,                                                                          \
		  OPTION_REAL,                                                                \
		  AT(alias_share),                                                            \
		  0,                                                                          \
		  1,                                                                          \
		  "30%",                                                                      \
		  "P",                                                                        \
		  NULL,                                                                       \
		  "links that lead to another URL of a page" },                               \
		{ "words",     0,                                                             \
		  OPTION_REAL, AT(words),                                                     \
		  0.01,        100,                                                           \
		  "1",         "X",                                                           \
		  NULL,        "length of the texts; 1 is natural" },                         \
		{ "day",       0,                                                             \
		  OPTION_UINT, AT(day),                                                       \
		  0,           100000,                                                        \
		  "0",         "N",                                                           \
		  NULL,        "how long after the beginning: pages change, come and go" },   \
		{ "aliases",   0,                                                             \
		  OPTION_UINT, AT(aliases),                                                   \
		  0,           32,                                                            \
		  "3",         "N",                                                           \
		  NULL,        "other URLs of a page to list in the manifest" },              \
	{                                                                                     \
		"sizes", 0, OPTION_FLAG, AT(sizes), 0, 0, "yes", NULL, NULL,                  \
			"write every page's size in the manifest"                             \
	}

static const struct option_row manifest_options[] = { WEB_ROWS, OPTION_END };

static const struct option_row serve_options[] = {
	{ "port", 'p', OPTION_UINT, AT(port), 0, 65535, "8089", "N", NULL,
	  "port of HTTP and HTTPS; 0 for a free one" },
	WEB_ROWS,
	{ "manifest", 0, OPTION_STR, AT(manifest), 0, 0, NULL, "FILE", NULL,
	  "write the truth about every URL before serving" },
	{ "log", 0, OPTION_STR, AT(log), 0, 0, NULL, "FILE", NULL,
	  "write every request, for 'testweb score'" },
	{ "ca", 0, OPTION_STR, AT(ca), 0, 0, NULL, "FILE", NULL,
	  "serve TLS as well, and write the CA's certificate here" },
	{ "seeds-file", 0, OPTION_STR, AT(seeds_file), 0, 0, NULL, "FILE", NULL,
	  "write the front pages to start from, one a line" },
	{ "hosts-file", 0, OPTION_STR, AT(hosts_file), 0, 0, NULL, "FILE", NULL,
	  "write names and addresses as /etc/hosts has them" },
	{ "seed-hosts", 0, OPTION_UINT, AT(seed_hosts), 0, 65536, "0", "N", NULL,
	  "how many hosts to list as seeds; 0 for all" },
	{ "any-address", 0, OPTION_FLAG, AT(any_address), 0, 0, "no", NULL, NULL,
	  "listen on addresses that are not loopback, too" },
	OPTION_END,
};

static int fail(const struct command *self, const struct diag *why)
{
	fprintf(stderr, "thresh %s: %s\n", self->name, why->text);
	return EXIT_FAILED;
}

/* The bits of the words in `list`; "all" and "none" are words too. */
static enum status choose(const struct str_list *list, const char *const *names,
			  unsigned n, const char *option, uint32_t *ret, struct diag *why)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < list->n; i++) {
		unsigned k = 0;

		if (str_eq(list->v[i], STR("all"))) {
			bits = (1u << n) - 1;
			continue;
		}
		if (str_eq(list->v[i], STR("none")))
			continue;
		while (k < n && !str_eq(list->v[i], str_from(names[k])))
			k++;
		if (k == n)
			return diag_fail(why, ST_SYNTAX,
					 "--%s does not know '" STR_FMT "'", option,
					 STR_ARG(list->v[i]));
		bits |= 1u << k;
	}
	*ret = bits;
	return ST_OK;
}

static enum status make_world(const struct web_settings *s, struct world *ret,
			      struct diag *why)
{
	struct world_options o = {
		.seed = s->seed,
		.pages = s->pages,
		.hosts = s->hosts,
		.hosts_per_address = s->per_address,
		.day = s->day,
		.trouble_share = s->trouble_share,
		.alias_share = s->alias_share,
		.words_scale = s->words,
	};

	TRY(choose(&s->kinds, kind_names, KINDS, "kinds", &o.kinds, why));
	TRY(choose(&s->traps, trap_names, TRAPS, "traps", &o.traps, why));
	TRY(choose(&s->trouble, trouble_names, TROUBLES, "trouble", &o.troubles, why));
	return world_init(ret, &o, why);
}

static const char *c_string(struct args *args, struct str s)
{
	if (s.n == 0)
		return NULL;
	char *text = arena_alloc(&args->bytes, s.n + 1);

	for (size_t i = 0; i < s.n; i++)
		text[i] = s.p[i];
	text[s.n] = '\0';
	return text;
}

static enum status save_lists(const struct web_settings *s, const struct world *w,
			      struct args *args, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };

	if (s->seeds_file.n) {
		seeds_write(w, s->seed_hosts, &text);
		TRY(file_save(c_string(args, s->seeds_file), buf_str(&text), why));
		buf_reset(&text);
	}
	if (s->hosts_file.n) {
		hosts_write(w, &text);
		TRY(file_save(c_string(args, s->hosts_file), buf_str(&text), why));
	}
	if (s->manifest.n) {
		struct manifest_options o = { .aliases = s->aliases, .bytes = s->sizes };

		TRY(truth_save(w, &o, c_string(args, s->manifest), why));
	}
	return ST_OK;
}

static void stop_loop(struct signals *s, int signal)
{
	(void)signal;
	loop_stop(s->arg);
}

static enum status serve(const struct web_settings *s, struct args *args, struct world *w,
			 struct diag *why)
{
	static const int stops[] = { SIGINT, SIGTERM, SIGHUP, 0 };
	struct loop loop;
	struct server server = { 0 };
	struct signals signals;

	TRY(signals_open(&signals, stops, why));
	TRY(loop_init(&loop, &real_clock, why));
	TRY(signals_watch(&signals, &loop, stop_loop, &loop, why));
	enum status st = server_start(&server, w, &loop,
				      &(struct server_options){
					      .port = (uint16_t)s->port,
					      .any_address = s->any_address,
					      .log_path = c_string(args, s->log),
					      .ca_path = c_string(args, s->ca),
				      },
				      why);
	if (st == ST_OK) {
		printf("serving %llu pages on %u hosts at port %u\n",
		       (unsigned long long)s->pages, w->n_sites, server.port);
		fflush(stdout);
		st = loop_run(&loop, why);
		fprintf(stderr, "%llu requests\n",
			(unsigned long long)server.memory.count);
	}
	server_stop(&server);
	signals_close(&signals, &loop);
	loop_release(&loop);
	return st;
}

static int run_serve(const struct command *self, int argc, char **argv)
{
	struct web_settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(world_release) struct world w = { 0 };
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	enum status st = make_world(&s, &w, &why);
	if (st == ST_OK)
		st = save_lists(&s, &w, &args, &why);
	if (st == ST_OK)
		st = serve(&s, &args, &w, &why);
	return st == ST_OK ? EXIT_FINE : fail(self, &why);
}

static int run_manifest(const struct command *self, int argc, char **argv)
{
	struct web_settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(world_release) struct world w = { 0 };
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	s.manifest = args.n ? args.words[0] : STR("/dev/stdout");
	enum status st = make_world(&s, &w, &why);
	if (st == ST_OK)
		st = save_lists(&s, &w, &args, &why);
	return st == ST_OK ? EXIT_FINE : fail(self, &why);
}

static const struct example serve_examples[] = {
	{ "thresh testweb serve --manifest truth.tsv --log requests.tsv --seeds-file "
	  "seeds.txt",
	  "a small web, its truth, and a record of who asked for what" },
	{ "thresh testweb serve --hosts 2000 --pages 1M --trouble all --ca ca.pem",
	  "a large and unfriendly one, also by TLS" },
	{ "curl --connect-to ::127.0.0.1:8089 $(head -1 seeds.txt)", "look at a page" },
	{ NULL, NULL },
};

static const struct command cmd_serve = {
	.name = "testweb serve",
	.summary = "serve a made-up web on loopback",
	.operands = "",
	.about = "A web that follows from a seed: sites of several kinds, pages with "
		 "natural "
		 "text, the same page under many URLs, traps and failing servers. Hosts "
		 "are "
		 "told apart by the Host field; plain HTTP and TLS come to the same "
		 "port. Runs "
		 "until interrupted.",
	.options = serve_options,
	.examples = serve_examples,
	.run = run_serve,
};

static const struct example manifest_examples[] = {
	{ "thresh testweb manifest --seed 7 truth.tsv",
	  "what 'serve --seed 7' would serve" },
	{ NULL, NULL },
};

static const struct command cmd_manifest = {
	.name = "testweb manifest",
	.summary = "write the truth about a made-up web",
	.operands = "[FILE]",
	.about = "A line a URL: page, class, cluster, whether it must be kept, bytes.",
	.options = manifest_options,
	.examples = manifest_examples,
	.run = run_manifest,
};

static const struct command *const children[] = { &cmd_serve, &cmd_manifest, NULL };

const struct command cmd_testweb = {
	.name = "testweb",
	.summary = "a made-up web with a known truth, to test crawlers against",
	.operands = "",
	.about = "Serves a web in which lost content and wasted requests can be counted.",
	.children = children,
};
