/* The built-in functions of 17.4, by family. */
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unicase.h>

#include "base/encode.h"
#include "base/utf8.h"
#include "eval/expr.h"
#include "eval/regex.h"
#include "rdf/iri.h"

/* A string literal: plain or with a language. */
static bool is_string(struct term t)
{
	return t.kind == TERM_LITERAL && t.datatype.n == 0;
}

/* `text` with the language of `like`. */
static struct value string_like(struct term like, struct str text)
{
	return value_from_term(like.lang.n ? term_lang(text, like.lang)
					   : term_string(text));
}

/* Argument compatibility (17.4.3.1.2): the second plain, or of the same language. */
static bool compatible(struct term a, struct term b)
{
	return is_string(a) && is_string(b) &&
	       (b.lang.n == 0 || str_eq_nocase(a.lang, b.lang));
}

/* --- terms --- */

static struct value fn_str(struct exec *x, const struct value *v)
{
	struct term t = value_term(x, v);

	return t.kind == TERM_BLANK ? VALUE_NONE : value_from_string(t.text);
}

static struct value fn_lang(struct exec *x, const struct value *v)
{
	struct term t = value_term(x, v);

	return t.kind == TERM_LITERAL ? value_from_string(t.lang) : VALUE_NONE;
}

static struct value fn_datatype(struct exec *x, const struct value *v)
{
	struct term t = value_term(x, v);

	return t.kind == TERM_LITERAL ? value_from_term(term_iri(term_datatype(t)))
				      : VALUE_NONE;
}

static struct value fn_iri(struct exec *x, const struct value *v)
{
	cleanup(buf_release) struct buf b = BUF(exec_string_limit(x));
	struct term t = value_term(x, v);

	if (t.kind == TERM_IRI)
		return value_from_term(t);
	if (!is_string(t) || t.lang.n)
		return VALUE_NONE;
	iri_resolve(x->request->base, t.text, &b);
	return value_from_term(term_iri(exec_keep(x, &b)));
}

/* RFC 4647 basic filtering: "*" is any, else equal or a prefix before '-'. */
static struct value fn_langmatches(struct exec *x, const struct value *args)
{
	struct term tag = value_term(x, &args[0]), range = value_term(x, &args[1]);

	if (!is_string(tag) || !is_string(range))
		return VALUE_NONE;
	if (str_eq(range.text, STR("*")))
		return value_from_bool(tag.text.n > 0);
	bool yes = str_starts_nocase(tag.text, range.text) && range.text.n > 0 &&
		   (tag.text.n == range.text.n || tag.text.p[range.text.n] == '-');
	return value_from_bool(yes);
}

/* BNODE("x") is one node a solution: the row's label is made part of its name. */
static struct value fn_bnode(struct exec *x, const struct expr *e,
			     const struct value *args)
{
	if (e->n && !is_string(value_term(x, &args[0])))
		return VALUE_NONE;
	return value_from_id(e->n ? exec_row_blank(x, value_term(x, &args[0]).text)
				  : exec_new_blank(x));
}

static struct value fn_strdt(struct exec *x, const struct value *args, bool lang)
{
	struct term text = value_term(x, &args[0]), second = value_term(x, &args[1]);

	if (!is_string(text) || text.lang.n)
		return VALUE_NONE;
	if (lang)
		return is_string(second) && second.text.n
			       ? value_from_term(term_lang(text.text, second.text))
			       : VALUE_NONE;
	return second.kind == TERM_IRI
		       ? value_from_term(term_typed(text.text, second.text))
		       : VALUE_NONE;
}

static struct value fn_is(struct exec *x, enum builtin fn, const struct value *v)
{
	struct number n;

	if (fn == FN_ISNUMERIC)
		return value_from_bool(value_number(x, v, &n));
	enum term_kind kind = value_term(x, v).kind;
	return value_from_bool(kind == (fn == FN_ISBLANK     ? TERM_BLANK
					: fn == FN_ISLITERAL ? TERM_LITERAL
							     : TERM_IRI));
}

/* --- numbers --- */

static struct value fn_number(struct exec *x, enum builtin fn, const struct value *v)
{
	struct number n;

	if (!value_number(x, v, &n))
		return VALUE_NONE;
	if (fn == FN_ABS)
		return value_from_number(number_compare(n, number_from_int(0)) == -1
						 ? number_negate(n)
						 : n);
	return value_from_number(number_round(n, fn == FN_CEIL    ? ROUND_CEIL
						 : fn == FN_FLOOR ? ROUND_FLOOR
								  : ROUND_HALF_UP));
}

