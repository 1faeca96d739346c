/* thresh api serve: campaigns over HTTP, without a crawl or beside one. */
#include <signal.h>
#include <stdio.h>

#include "campaigns/host.h"
#include "cmd/api.h"
#include "os/file.h"
#include "os/signals.h"
#include "serve/server.h"

struct settings {
	struct str listen, secrets, services, contact, proxy, ca_file;
	struct str_list names;
	bool allow_private, quiet;
};

#define AT(field) offsetof(struct settings, field)

static const struct option_row rows[] = {
	OPTION(STR, "listen", AT(listen), .letter = 'l', .standard = "127.0.0.1:7980",
	       .value = "ADDRESS:PORT",
	       .help = "listen here; port 0 takes a free one. Elsewhere than on the "
		       "loopback address every request needs the token"),
	OPTION(LIST, "listen-name", AT(names), .value = "NAME",
	       .help = "a host name, besides localhost, by which clients may call us"),
	OPTION(STR, "secrets", AT(secrets), .value = "FILE",
	       .help = "keys and tokens as JSON, of mode 600 [DIR/secrets.json]; the "
		       "environment otherwise (THRESH_SERVICE_NAME)"),
	OPTION(STR, "services", AT(services), .value = "DIR",
	       .help = "more descriptions, NAME.json [DIR/services]"),
	OPTION(STR, "contact", AT(contact), .value = "URL|MAIL",
	       .help = "who operates this, for the User-Agent"),
	OPTION(STR, "proxy", AT(proxy), .value = "URL", .help = "http:// or socks5://"),
	OPTION(STR, "ca-file", AT(ca_file), .value = "FILE",
	       .help = "certificates of authorities, PEM; the system's otherwise"),
	OPTION(FLAG, "allow-private", AT(allow_private), .standard = "no",
	       .help = "also services at addresses that are not public"),
	OPTION(FLAG, "quiet", AT(quiet), .letter = 'q', .standard = "no",
	       .help = "do not print the address"),
	OPTION_END,
};

static struct host_options host_options_of(struct args *args, const char *dir,
					   const struct settings *s, struct str agent)
{
	struct arena *a = &args->bytes;
	char *services = path_join(a, dir, STR("services"));

	return (struct host_options){
		.dir = path_join(a, dir, STR("campaigns")),
		.services = s->services.n          ? cmd_text(args, s->services)
			    : dir_exists(services) ? services
						   : NULL,
		.secrets = s->secrets.n ? cmd_text(args, s->secrets)
					: path_join(a, dir, STR("secrets.json")),
		.crawl = dir,
		.fetch = { .user_agent = agent,
			   .proxy = s->proxy,
			   .ca_file = s->ca_file,
			   .allow_private = s->allow_private,
			   .body_max = (uint64_t)64 << 20 },
	};
}

/* A folder with state/ is one in which a crawl may begin, or runs already. */
static enum status serve(struct args *args, const struct settings *s, struct diag *why)
{
	static const int ends[] = { SIGINT, SIGTERM, 0 };
	const char *dir = args->words[0].p;
	cleanup(buf_release) struct buf agent = { 0 };
	struct serve_options o = { .dir = dir,
				   .listen = s->listen,
				   .hosts = s->names.v,
				   .n_hosts = s->names.n };
	struct campaign_host host = { 0 };
	struct serve_server *server;
	struct signals signals;
	int number = 0;

	buf_addf(&agent,
		 "Mozilla/5.0 (compatible; thresh/" THRESH_VERSION "%s" STR_FMT ")",
		 s->contact.n ? "; +" : "", STR_ARG(s->contact));
	struct host_options h = host_options_of(args, dir, s, buf_str(&agent));
	TRY(signals_open(&signals, ends, why));
	TRY(dir_make(path_join(&args->bytes, dir, STR("state")), why));
	TRY(serve_start(&server, &o, why));
	enum status st = campaign_host_start(&host, &h, why);
	if (!s->quiet && st == ST_OK)
		fprintf(stderr, "http://%s/campaigns, token " STR_FMT "; ^C ends\n",
			serve_address(server), STR_ARG(serve_token(server)));
	while (st == ST_OK && sigwait(&signals.set, &number) != 0)
		;
	campaign_host_stop(&host);
	serve_stop(server);
	return st;
}

static int run(const struct command *self, int argc, char **argv)
{
	cleanup(args_release) struct args args = { 0 };
	struct settings s = { 0 };
	struct diag why = { { 0 } };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	if (args.n != 1) {
		fprintf(stderr, "thresh api serve: give one folder\n");
		code = EXIT_USAGE;
	} else {
		code = serve(&args, &s, &why) == ST_OK ? EXIT_FINE : EXIT_FAILED;
	}
	if (why.text[0])
		fprintf(stderr, "thresh api serve: %s\n", why.text);
	str_list_release(&s.names);
	return code;
}

static const struct example examples[] = {
	{ "thresh api serve DIR", "take campaigns by POST /campaigns on port 7980" },
	{ NULL, NULL },
};

const struct command cmd_api_serve = {
	.name = "api serve",
	.summary = "run campaigns that are ordered over HTTP",
	.operands = "DIR",
	.about =
		"Takes orders for campaigns (POST /campaigns), shows their status and "
		"the "
		"workload, pauses, resumes and stops them. They are kept in "
		"DIR/campaigns. A crawl in DIR gets the links; 'thresh crawl --listen' "
		"does the same inside a crawl. What changes something needs the token in "
		"DIR/serve.token.",
	.options = rows,
	.examples = examples,
	.run = run,
};
