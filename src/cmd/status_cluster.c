#include "cmd/status_cluster.h"

#include <stdio.h>

#include "cluster/nodes.h"
#include "cluster/place.h"
#include "cmd/command.h"

static const char *phase_word(const struct node_row *r)
{
	static const char *const words[] = { "busy", "quiet", "settled", "ended" };

	if (r->phase == NODE_OVER)
		return words[NODE_OVER];
	return r->age_ms < NODE_ALIVE_MS ? words[r->phase] : "silent";
}

static void print_node(const struct node_row *r, uint32_t partitions)
{
	unsigned owned = 0;

	for (uint32_t p = 0; p < partitions; p++)
		owned += r->owned[p] != 0;
	printf("%-28.*s %-8s %10u %10llu %10llu %9llu %9llu %8.1f\n", STR_ARG(r->name),
	       phase_word(r), owned, (unsigned long long)r->pages,
	       (unsigned long long)r->queued, (unsigned long long)r->in_flight,
	       (unsigned long long)r->leases, (double)r->age_ms / 1000);
}

static enum status show(const struct cluster_place *place, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(sql_close) struct sql *db = NULL;
	struct node_view v;

	TRY(sql_open(&db, place->database, why));
	TRY(nodes_open(db, why));
	TRY(nodes_read(db, str_from(place->name), &a, &v, why));
	if (v.n == 0)
		return diag_fail(why, ST_NOT_FOUND, "no node of the crawl %s was here",
				 place->name);
	printf("%-28s %-8s %10s %10s %10s %9s %9s %8s\n", "node", "state", "partitions",
	       "pages", "queued", "in flight", "addresses", "said s");
	for (size_t i = 0; i < v.n; i++)
		print_node(&v.v[i], place->partitions);
	return ST_OK;
}

int status_cluster(struct str places)
{
	struct cluster_place place;
	struct diag why;
	enum status st = cluster_place_parse(places, &place, &why);

	if (st == ST_OK) {
		st = show(&place, &why);
		cluster_place_release(&place);
	}
	if (st == ST_OK)
		return EXIT_FINE;
	fprintf(stderr, "thresh status: %s\n", why.text);
	return st == ST_SYNTAX ? EXIT_USAGE : EXIT_FAILED;
}
