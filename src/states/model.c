#include "states/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "states/choose.h"

static const struct segment_kind log_kind = { .name = "thrstate", .version = 1 };

enum record_kind {
	RECORD_SETTINGS = 1,
	RECORD_STATE,
	RECORD_DEED,
	RECORD_TRAFFIC,
	RECORD_WRITE,
};

#define OBSERVATION_MAX ((size_t)64 << 20)
#define WRITE_BYTES_MAX ((uint64_t)64 << 20) /* of all answers to writes */

const char *deed_outcome_name(uint8_t outcome)
{
	static const char *const names[] = { "pending", "done", "refused",
					     "failed",  "left", "skipped" };

	return names[outcome];
}

struct state_distance model_distance(const void *ctx, uint32_t a, uint32_t b)
{
	const struct model *m = ctx;

	return identity_distance(&m->states[a]->identity, &m->states[b]->identity,
				 m->content.method);
}

static void path_of_state(const struct model *m, uint32_t nr, char *ret, size_t size)
{
	snprintf(ret, size, "%s/states/%u.json", m->dir, nr);
}

static enum status take_state(struct model *m, struct str json, struct str problems,
			      uint32_t *ret, struct diag *why)
{
	struct raw_state *s = NEW(struct raw_state);
	enum status st = observation_parse(json, &s->memory, &s->seen, why);

	if (st != ST_OK) {
		arena_release(&s->memory);
		free(s);
		return st;
	}
	identity_make(&s->seen, &m->content, &s->memory, &s->identity);
	s->problems = arena_copy(&s->memory, problems);
	s->deed_of =
		xcalloc(s->seen.candidate_count * EVENT_KINDS + 1, sizeof(*s->deed_of));
	choose_prepare(s);
	*ret = (uint32_t)m->state_count;
	VEC_ADD(m->states, m->state_count, m->state_cap, s);
	bool is_new = false;
	uint64_t *at = map_add(&m->by_key, s->identity.key, &is_new);
	if (is_new)
		*at = *ret;
	return ST_OK;
}

uint32_t model_find(const struct model *m, const struct identity *id)
{
	const uint64_t *at = map_find(&m->by_key, id->key);

	return at ? (uint32_t)*at : STATE_UNSEEN;
}

uint32_t model_kept(const struct model *m, uint32_t raw, const struct identity *id)
{
	const struct simulation *s = &m->simulation;
	uint32_t best = STATE_UNSEEN;
	double least = 0;

	if (raw < s->raw_count && s->absorbed_by[raw] != STATE_UNSEEN)
		return s->absorbed_by[raw];
	if (!id)
		return STATE_UNSEEN;
	for (size_t i = 0; i < s->kept_count; i++) {
		struct state_distance d = identity_distance(
			&m->states[s->kept[i]]->identity, id, m->content.method);

		if (d.of_template <= s->thresholds.of_template &&
		    d.of_content <= s->thresholds.of_content &&
		    (best == STATE_UNSEEN || d.of_template < least)) {
			best = s->kept[i];
			least = d.of_template;
		}
	}
	return best;
}

const struct deed *model_first_deed(const struct model *m, uint32_t state)
{
	for (size_t i = 0; state != 0 && i < m->deed_count; i++)
		if (m->deeds[i].outcome == DEED_DONE && m->deeds[i].to == state)
			return &m->deeds[i];
	return NULL;
}

struct deed *model_deed(const struct model *m, uint32_t state, uint32_t candidate,
			enum event_kind event)
{
	uint32_t at = m->states[state]->deed_of[candidate * EVENT_KINDS + event];

	return at ? &m->deeds[at - 1] : NULL;
}

static bool deed_is_possible(const struct model *m, const struct deed *d)
{
	return d->state < m->state_count && d->event < EVENT_KINDS &&
	       d->candidate < m->states[d->state]->seen.candidate_count &&
	       (d->outcome != DEED_DONE || d->to < m->state_count) &&
	       d->outcome < DEED_OUTCOMES;
}

struct attempt model_attempt(const struct model *m, const struct deed *d)
{
	const struct raw_state *s = m->states[d->state];

	return (struct attempt){
		.control = &s->seen.candidates[d->candidate],
		.state = d->state,
		.event = d->event,
		.in_combination = s->combines,
		.url = s->seen.url,
		.merged = d->state < m->simulation.raw_count &&
			  m->simulation.absorbed_by[d->state] != d->state,
	};
}

static bool is_tried(uint8_t outcome)
{
	return outcome != DEED_REFUSED && outcome != DEED_SKIPPED;
}

