#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

#include "base/json.h"
#include "cmd/args.h"
#include "cmd/commands.h"
#include "cmd/warc_files.h"
#include "cmd/warc_tools.h"
#include "os/signals.h"
#include "replay/mirror.h"
#include "replay/server.h"

/* Damage costs what stands behind it, and is told. */
static enum status load(const struct command *self, struct args *args,
			struct warc_files *files, struct captures *ret, int *code,
			struct diag *why)
{
	TRY(warc_files_find(files, args, why));
	for (size_t i = 0; i < files->n; i++)
		if (captures_add_file(ret, files->v[i], why) != ST_OK)
			*code = warc_complain(self, why, EXIT_PARTIAL);
	captures_sort(ret);
	if (ret->n == 0)
		return diag_fail(why, ST_NOT_FOUND, "there is no capture to show");
	return ST_OK;
}

/* --- replay --- */

struct replay_settings {
	uint64_t port;
};

static const struct option_row replay_options[] = {
	OPTION(UINT, "port", offsetof(struct replay_settings, port), .letter = 'p',
	       .max = 65535, .standard = "7880", .value = "N",
	       .help = "listen here; 0 takes any free port"),
	OPTION_END
};

static int serve(const struct command *self, const struct captures *c, uint16_t port)
{
	static const int ends[] = { SIGINT, SIGTERM, 0 };
	struct replay_server *server;
	struct signals signals;
	struct diag why;
	int number = 0;

	if (signals_open(&signals, ends, &why) != ST_OK ||
	    replay_start(&server, c, port, &why) != ST_OK)
		return warc_complain(self, &why, EXIT_FAILED);
	fprintf(stderr, "http://localhost:%u/ - %zu captures; ^C ends\n",
		replay_port(server), c->n);
	while (sigwait(&signals.set, &number) != 0)
		;
	replay_stop(server);
	return EXIT_FINE;
}

static int run_replay(const struct command *self, int argc, char **argv)
{
	cleanup(args_release) struct args args = { 0 };
	cleanup(warc_files_release) struct warc_files files = { 0 };
	cleanup(captures_release) struct captures c = { 0 };
	struct replay_settings s = { 0 };
	struct diag why;
	int code = args_parse(self, argc, argv, &s, &args), partial = EXIT_FINE;

	if (code != ARGS_GO)
		return code;
	if (load(self, &args, &files, &c, &partial, &why) != ST_OK)
		return warc_complain(self, &why, EXIT_USAGE);
	code = serve(self, &c, (uint16_t)s.port);
	return code == EXIT_FINE ? partial : code;
}

static const struct example replay_examples[] = {
	{ "thresh warc replay example.org/",
	  "look at a crawl on http://localhost:7880/" },
	{ "thresh warc replay a.warc.gz b.warc.gz --port 9000", "any WARC files" },
	{ NULL, NULL },
};

const struct command cmd_warc_replay = {
	.name = "warc replay",
	.summary = "serve an archive, to look at it in a browser",
	.operands = "FILE|DIR...",
	.about = "Archived pages are shown in a frame with the date of the capture. Each "
		 "archived host has a name of its own under localhost, which browsers "
		 "lead to this machine, so that pages find their paths as they were; "
		 "links and style sheets are rewritten, and what scripts request goes to "
		 "the archive. Nothing is requested from the web: policies sent with "
		 "every page keep the browser from it, too. What is not in the archive "
		 "is answered with 404. Only this machine is served.",
	.options = replay_options,
	.examples = replay_examples,
	.run = run_replay,
};

/* --- mirror --- */

struct mirror_settings {
	bool json;
};

static const struct option_row mirror_options[] = {
	OPTION(FLAG, "json", offsetof(struct mirror_settings, json),
	       .help = "print the counts as JSON"),
	OPTION_END
};

static void print_counts(const struct mirror_counts *n, const char *out, bool json)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	if (!json) {
		printf("%" PRIu64 " files in %s, of them %" PRIu64 " pages (%" PRIu64
		       " as rendered), %.1f MB\n",
		       n->files, out, n->pages, n->rendered, (double)n->bytes / 1e6);
		return;
	}
	json_open(&o, '{');
	json_put_str(&o, "out", str_from(out));
	json_put_uint(&o, "files", n->files);
	json_put_uint(&o, "pages", n->pages);
	json_put_uint(&o, "rendered", n->rendered);
	json_put_uint(&o, "bytes", n->bytes);
	json_put_uint(&o, "failed", n->failed);
	json_close(&o, '}');
	printf(STR_FMT "\n", STR_ARG(buf_str(&b)));
}

static int run_mirror(const struct command *self, int argc, char **argv)
{
	cleanup(args_release) struct args args = { 0 };
	cleanup(warc_files_release) struct warc_files files = { 0 };
	cleanup(captures_release) struct captures c = { 0 };
	struct mirror_settings s = { 0 };
	struct mirror_counts n;
	struct diag why;
	int code = args_parse(self, argc, argv, &s, &args), partial = EXIT_FINE;

	if (code != ARGS_GO)
		return code;
	if (args.n < 2) {
		fprintf(stderr, "thresh mirror: FILE|DIR and OUT are wanted\n");
		return EXIT_USAGE;
	}
	const char *out = args.words[--args.n].p;
	if (load(self, &args, &files, &c, &partial, &why) != ST_OK)
		return warc_complain(self, &why, EXIT_USAGE);
	if (mirror_write(&c, out, &n, &why) != ST_OK)
		return warc_complain(self, &why, EXIT_FAILED);
	print_counts(&n, out, s.json);
	return n.failed ? EXIT_PARTIAL : partial;
}

static const struct example mirror_examples[] = {
	{ "thresh mirror example.org/ copy/", "then open copy/example.org/index.html" },
	{ NULL, NULL },
};

const struct command cmd_mirror = {
	.name = "mirror",
	.summary = "write an archive as a folder for reading offline",
	.operands = "FILE|DIR... OUT",
	.about = "The newest answer of each URL becomes the file OUT/HOST/PATH. Links to "
		 "what is there are relative, others lead to the web. A page whose "
		 "rendered document was stored (crawl --save-dom) is written as it was "
		 "rendered, without its scripts.",
	.options = mirror_options,
	.examples = mirror_examples,
	.run = run_mirror,
};
