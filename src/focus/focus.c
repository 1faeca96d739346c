#include "focus/focus.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "focus/blacklist.h"

/*
 * How much each module counts unless --focus-weight says otherwise.  Text near the link
 * says most about its target; what the crawl has learnt of the host comes next.
 */
static const float default_weights[PARTS] = {
	[PART_DOCUMENT] = 0.2f,    [PART_PARAGRAPH] = 0.25f,
	[PART_ANCHOR] = 0.35f,     [PART_URL_WORDS] = 0.25f,
	[PART_URL_PATTERN] = 0.5f, [PART_APPLICATION] = 0.25f,
	[PART_HOST] = 0.3f,        [PART_IMPORTANCE] = 0.0625f,
	[PART_DEPTH] = 0.0625f,    [PART_FRESHNESS] = 0.0625f,
	[PART_POSITION] = 0.0625f, [PART_OUTSIDE] = 1.0f,
	[PART_PLAIN] = 0.0625f,
};

static const struct focus_module modules[] = {
	{ STR("blacklist"), module_blacklist },
	{ STR("text"), module_text },
	{ STR("url-words"), module_url_words },
	{ STR("url-pattern"), module_url_pattern },
	{ STR("application"), module_application },
	{ STR("depth"), module_depth },
	{ STR("freshness"), module_freshness },
	{ STR("position"), module_position },
	{ STR("plain-url"), module_plain_url },
};

/* --- the specification --- */

static bool has(const struct str_list *l)
{
	return l && l->n > 0;
}

bool focus_is_wanted(const struct focus_spec *s)
{
	return has(s->want) || s->want_file.n > 0 || has(s->want_urls) ||
	       has(s->avoid_urls) || s->blacklist.n > 0 || s->since_ms || s->until_ms;
}

/* "anchor=0.5" */
static enum status read_weight(struct focus *f, struct str text, struct diag *why)
{
	struct str rest = text, name;
	char number[32], *end;

	if (str_take_until(&rest, '=', &name) && rest.n > 0 && rest.n < sizeof(number)) {
		enum focus_part part = focus_part_find(name);

		memcpy(number, rest.p, rest.n);
		number[rest.n] = '\0';
		double w = strtod(number, &end);
		if (part < PARTS && *end == '\0' && w >= 0 && w <= 7) {
			f->weights[part] = (float)w;
			return ST_OK;
		}
	}
	return diag_fail(why, ST_SYNTAX,
			 "'" STR_FMT "': a weight is MODULE=NUMBER, 0 to 7; modules are "
			 "document, paragraph, anchor, url-words, url-pattern, "
			 "application, host, importance, depth, freshness, position, "
			 "plain-url, module",
			 STR_ARG(text));
}

static enum status check_patterns(const struct str_list *l, struct pattern_list *ret,
				  struct diag *why)
{
	for (size_t i = 0; l && i < l->n; i++)
		TRY(pattern_list_add(ret, l->v[i], why));
	pattern_list_finish(ret);
	return ST_OK;
}

static enum status open_lists(struct focus *f, const struct focus_spec *s,
			      struct diag *why)
{
	for (size_t i = 0; s->want && i < s->want->n; i++)
		TRY(terms_add(&f->terms, s->want->v[i], why));
	TRY(terms_add_file(&f->terms, s->want_file, why));
	for (size_t i = 0; s->weights && i < s->weights->n; i++)
		TRY(read_weight(f, s->weights->v[i], why));
	if (s->blacklist.n > 0)
		TRY(blacklist_open(&f->blacklist, s->blacklist, why));
	return ST_OK;
}

enum status focus_open(struct focus *f, const struct focus_spec *s, struct diag *why)
{
	*f = (struct focus){ .want_urls = s->want_urls,
			     .avoid_urls = s->avoid_urls,
			     .since_ms = s->since_ms,
			     .until_ms = s->until_ms,
			     .any_match = s->any_match };
	memcpy(f->weights, default_weights, sizeof(f->weights));
	enum status st = open_lists(f, s, why);
	if (st != ST_OK)
		focus_close(f);
	return st;
}

