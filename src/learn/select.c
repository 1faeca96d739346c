#include "learn/select.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "learn/doubt.h"
#include "learn/prune.h"
#include "url/suffix.h"

/* Kinds of rules that tell the noise of labels are good at least so often, to one. */
#define TELLING_ODDS 10
/* A rule that holds everywhere is left out where it is good less probably than this: to
 * fetch a page twice is cheaper than to lose one. */
#define EXCEPT 0.75

/* What a rule did on one host. */
struct site_count {
	uint32_t host;
	uint64_t pairs, wrong;
	struct joins joins;
	uint64_t keys; /* groups with right joins */
	double good;   /* with `doubt`: how probably the rule is good here */
	double next;   /* while that is made */
};

struct lent {
	double good;
	uint32_t n, for_it, against; /* hosts */
};

struct selecting {
	const struct rule_set *candidates;
	const struct groups *groups;
	const struct url_set *urls;
	const struct learn_options *o;
	struct doubt doubt;
	struct site_count *sites; /* of the rule at hand */
	size_t n_sites, sites_cap;
	uint32_t *site_of;      /* host -> place in `sites` + 1, or 0 */
	uint32_t *bare_of;      /* host -> the first host of the same name without www. */
	uint32_t *domain_of;    /* host -> the first host of the same domain */
	struct lent *by_domain; /* what the hosts of a domain say of the rule at hand */
	uint32_t *counted; /* cluster -> the last rule that it was counted for, + 1 */
	struct str *names; /* of hosts, while a list is made */
	size_t names_cap;
};

/* An operation does at www.a.org what it does at a.org; a rewrite knows hosts. */
static uint32_t site_host(const struct selecting *s, const struct rule_group *g)
{
	return s->o->doubt && s->candidates->v[g->rule].is_operation ? s->bare_of[g->host]
								     : g->host;
}

/* Places in a set are grouped by cluster, and members are in order. */
static void count_joins(struct selecting *s, const struct rule_group *g, struct joins *to)
{
	const uint32_t *v = s->groups->members + g->first;

	for (uint32_t i = 0; i < g->n;) {
		uint32_t from = i, cluster = s->urls->v[v[i]].cluster;

		while (i < g->n && s->urls->v[v[i]].cluster == cluster)
			i++;
		to->right += i - from - 1;
		to->wrong += from > 0;
		if (i - from > 1 && s->counted[cluster] != g->rule + 1) {
			s->counted[cluster] = g->rule + 1;
			to->sources++;
		}
	}
}

/* What an alias joins at one of its hosts alone it joins by dropping "www.". */
static bool is_of_one_host(const struct selecting *s, const struct rule_group *g)
{
	const uint32_t *v = s->groups->members + g->first;
	const struct rule *r = &s->candidates->v[g->rule];

	if (!s->o->doubt || !r->is_operation || r->operation.kind != OPERATION_HOST)
		return false;
	for (uint32_t i = 1; i < g->n; i++)
		if (s->bare_of[s->urls->v[v[i]].host] !=
		    s->bare_of[s->urls->v[v[0]].host])
			return false;
	return true;
}

static void count_sites(struct selecting *s, size_t from, size_t to)
{
	for (size_t i = 0; i < s->n_sites; i++)
		s->site_of[s->sites[i].host] = 0;
	s->n_sites = 0;
	for (size_t i = from; i < to; i++) {
		const struct rule_group *g = &s->groups->v[i];
		uint32_t host = site_host(s, g);
		uint32_t *at = &s->site_of[host];

		if (is_of_one_host(s, g))
			continue;
		if (*at == 0) {
			VEC_ADD(s->sites, s->n_sites, s->sites_cap,
				(struct site_count){ .host = host });
			*at = (uint32_t)s->n_sites;
		}
		struct site_count *c = &s->sites[*at - 1];
		c->pairs += g->pairs;
		c->wrong += g->wrong;
		if (s->o->doubt) {
			uint64_t before = c->joins.right;

			count_joins(s, g, &c->joins);
			c->keys += c->joins.right > before;
		}
	}
	/* All of one key are one observation, whatever clusters they come from. */
	for (size_t i = 0; i < s->n_sites; i++)
		s->sites[i].joins.sources =
			MIN(s->sites[i].joins.sources, s->sites[i].keys);
}

/*
 * Sites lend each other their evidence for an operation, as if so many more sites had the
 * odds of its kind; but not the hosts of one domain, which one program serves.  A
 * rewrite that has the same text elsewhere is another rule.
 */
#define PRIOR_SITES 2
#define LENT_MOST   10
#define ROUNDS      3

static struct lent *domain_at(const struct selecting *s, const struct site_count *c)
{
	return &s->by_domain[s->domain_of[c->host]];
}

