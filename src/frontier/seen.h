/*
 * seen.h - has this URL been found before?
 *
 * Keys are 128-bit hashes of canonical URLs.  While they fit into the memory
 * they were given they are in a table and every answer is immediate.  Beyond
 * that they move to disk (seen_disk.h): a key that is surely new is still
 * answered at once, the others in their own time, through seen_next().
 *
 * Not thread-safe: the loop thread owns it.
 */
#ifndef FRONTIER_SEEN_H
#define FRONTIER_SEEN_H

#include "frontier/seen_disk.h"
#include "frontier/seen_table.h"

struct seen {
	struct seen_table table;
	struct seen_disk disk;
	bool on_disk;
	size_t ram_bytes;
	char *dir;
	struct seen_disk_options disk_options;
};

struct seen_options {
	const char *dir;  /* for the files, made when needed; the set's own */
	size_t ram_bytes; /* of the table; 0: 256 MB, eight to twelve million URLs */
	struct seen_disk_options disk;
};

struct seen_question {
	struct u128 key;
	struct str payload; /* comes back with a late answer */
	uint8_t level;      /* 0 to 3: how much the answer matters */
	uint8_t answer;     /* enum seen_answer */
};

void seen_init(struct seen *s, const struct seen_options *options);
void seen_release(struct seen *s);

/* Answer `n` questions, in order: of two equal ones the second is known. */
must_use enum status seen_add(struct seen *s, struct seen_question *q, size_t n,
			      struct diag *why);
/* Without asking: SEEN_NEW and SEEN_KNOWN are sure, SEEN_LATER is not known yet. */
enum seen_answer seen_peek(const struct seen *s, struct u128 key);
/* False while all answers to `n` more questions are immediate: no payload is needed. */
bool seen_may_wait(const struct seen *s, size_t n);
/* The next key answered SEEN_LATER that is new after all; ST_AGAIN for none yet. */
must_use enum status seen_next(struct seen *s, struct u128 *ret_key,
			       struct str *ret_payload, struct diag *why);
/* There is nothing else to do: answer what is open as soon as possible. */
void seen_settle(struct seen *s);
/* True while late answers may still come. */
bool seen_is_waiting(const struct seen *s);
uint64_t seen_count(const struct seen *s);
#endif
