#include "warc/warc_read.h"

#include <string.h>

enum status warc_reader_open(struct warc_reader *r, const char *path, struct diag *why)
{
	struct map_file map;

	TRY(map_file_open(&map, path, MAP_SEQUENTIAL, why));
	warc_reader_init(r, map.bytes);
	r->map = map;
	return ST_OK;
}

void warc_reader_init(struct warc_reader *r, struct str bytes)
{
	*r = (struct warc_reader){ .header = BUF(WARC_HEADER_MAX),
				   .pending = BUF(WARC_HEADER_MAX),
				   .fresh_member = true };
	decoder_init(&r->decoder, bytes);
}

void warc_reader_release(struct warc_reader *r)
{
	decoder_release(&r->decoder);
	buf_release(&r->header);
	buf_release(&r->pending);
	map_file_release(&r->map);
	*r = (struct warc_reader){ 0 };
}

void warc_seek(struct warc_reader *r, uint64_t offset)
{
	decoder_seek(&r->decoder, offset);
	r->view = STR("");
	r->in_block = r->in_record = false;
	r->block_left = 0;
	r->fresh_member = true;
}

uint64_t warc_error_offset(const struct warc_reader *r)
{
	if (r->decoder.format != MEMBER_PLAIN)
		return r->decoder.member_start;
	return r->in_record ? r->record.offset : r->decoder.next - r->view.n;
}

bool warc_is_torn(const struct warc_reader *r)
{
	return r->decoder.torn;
}

bool warc_resync(struct warc_reader *r)
{
	uint64_t at = decoder_find_member(&r->decoder, warc_error_offset(r));

	warc_seek(r, at);
	return at < r->decoder.in.n;
}

/* More bytes into the view, which is empty. */
static enum status fill(struct warc_reader *r, struct diag *why)
{
	bool new_member = !r->decoder.in_member;

	TRY(decoder_next(&r->decoder, &r->view, why));
	r->fresh_member = new_member;
	return ST_OK;
}

/* The file ends inside a record. */
static enum status fail_torn(struct warc_reader *r, const char *where, struct diag *why)
{
	r->decoder.torn = true;
	return diag_fail(why, ST_CORRUPT, "the file ends inside %s", where);
}

enum status warc_block(struct warc_reader *r, struct str *ret, struct diag *why)
{
	if (!r->in_block || r->block_left == 0)
		return ST_AGAIN;
	while (r->view.n == 0) {
		if (decoder_member_ended(&r->decoder))
			r->record.oddities |= WARC_SPANS_MEMBERS;
		enum status st = fill(r, why);
		if (st != ST_OK)
			return st == ST_AGAIN ? fail_torn(r, "a block", why) : st;
	}
	size_t n = (size_t)MIN(r->block_left, (uint64_t)r->view.n);
	*ret = str_slice(r->view, 0, n);
	r->view = str_skip(r->view, n);
	r->block_left -= n;
	return ST_OK;
}

/* CR LF CR LF behind the block; `*ret_whole` is false when something else is there. */
static enum status take_ending(struct warc_reader *r, bool *ret_whole, struct diag *why)
{
	for (const char *c = "\r\n\r\n"; *c; c++) {
		while (r->view.n == 0 && !decoder_member_ended(&r->decoder))
			TRY(fill(r, why));
		if (!str_take_char(&r->view, *c)) {
			*ret_whole = false;
			return ST_OK;
		}
	}
	*ret_whole = true;
	return ST_OK;
}

enum status warc_end(struct warc_reader *r, struct diag *why)
{
	bool plain = r->decoder.format == MEMBER_PLAIN, whole;
	struct str rest;
	enum status st;

	while ((st = warc_block(r, &rest, why)) == ST_OK)
		;
	if (st != ST_AGAIN)
		return st;
	if (r->in_block) {
		TRY(take_ending(r, &whole, why));
		r->record.oddities |= whole ? 0u : (unsigned)WARC_ODD_END;
		/* In pieces, the end of the member may not have been seen yet. */
		while (r->view.n == 0 && !decoder_member_ended(&r->decoder))
			TRY(fill(r, why));
		r->record.length =
			r->decoder.next - r->record.offset - (plain ? r->view.n : 0);
	}
	r->in_block = r->in_record = false;
	return ST_OK;
}

static size_t header_end(struct str s)
{
	size_t crlf = str_find(s, STR("\r\n\r\n"));
	size_t lf = str_find(str_slice(s, 0, crlf), STR("\n\n"));

	/* Whichever is first: the block of a record with bare LF may hold the other. */
	return lf != STR_NONE ? lf + 2 : crlf != STR_NONE ? crlf + 4 : STR_NONE;
}

/* The header into r->header.  The usual case is one look and one copy. */
static enum status read_header(struct warc_reader *r, struct diag *why)
{
	size_t end = header_end(str_slice(r->view, 0, WARC_HEADER_MAX));

