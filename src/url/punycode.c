#include "url/punycode.h"

#include <string.h>

/* RFC 3492 5: the parameters of IDNA. */
enum { BASE = 36, T_MIN = 1, T_MAX = 26, SKEW = 38, DAMP = 700, BIAS = 72, FIRST = 128 };

static uint32_t adapt(uint32_t delta, uint32_t points, bool first)
{
	uint32_t k = 0;

	delta = first ? delta / DAMP : delta / 2;
	delta += delta / points;
	for (; delta > (BASE - T_MIN) * T_MAX / 2; k += BASE)
		delta /= BASE - T_MIN;
	return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

static uint32_t threshold(uint32_t k, uint32_t bias)
{
	return k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
}

/* A generalised variable-length integer (RFC 3492 3.3). */
static void add_integer(struct buf *to, uint32_t q, uint32_t bias)
{
	for (uint32_t k = BASE;; k += BASE) {
		uint32_t t = threshold(k, bias), digit = q;
		bool last = q < t;

		if (!last) {
			digit = t + (q - t) % (BASE - t);
			q = (q - t) / (BASE - t);
		}
		buf_add_char(to, (char)(digit < 26 ? 'a' + digit : '0' + digit - 26));
		if (last)
			return;
	}
}

static uint32_t next_larger(const uint32_t *label, size_t n, uint32_t least)
{
	uint32_t next = UINT32_MAX;

	for (size_t i = 0; i < n; i++)
		if (label[i] >= least && label[i] < next)
			next = label[i];
	return next;
}

enum status punycode_encode(const uint32_t *label, size_t n, struct buf *to)
{
	uint32_t at = FIRST, delta = 0, bias = BIAS, basic = 0;

	for (size_t i = 0; i < n; i++)
		if (label[i] < FIRST) {
			buf_add_char(to, (char)label[i]);
			basic++;
		}
	if (basic)
		buf_add_char(to, '-');
	for (uint32_t done = basic; done < n; delta++, at++) {
		uint32_t next = next_larger(label, n, at);

		if (next - at > (UINT32_MAX - delta) / (done + 1))
			return ST_TOO_LARGE;
		delta += (next - at) * (done + 1);
		at = next;
		for (size_t i = 0; i < n; i++) {
			if (label[i] < at)
				delta++;
			if (label[i] != at)
				continue;
			add_integer(to, delta, bias);
			bias = adapt(delta, done + 1, done == basic);
			delta = 0;
			done++;
		}
	}
	return buf_status(to);
}

static int digit_value(char c)
{
	if (ascii_is_digit(c))
		return c - '0' + 26;
	return ascii_is_alpha(c) ? ascii_lower(c) - 'a' : -1;
}

static bool take_integer(struct str *in, uint32_t bias, uint32_t *i)
{
	uint32_t weight = 1;

	for (uint32_t k = BASE;; k += BASE) {
		int digit = in->n ? digit_value(in->p[0]) : -1;
		uint32_t t = threshold(k, bias);

		if (digit < 0 || (uint32_t)digit > (UINT32_MAX - *i) / weight)
			return false;
		*i += (uint32_t)digit * weight;
		*in = str_skip(*in, 1);
		if ((uint32_t)digit < t)
			return true;
		if (weight > UINT32_MAX / (BASE - t))
			return false;
		weight *= BASE - t;
	}
}

enum status punycode_decode(struct str text, uint32_t *label, size_t room, size_t *ret_n)
{
	size_t hyphen = str_rfind_char(text, '-');
	size_t n = hyphen == STR_NONE ? 0 : hyphen;
	uint32_t at = FIRST, i = 0, bias = BIAS;

	if (n > room)
		return ST_TOO_LARGE;
	for (size_t j = 0; j < n; j++) {
		if ((uint8_t)text.p[j] >= FIRST)
			return ST_SYNTAX;
		label[j] = (uint8_t)text.p[j];
	}
	text = str_skip(text, hyphen == STR_NONE ? 0 : hyphen + 1);
	while (text.n) {
		uint32_t before = i, points = (uint32_t)n + 1;

		if (n == room)
			return ST_TOO_LARGE;
		if (!take_integer(&text, bias, &i))
			return ST_SYNTAX;
		bias = adapt(i - before, points, before == 0);
		if (i / points > 0x10ffff - at)
			return ST_SYNTAX;
		at += i / points;
		i %= points;
		memmove(label + i + 1, label + i, (n - i) * sizeof(*label));
		label[i++] = at;
		n++;
	}
	*ret_n = n;
	return ST_OK;
}
