/* status_cluster.h - all nodes of a crawl, as they said of themselves last. */
#ifndef CMD_STATUS_CLUSTER_H
#define CMD_STATUS_CLUSTER_H

#include "base/str.h"

/* `places` as for crawl --cluster.  An exit code. */
int status_cluster(struct str places);
#endif
