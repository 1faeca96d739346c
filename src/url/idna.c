#include "url/idna.h"

#include <stdlib.h>
#include <string.h>
#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "url/punycode.h"

/* NFKC makes at most 18 code points of one (U+FDFA). */
#define MAPPING_MAX 32

#define ZWNJ 0x200cu
#define ZWJ  0x200du

struct points {
	uint32_t *v;
	size_t n;
};

static void points_release(struct points *s)
{
	free(s->v);
	*s = (struct points){ 0 };
}

/* Characters that map to themselves although case folding says otherwise. */
static bool is_deviation(uint32_t c)
{
	return c == 0xdf || c == 0x3c2 || c == ZWNJ || c == ZWJ;
}

static size_t without_ignorables(uint32_t *s, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!uc_is_property_default_ignorable_code_point(s[i]))
			s[kept++] = s[i];
	return kept;
}

/* Unicode's NFKC_Casefold of one code point, by repetition until nothing changes. */
static size_t nfkc_casefold(uint32_t c, uint32_t *to)
{
	uint32_t next[MAPPING_MAX];
	size_t n = 1;

	to[0] = c;
	for (int round = 0; round < 4; round++) {
		size_t next_n = COUNT(next);

		if (!u32_casefold(to, n, NULL, UNINORM_NFKC, next, &next_n))
			return n;
		next_n = without_ignorables(next, next_n);
		bool same = next_n == n && memcmp(to, next, n * sizeof(*to)) == 0;

		memcpy(to, next, next_n * sizeof(*to));
		n = next_n;
		if (same || n == 0)
			break;
	}
	return n;
}

/* CJK extensions H, I and J, which came after libunistring's Unicode 14. */
static bool is_new_ideograph(uint32_t c)
{
	return (c >= 0x31350 && c <= 0x33479) || (c >= 0x2ebf0 && c <= 0x2ee5d);
}

/* Never in a domain, whatever case folding makes of it. */
static bool is_excluded(uint32_t c)
{
	if (c == 0x1680 || c == 0xfffc || c == 0xfffd || (c >= 0x2ff0 && c <= 0x2fff) ||
	    c == 0xe0001 || (c >= 0xe0020 && c <= 0xe007f) ||
	    uc_is_property_bidi_control(c))
		return true;
	if (uc_is_general_category_withtable(c, UC_CATEGORY_MASK_Cf))
		return !uc_is_property_default_ignorable_code_point(c);
	return !is_new_ideograph(c) &&
	       uc_is_general_category_withtable(
		       c, UC_CATEGORY_MASK_Cc | UC_CATEGORY_MASK_Cn |
				  UC_CATEGORY_MASK_Co | UC_CATEGORY_MASK_Cs |
				  UC_CATEGORY_MASK_Zl | UC_CATEGORY_MASK_Zp);
}

static bool has_dot(const uint32_t *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] == '.' || s[i] == 0x3002)
			return true;
	return false;
}

/*
 * The table of UTS #46 as a rule: what `c` maps to, and whether it is
 * disallowed, in which case it maps to itself.  The rule was compared with the
 * table of Unicode 17, code point by code point: it differs only for what
 * libunistring's Unicode does not have yet.
 */
static size_t map_point(uint32_t c, uint32_t *to, bool *ret_disallowed)
{
	size_t n = 1;

	*ret_disallowed = false;
	to[0] = c;
	if (c < 0x80) {
		to[0] = (uint32_t)(uint8_t)ascii_lower((char)c);
	} else if (c == 0x3002 || c == 0xff0e || c == 0xff61) {
		to[0] = '.';
	} else if (c == 0x1e9e) { /* capital sharp s */
		to[0] = 0xdf;
	} else if (!is_deviation(c)) {
		*ret_disallowed = is_excluded(c);
		if (!*ret_disallowed) {
			n = nfkc_casefold(c, to);
			*ret_disallowed = has_dot(to, n);
		}
		if (*ret_disallowed) {
			to[0] = c;
			n = 1;
		}
	}
	return n;
}

static bool is_valid(uint32_t c)
{
	uint32_t mapped[MAPPING_MAX];
	bool disallowed;

	return map_point(c, mapped, &disallowed) == 1 && mapped[0] == c && !disallowed;
}

