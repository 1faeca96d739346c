#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibrate/compare.h"
#include "cmd/args.h"
#include "cmd/commands.h"

#define PAIRS_SHOWN 200
#define QUOTE_BYTES 90
#define TABLE_ROWS  12

struct settings {
	bool json, keywords, main_content;
};

#define AT(field) offsetof(struct settings, field)

static const struct option_row rows[] = {
	OPTION(FLAG, "keywords", AT(keywords),
	       .help = "show the keyword tables and the score of each keyword, as seed "
		       "003 prints them"),
	OPTION(FLAG, "main-content", AT(main_content),
	       .help = "compare the main content of HTML pages, not all their text"),
	OPTION(FLAG, "json", AT(json), .help = "print everything as JSON"),
	OPTION_END,
};

static void print_value(const struct compared_value *v, int width)
{
	char text[32];

	if (!v->comparable)
		snprintf(text, sizeof(text), "%s", "");
	else if (!isfinite(v->value))
		snprintf(text, sizeof(text), "- ");
	else
		snprintf(text, sizeof(text), "%.4g%c", v->value, v->near ? '*' : ' ');
	printf("%*s", width, text);
}

static void print_row(const struct compared_row *r)
{
	cleanup(buf_release) struct buf features = { 0 };
	struct detector w = { .method = r->method, .features = r->method->features };

	detector_add_features(&w, &features);
	printf("%-17s %-10s", r->method->name, buf_cstr(&features));
	print_value(&r->own, 8);
	printf(" %s%-7.4g %-5s",
	       r->method->smaller_is_nearer ? "<= " : ">= ", r->method->threshold,
	       r->own.near              ? "near"
	       : isfinite(r->own.value) ? "-"
					: "n/a");
	for (size_t k = 0; k < COMPARE_COLUMNS; k++)
		print_value(&r->others[k], 9);
	printf("\n");
}

static struct str quote(struct str s)
{
	size_t n = MIN(s.n, (size_t)QUOTE_BYTES);

	while (n < s.n && n > 0 && ((unsigned char)s.p[n] & 0xc0) == 0x80)
		n--;
	return str_slice(s, 0, n);
}

/* Line breaks and control characters of a text would break the screen. */
static void print_quote(const char *head, struct str s)
{
	struct str q = quote(s);

	if (q.n == 0)
		return;
	printf("%-10s \"", head);
	for (size_t i = 0; i < q.n; i++)
		putchar((unsigned char)q.p[i] < ' ' || q.p[i] == 0x7f ? ' ' : q.p[i]);
	printf("%s\"\n", q.n < s.n ? "..." : "");
}

static void print_evidence(const struct sample *a, const struct sample *b)
{
	struct evidence e;

	evidence_find(a->doc.text, b->doc.text, 3, &e);
	printf("\nshared     %zu of %zu words of A, %zu of %zu of B\n", e.shared_words_a,
	       e.words_a, e.shared_words_b, e.words_b);
	print_quote("longest", e.shared);
	for (size_t i = 0; i < EVIDENCE_RUNS; i++)
		print_quote("only in A", e.only_a[i]);
	for (size_t i = 0; i < EVIDENCE_RUNS; i++)
		print_quote("only in B", e.only_b[i]);
}

static void print_keyword_rows(const struct keyword_row *v, size_t n, const char *title)
{
	printf("\n%s\n%-20s %7s %7s %6s %6s %10s\n", title, "keyword", "count A",
	       "count B", "rank A", "rank B", "score");
	for (size_t i = 0; i < MIN(n, (size_t)TABLE_ROWS); i++)
		printf("%-20.*s %7u %7u %6u %6u %10.4f\n", STR_ARG(v[i].word),
		       v[i].count_a, v[i].count_b, v[i].rank_a, v[i].rank_b, v[i].score);
	if (n > TABLE_ROWS)
		printf("and %zu more; --json prints all\n", n - TABLE_ROWS);
}

static void print_keywords(const struct sample *a, const struct sample *b)
{
	cleanup(keyword_tables_release) struct keyword_tables t;

	keyword_tables_make(a, b, &t);
	print_keyword_rows(t.rows, t.common, "keywords in both (S_DC)");
	print_keyword_rows(t.rows + t.common, t.only_a, "keywords only in A (S_DT1)");
	print_keyword_rows(t.rows + t.common + t.only_a, t.only_b,
			   "keywords only in B (S_DT2)");
	printf("\n%-28s %12s %12s\n", "", "as tables", "as printed");
	printf("%-28s %12.4f %12.4f\n", "S_DC + S_DT1 + S_DT2", t.tables.sum,
	       t.printed.sum);
	printf("%-28s %12.1f\n", "N = (|T1| + |T2|) / 2", (double)(t.a.n + t.b.n) / 2);
	printf("%-28s %12.4f %12.4f   threshold of the seed %.4f\n", "SSM = sum / N",
	       t.tables.score, t.printed.score, SSM_THRESHOLD);
}

