#include "api/harvest.h"

#include <string.h>

#include "base/date.h"
#include "base/hash.h"
#include "kb/facts.h"
#include "service/filter.h"
#include "service/vocabulary.h"
#include "url/percent.h"

#define PARAMS_MAX       64
#define CHAIN_PARAMS_MAX 16
#define CHAIN_EACH_MAX   100000 /* requests that one item may ask for */

void api_harvest_release(struct api_harvest *h)
{
	buf_release(&h->seen);
	buf_release(&h->best);
	buf_release(&h->raw);
	buf_release(&h->id);
	buf_release(&h->subject);
	buf_release(&h->value);
	buf_release(&h->text);
}

/* --- increments --- */

bool increment_is_later(struct str a, struct str b)
{
	uint64_t x, y;

	if (str_to_uint(a, UINT64_MAX, &x) && str_to_uint(b, UINT64_MAX, &y))
		return y > x;
	return str_cmp(b, a) > 0;
}

void increment_since(struct str value, struct buf *to)
{
	uint64_t epoch;
	int64_t ms;

	if (str_to_uint(value, UINT32_MAX, &epoch) && value.n >= 9) {
		buf_add_uint(to, epoch - 1);
	} else if (value.n >= 19 && value.p[10] == 'T' && date_parse_iso(value, &ms)) {
		size_t before = to->n;

		buf_add_date_iso(to, ms - 1000, false);
		if (!str_ends(value, STR("Z")) && value.n == 19)
			to->n = MIN(to->n, before + 19); /* without a zone, as it came */
	} else {
		buf_add(to, value);
	}
}

/* --- triples --- */

bool iri_add_safe(struct str text, struct buf *to)
{
	size_t colon = str_find_char(text, ':');

	if (colon == STR_NONE || colon == 0 || !ascii_is_alpha(text.p[0]))
		return false;
	for (size_t i = 0; i < text.n; i++) {
		uint8_t c = (uint8_t)text.p[i];

		if (c <= ' ' || (c < 0x80 && strchr("<>\"{}|^`\\", c)))
			buf_add_percent(to, text.p[i]);
		else
			buf_add_char(to, text.p[i]);
	}
	return true;
}

static void add_triple(struct api_harvest *h, struct str predicate, struct term object)
{
	struct statement s = { .subject = term_iri(buf_str(&h->subject)),
			       .predicate = term_iri(predicate),
			       .object = object,
			       .graph = term_iri(h->graph) };

	statement_format(&s, &h->folder->lists[LIST_TRIPLES].pending);
	h->triples++;
}

struct object_writing {
	struct api_harvest *h;
	const struct api_object *o;
};

static bool add_object(void *arg, struct str value)
{
	struct object_writing *w = arg;
	struct str type = w->o->datatype;

	buf_reset(&w->h->value);
	if (w->o->is_iri) {
		if (iri_add_safe(value, &w->h->value))
			add_triple(w->h, w->o->predicate,
				   term_iri(buf_str(&w->h->value)));
		return true;
	}
	add_triple(w->h, w->o->predicate,
		   type.n ? term_typed(value, type) : term_string(value));
	return true;
}

static void add_map(struct api_harvest *h, const struct api_map *m,
		    const struct api_scope *s)
{
	cleanup(buf_release) struct buf subject = { 0 }, when = { 0 };

	if (m->when.is_set && !template_add(&m->when, s, false, &when))
		return;
	buf_reset(&h->subject);
	if (!template_add(&m->subject, s, false, &subject) ||
	    !iri_add_safe(buf_str(&subject), &h->subject))
		return;
	for (size_t i = 0; i < m->n; i++) {
		struct object_writing w = { h, &m->v[i] };

		template_each(&m->v[i].value, s, add_object, &w);
	}
}

/* Whence it is: the same for every item of every service. */
static void add_provenance(struct api_harvest *h)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add(&b, STR("urn:uuid:"));
	buf_add(&b, h->record);
	add_triple(h, STR(PROV "wasDerivedFrom"), term_iri(buf_str(&b)));
	add_triple(h, STR(PROV "wasGeneratedBy"), term_iri(h->graph));
	buf_reset(&b);
	buf_add_date_iso(&b, h->fetched_ms, false);
	add_triple(h, STR(PROV "generatedAtTime"),
		   term_typed(buf_str(&b), STR(XSD "dateTime")));
	add_triple(h, STR(THRESH "service"), term_string(h->endpoint->service->name));
}

