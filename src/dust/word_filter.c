#include "dust/word_filter.h"

#define SEGMENT_UNKNOWN UINT32_MAX

static bool is_coarse(const struct atom *a)
{
	return a->kind == ATOM_TOKEN && a->token.delim & TOKEN_COARSE;
}

static bool is_word(const struct atom *a)
{
	return a->kind == ATOM_TOKEN && a->token.type != TOKEN_PUNCT;
}

static unsigned coarse_in(const struct pattern *p, const struct alternative *alt)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < alt->n; i++)
		n += is_coarse(&p->atoms[alt->first + i]);
	return n;
}

/* The bit of the first word of an alternative; 0 when it asks for none. */
static uint64_t alternative_bit(const struct pattern *p, const struct alternative *alt,
				unsigned segment)
{
	for (uint32_t i = 0; i < alt->n; i++) {
		const struct atom *a = &p->atoms[alt->first + i];

		if (is_word(a))
			return word_bit(a->token, segment);
		segment += is_coarse(a);
	}
	return 0;
}

/* One of these bits is there when the item is; 0 when nothing can be said. */
static uint64_t item_bits(const struct pattern *p, const struct item *item,
			  unsigned segment)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < item->n; i++) {
		uint64_t bit = alternative_bit(p, &p->alts[item->first + i], segment);

		if (bit == 0)
			return 0;
		bits |= bit;
	}
	return bits;
}

/* The segment after the item, unless that depends on which way it matches. */
static unsigned segment_after(const struct pattern *p, const struct item *item,
			      unsigned segment)
{
	unsigned n = item->n > 0 ? coarse_in(p, &p->alts[item->first]) : 0;

	for (uint32_t i = 1; i < item->n; i++)
		if (coarse_in(p, &p->alts[item->first + i]) != n)
			return SEGMENT_UNKNOWN;
	return item->optional && n > 0 ? SEGMENT_UNKNOWN : segment + n;
}

struct word_filter word_filter_of(const struct pattern *p)
{
	struct word_filter f = { 0, { ~(uint64_t)0, ~(uint64_t)0, ~(uint64_t)0 } };
	unsigned segment = 0, n = 0;

	for (uint32_t i = 0; i < p->n && segment != SEGMENT_UNKNOWN; i++) {
		const struct item *item = &p->items[i];
		uint64_t bits = item->optional ? 0 : item_bits(p, item, segment);

		if (bits && (bits & (bits - 1)) == 0)
			f.must |= bits;
		else if (bits && n < WORD_FILTER_ANY)
			f.any[n++] = bits;
		segment = segment_after(p, item, segment);
	}
	/* Whatever is left asks for any word; a URL has one, its scheme. */
	return f;
}
