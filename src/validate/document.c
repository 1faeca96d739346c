/*
 * document.c - faults of the document itself: what stands in what, ids and what names
 * them, and what must have a text, a label or a name.
 */
#include "base/alloc.h"
#include "base/hash.h"
#include "html/entity.h"
#include "html/html_traits.h"
#include "validate/judge.h"

#define PENDING_MAX 100000 /* references and controls of one page */
#define ROW_MAX     6

/* What an element may contain; <script> and <template> may stand anywhere. */
static const struct {
	uint8_t parent, children[ROW_MAX + 1];
} contents[] = {
	{ TAG_UL, { TAG_LI } },
	{ TAG_OL, { TAG_LI } },
	{ TAG_MENU, { TAG_LI } },
	{ TAG_DL, { TAG_DT, TAG_DD, TAG_DIV } },
	{ TAG_TABLE,
	  { TAG_CAPTION, TAG_COLGROUP, TAG_THEAD, TAG_TBODY, TAG_TFOOT, TAG_TR,
	    TAG_COL } },
	{ TAG_THEAD, { TAG_TR } },
	{ TAG_TBODY, { TAG_TR } },
	{ TAG_TFOOT, { TAG_TR } },
	{ TAG_TR, { TAG_TD, TAG_TH } },
	{ TAG_COLGROUP, { TAG_COL } },
};

/* What an element must stand in. */
static const struct {
	uint8_t child, parents[ROW_MAX];
} places[] = {
	{ TAG_LI, { TAG_UL, TAG_OL, TAG_MENU, TAG_DIR } },
	{ TAG_DT, { TAG_DL, TAG_DIV } },
	{ TAG_DD, { TAG_DL, TAG_DIV } },
	{ TAG_TR, { TAG_TABLE, TAG_THEAD, TAG_TBODY, TAG_TFOOT } },
	{ TAG_TD, { TAG_TR } },
	{ TAG_TH, { TAG_TR } },
	{ TAG_THEAD, { TAG_TABLE } },
	{ TAG_TBODY, { TAG_TABLE } },
	{ TAG_TFOOT, { TAG_TABLE } },
	{ TAG_CAPTION, { TAG_TABLE } },
	{ TAG_FIGCAPTION, { TAG_FIGURE } },
	{ TAG_SUMMARY, { TAG_DETAILS } },
	{ TAG_SOURCE, { TAG_PICTURE, TAG_AUDIO, TAG_VIDEO } },
	{ TAG_TRACK, { TAG_AUDIO, TAG_VIDEO } },
	{ TAG_LEGEND, { TAG_FIELDSET, TAG_OPTGROUP } },
};

static bool has_tag(const uint8_t *tags, size_t n, uint8_t tag)
{
	for (size_t i = 0; i < n && tags[i]; i++)
		if (tags[i] == tag)
			return true;
	return false;
}

/* Does `parent` forbid it?  TAG_OTHER stands for text. */
static bool is_forbidden(uint8_t parent, uint8_t child)
{
	for (size_t i = 0; i < COUNT(contents); i++)
		if (contents[i].parent == parent)
			return !has_tag(contents[i].children, ROW_MAX + 1, child);
	return false;
}

/* Custom elements, roots of shadows and slots may be anything. */
static bool is_open_place(const struct open_element *up)
{
	return up->tag == TAG_OTHER || up->tag == TAG_TEMPLATE || up->tag == TAG_SLOT;
}

static bool is_misplaced(const struct open_element *up, uint8_t child)
{
	for (size_t i = 0; i < COUNT(places); i++)
		if (places[i].child == child)
			return !has_tag(places[i].parents, ROW_MAX, up->tag);
	return false;
}

