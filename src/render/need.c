#include "render/need.h"

#include <string.h>

/* So much of a page is looked at; what makes it an application stands before. */
#define LOOK_BYTES  ((size_t)256 << 10)
#define LITTLE_TEXT 400  /* a page that says less says nearly nothing */
#define SOME_TEXT   1500 /* what frameworks show while they load is less */
#define FEW_LINKS   5
#define MOUNT_MAX   200 /* bytes between a mount point's tag and its end */

static const struct str mounts[] = {
	STR("root"),   STR("app"),      STR("__next"),      STR("__nuxt"),
	STR("svelte"), STR("main-app"), STR("application"),
};
/* Of pages that say little only: each is a search through the page. */
static const struct str other_mounts[] = { STR("data-reactroot"), STR("ng-app"),
					   STR("v-cloak") };
static const struct str data_marks[] = {
	STR("__NEXT_DATA__"),
	STR("__NUXT__"),
	STR("__INITIAL_STATE__"),
	STR("__PRELOADED_STATE__"),
	STR("__APOLLO_STATE__"),
	STR("__remixContext"),
	STR("type=\"application/json\""),
};
/* Counters of visits and switches of colour make elements too, so these are no sign. */
static const struct str builders[] = {
	STR("innerHTML"),      STR("createElement"), STR("insertAdjacent"),
	STR("document.write"), STR("appendChild"),   STR("location.href"),
	STR("location ="),     STR("history.push"),  STR("addEventListener"),
};
static const struct str askers[] = {
	STR("fetch("), STR("XMLHttpRequest"), STR("import("),
	STR("$.get"),  STR("$.ajax"),         STR("axios"),
};
/* A page that waits for what its reader types. */
static const struct str search_fields[] = {
	STR("type=\"search\""),
	STR("role=\"search\""),
	STR("name=\"q\""),
	STR("name='q'"),
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
	ret->asks |= has_any(code, askers, COUNT(askers));
}

static bool asks_for_scripts(struct str words)
{
	return str_find(words, STR("JavaScript")) != STR_NONE ||
	       str_find(words, STR("Javascript")) != STR_NONE ||
	       str_find(words, STR("javascript")) != STR_NONE;
}

/* Whether the element with `at` in its start tag has nothing in it. */
static bool is_empty_at(struct str html, size_t at)
{
	struct str rest = str_slice(str_skip(html, at), 0, MOUNT_MAX);
	size_t open = str_find_char(rest, '>');
	struct str after =
		open == STR_NONE ? STR("") : str_trim(str_skip(rest, open + 1));

	return str_starts(after, STR("</")) || str_starts(after, STR("<!--")) ||
	       str_starts(after, STR("{{"));
}

static bool is_mount_name(struct str value)
{
	char quote = value.n > 0 ? value.p[0] : ' ';

	if (quote == '"' || quote == '\'')
		value = str_skip(value, 1);
	for (size_t i = 0; i < COUNT(mounts); i++) {
		struct str after = str_skip(value, mounts[i].n);

		if (str_starts(value, mounts[i]) && after.n > 0 &&
		    (after.p[0] == quote || after.p[0] == ' ' || after.p[0] == '>'))
			return true;
	}
	return false;
}

static bool has_empty_mount(struct str html, bool is_short)
{
	for (size_t at = 0; at < html.n; at += 3) {
		size_t next = str_find(str_skip(html, at), STR("id="));

		if (next == STR_NONE)
			break;
		at += next;
		if (is_mount_name(str_slice(html, at + 3, at + 3 + MOUNT_MAX)) &&
		    is_empty_at(html, at))
			return true;
	}
	for (size_t i = 0; is_short && i < COUNT(other_mounts); i++) {
		size_t at = str_find(html, other_mounts[i]);

		if (at != STR_NONE && is_empty_at(html, at))
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
		} else if (tag.n > 2 && tag.p[1] == 'a') {
			if (str_starts(tag, STR("<app-root")))
				ret->empty_mount |= is_empty_at(html, at);
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
	/* What would change nothing is not looked for. */
	bool is_short = ret->text_bytes < SOME_TEXT;
	if (is_short || ret->links < FEW_LINKS)
		ret->has_handlers = has_any(html, handlers, COUNT(handlers));
	if (ret->scripts == 0)
		return;
	ret->empty_mount |= has_empty_mount(html, is_short);
	ret->hydration = is_short && has_any(html, data_marks, COUNT(data_marks));
	ret->search = ret->says_so && is_short &&
		      has_any(html, search_fields, COUNT(search_fields));
}

enum render_need render_need_of(const struct render_features *f)
{
	bool is_short = f->text_bytes < SOME_TEXT;
	bool is_little = f->text_bytes < LITTLE_TEXT;
	/* Manuals ask for scripts on every page, and need them for their search. */
	bool says_so = f->says_so && !f->search && (is_little || f->links < FEW_LINKS);

	if (f->scripts == 0 && !f->has_handlers)
		return NEED_ANY;
	if (is_short && (f->empty_mount || says_so || f->hydration))
		return NEED_LIKELY;
	if (is_little && f->links < FEW_LINKS)
		return NEED_LIKELY;
	if (f->empty_mount || f->asks || (is_little && (f->builds || f->has_handlers)))
		return NEED_SIGNS;
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
	if (f->asks)
		buf_add(to, STR(", scripts that ask the server"));
	if (f->search)
		buf_add(to, STR(", a search field"));
	if (f->has_handlers)
		buf_add(to, STR(", event handlers"));
}