/* --- links --- */

struct link_writing {
	struct api_harvest *h;
	double score;
	struct str via;
};

static void note_seen(struct api_harvest *h, uint64_t key, uint64_t hash)
{
	*map_add(&h->folder->seen, key, NULL) = hash;
	buf_add_u64(&h->seen, key);
	buf_add_u64(&h->seen, hash);
}

static bool add_link(void *arg, struct str url)
{
	struct link_writing *w = arg;
	struct json_out o = { .to = &w->h->folder->lists[LIST_LINKS].pending };
	uint64_t key = hash64_seeded(url, 'L');

	if ((!str_starts(url, STR("http://")) && !str_starts(url, STR("https://"))) ||
	    url.n > FETCH_URL_MAX || map_find(&w->h->folder->seen, key))
		return true;
	note_seen(w->h, key, 1);
	json_open(&o, '{');
	json_put_str(&o, "url", url);
	json_put_double(&o, "score", w->score);
	json_put_str(&o, "via", w->via);
	json_close(&o, '}');
	buf_add_char(o.to, '\n');
	w->h->links++;
	return true;
}

/* --- chains --- */

struct chaining {
	struct api_harvest *h;
	const struct api_chain *c;
	const struct api_scope *s;
	size_t n;
};

static bool chain_one(void *arg, const struct json *v)
{
	struct chaining *ch = arg;
	cleanup(buf_release) struct buf each = { 0 };
	struct buf texts[CHAIN_PARAMS_MAX] = { 0 };
	struct var params[CHAIN_PARAMS_MAX + 1];
	size_t n = 0;
	bool fine = true;

	value_add_text(v, &each);
	struct var own = { STR("each"), buf_str(&each) };
	struct api_scope s = { &own, each.n ? 1 : 0, ch->s, v };
	for (; n < MIN(ch->c->n_params, (size_t)CHAIN_PARAMS_MAX); n++) {
		fine = fine &&
		       template_add(&ch->c->params[n].value, &s, false, &texts[n]);
		params[n] = (struct var){ ch->c->params[n].name, buf_str(&texts[n]) };
	}
	if (fine)
		ch->h->chain(ch->h->arg, ch->c, params, n);
	for (size_t i = 0; i < CHAIN_PARAMS_MAX; i++)
		buf_release(&texts[i]);
	return ++ch->n < CHAIN_EACH_MAX;
}

static void add_chains(struct api_harvest *h, const struct json *item,
		       const struct api_scope *s, bool is_known)
{
	const struct api_interaction *i = h->interaction;

	for (size_t k = 0; k < i->n_chains && h->chain; k++) {
		struct chaining ch = { h, &i->chains[k], s, 0 };
		cleanup(buf_release) struct buf when = { 0 };

		if (is_known && !ch.c->always)
			continue;
		if (ch.c->when.is_set && (!template_add(&ch.c->when, s, false, &when) ||
					  str_eq(buf_str(&when), STR("0")) ||
					  str_eq(buf_str(&when), STR("false"))))
			continue;
		if (ch.c->for_each.is_set)
			json_path_each(&ch.c->for_each, item, chain_one, &ch);
		else
			chain_one(&ch, item);
	}
}

/* --- items --- */

static void add_line(struct api_harvest *h, bool is_change)
{
	struct json_out o = { .to = &h->folder->lists[LIST_ITEMS].pending };

	json_open(&o, '{');
	json_put_str(&o, "service", h->endpoint->service->name);
	json_put_str(&o, "host", h->endpoint->host);
	json_put_str(&o, "kind", h->interaction->kind);
	json_put_str(&o, "id", buf_str(&h->id));
	if (h->subject.n > 0)
		json_put_str(&o, "iri", buf_str(&h->subject));
	if (h->keyword.n > 0)
		json_put_str(&o, "keyword", h->keyword);
	json_put_bool(&o, "changed", is_change);
	json_put_str(&o, "record", h->record);
	json_key(&o, STR("item"));
	json_add_raw(&o, buf_str(&h->raw));
	json_close(&o, '}');
	buf_add_char(o.to, '\n');
}

