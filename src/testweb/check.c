#include "testweb/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "os/thread.h"
#include "testweb/client.h"
#include "testweb/link.h"
#include "testweb/server.h"
#include "testweb/similar.h"
#include "testweb/trap.h"

/* A view of a page must at least be this much like the page; measured 0.25 to 1. */
#define LEAST_LIKE 0.1

struct running {
	struct loop loop;
	struct loop_wake stop;
	struct server server;
	struct thread thread;
};

struct checking {
	struct world *w;
	struct check *c;
	struct check_row *row;
	struct running server;
	struct client_answer answer, canonical;
	struct buf url;
	struct rng rng;
};

static void run_loop(void *arg)
{
	struct running *r = arg;
	struct diag why;

	(void)!loop_run(&r->loop, &why);
}

static void stop_loop(void *arg)
{
	loop_stop(arg);
}

static enum status start(struct running *r, struct world *w, struct diag *why)
{
	TRY(loop_init(&r->loop, &real_clock, why));
	TRY(loop_wake_init(&r->stop, &r->loop, stop_loop, &r->loop, why));
	TRY(server_start(&r->server, w, &r->loop, &(struct server_options){ 0 }, why));
	return thread_start(&r->thread, "testweb", run_loop, r, why);
}

static void stop(struct running *r)
{
	loop_wake_send(&r->stop);
	thread_join(&r->thread);
	server_stop(&r->server);
	loop_wake_release(&r->stop, &r->loop);
	loop_release(&r->loop);
}

static void begin_row(struct checking *k, const char *name)
{
	VEC_ADD(k->c->rows, k->c->n, k->c->cap,
		(struct check_row){ .name = name, .least = 2 });
	k->row = &k->c->rows[k->c->n - 1];
}

static void note(struct checking *k, bool good, const char *what)
{
	k->row->asked++;
	k->row->bytes += k->answer.raw.n;
	if (good)
		return;
	if (k->row->failed++ == 0 && k->c->first_failure[0] == '\0')
		snprintf(k->c->first_failure, sizeof(k->c->first_failure),
			 "%s: %s (status %u)", buf_cstr(&k->url), what, k->answer.status);
}

static bool get(struct checking *k, const struct place *p, struct client_answer *ret,
		const char *fields)
{
	struct diag why;
	const struct site *s = &k->w->sites[p->site];

	buf_reset(&k->url);
	link_write(k->w, p, true, &k->url);
	struct client_request r = {
		.address = s->address,
		.port = k->server.server.port,
		.url = str_slice(buf_str(&k->url), 0,
				 str_find_char(buf_str(&k->url), '#')),
		.fields = str_from(fields),
	};
	return client_get(&r, ret, &why) == ST_OK;
}

static struct place random_item(struct checking *k, unsigned kind)
{
	struct place p = { .view = VIEW_ITEM };
	const struct world *w = k->w;

	for (unsigned tries = 0; tries < 10000; tries++) {
		p.site = (uint32_t)rng_below(&k->rng, w->n_sites);
		const struct site *s = &w->sites[p.site];

		p.item = (uint32_t)rng_below(&k->rng, s->n_items);
		if (s->kind == kind && s->origin == p.site && item_exists(w, s, p.item))
			return p;
	}
	p.site = NO_SITE;
	return p;
}

static void check_pages(struct checking *k, unsigned kind, unsigned sample)
{
	begin_row(k, kind_names[kind]);
	for (unsigned i = 0; i < sample; i++) {
		struct place p = random_item(k, kind);

		if (p.site == NO_SITE)
			return;
		bool came = get(k, &p, &k->answer, "Accept-Encoding: gzip, br, zstd\r\n");
		note(k, came && k->answer.status == 200 && k->answer.whole,
		     "does not come");
	}
}

