#define PCRE2_CODE_UNIT_WIDTH 8
#include "apps/regex_set.h"

#ifdef HAVE_HYPERSCAN
#include <hs/hs.h>
#endif
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Measured: below this PCRE2 is as fast, and a database costs milliseconds to make. */
#define FAST_FROM   12
#define MATCH_LIMIT 20000u
#define GROUPS_MAX  10

enum regex_way {
	WAY_SLOW,    /* PCRE2 alone */
	WAY_CONFIRM, /* Hyperscan says maybe */
	WAY_FAST,
};

struct regex {
	char *text;
	size_t n;
	pcre2_code *code;
	uint8_t way;
};

static pcre2_code *compile(struct str regex, struct diag *why)
{
	int error;
	size_t at;
	pcre2_code *code =
		pcre2_compile((PCRE2_SPTR)regex.p, regex.n, PCRE2_CASELESS | PCRE2_DOTALL,
			      &error, &at, NULL);

	if (!code) {
		PCRE2_UCHAR text[100];

		pcre2_get_error_message(error, text, sizeof(text));
		diag_say(why, "regular expression '" STR_FMT "': %s, at character %zu",
			 (int)MIN(regex.n, 60), regex.p, (const char *)text, at + 1);
	}
	return code;
}

enum status regex_check(struct str regex, struct diag *why)
{
	pcre2_code *code = compile(regex, why);

	pcre2_code_free(code);
	return code ? ST_OK : ST_SYNTAX;
}

enum status regex_set_add(struct regex_set *s, struct str regex, struct diag *why)
{
	struct regex r = { .code = compile(regex, why), .n = regex.n };

	if (!r.code)
		return ST_SYNTAX;
	r.text = strndup(regex.p, regex.n);
	VEC_ADD(s->v, s->n, s->cap, r);
	return ST_OK;
}

#ifndef HAVE_HYPERSCAN
static void compile_fast(struct regex_set *s, struct str compiled)
{
	(void)s, (void)compiled;
}

void regex_set_save(const struct regex_set *s, struct buf *to)
{
	(void)s, (void)to;
}

static void scan_fast(const struct regex_set *s, struct regex_scratch *scratch,
		      struct str text)
{
	(void)s, (void)scratch, (void)text;
}

static void release_fast(struct regex_set *s)
{
	(void)s;
}

static void release_scratch(struct regex_scratch *s)
{
	(void)s;
}
#else

/* One more that it does not know as it stands: first as a prefilter, then not at all. */
static bool demote(struct regex_set *s, const unsigned *ids, const hs_compile_error_t *e)
{
	if (e->expression < 0)
		return false;
	s->v[ids[e->expression]].way--;
	return true;
}

static bool compile_once(struct regex_set *s, const char **text, unsigned *flags,
			 unsigned *ids, hs_database_t **ret)
{
	hs_compile_error_t *error = NULL;
	unsigned n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->v[i].way == WAY_SLOW)
			continue;
		text[n] = s->v[i].text;
		flags[n] = HS_FLAG_CASELESS | HS_FLAG_DOTALL | HS_FLAG_SINGLEMATCH |
			   HS_FLAG_ALLOWEMPTY |
			   (s->v[i].way == WAY_CONFIRM ? HS_FLAG_PREFILTER : 0);
		ids[n++] = (unsigned)i;
	}
	if (n == 0)
		return true;
	bool again = hs_compile_multi(text, flags, ids, n, HS_MODE_BLOCK, NULL, ret,
				      &error) != HS_SUCCESS &&
		     demote(s, ids, error);
	hs_free_compile_error(error);
	return !again;
}

/* Which patterns are confirmed, a byte each, stands before the database. */
static bool load(struct regex_set *s, struct str compiled)
{
	hs_database_t *db = NULL;

	if (compiled.n <= s->n ||
	    hs_deserialize_database(compiled.p + s->n, compiled.n - s->n, &db) !=
		    HS_SUCCESS)
		return false;
	for (size_t i = 0; i < s->n; i++)
		s->v[i].way = (uint8_t)MIN((unsigned char)compiled.p[i], WAY_FAST);
	s->fast = db;
	return true;
}

static void compile_fast(struct regex_set *s, struct str compiled)
{
	const char **text = xcalloc(s->n + 1, sizeof(*text));
	unsigned *flags = xcalloc(s->n + 1, sizeof(*flags)),
		 *ids = xcalloc(s->n + 1, sizeof(*ids));
	hs_database_t *db = NULL;

	if (!load(s, compiled)) {
		for (size_t i = 0; i < s->n; i++)
			s->v[i].way = WAY_FAST;
		while (!compile_once(s, text, flags, ids, &db))
			;
		s->fast = db;
		for (size_t i = 0; i < s->n && !db; i++)
			s->v[i].way = WAY_SLOW;
	}
	free(text);
	free(flags);
	free(ids);
}

void regex_set_save(const struct regex_set *s, struct buf *to)
{
	char *bytes;
	size_t n;

	if (!s->fast || hs_serialize_database(s->fast, &bytes, &n) != HS_SUCCESS)
		return;
	for (size_t i = 0; i < s->n; i++)
		buf_add_u8(to, s->v[i].way);
	buf_add(to, (struct str){ bytes, n });
	free(bytes);
}