/* --- strings --- */

static size_t count_chars(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += ((uint8_t)s.p[i] & 0xc0) != 0x80;
	return n;
}

static struct value fn_strlen(struct exec *x, const struct value *v)
{
	struct term t = value_term(x, v);

	return is_string(t)
		       ? value_from_number(number_from_int((int64_t)count_chars(t.text)))
		       : VALUE_NONE;
}

static struct value fn_case(struct exec *x, enum builtin fn, const struct value *v)
{
	struct term t = value_term(x, v);
	size_t n = 0;
	const uint8_t *in = (const uint8_t *)t.text.p;
	uint8_t *out;

	if (!is_string(t))
		return VALUE_NONE;
	out = fn == FN_UCASE ? u8_toupper(in, t.text.n, NULL, NULL, NULL, &n)
			     : u8_tolower(in, t.text.n, NULL, NULL, NULL, &n);
	if (!out)
		return VALUE_NONE;
	struct buf b = { .p = (char *)out, .n = n };
	struct value r = string_like(t, exec_keep(x, &b));
	free(out);
	return r;
}

static struct value fn_encode(struct exec *x, const struct value *v)
{
	cleanup(buf_release) struct buf b = BUF(exec_string_limit(x));
	struct term t = value_term(x, v);

	if (!is_string(t))
		return VALUE_NONE;
	for (size_t i = 0; i < t.text.n; i++) {
		char c = t.text.p[i];

		if (ascii_is_alpha(c) || ascii_is_digit(c) || (c && strchr("-_.~", c)))
			buf_add_char(&b, c);
		else
			buf_addf(&b, "%%%02X", (uint8_t)c);
	}
	return value_from_string(exec_keep(x, &b));
}

/* CONTAINS, STRSTARTS, STRENDS. */
static struct value fn_test(struct exec *x, enum builtin fn, const struct value *args)
{
	struct term a = value_term(x, &args[0]), b = value_term(x, &args[1]);

	if (!compatible(a, b))
		return VALUE_NONE;
	if (fn == FN_CONTAINS)
		return value_from_bool(str_find(a.text, b.text) != STR_NONE);
	return value_from_bool(fn == FN_STRSTARTS ? str_starts(a.text, b.text)
						  : str_ends(a.text, b.text));
}

static struct value fn_split(struct exec *x, enum builtin fn, const struct value *args)
{
	struct term a = value_term(x, &args[0]), b = value_term(x, &args[1]);

	if (!compatible(a, b))
		return VALUE_NONE;
	size_t at = str_find(a.text, b.text);
	if (at == STR_NONE)
		return value_from_string(STR(""));
	return string_like(a, fn == FN_STRBEFORE ? str_slice(a.text, 0, at)
						 : str_skip(a.text, at + b.text.n));
}

static struct value fn_concat(struct exec *x, const struct expr *e,
			      const struct value *args)
{
	cleanup(buf_release) struct buf b = BUF(exec_string_limit(x));
	struct term first = { 0 };
	bool same = e->n > 0;

	for (size_t i = 0; i < e->n; i++) {
		struct term t = value_term(x, &args[i]);

		if (!is_string(t))
			return VALUE_NONE;
		if (i == 0)
			first = t;
		same = same && str_eq_nocase(t.lang, first.lang);
		buf_add(&b, t.text);
	}
	return same ? string_like(first, exec_keep(x, &b))
		    : value_from_string(exec_keep(x, &b));
}

/* Positions are characters from 1 and may be any number: fn:substring. */
static struct value fn_substr(struct exec *x, const struct expr *e,
			      const struct value *args)
{
	struct term t = value_term(x, &args[0]);
	struct number from, count;
	struct str rest = t.text;
	size_t start = SIZE_MAX, end = 0;

	if (!is_string(t) || !value_number(x, &args[1], &from) ||
	    (e->n == 3 && !value_number(x, &args[2], &count)))
		return VALUE_NONE;
	double first = number_to_double(number_round(from, ROUND_HALF_UP));
	double last =
		e->n == 3 ? first + number_to_double(number_round(count, ROUND_HALF_UP))
			  : 1e300;
	for (double at = 1; rest.n; at++) {
		size_t before = t.text.n - rest.n;

		utf8_take(&rest);
		if (at >= first && at < last) {
			start = MIN(start, before);
			end = t.text.n - rest.n;
		}
	}
	return string_like(t,
			   start == SIZE_MAX ? STR("") : str_slice(t.text, start, end));
}

static bool spend(void *context, size_t units)
{
	return exec_work(context, units);
}