static void compare(struct checking *k, const struct truth *t)
{
	struct str a = buf_str(&k->answer.body), b = buf_str(&k->canonical.body);
	double like = similar_contents(a, b);

	k->row->least = MIN(k->row->least, like);
	k->row->most = MAX(k->row->most, like);
	if (t->equal)
		note(k, str_eq(a, b), "is not the canonical page byte for byte");
	else
		note(k, like > LEAST_LIKE, "is not like the canonical page");
}

static void check_alias(struct checking *k, struct place p, uint32_t family)
{
	struct place canonical = p;
	struct draft d;
	struct buf goal = { 0 };

	p.alias = family;
	p.nonce = rng_next(&k->rng);
	p.alias = link_draft(k->w, &p, &d);
	if (!p.alias)
		return;
	struct truth t = truth_of(k->w, &p);
	bool came = get(k, &canonical, &k->canonical, "") && get(k, &p, &k->answer, "");
	if (!came || t.class != CLASS_REDIRECT) {
		if (came && k->answer.status == 200)
			compare(k, &t);
		else
			note(k, false, "does not come");
		return;
	}
	link_write(k->w, &canonical, true, &goal);
	note(k,
	     k->answer.status == 301 &&
		     str_eq(client_field(&k->answer, "location"), buf_str(&goal)),
	     "does not lead to the canonical page");
	buf_release(&goal);
}

static void check_family(struct checking *k, unsigned family, unsigned sample)
{
	begin_row(k, alias_names[family]);
	for (unsigned i = 0; i < sample * 30 && k->row->asked < sample; i++) {
		struct place p = random_item(k, i % KIND_MIRROR);

		if (p.site != NO_SITE && link_families(k->w, &p) & 1u << family)
			check_alias(k, p, 1u << family);
	}
}

static void check_mirrors(struct checking *k, unsigned sample)
{
	begin_row(k, "mirror");
	for (uint32_t i = 0; i < k->w->n_sites && k->row->asked < sample; i++) {
		struct place p = { .site = i, .view = VIEW_ITEM }, original = p;

		original.site = k->w->sites[i].origin;
		if (original.site == i)
			continue;
		struct truth t = truth_of(k->w, &p);
		if (get(k, &original, &k->canonical, "") && get(k, &p, &k->answer, ""))
			compare(k, &t);
	}
}

/* Edited copies must be as far from their root as the manifest says, within reason. */
static void check_near(struct checking *k, unsigned sample)
{
	begin_row(k, "edited copies");
	for (unsigned i = 0; i < sample * 200 && k->row->asked < sample; i++) {
		struct place p = random_item(k, i % KIND_MIRROR), root;

		if (p.site == NO_SITE)
			continue;
		struct item_root r = item_root(k->w, p.site, p.item);
		if (!r.edit_permille)
			continue;
		root = (struct place){ .site = r.site,
				       .view = VIEW_ITEM,
				       .item = r.item };
		if (!get(k, &root, &k->canonical, "") || !get(k, &p, &k->answer, ""))
			continue;
		double like = similar_contents(buf_str(&k->answer.body),
					       buf_str(&k->canonical.body));

		k->row->least = MIN(k->row->least, like);
		k->row->most = MAX(k->row->most, like);
		note(k, like > 0.15, "is not like its root");
	}
}

static void check_strangers(struct checking *k, unsigned sample)
{
	begin_row(k, "different pages");
	for (unsigned i = 0; i < sample; i++) {
		struct place a = random_item(k, i % KIND_GALLERY), b = a;

		if (a.site == NO_SITE)
			continue;
		b.item = (a.item + 1 + (uint32_t)rng_below(&k->rng, 100)) %
			 k->w->sites[a.site].n_items;
		struct truth ta = truth_of(k->w, &a), tb = truth_of(k->w, &b);
		if (ta.class != CLASS_PAGE || tb.class != CLASS_PAGE ||
		    ta.cluster == tb.cluster)
			continue;
		if (!get(k, &a, &k->canonical, "") || !get(k, &b, &k->answer, ""))
			continue;
		double like = similar_contents(buf_str(&k->answer.body),
					       buf_str(&k->canonical.body));

		k->row->least = MIN(k->row->least, like);
		k->row->most = MAX(k->row->most, like);
		note(k, like < 0.3, "is too much like another page");
	}
}

