#include "align/url_set.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "dust/index.h"
#include "os/thread.h"

void url_set_release(struct url_set *s)
{
	free(s->v);
	free(s->first);
	free(s->names);
	free(s->cluster_ids);
	intern_release(&s->hosts);
	intern_release(&s->clusters);
	map_release(&s->by_hash);
	arena_release(&s->bytes);
	for (size_t i = 0; i < s->n_more; i++)
		arena_release(&s->more[i]);
	free(s->more);
	*s = (struct url_set){ 0 };
}

static uint32_t new_cluster(struct url_set *s, struct str name)
{
	VEC_RESERVE(s->names, s->names_cap, s->n_clusters + 1);
	s->names[s->n_clusters] = name;
	return (uint32_t)s->n_clusters++;
}

static uint32_t cluster_of(struct url_set *s, struct str name)
{
	if (name.n == 0 || str_eq(name, STR("-")))
		return new_cluster(s, STR("-"));
	size_t known = s->clusters.n;
	uint32_t id = intern_add(&s->clusters, name);
	if (id == known) {
		VEC_RESERVE(s->cluster_ids, s->cluster_ids_cap, known + 1);
		s->cluster_ids[id] = new_cluster(s, intern_str(&s->clusters, id));
	}
	return s->cluster_ids[id];
}

static bool yields(const struct url_set *s, uint32_t old, uint32_t new)
{
	bool old_alone = str_eq(s->names[old], STR("-"));
	bool new_alone = str_eq(s->names[new], STR("-"));

	if (old_alone || new_alone)
		return old_alone && !new_alone;
	return str_cmp(s->names[new], s->names[old]) < 0;
}

void url_set_add(struct url_set *s, struct str cluster, struct str url)
{
	bool new;
	uint64_t *at = map_add(&s->by_hash, hash64(url), &new);
	uint32_t c = cluster_of(s, cluster);

	if (!new) {
		s->repeated++;
		s->agreed += s->v[*at].cluster == c;
		s->disagreed += s->v[*at].cluster != c;
		if (yields(s, s->v[*at].cluster, c))
			s->v[*at].cluster = c;
		return;
	}
	*at = s->n;
	VEC_ADD(s->v, s->n, s->cap,
		(struct url_entry){ url, c, intern_add(&s->hosts, dust_host(url)) });
}

/* Clusters left without URLs (all of theirs were repeats) are taken out. */
static uint32_t *renumber(struct url_set *s)
{
	uint32_t *size = xcalloc(s->n_clusters + 1, sizeof(*size));
	size_t kept = 0;

	for (size_t i = 0; i < s->n; i++)
		size[s->v[i].cluster]++;
	s->first = xcalloc(s->n_clusters + 2, sizeof(*s->first));
	for (size_t c = 0; c < s->n_clusters; c++) {
		if (size[c] == 0)
			continue;
		s->names[kept] = s->names[c];
		s->first[kept + 1] = s->first[kept] + size[c];
		size[c] = (uint32_t)kept++;
	}
	s->n_clusters = kept;
	return size;
}

void url_set_seal(struct url_set *s)
{
	uint32_t *number = renumber(s);
	struct url_entry *grouped = xrealloc(NULL, s->n + 1, sizeof(*grouped));

	for (size_t i = 0; i < s->n; i++) {
		struct url_entry e = s->v[i];

		e.cluster = number[e.cluster];
		grouped[s->first[e.cluster]++] = e;
	}
	for (size_t c = s->n_clusters; c > 0; c--)
		s->first[c] = s->first[c - 1];
	s->first[0] = 0;
	for (size_t i = 0; i < s->n; i++)
		*map_find(&s->by_hash, hash64(grouped[i].url)) = i;
	free(number);
	free(s->v);
	s->v = grouped;
	s->cap = s->n + 1;
}

#define BLOCK 4096

struct rewriting {
	const struct url_set *from;
	const struct rule_index *rules;
	struct thread thread;
	unsigned nr, threads;
	struct str *forms; /* by URL; shared, each thread writes its own places */
	struct arena *bytes;
};

static void run_rewrite(void *arg)
{
	struct rewriting *w = arg;
	cleanup(rule_scratch_release) struct rule_scratch s = { 0 };

	for (size_t from = w->nr * BLOCK; from < w->from->n;
	     from += (size_t)w->threads * BLOCK)
		for (size_t i = from; i < MIN(from + BLOCK, w->from->n); i++) {
			struct str url = w->from->v[i].url;
			struct rule_applied a;

			rule_index_apply(w->rules, url, &s, &a);
			w->forms[i] =
				a.key.p == url.p ? url : arena_copy(w->bytes, a.key);
		}
}

static void make_forms(const struct url_set *s, const struct rule_index *rules,
		       struct url_set *ret, struct str *forms)
{
	struct rewriting *w = xcalloc(ret->n_more, sizeof(*w));

	for (unsigned i = 0; i < ret->n_more; i++) {
		w[i] = (struct rewriting){ .from = s,
					   .rules = rules,
					   .nr = i,
					   .threads = (unsigned)ret->n_more,
					   .forms = forms,
					   .bytes = &ret->more[i] };
		if (i > 0 && thread_start(&w[i].thread, "rewrite", run_rewrite, &w[i],
					  NULL) != ST_OK)
			run_rewrite(&w[i]);
	}
	run_rewrite(&w[0]);
	for (unsigned i = 1; i < ret->n_more; i++)
		thread_join(&w[i].thread);
	free(w);
}

void url_set_rewrite(const struct url_set *s, const struct rule_index *rules,
		     unsigned threads, struct url_set *ret)
{
	struct str *forms = xrealloc(NULL, s->n + 1, sizeof(*forms));

	ret->n_more = MAX(threads, 1u);
	ret->more = xcalloc(ret->n_more, sizeof(*ret->more));
	make_forms(s, rules, ret, forms);
	ret->n_clusters = s->n_clusters;
	ret->first = xcalloc(s->n_clusters + 2, sizeof(*ret->first));
	map_reserve(&ret->by_hash, s->n);
	VEC_RESERVE(ret->v, ret->cap, s->n + 1);
	for (size_t c = 0; c < s->n_clusters; c++) {
		ret->first[c] = (uint32_t)ret->n;
		for (size_t i = s->first[c]; i < s->first[c + 1]; i++) {
			bool new;
			uint64_t *at = map_add(&ret->by_hash, hash64(forms[i]), &new);

			if (!new) {
				ret->repeated++;
				continue;
			}
			*at = ret->n;
			ret->v[ret->n++] =
				(struct url_entry){ forms[i], (uint32_t)c,
						    intern_add(&ret->hosts,
							       dust_host(forms[i])) };
		}
	}
	ret->first[s->n_clusters] = (uint32_t)ret->n;
	free(forms);
}
