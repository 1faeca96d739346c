#include "calibrate/detector.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "dedup/preset.h"
#include "states/content.h"

static const struct {
	const char *name;
	enum detector_kind kind;
} baselines[] = {
	{ "dom", DETECTOR_DOM },
	{ "dom-text", DETECTOR_DOM_TEXT },
	{ "levenshtein", DETECTOR_LEVENSHTEIN },
};

void detector_list_release(struct detector_list *l)
{
	free(l->v);
	arena_release(&l->bytes);
	*l = (struct detector_list){ 0 };
}

struct str detector_name(const struct detector *w)
{
	if (w->method)
		return str_from(w->method->name);
	for (size_t i = 0; i < COUNT(baselines); i++)
		if (baselines[i].kind == w->kind)
			return str_from(baselines[i].name);
	return (struct str){ 0 };
}

bool detector_smaller_is_nearer(const struct detector *w)
{
	return !w->method || w->method->smaller_is_nearer;
}

void detector_add_features(const struct detector *w, struct buf *to)
{
	enum piece_kind piece = w->features.piece;

	if (!w->method)
		return;
	if (w->features.kind != FEATURE_SHINGLES) {
		buf_add(to, preset_nth_word(FEATURE_WORDS, (int)w->features.kind));
		return;
	}
	if (piece == PIECE_SPACED)
		piece = PIECE_WORDS;
	buf_add(to, preset_nth_word(PIECE_NAMES, (int)piece));
	buf_addf(to, " %u", w->features.size);
}

void detector_strip_dom(struct str html, struct buf *to)
{
	struct content how = { .strip = STRIP_ATTRIBUTES | STRIP_TEXT | STRIP_SPACES };
	struct observation seen = { .html = html };

	content_add(&how, &seen, to);
}

/* --- grids --- */

static bool take_number(struct str *in, double *ret)
{
	cleanup(buf_release) struct buf b = { 0 };
	size_t n = 0;
	char *end;

	while (n < in->n && (ascii_is_digit(in->p[n]) || in->p[n] == '.'))
		n++;
	if (n == 0 || n > 30)
		return false;
	buf_add(&b, str_slice(*in, 0, n));
	*ret = strtod(buf_cstr(&b), &end);
	*in = str_skip(*in, n);
	return *end == '\0' && isfinite(*ret);
}

/* "1-9", "0.05-0.4/0.05", "3" into numbers; false when it is nothing of the kind. */
static bool parse_range(struct str part, double *v, size_t *n, size_t max)
{
	double from, to, step = 1;

	if (!take_number(&part, &from))
		return false;
	to = from;
	if (str_take_char(&part, '-') && !take_number(&part, &to))
		return false;
	if (str_take_char(&part, '/') && !take_number(&part, &step))
		return false;
	if (part.n || to < from || step <= 0)
		return false;
	/* Counted, not added up: 0.05 + 0.05 + ... is not 0.4 */
	for (size_t i = 0; from + (double)i * step <= to + step / 1e6; i++) {
		if (*n >= max)
			return false;
		v[(*n)++] = round((from + (double)i * step) * 1e9) / 1e9;
	}
	return true;
}

static bool parse_numbers(struct str list, double *v, size_t *n, size_t max)
{
	struct str part;

	while (str_take_until(&list, ',', &part))
		if (!parse_range(part, v, n, max))
			return false;
	return *n > 0;
}

static bool parse_pieces(struct str word, struct feature_options *f)
{
	struct str names = STR(PIECE_NAMES), one;

	for (int i = 0; str_take_until(&names, '|', &one); i++)
		if (str_eq(word, one)) {
			f->piece = (enum piece_kind)i;
			return true;
		}
	return false;
}

struct line_parts {
	struct detector detector;
	double sizes[63];
	size_t size_count;
	double thresholds[THRESHOLDS_MAX];
	size_t threshold_count;
};

static bool find_detector(struct str name, struct detector *ret)
{
	ret->method = method_find(name);
	if (ret->method) {
		ret->features = ret->method->features;
		return true;
	}
	for (size_t i = 0; i < COUNT(baselines); i++)
		if (str_eq(name, str_from(baselines[i].name))) {
			ret->kind = baselines[i].kind;
			return true;
		}
	return false;
}

/* What has no shingles has no pieces and no sizes. */
static bool takes_pieces(const struct detector *w)
{
	return w->method && w->features.kind == FEATURE_SHINGLES;
}

static enum status parse_parts(struct str line, struct line_parts *p, struct diag *why)
{
	struct str part;

