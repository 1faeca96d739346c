/*
 * html_tokens.c - print the tokens of HTML fragments as JSON, for html5lib.py.
 *
 * Reads cases from standard input: a line "MODE BYTES LAST-START-TAG", then
 * that many bytes; MODE as enum html_mode.  Prints one JSON array a case, in
 * the form of the html5lib tokenizer tests.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"
#include "html/entity.h"
#include "html/html_token.h"

/* NUL becomes U+FFFD where the standard says so; line ends become "\n". */
static struct str repaired(struct str s, bool keep_nul, struct buf *b)
{
	buf_reset(b);
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\r') {
			if (i + 1 == s.n || s.p[i + 1] != '\n')
				buf_add_char(b, '\n');
		} else if (s.p[i] == 0 && !keep_nul) {
			buf_add_utf8(b, UTF8_REPLACEMENT);
		} else {
			buf_add_char(b, s.p[i]);
		}
	}
	return buf_str(b);
}

static void lower(struct buf *b)
{
	for (size_t i = 0; i < b->n; i++)
		b->p[i] = ascii_lower(b->p[i]);
}

static void add_attrs(struct json_out *o, const struct html_token *k, struct arena *a)
{
	struct buf name = { 0 }, value = { 0 };

	json_open(o, '{');
	for (size_t i = 0; i < k->n_attrs; i++) {
		bool repeated = false;

		for (size_t j = 0; j < i; j++)
			repeated |= str_eq_nocase(k->attrs[i].name, k->attrs[j].name);
		if (repeated)
			continue;
		repaired(k->attrs[i].name, false, &name);
		lower(&name);
		json_key(o, buf_str(&name));
		repaired(k->attrs[i].value, false, &value);
		json_add_str(o,
			     entity_decode_all(buf_str(&value), ENTITY_IN_ATTRIBUTE, a));
	}
	json_close(o, '}');
	buf_release(&name);
	buf_release(&value);
}

static void add_token(struct json_out *o, const struct html_token *k, struct arena *a)
{
	static const char *const names[] = { [HTML_TEXT] = "Character",
					     [HTML_START_TAG] = "StartTag",
					     [HTML_END_TAG] = "EndTag",
					     [HTML_COMMENT] = "Comment",
					     [HTML_DOCTYPE] = "DOCTYPE" };
	struct buf b = { 0 };

	json_open(o, '[');
	json_add_str(o, str_from(names[k->kind]));
	if (k->kind == HTML_START_TAG || k->kind == HTML_END_TAG) {
		repaired(k->name, false, &b);
		lower(&b);
		json_add_str(o, buf_str(&b));
		if (k->kind == HTML_START_TAG)
			add_attrs(o, k, a);
		if (k->kind == HTML_START_TAG && k->self_closing)
			json_add_bool(o, true);
	} else {
		bool keep = k->kind == HTML_TEXT &&
			    (k->mode == HTML_DATA || k->mode == HTML_CDATA);
		struct str s = repaired(k->text, keep, &b);

		if (k->kind == HTML_TEXT &&
		    (k->mode == HTML_DATA || k->mode == HTML_RCDATA))
			s = entity_decode_all(s, ENTITY_IN_TEXT, a);
		json_add_str(o, s);
	}
	json_close(o, ']');
	buf_release(&b);
}

static void run_case(int mode, struct str page, struct str last)
{
	static struct html_tokenizer t;
	struct arena a = { 0 };
	struct buf out = { 0 };
	struct json_out o = { .to = &out };
	struct html_token k;

	html_start(&t, page);
	t.mode_fixed = true;
	t.raw_name = last;
	t.mode = mode == HTML_CDATA ? HTML_DATA : (enum html_mode)mode;
	if (mode == HTML_CDATA) {
		t.foreign.open[0].tag = TAG_SVG;
		t.foreign.open[0].holds_html = false;
		t.foreign.n = 1;
	}
	json_open(&o, '[');
	while (html_next(&t, &k))
		add_token(&o, &k, &a);
	json_close(&o, ']');
	puts(buf_cstr(&out));
	buf_release(&out);
	arena_release(&a);
}

int main(void)
{
	char line[256], last[64];
	int mode;
	size_t n;

	while (fgets(line, sizeof(line), stdin)) {
		last[0] = 0;
		if (sscanf(line, "%d %zu %63s", &mode, &n, last) < 2 || n > (1u << 24))
			return 2;
		char *page =
			malloc(n + 1); /* exact but for one: reads past the end show */
		if (!page || fread(page, 1, n, stdin) != n)
			return 2;
		run_case(mode, (struct str){ page, n }, str_from(last));
		free(page);
	}
	return 0;
}
