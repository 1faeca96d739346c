/* folder_journal.h - the records of a campaign's journal, as bytes.  For folder.c alone.
 */
#ifndef API_FOLDER_JOURNAL_H
#define API_FOLDER_JOURNAL_H

#include "api/folder.h"

enum campaign_record {
	RECORD_ROUND = 'R',
	RECORD_ROUND_END = 'E',
	RECORD_STREAM = 'S',
	RECORD_PAGE = 'P',
	RECORD_CURSOR = 'C',
	RECORD_COMMIT = 'K',
};

struct folder_commit {
	struct archive_position archive;
	uint64_t bytes[FOLDER_LISTS];
	struct work_counts counts;
};

void stream_record_encode(const struct saved_stream *s, struct buf *to);
void commit_record_encode(const struct folder_commit *c, struct buf *to);
must_use enum status commit_record_decode(struct str in, struct folder_commit *ret);
/* Apply one record of the journal to the folder; ST_CORRUPT when it is none. */
must_use enum status folder_replay(struct campaign_folder *f, struct str record);
#endif
