#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "corpus/corpus.h"
#include "corpus/warc_doc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RECORDS_MAX 100000 /* more than any input holds: it must end */

/* The bytes as a file; in memory, because a file system costs more than reading
	   it. */
static struct str as_file(const uint8_t *data, size_t size)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("corpus", 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	return str_from(path);
}

static void read_all(struct str path, struct buf *names, bool *ret_broken)
{
	struct corpus c = { 0 };
	struct corpus_doc doc;
	struct corpus_raw raw;
	struct corpus_work work = { 0 };
	struct diag why;
	enum status st;
	size_t n = 0;

	*ret_broken = false;
	if (corpus_open(&c, &path, 1, &(struct corpus_options){ .tag_paths = true },
			&why) != ST_OK)
		abort();
	while ((st = corpus_read(&c, &raw, &why)) != ST_AGAIN) {
		assert(++n < RECORDS_MAX);
		*ret_broken |= st != ST_OK;
		if (st != ST_OK)
			continue;
		buf_add_sized(names, raw.name);
		(void)!corpus_parse(&c.options, &raw, &work, &doc, &why);
	}
	assert(corpus_bytes_done(&c) == c.total_bytes);
	corpus_work_release(&work);
	corpus_release(&c);
}

/* The names in all parts; false when one cannot be read to its end. */
static bool read_parts(struct str path, struct buf *names)
{
	struct corpus c = { 0 };
	struct corpus_part part;
	struct corpus_raw raw;
	struct diag why;
	bool clean = true;
	enum status st;

	if (corpus_open(&c, &path, 1, &(struct corpus_options){ .part_bytes = 64 },
			&why) != ST_OK)
		abort();
	while (corpus_take_part(&c, &part)) {
		struct warc_docs docs;

		assert(part.end > part.start);
		warc_docs_init(&docs, part.bytes, part.file, part.start);
		while ((st = warc_docs_next(&docs, &raw, &why)) == ST_OK)
			buf_add_sized(names, raw.name);
		clean &= st == ST_AGAIN;
		warc_docs_release(&docs);
	}
	clean &= corpus_read(&c, &raw, &why) == ST_AGAIN; /* nothing is left */
	corpus_release(&c);
	return clean;
}

/* The bytes as a file of whatever kind they look like, read to the end, in one and in
 * parts: where all parts are clean, they hold the same records. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str path = as_file(data, size);
	struct buf whole = { 0 }, parts = { 0 };
	bool broken;

	read_all(path, &whole, &broken);
	if (read_parts(path, &parts))
		assert(!broken && str_eq(buf_str(&whole), buf_str(&parts)));
	buf_release(&whole);
	buf_release(&parts);
	return 0;
}
