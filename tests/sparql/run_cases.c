/*
 * run_cases FILE... - SPARQL 1.1 by cases, as TAP.  A file is a series of
 *
 *   == what the case shows                  its name
 *   -- data                                 TriG; stays for the cases behind it
 *   -- query | -- update                    the text; prefixes : xsd: rdf: are there
 *   -- rows | -- rows in order              a line for each solution, columns between
 * tabs or '|'
 *   -- graph                                N-Quads of the answer, or of the store after
 * an update
 *   -- yes | -- no | -- refused             ASK; or a text that must not be accepted
 *
 * Terms are written short: :a for <http://x/a>, 1 for an integer, "a"^^xsd:t; _:b is any
 * blank node; an unbound cell is empty.  Lines that begin with '#' say why.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "kb/kb.h"

#define XSD_BOOLEAN     "<http://www.w3.org/2001/XMLSchema#boolean>"
#define CASE_FILE_BYTES ((size_t)1 << 20)

enum part { PART_NONE, PART_DATA, PART_TEXT, PART_WANT };

struct sparql_case {
	struct str name;
	struct buf data, text, want;
	bool update, in_order;
	struct str kind; /* rows, graph, yes, no, refused */
};

static const char prologue[] =
	"PREFIX : <http://x/> "
	"PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
	"PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>\n";

static int number, failed;

static enum status collect(void *context, struct str bytes)
{
	buf_add(context, bytes);
	return ST_OK;
}

/* `<http://x/a>` as `:a`, datatypes as xsd:t, blank nodes without their label. */
static void shorten(struct str in, struct buf *to)
{
	static const struct {
		const char *from, *to;
	} names[] = {
		{ "<http://x/", ":" },
		{ "<http://www.w3.org/2001/XMLSchema#", "xsd:" },
		{ "<http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf:" },
	};

	while (in.n) {
		size_t i = 0, end;

		if (str_take_prefix(&in, STR("\"true\"^^" XSD_BOOLEAN))) {
			buf_add(to, STR("true"));
			continue;
		}
		if (str_take_prefix(&in, STR("\"false\"^^" XSD_BOOLEAN))) {
			buf_add(to, STR("false"));
			continue;
		}
		if (str_take_prefix(&in, STR("_:"))) {
			buf_add(to, STR("_:b"));
			while (in.n &&
			       (ascii_is_alpha(in.p[0]) || ascii_is_digit(in.p[0])))
				in = str_skip(in, 1);
			continue;
		}
		while (i < COUNT(names) && !str_take_prefix(&in, str_from(names[i].from)))
			i++;
		end = i < COUNT(names) ? str_find_char(in, '>') : STR_NONE;
		if (end != STR_NONE) {
			buf_addf(to, "%s" STR_FMT, names[i].to,
				 STR_ARG(str_slice(in, 0, end)));
			in = str_skip(in, end + 1);
		} else {
			buf_add_char(to, in.p[0]);
			in = str_skip(in, 1);
		}
	}
}

