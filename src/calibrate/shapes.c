#include "calibrate/shapes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define LARGE_AREA 0.25 /* of the points of a grid */
#define SIZES_MAX  16

struct family {
	const struct swept_detector *v[SIZES_MAX]; /* by size, from 1; NULL: not swept */
	size_t place[SIZES_MAX];                   /* in the sweep */
	size_t points, below;                      /* the plane */
};

static unsigned errors_at(const struct swept_detector *w, size_t i)
{
	return w->v[i].score.missed + w->v[i].score.duplicates;
}

static void find_family(const struct sweep *sw, struct str method, enum piece_kind piece,
			unsigned plane, struct family *ret)
{
	*ret = (struct family){ 0 };
	for (size_t i = 0; i < sw->n; i++) {
		const struct swept_detector *w = &sw->v[i];
		const struct detector *d = w->detector;
		bool words = d && d->features.piece == PIECE_SPACED;

		if (!d || !d->method || !str_eq(detector_name(d), method) ||
		    (words ? PIECE_WORDS : d->features.piece) != piece ||
		    d->features.size >= SIZES_MAX)
			continue;
		ret->v[d->features.size] = w;
		ret->place[d->features.size] = i;
		ret->points += w->n;
		for (size_t k = 0; k < w->n; k++)
			ret->below += errors_at(w, k) < plane;
	}
}

static const struct swept_detector *find_plane(const struct sweep *sw)
{
	for (size_t i = 0; i < sw->n; i++)
		if (sw->v[i].detector && sw->v[i].detector->kind == DETECTOR_DOM &&
		    !sw->v[i].detector->method && sw->v[i].n)
			return &sw->v[i];
	return NULL;
}

/* As a distance, whichever way the method measures. */
static double distance_at_point(const struct swept_detector *w, size_t i)
{
	return detector_smaller_is_nearer(w->detector) ? w->v[i].threshold
						       : 1 - w->v[i].threshold;
}

/* The thresholds of least error of a size. */
static bool optimum(const struct sweep *sw, const struct family *f, size_t size,
		    double *low, double *high, unsigned *errors)
{
	struct recommendation r;

	if (size >= SIZES_MAX || !f->v[size] ||
	    !recommend_in_detector(sw, f->place[size], 1, &r))
		return false;
	*low = distance_at_point(f->v[size], r.run_from);
	*high = distance_at_point(f->v[size], r.run_to);
	*errors = errors_at(f->v[size], r.point);
	return true;
}

/* How often the errors turn from falling to rising or back, along the thresholds. */
static unsigned turns(const struct swept_detector *w)
{
	int before = 0;
	unsigned n = 0;

	for (size_t i = 1; i < w->n; i++) {
		int step = (errors_at(w, i) > errors_at(w, i - 1)) -
			   (errors_at(w, i) < errors_at(w, i - 1));

		if (step && before && step != before)
			n++;
		before = step ? step : before;
	}
	return n;
}

static double mean_turns(const struct family *f)
{
	double sum = 0, n = 0;

	for (size_t i = 0; i < SIZES_MAX; i++)
		if (f->v[i]) {
			sum += turns(f->v[i]);
			n++;
		}
	return n > 0 ? sum / n : 0;
}

static void __attribute__((format(printf, 5, 6)))
add(struct shapes *s, const char *what, const char *seed, enum shape_verdict verdict,
    const char *form, ...)
{
	struct shape *one = &s->v[s->n++];
	va_list args;

	one->what = what;
	one->seed = seed;
	one->verdict = verdict;
	va_start(args, form);
	vsnprintf(one->ours, sizeof(one->ours), form, args);
	va_end(args);
}

static enum shape_verdict agrees(bool yes)
{
	return yes ? SHAPE_AGREES : SHAPE_DIFFERS;
}

static void add_optimum(struct shapes *s, const struct sweep *sw, const struct family *f,
			size_t size, double from, double to)
{
	double low, high;
	unsigned errors;

	if (!optimum(sw, f, size, &low, &high, &errors))
		return;
	add(s, size == 1 ? "Crawlhash, words, size 1" : "Crawlhash, words, size 9",
	    size == 1 ? "good at 2 to 4" : "good at 4 to 6",
	    agrees(low <= to && high >= from), "%u errors at %g to %g", errors,
	    fmin(low, high), fmax(low, high));
}

/* The slope of the optimum over the size, by least squares. */
static double slope(const struct sweep *sw, const struct family *f)
{
	double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, low, high;
	unsigned errors;

	for (size_t i = 1; i < SIZES_MAX; i++)
		if (optimum(sw, f, i, &low, &high, &errors)) {
			double x = (double)i, y = (low + high) / 2;

			n++, sx += x, sy += y, sxx += x * x, sxy += x * y;
		}
	double d = n * sxx - sx * sx;
	return d > 0 ? (n * sxy - sx * sy) / d : 0;
}

