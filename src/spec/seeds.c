#include "spec/seeds.h"

#include <string.h>

#include "base/alloc.h"
#include "base/visible.h"
#include "url/normal.h"

#define SHRINK 0.5
#define GROW   1.5

/* --- how often --- */

static bool is_http_url(struct str text)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	struct url u;

	return url_parse(text, NULL, &scratch, &u, NULL) == ST_OK && url_is_http(&u);
}

enum status revisit_seed_parse(struct str text, uint64_t *ret_ms, struct str *ret_seed,
			       struct diag *why)
{
	static const struct option_row row = { .name = "revisit-seed",
					       .type = OPTION_TIME };
	struct str word;

	text = str_trim(text);
	if (!str_take_until(&text, ' ', &word) || str_trim(text).n == 0)
		return diag_fail(why, ST_SYNTAX,
				 "--revisit-seed wants a time and a seed, as '6h "
				 "https://example.org/'");
	TRY(option_set(&row, ret_ms, word, NULL, why));
	*ret_seed = str_trim(text);
	if (!is_http_url(*ret_seed))
		return diag_fail(why, ST_SYNTAX,
				 "--revisit-seed: '" STR_FMT "' is no seed; write it "
				 "with its scheme, as https://example.org/",
				 STR_ARG(*ret_seed));
	return ST_OK;
}

/* A seed is known in its normal form, and may be written in another. */
static bool is_source(struct str seed, struct str source)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	struct url u;
	bool same = str_eq(seed, source) ||
		    (url_parse_normal(seed, NULL, NORMAL_STANDARD, scratch, &u, NULL) ==
			     ST_OK &&
		     str_eq(url_without_fragment(&u), source));

	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
	return same;
}

struct recrawl revisit_rule(const struct crawl_settings *s, struct str source)
{
	struct recrawl r = { .first_ms = s->revisit_ms,
			     .min_ms = s->revisit_ms ? s->revisit_min_ms : 0,
			     .max_ms = s->revisit_ms ? s->revisit_max_ms : 0,
			     .shrink = SHRINK,
			     .grow = GROW };

	for (size_t i = 0; i < s->revisit_seeds.n; i++) {
		struct str seed;
		uint64_t ms;

		if (revisit_seed_parse(s->revisit_seeds.v[i], &ms, &seed, NULL) ==
			    ST_OK &&
		    is_source(seed, source))
			r.first_ms = r.min_ms = r.max_ms = ms;
	}
	return r;
}

/* --- seeds --- */

/* "https://x", "mailto:x"; but "host:8080" has a port. */
static bool has_scheme(struct str s)
{
	size_t colon = str_find_char(str_slice(s, 0, str_find_char(s, '/')), ':');

	if (str_find(s, STR("://")) != STR_NONE)
		return true;
	return colon != STR_NONE && colon + 1 < s.n && !ascii_is_digit(s.p[colon + 1]) &&
	       s.p[0] != '[';
}

struct str seed_with_scheme(struct str seed, struct arena *a)
{
	cleanup(buf_release) struct buf b = { 0 };

	if (has_scheme(seed))
		return arena_copy(a, seed);
	buf_add(&b, STR("https://"));
	buf_add(&b, seed);
	return arena_copy(a, buf_str(&b));
}

/* "key=value" of a seed; those of other crawlers are passed over. */
static enum status seed_field(struct str field, struct str seed,
			      struct str_list *revisits, struct arena *a,
			      struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct str ignored;
	uint64_t ms;

	field = str_trim(field);
	if (!str_take_prefix(&field, STR("revisit=")))
		return ST_OK;
	buf_add(&b, field);
	buf_add_char(&b, ' ');
	buf_add(&b, seed);
	TRY(revisit_seed_parse(buf_str(&b), &ms, &ignored, why));
	VEC_ADD(revisits->v, revisits->n, revisits->cap, arena_copy(a, buf_str(&b)));
	return ST_OK;
}

static void pass_over(struct str_list *to, struct str name, size_t nr, struct str line,
		      struct arena *a)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_addf(&b, STR_FMT " line %zu: '", STR_ARG(name), nr);
	buf_add_visible(&b, str_slice(line, 0, 100));
	buf_add(&b, STR("' is no http or https URL: passed over"));
	VEC_ADD(to->v, to->n, to->cap, arena_copy(a, buf_str(&b)));
}

enum status seeds_parse(struct str text, struct str name, struct str_list *ret,
			struct str_list *revisits, struct str_list *passed_over,
			struct arena *a, struct diag *why)
{
	struct str line, word;

	for (size_t nr = 1; str_take_line(&text, &line); nr++) {
		/* A '#' begins a comment at the start or behind white space. */
		for (size_t i = 0; i < line.n; i++)
			if (line.p[i] == '#' && (i == 0 || ascii_is_space(line.p[i - 1])))
				line.n = i;
		line = str_trim(line);
		if (line.n == 0 || !str_take_until(&line, '\t', &word))
			continue;
		struct str seed = seed_with_scheme(str_trim(word), a);
		if (!is_http_url(seed)) {
			pass_over(passed_over, name, nr, word, a);
			continue;
		}
		VEC_ADD(ret->v, ret->n, ret->cap, seed);
		while (str_take_until(&line, '\t', &word))
			if (seed_field(word, seed, revisits, a, why) != ST_OK)
				return diag_fail(why, ST_SYNTAX, STR_FMT " line %zu: %s",
						 STR_ARG(name), nr, strdupa(why->text));
	}
	return ret->n > 0 ? ST_OK
			  : diag_fail(why, ST_SYNTAX, STR_FMT ": there is no seed in it",
				      STR_ARG(name));
}