static struct points map_all(struct str domain)
{
	struct points s = { 0 };
	size_t cap = 0;
	bool disallowed;

	while (domain.n) {
		VEC_RESERVE(s.v, cap, s.n + MAPPING_MAX);
		s.n += map_point(utf8_take(&domain), s.v + s.n, &disallowed);
	}
	return s;
}

static struct points nfc(const uint32_t *v, size_t n)
{
	struct points s = { 0 };

	s.v = u32_normalize(UNINORM_NFC, v, n, NULL, &s.n);
	return s;
}

static bool is_mark(uint32_t c)
{
	return uc_is_general_category_withtable(c, UC_CATEGORY_MASK_M);
}

static bool joins(const struct points *s, size_t i, int step, int either)
{
	for (i += (size_t)step; i < s->n; i += (size_t)step) {
		int type = uc_joining_type(s->v[i]);

		if (type == UC_JOINING_TYPE_D || type == either)
			return true;
		if (type != UC_JOINING_TYPE_T)
			return false;
	}
	return false;
}

/* RFC 5892 A.1 and A.2: a joiner needs a virama before it, ZWNJ may stand in a cursive
 * script. */
static bool joiners_fit(const struct points *s)
{
	for (size_t i = 0; i < s->n; i++) {
		if (s->v[i] != ZWNJ && s->v[i] != ZWJ)
			continue;
		if (i > 0 && uc_combining_class(s->v[i - 1]) == UC_CCC_VR)
			continue;
		if (s->v[i] == ZWJ || !joins(s, i, -1, UC_JOINING_TYPE_L) ||
		    !joins(s, i, 1, UC_JOINING_TYPE_R))
			return false;
	}
	return true;
}

#define BIDI(c) (1u << (c))
#define BIDI_NEUTRAL                                                                 \
	(BIDI(UC_BIDI_ES) | BIDI(UC_BIDI_CS) | BIDI(UC_BIDI_ET) | BIDI(UC_BIDI_ON) | \
	 BIDI(UC_BIDI_BN) | BIDI(UC_BIDI_NSM) | BIDI(UC_BIDI_EN))
#define BIDI_RIGHT (BIDI(UC_BIDI_R) | BIDI(UC_BIDI_AL))

static bool is_right_to_left(const struct points *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (BIDI(uc_bidi_class(s->v[i])) & (BIDI_RIGHT | BIDI(UC_BIDI_AN)))
			return true;
	return false;
}

/* RFC 5893 section 2, its six conditions. */
static bool bidi_fits(const struct points *s)
{
	unsigned first = BIDI(uc_bidi_class(s->v[0])), last = 0, seen = 0;
	bool right = first & BIDI_RIGHT;
	unsigned allowed =
		BIDI_NEUTRAL | (right ? BIDI_RIGHT | BIDI(UC_BIDI_AN) : BIDI(UC_BIDI_L));
	unsigned numbers = BIDI(UC_BIDI_EN) | BIDI(UC_BIDI_AN);

	if (!right && first != BIDI(UC_BIDI_L))
		return false;
	for (size_t i = 0; i < s->n; i++) {
		unsigned class = BIDI(uc_bidi_class(s->v[i]));

		seen |= class;
		if (class != BIDI(UC_BIDI_NSM))
			last = class;
	}
	if (seen & ~allowed)
		return false;
	if (right)
		return (last & (BIDI_RIGHT | numbers)) && (seen & numbers) != numbers;
	return last & (BIDI(UC_BIDI_L) | BIDI(UC_BIDI_EN));
}

/* The validity criteria of UTS #46 section 4.1 but the bidi rule, which asks the whole
 * domain. */
static bool label_valid(const struct points *s)
{
	if (s->n == 0)
		return true;
	if (is_mark(s->v[0]) || !joiners_fit(s))
		return false;
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i] == '.' || !is_valid(s->v[i]))
			return false;
	return true;
}

/* Decode an "xn--" label, which must decode to something it could not have been without.
 */
static struct points decode_label(const struct points *label, bool *ret_ok)
{
	struct points s = { .v = xrealloc(NULL, label->n, sizeof(*s.v)) };
	cleanup(buf_release) struct buf ascii = { 0 };
	bool foreign = false;

