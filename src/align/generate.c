#include "align/generate.h"

#include <stdlib.h>
#include <string.h>

#include "dust/pattern.h"

#define SET_MAX       1024
#define END_BYTES_MAX 512

struct writer {
	const struct consensus *c;
	const struct generate_options *o;
	struct buf *context, *transformation;
	unsigned captures;
	unsigned pending; /* a reference not yet written: its form depends on what follows
			   */
	size_t sub_from, sub_to; /* the subsequence that `sub_varies` speaks of */
	bool sub_varies, differs;
	bool keeps_identity; /* something of path or query is captured, beside extensions
			      */
	unsigned slashes;
	char delimiter; /* the last one */
};

static bool is_delimiter(const struct token_set *s)
{
	if (s->n == 1)
		return s->first.delim;
	for (size_t i = 0; i < s->n; i++)
		if (set_token(s, i).delim)
			return true;
	return false;
}

static bool is_invariant(const struct token_set *s)
{
	return s->n == 1 && !s->gap;
}

static void flush_reference(struct writer *w, bool before_digit)
{
	if (w->pending) {
		buf_add(w->transformation, before_digit ? STR("${") : STR("$"));
		buf_add_uint(w->transformation, w->pending);
		if (before_digit)
			buf_add_char(w->transformation, '}');
	}
	w->pending = 0;
}

static void write_reference(struct writer *w)
{
	flush_reference(w, false);
	w->pending = ++w->captures;
	w->keeps_identity |= w->slashes > 2 && w->delimiter != '.';
}

static void write_plain(struct writer *w, struct str text)
{
	flush_reference(w, text.n > 0 && ascii_is_digit(text.p[0]));
	transformation_add_literal(w->transformation, text);
}

static void write_literal(struct writer *w, struct token t)
{
	pattern_add_literal(w->context, token_str(t));
	write_plain(w, token_str(t));
}

static void write_class(struct writer *w, struct str class)
{
	buf_add(w->context, class);
	write_reference(w);
}

static int cmp_tokens(const void *a, const void *b)
{
	return str_cmp(token_str(*(const struct token *)a),
		       token_str(*(const struct token *)b));
}

/* The members in byte order, so that the same set is always the same text. */
static size_t sorted_members(const struct token_set *s, struct token *ret)
{
	size_t n = MIN((size_t)s->n, SET_MAX);

	for (size_t i = 0; i < n; i++)
		ret[i] = set_token(s, i);
	if (n > 1)
		qsort(ret, n, sizeof(*ret), cmp_tokens);
	return n;
}

static bool is_class(const struct writer *w, const struct token_set *s)
{
	return s->first.type != TOKEN_PUNCT && s->n >= w->o->card;
}

/* "(x|y)" or "({n})" into the context.  Returns what stands for it in a
 * transformation that chooses: the first member, or * for a class. */
static struct str write_members(struct writer *w, const struct token_set *s)
{
	struct token members[SET_MAX];

	buf_add_char(w->context, '(');
	if (is_class(w, s)) {
		buf_add(w->context,
			s->first.type == TOKEN_ALPHA ? STR("{a}") : STR("{n}"));
		buf_add_char(w->context, ')');
		return STR("*");
	}
	size_t n = sorted_members(s, members);
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			buf_add_char(w->context, '|');
		pattern_add_literal(w->context, token_str(members[i]));
	}
	buf_add_char(w->context, ')');
	return token_str(members[0]);
}

/* What was just written to the context from `from` on, kept in the transformation. */
static void keep_group(struct writer *w, size_t from)
{
	write_plain(w, str_skip(buf_str(w->context), from));
}

static void write_variant(struct writer *w, const struct token_set *s)
{
	size_t from = w->context->n;
	struct str chosen = write_members(w, s);

	w->differs = true;
	if (w->o->keep_groups)
		keep_group(w, from);
	else
		write_plain(w, chosen);
}