/* What all sites say together; that of each domain is kept apart. */
static struct lent sum_lent(struct selecting *s)
{
	struct lent all = { 0 };

	for (size_t i = 0; i < s->n_sites; i++)
		*domain_at(s, &s->sites[i]) = (struct lent){ 0 };
	for (size_t i = 0; i < s->n_sites; i++) {
		struct lent *d = domain_at(s, &s->sites[i]);

		d->good += s->sites[i].good;
		d->n++;
		all.good += s->sites[i].good;
		all.n++;
	}
	return all;
}

static void lend(struct selecting *s, double prior)
{
	struct lent all = sum_lent(s);

	for (size_t i = 0; i < s->n_sites; i++) {
		struct site_count *c = &s->sites[i];
		const struct lent *own = domain_at(s, c);
		double good = PRIOR_SITES * odds_to_share(prior) + all.good - own->good;
		double share = good / (PRIOR_SITES + (double)(all.n - own->n));
		double odds = MIN(share / (1 - share), MAX(prior, LENT_MOST));

		c->next = odds_to_share(odds * doubt_ratio(&s->doubt, &c->joins));
	}
	for (size_t i = 0; i < s->n_sites; i++)
		s->sites[i].good = s->sites[i].next;
}

static void judge_sites(struct selecting *s, const struct rule *r)
{
	double prior = doubt_prior(r, r->universal);

	for (size_t i = 0; i < s->n_sites; i++)
		s->sites[i].good =
			odds_to_share(prior * doubt_ratio(&s->doubt, &s->sites[i].joins));
	for (int i = 0; i < ROUNDS && r->is_operation && !r->universal; i++)
		lend(s, prior);
}

static bool is_against(const struct selecting *s, const struct site_count *c)
{
	if (s->o->doubt)
		return c->good < 0.5;
	return (double)c->wrong > s->o->fpr_max * (double)c->pairs;
}

/* Whether a rule that does not hold everywhere is believed here. */
static bool is_for(const struct selecting *s, const struct site_count *c)
{
	return s->o->doubt ? 1 - c->good <= DOUBT_BAD_MAX : !is_against(s, c);
}

static bool names_its_hosts(const struct rule *r)
{
	return r->is_operation && (r->operation.kind == OPERATION_HOST ||
				   r->operation.kind == OPERATION_SUBDOMAIN);
}

static size_t count_against(const struct selecting *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_sites; i++)
		n += is_against(s, &s->sites[i]);
	return n;
}

/* Sites for and against the rule; with doubt those of one domain have one voice. */
static void count_domains(struct selecting *s, size_t *ret_for, size_t *ret_against)
{
	size_t for_it = 0, against = 0;

	if (s->o->doubt)
		sum_lent(s);
	for (size_t i = 0; i < s->n_sites; i++) {
		const struct site_count *c = &s->sites[i];
		struct lent none = { 0 }, *d = s->o->doubt ? domain_at(s, c) : &none;

		for_it += is_for(s, c) && d->for_it++ == 0;
		against += is_against(s, c) && d->against++ == 0;
	}
	*ret_for = for_it;
	*ret_against = against;
}

/*
 * Enough sites confirm it, and those against it are within the allowed rate, or so few
 * that the next site is as likely to agree as after `least` sites with none against:
 * Laplace's rule of succession gives (against + 1) / (for_it + against + 2) for a
 * failure there, which must not pass 1 / (least + 2).  Labels are noisy; one doubtful
 * page among a hundred sites says less than the three that are believed otherwise.
 */
static bool is_universal(struct selecting *s, const struct rule *r)
{
	size_t against = 0, for_it = 0;
	size_t least = s->o->universal_sites;

	if (names_its_hosts(r) || r->universal) /* the second: known before */
		return true;
	count_domains(s, &for_it, &against);
	if (!r->is_operation || least == 0 || for_it < least)
		return false;
	return (double)against <= s->o->fpr_max * (double)s->n_sites ||
	       for_it >= least + (least + 1) * against;
}

static struct str host_name(const struct selecting *s, const struct site_count *c)
{
	return intern_str(&s->urls->hosts, c->host);
}

static bool is_exception(const struct selecting *s, const struct site_count *c)
{
	return s->o->doubt ? c->good < EXCEPT : is_against(s, c);
}

/* By name the hosts where a universal rule is left out, or where another one is not
 * believed. */
static size_t names_against(struct selecting *s, bool is_universal)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_sites; i++) {
		const struct site_count *c = &s->sites[i];

		if (is_universal ? is_exception(s, c) : !is_for(s, c)) {
			VEC_RESERVE(s->names, s->names_cap, n + 1);
			s->names[n++] = host_name(s, c);
		}
	}
	return n;
}

