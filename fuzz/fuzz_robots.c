/*
 * A robots.txt and a path, split at the first NUL: the compiled rules decide as
 * a search through all of them with a plain matcher does.
 */
#include <stdlib.h>

#include "web/robots_internal.h"
#include "web/robots_tag.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool matches(struct str pattern, bool anchored, struct str path, unsigned *fuel)
{
	if (*fuel == 0)
		return false;
	--*fuel;
	if (pattern.n == 0)
		return !anchored || path.n == 0;
	if (pattern.p[0] == '*')
		return matches(str_skip(pattern, 1), anchored, path, fuel) ||
		       (path.n && matches(pattern, anchored, str_skip(path, 1), fuel));
	return path.n && path.p[0] == pattern.p[0] &&
	       matches(str_skip(pattern, 1), anchored, str_skip(path, 1), fuel);
}

static void compare(const struct robots *r, struct str path)
{
	struct robots_verdict v = robots_decide(r, path);
	struct buf canonical = { 0 };
	bool allowed = true;
	uint32_t best = 0;
	unsigned fuel = 200000;

	robots_add_canonical(&canonical, path, true);
	for (size_t i = 0; i < r->rules_n; i++) {
		const struct robots_rule *rule = &r->rules[i];

		if (!matches(rule->pattern, rule->anchored, buf_str(&canonical), &fuel))
			continue;
		if (rule->rank > best || (rule->rank == best && rule->allow))
			allowed = rule->allow;
		best = MAX(best, rule->rank);
	}
	if (fuel && v.allowed != allowed && !str_eq(path, STR("/robots.txt")))
		abort();
	buf_release(&canonical);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct str us[] = { { "thresh", 6 } };
	struct robots_options o = { .names = us, .names_n = 1 };
	struct str rest = { (const char *)data, size }, text;
	struct robots_tag tag = { 0 };
	struct robots r;

	if (!str_take_until(&rest, '\0', &text))
		return 0;
	robots_parse(&r, text, &o);
	if (rest.n)
		compare(&r, rest);
	(void)robots_signal(&r, STR("search"));
	robots_release(&r);
	o.as_google = true;
	robots_parse(&r, text, &o);
	(void)robots_decide(&r, rest);
	robots_release(&r);
	robots_tag_add_field(&tag, text, us[0]);
	return 0;
}
