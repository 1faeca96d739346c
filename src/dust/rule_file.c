#include "dust/rule_file.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "os/file.h"

enum field {
	FIELD_RULE,
	FIELD_CONTEXT,
	FIELD_TRANSFORMATION,
	FIELD_OPERATION,
	FIELD_SITES,
	FIELD_EXCEPT,
	FIELD_STATE,
	FIELD_NOTE,
	FIELD_FPR,
	FIELD_FREQUENCY,
	FIELD_SUPPORT,
	FIELD_WRONG,
	FIELD_PROBES,
	FIELD_CONTRADICTIONS,
	FIELD_SKIPPED,
	FIELDS,
};

static const struct str field_words[FIELDS] = {
	[FIELD_RULE] = STR("rule"),
	[FIELD_CONTEXT] = STR("context"),
	[FIELD_TRANSFORMATION] = STR("transformation"),
	[FIELD_OPERATION] = STR("operation"),
	[FIELD_SITES] = STR("sites"),
	[FIELD_EXCEPT] = STR("except"),
	[FIELD_STATE] = STR("state"),
	[FIELD_NOTE] = STR("note"),
	[FIELD_FPR] = STR("fpr"),
	[FIELD_FREQUENCY] = STR("frequency"),
	[FIELD_SUPPORT] = STR("support"),
	[FIELD_WRONG] = STR("wrong"),
	[FIELD_PROBES] = STR("probes"),
	[FIELD_CONTRADICTIONS] = STR("contradictions"),
	[FIELD_SKIPPED] = STR("skipped"),
};

static uint64_t *counter(struct rule_evidence *e, enum field f)
{
	switch (f) {
	case FIELD_FREQUENCY:
		return &e->frequency;
	case FIELD_SUPPORT:
		return &e->support;
	case FIELD_WRONG:
		return &e->wrong;
	case FIELD_PROBES:
		return &e->probes;
	case FIELD_CONTRADICTIONS:
		return &e->contradictions;
	case FIELD_SKIPPED:
		return &e->skipped;
	default:
		return NULL;
	}
}

struct value {
	struct str text;
	struct text_place at;
};

/* A block while it is read. */
struct block {
	struct value field[FIELDS];
	unsigned line; /* where it begins; 0 when there is none */
	struct diag *why;
};

static enum status fail_at(struct block *b, struct text_place at, const char *says)
{
	return diag_fail(b->why, ST_SYNTAX, "line %u, column %u: %s", at.line, at.column,
			 says);
}

/* The words of a line, which must be names of hosts. */
static enum status take_names(struct block *b, struct value v, struct str **ret,
			      size_t *ret_n)
{
	struct str *names = NULL, rest = v.text, one;
	size_t n = 0, cap = 0;

	while (str_take_until(&rest, ' ', &one)) {
		if (one.n == 0)
			continue;
		for (size_t i = 0; i < one.n; i++)
			if ((unsigned char)one.p[i] <= ' ' ||
			    (unsigned char)one.p[i] == 0x7f) {
				free(names);
				v.at.column += (unsigned)(one.p + i - v.text.p);
				return fail_at(b, v.at,
					       "this cannot be in a host's name");
			}
		VEC_ADD(names, n, cap, one);
	}
	*ret = names;
	*ret_n = n;
	return ST_OK;
}

static enum status set_reach(struct block *b, struct rule_set *s, struct rule *r)
{
	struct value sites = b->field[FIELD_SITES];
	struct str *names = NULL;
	size_t n;

	if (sites.text.n == 0)
		return fail_at(b, (struct text_place){ b->line, 1 },
			       "the rule has no line 'sites'");
	r->universal = str_eq(sites.text, STR("*"));
	if (!r->universal) {
		TRY(take_names(b, sites, &names, &n));
		rule_set_sites(s, r, names, n);
		free(names);
	}
	TRY(take_names(b, b->field[FIELD_EXCEPT], &names, &n));
	rule_set_except(s, r, names, n);
	free(names);
	return ST_OK;
}

static enum status set_state(struct block *b, struct rule *r)
{
	struct value v = b->field[FIELD_STATE];

