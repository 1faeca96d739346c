#include "kb/results.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "base/json.h"

#define FLUSH_BYTES ((size_t)64 << 10)
#define CELL_WIDTH  60 /* a longer cell of a table is cut */

static enum status flush_if(struct results_writer *w, size_t at_least)
{
	enum status st = ST_OK;

	TRY(buf_status(&w->out));
	if (w->out.n >= at_least && w->out.n) {
		st = w->flush(w->context, buf_str(&w->out));
		buf_reset(&w->out);
	}
	return st;
}

/* --- JSON --- */

static void json_start(struct results_writer *w)
{
	struct json_out o = { .to = &w->out };

	json_open(&o, '{');
	json_key(&o, STR("head"));
	json_open(&o, '{');
	json_key(&o, STR("vars"));
	json_open(&o, '[');
	for (size_t i = 0; i < w->n_vars; i++)
		json_add_str(&o, w->vars[i]);
	json_close(&o, ']');
	json_close(&o, '}');
	buf_add(&w->out, STR(",\"results\":{\"bindings\":["));
}

static void json_term(struct json_out *o, const struct term *t)
{
	static const char *const kinds[] = { "", "uri", "bnode", "literal" };

	json_open(o, '{');
	json_put_str(o, "type", str_from(kinds[t->kind]));
	json_put_str(o, "value", t->text);
	if (t->lang.n)
		json_put_str(o, "xml:lang", t->lang);
	if (t->datatype.n)
		json_put_str(o, "datatype", t->datatype);
	json_close(o, '}');
}

static void json_row(struct results_writer *w, const struct term *terms)
{
	struct json_out o = { .to = &w->out };

	buf_add(&w->out, w->rows ? STR(",\n") : STR("\n"));
	json_open(&o, '{');
	for (size_t i = 0; i < w->n_vars; i++) {
		if (terms[i].kind == TERM_NONE)
			continue;
		json_key(&o, w->vars[i]);
		json_term(&o, &terms[i]);
	}
	json_close(&o, '}');
}

/* --- XML --- */

#define XML_HEAD                            \
	"<?xml version=\"1.0\"?>\n<sparql " \
	"xmlns=\"http://www.w3.org/2005/sparql-results#\">\n"

/* Characters that XML 1.0 cannot hold become U+FFFD. */
static void xml_text(struct buf *to, struct str s)
{
	size_t from = 0;

	for (size_t i = 0; i < s.n; i++) {
		uint8_t c = (uint8_t)s.p[i];

		if (c >= 0x20 || c == '\n' || c == '\t')
			continue;
		buf_add_markup(to, str_slice(s, from, i));
		buf_add(to, c == '\r' ? STR("&#13;") : STR("\xef\xbf\xbd"));
		from = i + 1;
	}
	buf_add_markup(to, str_skip(s, from));
}

static void xml_start(struct results_writer *w)
{
	buf_add(&w->out, STR(XML_HEAD "<head>"));
	for (size_t i = 0; i < w->n_vars; i++)
		buf_addf(&w->out, "<variable name=\"" STR_FMT "\"/>",
			 STR_ARG(w->vars[i]));
	buf_add(&w->out, STR("</head>\n<results>\n"));
}

static void xml_term(struct buf *to, const struct term *t)
{
	static const char *const tags[] = { "", "uri", "bnode", "literal" };

	buf_addf(to, "<%s", tags[t->kind]);
	if (t->lang.n)
		buf_addf(to, " xml:lang=\"" STR_FMT "\"", STR_ARG(t->lang));
	if (t->datatype.n) {
		buf_add(to, STR(" datatype=\""));
		xml_text(to, t->datatype);
		buf_add_char(to, '"');
	}
	buf_add_char(to, '>');
	xml_text(to, t->text);
	buf_addf(to, "</%s>", tags[t->kind]);
}