static void print_pair(const struct sample *a, const struct sample *b,
		       const struct settings *s)
{
	cleanup(comparison_release) struct comparison c;

	comparison_make(a, b, &c);
	printf("A  " STR_FMT "\nB  " STR_FMT "\n\n", STR_ARG(a->name), STR_ARG(b->name));
	printf("%-17s %-10s%8s    %-7s %-5s", "method", "features", "value", "at", "");
	for (size_t k = 0; k < COMPARE_COLUMNS; k++)
		printf("%8.8s ", compare_columns[k].name);
	printf("\n");
	for (size_t i = 0; i < c.n; i++)
		print_row(&c.rows[i]);
	if (!isnan(c.levenshtein))
		printf("\nDOM without text and attributes: %s; %.4f edits per byte\n",
		       c.same_dom ? "equal" : "different", c.levenshtein);
	printf("\n%zu of %zu methods that can compare them say near-duplicate; * is near "
	       "at the method's threshold, - is too little to compare\n",
	       c.near, c.comparable);
	print_evidence(a, b);
	if (s->keywords)
		print_keywords(a, b);
}

/* Of more than two documents a line per pair. */
static void print_line(const struct sample *a, const struct sample *b)
{
	cleanup(comparison_release) struct comparison c;

	comparison_make(a, b, &c);
	printf("%3zu of %zu near  resemblance ", c.near, c.comparable);
	print_value(&c.rows[0].own, 8);
	printf("  " STR_FMT "  " STR_FMT "\n", STR_ARG(a->name), STR_ARG(b->name));
}

static void each_pair(const struct sample_set *set, const struct settings *s)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };
	bool whole = set->n == 2;
	size_t shown = 0;

	json_open(&o, '[');
	for (size_t k = 0; k < set->site_count; k++)
		for (uint32_t i = 0; i < set->sites[k].n; i++)
			for (uint32_t j = i + 1; j < set->sites[k].n; j++) {
				const struct sample *v = &set->v[set->sites[k].first];

				if (shown++ >= PAIRS_SHOWN)
					continue;
				if (s->json)
					comparison_add_pair_json(&v[i], &v[j],
								 s->keywords, &o);
				else if (whole)
					print_pair(&v[i], &v[j], s);
				else
					print_line(&v[i], &v[j]);
			}
	json_close(&o, ']');
	if (s->json)
		printf(STR_FMT "\n", STR_ARG(buf_str(&b)));
	if (shown > PAIRS_SHOWN)
		fprintf(stderr, "thresh compare: %d of %zu pairs are shown\n",
			PAIRS_SHOWN, shown);
}

/* Documents of several files are compared with each other: they are one site. */
static void join_sites(struct sample_set *set)
{
	if (set->pair_count || set->site_count < 2)
		return;
	set->sites[0].n = (uint32_t)set->n;
	set->site_count = 1;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct settings s = { 0 };
	cleanup(args_release) struct args args = { 0 };
	cleanup(samples_release) struct sample_set set = { 0 };
	struct diag why = { 0 };
	int code = args_parse(self, argc, argv, &s, &args);

	if (code != ARGS_GO)
		return code;
	struct sample_options o = { .main_content = s.main_content };
	if (args.n == 0) {
		fprintf(stderr,
			"thresh compare: name two documents, or a file of pairs\n");
		return EXIT_USAGE;
	}
	if (samples_load(&set, args.words, args.n, &o, &why) != ST_OK) {
		fprintf(stderr, "thresh compare: %s\n", why.text);
		return EXIT_FAILED;
	}
	join_sites(&set);
	if (set.n < 2) {
		fprintf(stderr, "thresh compare: %zu document found; two are needed\n",
			set.n);
		return EXIT_USAGE;
	}
	each_pair(&set, &s);
	return EXIT_FINE;
}

static const struct example examples[] = {
	{ "thresh compare a.html b.html", "every method on two pages, on one screen" },
	{ "thresh compare --keywords a.txt b.txt", "with the keyword tables" },
	{ "thresh compare --json pairs.jsonl", "each pair of a file of {a, b}" },
	{ NULL, NULL },
};

const struct command cmd_compare = {
	.name = "compare",
	.summary = "compare two documents by every method at once",
	.operands = "A B [C...]|PAIRS",
	.about =
		"One line per method: its value in its own features, its threshold, what "
		"it says, and the values with other pieces and sizes. Below: what the "
		"documents share and where they differ. Of more than two documents, or "
		"of a file of pairs (JSON lines with a and b), a line per pair.",
	.options = rows,
	.examples = examples,
	.run = run,
};
