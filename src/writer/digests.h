/*
 * digests.h - which journal record stored this body first?
 *
 * From a SHA-1 to the position of its `done` record.  64 bits of the digest are
 * kept; whoever asks compares the whole in the record.  One thread.
 */
#ifndef WRITER_DIGESTS_H
#define WRITER_DIGESTS_H

#include <string.h>

#include "base/map.h"

struct digests {
	struct map positions; /* + 1 */
};

static inline uint64_t digest_key(const uint8_t *sha1)
{
	uint64_t key;

	memcpy(&key, sha1, sizeof(key));
	return key;
}
static inline void digests_add(struct digests *d, const uint8_t *sha1, uint64_t position)
{
	bool is_new;
	uint64_t *at = map_add(&d->positions, digest_key(sha1), &is_new);

	if (is_new)
		*at = position + 1;
}
static inline bool digests_find(const struct digests *d, const uint8_t *sha1,
				uint64_t *ret_position)
{
	const uint64_t *at = map_find(&d->positions, digest_key(sha1));

	if (!at)
		return false;
	*ret_position = *at - 1;
	return true;
}
static inline void digests_release(struct digests *d)
{
	map_release(&d->positions);
}
#endif