static void xml_row(struct results_writer *w, const struct term *terms)
{
	buf_add(&w->out, STR("<result>"));
	for (size_t i = 0; i < w->n_vars; i++) {
		if (terms[i].kind == TERM_NONE)
			continue;
		buf_addf(&w->out, "<binding name=\"" STR_FMT "\">", STR_ARG(w->vars[i]));
		xml_term(&w->out, &terms[i]);
		buf_add(&w->out, STR("</binding>"));
	}
	buf_add(&w->out, STR("</result>\n"));
}

/* --- CSV and TSV --- */

static void csv_text(struct buf *to, struct str s)
{
	bool quoted = false;

	for (size_t i = 0; i < s.n; i++)
		quoted |= s.p[i] == '"' || s.p[i] == ',' || s.p[i] == '\n' ||
			  s.p[i] == '\r';
	if (!quoted) {
		buf_add(to, s);
		return;
	}
	buf_add_char(to, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"')
			buf_add_char(to, '"');
		buf_add_char(to, s.p[i]);
	}
	buf_add_char(to, '"');
}

/* What a spreadsheet computes instead of showing; numbers with their sign are none. */
static bool is_formula(struct str s)
{
	if (s.n == 0 || !strchr("=+-@\t\r", s.p[0]))
		return false;
	for (size_t i = 1; i < s.n; i++)
		if (!ascii_is_digit(s.p[i]) && !strchr(".eE+-", s.p[i]))
			return true;
	return s.p[0] != '+' && s.p[0] != '-';
}

static void csv_tame(struct buf *to, struct str s)
{
	cleanup(buf_release) struct buf text = { 0 };

	buf_add_char(&text, '\'');
	buf_add(&text, s);
	csv_text(to, buf_str(&text));
}

static void separated_start(struct results_writer *w)
{
	bool tsv = w->format == RESULTS_TSV;

	for (size_t i = 0; i < w->n_vars; i++)
		buf_addf(&w->out, "%s%s" STR_FMT, i ? tsv ? "\t" : "," : "",
			 tsv ? "?" : "", STR_ARG(w->vars[i]));
	buf_add(&w->out, tsv ? STR("\n") : STR("\r\n"));
}

static void csv_row(struct results_writer *w, const struct term *terms)
{
	for (size_t i = 0; i < w->n_vars; i++) {
		if (i)
			buf_add_char(&w->out, ',');
		if (terms[i].kind == TERM_BLANK)
			buf_add(&w->out, STR("_:"));
		if (w->tame_formulas && is_formula(terms[i].text))
			csv_tame(&w->out, terms[i].text);
		else
			csv_text(&w->out, terms[i].text);
	}
	buf_add(&w->out, STR("\r\n"));
}

/* Numbers in their short Turtle form, all else as N-Triples. */
static void tsv_term(struct buf *to, const struct term *t)
{
	bool number = str_eq(t->datatype, STR(XSD "integer")) ||
		      str_eq(t->datatype, STR(XSD "decimal")) ||
		      str_eq(t->datatype, STR(XSD "double"));
	struct number n;

	if (number && number_from_term(*t, &n) && t->text.n &&
	    (ascii_is_digit(t->text.p[0]) || t->text.p[0] == '-'))
		buf_add(to, t->text);
	else
		term_format(*t, to);
}

static void tsv_row(struct results_writer *w, const struct term *terms)
{
	for (size_t i = 0; i < w->n_vars; i++) {
		if (i)
			buf_add_char(&w->out, '\t');
		tsv_term(&w->out, &terms[i]);
	}
	buf_add_char(&w->out, '\n');
}

/* --- a table for people: kept until the widths are known --- */

static void table_cell(struct results_writer *w, const struct term *t)
{
	cleanup(buf_release) struct buf b = { 0 };

	if (t->kind == TERM_LITERAL && !t->lang.n)
		buf_add(&b, t->text);
	else
		term_format(*t, &b);
	for (size_t i = 0; i < b.n; i++)
		if ((uint8_t)b.p[i] < 0x20)
			b.p[i] = ' ';
	VEC_ADD(w->cells, w->n_cells, w->cells_cap, arena_copy(&w->names, buf_str(&b)));
}

