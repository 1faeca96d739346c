#include "cmd/preset.h"

#include <string.h>

#include "cmd/states_settings.h"
#include "dedup/preset.h"

static bool is(const struct dedup_preset *p, const char *method)
{
	return str_eq(buf_str(&p->method), str_from(method));
}

/* The index of a crawl keeps 5-word shingles, and measures them in three ways. */
static bool is_of_the_crawl(const struct dedup_preset *p, int *ret)
{
	static const char *const names[] = { "resemblance", "jaccard", "containment" };

	for (size_t i = 0; i < COUNT(names); i++)
		if (is(p, names[i])) {
			*ret = (int)i;
			return (p->features == 0 || p->features == 1) &&
			       (p->pieces == 0 || p->pieces == 1 + PIECE_WORDS) &&
			       (p->size == 0 || p->size == 5);
		}
	return false;
}

/* "jaccard of shingles, 3 chars"; what the file leaves to the method is left out. */
static void add_asked(const struct dedup_preset *p, struct buf *to)
{
	const char *between = " of ";

	buf_add(to, buf_str(&p->method));
	if (p->features) {
		buf_addf(to, "%s" STR_FMT, between,
			 STR_ARG(preset_nth_word(FEATURE_WORDS, p->features - 1)));
		between = ", ";
	}
	if (p->size) {
		buf_addf(to, "%s%llu", between, (unsigned long long)p->size);
		between = " ";
	}
	if (p->pieces)
		buf_addf(to, "%s" STR_FMT, between,
			 STR_ARG(preset_nth_word(PIECE_NAMES, p->pieces - 1)));
}

enum status crawl_preset(struct crawl_settings *s, struct diag *why)
{
	struct dedup_preset p = { .threshold = 0 };
	cleanup(buf_release) struct buf asked = { 0 };
	enum status st = ST_OK;

	if (s->preset.n == 0)
		return ST_OK;
	st = preset_read(s->preset, &p, why);
	add_asked(&p, &asked);
	if (st == ST_OK && !is_of_the_crawl(&p, &s->near_method))
		st = diag_fail(why, ST_SYNTAX,
			       "a crawl compares pages by resemblance, jaccard or "
			       "containment of 5 words; the preset says " STR_FMT,
			       STR_ARG(buf_str(&asked)));
	if (st == ST_OK)
		s->near_threshold = p.threshold;
	buf_release(&p.method);
	return st;
}

static void apply(const struct dedup_preset *p, const struct method *m,
		  struct states_settings *s, struct arena *a)
{
	double distance = m->smaller_is_nearer ? p->threshold : 1 - p->threshold;

	if (is(p, "tag-paths")) {
		s->threshold = distance;
		return;
	}
	s->method = arena_copy(a, buf_str(&p->method));
	s->size = p->size;
	s->pieces = p->pieces;
	s->content_threshold = distance;
	s->threshold = 1; /* what was calibrated is the content alone */
}

enum status states_preset(struct states_settings *s, struct arena *a, struct diag *why)
{
	struct dedup_preset p = { 0 };
	const struct method *m;
	enum status st = ST_OK;

	if (s->preset.n == 0)
		return ST_OK;
	st = preset_read(s->preset, &p, why);
	m = method_find(buf_str(&p.method));
	if (st == ST_OK && !m)
		st = diag_fail(why, ST_NOT_FOUND, "there is no method '" STR_FMT "'",
			       STR_ARG(buf_str(&p.method)));
	if (st == ST_OK)
		apply(&p, m, s, a);
	buf_release(&p.method);
	return st;
}
