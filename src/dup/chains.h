/*
 * chains.h - the postings in memory: for each key a chain of documents, newest first.
 *
 * A table of eight bytes a slot leads from a key to the newest link of its chain.
 * A slot holds 32 bits of the key's hash, and the first of these are its place: so the
 * table grows by walking it from one end to the other, without a look at the
 * links.  The whole key is in the link.  A zeroed struct is empty.  One thread.
 */
#ifndef DUP_CHAINS_H
#define DUP_CHAINS_H

#include "base/sort.h"

struct chain_slot {
	uint32_t tag, head; /* head: index + 1 of the newest link; 0: free */
};

struct chains {
	/* Links in the order in which they came.  The value: the document in the lower
	 * half, in the upper one the next link, index + 1; 0 ends. */
	struct sort_pair *links;
	size_t n, cap;
	struct chain_slot *slots;
	size_t n_slots, n_keys; /* n_slots: 0 or a power of two, at most 3/4 full */
};

void chains_release(struct chains *c);
static inline uint32_t chain_doc(const struct chains *c, uint32_t link)
{
	return (uint32_t)c->links[link - 1].value;
}
static inline uint32_t chain_next(const struct chains *c, uint32_t link)
{
	return (uint32_t)(c->links[link - 1].value >> 32);
}
/* At most 2^31 in all. */
void chains_add(struct chains *c, uint64_t key, uint32_t doc);
/* Index + 1 of the newest link with `key`; 0: none. */
uint32_t chains_head(const struct chains *c, uint64_t key);
/* A chains_head() or chains_add() of `key` will come soon: ask the memory for it. */
void chains_prefetch(const struct chains *c, uint64_t key);
/* Of memory. */
size_t chains_bytes(const struct chains *c);
/* Everything as pairs of key and document, by key, newest first; the caller frees them.
 * Nothing is left in `c`. */
struct sort_pair *chains_take_sorted(struct chains *c, size_t *ret_n);
#endif
