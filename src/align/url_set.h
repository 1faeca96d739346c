/*
 * url_set.h - URLs in clusters of equal pages: what rules are learnt from.
 *
 * A cluster named "-" stands for a URL known to be alone: each such URL is a
 * cluster of its own.  The same URL twice counts once: it belongs to the
 * cluster of the smallest name, and "-" yields to any other, so that the order
 * of the input does not matter.
 *
 * The set does not copy URLs unless told to: text must outlive it.
 */
#ifndef ALIGN_URL_SET_H
#define ALIGN_URL_SET_H

#include "base/intern.h"
#include "base/map.h"

/* What a cluster is for; bits of one byte per cluster. */
#define ROLE_TRAIN    1
#define ROLE_VALIDATE 2
#define ROLE_TEST     4

struct url_entry {
	struct str url;
	uint32_t cluster;
	uint32_t host; /* in `hosts` */
};

struct url_set {
	struct url_entry *v; /* after url_set_seal(): grouped by cluster */
	size_t n, cap;
	uint32_t *first; /* of each cluster, and one more */
	size_t n_clusters;
	struct str *names; /* of clusters, "-" for those alone */
	size_t names_cap;
	struct intern hosts, clusters;
	uint32_t *cluster_ids; /* number of a cluster's name -> cluster */
	size_t cluster_ids_cap;
	struct map by_hash; /* hash64 of a URL -> its place in `v` */
	struct arena bytes; /* text that had to be copied */
	struct arena *more; /* the same, of the threads of url_set_rewrite() */
	size_t n_more;
	size_t repeated;            /* URLs that were there already */
	size_t agreed, disagreed;   /* of these, in one cluster again, or in another */
	size_t unusable;            /* URLs that could not be parsed */
	struct diag first_unusable; /* which was the first of them, and why */
};

void url_set_release(struct url_set *s);
void url_set_add(struct url_set *s, struct str cluster, struct str url);
/* After the last addition, before the set is used. */
void url_set_seal(struct url_set *s);

struct rule_index;
/*
 * The same clusters, in the same order, of what the rules make of their URLs;
 * clusters can come out empty.  Text that changed lies in `ret`, the rest where
 * it was.
 */
void url_set_rewrite(const struct url_set *s, const struct rule_index *rules,
		     unsigned threads, struct url_set *ret);

/* How many duplicates there are: URLs minus clusters. */
static inline size_t url_set_removable(const struct url_set *s)
{
	return s->n - s->n_clusters;
}
#endif
