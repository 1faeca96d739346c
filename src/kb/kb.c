#include "kb/kb.h"

#include <stdlib.h>
#include <string.h>

#define COSTS_NAME  "costs"
#define COSTS_BYTES 4096

/* Measured where that is missing and may be written; else the standard ones. */
static void load_costs(struct kb *k, const char *dir, bool may_write)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct arena a = { 0 };
	char *path = path_join(&a, dir, STR(COSTS_NAME));

	k->costs = cost_standard;
	if (file_exists(path) && file_load(path, COSTS_BYTES, &b, NULL) == ST_OK &&
	    cost_parse(buf_str(&b), &k->costs)) {
		arena_release(&a);
		return;
	}
	if (may_write) {
		buf_reset(&b);
		cost_calibrate(&k->costs);
		cost_format(&k->costs, &b);
		(void)!file_save(path, buf_str(&b), NULL); /* measured again next time */
	}
	arena_release(&a);
}

enum status kb_open(struct kb *ret, const char *dir, const struct store_options *options,
		    struct diag *why)
{
	struct kb k = { .costs = cost_standard };

	TRY(store_open(&k.store, dir, options, why));
	if (dir)
		load_costs(&k, dir, !options || !options->read_only);
	*ret = k;
	return ST_OK;
}

void kb_close(struct kb *k)
{
	store_close(k->store);
	*k = (struct kb){ 0 };
}

enum status kb_query(struct kb *k, struct str text, struct str base,
		     const struct query_options *options, struct results_writer *to,
		     struct diag *why)
{
	struct query_options o = options ? *options : (struct query_options){ 0 };
	cleanup(request_release) struct request r = { 0 };
	struct snapshot *now;
	enum status st;

	TRY(sparql_parse_query(text, base, &r, why));
	if (!o.costs)
		o.costs = &k->costs;
	now = store_snapshot(k->store);
	st = query_run(now, &r, &o, results_sink(to), why);
	snapshot_release(now);
	TRY(st);
	return results_end(to);
}

enum status kb_update(struct kb *k, struct str text, struct str base,
		      const struct query_options *options, struct update_counts *ret,
		      struct diag *why)
{
	struct query_options o = options ? *options : (struct query_options){ 0 };
	cleanup(request_release) struct request r = { 0 };

	TRY(sparql_parse_update(text, base, &r, why));
	if (!o.costs)
		o.costs = &k->costs;
	return update_run(k->store, &r, &o, ret, why);
}