	if (v.text.n == 0)
		return ST_OK;
	for (int i = 0; i < RULE_STATES; i++)
		if (str_eq(v.text, rule_state_words[i])) {
			r->state = (enum rule_state)i;
			return ST_OK;
		}
	return fail_at(b, v.at,
		       "want valid, probation, confirmed, retracted or disabled");
}

static enum status set_counters(struct block *b, struct rule *r)
{
	for (int f = FIELD_FREQUENCY; f < FIELDS; f++) {
		struct value v = b->field[f];

		if (v.text.n > 0 &&
		    !str_to_uint(v.text, INT64_MAX, counter(&r->evidence, (enum field)f)))
			return fail_at(b, v.at, "want a number");
	}
	return ST_OK;
}

/* The rule of the block, checked where it stands, so that a message fits the line. */
static enum status add_rule(struct block *b, struct rule_set *s, struct rule **ret)
{
	struct value c = b->field[FIELD_CONTEXT], t = b->field[FIELD_TRANSFORMATION];
	struct value o = b->field[FIELD_OPERATION];
	cleanup(buf_release) struct buf text = { 0 };
	struct url_pattern pattern;
	struct transformation transformation;

	if ((c.text.n > 0) == (o.text.n > 0))
		return fail_at(b, (struct text_place){ b->line, 1 },
			       "a rule has a context or an operation");
	if (o.text.n > 0)
		return rule_set_add(s, o.text, o.at, ret, b->why);
	if (t.text.n == 0)
		return fail_at(b, (struct text_place){ b->line, 1 },
			       "the rule has no line 'transformation'");
	TRY(pattern_parse(c.text, c.at, &s->in, &pattern, b->why));
	TRY(transformation_parse(t.text, t.at, pattern.n_captures, &s->in,
				 &transformation, b->why));
	buf_add(&text, c.text);
	buf_add_char(&text, ' ');
	buf_add(&text, t.text);
	return rule_set_add(s, buf_str(&text), c.at, ret, b->why);
}

static enum status end_block(struct block *b, struct rule_set *s)
{
	struct rule *r;

	if (b->line == 0)
		return ST_OK;
	TRY(add_rule(b, s, &r));
	r->note = arena_copy(&s->in, b->field[FIELD_NOTE].text);
	enum status st = set_reach(b, s, r);
	if (st == ST_OK)
		st = set_state(b, r);
	if (st == ST_OK)
		st = set_counters(b, r);
	if (st != ST_OK)
		s->n--;
	*b = (struct block){ .why = b->why };
	return st;
}

/* A file that people edit has no control characters; a tab is a space. */
static enum status check_line(struct block *b, struct str line, unsigned nr)
{
	for (size_t i = 0; i < line.n; i++) {
		unsigned char c = (unsigned char)line.p[i];

		if ((c < ' ' && c != '\t' && c != '\r') || c == 0x7f)
			return fail_at(b, (struct text_place){ nr, (unsigned)i + 1 },
				       "a control character cannot stand here");
	}
	return ST_OK;
}

static enum status take_field(struct block *b, struct rule_set *s, struct str line,
			      unsigned nr)
{
	struct str word = str_trim(line);
	struct text_place at = { nr, (unsigned)(word.p - line.p) + 1 };

	if (word.n == 0 || word.p[0] == '#')
		return ST_OK;
	size_t end = 0;
	while (end < word.n && !ascii_is_space(word.p[end]))
		end++;
	struct str name = str_slice(word, 0, end), value = str_trim(str_skip(word, end));
	int f = 0;
	while (f < FIELDS && !str_eq(name, field_words[f]))
		f++;
	if (f == FIELDS)
		return fail_at(b, at, "there is no such line in a rule");
	if (f == FIELD_RULE) {
		TRY(end_block(b, s));
		b->line = nr;
		return ST_OK;
	}
	if (b->line == 0)
		return fail_at(b, at, "this stands before the first 'rule'");
	if (b->field[f].text.n > 0)
		return fail_at(b, at, "this line stands twice in the rule");
	if (value.n == 0)
		return f == FIELD_EXCEPT || f == FIELD_NOTE
			       ? ST_OK
			       : fail_at(b, at, "a value is missing");
	at.column = (unsigned)(value.p - line.p) + 1;
	b->field[f] = (struct value){ value, at };
	return ST_OK;
}