/* The end of the run of irrelevant sets from `i` that come and go together. */
static size_t run_end(const struct writer *w, size_t i)
{
	const struct token_set *v = w->c->v;
	bool stars = w->o->generality != GENERAL_SEED;
	size_t j = i + 1;

	while (j < w->c->n && v[j].gap && v[j].present == v[i].present &&
	       ((v[j].n == 1 && v[i].n == 1) || (stars && !is_delimiter(&v[j]))))
		j++;
	return j;
}

static void write_run(struct writer *w, size_t i, size_t j)
{
	bool stars = w->o->generality != GENERAL_SEED;
	bool in_star = false;

	buf_add_char(w->context, '(');
	for (; i < j; i++) {
		const struct token_set *s = &w->c->v[i];

		if (!stars || is_delimiter(s))
			pattern_add_literal(w->context, token_str(s->first));
		else if (!in_star)
			buf_add_char(w->context, '*');
		in_star = stars && !is_delimiter(s);
	}
	buf_add(w->context, STR(")?"));
}

/* Irrelevant sets from `i` on; returns where to go on. */
static size_t write_optional(struct writer *w, size_t i)
{
	size_t from = w->context->n, j = run_end(w, i);
	const struct token_set *s = &w->c->v[i];

	w->differs = true;
	if (s->n == 1 || (w->o->generality != GENERAL_SEED && !is_delimiter(s))) {
		write_run(w, i, j);
	} else {
		write_members(w, s);
		buf_add_char(w->context, '?');
	}
	if (w->o->keep_groups)
		keep_group(w, from);
	return j;
}

/* Find the subsequence around `i` and whether anything in it varies. */
static void enter_subsequence(struct writer *w, size_t i)
{
	size_t from = i, to = i;

	while (from > 0 && !is_delimiter(&w->c->v[from - 1]))
		from--;
	w->sub_varies = false;
	for (to = from; to < w->c->n && !is_delimiter(&w->c->v[to]); to++)
		w->sub_varies |= !is_invariant(&w->c->v[to]);
	w->sub_from = from;
	w->sub_to = to;
}

/* "foo" in "?foo=1": between ? or & and the next delimiter. */
static bool is_parameter_name(const struct writer *w)
{
	if (w->sub_from == 0)
		return false;
	char before = w->c->v[w->sub_from - 1].first.p[0];

	return (before == '?' || before == '&') && !w->c->v[w->sub_from - 1].gap;
}

/* Whether the delimiter at `i` or anything beyond it, up to the next one, varies. */
static bool varies_before(const struct writer *w, size_t i)
{
	const struct token_set *v = w->c->v;

	if (i == 0)
		return false;
	if (!is_invariant(&v[--i]))
		return true;
	while (i > 0 && !is_delimiter(&v[i - 1]))
		if (!is_invariant(&v[--i]))
			return true;
	return false;
}

static bool varies_after(const struct writer *w, size_t i)
{
	const struct token_set *v = w->c->v;

	if (i == w->c->n)
		return false;
	if (!is_invariant(&v[i]))
		return true;
	while (++i < w->c->n && !is_delimiter(&v[i]))
		if (!is_invariant(&v[i]))
			return true;
	return false;
}

static bool is_beside_variation(const struct writer *w)
{
	return varies_before(w, w->sub_from) || varies_after(w, w->sub_to);
}

static void write_invariant_subsequence(struct writer *w)
{
	bool literal = false;

	if (w->o->generality != GENERAL_SEED)
		literal = is_parameter_name(w);
	if (w->o->generality == GENERAL_NEIGHBOURS)
		literal |= is_beside_variation(w);
	if (!literal) {
		write_class(w, STR("*"));
		return;
	}
	for (size_t i = w->sub_from; i < w->sub_to; i++)
		write_literal(w, w->c->v[i].first);
}

/* A varying subsequence of a generalised rule, taken as one: (*), or (*)? when all
 * of it can be missing. */
static void write_free_subsequence(struct writer *w)
{
	bool optional = true;

	for (size_t i = w->sub_from; i < w->sub_to; i++)
		optional &= w->c->v[i].gap;
	w->differs = true;
	buf_add(w->context, optional ? STR("(*)?") : STR("(*)"));
	if (!optional || w->o->keep_groups)
		write_plain(w, STR("*"));
}

