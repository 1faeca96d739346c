/*
 * page_clusters.h - which URLs of a crawl are one page, from its WARC files or its index.
 *
 * Pages are joined by the evidence that is chosen: the same payload digest, the target of
 * rel=canonical, the target of a redirect, or text that was compared without the host's
 * template and is nearly the same (dup/page_check.h).  URLs are in standard normal form.
 * Near-duplicates are compared in a temporary folder under /tmp, which
 * page_clusters_release() removes.  One thread.
 */
#ifndef CORPUS_PAGE_CLUSTERS_H
#define CORPUS_PAGE_CLUSTERS_H

#include "base/intern.h"
#include "base/map.h"
#include "dup/page_check.h"

struct page_clusters {
	bool digest, canonical, redirect, near; /* evidence; set before the first file */
	struct intern urls;
	uint32_t *parent; /* of each URL: a union-find */
	size_t parent_cap;
	bool *fetched; /* an answer of status 200 was seen */
	size_t fetched_cap;
	struct map digests; /* hash of digest -> URL */
	struct buf normal[2], block, body;
	struct arena page;
	struct page_check check; /* of near-duplicates; open when `check_dir` is set */
	char check_dir[32];
};

/* A URL that was found, in the order in which they were found. */
struct clustered_url {
	struct str url;
	uint32_t cluster; /* its number; from 1 */
	bool alone;       /* in no cluster with another URL */
	bool fetched;
};

void page_clusters_release(struct page_clusters *c);
/* Choose evidence by name; false when it is none of digest, canonical, redirect, near. */
bool page_clusters_set_evidence(struct page_clusters *c, struct str name);
/*
 * Add a file: *.cdxj and *.jsonl as lines {"url", "digest", "status"}, all others as
 * WARC. Lines that are no such objects, and pages over 16 MB, are passed over.
 */
must_use enum status page_clusters_add_file(struct page_clusters *c, const char *path,
					    struct diag *why);
/* The lines of such an index. */
void page_clusters_add_lines(struct page_clusters *c, struct str text);
/* All URLs; the array is the caller's to free(), the text stays in `c`. */
struct clustered_url *page_clusters_list(struct page_clusters *c);
#endif