static void drop_sites_against(struct selecting *s, struct rule_set *in, struct rule *r)
{
	struct rule against = { .is_operation = r->is_operation };
	size_t n = names_against(s, false), kept = 0;

	if (n == 0)
		return;
	rule_set_sites(in, &against, s->names, n);
	VEC_RESERVE(s->names, s->names_cap, (size_t)r->n_sites + 1);
	for (size_t i = 0; i < r->n_sites; i++)
		if (!rule_covers(&against, r->sites[i]))
			s->names[kept++] = r->sites[i];
	rule_set_sites(in, r, s->names, kept);
}

static void set_reach(struct selecting *s, struct rule_set *in, struct rule *r)
{
	if (is_universal(s, r)) {
		r->universal = true;
		rule_set_except(in, r, s->names, names_against(s, true));
	} else {
		drop_sites_against(s, in, r);
	}
}

/* Aliases name their hosts and are not parted by site: all their joins are one. */
static bool alias_is_good(struct selecting *s, const struct rule *r)
{
	struct joins all = { 0 };

	for (size_t i = 0; i < s->n_sites; i++) {
		all.right += s->sites[i].joins.right;
		all.wrong += s->sites[i].joins.wrong;
		all.sources += s->sites[i].joins.sources;
	}
	double odds = doubt_prior(r, false) * doubt_ratio(&s->doubt, &all);
	return 1 - odds_to_share(odds) <= DOUBT_BAD_MAX;
}

static bool has_support(const struct selecting *s, const struct rule *r)
{
	const struct rule_evidence *e = &r->evidence;
	/* A mirror is told by one page, as candidate_least() has it. */
	uint64_t least = s->o->doubt && names_its_hosts(r) ? 1 : s->o->min_support;

	if (e->support < least || e->support <= e->wrong)
		return false;
	/* With doubt each site was asked. */
	return s->o->doubt || (double)e->wrong <= s->o->fpr_max * (double)e->support;
}

/* Decide the reach of the rule and count its evidence within it. */
static bool holds(struct selecting *s, struct rule_set *in, struct rule *r)
{
	struct rule_evidence *e = &r->evidence;
	bool known = r->universal;

	if (s->o->doubt)
		judge_sites(s, r);
	size_t against = count_against(s);
	if (s->o->families)
		set_reach(s, in, r);
	for (size_t i = 0; i < s->n_sites; i++) {
		if (s->o->families && !rule_covers(r, host_name(s, &s->sites[i])))
			continue;
		e->support += s->sites[i].pairs;
		e->wrong += s->sites[i].wrong;
	}
	if (known)
		return against <= s->n_sites - against;
	if (s->o->doubt && names_its_hosts(r) && !alias_is_good(s, r))
		return false;
	return has_support(s, r);
}

/* A candidate that holds, and its groups. */
struct holding {
	struct rule rule;
	size_t from, to;
	bool known;
};

struct holdings {
	struct holding *v;
	size_t n, cap;
};

static int cmp_holdings(const void *a, const void *b)
{
	return rule_cmp(&((const struct holding *)a)->rule,
			&((const struct holding *)b)->rule);
}

/* The groups of a rule as far as it reaches; all of them, but for families. */
static struct group_span add_reached(const struct selecting *s, const struct holding *h,
				     struct groups *to)
{
	struct group_span span = { to->n, 0 };

	for (size_t i = h->from; i < h->to; i++)
		if (rule_covers(&h->rule,
				intern_str(&s->urls->hosts, s->groups->v[i].host)))
			VEC_ADD(to->v, to->n, to->cap, s->groups->v[i]);
	span.to = to->n;
	return span;
}

static void keep_needed(const struct selecting *s, struct holdings *h,
			struct rule_set *ret)
{
	bool *redundant = xcalloc(h->n + 1, sizeof(*redundant));
	struct group_span *spans = xrealloc(NULL, h->n + 1, sizeof(*spans));
	struct groups reached = { .members = s->groups->members };

	if (h->n > 1)
		qsort(h->v, h->n, sizeof(*h->v), cmp_holdings);
	for (size_t i = 0; i < h->n; i++)
		spans[i] = s->o->families
				   ? add_reached(s, &h->v[i], &reached)
				   : (struct group_span){ h->v[i].from, h->v[i].to };
	prune(s->o->families ? &reached : s->groups, spans, h->n, s->urls->n, redundant);
	for (size_t i = 0; i < h->n; i++)
		/* On other sites than these a known rule does what the better one may
		 * not. */
		if (!redundant[i] || (s->o->doubt && h->v[i].known))
			rule_set_copy(ret, &h->v[i].rule);
	free(reached.v);
	free(spans);
	free(redundant);
}