static size_t visible_width(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += ((uint8_t)s.p[i] & 0xc0) != 0x80;
	return n;
}

/* The first `most` characters. */
static struct str cut(struct str s, size_t most)
{
	size_t n = 0, i = 0;

	for (; i < s.n; i++) {
		n += ((uint8_t)s.p[i] & 0xc0) != 0x80;
		if (n > most)
			break;
	}
	return str_slice(s, 0, i);
}

static void table_line(struct results_writer *w, const struct str *cells,
		       const size_t *widths)
{
	for (size_t i = 0; i < w->n_vars; i++) {
		bool long_cell =
			visible_width(cells[i]) > CELL_WIDTH && i + 1 < w->n_vars;
		struct str shown = long_cell ? cut(cells[i], CELL_WIDTH - 1) : cells[i];
		size_t n = visible_width(shown) + long_cell;

		buf_add(&w->out, shown);
		if (long_cell)
			buf_add(&w->out, STR("\xe2\x80\xa6"));
		for (; i + 1 < w->n_vars && n < widths[i] + 2; n++)
			buf_add_char(&w->out, ' ');
	}
	buf_add_char(&w->out, '\n');
}

static void table_end(struct results_writer *w)
{
	size_t *widths = xcalloc(w->n_vars + 1, sizeof(*widths));

	for (size_t i = 0; i < w->n_vars; i++)
		widths[i] = visible_width(w->vars[i]);
	for (size_t i = 0; i < w->n_cells; i++) {
		size_t n = MIN(visible_width(w->cells[i]), (size_t)CELL_WIDTH);

		widths[i % w->n_vars] = MAX(widths[i % w->n_vars], n);
	}
	table_line(w, w->vars, widths);
	for (size_t i = 0; i < w->n_vars; i++)
		for (size_t k = 0; k < widths[i] + 2; k++)
			buf_add_char(&w->out, k < widths[i] ? '-' : ' ');
	while (w->out.n && w->out.p[w->out.n - 1] == ' ')
		w->out.n--;
	buf_add_char(&w->out, '\n');
	for (size_t i = 0; w->n_vars && i < w->n_cells; i += w->n_vars)
		table_line(w, w->cells + i, widths);
	buf_addf(&w->out, "%llu %s\n", (unsigned long long)w->rows,
		 w->rows == 1 ? "row" : "rows");
	free(widths);
}

/* --- the sink --- */

static enum status on_start(void *context, const struct str *vars, size_t n)
{
	struct results_writer *w = context;

	w->vars = xcalloc(n + 1, sizeof(*w->vars));
	for (size_t i = 0; i < n; i++)
		w->vars[i] = arena_copy(&w->names, vars[i]);
	w->n_vars = n;
	if (w->format == RESULTS_JSON)
		json_start(w);
	else if (w->format == RESULTS_XML)
		xml_start(w);
	else if (w->format != RESULTS_TABLE)
		separated_start(w);
	return ST_OK;
}

static enum status on_row(void *context, const struct term *terms, size_t n)
{
	struct results_writer *w = context;

	switch (w->format) {
	case RESULTS_JSON:
		json_row(w, terms);
		break;
	case RESULTS_XML:
		xml_row(w, terms);
		break;
	case RESULTS_CSV:
		csv_row(w, terms);
		break;
	case RESULTS_TABLE:
		for (size_t i = 0; i < n; i++)
			table_cell(w, &terms[i]);
		break;
	default:
		tsv_row(w, terms);
	}
	w->rows++;
	return flush_if(w, FLUSH_BYTES);
}

static enum status on_answer(void *context, bool yes)
{
	struct results_writer *w = context;
	const char *word = yes ? "true" : "false";

	if (w->format == RESULTS_JSON)
		buf_addf(&w->out, "{\"head\":{},\"boolean\":%s}\n", word);
	else if (w->format == RESULTS_XML)
		buf_addf(&w->out, XML_HEAD "<head/>\n<boolean>%s</boolean>\n</sparql>\n",
			 word);
	else
		buf_addf(&w->out, "%s\n",
			 w->format == RESULTS_TABLE ? yes ? "yes" : "no" : word);
	return ST_OK;
}

