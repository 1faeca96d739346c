#include "apps/scan.h"

#include <stdlib.h>
#include <string.h>

#include "apps/link_rules.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "html/entity.h"
#include "html/html_token.h"

#define EVIDENCE_MAX   2000
#define TEXT_SCAN_MAX  ((size_t)256 << 10) /* the rest of a text says the same */
#define HTML_SCAN_MAX  ((size_t)1 << 20)
#define VALUE_SHOWN    80
#define REMEMBERED_AGE 60 /* per cent that a page of a known host starts with */

const char *const app_place_names[PLACES] = {
	"url",  "header", "cookie", "meta", "script",
	"link", "text",   "html",   "path", "graph",
};

struct app_score {
	uint32_t app;
	double doubt; /* the product of what the witnesses leave open */
};

void app_scan_init(struct app_scan *s, const struct app_library *l)
{
	*s = (struct app_scan){ .library = l,
				.tokens = NEW(struct html_tokenizer),
				.stamps = xcalloc(l->n_owners + 1, sizeof(uint32_t)),
				.link_sets = link_sets_new(l->n) };
}

void app_scan_release(struct app_scan *s)
{
	link_sets_release(s->link_sets, s->library ? s->library->n : 0);
	automaton_run_release(&s->run);
	regex_scratch_release(&s->heads);
	regex_scratch_release(&s->bodies);
	regex_scratch_release(&s->rules);
	free(s->tokens);
	free(s->stamps);
	free(s->evidence);
	free(s->scores);
	map_release(&s->marked);
	buf_release(&s->scratch[0]);
	buf_release(&s->scratch[1]);
	*s = (struct app_scan){ 0 };
}

/* --- evidence --- */

static void note(struct app_scan *s, uint32_t owner, struct str value)
{
	if (s->stamps[owner] == s->page_nr || s->n_evidence == EVIDENCE_MAX)
		return;
	s->stamps[owner] = s->page_nr;
	VEC_ADD(s->evidence, s->n_evidence, s->evidence_cap,
		(struct app_evidence){ owner, value });
}

/* A short text at a place; `name` is that of a header or meta, in any case. */
static void look(struct app_scan *s, enum app_place place, struct str name,
		 struct str value)
{
	const struct app_library *l = s->library;

	regex_set_find(&l->heads, &s->heads, value);
	for (size_t i = 0; i < s->heads.n; i++) {
		uint32_t owner = l->head_owners[s->heads.hits[i]];
		const struct app_pattern *p = l->owners[owner].pattern;

		if (p->place == place && (p->name.n == 0 || str_eq_nocase(p->name, name)))
			note(s, owner, value);
	}
	for (uint32_t i = library_present(l, place, name); i != APP_NONE;
	     i = l->owners[i].next)
		note(s, i, value);
}

static void look_at_fields(struct app_scan *s, struct str fields)
{
	struct str line;

	while (str_take_line(&fields, &line)) {
		size_t colon = str_find_char(line, ':');
		struct str name = str_slice(line, 0, colon);
		struct str value =
			colon == STR_NONE ? STR("") : str_trim(str_skip(line, colon + 1));

		if (colon == STR_NONE)
			continue;
		look(s, PLACE_HEADER, name, value);
		if (str_eq_nocase(name, STR("Set-Cookie")))
			look(s, PLACE_COOKIE, STR(""),
			     str_slice(value, 0, str_find_char(value, '=')));
	}
}

static struct str attr_of(const struct html_token *k, enum html_attr_id id,
			  struct arena *a)
{
	const struct html_attr *found = html_find_attr(k, id);

	return found ? str_trim(entity_decode_all(found->value, ENTITY_IN_ATTRIBUTE, a))
		     : STR("");
}

static void look_at_tag(struct app_scan *s, const struct html_token *k, struct arena *a)
{
	struct str value;

	switch (k->tag) {
	case TAG_SCRIPT:
		value = attr_of(k, ATTR_SRC, a);
		if (value.n)
			look(s, PLACE_SCRIPT, STR(""), value);
		break;
	case TAG_LINK:
		value = attr_of(k, ATTR_HREF, a);
		if (value.n)
			look(s, PLACE_LINK, STR(""), value);
		break;
	case TAG_META:
		value = attr_of(k, ATTR_NAME, a);
		if (value.n == 0)
			value = attr_of(k, ATTR_PROPERTY, a);
		if (value.n)
			look(s, PLACE_META, value, attr_of(k, ATTR_CONTENT, a));
		break;
	default:
		break;
	}
}

static void look_at_tags(struct app_scan *s, struct str html, struct arena *a)
{
	struct html_token k;

	automaton_start(&s->run, &s->library->paths, a);
	html_start(s->tokens, html);
	while (html_next(s->tokens, &k)) {
		if (k.kind == HTML_START_TAG)
			look_at_tag(s, &k, a);
		automaton_take(&s->run, &k);
	}
	for (size_t i = 0; i < s->run.n; i++) {
		const struct path_hit *hit = &s->run.hits[i];

		if (hit->id >= LINK_PATHS)
			continue;
		uint32_t regex = s->library->owners[hit->id].regex;
		if (regex == APP_NONE ||
		    regex_set_matches(&s->library->heads, regex, &s->heads, hit->value))
			note(s, hit->id, hit->value);
	}
}