static void check_place(struct judge *j, const struct open_element *up,
			const struct open_element *e)
{
	bool anywhere = e->tag == TAG_SCRIPT || e->tag == TAG_TEMPLATE ||
			e->tag == TAG_SLOT ||
			(j->in->is_dom && str_starts_nocase(e->name, STR("x-")));
	/* A parser ends the <p>; a script need not. */
	bool in_p = j->in->is_dom && up->tag == TAG_P &&
		    (html_traits[e->tag].closes & GROUP_P) &&
		    (html_traits[e->tag].is & IS_BLOCK);

	if (anywhere)
		return;
	if (in_p || is_forbidden(up->tag, e->tag))
		judge_here(j, FAULT_WRONG_CHILD, e, e->name);
	else if (!is_open_place(up) && is_misplaced(up, e->tag))
		judge_here(j, FAULT_WRONG_PARENT, e, e->name);
}

/* ---- Names ---- */

static bool is_one_of(struct str s, const char *const *words)
{
	for (; *words; words++)
		if (str_eq_nocase(s, str_from(*words)))
			return true;
	return false;
}

static void check_name(struct judge *j, const struct open_element *e)
{
	static const char *const newer[] = { "selectedcontent", "fencedframe",
					     "geolocation", NULL };
	static const char *const older[] = { "acronym", "blink",    "nextid",
					     "spacer",  "multicol", NULL };
	static const uint8_t obsolete[] = {
		TAG_APPLET,  TAG_BASEFONT, TAG_BGSOUND,  TAG_BIG,      TAG_CENTER,
		TAG_DIR,     TAG_FONT,     TAG_FRAME,    TAG_FRAMESET, TAG_IMAGE,
		TAG_ISINDEX, TAG_KEYGEN,   TAG_LISTING,  TAG_MARQUEE,  TAG_MENUITEM,
		TAG_NOBR,    TAG_NOEMBED,  TAG_NOFRAMES, TAG_PARAM,    TAG_PLAINTEXT,
		TAG_RB,      TAG_RTC,      TAG_STRIKE,   TAG_TT,       TAG_XMP,
	};

	if (e->in_foreign)
		return;
	if (has_tag(obsolete, COUNT(obsolete), e->tag) ||
	    (e->tag == TAG_OTHER && is_one_of(e->name, older)))
		judge_here(j, FAULT_OBSOLETE_ELEMENT, e, e->name);
	else if (e->tag == TAG_OTHER && str_find_char(e->name, '-') == STR_NONE &&
		 !is_one_of(e->name, newer))
		judge_here(j, FAULT_UNKNOWN_ELEMENT, e, e->name);
}

/* ---- Attributes ---- */

static struct str attr_value(struct judge *j, const struct html_attr *a)
{
	return a ? entity_decode_all(a->value, ENTITY_IN_ATTRIBUTE, j->arena) : STR("");
}

static const struct html_attr *find_named(const struct judge *j, struct str name)
{
	for (size_t i = 0; i < j->k.n_attrs; i++)
		if (str_eq_nocase(j->k.attrs[i].name, name))
			return &j->k.attrs[i];
	return NULL;
}

static bool has_value(const struct html_attr *a)
{
	return a && str_trim(a->value).n > 0;
}

/* A name of its own: by ARIA, or by its tooltip. */
static bool is_named(const struct judge *j)
{
	return has_value(html_find_attr(&j->k, ATTR_TITLE)) ||
	       has_value(find_named(j, STR("aria-label"))) ||
	       has_value(find_named(j, STR("aria-labelledby")));
}

static uint64_t id_key(uint32_t scope, struct str id)
{
	return hash64_seeded(id, scope) | 1;
}

static void check_id(struct judge *j, const struct open_element *e)
{
	const struct html_attr *a = html_find_attr(&j->k, ATTR_ID);
	struct str id = attr_value(j, a);
	bool is_new, has_space = false;

	if (!a)
		return;
	for (size_t i = 0; i < id.n; i++)
		has_space |= ascii_is_space(id.p[i]);
	if (id.n == 0 || has_space)
		judge_here(j, FAULT_BAD_ID, e, id);
	if (id.n == 0)
		return;
	uint64_t *tag = map_add(&j->ids, id_key(e->scope, id), &is_new);
	if (is_new)
		*tag = 1u + e->tag;
	else
		judge_here(j, FAULT_DUPLICATE_ID, e, id);
}

