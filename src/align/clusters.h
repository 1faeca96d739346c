/*
 * clusters.h - files of clusters: TSV or JSON lines to a set of URLs.
 *
 * TSV: "cluster<TAB>url", or several URLs with tabs between, as the map jobs
 * take it; "-" for a URL known to be alone.  JSON lines: {"cluster": "c1",
 * "url": "..."} or {"cluster": "c1", "urls": ["...", ...]}.  URLs are brought
 * to standard normal form first; what cannot be parsed, and what has a NUL byte, is
 * counted and the first one named, not lost silently (url_set.unusable).
 */
#ifndef ALIGN_CLUSTERS_H
#define ALIGN_CLUSTERS_H

#include "align/url_set.h"
#include "base/buf.h"

#define CLUSTERS_BYTES_MAX ((size_t)16 << 30)

/* Add a file to a set not yet sealed; `text` must outlive it.  The error names line and
 * column. */
must_use enum status clusters_parse(struct str text, struct url_set *ret,
				    struct diag *why);
/* One line, for those who read a stream; `nr` is its number. */
struct cluster_line {
	struct str text;
	unsigned nr;
	struct str name;
	struct str *urls;
	size_t n, cap;
	struct arena bytes; /* what had to be decoded */
};

void cluster_line_release(struct cluster_line *l);
/* The normal form of a URL of a cluster; the error names the column within `text`. */
must_use enum status cluster_url_parse(struct str text, struct buf scratch[2],
				       struct str *ret, struct diag *why);
must_use enum status cluster_line_parse(struct str line, unsigned nr,
					struct cluster_line *ret, struct diag *why);
#endif
