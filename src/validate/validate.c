#include "validate/validate.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/sort.h"
#include "html/html_traits.h"
#include "validate/judge.h"

#define PATH_STEPS   4  /* of a way: enough to find the element */
#define STEP_MAX     40 /* bytes of a name, id or class in a way */
#define DETAIL_MAX   80
#define SEARCH_MAX   64   /* how far down an element of unknown name is looked for */
#define DROPPED_MAX  4096 /* elements without end tag that may still get one */
#define DROPPED_BACK 32   /* how many of them an end tag is compared with */

#define TABLE_PARTS (GROUP_TABLE | GROUP_ROWS | GROUP_ROW | GROUP_CELL)

/* ---- Findings ---- */

static void add_step(struct buf *to, const struct open_element *e)
{
	struct str id = str_slice(str_trim(e->id), 0, STEP_MAX),
		   class = str_trim(e->class);

	for (size_t i = 0; i < MIN(e->name.n, STEP_MAX); i++)
		buf_add_char(to, ascii_lower(e->name.p[i]));
	if (id.n) {
		buf_add_char(to, '#');
		buf_add(to, id);
	} else if (class.n) {
		size_t end = 0;

		while (end < MIN(class.n, STEP_MAX) && !ascii_is_space(class.p[end]))
			end++;
		buf_add_char(to, '.');
		buf_add(to, str_slice(class, 0, end));
	}
}

struct str judge_path(struct judge *j, size_t depth, const struct open_element *last)
{
	cleanup(buf_release) struct buf b = { 0 };
	size_t steps = last ? PATH_STEPS - 1 : PATH_STEPS;

	if (j->fault_n == VALIDATE_FAULTS_MAX)
		return STR(""); /* counted only */
	for (size_t i = depth > steps ? depth - steps + 1 : 1; i <= depth; i++) {
		add_step(&b, &j->stack[i]);
		if (last || i < depth)
			buf_add(&b, STR(" > "));
	}
	if (last)
		add_step(&b, last);
	return arena_copy(j->arena, buf_str(&b));
}

void judge_add(struct judge *j, struct fault f)
{
	if (j->in->is_dom && fault_table[f.kind].is_markup)
		return;
	j->times[f.kind]++;
	if (j->fault_n < VALIDATE_FAULTS_MAX)
		VEC_ADD(j->faults, j->fault_n, j->fault_cap, f);
}

static struct str copy_detail(struct judge *j, struct str s)
{
	if (j->fault_n == VALIDATE_FAULTS_MAX)
		return STR("");
	return arena_copy(j->arena, str_slice(s, 0, DETAIL_MAX));
}

void judge_here(struct judge *j, enum fault_kind kind, const struct open_element *e,
		struct str detail)
{
	judge_add(j, (struct fault){ .kind = kind,
				     .offset = e ? e->offset : j->at,
				     .path = judge_path(j, j->n, e),
				     .detail = copy_detail(j, detail) });
}

/* ---- The stack of open elements, as a parser would have it ---- */

/* The standard's list (13.1.2.4), and its obsolete relatives. */
static bool may_stay_open(uint8_t tag)
{
	switch (tag) {
	case TAG_HTML:
	case TAG_HEAD:
	case TAG_BODY:
	case TAG_LI:
	case TAG_DT:
	case TAG_DD:
	case TAG_P:
	case TAG_RB:
	case TAG_RT:
	case TAG_RTC:
	case TAG_RP:
	case TAG_OPTGROUP:
	case TAG_OPTION:
	case TAG_COLGROUP:
	case TAG_CAPTION:
	case TAG_THEAD:
	case TAG_TBODY:
	case TAG_TFOOT:
	case TAG_TR:
	case TAG_TD:
	case TAG_TH:
		return true;
	default:
		return false;
	}
}

/* The top is complete: what it contains counts for the element around. */
static void pop(struct judge *j)
{
	struct open_element *e = &j->stack[j->n], *up = e - 1;

	j->open[e->tag] -= !e->closed;
	j->n--;
	document_end(j, e);
	if (e->in_foreign || !(html_traits[e->tag].is & IS_SILENT))
		up->has_text |= e->has_text;
}

