#include "render/need.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

/* --- evidence --- */

/* So much of a page is looked at; what makes it an application stands before. */
#define LOOK_BYTES    ((size_t)256 << 10)
#define LITTLE_TEXT   400  /* a page that says less says nearly nothing */
#define SOME_TEXT     1500 /* what frameworks show while they load is less */
#define FEW_LINKS     5
#define MOUNT_MAX     200 /* bytes between a mount point's tag and its end */
#define PRELOAD_TEXTS 64

static const struct str mounts[] = {
	STR("id=\"root\""),     STR("id=\"app\""),
	STR("id=\"__next\""),   STR("id=root"),
	STR("id=app"),          STR("id=\"__nuxt\""),
	STR("<app-root"),       STR("id='root'"),
	STR("id='app'"),        STR("id=\"svelte\""),
	STR("id=\"main-app\""), STR("data-reactroot"),
	STR("ng-app"),          STR("id=\"application\""),
	STR("v-cloak"),
};
static const struct str data_marks[] = {
	STR("__NEXT_DATA__"),
	STR("__NUXT__"),
	STR("__INITIAL_STATE__"),
	STR("__PRELOADED_STATE__"),
	STR("__APOLLO_STATE__"),
	STR("__remixContext"),
	STR("type=\"application/json\""),
};
static const struct str builders[] = {
	STR("fetch("),        STR("XMLHttpRequest"),   STR("innerHTML"),
	STR("createElement"), STR("insertAdjacent"),   STR("document.write"),
	STR("appendChild"),   STR("location.href"),    STR("location ="),
	STR("history.push"),  STR("addEventListener"), STR("import("),
	STR("$.get"),         STR("$.ajax"),
};
static const struct str handlers[] = {
	STR(" onclick="), STR(" onmouseover="), STR("javascript:"), STR(" onchange="),
	STR(" @click="),  STR(" ng-click="),    STR(" onload="),
};

static bool has_any(struct str s, const struct str *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_find(s, v[i]) != STR_NONE)
			return true;
	return false;
}

/* The text between a start tag at `s` and its end tag; empty when there is none. */
static struct str inside(struct str s, struct str end_tag)
{
	size_t open = str_find_char(s, '>');

	if (open == STR_NONE)
		return STR("");
	s = str_skip(s, open + 1);
	for (size_t at = 0; at + end_tag.n <= s.n; at++) {
		const char *p = memchr(s.p + at, '<', s.n - at);

		if (!p)
			break;
		at = (size_t)(p - s.p);
		if (str_starts_nocase(str_skip(s, at), end_tag))
			return str_slice(s, 0, at);
	}
	return s;
}

static void see_script(struct str tag, struct render_features *ret)
{
	size_t end = str_find_char(tag, '>');
	struct str head = str_slice(tag, 0, end);
	struct str code = inside(tag, STR("</script"));

	/* Data is no program. */
	if (str_find(head, STR("application/ld+json")) != STR_NONE ||
	    str_find(head, STR("application/json")) != STR_NONE ||
	    str_find(head, STR("text/template")) != STR_NONE)
		return;
	ret->scripts++;
	ret->inline_bytes += (uint32_t)MIN(code.n, UINT32_MAX / 4);
	ret->builds |= has_any(code, builders, COUNT(builders));
}

static bool asks_for_scripts(struct str words)
{
	return str_find(words, STR("JavaScript")) != STR_NONE ||
	       str_find(words, STR("Javascript")) != STR_NONE ||
	       str_find(words, STR("javascript")) != STR_NONE;
}

static bool is_empty_mount(struct str html)
{
	for (size_t i = 0; i < COUNT(mounts); i++) {
		size_t at = str_find(html, mounts[i]);

		if (at == STR_NONE)
			continue;
		struct str rest = str_slice(str_skip(html, at), 0, MOUNT_MAX);
		size_t open = str_find_char(rest, '>');
		struct str after =
			open == STR_NONE ? STR("") : str_trim(str_skip(rest, open + 1));
		if (str_starts(after, STR("</")) || str_starts(after, STR("<!--")) ||
		    str_starts(after, STR("{{")))
			return true;
	}
	return false;
}

static void see_tags(struct str html, struct render_features *ret)
{
	for (size_t at = 0; at < html.n; at++) {
		const char *p = memchr(html.p + at, '<', html.n - at);

		if (!p)
			return;
		at = (size_t)(p - html.p);
		struct str tag = str_skip(html, at);
		if (tag.n > 2 && ascii_lower(tag.p[1]) == 's') {
			if (str_starts_nocase(tag, STR("<script")))
				see_script(tag, ret);
		} else if (tag.n > 2 && ascii_lower(tag.p[1]) == 'n') {
			if (str_starts_nocase(tag, STR("<noscript")))
				ret->says_so |=
					asks_for_scripts(inside(tag, STR("</noscript")));
		}
	}
}

