#include "apps/link_rules.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

struct app_link_set {
	bool is_made;
	struct regex_set rules, canonicals;
	uint32_t *rule_of; /* number of the rule, per expression */
	size_t n, cap;
};

struct app_link_set *link_sets_new(size_t n)
{
	return xcalloc(n + 1, sizeof(struct app_link_set));
}

void link_sets_release(struct app_link_set *sets, size_t n)
{
	for (size_t i = 0; sets && i < n; i++) {
		regex_set_release(&sets[i].rules);
		regex_set_release(&sets[i].canonicals);
		free(sets[i].rule_of);
	}
	free(sets);
}

/* Most crawls meet few applications: their rules are compiled when the first page is. */
static struct app_link_set *set_of(struct app_scan *s, uint32_t app)
{
	struct app_link_set *set = &s->link_sets[app];
	const struct app_whole *w = &s->library->wholes[app];

	if (set->is_made)
		return set;
	set->is_made = true;
	for (size_t i = 0; i < w->n_rules; i++)
		if (w->rules[i].rule->url.n &&
		    regex_set_add(&set->rules, w->rules[i].rule->url, NULL) == ST_OK)
			VEC_ADD(set->rule_of, set->n, set->cap, (uint32_t)i);
	regex_set_finish(&set->rules, STR(""));
	for (size_t i = 0; i < w->n_canonicals; i++)
		/* One that drops parameters stands in as what never matches. */
		if (regex_set_add(&set->canonicals,
				  w->canonicals[i]->url.n ? w->canonicals[i]->url
							  : STR("(?!)"),
				  NULL) != ST_OK)
			break;
	regex_set_finish(&set->canonicals, STR(""));
	return set;
}

static bool is_for(const struct app_link_rule *r, const struct app_verdict *v)
{
	return r->level.n == 0 || (v->level && str_eq(r->level, v->level->id));
}

void link_rules_mark(struct app_scan *s, const struct app_verdict *v)
{
	const struct app_whole *w = &s->library->wholes[v->app];
	bool is_new;

	map_reset(&s->marked);
	for (size_t i = 0; i < s->run.n; i++) {
		const struct path_hit *hit = &s->run.hits[i];

		for (size_t r = 0; r < w->n_rules && hit->id >= LINK_PATHS; r++) {
			if (w->rules[r].path != hit->id - LINK_PATHS ||
			    !is_for(&w->rules[r], v) || hit->value.n == 0)
				continue;
			uint64_t *first =
				map_add(&s->marked, hash64(hit->value), &is_new);
			*first = is_new ? r : MIN(*first, r);
		}
	}
}

/* The first rule that its URL fits; the number of rules when there is none. */
static size_t by_url(struct app_scan *s, const struct app_verdict *v, struct str path)
{
	const struct app_whole *w = &s->library->wholes[v->app];
	const struct app_link_set *set = set_of(s, v->app);

	regex_set_find(&set->rules, &s->rules, path);
	for (size_t i = 0; i < s->rules.n; i++) {
		size_t nr = set->rule_of[s->rules.hits[i]];

		if (is_for(&w->rules[nr], v))
			return nr;
	}
	return w->n_rules;
}

struct app_advice link_rules_find(struct app_scan *s, const struct app_verdict *v,
				  const struct url *target, struct str written,
				  bool is_embed)
{
	const struct app_whole *w = &s->library->wholes[v->app];
	size_t nr = by_url(s, v, url_path_query(target));
	const uint64_t *marked = map_find(&s->marked, hash64(written));

	if (marked && *marked < nr)
		nr = *marked;
	if (nr >= w->n_rules || (is_embed && !w->rules[nr].rule->embeds))
		return (struct app_advice){ 0 };
	bool unwanted = w->rules[nr].rule->history && s->no_history;
	uint8_t action = unwanted ? ACTION_NEVER : w->rules[nr].rule->action;
	if (w->own->is_draft && action == ACTION_NEVER)
		action = ACTION_VIEW;
	return (struct app_advice){ .action = action,
				    .score = w->rules[nr].rule->score,
				    .rule = &w->rules[nr] };
}

/* --- canonical forms --- */

static bool is_word_of(struct str words, struct str word)
{
	struct str w;

	while (str_take_until(&words, ' ', &w))
		if (word.n && str_eq(w, word))
			return true;
	return false;
}

static bool drop_params(struct str href, struct str names, struct buf *to)
{
	size_t mark = str_find_char(href, '?');
	struct str query = mark == STR_NONE ? STR("") : str_skip(href, mark + 1), part;
	bool dropped = false;
	char before = '?';

	buf_reset(to);
	buf_add(to, str_slice(href, 0, mark));
	while (str_take_until(&query, '&', &part)) {
		if (is_word_of(names, str_slice(part, 0, str_find_char(part, '=')))) {
			dropped = true;
			continue;
		}
		buf_add_char(to, before);
		buf_add(to, part);
		before = '&';
	}
	return dropped;
}

bool link_rules_canonical(struct app_scan *s, const struct app_verdict *v,
			  const struct url *u, struct buf *to)
{
	const struct app_whole *w = &s->library->wholes[v->app];
	struct str href = url_without_fragment(u);
	size_t origin = href.n - MIN(href.n, url_path_query(u).n);
	const struct app_link_set *set = set_of(s, v->app);
	bool changed = false;

	for (size_t i = 0; i < w->n_canonicals; i++) {
		const struct app_canonical *c = w->canonicals[i];
		bool now;

		if (c->params.n) {
			now = drop_params(href, c->params, to);
		} else {
			buf_reset(to);
			buf_add(to, str_slice(href, 0, origin));
			now = regex_set_replace(&set->canonicals, i, &s->rules,
						str_skip(href, origin), c->to, to);
		}
		if (!now)
			continue;
		changed = true;
		buf_reset(&s->scratch[1]);
		buf_add(&s->scratch[1], buf_str(to));
		href = buf_str(&s->scratch[1]);
	}
	if (changed) {
		buf_reset(to);
		buf_add(to, href);
	}
	return changed;
}

void link_rule_format(const struct app_library *l, const struct app_link_rule *r,
		      struct buf *to)
{
	(void)l;
	buf_add(to, r->from->id);
	buf_add(to, STR(": "));
	buf_add(to, r->rule->why.n ? r->rule->why : STR("a page of the application"));
	buf_add(to, STR(" ("));
	buf_add(to, r->rule->url.n ? r->rule->url : r->rule->links);
	buf_add_char(to, ')');
}
