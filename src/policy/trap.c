#include "policy/trap.h"

#include "base/date.h"
#include "base/hash.h"

#define SEGMENTS_SEEN 64 /* a path with more is deep in any case */
#define YEARS_AHEAD   2

struct segments {
	struct str v[SEGMENTS_SEEN];
	uint64_t hash[SEGMENTS_SEEN];
	uint32_t n, total;
};

static void split(struct str path, struct segments *ret)
{
	struct str s;

	ret->n = ret->total = 0;
	str_take_char(&path, '/');
	while (str_take_until(&path, '/', &s)) {
		ret->total++;
		if (s.n == 0 || ret->n == SEGMENTS_SEEN)
			continue;
		ret->v[ret->n] = s;
		ret->hash[ret->n++] = hash64(s);
	}
}

/* A run of `len` segments from `at`, how often in a row? */
static uint32_t runs_from(const struct segments *s, uint32_t at, uint32_t len)
{
	uint32_t n = 1, i = at;

	for (; i + 2 * len <= s->n; i += len, n++)
		for (uint32_t k = 0; k < len; k++)
			if (s->hash[i + k] != s->hash[i + len + k])
				return n;
	return n;
}

static bool repeats(const struct segments *s, uint32_t limit)
{
	for (uint32_t len = 1; len * (limit + 1) <= s->n; len++)
		for (uint32_t at = 0; at + len * (limit + 1) <= s->n; at++)
			if (runs_from(s, at, len) > limit)
				return true;
	/* Anywhere, not in a row: twice as many are needed, for short names do recur. */
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t n = 0;

		for (uint32_t k = i; k < s->n; k++)
			n += s->hash[k] == s->hash[i];
		if (n > 2 * limit)
			return true;
	}
	return false;
}

/* "www.example.org", or "http:", as a folder. */
static bool is_hostlike(struct str s)
{
	if (str_eq(s, STR("http:")) || str_eq(s, STR("https:")))
		return true;
	return str_starts_nocase(s, STR("www.")) && s.n > 8 &&
	       str_find_char(str_skip(s, 4), '.') != STR_NONE;
}

/* One such folder is a proxy's or an archive's way; two are a loop's. */
static bool concatenates(const struct segments *s, const struct segments *via)
{
	uint32_t here = 0, there = 0;

	for (uint32_t i = 0; i < s->n; i++)
		here += is_hostlike(s->v[i]) && s->v[i].p[0] != 'h';
	for (uint32_t i = 0; i < via->n; i++)
		there += is_hostlike(via->v[i]) && via->v[i].p[0] != 'h';
	return here > 2 || (here == 2 && there == 1);
}

struct query_facts {
	uint32_t n, most_equal;
};

static struct query_facts look_at_query(struct str query)
{
	struct query_facts f = { 0 };
	uint64_t seen[32];
	struct str part;

	while (str_take_until(&query, '&', &part)) {
		uint64_t h = hash64(part);
		uint32_t equal = 1;

		for (uint32_t i = 0; i < MIN(f.n, COUNT(seen)); i++)
			equal += seen[i] == h && part.n > 0;
		if (f.n < COUNT(seen))
			seen[f.n] = h;
		f.n++;
		f.most_equal = MAX(f.most_equal, equal);
	}
	return f;
}

static int year_of(int64_t ms)
{
	return civil_from_ms(ms).year;
}

/* Consume four digits that are a year, with no digit on either side. */
static bool take_year(struct str *s, int *ret)
{
	uint64_t year;
	struct str in = *s;
	size_t before = in.n;

	if (!str_take_uint(&in, 9999, &year) || before - in.n != 4 || year < 1000)
		return false;
	*s = in;
	*ret = (int)year;
	return true;
}

/* Consume a separator and a month. */
static bool take_month(struct str *s)
{
	uint64_t month;

	if (s->n < 2 || (s->p[0] != '-' && s->p[0] != '/' && s->p[0] != '_'))
		return false;
	*s = str_skip(*s, 1);
	return str_take_uint(s, 12, &month) && month > 0;
}

/* "year=2031", or 2031 followed by a month. */
static bool has_far_date(struct str text, int64_t now_ms)
{
	int year, last;

	for (size_t i = 0; i < text.n; i++) {
		if (!ascii_is_digit(text.p[i]) && text.p[i] != 'y')
			continue;
		if (i > 0 &&
		    (ascii_is_digit(text.p[i - 1]) || ascii_is_alpha(text.p[i - 1])))
			continue;
		struct str rest = str_skip(text, i);
		bool named = str_take_prefix(&rest, STR("year="));
		if (!take_year(&rest, &year))
			continue;
		last = year_of(now_ms) + YEARS_AHEAD;
		if (year <= last || year > last + 500)
			continue;
		if (named || take_month(&rest))
			return true;
	}
	return false;
}

enum reason trap_find(const struct url *u, const struct url *via,
		      const struct trap_limits *limits)
{
	struct segments here, there;
	struct query_facts query = look_at_query(u->query);

	split(u->path, &here);
	split(via ? via->path : STR(""), &there);
	if (here.total > limits->max_segments)
		return REASON_TRAP_DEEP_PATH;
	if (repeats(&here, limits->max_repeats))
		return REASON_TRAP_REPEATED_SEGMENTS;
	if (query.n > limits->max_parameters)
		return REASON_TRAP_MANY_PARAMETERS;
	if (query.most_equal > limits->max_repeats)
		return REASON_TRAP_REPEATED_PARAMETERS;
	if (str_find(u->href, STR("%252525")) != STR_NONE)
		return REASON_TRAP_ESCAPED_ESCAPES;
	if (concatenates(&here, &there))
		return REASON_TRAP_CONCATENATED_HOST;
	if (has_far_date(url_path_query(u), limits->now_ms))
		return REASON_TRAP_CALENDAR;
	return REASON_NONE;
}
