#define PCRE2_CODE_UNIT_WIDTH 8
#include "policy/pattern_list.h"

#ifdef HAVE_HYPERSCAN
#include <hs/hs.h>
#endif
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Measured: below this PCRE2 is as fast, and needs no second library at run time. */
#define FAST_FROM   16
#define MATCH_LIMIT 100000u

struct pattern {
	char *text;
	size_t n;
	pcre2_code *code;
	bool slow; /* Hyperscan does not know all of it */
};

struct pattern_set {
#ifdef HAVE_HYPERSCAN
	hs_database_t *db;
	hs_scratch_t *scratch;
#endif
	pcre2_match_data *match;
	pcre2_match_context *context;
};

enum status pattern_list_add(struct pattern_list *l, struct str regex, struct diag *why)
{
	int error;
	size_t at;
	pcre2_code *code =
		pcre2_compile((PCRE2_SPTR)regex.p, regex.n, PCRE2_UTF, &error, &at, NULL);

	if (!code) {
		PCRE2_UCHAR text[120];

		pcre2_get_error_message(error, text, sizeof(text));
		return diag_fail(why, ST_SYNTAX,
				 "regular expression '" STR_FMT "': %s, at character %zu",
				 (int)MIN(regex.n, 60), regex.p, (const char *)text, at);
	}
	/* Without it (no executable memory) matching is slower, not wrong. */
	pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	struct pattern p = { .text = strndup(regex.p, regex.n),
			     .n = regex.n,
			     .code = code };
	VEC_ADD(l->v, l->n, l->cap, p);
	return ST_OK;
}

/* Where there is no Hyperscan (it knows x86 alone) PCRE2 does it all, one by one. */
#ifndef HAVE_HYPERSCAN
static void compile_fast(struct pattern_list *l)
{
	(void)l;
}

static bool scan_fast(const struct pattern_list *l, struct str text, size_t *lowest)
{
	(void)l, (void)text, (void)lowest;
	return false;
}

static void release_fast(struct pattern_set *s)
{
	(void)s;
}
#else
/* All patterns Hyperscan accepts, in one database; the others are marked slow. */
static void compile_fast(struct pattern_list *l)
{
	const char **text = xcalloc(l->n, sizeof(*text));
	unsigned *flags = xcalloc(l->n, sizeof(*flags)),
		 *ids = xcalloc(l->n, sizeof(*ids));
	unsigned n = 0;

	for (size_t i = 0; i < l->n; i++) {
		hs_expr_info_t *info = NULL;
		hs_compile_error_t *error = NULL;

		l->v[i].slow = hs_expression_info(l->v[i].text, HS_FLAG_SINGLEMATCH,
						  &info, &error) != HS_SUCCESS;
		free(info);
		hs_free_compile_error(error);
		if (l->v[i].slow)
			continue;
		text[n] = l->v[i].text;
		flags[n] = HS_FLAG_SINGLEMATCH | HS_FLAG_ALLOWEMPTY;
		ids[n++] = (unsigned)i;
	}
	hs_compile_error_t *error = NULL;
	if (n > 0 && hs_compile_multi(text, flags, ids, n, HS_MODE_BLOCK, NULL,
				      &l->fast->db, &error) == HS_SUCCESS)
		hs_alloc_scratch(l->fast->db, &l->fast->scratch);
	hs_free_compile_error(error);
	free(text);
	free(flags);
	free(ids);
}

static int note_lowest(unsigned id, unsigned long long from, unsigned long long to,
		       unsigned flags, void *context)
{
	size_t *lowest = context;

	(void)from, (void)to, (void)flags;
	*lowest = MIN(*lowest, (size_t)id);
	return 0;
}

/* False when there is no database; then every pattern is tried. */
static bool scan_fast(const struct pattern_list *l, struct str text, size_t *lowest)
{
	if (!l->fast || !l->fast->scratch)
		return false;
	hs_scan(l->fast->db, text.p, (unsigned)MIN(text.n, UINT32_MAX), 0,
		l->fast->scratch, note_lowest, lowest);
	return true;
}

static void release_fast(struct pattern_set *s)
{
	hs_free_scratch(s->scratch);
	hs_free_database(s->db);
}
#endif

void pattern_list_finish(struct pattern_list *l)
{
	l->fast = NEW(struct pattern_set);
	l->fast->match = pcre2_match_data_create(1, NULL);
	l->fast->context = pcre2_match_context_create(NULL);
	pcre2_set_match_limit(l->fast->context, MATCH_LIMIT);
	if (l->n >= FAST_FROM)
		compile_fast(l);
}

static bool matches(const struct pattern_list *l, size_t i, struct str text)
{
	return pcre2_match(l->v[i].code, (PCRE2_SPTR)text.p, text.n, 0, 0, l->fast->match,
			   l->fast->context) >= 0;
}

size_t pattern_list_find(const struct pattern_list *l, struct str text)
{
	size_t lowest = PATTERN_NONE;
	bool fast = scan_fast(l, text, &lowest);

	for (size_t i = 0; i < l->n && i < lowest; i++)
		if ((!fast || l->v[i].slow) && matches(l, i, text))
			return i;
	return lowest;
}

struct str pattern_text(const struct pattern_list *l, size_t i)
{
	return (struct str){ l->v[i].text, l->v[i].n };
}

void pattern_list_release(struct pattern_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->v[i].text);
		pcre2_code_free(l->v[i].code);
	}
	if (l->fast) {
		release_fast(l->fast);
		pcre2_match_data_free(l->fast->match);
		pcre2_match_context_free(l->fast->context);
		free(l->fast);
	}
	free(l->v);
	*l = (struct pattern_list){ 0 };
}
