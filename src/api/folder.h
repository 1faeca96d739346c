/*
 * folder.h - what a campaign has brought, on disk, safe against kill -9 at any instant.
 *
 *   NAME/archive, NAME/indexes   WARC: request, response, metadata of every answer
 * answer NAME/triples.nq     the model, in the campaign's graph NAME/items.jsonl    one
 * line per new or changed item, as the service said it NAME/links.jsonl    {"url",
 * "score", "via"}: for the web crawl NAME/state/journal  streams, pages, items seen,
 * cursors, commits
 *
 * All files only grow.  A commit syncs them, then writes their lengths into the journal;
 * opening cuts everything behind the last commit, so that what is fetched again is there
 * once.  One process, one thread.
 */
#ifndef API_FOLDER_H
#define API_FOLDER_H

#include "api/work.h"
#include "archive/archive.h"
#include "os/segment_log.h"

enum folder_list { LIST_TRIPLES, LIST_ITEMS, LIST_LINKS, FOLDER_LISTS };

/* A stream as the journal knows it; texts live in the folder's arena. */
struct saved_stream {
	uint32_t nr;
	uint64_t endpoint; /* hash: see endpoint_id() */
	struct str interaction, page, since, best;
	struct var *params;
	size_t n_params;
	uint8_t state; /* enum stream_state */
	bool is_root;
	uint32_t pages;
	uint64_t last_page; /* hash: a page that is shown again is recognised */
};

struct campaign_folder {
	char *dir;
	struct file lock;
	struct archive archive;
	bool archive_is_open;
	struct encoder encoder;
	struct capture capture;
	struct {
		struct file file;
		struct buf pending;
	} lists[FOLDER_LISTS];
	struct segment_log journal;
	struct map seen;    /* item or link -> hash of its content */
	struct map cursors; /* key of a stream -> index in `texts` */
	struct str *texts;
	size_t n_texts, texts_cap;
	struct saved_stream *streams; /* of the last round */
	size_t n, cap;
	uint64_t round; /* 0: none was begun */
	int64_t round_ms;
	bool round_ended;
	struct work_counts counts; /* of all rounds */
	struct arena arena;
	bool is_dirty;
	uint64_t committed[FOLDER_LISTS]; /* bytes */
};

struct folder_options {
	const char *dir;
	struct str name; /* of the campaign: prefix of the WARC files */
	const struct clock *clock;
	struct str user_agent;
	struct id_maker ids;
};

must_use enum status folder_open(struct campaign_folder *ret,
				 const struct folder_options *o, struct diag *why);
/* Without a commit: what was not committed is cut next time. */
void folder_release(struct campaign_folder *f);
/* The WARC file gets its final name.  After the last commit. */
must_use enum status folder_close(struct campaign_folder *f, struct diag *why);

/* The journal; nothing of it counts before the next commit. */
must_use enum status folder_begin_round(struct campaign_folder *f, int64_t now_ms,
					struct diag *why);
must_use enum status folder_end_round(struct campaign_folder *f, struct diag *why);
must_use enum status folder_add_stream(struct campaign_folder *f,
				       const struct saved_stream *s, struct diag *why);
/* `items`: pairs of u64, key and hash, as harvest.h made them. */
must_use enum status folder_add_page(struct campaign_folder *f, uint32_t nr,
				     const struct stream *s, struct str items,
				     struct diag *why);
must_use enum status folder_add_cursor(struct campaign_folder *f, uint64_t key,
				       struct str value, struct diag *why);
/* p is NULL when there is none. */
struct str folder_cursor(const struct campaign_folder *f, uint64_t key);

/* Request, response and metadata; `notes` go to the metadata.  `ret_record`: its id. */
must_use enum status folder_add_answer(struct campaign_folder *f,
				       const struct fetch_result *r, struct str notes,
				       struct record_id *ret_record, struct diag *why);
must_use enum status folder_commit(struct campaign_folder *f, struct diag *why);

extern const struct segment_kind folder_journal_kind;
extern const char *const folder_list_names[FOLDER_LISTS];
#endif
