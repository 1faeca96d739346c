#include "align/align.h"
#include "base/buf.h"
#include "base/rng.h"
#include "test.h"

#include <string.h>

static struct consensus sequence(const char *url, size_t nr, struct arena *in)
{
	cleanup(tokens_release) struct tokens t = { 0 };

	if (tokens_split(&t, str_from(url)) != ST_OK)
		return (struct consensus){ 0 };
	return consensus_of(t.v, t.n, nr, in);
}

/* Members in the order they came, sets between spaces, gaps as "~". */
static void format_consensus(const struct consensus *c, struct buf *to)
{
	buf_reset(to);
	for (size_t i = 0; i < c->n; i++) {
		if (i > 0)
			buf_add_char(to, ' ');
		for (size_t k = 0; k < c->v[i].n; k++) {
			if (k > 0)
				buf_add_char(to, ',');
			buf_add(to, token_str(set_token(&c->v[i], k)));
		}
		if (c->v[i].gap)
			buf_add(to, STR(",~"));
	}
}

static void a_url_is_words_numbers_and_single_marks(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf b = { 0 };
	struct consensus c = sequence("http://ex.com/1.htm", 0, &a);

	format_consensus(&c, &b);
	CHECK(c.n == 11);
	CHECK(str_eq(buf_str(&b), STR("http : / / ex . com / 1 . htm")));
}

/* Figure 4.1, row by row: u_i = www.IRS.gov/foia/index.html down the side,
 * u_j = www.irs.ustreas.gov/foia along the top. */