/* To be judged when all ids are known. */
static void add_pending(struct judge *j, enum fault_kind kind,
			const struct open_element *e, struct str id)
{
	struct pending p = {
		.kind = kind,
		.key = id.n ? id_key(e->scope, id) : 0,
		.fault = { .kind = kind, .offset = e->offset },
	};

	if (j->pending_n == PENDING_MAX)
		return;
	p.fault.path = judge_path(j, j->n, e);
	p.fault.detail = arena_copy(j->arena, str_slice(id, 0, 80));
	VEC_ADD(j->pending, j->pending_n, j->pending_cap, p);
}

static void add_references(struct judge *j, enum fault_kind kind,
			   const struct open_element *e, struct str ids)
{
	while (ids = str_trim(ids), ids.n) {
		size_t n = 0;

		while (n < ids.n && !ascii_is_space(ids.p[n]))
			n++;
		add_pending(j, kind, e, str_slice(ids, 0, n));
		ids = str_skip(ids, n);
	}
}

static void check_references(struct judge *j, const struct open_element *e)
{
	static const char *const aria[] = {
		"aria-labelledby", "aria-describedby",      "aria-controls",
		"aria-owns",       "aria-details",          "aria-errormessage",
		"aria-flowto",     "aria-activedescendant", NULL
	};

	for (size_t i = 0; i < j->k.n_attrs; i++) {
		const struct html_attr *a = &j->k.attrs[i];
		struct str name = a->name;

		if (str_starts_nocase(name, STR("aria-"))) {
			if (is_one_of(name, aria))
				add_references(j, FAULT_ARIA_TARGET, e, attr_value(j, a));
		} else if (e->tag == TAG_LABEL && str_eq_nocase(name, STR("for"))) {
			struct str id = attr_value(j, a);

			add_pending(j, FAULT_LABEL_TARGET, e, id);
			map_add(&j->labelled, id_key(e->scope, id), NULL);
		} else if (str_eq_nocase(name, STR("list")) && e->tag == TAG_INPUT) {
			add_pending(j, FAULT_OTHER_TARGET, e, attr_value(j, a));
		} else if (str_eq_nocase(name, STR("headers")) &&
			   (e->tag == TAG_TD || e->tag == TAG_TH)) {
			add_references(j, FAULT_OTHER_TARGET, e, attr_value(j, a));
		} else if (str_eq_nocase(name, STR("form")) && !e->in_foreign) {
			add_pending(j, FAULT_OTHER_TARGET, e, attr_value(j, a));
		}
	}
}

/* ---- What must have a text, a label or a name ---- */

static bool is_hidden(const struct judge *j, const struct open_element *e)
{
	return (e->inside & IN_HIDDEN) ||
	       (j->in->is_dom && find_named(j, STR("x-unseen")));
}

static void check_image(struct judge *j, const struct open_element *e)
{
	static const char *const none[] = { "presentation", "none", NULL };
	const struct html_attr *role = html_find_attr(&j->k, ATTR_ROLE);

	if (!html_find_attr(&j->k, ATTR_ALT) && !is_named(j) && !is_hidden(j, e) &&
	    !(role && is_one_of(str_trim(role->value), none)))
		judge_here(j, FAULT_NO_ALT, e,
			   attr_value(j, html_find_attr(&j->k, ATTR_SRC)));
}

