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

static unsigned coarse_in(const struct url_pattern *p, const struct alternative *alt)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < alt->n; i++)
		n += is_coarse(&p->atoms[alt->first + i]);
	return n;
}

/* The bit of the first word of an alternative; false when it asks for none. */
static bool alternative_bit(const struct url_pattern *p, const struct alternative *alt,
			    unsigned segment, uint16_t *ret)
{
	for (uint32_t i = 0; i < alt->n; i++) {
		const struct atom *a = &p->atoms[alt->first + i];

		if (is_word(a)) {
			*ret = word_bit(a->token, segment);
			return true;
		}
		segment += is_coarse(a);
	}
	return false;
}

/* One of these bits is there when the item is; false when nothing can be said. */
static bool item_bits(const struct url_pattern *p, const struct item *item,
		      unsigned segment, uint16_t ret[WORD_WAYS])
{
	if (item->optional || item->n == 0 || item->n > WORD_WAYS)
		return false;
	for (uint32_t i = 0; i < WORD_WAYS; i++)
		if (!alternative_bit(p, &p->alts[item->first + MIN(i, item->n - 1u)],
				     segment, &ret[i]))
			return false;
	return true;
}

/* The segment after the item, unless that depends on which way it matches. */
static unsigned segment_after(const struct url_pattern *p, const struct item *item,
			      unsigned segment)
{
	unsigned n = item->n > 0 ? coarse_in(p, &p->alts[item->first]) : 0;

	for (uint32_t i = 1; i < item->n; i++)
		if (coarse_in(p, &p->alts[item->first + i]) != n)
			return SEGMENT_UNKNOWN;
	return item->optional && n > 0 ? SEGMENT_UNKNOWN : segment + n;
}

struct word_filter word_filter_of(const struct url_pattern *p)
{
	struct word_filter f = { 0 };
	unsigned segment = 0;

	for (uint32_t i = 0; i < p->n && segment != SEGMENT_UNKNOWN; i++) {
		if (f.n == WORD_NEEDS)
			break;
		if (item_bits(p, &p->items[i], segment, f.bit[f.n]))
			f.n++;
		segment = segment_after(p, &p->items[i], segment);
	}
	return f;
}
