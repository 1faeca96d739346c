#include <signal.h>
#include <stdio.h>

#include "cmd/testweb.h"
#include "os/signals.h"
#include "testweb/control.h"
#include "testweb/manifest.h"
#include "testweb/server.h"

struct settings {
	struct web_settings web;
	uint64_t aliases;
	bool sizes;
	struct str manifest;
	uint64_t port, seed_hosts;
	struct str log, ca, seeds_file, hosts_file;
	bool any_address;
};

#define AT(field) offsetof(struct settings, field)
/* clang-format off */
#define MANIFEST_ROWS                                                    \
	OPTION(UINT, "aliases", AT(aliases), .max = 32, .standard = "3", .value = "N", .help = "aliases per page to list in the manifest"),              \
	OPTION(FLAG, "sizes", AT(sizes), .standard = "yes", .help = "record the sizes of pages in the manifest; renders all of them")
/* clang-format on */

static const struct option_row manifest_options[] = { WEB_ROWS, MANIFEST_ROWS,
						      OPTION_END };

static const struct option_row serve_options[] = {
	OPTION(UINT, "port", AT(port), .letter = 'p', .max = 65535, .standard = "8089",
	       .value = "N", .help = "port of HTTP and HTTPS; 0 for a free one"),
	WEB_ROWS,
	MANIFEST_ROWS,
	OPTION(STR, "manifest", AT(manifest), .value = "FILE",
	       .help = "write the truth about every URL before serving"),
	OPTION(STR, "log", AT(log), .value = "FILE",
	       .help = "log every request, for 'testweb score'"),
	OPTION(STR, "ca", AT(ca), .value = "FILE",
	       .help = "serve TLS as well, and write the CA's certificate here"),
	OPTION(STR, "seeds-file", AT(seeds_file), .value = "FILE",
	       .help = "write the front pages to start from, one per line"),
	OPTION(STR, "hosts-file", AT(hosts_file), .value = "FILE",
	       .help = "write one address and name per line, for 'crawl --hosts'"),
	OPTION(UINT, "seed-hosts", AT(seed_hosts), .max = 65536, .standard = "0",
	       .value = "N", .help = "how many hosts to list as seeds; 0 for all"),
	OPTION(FLAG, "any-address", AT(any_address), .standard = "no",
	       .help = "listen on addresses that are not loopback, too"),
	OPTION_END,
};

static enum status save_lists(const struct settings *s, const struct world *w,
			      struct args *args, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };

	if (s->seeds_file.n) {
		seeds_write(w, s->seed_hosts, &text);
		TRY(file_save(web_c_string(args, s->seeds_file), buf_str(&text), why));
		buf_reset(&text);
	}
	if (s->manifest.n) {
		struct manifest_options o = { .aliases = s->aliases, .bytes = s->sizes };

		TRY(truth_save(w, &o, web_c_string(args, s->manifest), why));
	}
	return ST_OK;
}

/* The port is known only once the server listens. */
static enum status save_hosts(const struct settings *s, const struct server *server,
			      struct args *args, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };

	if (!s->hosts_file.n)
		return ST_OK;
	hosts_write(server->world, server->port, &text);
	return file_save(web_c_string(args, s->hosts_file), buf_str(&text), why);
}

static void stop_loop(struct signals *s, int signal)
{
	(void)signal;
	loop_stop(s->arg);
}

static enum status serve(const struct settings *s, struct args *args, struct world *w,
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
					      .log_path = web_c_string(args, s->log),
					      .ca_path = web_c_string(args, s->ca),
				      },
				      why);
	if (st == ST_OK)
		st = save_hosts(s, &server, args, why);
	if (st == ST_OK) {
		printf("serving %llu pages on %u hosts at port %u\n",
		       (unsigned long long)s->web.pages, w->n_sites, server.port);
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
	struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(world_release) struct world w = { 0 };
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	enum status st = web_make(&s.web, &w, &why);
	if (st == ST_OK)
		st = save_lists(&s, &w, &args, &why);
	if (st == ST_OK)
		st = serve(&s, &args, &w, &why);
	web_settings_release(&s.web);
	return st == ST_OK ? EXIT_FINE : web_fail(self, &why);
}

static int run_manifest(const struct command *self, int argc, char **argv)
{
	struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(world_release) struct world w = { 0 };
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	s.manifest = args.n ? args.words[0] : STR("/dev/stdout");
	enum status st = web_make(&s.web, &w, &why);
	if (st == ST_OK)
		st = save_lists(&s, &w, &args, &why);
	web_settings_release(&s.web);
	return st == ST_OK ? EXIT_FINE : web_fail(self, &why);
}

static const struct example serve_examples[] = {
	{ "thresh testweb serve --manifest truth.tsv --log requests.tsv --seeds-file "
	  "seeds.txt",
	  "a small web, its truth, and a log of requests" },
	{ "thresh testweb serve --hosts 2000 --pages 1M --trouble all --ca ca.pem",
	  "a large web with all troubles, also over TLS" },
	{ "curl --connect-to ::127.0.0.1:8089 $(head -1 seeds.txt)", "look at a page" },
	{ NULL, NULL },
};

const struct command cmd_testweb_serve = {
	.name = "testweb serve",
	.summary = "serve a synthetic web on loopback",
	.operands = "",
	.about = "Generates a web from a seed: sites of several kinds, pages with "
		 "natural text, aliases (several URLs per page), traps and failing "
		 "servers. Hosts are told apart by the Host field; HTTP and TLS share "
		 "the port. Runs until interrupted.",
	.options = serve_options,
	.examples = serve_examples,
	.run = run_serve,
};

static const struct example manifest_examples[] = {
	{ "thresh testweb manifest --seed 7 truth.tsv",
	  "what 'serve --seed 7' would serve" },
	{ NULL, NULL },
};

const struct command cmd_testweb_manifest = {
	.name = "testweb manifest",
	.summary = "write the truth about a synthetic web",
	.operands = "[FILE]",
	.about =
		"One line per URL: page, class, cluster, whether it must be kept, bytes.",
	.options = manifest_options,
	.examples = manifest_examples,
	.run = run_manifest,
};