/* The same for one item, whichever interaction brings it. */
static uint64_t item_key(struct api_harvest *h)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add_sized(&b, h->endpoint->service->name);
	buf_add_sized(&b, h->endpoint->host);
	buf_add_sized(&b, h->interaction->kind);
	buf_add(&b, buf_str(&h->id));
	return hash64_seeded(buf_str(&b), 'I');
}

static void note_increment(struct api_harvest *h, const struct api_scope *s)
{
	buf_reset(&h->value);
	if (template_add(&h->interaction->incremental.value, s, false, &h->value) &&
	    increment_is_later(buf_str(&h->best), buf_str(&h->value))) {
		buf_reset(&h->best);
		buf_add(&h->best, buf_str(&h->value));
	}
}

/* That a keyword found the item is worth a triple even when the item is known. */
static void note_match(struct api_harvest *h, struct str keyword, uint64_t key,
		       bool has_subject)
{
	uint64_t pair = hash64_seeded(keyword, key);

	if (keyword.n == 0 || !has_subject || map_find(&h->folder->seen, pair))
		return;
	note_seen(h, pair, 1);
	add_triple(h, STR(THRESH "matches"), term_string(keyword));
}

static void take_new(struct api_harvest *h, const struct json *item,
		     const struct api_scope *s, bool is_change)
{
	const struct api_interaction *i = h->interaction;
	cleanup(buf_release) struct buf first = { 0 };

	for (size_t k = 0; k < i->n_maps; k++) {
		add_map(h, &i->maps[k], s);
		if (k == 0)
			buf_add(&first, buf_str(&h->subject));
	}
	SWAP(h->subject, first);
	if (h->subject.n > 0)
		add_provenance(h);
	add_line(h, is_change);
	for (size_t k = 0; k < i->n_links; k++) {
		struct link_writing w = { h, i->links[k].score, buf_str(&h->subject) };

		template_each(&i->links[k].url, s, add_link, &w);
	}
	add_chains(h, item, s, false);
}

/* Of its content, but for what the description says to ignore: counters, signed URLs. */
static uint64_t content_hash(struct api_harvest *h, const struct json *item)
{
	const struct api_interaction *i = h->interaction;
	struct json_out o = { .to = &h->value };
	uint64_t hash = 0;

	if (i->n_ignore == 0)
		return hash64(buf_str(&h->raw));
	for (const struct json *m = json_first(item); m; m = json_next(m)) {
		size_t k = 0;

		while (k < i->n_ignore && !str_eq(i->ignore[k], json_name(m)))
			k++;
		if (k < i->n_ignore)
			continue;
		buf_reset(&h->value);
		o.after_value = false;
		value_add_tree(m, &o);
		hash = hash64_seeded(buf_str(&h->value), hash ^ hash64(json_name(m)));
	}
	return hash;
}

/* --- what a keyword finds in a stream that knows no search --- */

static bool is_word_char(char c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c) || (uint8_t)c >= 0x80;
}

/* Whole words, ASCII letters alike; "#solar" and "solar," have the word solar. */
bool text_has_keyword(struct str text, struct str keyword)
{
	for (size_t i = 0; keyword.n > 0 && i + keyword.n <= text.n; i++) {
		struct str rest = str_skip(text, i);

		if (!str_starts_nocase(rest, keyword))
			continue;
		bool begins = i == 0 || !is_word_char(text.p[i - 1]) ||
			      !is_word_char(keyword.p[0]);
		bool ends = rest.n == keyword.n || !is_word_char(rest.p[keyword.n]) ||
			    !is_word_char(keyword.p[keyword.n - 1]);
		if (begins && ends)
			return true;
	}
	return false;
}

/* Bits are too few for a campaign's words: those that match are asked for one by one. */
static bool has_match(struct api_harvest *h, const struct api_scope *s)
{
	const struct api_interaction *i = h->interaction;

	if (!i->match.is_set || !h->keywords || h->keywords->n == 0)
		return true;
	buf_reset(&h->text);
	if (!template_add(&i->match, s, false, &h->text))
		return false;
	for (size_t k = 0; k < h->keywords->n; k++)
		if (text_has_keyword(buf_str(&h->text), h->keywords->v[k]))
			return true;
	return false;
}

