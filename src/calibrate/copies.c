#include "calibrate/copies.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "corpus/html_doc.h"
#include "dedup/dedup.h"

#define COVERED 0.95

const char *const copy_kind_names[COPY_KINDS] = { "advertisements", "timestamps",
						  "counters", "all" };

static const char *const goods[] = {
	"garden furniture", "running shoes",  "car insurance", "mobile contracts",
	"hotel rooms",      "coffee makers",  "used cars",     "winter jackets",
	"pet food",         "online courses", "credit cards",  "kitchen tables"
};
static const char *const days[] = { "Monday", "Tuesday",  "Wednesday", "Thursday",
				    "Friday", "Saturday", "Sunday" };
static const char *const months[] = { "January",   "February", "March",    "April",
				      "May",       "June",     "July",     "August",
				      "September", "October",  "November", "December" };

static unsigned number(struct rng *r, unsigned from, unsigned to)
{
	return from + (unsigned)rng_below(r, to - from + 1);
}

static const char *one_of(struct rng *r, const char *const *v, size_t n)
{
	return v[rng_below(r, n)];
}

static void add_advertisement(struct rng *r, struct buf *to)
{
	const char *good = one_of(r, goods, COUNT(goods));
	unsigned n = number(r, 5, 70);

	switch (rng_below(r, 4)) {
	case 0:
		buf_addf(to,
			 "Advertisement. Save %u percent on %s this week only. Order "
			 "now, free delivery.",
			 n, good);
		break;
	case 1:
		buf_addf(to,
			 "Sponsored: the %u best %s compared. Click here to see prices "
			 "near you.",
			 n, good);
		break;
	case 2:
		buf_addf(to,
			 "Big sale! Up to %u percent off %s. Limited stock, shop today.",
			 n, good);
		break;
	default:
		buf_addf(to, "Ad: %u customers already bought %s. Read their reviews.", n,
			 good);
		break;
	}
}

static void add_timestamp(struct rng *r, struct buf *to)
{
	buf_addf(to, "Last updated: %s, %u %s %u, %02u:%02u:%02u GMT",
		 one_of(r, days, COUNT(days)), number(r, 1, 28),
		 one_of(r, months, COUNT(months)), number(r, 2012, 2026),
		 number(r, 0, 23), number(r, 0, 59), number(r, 0, 59));
}

static void add_counter(struct rng *r, struct buf *to)
{
	buf_addf(to, "Visitors: %u. Page views today: %u. Online now: %u.",
		 number(r, 1000, 9999999), number(r, 10, 99999), number(r, 1, 999));
}

struct insertion {
	size_t at;
	struct buf text;
};

#define INSERTIONS_MAX 8

/* Before an element that begins a block, or before a line of plain text. */
static bool is_boundary(struct str page, size_t i, bool is_html)
{
	static const struct str blocks[] = { STR("<p>"), STR("<p "), STR("<div"),
					     STR("<h2"), STR("<ul"), STR("</body") };

	if (!is_html)
		return page.p[i] == '\n';
	if (page.p[i] != '<')
		return false;
	for (size_t k = 0; k < COUNT(blocks); k++)
		if (str_starts_nocase(str_skip(page, i), blocks[k]))
			return true;
	return false;
}

/* Not into the head, nor into a script that writes HTML. */
static size_t body_start(struct str page, bool is_html)
{
	size_t at = is_html ? str_find(page, STR("<body")) : STR_NONE;

	return at == STR_NONE ? 0 : at + 5;
}

static bool is_in_script(struct str page, size_t from, size_t i)
{
	struct str before = str_slice(page, from, i);
	size_t open = STR_NONE, at = 0, found;

	while ((found = str_find(str_skip(before, at), STR("<script"))) != STR_NONE) {
		open = at + found;
		at = open + 1;
	}
	return open != STR_NONE &&
	       str_find(str_skip(before, open), STR("</script")) == STR_NONE;
}

static size_t choose_place(struct str page, bool is_html, struct rng *r)
{
	size_t from = body_start(page, is_html);

	for (int tries = 0; tries < 20 && from < page.n; tries++) {
		size_t i = from + rng_below(r, page.n - from);

		while (i < page.n && !is_boundary(page, i, is_html))
			i++;
		if (i < page.n && !(is_html && is_in_script(page, from, i)))
			return i;
	}
	return page.n;
}

static void add_text(enum copy_kind kind, struct rng *r, struct buf *to)
{
	if (kind == COPY_ADVERTISEMENTS)
		add_advertisement(r, to);
	else if (kind == COPY_TIMESTAMPS)
		add_timestamp(r, to);
	else
		add_counter(r, to);
}