static void add_crawlhash(struct shapes *s, const struct sweep *sw, unsigned plane,
			  double broder_turns)
{
	struct family words, sentences, chars;

	find_family(sw, STR("crawlhash"), PIECE_WORDS, plane, &words);
	find_family(sw, STR("crawlhash"), PIECE_SENTENCES, plane, &sentences);
	find_family(sw, STR("crawlhash"), PIECE_CHARS, plane, &chars);
	add_optimum(s, sw, &words, 1, 2, 4);
	add_optimum(s, sw, &words, 9, 4, 6);
	if (words.points)
		add(s, "the optimum over the size", "rises slightly",
		    agrees(slope(sw, &words) > 0), "%+.2f bits per word of size",
		    slope(sw, &words));
	if (sentences.points)
		add(s, "Crawlhash, sentences", "all worse than the plane",
		    agrees(sentences.below == 0), "%zu of %zu points below the plane",
		    sentences.below, sentences.points);
	if (chars.points)
		add(s, "Crawlhash, characters", "jumpy; Broder is smooth",
		    agrees(mean_turns(&chars) > broder_turns),
		    "%.1f turns per size, Broder words %.1f", mean_turns(&chars),
		    broder_turns);
}

/* Of sizes above three, how many are best between 0.05 and 0.15. */
static void add_characters(struct shapes *s, const struct sweep *sw,
			   const struct family *f)
{
	unsigned good = 0, n = 0, errors;
	double low, high, least = 1, most = 0;

	for (size_t i = 4; i < SIZES_MAX; i++)
		if (optimum(sw, f, i, &low, &high, &errors)) {
			double from = fmin(low, high), to = fmax(low, high);

			good += from <= 0.15 + 1e-9 && to >= 0.05 - 1e-9;
			n++;
			least = fmin(least, from);
			most = fmax(most, to);
		}
	if (n)
		add(s, "Broder, characters above 3", "good at 0.05 to 0.15",
		    agrees(2 * good > n), "%u of %u sizes; best at %.2f to %.2f", good, n,
		    least, most);
}

static void add_broder(struct shapes *s, const struct sweep *sw, unsigned plane,
		       const struct family *words)
{
	struct family sentences, chars;

	find_family(sw, STR("jaccard"), PIECE_SENTENCES, plane, &sentences);
	find_family(sw, STR("jaccard"), PIECE_CHARS, plane, &chars);
	if (words->points)
		add(s, "Broder, words", "a large area below the plane",
		    agrees((double)words->below >= LARGE_AREA * (double)words->points),
		    "%zu of %zu points below the plane", words->below, words->points);
	if (sentences.points) {
		struct family one = { 0 };

		one.v[1] = sentences.v[1];
		for (size_t k = 0; one.v[1] && k < one.v[1]->n; k++)
			one.below += errors_at(one.v[1], k) < plane;
		add(s, "Broder, sentences", "only size 1 reaches below the plane",
		    agrees(one.below > 0 && sentences.below == one.below),
		    "%zu points of size 1 below, %zu of the others", one.below,
		    sentences.below - one.below);
	}
	add_characters(s, sw, &chars);
}

static void add_parabola(struct shapes *s, const struct sweep *sw)
{
	size_t open = 0, n = 0;

	for (size_t i = 0; i < sw->n; i++) {
		if (!sw->v[i].detector || !sw->v[i].detector->method || sw->v[i].n < 3)
			continue;
		n++;
		open += turns(&sw->v[i]) <= 1;
	}
	if (n)
		add(s, "errors over the threshold", "mostly a parabola open upward",
		    agrees(2 * open > n), "%zu of %zu sizes have one valley", open, n);
}

void shapes_make(const struct sample_set *set, const struct sweep *sw, struct shapes *ret)
{
	const struct swept_detector *dom = find_plane(sw);
	struct family words;

	*ret = (struct shapes){ 0 };
	if (!dom || samples_bins(set) == 0)
		return;
	unsigned plane = errors_at(dom, 0);
	find_family(sw, STR("jaccard"), PIECE_WORDS, plane, &words);
	add(ret, "the set", "6 sites, 119 states, 51 unique", SHAPE_ONLY_SHOWN,
	    "%zu sites, %zu states, %zu unique", set->site_count, set->n,
	    samples_bins(set));
	add(ret, "the plane: exact stripped DOM", "11 duplicates, 0 missed",
	    SHAPE_ONLY_SHOWN, "%u duplicates, %u missed", dom->v[0].score.duplicates,
	    dom->v[0].score.missed);
	add_crawlhash(ret, sw, plane, mean_turns(&words));
	add_broder(ret, sw, plane, &words);
	add_parabola(ret, sw);
}

void shapes_add_json(const struct shapes *s, struct json_out *o)
{
	json_open(o, '[');
	for (size_t i = 0; i < s->n; i++) {
		json_open(o, '{');
		json_put_str(o, "what", str_from(s->v[i].what));
		json_put_str(o, "seed", str_from(s->v[i].seed));
		json_put_str(o, "ours", str_from(s->v[i].ours));
		if (s->v[i].verdict != SHAPE_ONLY_SHOWN)
			json_put_bool(o, "agrees", s->v[i].verdict == SHAPE_AGREES);
		json_close(o, '}');
	}
	json_close(o, ']');
}
