#define PCRE2_CODE_UNIT_WIDTH 8
#include "apps/extract.h"

#include <libxml/HTMLparser.h>
#include <libxml/HTMLtree.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <string.h>

#include "base/date.h"
#include "base/json.h"
#include "base/utf8.h"

#define OPERATIONS_MAX 2000000 /* steps of one expression; a page needs thousands */
#define VALUE_MAX      ((size_t)1 << 20)
#define RE_NAMESPACE   "http://exslt.org/regular-expressions"

/* --- functions --- */

/* has-class('x') */
static void call_has_class(xmlXPathParserContextPtr c, int n)
{
	if (n != 1) {
		xmlXPathSetArityError(c);
		return;
	}
	xmlChar *word = xmlXPathPopString(c);
	xmlNode *node = c->context->node;
	xmlChar *all = node && node->type == XML_ELEMENT_NODE
			       ? xmlGetNoNsProp(node, (const xmlChar *)"class")
			       : NULL;
	struct str rest = str_from(all ? (const char *)all : "");
	bool found = false;

	while (rest.n && word && !found) {
		size_t i = 0;

		while (i < rest.n && !ascii_is_space(rest.p[i]))
			i++;
		found = i && str_eq(str_slice(rest, 0, i), str_from((const char *)word));
		rest = str_skip(rest, i + 1);
	}
	xmlFree(word);
	xmlFree(all);
	xmlXPathReturnBoolean(c, found);
}

/* One use of a regular expression; the patterns of a page are few. */
static bool replace_once(struct str text, const char *regex, struct str with,
			 struct buf *to)
{
	struct regex_set set = { 0 };
	struct regex_scratch scratch = { 0 };
	bool found = false;

	if (regex_set_add(&set, str_from(regex), NULL) == ST_OK)
		found = regex_set_replace(&set, 0, &scratch, text, with, to);
	regex_set_release(&set);
	regex_scratch_release(&scratch);
	return found;
}

/* re:test(text, regex) */
static void call_test(xmlXPathParserContextPtr c, int n)
{
	cleanup(buf_release) struct buf scratch = { 0 };

	if (n != 2) {
		xmlXPathSetArityError(c);
		return;
	}
	xmlChar *regex = xmlXPathPopString(c), *text = xmlXPathPopString(c);
	bool found = regex && text &&
		     replace_once(str_from((const char *)text), (const char *)regex,
				  STR(""), &scratch);
	xmlFree(regex);
	xmlFree(text);
	xmlXPathReturnBoolean(c, found);
}

/* re:replace(text, regex, flags, with); the first match */
static void call_replace(xmlXPathParserContextPtr c, int n)
{
	cleanup(buf_release) struct buf out = { 0 };

	if (n != 4) {
		xmlXPathSetArityError(c);
		return;
	}
	xmlChar *with = xmlXPathPopString(c), *flags = xmlXPathPopString(c),
		*regex = xmlXPathPopString(c), *text = xmlXPathPopString(c);
	bool found = with && regex && text &&
		     replace_once(str_from((const char *)text), (const char *)regex,
				  str_from((const char *)with), &out);
	xmlXPathReturnString(c,
			     found ? xmlStrdup((const xmlChar *)buf_cstr(&out)) : text);
	if (found)
		xmlFree(text);
	xmlFree(with);
	xmlFree(flags);
	xmlFree(regex);
}

static void on_error(void *data, xmlErrorPtr error)
{
	struct diag *why = data;

	if (why && error->message)
		diag_say(why, STR_FMT, STR_ARG(str_trim(str_from(error->message))));
}

static xmlXPathContextPtr new_context(xmlDocPtr doc, struct diag *why)
{
	xmlXPathContextPtr c = xmlXPathNewContext(doc);

	c->opLimit = OPERATIONS_MAX;
	c->userData = why;
	c->error = on_error;
	xmlXPathRegisterFunc(c, (const xmlChar *)"has-class", call_has_class);
	xmlXPathRegisterNs(c, (const xmlChar *)"re", (const xmlChar *)RE_NAMESPACE);
	xmlXPathRegisterFuncNS(c, (const xmlChar *)"test", (const xmlChar *)RE_NAMESPACE,
			       call_test);
	xmlXPathRegisterFuncNS(c, (const xmlChar *)"replace",
			       (const xmlChar *)RE_NAMESPACE, call_replace);
	return c;
}

enum status xpath_check(struct str expression, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct diag inner = { "not an expression" };
	xmlXPathContextPtr c = new_context(NULL, &inner);

	buf_add(&text, expression);
	xmlXPathCompExprPtr e = xmlXPathCtxtCompile(c, (const xmlChar *)buf_cstr(&text));
	bool good = e != NULL;
	xmlXPathFreeCompExpr(e);
	xmlXPathFreeContext(c);
	return good ? ST_OK
		    : diag_fail(why, ST_SYNTAX, "XPath '" STR_FMT "': %s",
				(int)MIN(expression.n, 80), expression.p, inner.text);
}

