#include "testweb/prose.h"

#include <math.h>
#include <string.h>

#include "testweb/kind.h"
#include "testweb/truth.h"

#define TOPICAL_PERMILLE   110u
#define VERSION_PERMILLE   30u
#define VERSIONS_LOOKED_AT 8u

/* The sum of three uniform numbers is normal enough for lengths. */
static double normal(uint64_t h)
{
	double sum = (double)(h & 0xffff) + (double)(h >> 16 & 0xffff) +
		     (double)(h >> 32 & 0xffff);

	return (sum / 65536 - 1.5) * 2;
}

static unsigned item_length(const struct world *w, const struct site *s, uint32_t item)
{
	double median = kind_of(s)->words * w->options.words_scale;
	double n = median * exp(0.5 * normal(item_hash(s, item, ABOUT_LENGTH)));

	return (unsigned)MIN(MAX(n, 8.0), 5000.0);
}

struct prose prose_of_item(const struct world *w, uint32_t site, uint32_t item)
{
	const struct site *s = world_content(w, site);
	struct item_root root = item_root(w, s->origin, item);
	const struct site *from = &w->sites[root.site];
	uint32_t source = item_family(from, root.item);

	return (struct prose){
		.words = &w->words,
		.language = item_language(s, item),
		.topic = item_topic(from, source),
		.key = item_hash(from, source, ABOUT_TEXT),
		.length = item_length(w, from, source),
		.edit_permille = root.edit_permille,
		.edit_key = item_hash(s, item, ABOUT_TEXT),
		.version = item_version(w, s, item),
	};
}

struct prose prose_of_site(const struct world *w, uint32_t site, uint64_t purpose,
			   unsigned length)
{
	const struct site *s = world_content(w, site);

	return (struct prose){
		.words = &w->words,
		.language = (enum language)s->language,
		.topic = s->topic,
		.key = hash_mix(s->key ^ hash_mix(purpose)),
		.length = length,
	};
}

struct prose prose_fork(const struct prose *p, uint64_t nr, unsigned length)
{
	struct prose fork = *p;

	fork.key = hash_mix(p->key + 0x632be59bd9b4e019u * (nr + 1));
	fork.edit_key = hash_mix(p->edit_key + nr);
	fork.length = length;
	return fork;
}

/* Writes at `at`, where write_sentence() has made room for a sentence. */
struct pen {
	const struct prose *p;
	struct buf *to;
	char *at;
	struct rng rng;   /* the words */
	struct rng shape; /* lengths and commas */
	unsigned position;
	bool capital, space;
};

#define ROOM_A_WORD 80u /* two words, if one is inserted, with space and comma */

/* ASCII only: the other scripts have no capitals or keep them. */
static inline void put_word(struct pen *pen, const struct word *word)
{
	if (pen->space)
		*pen->at++ = ' ';
	memcpy(pen->at, word->text,
	       WORD_MAX); /* all of it: a copy of fixed size is faster */
	if (pen->capital && pen->at[0] >= 'a' && pen->at[0] <= 'z')
		pen->at[0] = (char)(pen->at[0] - 32);
	pen->at += word->n;
	pen->capital = false;
	pen->space = language_facts[pen->p->language].spaced;
}

static void put_text(struct pen *pen, const char *text)
{
	while (*text)
		*pen->at++ = *text++;
}

static inline const struct word *draw(const struct prose *p, uint64_t r)
{
	if ((unsigned)(r >> 40 & 1023) * 1000 < TOPICAL_PERMILLE * 1024)
		return words_topical(p->words, p->language, p->topic, r);
	return words_draw(p->words, p->language, r); /* which looks at other bits */
}

/* What happens to the word at this position: 0 for nothing, else random bits. */
static uint64_t edit_at(const struct prose *p, unsigned position)
{
	uint64_t h = hash_mix(p->edit_key + position);

	if (p->edit_permille && h % 1000 < p->edit_permille)
		return h | 1;
	unsigned from =
		p->version > VERSIONS_LOOKED_AT ? p->version - VERSIONS_LOOKED_AT : 0;
	for (unsigned v = from + 1; v <= p->version; v++) {
		h = hash_mix(p->key + ((uint64_t)v << 32) + position);
		if (h % 1000 < VERSION_PERMILLE)
			return h | 1;
	}
	return 0;
}

/* Of ten edits, six replace, two drop and two insert a word. */
static void next_word(struct pen *pen)
{
	uint64_t r = rng_next(&pen->rng);
	uint64_t edit = pen->p->edit_permille || pen->p->version
				? edit_at(pen->p, pen->position)
				: 0;

	pen->position++;
	if (!edit)
		return put_word(pen, draw(pen->p, r));
	unsigned how = (unsigned)(edit >> 48) % 10;
	if (how >= 8)
		put_word(pen, draw(pen->p, r));
	if (how < 6 || how >= 8)
		put_word(pen, draw(pen->p, hash_mix(edit)));
}

/* False when the page has reached its limit; the words count as written. */
static bool make_room(struct pen *pen, unsigned words)
{
	pen->at = buf_reserve(pen->to, (words + 2u) * ROOM_A_WORD);
	if (!pen->at)
		pen->position += words;
	return pen->at;
}

static void settle(struct pen *pen)
{
	pen->to->n = (size_t)(pen->at - pen->to->p);
}

static void write_sentence(struct pen *pen, unsigned n)
{
	const struct language_facts *f = &language_facts[pen->p->language];
	uint64_t commas = rng_next(&pen->shape);

	if (!make_room(pen, n))
		return;
	pen->capital = true;
	for (unsigned i = 0; i < n; i++) {
		next_word(pen);
		if (i >= 3 && i + 2 < n && (commas >> i & 7) == 0)
			put_text(pen, f->comma);
	}
	put_text(pen, f->stop);
	settle(pen);
}

static struct pen pen_of(const struct prose *p, struct buf *to)
{
	return (struct pen){
		.p = p,
		.to = to,
		.rng = { p->key },
		.shape = { p->key ^ 0x5ca1ab1e },
	};
}

void prose_write(const struct prose *p, struct buf *to)
{
	struct pen pen = pen_of(p, to);

	while (pen.position < p->length) {
		unsigned left = p->length - pen.position;
		unsigned n = 6 + (unsigned)rng_below(&pen.shape, 16);

		write_sentence(&pen, left < n + 4 ? left : n);
	}
}

void prose_write_paragraphs(const struct prose *p, struct str open, struct str close,
			    struct buf *to)
{
	struct pen pen = pen_of(p, to);

	while (pen.position < p->length) {
		unsigned sentences = 2 + (unsigned)rng_below(&pen.shape, 5);

		buf_add(to, open);
		pen.space = false;
		for (unsigned i = 0; i < sentences && pen.position < p->length; i++) {
			unsigned left = p->length - pen.position;
			unsigned n = 6 + (unsigned)rng_below(&pen.shape, 16);

			write_sentence(&pen, left < n + 4 ? left : n);
		}
		buf_add(to, close);
	}
}

void prose_write_title(const struct prose *p, struct buf *to)
{
	struct pen pen = pen_of(p, to);

	if (!make_room(&pen, p->length))
		return;
	pen.capital = true;
	for (unsigned i = 0; i < p->length; i++)
		next_word(&pen);
	settle(&pen);
}
