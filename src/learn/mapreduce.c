#include "learn/mapreduce.h"

#include <stdlib.h>

#include "align/clusters.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "dust/index.h"
#include "dust/rule_file.h"
#include "learn/select.h"
#include "learn/trial.h"
#include "url/normal.h"

/* Under this rule the first round's map validate tells every URL. */
#define EVERY_URL STR("=")

struct mapreduce {
	enum mapreduce_job job;
	struct learn_options o;
	bool tries_operations;       /* the first round of two */
	struct rule_set operations;  /* of that round, in the second */
	struct rule_index operating; /* made of them; empty when there are none */
	unsigned line_nr;

	/* The maps: the cluster at hand. */
	struct cluster_line line;
	struct buf cluster;
	struct str *urls;
	size_t n_urls, urls_cap;
	struct arena bytes;
	struct buf normal[2];
	struct offer_work work;
	struct offers offers;

	/* The first reduce: the rule at hand. */
	struct buf rule;
	struct intern hosts;
	uint64_t frequency;

	/* The second job. */
	struct rule_set candidates;
	struct intern texts; /* of candidates, in their order */
	struct rule_index index;
	struct trial trial;
	struct rule_scratch scratch;
	struct mapped *mapped; /* of the cluster at hand */
	size_t n_mapped, mapped_cap;
	uint32_t url; /* of the cluster, under trial */
	struct url_set matched;
	struct pending { /* a line of reduce validate */
		uint64_t key;
		uint64_t url, plain; /* hashes of the URL, and of the key as a URL */
		uint32_t rule;
	} * pending;
	size_t n_pending, pending_cap;
};

void mapreduce_release(struct mapreduce **p)
{
	struct mapreduce *m = *p;

	if (!m)
		return;
	cluster_line_release(&m->line);
	buf_release(&m->cluster);
	free(m->urls);
	arena_release(&m->bytes);
	buf_release(&m->normal[0]);
	buf_release(&m->normal[1]);
	offer_work_release(&m->work);
	offers_release(&m->offers);
	buf_release(&m->rule);
	intern_release(&m->hosts);
	rule_index_release(&m->index);
	trial_release(&m->trial);
	rule_set_release(&m->candidates);
	rule_index_release(&m->operating);
	rule_set_release(&m->operations);
	free(m->mapped);
	intern_release(&m->texts);
	rule_scratch_release(&m->scratch);
	url_set_release(&m->matched);
	free(m->pending);
	free(m);
	*p = NULL;
}

static enum status fail(const struct mapreduce *m, struct diag *why, const char *says)
{
	return diag_fail(why, ST_SYNTAX, "line %u, column 1: %s", m->line_nr, says);
}

/* "rule TAB hosts TAB number" */
static bool take_counted(struct str line, struct str *rule, struct str *hosts,
			 uint64_t *number)
{
	return str_take_until(&line, '\t', rule) && str_take_until(&line, '\t', hosts) &&
	       str_to_uint(line, UINT32_MAX, number);
}

static size_t split_hosts(struct str list, struct str *ret, size_t most)
{
	struct str one;
	size_t n = 0;

	while (n < most && str_take_until(&list, ' ', &one))
		ret[n++] = one;
	return n;
}

static enum status load_candidate(struct mapreduce *m, struct str line, unsigned nr,
				  struct diag *why)
{
	struct str text, hosts;
	uint64_t frequency;
	struct rule *r;

	if (!take_counted(line, &text, &hosts, &frequency))
		return diag_fail(
			why, ST_SYNTAX,
			"candidates, line %u, column 1: want 'rule<TAB>hosts<TAB>n'", nr);
	TRY(rule_set_add(&m->candidates, text, (struct text_place){ nr, 1 }, &r, why));
	struct str *names = xrealloc(NULL, hosts.n + 1, sizeof(*names));
	size_t n = split_hosts(hosts, names, hosts.n + 1);
	rule_set_sites(&m->candidates, r, names, n);
	free(names);
	r->evidence.frequency = frequency;
	intern_add(&m->texts, text);
	return ST_OK;
}

static enum status load_given(struct mapreduce *m, const struct mapreduce_given *given,
			      struct diag *why)
{
	struct str rest = given->candidates, line;

