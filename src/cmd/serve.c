/* thresh serve: the dashboard and the control API of a crawl's folder. */
#include "serve/server.h"

#include <signal.h>
#include <stdio.h>

#include "cmd/args.h"
#include "cmd/commands.h"
#include "os/signals.h"

struct serve_settings {
	struct str listen;
	struct str_list names;
	bool quiet;
};

static const struct option_row rows[] = {
	OPTION(STR, "listen", offsetof(struct serve_settings, listen), .letter = 'l',
	       .standard = "127.0.0.1:7979", .value = "ADDRESS:PORT",
	       .help = "listen here; port 0 takes a free one. Elsewhere than on the "
		       "loopback address every request needs the token"),
	OPTION(LIST, "listen-name", offsetof(struct serve_settings, names),
	       .value = "NAME",
	       .help = "a host name, besides localhost, by which clients may call us"),
	OPTION(FLAG, "quiet", offsetof(struct serve_settings, quiet), .letter = 'q',
	       .standard = "no", .help = "do not print the address"),
	OPTION_END,
};

static int serve(const char *dir, const struct serve_settings *s)
{
	static const int ends[] = { SIGINT, SIGTERM, 0 };
	struct serve_options o = { .dir = dir,
				   .listen = s->listen,
				   .hosts = s->names.v,
				   .n_hosts = s->names.n };
	struct serve_server *server;
	struct signals signals;
	struct diag why;
	int number = 0;
	enum status st = signals_open(&signals, ends, &why);

	if (st == ST_OK)
		st = serve_start(&server, &o, &why);
	if (st != ST_OK) {
		fprintf(stderr, "thresh serve: %s\n", why.text);
		return st == ST_SYNTAX ? EXIT_USAGE : EXIT_FAILED;
	}
	if (!s->quiet)
		fprintf(stderr, "http://%s/#token=" STR_FMT " - the dashboard; ^C ends\n",
			serve_address(server), STR_ARG(serve_token(server)));
	if (!s->quiet && !serve_takes_demands(server))
		fprintf(stderr,
			"thresh serve: another server takes the demands of this crawl; "
			"this one only shows\n");
	while (sigwait(&signals.set, &number) != 0)
		;
	serve_stop(server);
	return EXIT_FINE;
}

static int run(const struct command *self, int argc, char **argv)
{
	cleanup(args_release) struct args args = { 0 };
	struct serve_settings s = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	if (args.n != 1) {
		fprintf(stderr, "thresh serve: give the folder of one crawl\nTry 'thresh "
				"serve --help'.\n");
		code = EXIT_USAGE;
	} else {
		code = serve(args.words[0].p, &s);
	}
	str_list_release(&s.names);
	return code;
}

static const struct example examples[] = {
	{ "thresh serve DIR", "the dashboard of a crawl, running or not, on port 7979" },
	{ "thresh serve DIR --listen 127.0.0.1:0",
	  "on a free port; DIR/serve.addr names it, DIR/serve.token has the token" },
	{ NULL, NULL },
};

const struct command cmd_serve = {
	.name = "serve",
	.summary = "serve the dashboard and the control API of a crawl",
	.operands = "DIR",
	.about =
		"Shows the crawl in a folder, running or ended, as a dashboard in the "
		"browser and as JSON, and takes URLs to inject and commands for it. What "
		"changes the crawl needs the token in DIR/serve.token. 'thresh crawl "
		"--listen' serves the same from inside the crawl.",
	.options = rows,
	.examples = examples,
	.run = run,
};