uint64_t model_fired(const struct model *m, uint32_t state)
{
	const struct raw_state *s = m->states[state];
	uint64_t n = 0;

	for (size_t i = 0; i < s->seen.candidate_count * EVENT_KINDS; i++)
		n += s->deed_of[i] && is_tried(m->deeds[s->deed_of[i] - 1].outcome);
	return n;
}

static bool apply_deed(struct model *m, const struct deed *d)
{
	struct deed copy = *d;
	bool kept = false;

	copy.why = arena_copy(&m->memory, d->why);
	VEC_ADD(m->deeds, m->deed_count, m->deed_cap, copy);
	m->states[d->state]->deed_of[d->candidate * EVENT_KINDS + d->event] =
		(uint32_t)m->deed_count;
	if (d->outcome != DEED_DONE)
		return false;
	worth_start(&m->worth, &m->states[0]->identity, &m->states[0]->seen);
	struct transition t = { d->state, d->to, (uint32_t)m->deed_count - 1 };
	uint32_t at = simulation_add(&m->simulation, t, &kept);
	struct attempt attempt = model_attempt(m, d);
	bool by_content = m->simulation.thresholds.of_content < CONTENT_FARTHEST;
	enum arrival arrival = !kept        ? ARRIVAL_KNOWN
			       : by_content ? ARRIVAL_CONTENT
					    : ARRIVAL_STATE;
	bool is_new = worth_add(&m->worth, &attempt, &m->states[d->to]->identity,
				&m->states[d->to]->seen, arrival) == GAIN_ELEMENT;

	m->states[d->to]->arrivals++;
	if (is_new)
		m->states[d->state]->brought_new = true;
	if (kept)
		m->states[at]->combines = arrival == ARRIVAL_STATE && !is_new;
	if (m->states[d->to]->arrivals == 1 && d->to != 0)
		m->states[d->to]->depth = m->states[d->state]->depth + 1;
	return kept;
}

static enum status write_record(struct model *m, struct str record, struct diag *why)
{
	TRY(segment_log_add(&m->log, record, NULL, why));
	return segment_log_sync(&m->log, why);
}

void model_set_traffic(struct model *m, const struct traffic_position *at)
{
	m->traffic = *at;
	m->traffic_moved = true;
}

enum status model_save_traffic(struct model *m, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };

	if (!m->traffic_moved)
		return ST_OK;
	m->traffic_moved = false;
	buf_add_u8(&b, RECORD_TRAFFIC);
	traffic_position_encode(&m->traffic, &b);
	return write_record(m, buf_str(&b), why);
}

enum status model_add_deed(struct model *m, const struct deed *d, bool *ret_kept,
			   struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add_u8(&b, RECORD_DEED);
	buf_add_varint(&b, d->state);
	buf_add_varint(&b, d->candidate);
	buf_add_u8(&b, d->event);
	buf_add_u8(&b, d->outcome);
	buf_add_varint(&b, d->to);
	buf_add_sized(&b, d->why);
	if (m->traffic_moved)
		traffic_position_encode(&m->traffic, &b);
	m->traffic_moved = false;
	TRY(write_record(m, buf_str(&b), why));
	*ret_kept = apply_deed(m, d);
	return ST_OK;
}

enum status model_add_state(struct model *m, struct str json, struct str problems,
			    uint32_t *ret, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf b = { 0 };
	struct observation o;
	struct identity id;
	char path[4096];

	TRY(observation_parse(json, &a, &o, why));
	identity_make(&o, &m->content, &a, &id);
	*ret = model_find(m, &id);
	/* The same words and elements, but a link that no state had: its events are new.
	 */
	if (*ret != STATE_UNSEEN && !worth_offers_new(&m->worth, &o))
		return ST_OK;
	if (m->state_count == RAW_STATES_MAX)
		return diag_fail(why, ST_TOO_LARGE, "more than %d raw states",
				 RAW_STATES_MAX);
	path_of_state(m, (uint32_t)m->state_count, path, sizeof(path));
	TRY(file_save(path, json, why));
	buf_add_u8(&b, RECORD_STATE);
	buf_add_sized(&b, problems);
	TRY(write_record(m, buf_str(&b), why));
	return take_state(m, json, problems, ret, why);
}