static bool is_wanted(struct api_harvest *h, const struct api_scope *s)
{
	const struct api_interaction *i = h->interaction;

	buf_reset(&h->text);
	if (i->when.is_set && !template_add(&i->when, s, false, &h->text))
		return false;
	return has_match(h, s);
}

static void note_matches(struct api_harvest *h, uint64_t key)
{
	const struct api_interaction *i = h->interaction;
	bool has_subject = h->subject.n > 0;

	note_match(h, h->keyword, key, has_subject);
	for (size_t k = 0; i->match.is_set && h->keywords && k < h->keywords->n; k++)
		if (text_has_keyword(buf_str(&h->text), h->keywords->v[k]))
			note_match(h, h->keywords->v[k], key, has_subject);
}

/* Of an item that is known: a keyword that finds it now is news. */
static void set_subject(struct api_harvest *h, const struct api_scope *s)
{
	const struct api_interaction *i = h->interaction;
	cleanup(buf_release) struct buf subject = { 0 };

	buf_reset(&h->subject);
	if ((h->keyword.n > 0 || i->match.is_set) && i->n_maps > 0 &&
	    template_add(&i->maps[0].subject, s, false, &subject))
		(void)!iri_add_safe(buf_str(&subject), &h->subject);
}

static bool has_member(const struct json *item, struct str name)
{
	const struct json *m = json_kind(item) == JSON_OBJECT ? json_first(item) : NULL;

	while (m && !str_eq(json_name(m), name))
		m = json_next(m);
	return m != NULL;
}

/*
 * A member of the item is meant before a parameter of the same name: an entry's {url} is
 * not that of its feed.  But {instance} is always the service's.
 */
static size_t hide_params(const struct api_scope *of, const struct json *item,
			  struct var *ret)
{
	size_t n = 0;

	for (; of; of = of->outer)
		for (size_t i = 0; i < of->n && n < PARAMS_MAX; i++)
			if (str_eq(of->vars[i].name, STR("instance")) ||
			    !has_member(item, of->vars[i].name))
				ret[n++] = of->vars[i];
	return n;
}

static bool take_item(void *arg, const struct json *item)
{
	struct api_harvest *h = arg;
	const struct api_interaction *i = h->interaction;
	struct var vars[PARAMS_MAX];
	struct api_scope s = { vars, hide_params(h->vars, item, vars), NULL, item };
	struct json_out o = { .to = &h->raw };

	buf_reset(&h->raw);
	buf_reset(&h->id);
	note_increment(h, &s);
	if (!is_wanted(h, &s)) {
		/* The list goes on, though this is not wanted. */
		h->items++;
		(void)!template_add(&i->id, &s, false, &h->id);
		h->page_hash = hash64_seeded(buf_str(&h->id), h->page_hash);
		return true;
	}
	value_add_tree(item, &o);
	uint64_t hash = content_hash(h, item);
	if (!template_add(&i->id, &s, false, &h->id))
		buf_addf(&h->id, "%016llx", (unsigned long long)hash);
	uint64_t key = item_key(h);
	const uint64_t *known = map_find(&h->folder->seen, key);
	bool is_new = !known, is_change = known && *known != hash;
	h->items++;
	h->page_hash = hash64_seeded(buf_str(&h->id), h->page_hash);
	if (is_new || is_change) {
		h->new_items += is_new;
		h->changed += is_change;
		note_seen(h, key, hash);
		buf_reset(&h->subject);
		take_new(h, item, &s, is_change);
	} else {
		set_subject(h, &s);
		add_chains(h, item, &s, true);
	}
	note_matches(h, key);
	return true;
}

void api_harvest_page(struct api_harvest *h, const struct json *root)
{
	const struct json *first = json_path_first(&h->interaction->items, root);

	/* "items": "data" means its elements as well as "data[*]" does. */
	if (!h->interaction->items.has_many && json_kind(first) == JSON_ARRAY)
		for (const struct json *v = json_first(first); v; v = json_next(v))
			take_item(h, v);
	else if (first)
		json_path_each(&h->interaction->items, root, take_item, h);
}