static void check_views(struct checking *k, unsigned sample)
{
	static const uint8_t views[] = { VIEW_FRONT, VIEW_ABOUT, VIEW_ROBOTS, VIEW_RSS,
					 VIEW_ATOM };

	begin_row(k, "front, about, robots, feeds");
	for (uint32_t i = 0; i < k->w->n_sites && k->row->asked < sample; i++)
		for (size_t v = 0; v < COUNT(views); v++) {
			struct place p = { .site = i, .view = views[v] };
			bool came = get(k, &p, &k->answer, "Accept-Encoding: gzip\r\n");

			note(k, came && k->answer.status == 200 && k->answer.whole,
			     "does not come");
		}
}

static void check_traps(struct checking *k, unsigned sample)
{
	begin_row(k, "traps");
	for (uint32_t i = 0; i < k->w->n_sites && k->row->asked < sample; i++)
		for (unsigned t = 0; t < TRAPS; t++) {
			struct place p = trap_entry(k->w, i, (enum trap)t, i);
			bool redirects = t == TRAP_LOOP || t == TRAP_LADDER;

			if (!(k->w->sites[i].traps & 1u << t))
				continue;
			bool came = get(k, &p, &k->answer, "");
			note(k, came && k->answer.status == (redirects ? 302 : 200),
			     "is not the trap it should be");
		}
}

static void check_all(struct checking *k, unsigned sample)
{
	for (unsigned kind = 0; kind < KIND_MIRROR; kind++)
		if (k->w->options.kinds & 1u << kind)
			check_pages(k, kind, sample);
	for (unsigned f = 0; f < ALIASES; f++)
		if (1u << f != ALIAS_UNKNOWN && 1u << f != ALIAS_MIRROR &&
		    1u << f != ALIAS_FRAGMENT)
			check_family(k, f, sample);
	check_mirrors(k, sample);
	check_near(k, sample);
	check_strangers(k, sample);
	check_views(k, sample);
	check_traps(k, sample);
}

enum status check_run(struct world *w, unsigned sample, struct check *ret,
		      struct diag *why)
{
	struct checking k = { .w = w, .c = ret, .rng = { w->options.seed } };
	int64_t began = clock_mono_ns(&real_clock);

	*ret = (struct check){ 0 };
	TRY(start(&k.server, w, why));
	check_all(&k, sample);
	stop(&k.server);
	for (size_t i = 0; i < ret->n; i++) {
		ret->asked += ret->rows[i].asked;
		ret->failed += ret->rows[i].failed;
	}
	ret->seconds = (double)(clock_mono_ns(&real_clock) - began) / 1e9;
	client_answer_release(&k.answer);
	client_answer_release(&k.canonical);
	buf_release(&k.url);
	return ST_OK;
}

void check_release(struct check *c)
{
	free(c->rows);
	*c = (struct check){ 0 };
}

void check_write(const struct check *c, struct buf *to)
{
	buf_addf(to, "%-28s %8s %8s %10s  %s\n", "", "requests", "failed", "bytes",
		 "likeness");
	for (size_t i = 0; i < c->n; i++) {
		const struct check_row *r = &c->rows[i];

		if (!r->asked)
			continue;
		buf_addf(to, "%-28s %8llu %8llu %10llu", r->name,
			 (unsigned long long)r->asked, (unsigned long long)r->failed,
			 (unsigned long long)r->bytes);
		if (r->least <= 1)
			buf_addf(to, "  %.2f to %.2f", r->least, r->most);
		buf_add_char(to, '\n');
	}
	buf_addf(to, "%llu requests in %.1f s, %llu failed\n",
		 (unsigned long long)c->asked, c->seconds, (unsigned long long)c->failed);
	if (c->first_failure[0])
		buf_addf(to, "first failure: %s\n", c->first_failure);
}
