/*
 * manifest.h - the truth about the test web as a file.
 *
 * The first line, "#testweb " and a JSON object, holds the options: the whole
 * web follows from them, so a reader can judge any URL, listed or not.  Then a
 * line a URL, fields between tabs:
 *
 *   url page class detail cluster keep bytes equal topic language
 *
 * a line "#topic name keywords" a topic, and "#host name address" a site.  Listed are all
 * canonical URLs, the entries of traps and troubles, feeds, and for each page some of its
 * aliases.
 */
#ifndef TESTWEB_MANIFEST_H
#define TESTWEB_MANIFEST_H

#include "os/file.h"
#include "testweb/world.h"

struct manifest_options {
	uint64_t aliases; /* alias URLs to list a page, at most */
	bool bytes;       /* render every page to know its size */
};

must_use enum status truth_save(const struct world *w, const struct manifest_options *o,
				const char *path, struct diag *why);
/* The same, into a buffer: small worlds, tests. */
void manifest_write(const struct world *w, const struct manifest_options *o,
		    struct buf *to);
/* The options in the first line. */
must_use enum status manifest_parse_options(struct str first_line,
					    struct world_options *ret, struct diag *why);
#define MANIFEST_MAGIC "#testweb "
#endif
