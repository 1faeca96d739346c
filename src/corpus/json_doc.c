#include "corpus/json_doc.h"

#include <stdlib.h>
#include <string.h>

#include "corpus/html_doc.h"

static struct str line_name(const struct corpus_raw *raw, const struct jsonl_want *w,
			    struct buf *name)
{
	for (size_t i = 1; i <= 3; i++)
		if (w[i].found && w[i].value.n)
			return w[i].value;
	buf_reset(name);
	buf_addf(name, STR_FMT ":%llu", STR_ARG(raw->file),
		 (unsigned long long)raw->place);
	return buf_str(name);
}

static double to_number(struct str s)
{
	char text[64];
	size_t n = MIN(s.n, sizeof(text) - 1);

	memcpy(text, s.p, n);
	text[n] = '\0';
	return strtod(text, NULL);
}

enum status json_doc_parse(const struct corpus_options *o, const struct corpus_raw *raw,
			   struct corpus_work *work, struct corpus_doc *ret,
			   struct diag *why)
{
	struct jsonl_want w[] = { { .name = o->text_field },
				  { .name = o->name_field },
				  { .name = STR("url") },
				  { .name = STR("id") },
				  { .name = o->score_field } };
	struct diag cause;

	enum status st = jsonl_read(raw->bytes, w, COUNT(w), &work->scratch, &cause);
	if (st == ST_OK && !(w[0].found && w[0].is_string)) {
		st = ST_SYNTAX;
		(void)!diag_fail(&cause, st, "no string named \"" STR_FMT "\"",
				 STR_ARG(w[0].name));
	}
	if (st != ST_OK)
		return diag_fail(why, ST_SYNTAX, STR_FMT ":%llu: %s", STR_ARG(raw->file),
				 (unsigned long long)raw->place, cause.text);
	ret->raw = raw->bytes;
	ret->name = line_name(raw, w, &work->name);
	ret->score = w[4].found ? to_number(w[4].value) : 0;
	if (o->html)
		html_doc_read(o, w[0].value, STR("text/html"), work, ret);
	else
		ret->text = w[0].value;
	return ST_OK;
}
