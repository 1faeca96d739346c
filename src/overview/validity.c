#include "overview/validity.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "os/file.h"
#include "states/model.h"
#include "warc/warc_http.h"

void validity_release(struct validity *v)
{
	free(v->v);
	map_release(&v->seen);
	arena_release(&v->memory);
	*v = (struct validity){ 0 };
}

static uint64_t place_key(const struct fault *f, struct str page, bool is_dom)
{
	uint64_t h = hash_mix(1u + (uint64_t)f->kind);

	if (is_dom)
		return hash64_seeded(f->detail, hash64_seeded(f->path, h));
	return hash64_seeded(page, hash_mix(h + f->offset));
}

static void add_fault(struct validity *v, const struct fault *f, struct str page,
		      bool is_dom, uint32_t weight)
{
	bool is_new = false;
	uint64_t key = place_key(f, page, is_dom);

	if (v->n == VALIDITY_PLACES_MAX && !map_find(&v->seen, key))
		return;
	uint64_t *at = map_add(&v->seen, key, &is_new);
	if (is_new) {
		struct validity_place p = { .fault = *f, .page = page, .is_dom = is_dom };

		p.fault.path = arena_copy(&v->memory, f->path);
		p.fault.detail = arena_copy(&v->memory, f->detail);
		*at = v->n;
		VEC_ADD(v->v, v->n, v->cap, p);
	}
	struct validity_place *p = &v->v[*at];
	p->times++;
	if (p->last != v->page_count) {
		p->last = v->page_count;
		p->pages += weight;
	}
}

void validity_add(struct validity *v, struct str name, const struct validate_input *in,
		  bool markup_only, uint32_t weight)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct validation found;
	struct str page = arena_copy(&v->memory, name);

	validate_page(in, &a, &found);
	v->page_count++;
	for (int k = 0; k < FAULT_KINDS; k++) {
		if (!found.times[k] || (markup_only && !fault_table[k].is_markup))
			continue;
		v->times[k] += found.times[k];
		v->pages[k] += weight;
	}
	for (size_t i = 0; i < found.n; i++)
		if (!markup_only || fault_table[found.v[i].kind].is_markup)
			add_fault(v, &found.v[i], page, in->is_dom, weight);
}

enum status validity_add_file(struct validity *v, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };

	TRY(file_load(path, VALIDITY_PAGE_MAX, &b, why));
	struct str html = buf_str(&b);
	if (str_starts(html, STR("\xff\xfe")) || str_starts(html, STR("\xfe\xff"))) {
		snprintf(why->text, sizeof(why->text),
			 "%.120s is UTF-16; only UTF-8 and what shares its ASCII is read",
			 path);
		return ST_UNSUPPORTED;
	}
	v->files++;
	validity_add(v, str_from(path), &(struct validate_input){ .html = html }, false,
		     1);
	return ST_OK;
}

/* ---- A crawl of states ---- */

static uint64_t address_key(struct str url)
{
	return hash64(str_slice(url, 0, str_find_char(url, '#'))) | 1;
}

/* What is known of an address, in the map's value beside the number of its states. */
#define ANSWERED ((uint64_t)1 << 32)
#define NO_HTML  ((uint64_t)1 << 33)

static bool is_html(struct str type)
{
	return str_starts_nocase(type, STR("text/html")) ||
	       str_starts_nocase(type, STR("application/xhtml+xml"));
}

/* The first answer at the address of a state. */
static enum status add_answer(struct validity *v, struct warc_reader *r,
			      const struct warc_record *rec, struct map *states,
			      struct diag *why)
{
	cleanup(buf_release) struct buf spare = { 0 }, body = BUF(VALIDITY_PAGE_MAX);
	struct str url = warc_bare_uri(warc_field(rec, STR("WARC-Target-URI")));
	uint64_t *known = map_find(states, address_key(url));
	struct warc_http h;

	if (rec->type != WARC_RESPONSE || !warc_is_http(rec) || !known ||
	    (*known & ANSWERED) || rec->block_bytes > VALIDITY_PAGE_MAX)
		return ST_OK;
	TRY(warc_http_read(r, VALIDITY_PAGE_MAX, &spare, &h, why));
	if (warc_http_decode(&h, &body) != ST_OK || body.n == 0)
		return ST_OK;
	uint32_t count = (uint32_t)*known;
	*known |= ANSWERED;
	if (!is_html(stored_head_field(&h.head, STR("Content-Type")))) {
		*known |= NO_HTML;
		v->others += count;
		return ST_OK;
	}
	validity_add(v, url, &(struct validate_input){ .html = buf_str(&body) }, true,
		     count);
	v->answers++;
	return ST_OK;
}

/* An archive that breaks off, as after a kill, is read as far as it goes. */
static enum status add_archive(struct validity *v, const char *path, struct map *states,
			       struct diag *why)
{
	cleanup(warc_reader_release) struct warc_reader r = { 0 };
	struct warc_record *rec;
	enum status st;

	TRY(warc_reader_open(&r, path, why));
	while ((st = warc_next(&r, &rec, why)) == ST_OK &&
	       (st = add_answer(v, &r, rec, states, why)) == ST_OK)
		;
	return st == ST_AGAIN || st == ST_CORRUPT ? ST_OK : st;
}

static enum status add_answers(struct validity *v, const char *dir, struct map *states,
			       struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	const char *archive = path_join(&a, dir, STR("archive"));
	struct str_list files = { 0 };
	enum status st = ST_OK;

	if (dir_exists(archive))
		st = dir_list(archive, STR(".warc.gz"), &a, &files, why);
	for (size_t i = 0; i < files.n && st == ST_OK; i++)
		st = add_archive(v, path_join(&a, archive, files.v[i]), states, why);
	str_list_release(&files);
	return st;
}

static void add_dom(struct validity *v, uint32_t nr, const struct observation *seen)
{
	char name[32];

	snprintf(name, sizeof(name), "state %u", nr);
	validity_add(v, str_from(name),
		     &(struct validate_input){
			     .html = seen->html, .is_dom = true, .title = seen->title },
		     false, 1);
}

enum status validity_add_crawl(struct validity *v, const char *dir, struct diag *why)
{
	cleanup(model_close) struct model m = { 0 };
	cleanup(map_release) struct map states = { 0 };

	TRY(model_load(&m, dir, why));
	const struct simulation *kept = &m.simulation;
	for (size_t i = 0; i < kept->kept_count; i++)
		++*map_add(&states, address_key(m.states[kept->kept[i]]->seen.url), NULL);
	TRY(add_answers(v, dir, &states, why));
	for (size_t i = 0; i < kept->kept_count; i++) {
		uint32_t nr = kept->kept[i];
		const struct observation *seen = &m.states[nr]->seen;
		uint64_t known = *map_find(&states, address_key(seen->url));

		/* What the browser made of JSON or an image is not the author's. */
		if (known & NO_HTML)
			continue;
		add_dom(v, nr, seen);
		v->states++;
		v->unanswered += !(known & ANSWERED);
	}
	return ST_OK;
}