	for (unsigned nr = 1; str_take_line(&rest, &line); nr++)
		TRY(load_candidate(m, line, nr, why));
	if (given->operations.n > 0)
		TRY(rules_parse(given->operations, &m->operations, why));
	return ST_OK;
}

/* As in learn(): what is known is tried with the operations. */
static void add_known(struct mapreduce *m)
{
	size_t from = m->candidates.n;

	if (!m->o.known || !m->tries_operations ||
	    (m->job != MAP_VALIDATE && m->job != REDUCE_VALIDATE))
		return;
	learn_add_known(m->o.known, &m->candidates);
	for (size_t i = from; i < m->candidates.n; i++)
		intern_add(&m->texts, m->candidates.v[i].text);
}

enum status mapreduce_start(enum mapreduce_job job, const struct learn_options *options,
			    const struct mapreduce_given *given, struct mapreduce **ret,
			    struct diag *why)
{
	struct mapreduce *m = NEW(struct mapreduce);
	enum status st = load_given(m, given, why);

	m->job = job;
	m->o = *options;
	learn_set_least(&m->o, 0); /* how many there are in all, no job knows */
	if (st != ST_OK) {
		mapreduce_release(&m);
		return st;
	}
	m->tries_operations = options->families && !given->second_round;
	m->o.noise = given->second_round ? learn_noise_of(&m->operations) : 0;
	if (options->families)
		m->o.offer.what = given->second_round ? OFFER_SEED | OFFER_GENERAL
						      : OFFER_OPERATIONS;
	add_known(m);
	rule_index_build(&m->index, &m->candidates);
	trial_init(&m->trial, &m->candidates);
	rule_index_build(&m->operating, &m->operations);
	*ret = m;
	return ST_OK;
}

/* The hosts of the sample, each once, in order, so that a line has one form. */
static void add_hosts(const struct offers *offers, struct buf *to)
{
	struct rule_set scratch = { 0 };
	struct rule r = { 0 };
	struct str *hosts = xrealloc(NULL, offers->n_sample + 1, sizeof(*hosts));

	for (size_t i = 0; i < offers->n_sample; i++)
		hosts[i] = dust_host(offers->sample[i]);
	rule_set_sites(&scratch, &r, hosts, offers->n_sample);
	for (size_t i = 0; i < r.n_sites; i++) {
		if (i > 0)
			buf_add_char(to, ' ');
		buf_add(to, r.sites[i]);
	}
	rule_set_release(&scratch);
	free(hosts);
}

/* Algorithm 7, map. */
static void map_generate(struct mapreduce *m, struct buf *to)
{
	offer_rules(&m->work, &m->o.offer, m->urls, m->n_urls, &m->offers);
	for (size_t i = 0; i < m->offers.n; i++) {
		buf_add(to, m->offers.text[i]);
		buf_add_char(to, '\t');
		add_hosts(&m->offers, to);
		buf_add(to, STR("\t1\n"));
	}
}

/* One URL that rule `rule` maps to `key`. */
struct mapped {
	uint32_t rule;
	struct str key;
	uint32_t url;
};

static int cmp_mapped(const void *a, const void *b)
{
	const struct mapped *x = a, *y = b;

	if (x->rule != y->rule)
		return x->rule < y->rule ? -1 : 1;
	int c = str_cmp(x->key, y->key);
	return c ? c : (x->url > y->url) - (x->url < y->url);
}

static void add_mapped(void *to, uint32_t rule, struct str key)
{
	struct mapreduce *m = to;

	VEC_ADD(m->mapped, m->n_mapped, m->mapped_cap,
		(struct mapped){ rule, arena_copy(&m->bytes, key), m->url });
}

static void match_all(struct mapreduce *m, uint32_t url)
{
	struct rule_scratch *s = &m->scratch;
	struct rule_walk walk;
	uint32_t nr;

	m->url = url;
	trial_run(&m->trial, m->urls[url], add_mapped, m);
	if (tokens_split(&s->tokens, m->urls[url]) != ST_OK)
		return;
	rule_walk_start(&walk, &m->index, dust_host(m->urls[url]), &s->tokens);
	while ((nr = rule_walk_next(&walk)) != RULE_NONE) {
		const struct rule *r = &m->candidates.v[nr];

		if (!pattern_match(&r->pattern, &s->tokens, s->captures))
			continue;
		buf_reset(&s->out);
		transformation_apply(&r->transformation, s->captures, &s->out);
		add_mapped(m, nr, buf_str(&s->out));
	}
}