	buf_reset(&r->header);
	buf_reset(&r->pending);
	while (end == STR_NONE) {
		buf_add(&r->pending, r->view);
		if (buf_status(&r->pending) != ST_OK)
			return diag_fail(why, ST_CORRUPT,
					 "no end of the header within %zu bytes",
					 WARC_HEADER_MAX);
		bool spans = decoder_member_ended(&r->decoder);
		enum status st = fill(r, why);
		if (st != ST_OK)
			return st == ST_AGAIN ? fail_torn(r, "a header", why) : st;
		r->record.oddities |= spans ? (unsigned)WARC_SPANS_MEMBERS : 0u;
		/* The empty line may stand across the seam. */
		size_t had = r->pending.n, back = MIN(had, (size_t)3);
		char seam[6];
		size_t ahead = MIN(r->view.n, (size_t)3);
		memcpy(seam, r->pending.p + had - back, back);
		memcpy(seam + back, r->view.p, ahead);
		end = header_end((struct str){ seam, back + ahead });
		if (end != STR_NONE)
			end -= back;
		else
			end = header_end(str_slice(r->view, 0, WARC_HEADER_MAX));
	}
	buf_add(&r->header, buf_str(&r->pending));
	buf_add(&r->header, str_slice(r->view, 0, end));
	r->view = str_skip(r->view, end);
	return buf_status(&r->header) == ST_OK
		       ? ST_OK
		       : diag_fail(why, ST_CORRUPT, "a header of more than %zu bytes",
				   WARC_HEADER_MAX);
}

static void add_field(struct warc_record *rec, struct str line)
{
	size_t colon = str_find_char(line, ':');

	if (line.n == 0)
		return;
	if (ascii_is_space(line.p[0]) && rec->field_count) {
		/* Folded: adjacent in the header, so the value just grows. */
		struct warc_field *last = &rec->fields[rec->field_count - 1];

		last->value.n = (size_t)(line.p + line.n - last->value.p);
		rec->oddities |= WARC_FOLDED;
	} else if (colon == STR_NONE || colon == 0) {
		rec->oddities |= WARC_ODD_LINE;
	} else if (rec->field_count == WARC_FIELDS_MAX) {
		rec->oddities |= WARC_TOO_MANY_FIELDS;
	} else {
		rec->fields[rec->field_count++] = (struct warc_field){
			str_trim(str_slice(line, 0, colon)),
			str_trim(str_skip(line, colon + 1)),
		};
	}
}

static void parse_header(struct warc_record *rec, struct str header)
{
	struct str line;

	for (bool first = true; str_take_until(&header, '\n', &line); first = false) {
		if (line.n && line.p[line.n - 1] == '\r')
			line.n--;
		else
			rec->oddities |= WARC_ODD_LF;
		if (first)
			rec->version = str_trim(line);
		else
			add_field(rec, line);
	}
	rec->type = warc_type_find(warc_field(rec, STR("WARC-Type")));
	rec->has_length = str_to_uint(warc_field(rec, STR("Content-Length")), INT64_MAX,
				      &rec->block_bytes);
}

/* Some writers put too many empty lines between records. */
static enum status skip_blank(struct warc_reader *r, struct diag *why)
{
	for (;;) {
		while (r->view.n && (r->view.p[0] == '\r' || r->view.p[0] == '\n'))
			r->view = str_skip(r->view, 1);
		if (r->view.n)
			return ST_OK;
		TRY(fill(r, why));
	}
}

enum status warc_next(struct warc_reader *r, struct warc_record **ret, struct diag *why)
{
	struct warc_record *rec = &r->record;

	TRY(warc_end(r, why));
	TRY(skip_blank(r, why));
	bool plain = r->decoder.format == MEMBER_PLAIN;
	rec->offset = plain ? r->decoder.next - r->view.n : r->decoder.member_start;
	rec->length = rec->block_bytes = 0;
	rec->field_count = 0;
	rec->has_length = false;
	rec->oddities = plain || r->fresh_member ? 0u : (unsigned)WARC_SHARES_MEMBER;
	/* As much of it as came with the first piece. */
	if (!str_starts(STR("WARC/"), str_slice(r->view, 0, 5)))
		return diag_fail(why, ST_CORRUPT, "not a WARC record");
	r->in_record = true;
	TRY(read_header(r, why));
	if (!str_starts(buf_str(&r->header), STR("WARC/")))
		return diag_fail(why, ST_CORRUPT, "not a WARC record");
	parse_header(rec, buf_str(&r->header));
	r->fresh_member = false;
	if (!rec->has_length)
		return diag_fail(why, ST_CORRUPT,
				 "Content-Length is missing or no number");
	r->in_block = true;
	r->block_left = rec->block_bytes;
	*ret = rec;
	return ST_OK;
}

enum status warc_block_whole(struct warc_reader *r, size_t limit, struct buf *spare,
			     struct str *ret, struct diag *why)
{
	struct str piece;
	enum status st;

	if (r->block_left > limit)
		return diag_fail(why, ST_TOO_LARGE, "a block of %llu bytes",
				 (unsigned long long)r->block_left);
	if (r->block_left <= r->view.n) {
		st = warc_block(r, ret, why);
		if (st == ST_AGAIN)
			*ret = STR("");
		return st == ST_AGAIN ? ST_OK : st;
	}
	buf_reset(spare);
	while ((st = warc_block(r, &piece, why)) == ST_OK)
		buf_add(spare, piece);
	if (st != ST_AGAIN)
		return st;
	TRY(buf_status(spare));
	*ret = buf_str(spare);
	return ST_OK;
}

struct str warc_field(const struct warc_record *rec, struct str name)
{
	for (size_t i = 0; i < rec->field_count; i++)
		if (str_eq_nocase(rec->fields[i].name, name))
			return rec->fields[i].value;
	return STR("");
}

struct str warc_bare_uri(struct str value)
{
	if (value.n >= 2 && value.p[0] == '<' && value.p[value.n - 1] == '>')
		return str_slice(value, 1, value.n - 1);
	return value;
}
