/*
 * blob.h - a port: whole files by name, put once, never half there.
 *
 * WARC files and snapshots go through it.  A name is relative, of letters,
 * digits and ".-_/"; it never comes from the network.  A blob appears whole or
 * not at all, and stays when put() has returned.  Embedded: the crawl's folder.
 */
#ifndef PORT_BLOB_H
#define PORT_BLOB_H

#include "base/arena.h"
#include "base/option.h"

struct blob;

struct blob_ops {
	/* From memory; replaces one of the same name. */
	enum status (*put)(struct blob *b, struct str name, struct str bytes,
			   struct diag *why);
	/* Take over a finished file of this machine; it is gone from `path` after. */
	enum status (*put_file)(struct blob *b, struct str name, const char *path,
				struct diag *why);
	/* Append all of it to `to`; ST_TOO_LARGE past the buffer's limit. */
	enum status (*get)(struct blob *b, struct str name, struct buf *to,
			   struct diag *why);
	/* Names that start with `prefix`, sorted; text in `a`. */
	enum status (*list)(struct blob *b, struct str prefix, struct arena *a,
			    struct str_list *ret, struct diag *why);
	/* ST_OK also when it was not there. */
	enum status (*remove)(struct blob *b, struct str name, struct diag *why);
	void (*close)(struct blob *b);
};

struct blob {
	const struct blob_ops *ops;
};

must_use enum status blob_open_local(struct blob **ret, const char *dir,
				     struct diag *why);
/* Relative, without "..", of the characters that every store takes. */
bool blob_name_is_safe(struct str name);

static inline void blob_close(struct blob **b)
{
	if (*b)
		(*b)->ops->close(*b);
	*b = NULL;
}
#endif