	if (!str_take_until(&line, ':', &part) || !find_detector(part, &p->detector))
		return diag_fail(why, ST_NOT_FOUND,
				 "there is no method '" STR_FMT
				 "'; 'thresh dedup --help' names them",
				 STR_ARG(part));
	if (str_take_until(&line, ':', &part) && part.n &&
	    (!takes_pieces(&p->detector) || !parse_pieces(part, &p->detector.features)))
		return diag_fail(why, ST_SYNTAX,
				 "pieces are chars, words or sentences, of a method with "
				 "shingles; not '" STR_FMT "'",
				 STR_ARG(part));
	if (str_take_until(&line, ':', &part) && part.n &&
	    (!takes_pieces(&p->detector) ||
	     !parse_numbers(part, p->sizes, &p->size_count, COUNT(p->sizes))))
		return diag_fail(why, ST_SYNTAX,
				 "sizes are numbers and ranges such as 1-9; not '" STR_FMT
				 "'",
				 STR_ARG(part));
	if (line.n && !parse_numbers(line, p->thresholds, &p->threshold_count,
				     COUNT(p->thresholds)))
		return diag_fail(
			why, ST_SYNTAX,
			"thresholds are numbers and ranges such as 0.6-0.95/0.05;"
			" not '" STR_FMT "'",
			STR_ARG(line));
	return ST_OK;
}

static void add_detector(struct detector_list *l, const struct line_parts *p,
			 unsigned size)
{
	struct detector w = p->detector;

	if (size)
		w.features.size = size;
	w.threshold_count = p->threshold_count;
	if (p->threshold_count) {
		w.thresholds = arena_alloc(&l->bytes,
					   p->threshold_count * sizeof(*w.thresholds));
		memcpy(w.thresholds, p->thresholds,
		       p->threshold_count * sizeof(*w.thresholds));
	}
	VEC_ADD(l->v, l->n, l->cap, w);
}

enum status detector_parse(struct detector_list *l, struct str line, struct diag *why)
{
	struct line_parts p = { 0 };

	TRY(parse_parts(line, &p, why));
	for (size_t i = 0; i < p.size_count; i++)
		if (p.sizes[i] < 1 || p.sizes[i] > 63 || p.sizes[i] != floor(p.sizes[i]))
			return diag_fail(why, ST_SYNTAX, "a size is 1 to 63");
	if (l->n + p.size_count >= DETECTORS_MAX)
		return diag_fail(why, ST_TOO_LARGE, "more than %d detectors to compare",
				 DETECTORS_MAX);
	if (p.size_count == 0)
		add_detector(l, &p, 0);
	for (size_t i = 0; i < p.size_count; i++)
		add_detector(l, &p, (unsigned)p.sizes[i]);
	return ST_OK;
}

static void add_lines(struct detector_list *l, const char *const *lines, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		enum status st = detector_parse(l, str_from(lines[i]), NULL);

		assert(st == ST_OK);
		(void)st;
	}
}

/* Broder's distance is 1 - Jaccard: 0.05 to 0.40 is a Jaccard of 0.95 to 0.60. */
void detector_add_seed_grid(struct detector_list *l)
{
	static const char *const lines[] = {
		"crawlhash:words:1-9:1-8",
		"crawlhash:sentences:1-6:1-14",
		"crawlhash:chars:1-15:1-5",
		"jaccard:words:1-7:0.6-0.95/0.05",
		"jaccard:sentences:1-5:0.7-0.8/0.05",
		"jaccard:chars:1-9:0.35-1/0.05",
		"dom:::0",
		"dom-text:::0",
		"levenshtein",
	};

	add_lines(l, lines, COUNT(lines));
}

static bool has_shingles(const struct method *m)
{
	return m->any_features && m->features.kind == FEATURE_SHINGLES;
}

void detector_add_every(struct detector_list *l)
{
	static const char *const sizes[] = { "words:1-9", "chars:2-12", "sentences:1-4" };
	static const char *const rest[] = { "dom:::0", "dom-text:::0", "levenshtein" };

	for (const struct method *m = methods; m->name; m++) {
		if (!has_shingles(m) && !str_eq(str_from(m->name), STR("crawlhash"))) {
			add_lines(l, &m->name, 1);
			continue;
		}
		for (size_t i = 0; i < COUNT(sizes); i++) {
			cleanup(buf_release) struct buf line = { 0 };

			buf_addf(&line, "%s:%s", m->name, sizes[i]);
			const char *one = buf_cstr(&line);
			add_lines(l, &one, 1);
		}
	}
	add_lines(l, rest, COUNT(rest));
}
