/*
 * recorded_web.h - the answers in WARC files, found by their URL.
 *
 * Reads the files once from front to back and remembers where each answer begins; bodies
 * are read again when they are wanted.  Revisit records lead to the body that they stand
 * for.  Archives of other crawlers too: chunks are joined, records may share a member.
 * Never asks the network.  Owns its strings; one thread.
 */
#ifndef SIMULATE_RECORDED_WEB_H
#define SIMULATE_RECORDED_WEB_H

#include "base/map.h"
#include "url/host.h"
#include "warc/warc_read.h"

#define RECORDED_NONE UINT32_MAX

struct recorded_answer {
	struct str url; /* as it would be queued */
	uint64_t offset;
	uint64_t content; /* the same for the same payload */
	uint32_t file;
	uint32_t next; /* a later answer of the same URL, or RECORDED_NONE */
	uint32_t
		origin; /* of a revisit: the answer whose body it has; itself otherwise */
	uint16_t code;
	bool is_html;
};

struct recorded_web {
	struct warc_reader **files;
	size_t n_files, files_cap;
	struct recorded_answer *v; /* in the order of the files */
	size_t n, cap;
	struct map by_url;            /* hash -> its first and last number */
	struct map by_content, by_id; /* hash -> number */
	struct map address;           /* hash of a host -> IPv4 address */
	struct arena text;
	int64_t first_ms; /* of the earliest answer */
	uint64_t damaged; /* files that could be read only up to some place */
	struct buf scratch[3];
};

/* Add the answers of one file.  Damage is counted, not an error: what stands before it
 * counts. */
must_use enum status recorded_web_add(struct recorded_web *w, const char *path,
				      struct diag *why);
/* After the last file: revisits find their bodies.  ST_NOT_FOUND without any answer. */
must_use enum status recorded_web_finish(struct recorded_web *w, struct diag *why);
void recorded_web_release(struct recorded_web *w);

/* The first answer of this URL, or RECORDED_NONE. */
uint32_t recorded_find(const struct recorded_web *w, struct str url);
/* The address from which `host` answered; made up from its name when nobody knows. */
struct ip recorded_address(const struct recorded_web *w, struct str host);

/* Read an answer: its head in `a`, its body added to `body`, chunks joined, its
 * Content-Encoding untouched. */
must_use enum status recorded_read(struct recorded_web *w, uint32_t nr, struct arena *a,
				   struct str *ret_head, struct buf *body,
				   struct diag *why);
#endif
