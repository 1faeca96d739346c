#include "online/skip_store.h"

#include "base/hash.h"

#define END_BYTES   ((size_t)256 * 1024) /* written at once */
#define TEXT_MAX    ((size_t)16 * 1024)  /* of one text; URLs are shorter */
#define ROOM        (TEXT_MAX + 32)      /* and the numbers beside it */
#define ROOM_MOSTLY ((size_t)512)        /* enough for nearly all */

enum status skip_store_open(struct skip_store *s, const char *path, struct diag *why)
{
	TRY(file_open(&s->file, path, FILE_UPDATE, why));
	return file_truncate(&s->file, 0, why);
}

void skip_store_release(struct skip_store *s)
{
	if (s->file.path)
		(void)!file_remove(s->file.path, NULL);
	file_close(&s->file);
	buf_release(&s->end);
	*s = (struct skip_store){ 0 };
}

static uint64_t position(const struct skip_store *s)
{
	return s->file.size + s->end.n;
}

static bool write_out(struct skip_store *s)
{
	if (!s->file.path || s->end.n < END_BYTES)
		return true;
	s->failed = file_write(&s->file, buf_str(&s->end), NULL) != ST_OK;
	buf_reset(&s->end);
	return !s->failed;
}

bool skip_store_add(struct skip_store *s, const struct online_skip *what,
		    uint64_t *ret_at)
{
	uint64_t hash = hash64(what->via);

	if (s->failed || what->url.n > TEXT_MAX || what->via.n > TEXT_MAX ||
	    !write_out(s))
		return false;
	if (hash != s->via_hash || position(s) == 0) {
		s->via_hash = hash;
		s->via_at = position(s);
		buf_add_sized(&s->end, what->via);
	}
	*ret_at = position(s);
	buf_add_sized(&s->end, what->url);
	buf_add_varint(&s->end, what->depth);
	buf_add_varint(&s->end, *ret_at - s->via_at);
	return buf_status(&s->end) == ST_OK;
}

/* What stands there: a text of at most TEXT_MAX and a few numbers.  None is split
 * between file and memory. */
static struct str bytes_at(const struct skip_store *s, uint64_t at, char *room)
{
	struct str in, text;
	size_t n = 0;

	if (at >= s->file.size)
		return str_skip(buf_str(&s->end), (size_t)(at - s->file.size));
	for (size_t most = ROOM_MOSTLY; most <= ROOM; most += ROOM - ROOM_MOSTLY) {
		if (file_read_at(&s->file, at, room, most, &n, NULL) != ST_OK)
			return STR("");
		in = (struct str){ room, n };
		if (str_take_sized(&in, &text) && in.n >= ROOM - TEXT_MAX)
			break;
	}
	return (struct str){ room, n };
}

bool skip_store_read(const struct skip_store *s, uint64_t at, struct arena *a,
		     struct online_skip *ret)
{
	char room[ROOM];
	struct str in = bytes_at(s, at, room), url, via;
	uint64_t depth, back;

	if (!str_take_sized(&in, &url) || !str_take_varint(&in, &depth) ||
	    !str_take_varint(&in, &back) || back > at)
		return false;
	url = arena_copy(a, url);
	in = bytes_at(s, at - back, room);
	if (!str_take_sized(&in, &via))
		return false;
	*ret = (struct online_skip){ url, arena_copy(a, via), (uint32_t)depth };
	return true;
}
