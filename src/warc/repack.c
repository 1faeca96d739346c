#include "warc/repack.h"

#include "warc/warc_read.h"

#define FLUSH_BYTES ((size_t)1 << 20)

struct repacking {
	struct warc_reader reader;
	struct member_writer members;
	struct file file;
	struct buf out;
};

static enum status flush(struct repacking *p, size_t at_least, struct diag *why)
{
	if (p->out.n < at_least)
		return ST_OK;
	TRY(file_write(&p->file, buf_str(&p->out), why));
	buf_reset(&p->out);
	return ST_OK;
}

static enum status copy_record(struct repacking *p, const struct warc_record *rec,
			       struct diag *why)
{
	struct str piece, end = STR("\r\n\r\n");
	struct str head = buf_str(&p->reader.header);
	enum status st;

	member_start(&p->members, head.n + rec->block_bytes + end.n);
	member_more(&p->members, head, &p->out);
	while ((st = warc_block(&p->reader, &piece, why)) == ST_OK) {
		member_more(&p->members, piece, &p->out);
		TRY(flush(p, FLUSH_BYTES, why));
	}
	if (st != ST_AGAIN)
		return st;
	member_more(&p->members, end, &p->out);
	member_end(&p->members, &p->out);
	return flush(p, FLUSH_BYTES, why);
}

static enum status copy_all(struct repacking *p, struct diag *why)
{
	struct warc_record *rec;
	enum status st;

	while ((st = warc_next(&p->reader, &rec, why)) == ST_OK)
		TRY(copy_record(p, rec, why));
	return st == ST_AGAIN ? flush(p, 0, why) : st;
}

enum status warc_repack(const char *from, const char *to, enum member_format format,
			struct diag *why)
{
	struct repacking p = { 0 };

	TRY(warc_reader_open(&p.reader, from, why));
	member_writer_init(&p.members, format);
	enum status st = file_open(&p.file, to, FILE_CREATE, why);
	if (st == ST_OK)
		st = copy_all(&p, why);
	file_close(&p.file);
	member_writer_release(&p.members);
	warc_reader_release(&p.reader);
	buf_release(&p.out);
	return st;
}