/* --- values --- */

struct extraction {
	xmlXPathContextPtr context;
	const struct app_page *page;
	struct url base;
	struct buf text, value, url[2];
	struct json_out out;
};

static xmlXPathObjectPtr evaluate(struct extraction *e, xmlNodePtr at,
				  struct str expression)
{
	cleanup(buf_release) struct buf text = { 0 };

	buf_add(&text, expression);
	e->context->node = at;
	return xmlXPathEvalExpression((const xmlChar *)buf_cstr(&text), e->context);
}

/* White space as a reader sees it: one blank. */
static void add_collapsed(struct buf *to, struct str s)
{
	bool space = false;

	for (size_t i = 0; i < s.n; i++) {
		/* U+00A0 is one, too */
		bool nbsp = i + 1 < s.n && s.p[i] == '\xc2' && s.p[i + 1] == '\xa0';

		if (ascii_is_space(s.p[i]) || nbsp) {
			space = to->n > 0;
			i += nbsp;
			continue;
		}
		if (space)
			buf_add_char(to, ' ');
		space = false;
		buf_add_char(to, s.p[i]);
	}
}

static bool is_block(const xmlNode *n)
{
	static const char *const names[] = { "p",  "br",         "div", "li",     "tr",
					     "td", "blockquote", "pre", "dd",     "dt",
					     "h1", "h2",         "h3",  "section" };

	for (size_t i = 0; i < COUNT(names); i++)
		if (xmlStrEqual(n->name, (const xmlChar *)names[i]))
			return true;
	return false;
}

/* The text below a node: blocks do not run together, scripts are no text. */
static void add_node_text(struct buf *to, const xmlNode *top)
{
	const xmlNode *n = top;

	while (n) {
		bool skip = n->type == XML_ELEMENT_NODE &&
			    (xmlStrEqual(n->name, (const xmlChar *)"script") ||
			     xmlStrEqual(n->name, (const xmlChar *)"style"));

		if ((n->type == XML_TEXT_NODE || n->type == XML_CDATA_SECTION_NODE) &&
		    n->content)
			buf_add(to, str_from((const char *)n->content));
		else if (n->type == XML_ELEMENT_NODE && is_block(n))
			buf_add_char(to, ' ');
		if (n->children && !skip && n->type == XML_ELEMENT_NODE) {
			n = n->children;
			continue;
		}
		while (n != top && !n->next) {
			n = n->parent;
			if (n->type == XML_ELEMENT_NODE && is_block(n))
				buf_add_char(to, ' ');
		}
		n = n == top ? NULL : n->next;
	}
}

static void add_node_html(struct buf *to, xmlNodePtr n)
{
	xmlBufferPtr b = xmlBufferCreate();

	if (htmlNodeDump(b, n->doc, n) >= 0)
		buf_add(to, str_from((const char *)xmlBufferContent(b)));
	xmlBufferFree(b);
}

static void value_of_node(struct extraction *e, const struct app_field *f, xmlNodePtr n)
{
	buf_reset(&e->text);
	buf_reset(&e->value);
	if (n->type == XML_ATTRIBUTE_NODE) {
		xmlChar *s = xmlNodeGetContent(n);

		buf_add(&e->text, str_from(s ? (const char *)s : ""));
		xmlFree(s);
	} else if (f->type == FIELD_HTML) {
		add_node_html(&e->value, n);
		return;
	} else {
		add_node_text(&e->text, n);
	}
	add_collapsed(&e->value, buf_str(&e->text));
}

/* False: there is no value after all. */
static bool apply_match(struct extraction *e, const struct app_field *f)
{
	cleanup(buf_release) struct buf regex = { 0 };

	if (f->match.n == 0)
		return true;
	buf_add(&regex, f->match);
	buf_reset(&e->text);
	bool found = replace_once(buf_str(&e->value), buf_cstr(&regex), f->to, &e->text);
	if (found) {
		buf_reset(&e->value);
		add_collapsed(&e->value, buf_str(&e->text));
	}
	return found || f->to.n == 0;
}

/* "1,234 replies" is 1234: separators of thousands are passed over. */
static bool first_number(struct str s, uint64_t *ret)
{
	uint64_t n = 0;
	bool any = false;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (ascii_is_digit(c) && n < UINT64_MAX / 20) {
			n = 10 * n + (uint64_t)(c - '0');
			any = true;
		} else if (any && c != ',' && c != '.' && c != '\'') {
			break;
		}
	}
	if (any)
		*ret = n;
	return any;
}

static void put_number(struct extraction *e)
{
	uint64_t n;

	if (first_number(buf_str(&e->value), &n))
		json_add_uint(&e->out, n);
	else
		json_add_null(&e->out);
}

