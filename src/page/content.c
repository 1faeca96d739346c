#include "page/content.h"

#define LONG_BYTES  80 /* a block of this size that is not mostly links is prose */
#define SHORT_BYTES 25

/* Regions that authors keep for what is not the page's subject. */
#define ELSEWHERE \
	(REGION_NAV | REGION_FOOTER | REGION_ASIDE | REGION_HIDDEN | REGION_FORM)

static bool ends_sentence(struct str s)
{
	static const char *const marks[] = { ".", "!", "?", ":",
					     "\xe3\x80\x82" /* U+3002 */ };

	for (size_t i = 0; i < COUNT(marks); i++)
		if (str_ends(s, str_from(marks[i])))
			return true;
	return false;
}

static bool looks_like_boilerplate(const struct page_block *b)
{
	bool mostly_links = 2 * (size_t)b->linked_bytes > b->text.n;

	if (b->region & ELSEWHERE)
		return true;
	if ((b->region & REGION_HEADER) && !(b->region & (REGION_MAIN | REGION_ARTICLE)))
		return true;
	return mostly_links && !(b->region & REGION_HEADING);
}

/* What a block adds to a stretch: its words, or what it costs to bridge it. */
static int64_t score(const struct page_block *b)
{
	int64_t plain = (int64_t)b->text.n - (int64_t)MIN(b->linked_bytes, b->text.n);

	if (b->is_boilerplate)
		return -(int64_t)MIN(b->text.n, 200) - 30;
	if (plain >= LONG_BYTES || (plain >= SHORT_BYTES && ends_sentence(b->text)))
		return plain;
	if (b->region & (REGION_HEADING | REGION_PRE | REGION_QUOTE | REGION_CAPTION))
		return plain / 2;
	/* Table cells and list items: worth keeping inside, not worth reaching for. */
	return b->region & (REGION_MAIN | REGION_ARTICLE) ? plain / 4 : plain / 4 - 10;
}

/* Does any block stand where the author says the content is? */
static uint16_t named_region(const struct page *p)
{
	size_t in_main = 0, in_article = 0, all = 0;

	for (size_t i = 0; i < p->n_blocks; i++) {
		const struct page_block *b = &p->blocks[i];

		if (b->is_boilerplate)
			continue;
		all += b->text.n;
		in_main += b->region & REGION_MAIN ? b->text.n : 0;
		in_article += b->region & REGION_ARTICLE ? b->text.n : 0;
	}
	/* A name that covers next to nothing was put on the wrong element. */
	if (in_main * 4 > all)
		return REGION_MAIN;
	return in_article * 4 > all ? REGION_ARTICLE : 0;
}

struct stretch {
	size_t from, to; /* blocks; `to` is past the last */
};

static struct stretch best_stretch(const struct page *p, uint16_t within)
{
	struct stretch best = { 0 };
	int64_t best_sum = 0, sum = 0;
	size_t from = 0;

	for (size_t i = 0; i < p->n_blocks; i++) {
		bool outside = within && !(p->blocks[i].region & within);

		if (sum <= 0) {
			sum = 0;
			from = i;
		}
		sum += outside ? -500 : score(&p->blocks[i]);
		if (sum > best_sum) {
			best_sum = sum;
			best = (struct stretch){ from, i + 1 };
		}
	}
	return best;
}

void content_mark(struct page *p)
{
	for (size_t i = 0; i < p->n_blocks; i++)
		p->blocks[i].is_boilerplate = looks_like_boilerplate(&p->blocks[i]);
	uint16_t within = named_region(p);
	struct stretch s = best_stretch(p, within);

	/* The heading of the text often stands alone before it. */
	for (size_t back = 1; back <= 8 && back <= s.from; back++)
		if (p->blocks[s.from - back].region & REGION_HEADING &&
		    !p->blocks[s.from - back].is_boilerplate) {
			s.from -= back;
			break;
		}
	p->main_bytes = 0;
	for (size_t i = s.from; i < s.to; i++) {
		struct page_block *b = &p->blocks[i];

		b->is_main = !b->is_boilerplate && (!within || (b->region & within));
		p->main_bytes += b->is_main ? b->text.n : 0;
	}
}