static struct value fn_regex(struct exec *x, const struct expr *e,
			     const struct value *args)
{
	struct term text = value_term(x, &args[0]), pattern = value_term(x, &args[1]);
	struct term flags = e->n == 3 ? value_term(x, &args[2]) : term_string(STR(""));
	struct regex_budget budget = { spend, x };
	bool found;

	if (!is_string(text) || !is_string(pattern) || pattern.lang.n ||
	    !is_string(flags))
		return VALUE_NONE;
	if (!regex_find(&x->regexes, &budget, text.text, pattern.text, flags.text,
			&found))
		return VALUE_NONE;
	return value_from_bool(found);
}

static struct value fn_replace(struct exec *x, const struct expr *e,
			       const struct value *args)
{
	cleanup(buf_release) struct buf b = BUF(exec_string_limit(x));
	struct term text = value_term(x, &args[0]), pattern = value_term(x, &args[1]);
	struct term by = value_term(x, &args[2]);
	struct term flags = e->n == 4 ? value_term(x, &args[3]) : term_string(STR(""));
	struct regex_budget budget = { spend, x };

	if (!is_string(text) || !is_string(pattern) || !is_string(by) ||
	    !is_string(flags) ||
	    !regex_replace(&x->regexes, &budget, text.text, pattern.text, flags.text,
			   by.text, &b))
		return VALUE_NONE;
	return string_like(text, exec_keep(x, &b));
}

static struct value fn_hash(struct exec *x, enum builtin fn, const struct value *v)
{
	static const char *const names[] = { "MD5", "SHA1", "SHA256", "SHA384",
					     "SHA512" };
	cleanup(buf_release) struct buf b = BUF(exec_string_limit(x));
	struct term t = value_term(x, v);
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned n = 0;

	if (!is_string(t) || !EVP_Digest(t.text.p, t.text.n, digest, &n,
					 EVP_get_digestbyname(names[fn - FN_MD5]), NULL))
		return VALUE_NONE;
	buf_add_hex(&b, (struct str){ (const char *)digest, n });
	return value_from_string(exec_keep(x, &b));
}

/* --- dates --- */

static bool get_time(struct exec *x, const struct value *v, struct datetime *ret)
{
	struct term t = value_term(x, v);

	if (str_eq(t.datatype, STR(XSD "dateTime")))
		return datetime_parse(t.text, ret);
	return str_eq(t.datatype, STR(XSD "date")) && date_parse(t.text, ret);
}

/* A whole number of seconds is written without a point. */
static struct value fn_seconds(struct exec *x, const struct datetime *d)
{
	cleanup(buf_release) struct buf b = BUF(exec_string_limit(x));
	struct number n = { .type = NUMBER_DECIMAL, .scale = 9 };

	if (d->nanos == 0) {
		buf_add_uint(&b, d->second);
		return value_from_term(term_typed(exec_keep(x, &b), STR(XSD "decimal")));
	}
	n.m = (__int128)d->second * 1000000000 + d->nanos;
	return value_from_number(n);
}

static struct value fn_timezone(struct exec *x, const struct datetime *d)
{
	cleanup(buf_release) struct buf b = BUF(exec_string_limit(x));
	int m = d->zone_min < 0 ? -d->zone_min : d->zone_min;

	if (d->zone_min == ZONE_NONE)
		return VALUE_NONE;
	buf_addf(&b, "%sPT", d->zone_min < 0 ? "-" : "");
	if (m >= 60)
		buf_addf(&b, "%dH", m / 60);
	if (m % 60)
		buf_addf(&b, "%dM", m % 60);
	if (m == 0)
		buf_add(&b, STR("0S"));
	return value_from_term(term_typed(exec_keep(x, &b), STR(XSD "dayTimeDuration")));
}

static struct value fn_time(struct exec *x, enum builtin fn, const struct value *v)
{
	cleanup(buf_release) struct buf b = BUF(exec_string_limit(x));
	struct datetime d;

	if (!get_time(x, v, &d))
		return VALUE_NONE;
	switch (fn) {
	case FN_YEAR:
		return value_from_number(number_from_int(d.year));
	case FN_MONTH:
		return value_from_number(number_from_int(d.month));
	case FN_DAY:
		return value_from_number(number_from_int(d.day));
	case FN_HOURS:
		return value_from_number(number_from_int(d.hour));
	case FN_MINUTES:
		return value_from_number(number_from_int(d.minute));
	case FN_SECONDS:
		return fn_seconds(x, &d);
	case FN_TIMEZONE:
		return fn_timezone(x, &d);
	default:
		zone_format(&d, &b);
		return value_from_string(exec_keep(x, &b));
	}
}