	*ret_ok = false;
	for (size_t i = 4; i < label->n; i++) {
		if (label->v[i] >= 0x80)
			return s;
		buf_add_char(&ascii, (char)label->v[i]);
	}
	if (punycode_decode(buf_str(&ascii), s.v, label->n, &s.n) != ST_OK)
		return s;
	for (size_t i = 0; i < s.n; i++)
		foreign |= s.v[i] >= 0x80;
	*ret_ok = foreign;
	return s;
}

static bool is_nfc(const struct points *s)
{
	cleanup(points_release) struct points normal = nfc(s->v, s->n);

	return normal.n == s->n && memcmp(normal.v, s->v, s->n * sizeof(*s->v)) == 0;
}

static bool has_ace_prefix(const struct points *s)
{
	return s->n >= 4 && s->v[0] == 'x' && s->v[1] == 'n' && s->v[2] == '-' &&
	       s->v[3] == '-';
}

/* `s` decoded if it is an "xn--" label, otherwise itself; false when it is not valid. */
static bool check_label(struct points *s)
{
	cleanup(points_release) struct points decoded = { 0 };
	bool ok;

	if (!has_ace_prefix(s))
		return label_valid(s);
	decoded = decode_label(s, &ok);
	if (!ok || !is_nfc(&decoded) || has_ace_prefix(&decoded) ||
	    !label_valid(&decoded))
		return false;
	memcpy(s->v, decoded.v, decoded.n * sizeof(*s->v));
	s->n = decoded.n;
	return true;
}

static enum status add_label(const struct points *s, struct buf *to)
{
	bool foreign = false;

	for (size_t i = 0; i < s->n; i++)
		foreign |= s->v[i] >= 0x80;
	if (foreign) {
		buf_add(to, STR("xn--"));
		return punycode_encode(s->v, s->n, to);
	}
	for (size_t i = 0; i < s->n; i++)
		buf_add_char(to, (char)s->v[i]);
	return ST_OK;
}

/* The labels of a mapped domain, one after the other. */
static bool next_label(const struct points *domain, size_t *at, struct points *ret)
{
	if (*at > domain->n)
		return false;
	ret->v = domain->v + *at;
	for (ret->n = 0; *at + ret->n < domain->n && ret->v[ret->n] != '.'; ret->n++)
		;
	*at += ret->n + 1;
	return true;
}

/*
 * Two passes: the bidi rule holds for every label as soon as one label, maybe
 * the last, is written from right to left.
 */
static bool check_labels(const struct points *domain, struct points *labels,
			 size_t *ret_n)
{
	bool bidi = false;
	size_t at = 0, n = 0;

	for (; next_label(domain, &at, &labels[n]); n++) {
		if (!check_label(&labels[n]))
			return false;
		bidi |= is_right_to_left(&labels[n]);
	}
	for (size_t i = 0; bidi && i < n; i++)
		if (labels[i].n && !bidi_fits(&labels[i]))
			return false;
	*ret_n = n;
	return true;
}

static size_t count_labels(const struct points *domain)
{
	size_t n = 1;

	for (size_t i = 0; i < domain->n; i++)
		n += domain->v[i] == '.';
	return n;
}

static void free_labels(struct points **labels)
{
	free(*labels);
}

enum status idna_to_ascii(struct str domain, struct buf *to, struct diag *why)
{
	cleanup(points_release) struct points mapped = { 0 }, normal = { 0 };
	cleanup(free_labels) struct points *labels = NULL;
	size_t start = to->n, n;
	enum status st = ST_OK;

	if (domain.n > IDNA_MAX_BYTES)
		return diag_fail(why, ST_SYNTAX, "a domain of %zu bytes", domain.n);
	mapped = map_all(domain);
	normal = nfc(mapped.v, mapped.n);
	labels = xcalloc(count_labels(&normal), sizeof(*labels));
	if (!check_labels(&normal, labels, &n))
		return diag_fail(why, ST_SYNTAX, "not a domain by UTS #46: " STR_FMT,
				 STR_ARG(str_slice(domain, 0, 80)));
	for (size_t i = 0; i < n && st == ST_OK; i++) {
		if (i > 0)
			buf_add_char(to, '.');
		st = add_label(&labels[i], to);
	}
	if (st != ST_OK)
		to->n = start;
	return st;
}