static int note_hit(unsigned id, unsigned long long from, unsigned long long to,
		    unsigned flags, void *context)
{
	struct regex_scratch *s = context;

	(void)from, (void)to, (void)flags;
	VEC_ADD(s->hits, s->n, s->cap, id);
	return 0;
}

/* Once for each database: the library reads all of it to be sure that it is whole, which
 * takes longer than a short text. */
static void make_large_enough(const struct regex_set *s, struct regex_scratch *scratch)
{
	for (size_t i = 0; i < scratch->n_serials; i++)
		if (scratch->serials[i] == s->serial)
			return;
	if (hs_alloc_scratch(s->fast, (hs_scratch_t **)&scratch->fast) == HS_SUCCESS)
		VEC_ADD(scratch->serials, scratch->n_serials, scratch->serials_cap,
			s->serial);
}

static void scan_fast(const struct regex_set *s, struct regex_scratch *scratch,
		      struct str text)
{
	if (!s->fast || text.n > UINT32_MAX)
		return;
	make_large_enough(s, scratch);
	hs_scan(s->fast, text.p, (unsigned)text.n, 0, scratch->fast, note_hit, scratch);
}

static void release_fast(struct regex_set *s)
{
	hs_free_database(s->fast);
}

static void release_scratch(struct regex_scratch *s)
{
	hs_free_scratch(s->fast);
}
#endif

void regex_set_finish(struct regex_set *s, struct str compiled)
{
	static _Atomic uint32_t serials;

	s->serial = ++serials;
	if (s->n >= FAST_FROM)
		compile_fast(s, compiled);
	for (size_t i = 0; i < s->n; i++) {
		s->n_slow += s->v[i].way == WAY_SLOW;
		/* Without it (no executable memory) matching is slower, not wrong. */
		if (s->v[i].way != WAY_FAST)
			pcre2_jit_compile(s->v[i].code, PCRE2_JIT_COMPLETE);
	}
}

static void prepare(struct regex_scratch *s)
{
	if (s->match)
		return;
	s->match = pcre2_match_data_create(GROUPS_MAX, NULL);
	s->context = pcre2_match_context_create(NULL);
	pcre2_set_match_limit(s->context, MATCH_LIMIT);
}

bool regex_set_matches(const struct regex_set *s, size_t i, struct regex_scratch *scratch,
		       struct str text)
{
	prepare(scratch);
	return pcre2_match(s->v[i].code, (PCRE2_SPTR)text.p, text.n, 0, 0, scratch->match,
			   scratch->context) >= 0;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

void regex_set_find(const struct regex_set *s, struct regex_scratch *scratch,
		    struct str text)
{
	scratch->n = 0;
	scan_fast(s, scratch, text);
	size_t kept = 0;
	for (size_t k = 0; k < scratch->n; k++) {
		uint32_t id = scratch->hits[k];

		if (s->v[id].way == WAY_FAST || regex_set_matches(s, id, scratch, text))
			scratch->hits[kept++] = id;
	}
	scratch->n = kept;
	for (size_t i = 0; i < s->n && s->n_slow > 0; i++)
		if (s->v[i].way == WAY_SLOW && regex_set_matches(s, i, scratch, text))
			VEC_ADD(scratch->hits, scratch->n, scratch->cap, (uint32_t)i);
	if (scratch->n > 1)
		qsort(scratch->hits, scratch->n, sizeof(*scratch->hits), by_number);
}

static void add_group(struct regex_scratch *scratch, struct str text, unsigned nr,
		      struct buf *to)
{
	const size_t *at = pcre2_get_ovector_pointer(scratch->match);

	if (nr < pcre2_get_ovector_count(scratch->match) && at[2 * nr] != PCRE2_UNSET &&
	    at[2 * nr] <= at[2 * nr + 1])
		buf_add(to, str_slice(text, at[2 * nr], at[2 * nr + 1]));
}

bool regex_set_replace(const struct regex_set *s, size_t i, struct regex_scratch *scratch,
		       struct str text, struct str with, struct buf *to)
{
	if (!regex_set_matches(s, i, scratch, text))
		return false;
	const size_t *at = pcre2_get_ovector_pointer(scratch->match);
	size_t from = at[0], until = MAX(at[0], at[1]);

	buf_add(to, str_slice(text, 0, from));
	for (size_t k = 0; k < with.n; k++) {
		if (with.p[k] == '$' && k + 1 < with.n && ascii_is_digit(with.p[k + 1]))
			add_group(scratch, text, (unsigned)(with.p[++k] - '0'), to);
		else
			buf_add_char(to, with.p[k]);
	}
	buf_add(to, str_skip(text, until));
	return true;
}

void regex_set_release(struct regex_set *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->v[i].text);
		pcre2_code_free(s->v[i].code);
	}
	free(s->v);
	release_fast(s);
	*s = (struct regex_set){ 0 };
}

void regex_scratch_release(struct regex_scratch *s)
{
	release_scratch(s);
	pcre2_match_data_free(s->match);
	pcre2_match_context_free(s->context);
	free(s->hits);
	free(s->serials);
	*s = (struct regex_scratch){ 0 };
}