static int by_place(const void *a, const void *b)
{
	const struct insertion *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

void copy_make(const struct sample *of, enum copy_kind kind, struct rng *r,
	       struct buf *to)
{
	bool is_html = of->html.n > 0;
	struct str page = is_html ? of->html : of->doc.text;
	struct insertion v[INSERTIONS_MAX] = { 0 };
	size_t n = 0, at = 0;

	for (enum copy_kind k = 0; k < COPY_ALL; k++) {
		unsigned most = k == COPY_ADVERTISEMENTS ? 3
				: k == COPY_TIMESTAMPS   ? 2
							 : 1;

		if (kind != k && kind != COPY_ALL)
			continue;
		for (unsigned i = number(r, 1, most); i > 0; i--, n++) {
			v[n].at = choose_place(page, is_html, r);
			add_text(k, r, &v[n].text);
		}
	}
	qsort(v, n, sizeof(*v), by_place);
	for (size_t i = 0; i < n; i++) {
		buf_add(to, str_slice(page, at, v[i].at));
		buf_add(to, is_html ? STR("<div class=\"extra\"><p>") : STR("\n"));
		buf_add(to, buf_str(&v[i].text));
		buf_add(to, is_html ? STR("</p></div>") : STR("\n"));
		at = v[i].at;
		buf_release(&v[i].text);
	}
	buf_add(to, str_skip(page, at));
}

/* --- the study --- */

struct measuring {
	const struct copies_options *o;
	struct buf a, b, page;
	struct corpus_work work;
};

static double measure(const struct measuring *m)
{
	const struct method *method = m->o->detector->method;
	double value;

	if (method_measure(method, buf_str(&m->a), buf_str(&m->b), &value) != ST_OK)
		return method_farthest(method);
	return value;
}

/* A document of what copy_make() wrote. */
static struct document read_copy(struct measuring *m, const struct sample *of)
{
	struct corpus_options how = sample_reading(m->o->main_content);
	struct corpus_doc d = { 0 };

	if (!of->html.n)
		return (struct document){ .text = buf_str(&m->page),
					  .language = of->doc.language };
	arena_reset(&m->work.page);
	html_doc_read(&how, buf_str(&m->page), STR("text/html"), &m->work, &d);
	return dedup_document(&d);
}

static void make_print(const struct measuring *m, const struct document *doc,
		       struct buf *to)
{
	buf_reset(to);
	method_fingerprint(m->o->detector->method, doc, &m->o->detector->features, to);
}

static void add_copies(struct measuring *m, const struct sample_set *s, uint32_t page,
		       struct copies_study *to)
{
	struct rng r = { m->o->seed * 1000003 + page };

	make_print(m, &s->v[page].doc, &m->a);
	for (unsigned k = 0; k < COPY_KINDS; k++)
		for (unsigned i = 0; i < m->o->copies; i++) {
			buf_reset(&m->page);
			copy_make(&s->v[page], (enum copy_kind)k, &r, &m->page);
			struct document doc = read_copy(m, &s->v[page]);
			make_print(m, &doc, &m->b);
			struct copies_row row = { page, (uint8_t)k, measure(m) };
			VEC_ADD(to->v, to->n, to->cap, row);
		}
}

static void add_strangers(struct measuring *m, const struct sample_set *s,
			  struct copies_study *to)
{
	struct rng r = { m->o->seed };
	size_t pairs = s->n * (s->n - 1) / 2;
	bool all = pairs <= m->o->strangers_max;

	for (size_t i = 0; s->n > 1 && i < MIN(pairs, m->o->strangers_max); i++) {
		uint32_t a, b;

		if (all) { /* the i-th of (0,1), (0,2), (1,2), (0,3) ... */
			b = (uint32_t)((1 + sqrt(1 + 8 * (double)i)) / 2);
			a = (uint32_t)(i - (size_t)b * (b - 1) / 2);
		} else {
			a = (uint32_t)rng_below(&r, s->n);
			b = (uint32_t)rng_below(&r, s->n - 1);
			b += b >= a;
		}
		make_print(m, &s->v[a].doc, &m->a);
		make_print(m, &s->v[b].doc, &m->b);
		double value = measure(m);
		to->stranger_pairs++;
		if (isfinite(value))
			VEC_ADD(to->strangers, to->n_strangers, to->strangers_cap, value);
	}
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void sum_up(const struct copies_options *o, struct copies_study *c)
{
	double *v = xcalloc(c->n + 1, sizeof(*v));
	bool smaller = detector_smaller_is_nearer(o->detector);

	for (size_t i = 0; i < c->n; i++)
		if (isfinite(c->v[i].value)) {
			v[c->compared++] = c->v[i].value;
			c->mean += c->v[i].value;
		}
	if (c->compared) {
		size_t covered = (size_t)ceil(COVERED * (double)c->compared);

		qsort(v, c->compared, sizeof(*v), by_value);
		c->mean /= (double)c->compared;
		c->median = v[c->compared / 2];
		c->most = v[smaller ? c->compared - 1 : 0];
		c->covers = v[smaller ? covered - 1 : c->compared - covered];
	}
	free(v);
}

void copies_study_make(const struct sample_set *s, const struct copies_options *o,
		       struct copies_study *ret)
{
	struct measuring m = { .o = o };

	*ret = (struct copies_study){ 0 };
	for (uint32_t i = 0; i < s->n; i++)
		add_copies(&m, s, i, ret);
	add_strangers(&m, s, ret);
	sum_up(o, ret);
	buf_release(&m.a);
	buf_release(&m.b);
	buf_release(&m.page);
	corpus_work_release(&m.work);
}

void copies_study_release(struct copies_study *c)
{
	free(c->v);
	free(c->strangers);
	*c = (struct copies_study){ 0 };
}

size_t copies_near(const struct copies_study *c, const struct detector *d,
		   double threshold)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += isfinite(c->v[i].value) &&
		     method_is_near(d->method, c->v[i].value, threshold);
	return n;
}

size_t strangers_near(const struct copies_study *c, const struct detector *d,
		      double threshold)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_strangers; i++)
		n += method_is_near(d->method, c->strangers[i], threshold);
	return n;
}
