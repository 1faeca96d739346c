/*
 * templates.h - which blocks of text a host repeats on most of its pages.
 *
 * Menus, footers and banners make pages of one site look alike; taken out,
 * what is left is the page's own content.  A block belongs to the template once
 * the host showed TEMPLATE_MIN_PAGES pages and at least half of them had it.
 * Counts are halved now and then, so that a redesign is learnt too.  Memory a
 * host is bounded.  A zeroed struct has learnt nothing.  One thread.
 */
#ifndef DUP_TEMPLATES_H
#define DUP_TEMPLATES_H

#include "base/buf.h"
#include "base/map.h"

#define TEMPLATE_MIN_PAGES 4
#define TEMPLATE_AGE_PAGES 256  /* then all counts are halved */
#define TEMPLATE_BLOCKS    8192 /* kept a host; the rarest go first */

struct host_template {
	uint64_t host; /* hash of its name */
	uint32_t pages;
	struct map counts; /* hash of a block -> pages that had it */
};

struct templates {
	struct map hosts; /* hash -> index in v + 1 */
	struct host_template *v;
	size_t n, cap;
	size_t blocks;    /* of all hosts */
	struct map here;  /* the blocks of the present page */
	struct buf plain; /* the present block */
	uint64_t *keys;   /* of its blocks */
	size_t cap_keys;
};

void templates_release(struct templates *t);
/*
 * Learn a page of `host`.  ret_template[i] says whether blocks[i] belonged to
 * the template before this page.
 */
void templates_see(struct templates *t, struct str host, const struct str *blocks,
		   size_t n, bool *ret_template);
/* The same for a page that was learnt before: nothing is counted twice. */
void templates_mark(struct templates *t, struct str host, const struct str *blocks,
		    size_t n, bool *ret_template);
/* Blocks kept, of all hosts: what encoding takes grows with it. */
static inline size_t templates_size(const struct templates *t)
{
	return t->blocks;
}
void templates_encode(const struct templates *t, struct buf *to);
/* ST_CORRUPT, and `ret` untouched, unless `in` is exactly what encode wrote. */
must_use enum status templates_decode(struct str in, struct templates *ret);
#endif
