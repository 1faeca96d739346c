/* bench_testweb.c - how fast the test web makes answers, without the network around it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "os/clock.h"
#include "testweb/deliver.h"
#include "testweb/link.h"

#define ROUNDS 20000u

static struct world w;
static struct memory m;
static struct answer a;
static struct buf url, out;

/* One answer for a random item of a site of `kind`; its bytes. */
static size_t ask(struct rng *r, unsigned kind)
{
	struct place p = { .view = VIEW_ITEM };
	struct draft d;
	struct asked asked = { .request = { .method = STR("GET"), .keep_alive = true } };
	char host[80];

	do
		p.site = (uint32_t)rng_below(r, w.n_sites);
	while (w.sites[p.site].kind != kind);
	p.item = (uint32_t)rng_below(r, w.sites[p.site].n_items);
	link_draft(&w, &p, &d);
	buf_reset(&url);
	draft_write(&d, &url);
	int n = snprintf(host, sizeof(host), "%s" STR_FMT, d.host_prefix,
			 STR_ARG(site_name(&w.sites[p.site])));
	asked.https = d.https;
	asked.request.host = (struct str){ host, (size_t)n };
	asked.request.target = buf_str(&url);
	buf_reset(&out);
	answer_make(&w, &m, &asked, &a);
	deliver(&a, &asked, &out);
	return out.n;
}

int main(int argc, char **argv)
{
	struct world_options o;
	struct diag why;
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : ROUNDS;

	world_options_default(&o);
	o.hosts = 256;
	o.pages = 100000;
	if (world_init(&w, &o, &why) != ST_OK)
		return fprintf(stderr, "%s\n", why.text), 1;
	memory_init(&m, &w);
	printf("%-10s %12s %12s %12s\n", "kind", "bytes/page", "us/page", "pages/s");
	for (unsigned kind = 0; kind < KIND_MIRROR; kind++) {
		struct rng r = { kind };
		uint64_t bytes = 0;
		int64_t start = cpu_time_ns();

		for (unsigned i = 0; i < rounds; i++)
			bytes += ask(&r, kind);
		double us = (double)(cpu_time_ns() - start) / 1e3 / rounds;
		printf("%-10s %12.0f %12.2f %12.0f\n", kind_names[kind],
		       (double)bytes / rounds, us, 1e6 / us);
	}
	memory_release(&m);
	answer_release(&a);
	world_release(&w);
	buf_release(&url);
	buf_release(&out);
	return 0;
}
