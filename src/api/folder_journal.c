#include "api/folder_journal.h"

#include "base/alloc.h"

#define PARAMS_MAX 64

void stream_record_encode(const struct saved_stream *s, struct buf *to)
{
	buf_add_u8(to, RECORD_STREAM);
	buf_add_varint(to, s->nr);
	buf_add_u64(to, s->endpoint);
	buf_add_u8(to, s->is_root);
	buf_add_sized(to, s->interaction);
	buf_add_sized(to, s->page);
	buf_add_sized(to, s->since);
	buf_add_varint(to, s->n_params);
	for (size_t i = 0; i < s->n_params; i++) {
		buf_add_sized(to, s->params[i].name);
		buf_add_sized(to, s->params[i].value);
	}
}

static bool take_text(struct campaign_folder *f, struct str *in, struct str *ret)
{
	struct str s;

	if (!str_take_sized(in, &s))
		return false;
	*ret = arena_copy(&f->arena, s);
	return true;
}

static bool replay_stream(struct campaign_folder *f, struct str in)
{
	struct saved_stream s = { 0 };
	uint64_t nr, n;
	uint8_t root;

	if (!str_take_varint(&in, &nr) || nr != f->n || !str_take_u64(&in, &s.endpoint) ||
	    !str_take_u8(&in, &root) || !take_text(f, &in, &s.interaction) ||
	    !take_text(f, &in, &s.page) || !take_text(f, &in, &s.since) ||
	    !str_take_varint(&in, &n) || n > PARAMS_MAX)
		return false;
	s.params = arena_alloc(&f->arena, sizeof(*s.params) * (n + 1));
	for (; s.n_params < n; s.n_params++)
		if (!take_text(f, &in, &s.params[s.n_params].name) ||
		    !take_text(f, &in, &s.params[s.n_params].value))
			return false;
	s.nr = (uint32_t)nr;
	s.is_root = root;
	s.best = s.since;
	VEC_ADD(f->streams, f->n, f->cap, s);
	return in.n == 0;
}

static bool replay_page(struct campaign_folder *f, struct str in)
{
	uint64_t nr, pages, last_page, key, hash;
	uint8_t state, end;

	if (!str_take_varint(&in, &nr) || nr >= f->n || !str_take_u8(&in, &state) ||
	    state >= STREAM_STATES || !str_take_u8(&in, &end) ||
	    !str_take_varint(&in, &pages) || !str_take_u64(&in, &last_page))
		return false;
	struct saved_stream *s = &f->streams[nr];
	s->state = state;
	s->pages = (uint32_t)pages;
	s->last_page = last_page;
	if (!take_text(f, &in, &s->page) || !take_text(f, &in, &s->best))
		return false;
	while (str_take_u64(&in, &key) && str_take_u64(&in, &hash))
		*map_add(&f->seen, key, NULL) = hash;
	return in.n == 0;
}

static bool replay_cursor(struct campaign_folder *f, struct str in)
{
	uint64_t key;
	struct str value;

	if (!str_take_u64(&in, &key) || !take_text(f, &in, &value))
		return false;
	*map_add(&f->cursors, key, NULL) = f->n_texts;
	VEC_ADD(f->texts, f->n_texts, f->texts_cap, value);
	return in.n == 0;
}

static bool replay_round(struct campaign_folder *f, struct str in)
{
	uint64_t round, at;

	if (!str_take_varint(&in, &round) || !str_take_u64(&in, &at))
		return false;
	f->round = round;
	f->round_ms = (int64_t)at;
	f->round_ended = false;
	f->n = 0; /* streams that failed were begun anew, as streams of this round */
	return in.n == 0;
}

void commit_record_encode(const struct folder_commit *c, struct buf *to)
{
	const uint64_t *counts = (const uint64_t *)&c->counts;

	buf_add_u8(to, RECORD_COMMIT);
	archive_position_encode(&c->archive, to);
	for (unsigned i = 0; i < FOLDER_LISTS; i++)
		buf_add_u64(to, c->bytes[i]);
	for (size_t i = 0; i < sizeof(c->counts) / sizeof(uint64_t); i++)
		buf_add_varint(to, counts[i]);
}

enum status commit_record_decode(struct str in, struct folder_commit *ret)
{
	struct folder_commit c = { 0 };
	uint64_t *counts = (uint64_t *)&c.counts;

	TRY(archive_position_decode(&in, &c.archive));
	for (unsigned i = 0; i < FOLDER_LISTS; i++)
		if (!str_take_u64(&in, &c.bytes[i]))
			return ST_CORRUPT;
	for (size_t i = 0; i < sizeof(c.counts) / sizeof(uint64_t); i++)
		if (!str_take_varint(&in, &counts[i]))
			return ST_CORRUPT;
	*ret = c;
	return ST_OK;
}

enum status folder_replay(struct campaign_folder *f, struct str record)
{
	uint8_t kind;
	bool fine;

	if (!str_take_u8(&record, &kind))
		return ST_CORRUPT;
	switch (kind) {
	case RECORD_ROUND:
		fine = replay_round(f, record);
		break;
	case RECORD_ROUND_END:
		f->round_ended = fine = true;
		break;
	case RECORD_STREAM:
		fine = replay_stream(f, record);
		break;
	case RECORD_PAGE:
		fine = replay_page(f, record);
		break;
	case RECORD_CURSOR:
		fine = replay_cursor(f, record);
		break;
	default:
		fine = kind == RECORD_COMMIT;
		break;
	}
	return fine ? ST_OK : ST_CORRUPT;
}