/* What is known and met no URL of the validation set is believed as before. */
static void add_untried(const struct rule_set *candidates, const bool *tried,
			struct holdings *h)
{
	for (size_t i = 0; i < candidates->n; i++)
		if (candidates->v[i].universal && !tried[i])
			VEC_ADD(h->v, h->n, h->cap,
				(struct holding){ candidates->v[i], 0, 0, true });
}

static size_t end_of_rule(const struct groups *g, size_t i)
{
	size_t from = i;

	while (i < g->n && g->v[i].rule == g->v[from].rule)
		i++;
	return i;
}

static bool tells_noise(const struct rule *r)
{
	return doubt_prior(r, r->universal) >= TELLING_ODDS;
}

static double sample_noise(struct selecting *s)
{
	struct noise_sample sample = { .agreed = s->urls->agreed,
				       .disagreed = s->urls->disagreed };
	const struct groups *g = s->groups;

	for (size_t i = 0, end; i < g->n; i = end) {
		end = end_of_rule(g, i);
		if (!tells_noise(&s->candidates->v[g->v[i].rule]))
			continue;
		count_sites(s, i, end);
		for (size_t k = 0; k < s->n_sites; k++)
			VEC_ADD(sample.v, sample.n, sample.cap, s->sites[k].joins);
	}
	double noise = noise_estimate(&sample);
	noise_sample_release(&sample);
	for (size_t c = 0; c < s->urls->n_clusters; c++)
		s->counted[c] = 0;
	return noise;
}

double learn_noise_of(const struct rule_set *rules)
{
	struct noise_sample all = { 0 };

	for (size_t i = 0; i < rules->n; i++) {
		const struct rule *r = &rules->v[i];

		if (!r->is_operation || !tells_noise(r))
			continue;
		all.disagreed += r->evidence.wrong;
		all.agreed += r->evidence.support - r->evidence.wrong;
	}
	return noise_estimate(&all);
}

/* For each host the first whose name has the same part. */
static void find_first(const struct intern *hosts, struct str (*part)(struct str),
		       uint32_t *ret)
{
	struct map by_name = { 0 };

	for (uint32_t h = 0; h < hosts->n; h++) {
		uint64_t *first =
			map_add(&by_name, hash64(part(intern_str(hosts, h))), NULL);

		if (*first == 0)
			*first = h + 1;
		ret[h] = (uint32_t)*first - 1;
	}
	map_release(&by_name);
}

static void start_selecting(struct selecting *s, double *ret_noise)
{
	const struct intern *hosts = &s->urls->hosts;

	s->site_of = xcalloc(hosts->n + 1, sizeof(*s->site_of));
	if (!s->o->doubt)
		return;
	s->bare_of = xcalloc(hosts->n + 1, sizeof(*s->bare_of));
	s->domain_of = xcalloc(hosts->n + 1, sizeof(*s->domain_of));
	s->by_domain = xcalloc(hosts->n + 1, sizeof(*s->by_domain));
	s->counted = xcalloc(s->urls->n_clusters + 1, sizeof(*s->counted));
	find_first(hosts, bare_host, s->bare_of);
	find_first(hosts, suffix_site, s->domain_of);
	s->doubt.fpr = s->o->fpr_max;
	s->doubt.noise = s->o->noise;
	if (s->o->noise <= 0)
		*ret_noise = s->doubt.noise = sample_noise(s);
}

static void stop_selecting(struct selecting *s)
{
	free(s->sites);
	free(s->names);
	free(s->site_of);
	free(s->bare_of);
	free(s->domain_of);
	free(s->by_domain);
	free(s->counted);
}

void learn_select(const struct rule_set *candidates, const struct groups *groups,
		  const struct url_set *urls, const struct learn_options *options,
		  struct rule_set *ret, struct learn_report *report)
{
	struct selecting s = { candidates, groups, urls, options };
	struct rule_set in = { 0 }; /* memory for the lists of sites */
	struct holdings h = { 0 };
	bool *tried = xcalloc(candidates->n + 1, sizeof(*tried));

	start_selecting(&s, &report->noise);
	for (size_t from = 0, end; from < groups->n; from = end) {
		struct rule r = candidates->v[groups->v[from].rule];

		end = end_of_rule(groups, from);
		tried[groups->v[from].rule] = true;
		count_sites(&s, from, end);
		bool known = r.universal;
		if (holds(&s, &in, &r))
			VEC_ADD(h.v, h.n, h.cap, (struct holding){ r, from, end, known });
	}
	add_untried(candidates, tried, &h);
	free(tried);
	report->valid += h.n;
	keep_needed(&s, &h, ret);
	report->kept = ret->n;
	free(h.v);
	stop_selecting(&s);
	rule_set_release(&in);
}