enum status rules_parse(struct str text, struct rule_set *ret, struct diag *why)
{
	struct block b = { .why = why };
	struct str line;

	for (unsigned nr = 1; str_take_line(&text, &line); nr++) {
		TRY(check_line(&b, line, nr));
		TRY(take_field(&b, ret, line, nr));
	}
	return end_block(&b, ret);
}

static void add_field(struct buf *to, enum field f, struct str value)
{
	buf_addf(to, "  %-15s ", field_words[f].p);
	buf_add(to, value);
	buf_add_char(to, '\n');
}

static void add_names(struct buf *to, enum field f, const struct str *names, size_t n)
{
	buf_addf(to, "  %-15s", field_words[f].p);
	for (size_t i = 0; i < n; i++) {
		buf_add_char(to, ' ');
		buf_add(to, names[i]);
	}
	buf_add_char(to, '\n');
}

void rule_format(const struct rule *r, struct buf *to)
{
	struct rule_evidence e = r->evidence;

	buf_add(to, STR("rule "));
	rule_add_id(to, r->text);
	buf_add_char(to, '\n');
	if (r->is_operation) {
		add_field(to, FIELD_OPERATION, r->text);
	} else {
		size_t space = str_find_char(r->text, ' ');

		add_field(to, FIELD_CONTEXT, str_slice(r->text, 0, space));
		add_field(to, FIELD_TRANSFORMATION, str_skip(r->text, space + 1));
	}
	if (r->universal)
		add_field(to, FIELD_SITES, STR("*"));
	else
		add_names(to, FIELD_SITES, r->sites, r->n_sites);
	if (r->n_except > 0)
		add_names(to, FIELD_EXCEPT, r->except, r->n_except);
	add_field(to, FIELD_STATE, rule_state_words[r->state]);
	for (int f = FIELD_FREQUENCY; f < FIELDS; f++)
		if (*counter(&e, (enum field)f) > 0 || f == FIELD_SUPPORT)
			buf_addf(to, "  %-15s %llu\n", field_words[f].p,
				 (unsigned long long)*counter(&e, (enum field)f));
	buf_addf(to, "  %-15s %.4f\n", field_words[FIELD_FPR].p, rule_wrong_rate(&e));
	if (r->note.n > 0)
		add_field(to, FIELD_NOTE, r->note);
}

void rules_format(const struct rule_set *s, struct buf *to)
{
	for (size_t i = 0; i < s->n; i++) {
		if (i > 0)
			buf_add_char(to, '\n');
		rule_format(&s->v[i], to);
	}
}

static enum status load_one(const char *path, struct rule_set *ret, struct diag *why)
{
	cleanup(buf_release) struct buf text = BUF(RULE_FILE_BYTES_MAX);
	struct diag inner = { 0 };

	TRY(file_load(path, RULE_FILE_BYTES_MAX, &text, why));
	enum status st = rules_parse(buf_str(&text), ret, &inner);
	if (st != ST_OK)
		return diag_fail(why, st, "%.120s: %s", path, inner.text);
	return ST_OK;
}

enum status rules_load(const char *path, struct rule_set *ret, struct diag *why)
{
	cleanup(arena_release) struct arena names = { 0 };
	cleanup(str_list_release) struct str_list list = { 0 };

	if (!dir_exists(path))
		return load_one(path, ret, why);
	TRY(dir_list(path, STR(".rules"), &names, &list, why));
	for (size_t i = 0; i < list.n; i++)
		TRY(load_one(path_join(&names, path, list.v[i]), ret, why));
	return ST_OK;
}

enum status rules_save(const char *path, const struct rule_set *s, struct diag *why)
{
	cleanup(buf_release) struct buf text = BUF(RULE_FILE_BYTES_MAX);

	rules_format(s, &text);
	TRY(buf_status(&text));
	return file_save(path, buf_str(&text), why);
}