static void check_control(struct judge *j, const struct open_element *e)
{
	static const char *const buttons[] = { "submit", "reset", NULL };
	const struct html_attr *t = html_find_attr(&j->k, ATTR_TYPE),
			       *name = html_find_attr(&j->k, ATTR_NAME);
	struct str type = t && e->tag == TAG_INPUT ? str_trim(t->value) : STR("");
	struct str id = attr_value(j, html_find_attr(&j->k, ATTR_ID));

	if (is_one_of(type, buttons))
		return;
	if (str_eq_nocase(type, STR("button"))) {
		if (!has_value(html_find_attr(&j->k, ATTR_VALUE)) && !is_named(j) &&
		    !is_hidden(j, e))
			judge_here(j, FAULT_BUTTON_EMPTY, e, STR(""));
		return;
	}
	if (str_eq_nocase(type, STR("image"))) {
		check_image(j, e);
		return;
	}
	if ((e->inside & IN_FORM) && !has_value(name))
		judge_here(j, FAULT_NO_NAME, e, id);
	if (!str_eq_nocase(type, STR("hidden")) && !(e->inside & IN_LABEL) &&
	    !is_named(j) && !has_value(find_named(j, STR("placeholder"))) &&
	    !is_hidden(j, e))
		add_pending(j, FAULT_NO_LABEL, e, id);
}

/* Which text is missing if none comes. */
static void expect_text(struct judge *j, struct open_element *e)
{
	if (is_hidden(j, e) || e->has_text)
		return;
	if (e->tag == TAG_A && html_find_attr(&j->k, ATTR_HREF))
		e->needs = 1 + FAULT_LINK_EMPTY;
	else if (e->tag == TAG_BUTTON)
		e->needs = 1 + FAULT_BUTTON_EMPTY;
	else if (e->tag >= TAG_H1 && e->tag <= TAG_H6)
		e->needs = 1 + FAULT_HEADING_EMPTY;
}

static bool is_control(const struct judge *j, uint8_t tag)
{
	const struct html_attr *type = html_find_attr(&j->k, ATTR_TYPE);

	if (tag == TAG_INPUT)
		return !type || !str_eq_nocase(str_trim(type->value), STR("hidden"));
	return tag == TAG_BUTTON || tag == TAG_SELECT || tag == TAG_TEXTAREA ||
	       tag == TAG_LABEL || (tag == TAG_A && html_find_attr(&j->k, ATTR_HREF));
}

static void check_element(struct judge *j, const struct open_element *up,
			  struct open_element *e)
{
	if (is_control(j, e->tag) && (up->inside & (IN_LINK | IN_BUTTON)))
		judge_here(j, FAULT_NESTED_CONTROL, e, e->name);
	if (e->tag == TAG_FORM && (up->inside & IN_FORM))
		judge_here(j, FAULT_NESTED_FORM, e, STR(""));
	if (e->tag == TAG_IMG || (e->tag == TAG_AREA && html_find_attr(&j->k, ATTR_HREF)))
		check_image(j, e);
	if (e->tag == TAG_INPUT || e->tag == TAG_SELECT || e->tag == TAG_TEXTAREA)
		check_control(j, e);
	expect_text(j, e);
}

/* ---- Elements ---- */

static uint16_t inside_of(const struct judge *j, uint8_t tag)
{
	const struct html_attr *hidden = html_find_attr(&j->k, ATTR_ARIA_HIDDEN);
	uint16_t in = hidden && str_eq_nocase(hidden->value, STR("true")) ? IN_HIDDEN : 0;

	switch (tag) {
	case TAG_A:
		return in | (html_find_attr(&j->k, ATTR_HREF) ? IN_LINK : 0);
	case TAG_BUTTON:
		return in | IN_BUTTON;
	case TAG_LABEL:
		return in | IN_LABEL;
	case TAG_FORM:
		return in | IN_FORM;
	case TAG_TEMPLATE:
	case TAG_NOSCRIPT:
		return in | IN_INERT;
	default:
		return in;
	}
}

