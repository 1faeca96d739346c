/*
 * documents.h - LOAD: files under named folders, and documents of named hosts.
 *
 * Off unless something is named.  A file is opened beneath its folder by the kernel
 * (openat2), so that neither ".." nor a link leads out of it.  A host is allowed by
 * its exact name, or all by "*"; the address of every socket is looked at
 * before it is connected: a host that was not named itself must be public, and
 * metadata services are never asked.  Documents are capped.
 */
#ifndef KB_DOCUMENTS_H
#define KB_DOCUMENTS_H

#include "base/option.h"
#include "query/query.h"

struct documents {
	const struct str_list *allowed; /* "/data/rdf", "data.example.org", "*" */
	uint64_t timeout_ms;            /* 0: a minute */
};

/* `d` must outlive the updates. */
struct document_loader documents_loader(struct documents *d);
#endif