static const int figure[12][10] = {
	{ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, { 0, 1, 1, 1, 1, 1, 1, 1, 1, 1 },
	{ 0, 1, 2, 2, 2, 2, 2, 2, 2, 2 }, { 0, 1, 2, 3, 3, 3, 3, 3, 3, 3 },
	{ 0, 1, 2, 3, 4, 4, 4, 4, 4, 4 }, { 0, 1, 2, 3, 4, 4, 4, 5, 5, 5 },
	{ 0, 1, 2, 3, 4, 4, 4, 5, 6, 6 }, { 0, 1, 2, 3, 4, 4, 4, 5, 6, 7 },
	{ 0, 1, 2, 3, 4, 4, 4, 5, 6, 7 }, { 0, 1, 2, 3, 4, 4, 4, 5, 6, 7 },
	{ 0, 1, 2, 3, 4, 4, 5, 5, 6, 7 }, { 0, 1, 2, 3, 4, 4, 5, 5, 6, 7 },
};

static void figure_4_1_comes_out_cell_by_cell(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(aligner_release) struct aligner al = { .whole_matrix = true };
	struct consensus x = sequence("www.IRS.gov/foia/index.html", 0, &a);
	struct consensus y = sequence("www.irs.ustreas.gov/foia", 1, &a);
	struct consensus c;

	CHECK(x.n == 11 && y.n == 9);
	CHECK(align(&al, &x, &y, &a, &c) == 7 * ALIGN_ONE);
	for (size_t i = 0; i <= x.n; i++)
		for (size_t j = 0; j <= y.n; j++)
			CHECK(aligner_cell(&al, y.n, i, j) == figure[i][j] * ALIGN_ONE);
}

static void table_4_1_is_the_alignment_and_its_consensus(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf b = { 0 };
	struct consensus x = sequence("www.IRS.gov/foia/index.html", 0, &a);
	struct consensus y = sequence("www.irs.ustreas.gov/foia", 1, &a);

	for (int whole = 0; whole <= 1; whole++) {
		cleanup(aligner_release) struct aligner al = { .whole_matrix = whole };
		struct consensus c;

		align(&al, &x, &y, &a, &c);
		format_consensus(&c, &b);
		CHECK(str_eq(buf_str(&b), STR("www . IRS,irs .,~ ustreas,~ . gov / foia "
					      "/,~ index,~ .,~ html,~")));
	}
}

static void tokens_of_another_type_are_never_united(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf b = { 0 };
	cleanup(aligner_release) struct aligner al = { 0 };
	struct consensus x = sequence("a/12", 0, &a), y = sequence("a/b", 1, &a), c;

	align(&al, &x, &y, &a, &c);
	format_consensus(&c, &b);
	CHECK(str_eq(buf_str(&b), STR("a / 12,~ b,~")) ||
	      str_eq(buf_str(&b), STR("a / b,~ 12,~")));
}

static void positions_present_in_the_same_urls_carry_the_same_sign(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(aligner_release) struct aligner al = { 0 };
	struct consensus x = sequence("a/index.html", 0, &a), y = sequence("a", 1, &a), c;

	align(&al, &x, &y, &a, &c);
	CHECK(c.n == 5);
	CHECK(c.v[1].present == c.v[4].present && c.v[0].present != c.v[1].present);
}

/* A random sequence over few letters has many ties, where trimming could go wrong. */
static struct consensus random_sequence(struct rng *r, char *text, size_t nr,
					struct arena *in)
{
	size_t n = rng_below(r, 14);

	for (size_t i = 0; i < n; i++)
		text[i] = "ab/1"[rng_below(r, 4)];
	text[n] = '\0';
	return sequence(text, nr, in);
}

static void trimming_equal_ends_changes_nothing(void)
{
	struct rng r = { 7 };

	for (int round = 0; round < 3000; round++) {
		cleanup(arena_release) struct arena a = { 0 };
		cleanup(aligner_release) struct aligner whole = { .whole_matrix = true };
		cleanup(aligner_release) struct aligner trimmed = { 0 };
		cleanup(buf_release) struct buf one = { 0 }, two = { 0 };
		char text[4][16];
		struct consensus s = random_sequence(&r, text[0], 0, &a), c;

		for (size_t k = 1; k < 4; k++) {
			struct consensus x = random_sequence(&r, text[k], k, &a);

			int32_t score = align(&whole, &x, &s, &a, &c);
			format_consensus(&c, &one);
			CHECK(align(&trimmed, &x, &s, &a, &s) == score);
			format_consensus(&s, &two);
			CHECK(str_eq(buf_str(&one), buf_str(&two)));
		}
	}
}

static enum token_type type_of(char c)
{
	return ascii_is_alpha(c)   ? TOKEN_ALPHA
	       : ascii_is_digit(c) ? TOKEN_NUMBER
				   : TOKEN_PUNCT;
}

/* Any bytes, of all lengths around the blocks that are looked at in one go. */
static void tokens_are_runs_of_one_type(void)
{
	cleanup(tokens_release) struct tokens t = { 0 };
	struct rng r = { 5 };
	char url[200];

	for (size_t n = 0; n < sizeof(url); n++) {
		for (size_t i = 0; i < n; i++)
			url[i] = rng_below(&r, 3) ? "aZ09/."[rng_below(&r, 6)]
						  : (char)rng_below(&r, 256);
		CHECK(tokens_split(&t, (struct str){ url, n }) == ST_OK);
		size_t at = 0;
		for (size_t k = 0; k < t.n; k++) {
			struct token one = t.v[k];
			enum token_type type = type_of(url[at]);

			CHECK(one.p == url + at && one.n > 0 && one.type == type);
			CHECK(type != TOKEN_PUNCT || one.n == 1);
			CHECK((one.delim != 0) ==
			      (strchr("/?&#=;:.", url[at]) && url[at]));
			for (size_t i = 0; i < one.n; i++)
				CHECK(type_of(url[at + i]) == type);
			at += one.n;
			CHECK(at == n || type == TOKEN_PUNCT || type_of(url[at]) != type);
		}
		CHECK(at == n);
	}
}

static void a_url_past_the_bounds_is_refused(void)
{
	cleanup(tokens_release) struct tokens t = { 0 };
	static char much[TOKENS_BYTES_MAX + 2];

	memset(much, '/', sizeof(much) - 1);
	CHECK(tokens_split(&t, str_from(much)) == ST_TOO_LARGE);
	much[TOKENS_MAX] = '\0';
	CHECK(tokens_split(&t, str_from(much)) == ST_OK && t.n == TOKENS_MAX);
	much[TOKENS_MAX] = '/';
	much[TOKENS_MAX + 1] = '\0';
	CHECK(tokens_split(&t, str_from(much)) == ST_TOO_LARGE);
}

static void the_host_is_found_without_user_and_port(void)
{
	CHECK(str_eq(dust_host(STR("http://me:pw@a.org:8080/x?y")), STR("a.org")));
	CHECK(str_eq(dust_host(STR("https://[::1]:80/")), STR("[::1]")));
	CHECK(str_eq(dust_host(STR("http://a.org?x")), STR("a.org")));
	CHECK(dust_host(STR("mailto:a@b.org")).n == 0);
}

int main(void)
{
	RUN(a_url_is_words_numbers_and_single_marks);
	RUN(figure_4_1_comes_out_cell_by_cell);
	RUN(table_4_1_is_the_alignment_and_its_consensus);
	RUN(tokens_of_another_type_are_never_united);
	RUN(positions_present_in_the_same_urls_carry_the_same_sign);
	RUN(trimming_equal_ends_changes_nothing);
	RUN(tokens_are_runs_of_one_type);
	RUN(a_url_past_the_bounds_is_refused);
	RUN(the_host_is_found_without_user_and_port);
	DONE();
}