/* "=", no key, the cluster and its URLs: any of them may be what another becomes. */
static void tell_urls(struct mapreduce *m, struct buf *to)
{
	buf_add(to, EVERY_URL);
	buf_add(to, STR("\t\t"));
	buf_add(to, buf_str(&m->cluster));
	for (uint32_t i = 0; i < m->n_urls; i++) {
		buf_add_char(to, '\t');
		buf_add(to, m->urls[i]);
	}
	buf_add_char(to, '\n');
}

/* Algorithm 8, map: one line a rule, key and cluster, with the URLs that meet there. */
static void map_validate(struct mapreduce *m, struct buf *to)
{
	m->n_mapped = 0;
	for (uint32_t i = 0; i < m->n_urls; i++)
		match_all(m, i);
	const struct mapped *v = m->mapped;
	if (m->n_mapped > 1)
		qsort(m->mapped, m->n_mapped, sizeof(*v), cmp_mapped);
	for (size_t i = 0; i < m->n_mapped; i++) {
		bool goes_on = i > 0 && v[i].rule == v[i - 1].rule &&
			       str_eq(v[i].key, v[i - 1].key);

		if (!goes_on) {
			if (i > 0)
				buf_add_char(to, '\n');
			buf_add(to, m->candidates.v[v[i].rule].text);
			buf_add_char(to, '\t');
			buf_add(to, v[i].key);
			buf_add_char(to, '\t');
			buf_add(to, buf_str(&m->cluster));
		}
		buf_add_char(to, '\t');
		buf_add(to, m->urls[v[i].url]);
	}
	if (m->n_mapped > 0)
		buf_add_char(to, '\n');
	if (m->tries_operations)
		tell_urls(m, to);
}

static void end_cluster(struct mapreduce *m, struct buf *to)
{
	if (m->n_urls > 0 && m->job == MAP_GENERATE)
		map_generate(m, to);
	else if (m->n_urls > 0)
		map_validate(m, to);
	m->n_urls = 0;
	arena_reset(&m->bytes);
}

static void add_url(struct mapreduce *m, struct str text)
{
	struct str url;

	if (cluster_url_parse(text, m->normal, &url, NULL) != ST_OK)
		return;
	if (m->operations.n > 0) {
		struct rule_applied a;

		rule_index_apply(&m->operating, url, &m->scratch, &a);
		url = a.key;
	}
	for (size_t i = 0; i < m->n_urls && m->n_urls < 64; i++)
		if (str_eq(m->urls[i], url))
			return;
	VEC_ADD(m->urls, m->n_urls, m->urls_cap, arena_copy(&m->bytes, url));
}

static enum status map_line(struct mapreduce *m, struct str line, struct buf *to,
			    struct diag *why)
{
	TRY(cluster_line_parse(line, m->line_nr, &m->line, why));
	if (m->line.n == 0)
		return ST_OK;
	bool alone = m->line.name.n == 0 || str_eq(m->line.name, STR("-"));
	if (alone || !str_eq(m->line.name, buf_str(&m->cluster)))
		end_cluster(m, to);
	buf_reset(&m->cluster);
	buf_add(&m->cluster, alone ? STR("-") : m->line.name);
	for (size_t i = 0; i < m->line.n; i++) {
		add_url(m, m->line.urls[i]);
		if (alone)
			end_cluster(m, to);
	}
	return ST_OK;
}

/* Algorithm 7, reduce: the rule that has ended. */
static void end_rule(struct mapreduce *m, struct buf *to)
{
	struct rule_set scratch = { 0 };
	struct rule r = { 0 };

	if (m->rule.n > 0 &&
	    m->frequency >= candidate_least(buf_str(&m->rule), m->o.min_freq)) {
		rule_set_sites(&scratch, &r, m->hosts.strings, m->hosts.n);
		buf_add(to, buf_str(&m->rule));
		for (size_t i = 0; i < r.n_sites; i++) {
			buf_add_char(to, i == 0 ? '\t' : ' ');
			buf_add(to, r.sites[i]);
		}
		buf_add_char(to, '\t');
		buf_add_uint(to, m->frequency);
		buf_add_char(to, '\n');
	}
	rule_set_release(&scratch);
	intern_release(&m->hosts);
	m->frequency = 0;
}