static struct value fn_now(struct exec *x)
{
	cleanup(buf_release) struct buf b = BUF(exec_string_limit(x));
	struct datetime d = { .zone_is_z = true, .digits = 3 };
	int64_t day = 86400000, days = x->now_ms / day, ms = x->now_ms - days * day;

	date_from_days(days, &d);
	d.hour = (uint8_t)(ms / 3600000);
	d.minute = (uint8_t)(ms / 60000 % 60);
	d.second = (uint8_t)(ms / 1000 % 60);
	d.nanos = (uint32_t)(ms % 1000) * 1000000;
	datetime_format(&d, &b);
	return value_from_term(term_typed(exec_keep(x, &b), STR(XSD "dateTime")));
}

static struct value fn_uuid(struct exec *x, bool as_iri)
{
	cleanup(buf_release) struct buf b = BUF(exec_string_limit(x));
	uint64_t high = rng_next(&x->rng), low = rng_next(&x->rng);

	high = (high & ~(uint64_t)0xf000) | 0x4000;             /* version 4 */
	low = (low & ~((uint64_t)3 << 62)) | (uint64_t)1 << 63; /* variant 1 */
	buf_addf(&b, "%s%08x-%04x-%04x-%04x-%012llx", as_iri ? "urn:uuid:" : "",
		 (unsigned)(high >> 32), (unsigned)(high >> 16 & 0xffff),
		 (unsigned)(high & 0xffff), (unsigned)(low >> 48),
		 (unsigned long long)(low & 0xffffffffffff));
	struct str s = exec_keep(x, &b);
	return as_iri ? value_from_term(term_iri(s)) : value_from_string(s);
}

static struct value fn_same_term(struct exec *x, const struct value *args)
{
	return value_from_bool(term_eq(value_term(x, &args[0]), value_term(x, &args[1])));
}

struct value builtin_call(struct exec *x, const struct expr *e, const struct value *args)
{
	switch (e->fn) {
	case FN_STR:
		return fn_str(x, args);
	case FN_LANG:
		return fn_lang(x, args);
	case FN_LANGMATCHES:
		return fn_langmatches(x, args);
	case FN_DATATYPE:
		return fn_datatype(x, args);
	case FN_IRI:
	case FN_URI:
		return fn_iri(x, args);
	case FN_BNODE:
		return fn_bnode(x, e, args);
	case FN_RAND:
		return value_from_number(number_from_double(rng_unit(&x->rng)));
	case FN_ABS:
	case FN_CEIL:
	case FN_FLOOR:
	case FN_ROUND:
		return fn_number(x, e->fn, args);
	case FN_CONCAT:
		return fn_concat(x, e, args);
	case FN_STRLEN:
		return fn_strlen(x, args);
	case FN_UCASE:
	case FN_LCASE:
		return fn_case(x, e->fn, args);
	case FN_ENCODE_FOR_URI:
		return fn_encode(x, args);
	case FN_CONTAINS:
	case FN_STRSTARTS:
	case FN_STRENDS:
		return fn_test(x, e->fn, args);
	case FN_STRBEFORE:
	case FN_STRAFTER:
		return fn_split(x, e->fn, args);
	case FN_YEAR:
	case FN_MONTH:
	case FN_DAY:
	case FN_HOURS:
	case FN_MINUTES:
	case FN_SECONDS:
	case FN_TIMEZONE:
	case FN_TZ:
		return fn_time(x, e->fn, args);
	case FN_NOW:
		return fn_now(x);
	case FN_UUID:
	case FN_STRUUID:
		return fn_uuid(x, e->fn == FN_UUID);
	case FN_MD5:
	case FN_SHA1:
	case FN_SHA256:
	case FN_SHA384:
	case FN_SHA512:
		return fn_hash(x, e->fn, args);
	case FN_STRLANG:
		return fn_strdt(x, args, true);
	case FN_STRDT:
		return fn_strdt(x, args, false);
	case FN_SAMETERM:
		return fn_same_term(x, args);
	case FN_ISIRI:
	case FN_ISURI:
	case FN_ISBLANK:
	case FN_ISLITERAL:
	case FN_ISNUMERIC:
		return fn_is(x, e->fn, args);
	case FN_REGEX:
		return fn_regex(x, e, args);
	case FN_SUBSTR:
		return fn_substr(x, e, args);
	case FN_REPLACE:
		return fn_replace(x, e, args);
	default:
		return VALUE_NONE; /* BOUND, IF and COALESCE are no calls */
	}
}
