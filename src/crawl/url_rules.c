#include "crawl/url_rules.h"

#include "base/alloc.h"
#include "base/log.h"
#include "crawl/internal.h"
#include "dust/online.h"

#define STEP_MS 50

static char *folder(struct crawl *c, struct arena *a)
{
	return path_join(a, c->dir, STR("rules"));
}

enum status url_rules_open(struct crawl *c, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct online_options o = online_standard;

	if (!c->settings->url_rules)
		return ST_OK;
	o.seed = c->settings->random_seed;
	c->rules = dust_online_new(&o);
	return dust_online_load(c->rules, folder(c, &a), why);
}

static struct str rule_text(struct crawl *c, uint32_t rule)
{
	const struct rule_set *s = dust_online_rules(c->rules);

	return rule < s->n ? s->v[rule].text : STR("");
}

/* A key of its own for a URL that is asked for although its page is known. */
static void rename_key(struct crawl_item *i, struct discovery *d, struct str suffix)
{
	cleanup(buf_release) struct buf key = { 0 };

	buf_add(&key, d->url);
	buf_add(&key, suffix);
	d->key = arena_copy(&i->arena, buf_str(&key));
	d->hash = hash128(d->key);
	d->rule = STR("");
}

enum status url_rules_key(struct crawl *c, struct crawl_item *i, struct discovery *links,
			  size_t *n, struct diag *why)
{
	struct online_key k;
	size_t kept = 0;

	for (size_t l = 0; c->rules && l < *n; l++) {
		bool known = false;

		dust_online_key(c->rules, links[l].url, &k);
		links[kept] = links[l];
		if (k.n_rules > 0) {
			struct discovery *d = &links[kept];

			/* Rules come and go: what was asked by its own name stays known.
			 */
			TRY(frontier_note(&c->frontier, hash128(d->url), &known, why));
			d->key = arena_copy(&i->arena, k.key);
			d->hash = hash128(k.key);
			d->rule = arena_copy(&i->arena, rule_text(c, k.rule[0]));
		}
		c->counts.known += known;
		kept += !known;
	}
	if (c->rules)
		*n = kept;
	return ST_OK;
}

static void skip(struct crawl *c, struct crawl_item *i, const struct discovery *l,
		 const struct online_key *k)
{
	c->counts.rule_skips++;
	ledger_add(&i->ledger,
		   &(struct ledger_line){ .url = l->url,
					  .via = l->via,
					  .stage = STR("rules"),
					  .rule = l->rule,
					  .detail = k->representative,
					  .key = k->key,
					  .code = FETCH_CUSTOM,
					  .now_ms = clock_wall_ms(c->clock) });
}

size_t url_rules_settle(struct crawl *c, struct crawl_item *i,
			const struct discovery *links, size_t n,
			const struct frontier_decision *d, struct discovery *again)
{
	struct online_key k;
	size_t more = 0;

	for (size_t l = 0; c->rules && l < n; l++) {
		bool known = d[l].verdict == FRONTIER_KNOWN;

		if (links[l].rule.n == 0 || (!known && d[l].verdict != FRONTIER_QUEUED))
			continue;
		dust_online_key(c->rules, links[l].url, &k);
		enum online_decision decision =
			dust_online_decide(c->rules, links[l].url, &k, known);
		if (!known)
			continue; /* queued: it will prove or refute by itself */
		switch (decision) {
		case ONLINE_SKIP:
			skip(c, i, &links[l], &k);
			break;
		case ONLINE_PROBE:
		case ONLINE_EXPLORE:
			again[more] = links[l];
			rename_key(i, &again[more++], STR("#probe"));
			break;
		case ONLINE_NEW:
		case ONLINE_SEEN:
			break;
		}
	}
	return more;
}

void url_rules_learn(struct crawl *c, const struct crawl_item *i)
{
	const struct fetch_task *t = &i->step.task;

	if (!c->rules || t->kind == FETCH_ROBOTS)
		return;
	if (i->result.code >= 300 && i->result.code < 400 && i->n_links == 1)
		dust_online_same(c->rules, t->url, i->links[0].url);
	if (i->result.code != 200 || i->content == 0)
		return;
	dust_online_page(c->rules, t->url, i->content);
	if (i->canonical.n > 0 && !str_eq(i->canonical, t->url))
		dust_online_same(c->rules, t->url, i->canonical);
}

/* What a contradicted rule skipped is offered again, under its own name. */
static void bring_back(struct crawl *c, const struct online_retraction *r)
{
	struct crawl_item *note = crawl_note(c);
	struct discovery *d = arena_alloc(&note->arena, (r->n + 1) * sizeof(*d));
	struct diag why;

	for (size_t k = 0; k < r->n; k++) {
		struct str url = arena_copy(&note->arena, r->urls[k]);

		d[k] = (struct discovery){ .url = url,
					   .via = url,
					   .depth = 1,
					   .hop = HOP_INFERRED,
					   .priority = 150 };
		rename_key(note, &d[k], STR("#again"));
	}
	log_event(LOG_INFO, "rule", "retracted: " STR_FMT "; %zu URLs come back",
		  STR_ARG(rule_text(c, r->rule)), r->n);
	for (size_t k = 0; k < r->n; k++) {
		enum status st = crawl_offer(c, note, &(struct frontier_page){ 0 }, &d[k],
					     1, &why);
		if (st != ST_OK)
			crawl_fail(c, st, &why);
	}
}

void url_rules_step(struct crawl *c)
{
	struct online_retraction r;
	int64_t now = clock_mono_ms(c->clock);

	if (!c->rules || now < c->next_rules_ms)
		return;
	c->next_rules_ms = now + STEP_MS;
	dust_online_step(c->rules);
	while (dust_online_next_retraction(c->rules, &r))
		bring_back(c, &r);
}

enum status url_rules_save(struct crawl *c, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };

	if (!c->rules)
		return ST_OK;
	TRY(dir_make(folder(c, &a), why));
	return dust_online_save(c->rules, folder(c, &a), why);
}
