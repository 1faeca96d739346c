/*
 * clusters.h - which URLs of a crawl showed the same page: DIR/duplicates.tsv.
 *
 * One pass over the journal, sorted by the batch port, so that it needs little memory
 * and may run elsewhere.  A line is a cluster as `thresh rules learn` reads it: the
 * representative, then all URLs, itself first, with tabs between.
 */
#ifndef JOURNAL_CLUSTERS_H
#define JOURNAL_CLUSTERS_H

#include "port/batch.h"

/* `ret_clusters` says how many; the file is replaced as a whole. */
must_use enum status clusters_write(const char *dir, struct batch *batch,
				    uint64_t *ret_clusters, struct diag *why);
/* The job: lines "representative<TAB>url" to clusters. */
extern const struct batch_job clusters_job;
#endif