static void put_value(struct extraction *e, const struct app_field *f)
{
	struct str v = str_trim(str_slice(buf_str(&e->value), 0, VALUE_MAX));
	struct url u;

	if (f->type == FIELD_NUMBER)
		put_number(e);
	else if (f->type == FIELD_URL && e->base.href.n &&
		 url_parse(v, &e->base, &e->url[1], &u, NULL) == ST_OK)
		json_add_str(&e->out, u.href);
	else
		json_add_str(&e->out, v);
}

/* A string or number that an expression returns. */
static bool value_of_other(struct extraction *e, xmlXPathObjectPtr o)
{
	xmlChar *s = xmlXPathCastToString(o);

	buf_reset(&e->value);
	if (s)
		add_collapsed(&e->value, str_from((const char *)s));
	xmlFree(s);
	return e->value.n > 0;
}

static void put_field(struct extraction *e, const struct app_field *f, xmlNodePtr object)
{
	xmlXPathObjectPtr o = evaluate(e, object, f->select);
	size_t n = o && o->type == XPATH_NODESET && o->nodesetval
			   ? (size_t)o->nodesetval->nodeNr
			   : 0;
	bool other = o && o->type != XPATH_NODESET;

	json_key(&e->out, f->name);
	if (f->many)
		json_open(&e->out, '[');
	size_t put = 0;
	for (size_t i = 0; i < n && (f->many || put == 0); i++) {
		value_of_node(e, f, o->nodesetval->nodeTab[i]);
		if (apply_match(e, f)) {
			put_value(e, f);
			put++;
		}
	}
	if (other && value_of_other(e, o) && apply_match(e, f)) {
		put_value(e, f);
		put++;
	}
	if (f->many)
		json_close(&e->out, ']');
	else if (put == 0)
		json_add_null(&e->out);
	xmlXPathFreeObject(o);
}

static void put_object(struct extraction *e, const struct app_library *l,
		       const struct app_verdict *v, const struct app_object *kind,
		       xmlNodePtr at)
{
	json_open(&e->out, '{');
	json_put_str(&e->out, "url", e->page->url);
	json_put_str(&e->out, "application", l->apps[v->app].id);
	json_put_str(&e->out, "level", v->level->id);
	json_put_str(&e->out, "object", kind->id);
	for (size_t i = 0; i < kind->n_fields; i++)
		put_field(e, &kind->fields[i], at);
	json_close(&e->out, '}');
	buf_add_char(e->out.to, '\n');
	e->out.after_value = false;
}

static size_t put_objects(struct extraction *e, const struct app_library *l,
			  const struct app_verdict *v, xmlDocPtr doc)
{
	size_t n = 0;

	for (size_t k = 0; k < v->level->n_objects; k++) {
		const struct app_object *kind = &v->level->objects[k];
		xmlXPathObjectPtr o =
			evaluate(e, xmlDocGetRootElement(doc), kind->select);

		if (o && o->type == XPATH_NODESET && o->nodesetval)
			for (int i = 0;
			     i < o->nodesetval->nodeNr && n < EXTRACT_OBJECTS_MAX;
			     i++, n++)
				put_object(e, l, v, kind, o->nodesetval->nodeTab[i]);
		xmlXPathFreeObject(o);
	}
	return n;
}

static void find_total(struct extraction *e, const struct app_level *level, xmlDocPtr doc,
		       struct extract_counts *ret)
{
	xmlXPathObjectPtr o =
		level->total.n ? evaluate(e, xmlDocGetRootElement(doc), level->total)
			       : NULL;

	if (o && (o->type != XPATH_NODESET || !xmlXPathNodeSetIsEmpty(o->nodesetval)) &&
	    value_of_other(e, o))
		ret->has_total = first_number(buf_str(&e->value), &ret->total);
	xmlXPathFreeObject(o);
}

struct extract_counts app_extract(const struct app_library *l,
				  const struct app_verdict *v,
				  const struct app_page *page, struct buf *to)
{
	struct extraction e = { .page = page, .out = { .to = to } };
	struct extract_counts ret = { 0 };

	if (v->app == APP_NONE || !v->level ||
	    (v->level->n_objects == 0 && v->level->total.n == 0) ||
	    page->html.n > EXTRACT_HTML_MAX || page->html.n == 0)
		return ret;
	if (url_parse(page->url, NULL, &e.url[0], &e.base, NULL) != ST_OK)
		e.base = (struct url){ 0 };
	bool utf8 = utf8_valid(page->html);
	xmlDocPtr doc = htmlReadMemory(page->html.p, (int)page->html.n, NULL,
				       utf8 ? "utf-8" : NULL,
				       HTML_PARSE_RECOVER | HTML_PARSE_NOERROR |
					       HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
	if (doc && xmlDocGetRootElement(doc)) {
		e.context = new_context(doc, NULL);
		ret.objects = put_objects(&e, l, v, doc);
		find_total(&e, v->level, doc, &ret);
		xmlXPathFreeContext(e.context);
	}
	xmlFreeDoc(doc);
	buf_release(&e.text);
	buf_release(&e.value);
	buf_release(&e.url[0]);
	buf_release(&e.url[1]);
	return ret;
}