static void look_at_body(struct app_scan *s, struct str body, enum app_place place)
{
	const struct app_library *l = s->library;

	regex_set_find(&l->bodies, &s->bodies, body);
	for (size_t i = 0; i < s->bodies.n; i++) {
		uint32_t owner = l->body_owners[s->bodies.hits[i]];

		if (l->owners[owner].pattern->place == place)
			note(s, owner, l->owners[owner].pattern->match);
	}
}

static void look_at_graph(struct app_scan *s, const struct app_page *p)
{
	double own = p->links ? 100.0 * p->own_links / p->links : 0;

	for (uint32_t i = s->library->first_graph; i != APP_NONE;
	     i = s->library->owners[i].next) {
		const struct app_pattern *g = s->library->owners[i].pattern;
		double v = str_eq(g->name, STR("own-links")) ? own : p->links;

		if (p->links > 0 && v >= g->min && v <= g->max)
			note(s, i, g->name);
	}
}

/* --- verdict --- */

static struct app_score *score_of(struct app_scan *s, uint32_t app)
{
	for (size_t i = 0; i < s->n_scores; i++)
		if (s->scores[i].app == app)
			return &s->scores[i];
	VEC_ADD(s->scores, s->n_scores, s->scores_cap, (struct app_score){ app, 1 });
	return &s->scores[s->n_scores - 1];
}

static uint8_t certainty(double doubt)
{
	return (uint8_t)(100 * (1 - doubt) + 0.5);
}

static bool is_better(const struct app_library *l, const struct app_score *a,
		      const struct app_score *b)
{
	if (library_is_a(l, a->app, b->app))
		return true;
	if (library_is_a(l, b->app, a->app))
		return false;
	return a->doubt < b->doubt || (a->doubt == b->doubt && a->app < b->app);
}

static void choose_app(struct app_scan *s, const struct app_page *p,
		       struct app_verdict *v)
{
	const struct app_score *best = NULL;

	s->n_scores = 0;
	if (p->remembered < s->library->n)
		score_of(s, p->remembered)->doubt = 1 - REMEMBERED_AGE / 100.0;
	for (size_t i = 0; i < s->n_evidence; i++) {
		const struct app_owner *o = &s->library->owners[s->evidence[i].owner];

		if (!o->level && !s->library->apps[o->app].is_kind)
			score_of(s, o->app)->doubt *= 1 - o->pattern->weight / 100.0;
	}
	for (size_t i = 0; i < s->n_scores; i++) {
		const struct app_score *c = &s->scores[i];
		bool counts =
			certainty(c->doubt) >= APP_CERTAIN || c->app == p->remembered;

		if (counts && (!best || is_better(s->library, c, best)))
			best = c;
	}
	v->app = best ? best->app : APP_NONE;
	v->confidence = best ? certainty(best->doubt) : 0;
	v->is_remembered = best && v->confidence < APP_CERTAIN;
}

/* The first in the order of the description: the special ones stand before the common. */
static void choose_level(struct app_scan *s, struct app_verdict *v)
{
	const struct app_whole *w = &s->library->wholes[v->app];

	for (size_t k = 0; k < w->n_levels; k++) {
		double doubt = 1;

		for (size_t i = 0; i < s->n_evidence; i++) {
			const struct app_owner *o =
				&s->library->owners[s->evidence[i].owner];

			if (o->level == w->levels[k])
				doubt *= 1 - o->pattern->weight / 100.0;
		}
		if (certainty(doubt) >= LEVEL_CERTAIN) {
			v->level = w->levels[k];
			v->level_confidence = certainty(doubt);
			return;
		}
	}
}

struct app_verdict app_scan_page(struct app_scan *s, const struct app_page *page,
				 struct arena *a)
{
	const struct app_library *l = s->library;
	struct app_verdict v = { .app = APP_NONE };

	s->n_evidence = 0;
	s->page_nr++;
	look(s, PLACE_URL, STR(""), page->url);
	look_at_fields(s, page->fields);
	look_at_tags(s, page->html, a);
	look_at_graph(s, page);
	if (page->text.n && l->bodies.n)
		look_at_body(s, str_slice(page->text, 0, TEXT_SCAN_MAX), PLACE_TEXT);
	if (l->reads_html)
		look_at_body(s, str_slice(page->html, 0, HTML_SCAN_MAX), PLACE_HTML);
	choose_app(s, page, &v);
	if (v.app != APP_NONE) {
		choose_level(s, &v);
		link_rules_mark(s, &v);
	}
	return v;
}

bool app_evidence_counts(const struct app_scan *s, const struct app_verdict *v, size_t i)
{
	const struct app_owner *o = &s->library->owners[s->evidence[i].owner];

	return v->app != APP_NONE && (o->level ? o->level == v->level : o->app == v->app);
}

void app_evidence_format(const struct app_scan *s, size_t i, struct buf *to)
{
	const struct app_pattern *p = s->library->owners[s->evidence[i].owner].pattern;
	struct str value = s->evidence[i].value;

	buf_addf(to, "%s ", app_place_names[p->place]);
	if (p->place == PLACE_PATH)
		buf_add(to, p->path);
	else if (p->name.n)
		buf_add(to, p->name);
	if (value.n && p->place != PLACE_GRAPH) {
		if (p->place == PLACE_PATH || p->name.n)
			buf_add_char(to, ' ');
		buf_add(to, str_slice(value, 0, VALUE_SHOWN));
	}
}
