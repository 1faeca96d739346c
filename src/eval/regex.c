#include "eval/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define MATCH_LIMIT   1000000 /* steps; some 10 ms */
#define HEAP_KB       20000   /* of the interpreter's backtracking */
#define REGEXES_MAX   64
#define PATTERN_BYTES ((size_t)64 << 10)
#define MATCH_UNITS   16   /* of work, besides what the length of the text adds */
#define COMPILE_UNITS 2000 /* some 0.1 ms */
#define LIMIT_UNITS   100000

struct compiled {
	struct buf key; /* flags, a NUL, the pattern */
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
};

static void forget(struct compiled *c)
{
	buf_release(&c->key);
	pcre2_code_free(c->code);
	pcre2_match_data_free(c->data);
	pcre2_match_context_free(c->context);
}

void regexes_release(struct regexes *r)
{
	for (size_t i = 0; i < r->n; i++)
		forget(&r->v[i]);
	free(r->v);
	*r = (struct regexes){ 0 };
}

static bool parse_flags(struct str flags, uint32_t *ret)
{
	*ret = PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_DOLLAR_ENDONLY;
	for (size_t i = 0; i < flags.n; i++) {
		switch (flags.p[i]) {
		case 'i':
			*ret |= PCRE2_CASELESS;
			break;
		case 's':
			*ret |= PCRE2_DOTALL;
			break;
		case 'm':
			*ret |= PCRE2_MULTILINE;
			break;
		case 'x':
			*ret |= PCRE2_EXTENDED;
			break;
		case 'q':
			*ret |= PCRE2_LITERAL;
			break;
		default:
			return false;
		}
	}
	if (*ret & PCRE2_LITERAL)
		*ret &= PCRE2_LITERAL | PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_CASELESS;
	return true;
}

static struct compiled *compile(struct regexes *r, struct str pattern, struct str flags,
				struct buf *key)
{
	struct compiled c = { 0 };
	uint32_t options;
	PCRE2_SIZE at;
	int error;

	if (!parse_flags(flags, &options) || pattern.n > PATTERN_BYTES)
		return NULL;
	c.code = pcre2_compile((PCRE2_SPTR)pattern.p, pattern.n, options, &error, &at,
			       NULL);
	if (!c.code)
		return NULL;
	pcre2_jit_compile(c.code, PCRE2_JIT_COMPLETE);
	c.data = pcre2_match_data_create_from_pattern(c.code, NULL);
	c.context = pcre2_match_context_create(NULL);
	pcre2_set_match_limit(c.context, MATCH_LIMIT);
	pcre2_set_heap_limit(c.context, HEAP_KB);
	c.key = TAKE(*key);
	if (r->n == REGEXES_MAX)
		forget(&r->v[--r->n]);
	VEC_ADD(r->v, r->n, r->cap, c);
	return &r->v[r->n - 1];
}

static struct compiled *find(struct regexes *r, const struct regex_budget *budget,
			     struct str pattern, struct str flags)
{
	cleanup(buf_release) struct buf key = { 0 };

	buf_add(&key, flags);
	buf_add_char(&key, '\0');
	buf_add(&key, pattern);
	for (size_t i = r->n; i-- > 0;)
		if (str_eq(buf_str(&r->v[i].key), buf_str(&key)))
			return &r->v[i];
	if (!budget->spend(budget->context, COMPILE_UNITS))
		return NULL;
	return compile(r, pattern, flags, &key);
}

/*
 * The compiled code has a small stack of its own; where that is too small, the
 * interpreter goes on with memory from the heap.  Both stop at the limit of steps.
 */
static int match(struct compiled *c, const struct regex_budget *budget, struct str text,
		 size_t from)
{
	int n = pcre2_match(c->code, (PCRE2_SPTR)text.p, text.n, from, 0, c->data,
			    c->context);
	size_t end = n > 0 ? pcre2_get_ovector_pointer(c->data)[1] : text.n;

	if (n == PCRE2_ERROR_JIT_STACKLIMIT)
		n = pcre2_match(c->code, (PCRE2_SPTR)text.p, text.n, from, PCRE2_NO_JIT,
				c->data, c->context);
	size_t units = n < PCRE2_ERROR_NOMATCH
			       ? LIMIT_UNITS
			       : MATCH_UNITS + (end > from ? end - from : 0) / 16;
	return budget->spend(budget->context, units) ? n : PCRE2_ERROR_MATCHLIMIT;
}

bool regex_find(struct regexes *r, const struct regex_budget *budget, struct str text,
		struct str pattern, struct str flags, bool *ret_found)
{
	struct compiled *c = find(r, budget, pattern, flags);
	int n = c ? match(c, budget, text, 0) : PCRE2_ERROR_NULL;

	*ret_found = n >= 0;
	return n >= 0 || n == PCRE2_ERROR_NOMATCH;
}

/* The replacement of one match. */
static bool add_replacement(struct compiled *c, struct str text, struct str by,
			    int groups, struct buf *to)
{
	PCRE2_SIZE *at = pcre2_get_ovector_pointer(c->data);

	for (size_t i = 0; i < by.n; i++) {
		if (by.p[i] == '\\') {
			if (++i == by.n || (by.p[i] != '\\' && by.p[i] != '$'))
				return false;
			buf_add_char(to, by.p[i]);
		} else if (by.p[i] == '$') {
			if (++i == by.n || !ascii_is_digit(by.p[i]))
				return false;
			int group = by.p[i] - '0';

			if (group < groups && at[2 * group] != PCRE2_UNSET)
				buf_add(to, str_slice(text, at[2 * group],
						      at[2 * group + 1]));
		} else {
			buf_add_char(to, by.p[i]);
		}
	}
	return true;
}

bool regex_replace(struct regexes *r, const struct regex_budget *budget, struct str text,
		   struct str pattern, struct str flags, struct str by, struct buf *to)
{
	struct compiled *c = find(r, budget, pattern, flags);
	size_t from = 0;
	int n = 0;

	if (!c)
		return false;
	/* fn:replace raises an error for a pattern that matches the empty string. */
	if (match(c, budget, STR(""), 0) >= 0)
		return false;
	while (!to->overflow && (n = match(c, budget, text, from)) > 0) {
		PCRE2_SIZE *at = pcre2_get_ovector_pointer(c->data);
		size_t start = at[0], end = at[1];

		if (end == start)
			return false;
		buf_add(to, str_slice(text, from, start));
		if (!add_replacement(c, text, by, n, to))
			return false;
		from = end;
	}
	buf_add(to, str_skip(text, from));
	return to->overflow || n == PCRE2_ERROR_NOMATCH; /* the caller sees the former */
}