static enum status reduce_generate(struct mapreduce *m, struct str line, struct buf *to,
				   struct diag *why)
{
	struct str rule, hosts, one;
	uint64_t number;

	if (!take_counted(line, &rule, &hosts, &number))
		return fail(m, why, "want 'rule<TAB>hosts<TAB>1'");
	if (!str_eq(rule, buf_str(&m->rule))) {
		end_rule(m, to);
		buf_reset(&m->rule);
		buf_add(&m->rule, rule);
	}
	m->frequency += number;
	while (str_take_until(&hosts, ' ', &one))
		intern_add(&m->hosts, one);
	return ST_OK;
}

/* Algorithm 8, reduce: what is needed of a line. */
static enum status reduce_validate(struct mapreduce *m, struct str line, struct diag *why)
{
	struct str rule, key, cluster, url;

	if (!str_take_until(&line, '\t', &rule) || !str_take_until(&line, '\t', &key) ||
	    !str_take_until(&line, '\t', &cluster) || line.n == 0)
		return fail(m, why, "want 'rule<TAB>key<TAB>cluster<TAB>url...'");
	uint32_t nr = intern_find(&m->texts, rule);
	bool every = str_eq(rule, EVERY_URL);
	if (nr == INTERN_NONE && !every)
		return fail(m, why, "this rule is not among the candidates");
	uint64_t hash = hash64_seeded(key, hash_mix(nr + 1));
	while (str_take_until(&line, '\t', &url)) {
		struct str kept = url;

		if (!map_find(&m->matched.by_hash, hash64(url)))
			kept = arena_copy(&m->bytes, url);
		url_set_add(&m->matched, cluster, kept);
		if (!every)
			VEC_ADD(m->pending, m->n_pending, m->pending_cap,
				(struct pending){ hash, hash64(url), hash64(key), nr });
	}
	return ST_OK;
}

/* As if all were one cluster: then there is nothing to join. */
static void make_groups(const struct mapreduce *m, struct groups *ret)
{
	struct gathering g = { 0 };

	for (size_t i = 0; i < m->n_pending; i++) {
		const struct pending *p = &m->pending[i];
		uint64_t url = *map_find(&m->matched.by_hash, p->url);
		/* The URL that the key is, even if the rule leaves it alone. */
		uint64_t *plain = map_find(&m->matched.by_hash, p->plain);

		gather_add(&g, p->rule, (uint32_t)url, p->key);
		if (m->tries_operations && plain && *plain != url)
			gather_add(&g, p->rule, (uint32_t)*plain, p->key);
	}
	gather_flush(&g);
	groups_take(&g, 1, m->candidates.n, &m->matched, ret);
}

static enum status end_validate(struct mapreduce *m, struct buf *to)
{
	cleanup(rule_set_release) struct rule_set rules = { 0 };
	cleanup(groups_release) struct groups groups = { 0 };
	struct learn_report report = { 0 };

	url_set_seal(&m->matched);
	make_groups(m, &groups);
	for (size_t i = 0; i < m->operations.n; i++)
		rule_set_copy(&rules, &m->operations.v[i]);
	learn_select(&m->candidates, &groups, &m->matched, &m->o, &rules, &report);
	rules_format(&rules, to);
	return buf_status(to);
}

enum status mapreduce_line(struct mapreduce *m, struct str line, struct buf *to,
			   struct diag *why)
{
	m->line_nr++;
	switch (m->job) {
	case MAP_GENERATE:
	case MAP_VALIDATE:
		return map_line(m, line, to, why);
	case REDUCE_GENERATE:
		return reduce_generate(m, line, to, why);
	case REDUCE_VALIDATE:
		return reduce_validate(m, line, why);
	}
	return ST_UNSUPPORTED;
}

enum status mapreduce_end(struct mapreduce *m, struct buf *to, struct diag *why)
{
	(void)why;
	if (m->job == REDUCE_VALIDATE)
		return end_validate(m, to);
	if (m->job == REDUCE_GENERATE)
		end_rule(m, to);
	else
		end_cluster(m, to);
	return ST_OK;
}