static void take_write(struct model *m, const struct written *w)
{
	struct written *copy = arena_alloc(&m->memory, sizeof(*copy));

	*copy = *w;
	copy->headers = arena_copy(&m->memory, w->headers);
	copy->body = arena_copy(&m->memory, w->body);
	m->write_bytes += w->headers.n + w->body.n;
	VEC_ADD(m->writes, m->write_count, m->write_cap, copy);
}

enum status model_add_write(struct model *m, const struct written *w, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };

	if (m->write_bytes + w->headers.n + w->body.n > WRITE_BYTES_MAX)
		return ST_OK;
	buf_add_u8(&b, RECORD_WRITE);
	buf_add_varint(&b, w->exact);
	buf_add_varint(&b, w->inexact);
	buf_add_varint(&b, w->anyhow);
	buf_add_varint(&b, (uint64_t)w->status);
	buf_add_sized(&b, w->headers);
	buf_add_sized(&b, w->body);
	TRY(write_record(m, buf_str(&b), why));
	take_write(m, w);
	return ST_OK;
}

static enum status replay_write(struct model *m, struct str in)
{
	struct written w = { 0 };
	uint64_t status;

	if (!str_take_varint(&in, &w.exact) || !str_take_varint(&in, &w.inexact) ||
	    !str_take_varint(&in, &w.anyhow) || !str_take_varint(&in, &status) ||
	    !str_take_sized(&in, &w.headers) || !str_take_sized(&in, &w.body) || in.n ||
	    status > 999)
		return ST_CORRUPT;
	w.status = (int)status;
	take_write(m, &w);
	return ST_OK;
}

enum status model_give_up(struct model *m, uint32_t state, struct str why,
			  struct diag *diag)
{
	struct deed d;
	bool kept;

	m->states[state]->unreachable = true;
	for (bool first = true; choose_in(m, state, &d); first = false) {
		/* One was wanted; the others were never tried. */
		d.outcome = first ? DEED_FAILED : DEED_SKIPPED;
		d.why = why;
		TRY(model_add_deed(m, &d, &kept, diag));
	}
	return ST_OK;
}

static enum status replay_deed(struct model *m, struct str in, struct diag *why)
{
	struct deed d = { 0 };
	uint64_t state, candidate, to;

	if (!str_take_varint(&in, &state) || !str_take_varint(&in, &candidate) ||
	    !str_take_u8(&in, &d.event) || !str_take_u8(&in, &d.outcome) ||
	    !str_take_varint(&in, &to) || !str_take_sized(&in, &d.why) ||
	    (in.n && traffic_position_decode(&in, &m->traffic) != ST_OK) || in.n ||
	    state > UINT32_MAX || candidate > UINT32_MAX || to > UINT32_MAX)
		return diag_fail(why, ST_CORRUPT, "%s: a bad record in the log", m->dir);
	d.state = (uint32_t)state;
	d.candidate = (uint32_t)candidate;
	d.to = (uint32_t)to;
	if (!deed_is_possible(m, &d))
		return diag_fail(why, ST_CORRUPT, "%s: an impossible event in the log",
				 m->dir);
	apply_deed(m, &d);
	return ST_OK;
}

static enum status replay_state(struct model *m, struct str in, struct diag *why)
{
	cleanup(buf_release) struct buf json = BUF(OBSERVATION_MAX);
	char path[4096];
	struct str problems;
	uint32_t nr;

	if (!str_take_sized(&in, &problems) || in.n)
		return diag_fail(why, ST_CORRUPT, "%s: a bad record in the log", m->dir);
	path_of_state(m, (uint32_t)m->state_count, path, sizeof(path));
	TRY(file_load(path, OBSERVATION_MAX, &json, why));
	return take_state(m, buf_str(&json), problems, &nr, why);
}

static enum status check_settings(struct str had, struct str now, const char *dir,
				  struct diag *why)
{
	if (str_eq(had, now))
		return ST_OK;
	return diag_fail(why, ST_DENIED,
			 "%s was crawled with other settings (" STR_FMT
			 "); choose another folder",
			 dir, (int)MIN(had.n, 120), had.p);
}

/* `settings` with p NULL: any. */
static enum status replay(struct model *m, const char *log_dir, struct str settings,
			  struct diag *why)
{
	struct segment_cursor c = { 0 };
	struct str record;
	uint8_t kind;
	enum status st;

