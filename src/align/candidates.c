#include "align/candidates.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort.h"
#include "dust/index.h"

void candidates_release(struct candidates *c)
{
	intern_release(&c->texts);
	free(c->frequency);
	free(c->sites);
	*c = (struct candidates){ 0 };
}

static uint32_t count(struct candidates *c, struct str text, uint32_t times)
{
	size_t known = c->texts.n;
	uint32_t id = intern_add(&c->texts, text);

	if (id == known) {
		VEC_RESERVE(c->frequency, c->frequency_cap, known + 1);
		c->frequency[id] = 0;
	}
	c->frequency[id] += times;
	return id;
}

static void add_site(struct candidates *c, uint32_t text, uint32_t host)
{
	VEC_ADD(c->sites, c->n_sites, c->sites_cap, (uint64_t)text << 32 | host);
}

static void add_sites(struct candidates *c, uint32_t text, const uint32_t *hosts,
		      size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_site(c, text, hosts[i]);
}

uint32_t candidates_add(struct candidates *c, struct str text, const uint32_t *hosts,
			size_t n)
{
	uint32_t id = count(c, text, 1);

	add_sites(c, id, hosts, n);
	return id;
}

void candidates_repeat(struct candidates *c, uint32_t text, const uint32_t *hosts,
		       size_t n)
{
	c->frequency[text]++;
	add_sites(c, text, hosts, n);
}

void candidates_merge(struct candidates *into, const struct candidates *from)
{
	uint32_t *to = xrealloc(NULL, from->texts.n + 1, sizeof(*to));

	for (uint32_t i = 0; i < from->texts.n; i++)
		to[i] = count(into, intern_str(&from->texts, i), from->frequency[i]);
	for (size_t i = 0; i < from->n_sites; i++)
		add_site(into, to[from->sites[i] >> 32], (uint32_t)from->sites[i]);
	free(to);
}

static bool is_usable(const struct rule *r)
{
	uint64_t shapes[SHAPES_MAX + 1];

	return r->is_operation || pattern_shapes(&r->pattern, shapes) <= SHAPES_MAX;
}

static void take_one(struct candidates *c, uint32_t id, const uint64_t *sites, size_t n,
		     const struct intern *hosts, struct rule_set *ret)
{
	struct str *names = xrealloc(NULL, n + 1, sizeof(*names));
	struct rule *r;

	if (rule_set_add(ret, intern_str(&c->texts, id), (struct text_place){ 1, 1 }, &r,
			 NULL) != ST_OK) {
		free(names);
		return;
	}
	if (!is_usable(r)) {
		ret->n--;
		free(names);
		return;
	}
	for (size_t i = 0; i < n; i++)
		names[i] = intern_str(hosts, (uint32_t)sites[i]);
	rule_set_sites(ret, r, names, n);
	r->evidence.frequency = c->frequency[id];
	free(names);
}

uint64_t candidate_least(struct str text, uint64_t min_freq)
{
	return str_starts(text, STR("host ")) ? 1 : min_freq;
}

void candidates_take(struct candidates *c, uint64_t min_freq, const struct intern *hosts,
		     struct rule_set *ret)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->n_sites; i++) {
		uint32_t text = (uint32_t)(c->sites[i] >> 32);

		if (c->frequency[text] >=
		    candidate_least(intern_str(&c->texts, text), min_freq))
			c->sites[kept++] = c->sites[i];
	}
	c->n_sites = kept;
	uint64_t *scratch = xrealloc(NULL, kept + 1, sizeof(*scratch));
	sort_u64(c->sites, scratch, kept);
	free(scratch);
	for (size_t i = 0; i < kept;) {
		size_t from = i, n = 0;
		uint32_t id = (uint32_t)(c->sites[i] >> 32);

		for (; i < kept && c->sites[i] >> 32 == id; i++)
			if (n == 0 || c->sites[i] != c->sites[from + n - 1])
				c->sites[from + n++] = c->sites[i];
		take_one(c, id, c->sites + from, n, hosts, ret);
	}
}
