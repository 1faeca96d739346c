#include "html/html_foreign.h"

#include "html/html_token.h"
#include "html/html_traits.h"

bool html_in_foreign(const struct html_foreign *f)
{
	return f->n && !f->open[f->n - 1].holds_html;
}

bool html_in_svg(const struct html_foreign *f)
{
	for (size_t i = f->n; i-- > 0;)
		if (f->open[i].tag == TAG_SVG || f->open[i].tag == TAG_MATH)
			return html_in_foreign(f) && f->open[i].tag == TAG_SVG;
	return false;
}

bool html_text_in_svg(const struct html_foreign *f)
{
	size_t i = f->n;

	if (i > 1 && (f->open[i - 1].tag == TAG_TITLE || f->open[i - 1].tag == TAG_DESC))
		i--;
	return i && f->open[i - 1].tag == TAG_SVG;
}

static void push(struct html_foreign *f, uint8_t tag, bool holds_html)
{
	if (f->n == HTML_FOREIGN_MAX) {
		if (f->over < UINT8_MAX)
			f->over++;
		return;
	}
	f->open[f->n].tag = tag;
	f->open[f->n++].holds_html = holds_html;
}

static void break_out(struct html_foreign *f)
{
	while (html_in_foreign(f))
		f->n--;
	f->over = 0;
}

/* Elements that no SVG or MathML has: their start tags end all of it (13.2.6.5). */
static bool is_html_only(uint8_t tag)
{
	/* clang-format off */
	switch (tag) {
	case TAG_B: case TAG_BIG: case TAG_BLOCKQUOTE: case TAG_BODY: case TAG_BR:
	case TAG_CENTER: case TAG_CODE: case TAG_DD: case TAG_DIV: case TAG_DL: case TAG_DT:
	case TAG_EM: case TAG_EMBED: case TAG_H1: case TAG_H2: case TAG_H3: case TAG_H4:
	case TAG_H5: case TAG_H6: case TAG_HEAD: case TAG_HR: case TAG_I: case TAG_IMG:
	case TAG_LI: case TAG_LISTING: case TAG_MENU: case TAG_META: case TAG_NOBR:
	case TAG_OL: case TAG_P: case TAG_PRE: case TAG_RUBY: case TAG_S: case TAG_SMALL:
	case TAG_SPAN: case TAG_STRONG: case TAG_STRIKE: case TAG_SUB: case TAG_SUP:
	case TAG_TABLE: case TAG_TT: case TAG_U: case TAG_UL: case TAG_VAR:
		return true;
	/* clang-format on */
	default:
		return false;
	}
}

static bool breaks_out(const struct html_token *k)
{
	if (k->tag != TAG_FONT)
		return is_html_only(k->tag);
	return html_find_attr(k, ATTR_COLOR) || html_find_attr(k, ATTR_FACE) ||
	       html_find_attr(k, ATTR_SIZE);
}

/* Does this element of SVG or MathML hold HTML? */
static bool holds_html(const struct html_foreign *f, const struct html_token *k)
{
	const struct html_attr *encoding;

	switch (k->tag) {
	case TAG_FOREIGNOBJECT:
	case TAG_DESC:
	case TAG_TITLE:
		return html_in_svg(f);
	case TAG_MI:
	case TAG_MO:
	case TAG_MN:
	case TAG_MS:
	case TAG_MTEXT:
		return !html_in_svg(f);
	case TAG_ANNOTATION_XML:
		encoding = html_find_attr(k, ATTR_ENCODING);
		return !html_in_svg(f) && encoding &&
		       (str_eq_nocase(encoding->value, STR("text/html")) ||
			str_eq_nocase(encoding->value, STR("application/xhtml+xml")));
	default:
		return false;
	}
}

void html_foreign_start(struct html_foreign *f, const struct html_token *k)
{
	if (html_in_foreign(f) && breaks_out(k))
		break_out(f);
	else if (k->self_closing)
		return;
	else if (k->tag == TAG_SVG || k->tag == TAG_MATH)
		push(f, k->tag, false);
	else if (holds_html(f, k))
		push(f, k->tag, true);
}

void html_foreign_end(struct html_foreign *f, uint8_t tag)
{
	if (f->over && (tag == TAG_SVG || tag == TAG_MATH)) {
		f->over--;
		return;
	}
	for (size_t i = f->n; i-- > 0;) {
		if (f->open[i].tag == tag) {
			f->n = (uint8_t)i;
			return;
		}
	}
	/*
	 * The end of an element around the <svg> whose end was forgotten.  Whether
	 * one is open only a tree knows; but it mostly is, and to go on in SVG would
	 * make markup of the next script.
	 */
	if (is_html_only(tag) || (html_traits[tag].is & IS_BLOCK))
		break_out(f);
}
