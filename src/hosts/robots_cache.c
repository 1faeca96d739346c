#include "hosts/robots_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void robots_cache_release(struct robots_cache *c)
{
	for (size_t i = 0; i < c->n; i++)
		robots_release(&c->v[i].rules);
	free(c->v);
	*c = (struct robots_cache){ 0 };
}

struct site_robots *robots_cache_get(struct robots_cache *c, uint32_t site)
{
	VEC_RESERVE(c->v, c->cap, (size_t)site + 1);
	while (c->n <= site)
		c->v[c->n++] = (struct site_robots){ 0 };
	return &c->v[site];
}

struct robots_policy robots_cache_set(struct robots_cache *c, uint32_t site, int status,
				      struct str body, uint32_t retry_after_ms,
				      int64_t now_ms)
{
	struct site_robots *s = robots_cache_get(c, site);
	struct robots_fetch asked = {
		.status = MAX(status, 0),
		.has_last_good = s->has_good,
		.failures = s->failures,
		.unreachable_ms = s->failing_since_ms
					  ? (uint64_t)MAX(now_ms - s->failing_since_ms, 0)
					  : 0,
		.retry_after_ms = retry_after_ms,
	};
	struct robots_policy p = robots_policy(&asked);

	s->known = true;
	s->reason = p.reason;
	if (p.access == ROBOTS_DISALLOW || p.access == ROBOTS_LAST) {
		s->failures++;
		if (!s->failing_since_ms)
			s->failing_since_ms = now_ms;
	} else {
		s->failures = 0;
		s->failing_since_ms = 0;
	}
	if (p.access == ROBOTS_PARSE || p.access == ROBOTS_ALLOW)
		robots_release(&s->rules);
	if (p.access == ROBOTS_PARSE) {
		robots_parse(&s->rules, body,
			     &(struct robots_options){ .names = &c->name, .names_n = 1 });
		s->has_good = true;
	}
	s->access = p.access;
	return p;
}

bool robots_cache_allows(struct robots_cache *c, uint32_t site, struct str path,
			 char text[160], struct str *ret_line)
{
	struct site_robots *s = robots_cache_get(c, site);
	struct robots_verdict v;

	*ret_line = STR("");
	if (s->access == ROBOTS_DISALLOW) {
		*ret_line = str_from(s->reason ? s->reason : "robots.txt is not known");
		return false;
	}
	v = robots_decide(&s->rules, path);
	if (v.line > 0) {
		int n = snprintf(text, 160, "robots.txt line %u: %s " STR_FMT, v.line,
				 v.allowed ? "Allow" : "Disallow",
				 (int)MIN(v.pattern.n, 100), v.pattern.p);

		*ret_line = (struct str){ text, (size_t)MIN(n, 159) };
	}
	return v.allowed;
}