static enum status on_statement(void *context, const struct statement *s)
{
	struct results_writer *w = context;

	if (w->graph_format == RESULTS_TURTLE) {
		if (!w->turtle_open)
			turtle_start(&w->turtle, &w->out);
		w->turtle_open = true;
		turtle_add(&w->turtle, s);
	} else {
		statement_format(s, &w->out);
	}
	w->rows++;
	return flush_if(w, FLUSH_BYTES);
}

struct result_sink results_sink(struct results_writer *w)
{
	return (struct result_sink){ on_start, on_row, on_answer, on_statement, w };
}

enum status results_end(struct results_writer *w)
{
	if (w->turtle_open)
		turtle_stop(&w->turtle);
	w->turtle_open = false;
	if (w->vars) {
		if (w->format == RESULTS_JSON)
			buf_add(&w->out, STR("\n]}}\n"));
		else if (w->format == RESULTS_XML)
			buf_add(&w->out, STR("</results>\n</sparql>\n"));
		else if (w->format == RESULTS_TABLE)
			table_end(w);
	}
	return flush_if(w, 0);
}

void results_release(struct results_writer *w)
{
	if (w->turtle_open)
		turtle_stop(&w->turtle);
	buf_release(&w->out);
	arena_release(&w->names);
	free(w->vars);
	free(w->cells);
	*w = (struct results_writer){ 0 };
}

/* --- media types --- */

static const struct {
	const char *type;
	enum results_format format;
	bool graph;
	const char *full;
} media_types[] = {
	{ "application/sparql-results+json", RESULTS_JSON, false, NULL },
	{ "application/json", RESULTS_JSON, false, NULL },
	{ "application/sparql-results+xml", RESULTS_XML, false, NULL },
	{ "application/xml", RESULTS_XML, false, NULL },
	{ "text/csv", RESULTS_CSV, false, "text/csv; charset=utf-8" },
	{ "text/tab-separated-values", RESULTS_TSV, false,
	  "text/tab-separated-values; charset=utf-8" },
	{ "text/plain", RESULTS_TABLE, false, "text/plain; charset=utf-8" },
	{ "text/turtle", RESULTS_TURTLE, true, "text/turtle; charset=utf-8" },
	{ "application/n-triples", RESULTS_NTRIPLES, true, NULL },
	{ "text/plain", RESULTS_NTRIPLES, true, NULL },
};

const char *results_media_type(enum results_format f)
{
	for (size_t i = 0; i < COUNT(media_types); i++)
		if (media_types[i].format == f)
			return media_types[i].full ? media_types[i].full
						   : media_types[i].type;
	return "text/plain";
}

/* The quality of an element of Accept, in thousandths. */
static unsigned quality(struct str element)
{
	size_t at = str_find(element, STR("q="));
	struct str q = at == STR_NONE ? STR("1") : str_skip(element, at + 2);
	unsigned v = 0, unit = 1000;

	for (size_t i = 0; i < q.n && unit > 0; i++) {
		if (ascii_is_digit(q.p[i]))
			v += (unsigned)(q.p[i] - '0') * unit;
		else if (q.p[i] != '.')
			break;
		unit = q.p[i] == '.' ? unit : unit / 10;
	}
	return v;
}

enum results_format results_negotiate(struct str accept, bool graph)
{
	enum results_format best = graph ? RESULTS_TURTLE : RESULTS_JSON;
	unsigned best_q = 0;
	struct str element;

	while (str_take_until(&accept, ',', &element)) {
		struct str rest = element, type;

		if (!str_take_until(&rest, ';', &type))
			continue;
		type = str_trim(type);
		for (size_t i = 0; i < COUNT(media_types); i++)
			if (media_types[i].graph == graph &&
			    str_eq_nocase(type, str_from(media_types[i].type)) &&
			    quality(element) > best_q) {
				best_q = quality(element);
				best = media_types[i].format;
			}
	}
	return best;
}