static int by_text(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* Lines trimmed, without the first `skip`, sorted unless the order counts. */
static void normalise(struct str text, size_t skip, bool in_order, struct buf *to)
{
	struct str *lines = NULL, line;
	size_t n = 0, cap = 0;

	while (str_take_line(&text, &line)) {
		if (skip) {
			skip--;
			continue;
		}
		VEC_ADD(lines, n, cap, line);
	}
	if (!in_order && n)
		qsort(lines, n, sizeof(*lines), by_text);
	for (size_t i = 0; i < n; i++)
		buf_addf(to, STR_FMT "\n", STR_ARG(lines[i]));
	free(lines);
}

static enum status ask(struct kb *k, const struct sparql_case *c, struct buf *to,
		       struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	bool table = str_starts(c->kind, STR("rows"));
	struct results_writer w = { .format = table ? RESULTS_TSV : RESULTS_CSV,
				    .graph_format = RESULTS_NTRIPLES,
				    .flush = collect,
				    .context = to };
	struct query_options o = { .seed = 1 };
	enum status st;

	buf_addf(&text, "%s" STR_FMT, prologue, STR_ARG(buf_str(&c->text)));
	if (!c->update) {
		st = kb_query(k, buf_str(&text), STR("http://x/"), &o, &w, why);
		results_release(&w);
		return st;
	}
	TRY(kb_update(k, buf_str(&text), STR("http://x/"), &o, NULL, why));
	struct snapshot *now = store_snapshot(k->store);
	st = kb_dump(now, &(struct dump_options){ .syntax = RDF_NQUADS }, collect, to,
		     why);
	snapshot_release(now);
	return st;
}

static bool is_as_wanted(const struct sparql_case *c, enum status st, struct str out,
			 struct buf *got, struct buf *want)
{
	cleanup(buf_release) struct buf brief = { 0 };

	if (str_eq(c->kind, STR("refused")))
		return st != ST_OK;
	if (st != ST_OK)
		return false;
	if (str_eq(c->kind, STR("yes")) || str_eq(c->kind, STR("no"))) {
		buf_add(got, str_trim(out));
		buf_add(want, str_eq(c->kind, STR("yes")) ? STR("true") : STR("false"));
		return str_eq(buf_str(got), buf_str(want));
	}
	shorten(out, &brief);
	normalise(buf_str(&brief), str_starts(c->kind, STR("rows")) ? 1 : 0, c->in_order,
		  got);
	normalise(buf_str(&c->want), 0, c->in_order, want);
	return str_eq(buf_str(got), buf_str(want));
}

static void run_case(const struct sparql_case *c)
{
	cleanup(buf_release) struct buf out = { 0 }, got = { 0 }, want = { 0 },
					data = { 0 };
	struct load_options load = { .syntax = RDF_TRIG, .base = STR("http://x/") };
	struct load_counts counts;
	struct diag why = { "" };
	struct kb k;
	bool ok;

	if (kb_open(&k, NULL, NULL, &why) != ST_OK)
		abort();
	buf_addf(&data, "%s" STR_FMT, prologue, STR_ARG(buf_str(&c->data)));
	enum status st = kb_load_text(k.store, buf_str(&data), &load, &counts, &why);
	if (st == ST_OK) {
		st = ask(&k, c, &out, &why);
		ok = is_as_wanted(c, st, buf_str(&out), &got, &want);
	} else {
		ok = false;
	}
	if (!ok) {
		printf("# %s\n# got:\n%s# want:\n%s", why.text, buf_cstr(&got),
		       buf_cstr(&want));
		failed = 1;
	}
	printf("%sok %d - " STR_FMT "\n", ok ? "" : "not ", ++number, STR_ARG(c->name));
	kb_close(&k);
}

/* A line of what is wanted: '|' between columns is a tab. */
static void add_wanted(struct buf *to, struct str line)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct str cell;
	bool first = true;

	for (;;) {
		size_t bar = str_find_char(line, '|');

		cell = str_slice(line, 0, bar);
		if (!first)
			buf_add_char(&b, '\t');
		buf_add(&b, str_trim(cell));
		first = false;
		if (bar == STR_NONE)
			break;
		line = str_skip(line, bar + 1);
	}
	buf_addf(to, STR_FMT "\n", STR_ARG(buf_str(&b)));
}

static void end_case(struct sparql_case *c)
{
	if (c->name.n && c->kind.n)
		run_case(c);
	c->name = c->kind = (struct str){ 0 };
	c->update = c->in_order = false;
	buf_reset(&c->text);
	buf_reset(&c->want);
}

static enum part start_part(struct sparql_case *c, struct str name)
{
	if (str_eq(name, STR("data"))) {
		buf_reset(&c->data);
		return PART_DATA;
	}
	if (str_eq(name, STR("query")) || str_eq(name, STR("update"))) {
		c->update = str_eq(name, STR("update"));
		return PART_TEXT;
	}
	c->kind = name;
	c->in_order = str_eq(name, STR("rows in order"));
	return PART_WANT;
}

static void run_file(struct str text)
{
	struct sparql_case c = { 0 };
	enum part part = PART_NONE;
	struct str line;

	while (str_take_line(&text, &line)) {
		if (str_take_prefix(&line, STR("== "))) {
			end_case(&c);
			c.name = line;
			part = PART_NONE;
		} else if (str_take_prefix(&line, STR("-- "))) {
			part = start_part(&c, str_trim(line));
		} else if (str_starts(line, STR("#")) ||
			   (str_trim(line).n == 0 && part != PART_WANT)) {
			continue;
		} else if (part == PART_WANT) {
			if (str_eq(line, STR("(empty)")))
				buf_add(&c.want, STR("\n"));
			else if (str_trim(line).n)
				add_wanted(&c.want, line);
		} else if (part != PART_NONE) {
			buf_addf(part == PART_DATA ? &c.data : &c.text, STR_FMT "\n",
				 STR_ARG(line));
		}
	}
	end_case(&c);
	buf_release(&c.data);
	buf_release(&c.text);
	buf_release(&c.want);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		cleanup(buf_release) struct buf text = { 0 };
		struct diag why;

		if (file_load(argv[i], CASE_FILE_BYTES, &text, &why) != ST_OK) {
			printf("Bail out! %s\n", why.text);
			return 1;
		}
		run_file(buf_str(&text));
	}
	printf("1..%d\n", number);
	return failed;
}