/* Popped without an end tag: a fault, unless it may be left out or comes later. */
static void drop(struct judge *j)
{
	const struct open_element *e = &j->stack[j->n];

	if (!e->closed && !may_stay_open(e->tag) && j->dropped_n < DROPPED_MAX) {
		struct dropped d = { e->name, judge_path(j, j->n, NULL), e->offset,
				     e->tag };

		VEC_ADD(j->dropped, j->dropped_n, j->dropped_cap, d);
	}
	pop(j);
}

static void drop_to(struct judge *j, size_t n)
{
	while (j->n > n || (j->n && j->stack[j->n].closed))
		drop(j);
}

/* End what this start tag ends: <li> an open <li>, a block an open <p> ... */
static void close_implied(struct judge *j, const struct html_traits *x)
{
	size_t target = 0;
	size_t low = j->n > SEARCH_MAX ? j->n - SEARCH_MAX : 0;

	for (size_t i = j->n; i > low; i--) {
		uint16_t group = html_traits[j->stack[i].tag].group;

		if (j->stack[i].closed)
			continue;
		if (group & x->closes)
			target = i;
		if (group & x->until)
			break;
	}
	if (target)
		drop_to(j, target - 1);
}

/* Rows, cells and columns end a caption, and all but columns a column group. */
static void close_caption(struct judge *j, uint8_t tag)
{
	if (tag != TAG_TR && tag != TAG_TD && tag != TAG_TH && tag != TAG_COL)
		return;
	for (size_t i = j->n; i > 0; i--) {
		uint8_t t = j->stack[i].tag;

		if (t == TAG_CAPTION || (t == TAG_COLGROUP && tag != TAG_COL)) {
			drop_to(j, i - 1);
			return;
		}
		if (html_traits[t].is & IS_SCOPE)
			return;
	}
}

static bool is_same(const struct open_element *e, const struct html_token *k)
{
	return e->tag == k->tag && !e->closed &&
	       (k->tag != TAG_OTHER || str_eq_nocase(e->name, k->name));
}

/* May an end tag reach past this element to the one it closes? */
static bool is_barrier(const struct html_traits *of, const struct open_element *e)
{
	const struct html_traits *x = &html_traits[e->tag];

	if (!(of->is & (IS_BLOCK | IS_FORMAT | IS_SCOPE)) && of->group != GROUP_SELECT)
		return x->is & (IS_BLOCK | IS_SCOPE);
	return (x->is & IS_SCOPE) && !(of->group & TABLE_PARTS);
}

/* Where the element stands that this end tag closes; 0 when there is none. */
static size_t find_open(const struct judge *j, bool *ret_crossed_block)
{
	const struct html_token *k = &j->k;
	size_t low = k->tag == TAG_OTHER && j->n > SEARCH_MAX ? j->n - SEARCH_MAX : 0;

	*ret_crossed_block = false;
	if (!j->open[k->tag])
		return 0;
	for (size_t i = j->n; i > low; i--) {
		const struct open_element *e = &j->stack[i];

		if (is_same(e, k))
			return i;
		if (e->closed)
			continue;
		if (!j->in->is_dom && is_barrier(&html_traits[k->tag], e))
			return 0;
		*ret_crossed_block |= html_traits[e->tag].is & IS_BLOCK;
	}
	return 0;
}

/* An element popped before has its end tag here: the two overlap. */
static bool find_dropped(struct judge *j)
{
	size_t low = j->dropped_n > DROPPED_BACK ? j->dropped_n - DROPPED_BACK : 0;

	for (size_t i = j->dropped_n; i-- > low;) {
		struct dropped *d = &j->dropped[i];

		if (d->tag != j->k.tag || !str_eq_nocase(d->name, j->k.name))
			continue;
		judge_add(j, (struct fault){ .kind = FAULT_MISNESTED,
					     .offset = d->offset,
					     .path = d->path,
					     .detail = copy_detail(j, d->name) });
		memmove(d, d + 1, (j->dropped_n - i - 1) * sizeof(*d));
		j->dropped_n--;
		return true;
	}
	return false;
}

