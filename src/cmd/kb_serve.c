#include <signal.h>
#include <stdio.h>

#include "cmd/args.h"
#include "cmd/commands.h"
#include "cmd/kb_shared.h"
#include "kb/documents.h"
#include "kb/federate.h"
#include "kb/serve.h"
#include "os/signals.h"

struct serve_settings {
	uint64_t port, timeout, memory, rows, queries;
	struct str listen, token;
	struct str_list host, service, load;
	int default_graph;
	bool read_only;
};

#define AT(field) offsetof(struct serve_settings, field)
static const struct option_row serve_rows[] = {
	{ "port", 'p', OPTION_UINT, AT(port), 0, 65535, "7878", "N", NULL,
	  "listen here; 0 takes any free port" },
	{ "listen", 'l', OPTION_STR, AT(listen), 0, 0, "127.0.0.1", "ADDRESS", NULL,
	  "the IPv4 address to listen on" },
	{ "host", 0, OPTION_LIST, AT(host), 0, 0, NULL, "NAME", NULL,
	  "a host name, besides localhost, by which clients may call us" },
	{ "token", 0, OPTION_STR, AT(token), 0, 0, NULL, "FILE", NULL,
	  "want 'Authorization: Bearer TOKEN' of every request, the token being in this "
	  "file" },
	{ "default-graph", 0, OPTION_CHOICE, AT(default_graph), 0, 0, "union", "WHICH",
	  "own|union",
	  "what queries see outside GRAPH: the graph without a name, or all together" },
	{ "queries", 0, OPTION_UINT, AT(queries), 1, 256, "16", "N", NULL,
	  "the most queries at a time" },
	{ "service", 0, OPTION_LIST, AT(service), 0, 0, NULL, "HOST", NULL,
	  "let SERVICE ask endpoints on this host; none otherwise" },
	{ "load", 0, OPTION_LIST, AT(load), 0, 0, NULL, "WHERE", NULL,
	  "let LOAD read files under this folder, or documents of this host ('*': of any "
	  "public one); none otherwise" },
	{ "read-only", 'r', OPTION_FLAG, AT(read_only), 0, 0, NULL, NULL, NULL,
	  "no updates; another process may write meanwhile" },
	{ "timeout", 't', OPTION_TIME, AT(timeout), 0, 0, "60s", "TIME", NULL,
	  "the longest a query may take" },
	{ "memory", 'm', OPTION_BYTES, AT(memory), 0, 0, "2G", "SIZE", NULL,
	  "the most memory a query may take" },
	{ "rows", 'n', OPTION_UINT, AT(rows), 0, 0, "10M", "N", NULL,
	  "the most rows a query may give" },
	OPTION_END
};
#undef AT

static void wait_for_the_end(struct signals *s)
{
	int number = 0;

	while (sigwait(&s->set, &number) != 0)
		;
}

#define TOKEN_BYTES_MAX 4096

static enum status load_token(struct str file, struct buf *to, struct diag *why)
{
	cleanup(buf_release) struct buf path = { 0 };

	if (file.n == 0)
		return ST_OK;
	buf_add(&path, file);
	TRY(file_load(buf_cstr(&path), TOKEN_BYTES_MAX, to, why));
	if (str_trim(buf_str(to)).n == 0)
		return diag_fail(why, ST_SYNTAX, "%s holds no token", buf_cstr(&path));
	return ST_OK;
}

static int serve(const struct command *self, struct kb *k, const struct serve_settings *s)
{
	static const int ends[] = { SIGINT, SIGTERM, 0 };
	cleanup(buf_release) struct buf address = { 0 }, token = BUF(TOKEN_BYTES_MAX);
	struct federation f = { .hosts = &s->service, .timeout_ms = s->timeout };
	struct documents d = { .allowed = &s->load, .timeout_ms = s->timeout };
	struct serve_options o = { .port = (uint16_t)s->port };
	struct kb_server *server;
	struct signals signals;
	struct diag why;
	enum status st;

	buf_add(&address, s->listen);
	o.address = buf_cstr(&address);
	o.protocol.limits = (struct query_limits){ s->timeout, s->memory, s->rows };
	o.protocol.read_only = s->read_only;
	o.protocol.guard =
		(struct guard_rules){ .hosts = s->host.v, .n_hosts = s->host.n };
	o.protocol.guard.token = str_trim(buf_str(&token));
	o.protocol.default_graph = (enum default_graph)s->default_graph;
	o.queries = s->queries;
	o.protocol.service = federation_service(&f);
	o.protocol.loader = documents_loader(&d);
	st = load_token(s->token, &token, &why);
	if (st == ST_OK)
		st = signals_open(&signals, ends, &why);
	if (st == ST_OK)
		st = kb_serve_start(&server, k, &o, &why);
	if (st != ST_OK)
		return kb_complain(self, st, &why);
	fprintf(stderr,
		"http://%s:%u/ - the query page; /sparql and /graphs for programs; ^C "
		"ends\n",
		o.address, kb_serve_port(server));
	wait_for_the_end(&signals);
	kb_serve_stop(server);
	return EXIT_FINE;
}

static int run_serve(const struct command *self, int argc, char **argv)
{
	struct serve_settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);
	struct diag why;
	struct kb k;

	if (code != ARGS_GO)
		return code;
	if (args.n != 1)
		return kb_want(self, "one STORE");
	enum status st =
		kb_open(&k, args.words[0].p,
			&(struct store_options){ .read_only = s.read_only }, &why);
	if (st != ST_OK)
		return kb_complain(self, st, &why);
	code = serve(self, &k, &s);
	str_list_release(&s.service);
	str_list_release(&s.host);
	str_list_release(&s.load);
	kb_close(&k);
	return code;
}

static const struct example serve_examples[] = {
	{ "thresh kb serve facts.kb", "the query page on http://127.0.0.1:7878/" },
	{ "thresh kb serve facts.kb --read-only --port 9000",
	  "while a crawl writes to it" },
	{ NULL, NULL },
};

const struct command kb_serve_command = {
	.name = "kb serve",
	.summary = "serve a knowledge base over HTTP, with a query page",
	.operands = "STORE",
	.about = "The SPARQL 1.1 Protocol at /sparql, the Graph Store Protocol at "
		 "/graphs, what runs at /queries (DELETE ?id=N ends it), and a page for "
		 "people at /. Only this machine can reach it unless --listen says "
		 "otherwise; pages of other sites get nothing. A query ends when its "
		 "client "
		 "is gone.",
	.options = serve_rows,
	.examples = serve_examples,
	.run = run_serve,
};