/* All of the subsequence is one run of irrelevant sets, perhaps with the delimiter. */
static bool comes_and_goes(const struct writer *w)
{
	return w->c->v[w->sub_from].gap && run_end(w, w->sub_from) >= w->sub_to;
}

static size_t write_inside(struct writer *w, size_t i)
{
	const struct token_set *s = &w->c->v[i];

	if (i < w->sub_from || i >= w->sub_to)
		enter_subsequence(w, i);
	if (!w->sub_varies) {
		write_invariant_subsequence(w);
		return w->sub_to;
	}
	if (w->o->generality != GENERAL_SEED && i == w->sub_from && !comes_and_goes(w)) {
		write_free_subsequence(w);
		return w->sub_to;
	}
	if (s->gap)
		return write_optional(w, i);
	if (s->n > 1)
		write_variant(w, s);
	else if (s->first.type == TOKEN_PUNCT)
		write_literal(w, s->first);
	else
		write_class(w, s->first.type == TOKEN_ALPHA ? STR("{a}") : STR("{n}"));
	return i + 1;
}

static size_t write_delimiter(struct writer *w, size_t i)
{
	const struct token_set *s = &w->c->v[i];

	w->delimiter = s->first.p[0];
	w->slashes += w->delimiter == '/';
	if (s->gap)
		return write_optional(w, i);
	if (s->n > 1)
		write_variant(w, s);
	else
		write_literal(w, s->first);
	return i + 1;
}

/* "$7"; returns its length.  Nobody follows it with a digit. */
static size_t write_number(char *to, unsigned nr)
{
	size_t n = 1;

	to[0] = '$';
	if (nr >= 100)
		to[n++] = (char)('0' + nr / 100 % 10);
	if (nr >= 10)
		to[n++] = (char)('0' + nr / 10 % 10);
	to[n++] = (char)('0' + nr % 10);
	return n;
}

/* An invariant end of the URLs: parts become *, delimiters stay.  Both texts are put
 * together here and added at once, since most of a rule is made of its ends. */
static void write_end(struct writer *w, struct str end)
{
	char context[2 * END_BYTES_MAX], form[6 * END_BYTES_MAX];
	size_t n = 0, m = 0;

	for (size_t i = 0; i < end.n; i++) {
		size_t from = i;

		while (i < end.n && !is_delimiter_byte(end.p[i]))
			i++;
		if (i > from) {
			context[n++] = '*';
			m += write_number(form + m, ++w->captures);
		}
		if (i == end.n)
			break;
		if (end.p[i] == '?')
			context[n++] = '\\';
		context[n++] = form[m++] = end.p[i];
	}
	flush_reference(w, false);
	buf_add(w->context, (struct str){ context, n });
	buf_add(w->transformation, (struct str){ form, m });
}

enum status generate_rule(const struct consensus *c,
			  const struct generate_options *options, struct buf *context,
			  struct buf *transformation)
{
	struct writer w = { .c = c,
			    .o = options,
			    .context = context,
			    .transformation = transformation,
			    .sub_from = SIZE_MAX };
	size_t from = context->n;

	buf_add_char(context, '^');
	write_end(&w, options->before);
	for (size_t i = 0; i < c->n;)
		i = is_delimiter(&c->v[i]) ? write_delimiter(&w, i) : write_inside(&w, i);
	write_end(&w, options->after);
	flush_reference(&w, false);
	buf_add_char(context, '$');
	if (!w.differs)
		return ST_NOT_FOUND;
	/* A free segment and nothing else: one key for all pages of a folder. */
	if (options->generality != GENERAL_SEED && !w.keeps_identity)
		return ST_NOT_FOUND;
	if (w.captures > PATTERN_CAPTURES_MAX || context->n - from > PATTERN_BYTES_MAX)
		return ST_TOO_LARGE;
	return ST_OK;
}