void focus_close(struct focus *f)
{
	terms_release(&f->terms);
	blacklist_close(f->blacklist);
	arena_release(&f->bytes);
	*f = (struct focus){ 0 };
}

/* --- a worker's --- */

enum status focus_worker_open(struct focus_worker *w, const struct focus *f,
			      struct diag *why)
{
	*w = (struct focus_worker){ .focus = f };
	w->seen = xcalloc(f->terms.n + 1, sizeof(*w->seen));
	TRY(check_patterns(f->want_urls, &w->want_urls, why));
	return check_patterns(f->avoid_urls, &w->avoid_urls, why);
}

void focus_worker_close(struct focus_worker *w)
{
	pattern_list_release(&w->want_urls);
	pattern_list_release(&w->avoid_urls);
	term_scratch_release(&w->matches);
	term_scratch_release(&w->few);
	free(w->blocks);
	free(w->seen);
	free(w->touched);
	buf_release(&w->scratch);
	buf_release(&w->decoded);
	*w = (struct focus_worker){ 0 };
}

/* The place of a link: its host's template, and where it stands in it. */
static uint32_t arm_of(const struct discovery *d, const struct link *l)
{
	size_t scheme = str_find(d->via, STR("://"));
	struct str rest = scheme == STR_NONE ? d->via : str_skip(d->via, scheme + 3);
	struct str host = str_slice(rest, 0, str_find_char(rest, '/'));

	return (uint32_t)hash64_seeded(host, l ? l->path : 0);
}

/* A redirect promises what the link to it promised. */
static struct focus_scores first_scores(const struct focus_input *in, size_t k)
{
	struct focus_scores s;

	if (in->links[k].hop == HOP_REDIRECT &&
	    focus_scores_decode(in->task->scores, &s) == ST_OK)
		return s;
	s = focus_scores_none();
	s.arm = arm_of(&in->links[k], in->origins[k]);
	return s;
}

float focus_score_page(struct focus_worker *w, const struct focus_input *in,
		       struct arena *a)
{
	struct focus_page p = { .w = w, .in = in };
	char *bytes = arena_alloc(a, in->n * SCORES_BYTES + 1);

	p.links = arena_alloc(a, (in->n + 1) * sizeof(*p.links));
	for (size_t k = 0; k < in->n; k++)
		p.links[k] = first_scores(in, k);
	for (size_t m = 0; m < COUNT(modules); m++)
		modules[m].score(&p);
	for (size_t k = 0; k < in->n; k++) {
		struct discovery *d = &in->links[k];

		d->has_score = true;
		d->score = focus_average(w->focus->weights, &p.links[k]);
		focus_scores_encode(&p.links[k], bytes + k * SCORES_BYTES);
		d->scores = (struct str){ bytes + k * SCORES_BYTES, SCORES_BYTES };
	}
	return p.relevance;
}

/* --- aggregation --- */

float focus_average(const float weights[PARTS], struct focus_scores *s)
{
	float sum = 0, all = 0;

	s->method = METHOD_AVERAGE;
	for (enum focus_part p = 0; p < PARTS; p++) {
		s->weight[p] = focus_weight_byte(weights[p]);
		if (!focus_scores_has(s, p))
			continue;
		sum += weights[p] * focus_scores_value(s, p);
		all += weights[p];
	}
	return all > 0 ? sum / all : 0.5f;
}

/* One term of weight 1 is all that is needed; half a term is two thirds of it. */
float focus_term_score(float sum, bool any_match)
{
	if (sum <= 0)
		return 0;
	if (any_match)
		return 1;
	float s = 2 * sum / (1 + sum);
	return s > 1 ? 1 : s;
}