/* Shadow roots and frames have ids of their own, and what is around ends there. */
static void enter(struct judge *j, const struct open_element *up, struct open_element *e)
{
	e->scope = up->scope;
	e->inside = up->inside;
	if (!e->in_foreign)
		e->inside |= inside_of(j, e->tag);
	if (!j->in->is_dom || e->tag != TAG_OTHER)
		return;
	if (str_eq(e->name, STR("x-frame")))
		e->inside = IN_FRAME | (up->inside & IN_HIDDEN);
	if (str_eq(e->name, STR("x-frame")) || str_eq(e->name, STR("x-shadow")))
		e->scope = ++j->scopes;
}

void document_start(struct judge *j, const struct open_element *up,
		    struct open_element *e)
{
	const struct html_attr *id = html_find_attr(&j->k, ATTR_ID),
			       *class = html_find_attr(&j->k, ATTR_CLASS);

	e->id = id ? id->value : STR("");
	e->class = class ? class->value : STR("");
	enter(j, up, e);
	if (e->tag == TAG_HTML && !(e->inside & IN_FRAME))
		j->saw_lang |= has_value(html_find_attr(&j->k, ATTR_LANG)) ||
			       has_value(html_find_attr(&j->k, ATTR_XML_LANG));
	check_name(j, e);
	/* What custom elements and slots show is known to scripts alone. */
	e->has_text = is_named(j) ||
		      (e->tag == TAG_IMG && has_value(html_find_attr(&j->k, ATTR_ALT))) ||
		      (!j->in->is_dom && e->tag == TAG_OTHER && !e->in_foreign) ||
		      e->tag == TAG_SLOT;
	if (e->inside & IN_INERT)
		return;
	check_id(j, e);
	check_references(j, e);
	if (e->in_foreign)
		return;
	check_place(j, up, e);
	check_element(j, up, e);
}

void document_text(struct judge *j)
{
	struct open_element *top = &j->stack[j->n];

	top->has_text = true;
	if (!(top->inside & IN_INERT) && !top->closed && !top->in_foreign &&
	    is_forbidden(top->tag, TAG_OTHER))
		judge_here(j, FAULT_WRONG_CHILD, NULL, STR("text"));
}

void document_end(struct judge *j, const struct open_element *e)
{
	if (e->needs && !e->has_text)
		judge_here(j, (enum fault_kind)(e->needs - 1), e, STR(""));
	if (e->tag == TAG_TITLE && !e->in_foreign && e->has_text &&
	    !(e->inside & (IN_FRAME | IN_INERT)))
		j->saw_title = true;
}

/* ---- At the end ---- */

static bool is_labelable(uint8_t tag)
{
	return tag == TAG_INPUT || tag == TAG_SELECT || tag == TAG_TEXTAREA ||
	       tag == TAG_BUTTON || tag == TAG_METER || tag == TAG_OUTPUT ||
	       tag == TAG_PROGRESS || tag == TAG_OTHER; /* custom elements may be */
}

static void judge_pending(struct judge *j, const struct pending *p)
{
	const uint64_t *tag = map_find(&j->ids, p->key);
	struct fault f = p->fault;

	if (p->kind == FAULT_NO_LABEL) {
		if (p->key == 0 || !map_find(&j->labelled, p->key))
			judge_add(j, f);
	} else if (!tag) {
		judge_add(j, f);
	} else if (p->kind == FAULT_LABEL_TARGET && !is_labelable((uint8_t)(*tag - 1))) {
		f.kind = FAULT_LABEL_NO_CONTROL;
		judge_add(j, f);
	}
}

void document_finish(struct judge *j)
{
	for (size_t i = 0; i < j->pending_n; i++)
		judge_pending(j, &j->pending[i]);
	if (!j->saw_lang)
		judge_add(j, (struct fault){ .kind = FAULT_NO_LANG });
	if (j->in->is_dom ? str_trim(j->in->title).n == 0 : !j->saw_title)
		judge_add(j, (struct fault){ .kind = FAULT_NO_TITLE });
}