static void end_tag(struct judge *j)
{
	const struct html_traits *x = &html_traits[j->k.tag];
	bool crossed_block;

	if (j->over && !(x->is & IS_VOID)) {
		j->over--;
		return;
	}
	size_t at = find_open(j, &crossed_block);

	if (at && crossed_block && (x->is & IS_FORMAT) && !j->in->is_dom) {
		struct open_element *e = &j->stack[at];

		judge_add(j, (struct fault){ .kind = FAULT_MISNESTED,
					     .offset = e->offset,
					     .path = judge_path(j, at, NULL),
					     .detail = copy_detail(j, e->name) });
		e->closed = true;
		j->open[e->tag]--;
	} else if (at) {
		while (j->n > at)
			drop(j);
		pop(j);
		drop_to(j, j->n);
	} else if ((x->is & IS_VOID) || !find_dropped(j)) {
		judge_here(j, FAULT_STRAY_END, NULL, j->k.name);
	}
}

/* ---- Tags by themselves ---- */

static void check_attributes(struct judge *j, const struct open_element *e)
{
	for (size_t i = 0; i < j->k.n_attrs; i++) {
		struct str name = j->k.attrs[i].name;

		for (size_t o = 0; o < i; o++)
			if (str_eq_nocase(j->k.attrs[o].name, name)) {
				judge_here(j, FAULT_ATTRIBUTE_TWICE, e, name);
				break;
			}
		if (str_find_char(name, '"') != STR_NONE ||
		    str_find_char(name, '\'') != STR_NONE ||
		    str_find_char(name, '<') != STR_NONE)
			judge_here(j, FAULT_BAD_ATTRIBUTE, e, name);
	}
}

static bool is_for_head(uint8_t tag)
{
	return tag == TAG_BASE || tag == TAG_BASEFONT || tag == TAG_BGSOUND ||
	       tag == TAG_LINK || tag == TAG_META || tag == TAG_NOFRAMES ||
	       tag == TAG_NOSCRIPT || tag == TAG_SCRIPT || tag == TAG_STYLE ||
	       tag == TAG_TEMPLATE || tag == TAG_TITLE;
}

/* Text, and all that does not belong there, ends the head (13.2.6.4.4). */
static void leave_head(struct judge *j)
{
	if (!j->in->is_dom && j->n && j->stack[j->n].tag == TAG_HEAD &&
	    (j->k.kind == HTML_TEXT || !is_for_head(j->k.tag)))
		drop(j);
}

static void start_tag(struct judge *j)
{
	const struct html_traits *x = &html_traits[j->k.tag];
	struct open_element e = { .name = j->k.name,
				  .offset = j->at,
				  .tag = j->k.tag,
				  .in_foreign = j->k.in_foreign };

	if (!e.in_foreign && !j->in->is_dom) {
		close_caption(j, e.tag);
		if (x->closes)
			close_implied(j, x);
	}
	bool is_void = (x->is & IS_VOID) && !e.in_foreign;
	bool may_slash = is_void || e.in_foreign || e.tag == TAG_SVG || e.tag == TAG_MATH;

	document_start(j, &j->stack[j->n], &e);
	check_attributes(j, &e);
	if (j->k.self_closing && !may_slash)
		judge_here(j, FAULT_SELF_CLOSING, &e, e.name);
	/* A slash is taken as meant, or all that follows would be wrong too; but not
	 * where the characters that follow are raw text now. */
	if (is_void || (j->k.self_closing && j->tokens.mode == HTML_DATA)) {
		j->stack[j->n].has_text |= e.has_text;
	} else if (j->n == VALIDATE_DEPTH_MAX) {
		if (!j->times[FAULT_TOO_DEEP])
			judge_here(j, FAULT_TOO_DEEP, &e, e.name);
		j->over++;
	} else {
		j->open[e.tag]++;
		j->stack[++j->n] = e;
	}
}