	TRY(segment_cursor_open(&c, log_dir, &log_kind, 0, why));
	while ((st = segment_cursor_next(&c, &record, why)) == ST_OK) {
		if (!str_take_u8(&record, &kind))
			st = ST_CORRUPT;
		else if (kind == RECORD_SETTINGS)
			st = settings.p ? check_settings(record, settings, m->dir, why)
					: ST_OK;
		else if (kind == RECORD_STATE)
			st = replay_state(m, record, why);
		else if (kind == RECORD_TRAFFIC)
			st = traffic_position_decode(&record, &m->traffic);
		else if (kind == RECORD_WRITE)
			st = replay_write(m, record);
		else
			st = replay_deed(m, record, why);
		if (st != ST_OK)
			break;
	}
	segment_cursor_close(&c);
	return st == ST_AGAIN ? ST_OK : st;
}

static enum status open_log(struct model *m, struct str settings, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	char path[4096];

	snprintf(path, sizeof(path), "%s/states", m->dir);
	TRY(dir_make(path, why));
	snprintf(path, sizeof(path), "%s/state/log", m->dir);
	TRY(segment_log_open(&m->log, path, &log_kind, &(struct segment_log_options){ 0 },
			     NULL, why));
	if (segment_log_end(&m->log) > 0)
		return replay(m, path, settings, why);
	buf_add_u8(&b, RECORD_SETTINGS);
	buf_add(&b, settings);
	return write_record(m, buf_str(&b), why);
}

static void init(struct model *m, const char *dir, const struct content *content,
		 struct state_thresholds thresholds)
{
	*m = (struct model){ .content = *content };
	m->dir = xcalloc(strlen(dir) + 1, 1);
	memcpy(m->dir, dir, strlen(dir));
	simulation_start(&m->simulation, thresholds, model_distance, m);
}

enum status model_settings(const char *dir, struct buf *ret, struct diag *why)
{
	struct segment_cursor c = { 0 };
	struct str record;
	char path[4096];
	uint8_t kind;

	snprintf(path, sizeof(path), "%s/state/log", dir);
	if (!file_exists(path))
		return diag_fail(why, ST_NOT_FOUND, "there is no crawl in %s", dir);
	TRY(segment_cursor_open(&c, path, &log_kind, 0, why));
	enum status st = segment_cursor_next(&c, &record, why);
	if (st == ST_OK && str_take_u8(&record, &kind) && kind == RECORD_SETTINGS)
		buf_add(ret, record);
	else
		st = diag_fail(why, ST_CORRUPT, "%s: the log does not begin as it should",
			       dir);
	segment_cursor_close(&c);
	return st;
}

static double number_in(const struct json *settings, const char *name)
{
	char text[64];
	struct str s = json_str(json_get(settings, name));

	snprintf(text, sizeof(text), STR_FMT, STR_ARG(s));
	return strtod(text, NULL);
}

enum status model_load(struct model *ret, const char *dir, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json *settings = NULL;
	char path[4096];

	TRY(model_settings(dir, &b, why));
	TRY(json_parse(buf_str(&b), &settings, why));
	struct content content;
	enum status st = content_parse(settings, &content, why);
	struct state_thresholds thresholds = { number_in(settings, "threshold"),
					       number_in(settings, "content-threshold") };
	json_release(&settings);
	if (st != ST_OK)
		return diag_fail(why, ST_CORRUPT, "%s: a crawl of another version", dir);
	init(ret, dir, &content, thresholds);
	snprintf(path, sizeof(path), "%s/state/log", dir);
	st = replay(ret, path, (struct str){ 0 }, why);
	if (st == ST_OK && ret->state_count == 0)
		st = diag_fail(why, ST_NOT_FOUND, "%s: nothing was seen yet", dir);
	if (st != ST_OK)
		model_close(ret);
	return st;
}

enum status model_open(struct model *ret, const char *dir, struct str settings,
		       const struct content *content, struct state_thresholds thresholds,
		       struct diag *why)
{
	init(ret, dir, content, thresholds);
	enum status st = open_log(ret, settings, why);

	if (st != ST_OK)
		model_close(ret);
	return st;
}

void model_close(struct model *m)
{
	segment_log_close(&m->log);
	simulation_release(&m->simulation);
	for (size_t i = 0; i < m->state_count; i++) {
		arena_release(&m->states[i]->memory);
		free(m->states[i]->deed_of);
		free(m->states[i]->controls);
		free(m->states[i]->kinds);
		free(m->states[i]->spots);
		map_release(&m->states[i]->offers);
		free(m->states[i]);
	}
	free(m->states);
	free(m->deeds);
	free(m->writes);
	map_release(&m->by_key);
	worth_release(&m->worth);
	arena_release(&m->memory);
	free(m->dir);
	*m = (struct model){ 0 };
}
