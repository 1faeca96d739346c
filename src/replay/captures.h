/*
 * captures.h - what WARC files hold of each URL, found by URL and time.
 *
 * All files are read once; then a table in memory (about 150 bytes per capture) says
 * where each capture is, and bodies are read from the files when somebody wants them.
 * Reading is for any number of threads, filling for one.
 */
#ifndef REPLAY_CAPTURES_H
#define REPLAY_CAPTURES_H

#include "base/arena.h"
#include "base/map.h"
#include "warc/warc_http.h"

#define CAPTURE_BODY_MAX ((size_t)256 << 20)

struct held {
	uint64_t hash; /* of the URL */
	struct str url;
	struct str mime; /* interned: one of few */
	int64_t time_ms;
	uint64_t offset;
	uint32_t file;
	uint16_t status;
	bool is_revisit;
	bool is_dom;      /* a rendered document: WARC-Type conversion */
	bool is_resource; /* no HTTP around it */
};

struct captures {
	struct held *v; /* sorted by hash, then time */
	size_t n, cap;
	const char **files; /* borrowed */
	size_t n_files, files_cap;
	struct arena text;
	struct map mimes; /* hash -> pointer to a struct str in `text` */
	uint64_t damaged; /* files that could not be read to their end */
};

void captures_release(struct captures *c);
/* Add all of a file; ST_CORRUPT at damage: what stands before it is there. */
must_use enum status captures_add_file(struct captures *c, const char *path,
				       struct diag *why);
/* After the last file, before the first question. */
void captures_sort(struct captures *c);
/*
 * The capture of `url` nearest to `time_ms` (0: the newest), an answer of 2xx or 3xx
 * before others; http and https stand for each other.  NULL when there is none.
 */
const struct held *captures_find(const struct captures *c, struct str url,
				 int64_t time_ms);
/* The rendered document of `url`, the newest; NULL. */
const struct held *captures_find_dom(const struct captures *c, struct str url);
/* All captures of `url`: a run of the table. */
const struct held *captures_all(const struct captures *c, struct str url, size_t *ret_n);

/* What a capture holds, its coding undone. */
struct held_body {
	struct buf head; /* status line and fields; empty for a resource */
	struct buf body;
};
void held_body_release(struct held_body *b);
/* A revisit is followed to what it stands for. */
must_use enum status captures_read(const struct captures *c, const struct held *h,
				   struct held_body *ret, struct diag *why);
#endif