void render_features_of(struct str html, const struct page *p,
			struct render_features *ret)
{
	*ret = (struct render_features){
		.text_bytes = (uint32_t)MIN(p->text.n, UINT32_MAX),
	};
	for (size_t i = 0; i < p->n_links; i++)
		ret->links += p->links[i].kind <= LINK_AREA;
	html = str_slice(html, 0, MIN(html.n, LOOK_BYTES));
	see_tags(html, ret);
	ret->has_handlers = has_any(html, handlers, COUNT(handlers));
	if (ret->scripts == 0)
		return;
	ret->empty_mount = is_empty_mount(html);
	ret->hydration = has_any(html, data_marks, COUNT(data_marks));
}

enum render_need render_need_of(const struct render_features *f)
{
	if (f->scripts == 0 && !f->has_handlers)
		return NEED_ANY;
	if (f->text_bytes < SOME_TEXT && (f->empty_mount || f->says_so || f->hydration))
		return NEED_LIKELY;
	if (f->text_bytes < LITTLE_TEXT && f->links < FEW_LINKS)
		return NEED_LIKELY;
	return NEED_SCRIPTS;
}

void render_features_format(const struct render_features *f, struct buf *to)
{
	buf_addf(to, "%u bytes of text, %u link%s, %u script%s", f->text_bytes, f->links,
		 f->links == 1 ? "" : "s", f->scripts, f->scripts == 1 ? "" : "s");
	if (f->empty_mount)
		buf_add(to, STR(", empty mount point"));
	if (f->says_so)
		buf_add(to, STR(", <noscript> asks for JavaScript"));
	if (f->hydration)
		buf_add(to, STR(", data for scripts"));
	if (f->builds)
		buf_add(to, STR(", scripts that build"));
	if (f->has_handlers)
		buf_add(to, STR(", event handlers"));
}

/* --- what was learnt --- */

#define PROBATION_TEMPLATE 3  /* rendered before a template is judged */
#define PROBATION_HOST     3  /* rendered for scripts alone before a host is */
#define HOST_VAIN          12 /* of any need, before only samples are */
#define VAIN_MOST          8  /* in a row, of a template that had paid */
#define WATCH_EVERY        200

#define LINKS_PAY   1
#define TEXT_PAYS   120 /* bytes, a sentence */
#define PERCENT_PAY 10

void render_learned_release(struct render_learned *l)
{
	map_release(&l->index);
	free(l->v);
	*l = (struct render_learned){ 0 };
}

/* Lives until the next call. */
static struct render_score *score_of(struct render_learned *l, uint64_t hash)
{
	uint64_t *at = map_add(&l->index, hash, NULL);

	if (*at == 0) {
		VEC_ADD(l->v, l->n, l->cap, (struct render_score){ 0 });
		*at = l->n;
	}
	return &l->v[*at - 1];
}

/* Hosts and templates are hashes of different things; they share the table. */
static uint64_t host_key(uint64_t host)
{
	return hash_mix(host ^ 0x686f7374);
}

struct render_bar render_threshold(struct render_learned *l, uint64_t template,
				   uint64_t host)
{
	struct render_score h = *score_of(l, host_key(host));
	struct render_score t = *score_of(l, template);

	if (t.paid > 0 && t.vain < VAIN_MOST)
		return (struct render_bar){ .from = NEED_SCRIPTS };
	if (t.rendered >= PROBATION_TEMPLATE || h.vain >= HOST_VAIN)
		return (struct render_bar){ .from = t.skipped % WATCH_EVERY ==
								    WATCH_EVERY - 1
							    ? NEED_LIKELY
							    : NEED_NEVER };
	if (h.vain >= PROBATION_HOST)
		return (struct render_bar){ .from = NEED_LIKELY };
	if (t.rendered + t.pending >= PROBATION_TEMPLATE ||
	    h.vain + h.pending >= PROBATION_HOST)
		return (struct render_bar){ .from = NEED_LIKELY, .undecided = true };
	return (struct render_bar){ .from = NEED_SCRIPTS };
}

static void change_pending(struct render_score *s, int change)
{
	if (change > 0)
		s->pending++;
	else if (s->pending > 0)
		s->pending--;
}

void render_note_pending(struct render_learned *l, uint64_t template, uint64_t host,
			 int change)
{
	change_pending(score_of(l, template), change);
	change_pending(score_of(l, host_key(host)), change);
}

bool render_pays(const struct render_yield *y)
{
	return y->links >= LINKS_PAY ||
	       (y->text_bytes >= TEXT_PAYS && y->percent >= PERCENT_PAY);
}

static void note(struct render_score *s, bool has_paid)
{
	change_pending(s, -1);
	s->rendered++;
	s->paid += has_paid;
	s->vain = has_paid ? 0 : s->vain + 1;
}

void render_learn(struct render_learned *l, uint64_t template, uint64_t host,
		  bool has_paid)
{
	note(score_of(l, template), has_paid);
	note(score_of(l, host_key(host)), has_paid);
}

void render_note_skipped(struct render_learned *l, uint64_t template)
{
	score_of(l, template)->skipped++;
}
