#include "cmd/crawl_replay.h"

#include <stdio.h>

#include "base/json.h"
#include "cmd/command.h"

static void print_json(const struct replay_result *r)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	json_open(&o, '{');
	json_put_bool(&o, "equal", r->is_equal);
	json_put_uint(&o, "transitions", r->transitions);
	json_put_uint(&o, "records", r->records);
	json_put_uint(&o, "processes", r->processes);
	if (!r->is_equal)
		json_put_str(&o, "difference", buf_str(&r->difference));
	if (r->rest.n > 0)
		json_put_str(&o, "rest", buf_str(&r->rest));
	json_close(&o, '}');
	printf(STR_FMT "\n", STR_ARG(buf_str(&b)));
}

static void print_words(const struct replay_result *r)
{
	if (r->is_equal)
		printf("%llu transitions, all equal\n",
		       (unsigned long long)r->transitions);
	else
		printf("%llu transitions are equal, then record %llu differs:\n" STR_FMT
		       "\n",
		       (unsigned long long)r->transitions,
		       (unsigned long long)r->records + 1,
		       STR_ARG(buf_str(&r->difference)));
	if (r->rest.n > 0)
		printf(STR_FMT "\n", STR_ARG(buf_str(&r->rest)));
}

int crawl_replay_run(const struct crawl_start *s, const struct replay_options *options)
{
	cleanup(replay_result_release) struct replay_result r = { 0 };
	struct diag why = { { 0 } };

	if (!s->resumes) {
		fprintf(stderr, "thresh crawl: --replay needs the folder of a crawl\n");
		return EXIT_USAGE;
	}
	if (replay_crawl(s->dir, &s->seeds, options, &r, &why) != ST_OK) {
		fprintf(stderr, "thresh crawl: %s\n", why.text);
		return EXIT_FAILED;
	}
	if (s->settings.json)
		print_json(&r);
	else
		print_words(&r);
	return !r.is_equal ? EXIT_DIFFERENT : r.rest.n > 0 ? EXIT_PARTIAL : EXIT_FINE;
}