/* ---- The page ---- */

static void step(struct judge *j)
{
	bool is_blank = j->k.kind == HTML_TEXT && str_trim(j->k.text).n == 0;

	if (j->k.kind == HTML_DOCTYPE)
		j->saw_doctype |= !j->saw_any;
	else if (j->k.kind != HTML_COMMENT && !is_blank && !j->saw_any) {
		j->saw_any = true;
		if (!j->saw_doctype)
			judge_here(j, FAULT_NO_DOCTYPE, NULL, STR(""));
	}
	if (j->k.kind == HTML_START_TAG || (j->k.kind == HTML_TEXT && !is_blank))
		leave_head(j);
	if (j->k.kind == HTML_START_TAG)
		start_tag(j);
	else if (j->k.kind == HTML_END_TAG)
		end_tag(j);
	else if (j->k.kind == HTML_TEXT && !is_blank)
		document_text(j);
}

static void finish(struct judge *j)
{
	while (j->n)
		drop(j);
	for (size_t i = 0; i < j->dropped_n; i++)
		judge_add(j,
			  (struct fault){ .kind = FAULT_UNCLOSED,
					  .offset = j->dropped[i].offset,
					  .path = j->dropped[i].path,
					  .detail = copy_detail(j, j->dropped[i].name) });
	document_finish(j);
}

/* By place, with lines and columns. */
static void place(struct judge *j, struct validation *ret)
{
	struct sort_pair *order = arena_alloc(j->arena, 2 * j->fault_n * sizeof(*order));
	const char *p = j->in->html.p;
	uint32_t line = 1, column = 1;
	size_t at = 0;

	ret->n = j->fault_n;
	ret->v = arena_alloc(j->arena, ret->n * sizeof(*ret->v));
	memcpy(ret->times, j->times, sizeof(ret->times));
	for (size_t i = 0; i < ret->n; i++)
		order[i] = (struct sort_pair){ j->faults[i].offset, i };
	sort_pairs(order, order + ret->n, ret->n);
	for (size_t i = 0; i < ret->n; i++) {
		ret->v[i] = j->faults[order[i].value];
		for (; at < ret->v[i].offset; at++) {
			bool is_new = p[at] == '\n';

			line += is_new;
			column = is_new ? 1 : column + ((p[at] & 0xc0) != 0x80);
		}
		ret->v[i].line = line;
		ret->v[i].column = column;
	}
}

/* Markup that gives no token, as "</>", may stand before it: its slices say where. */
static size_t token_offset(const struct html_token *k, const char *begin)
{
	bool is_tag = k->kind == HTML_START_TAG || k->kind == HTML_END_TAG;
	const char *p = is_tag ? k->name.p - 1 - (k->kind == HTML_END_TAG) : k->text.p;

	return (size_t)(p - begin);
}

static bool begins_tag(struct str s)
{
	return str_take_char(&s, '<') &&
	       (str_take_char(&s, '/'), s.n && ascii_is_alpha(s.p[0]));
}

void validate_page(const struct validate_input *in, struct arena *a,
		   struct validation *ret)
{
	struct judge *j = arena_alloc(a, sizeof(*j));
	struct str bom = STR("\xef\xbb\xbf");

	memset(j, 0, sizeof(*j));
	j->in = in;
	j->arena = a;
	html_start(&j->tokens,
		   str_starts(in->html, bom) ? str_skip(in->html, bom.n) : in->html);
	const char *begin = j->tokens.end - in->html.n, *before = j->tokens.p;
	while (html_next(&j->tokens, &j->k)) {
		j->at = token_offset(&j->k, begin);
		step(j);
		before = j->tokens.p;
	}
	j->at = (size_t)(before - begin);
	if (begins_tag((struct str){ before, (size_t)(j->tokens.end - before) }))
		judge_here(j, FAULT_CUT, NULL, STR(""));
	finish(j);
	place(j, ret);
	free(j->dropped);
	free(j->pending);
	free(j->faults);
	map_release(&j->ids);
	map_release(&j->labelled);
}
