#include "web/robots.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/option.h"
#include "base/utf8.h"
#include "url/percent.h"
#include "web/robots_internal.h"

/* Google cuts lines here, "to be safe against nonsense"; no real rule is longer. */
#define LINE_MAX_BYTES ((size_t)2083 * 8 - 1)
/* A day: who asks for more means something else. */
#define DELAY_MAX_MS ((uint64_t)24 * 3600 * 1000)

enum field {
	FIELD_USER_AGENT,
	FIELD_ALLOW,
	FIELD_DISALLOW,
	FIELD_NOTE,
};

static const struct known {
	const char *name;
	unsigned typos; /* edits that still mean this name */
	enum field field;
	enum robots_note_kind note;
} known[] = {
	{ "user-agent", 2, FIELD_USER_AGENT, 0 },
	{ "disallow", 2, FIELD_DISALLOW, 0 },
	{ "allow", 1, FIELD_ALLOW, 0 },
	{ "sitemap", 1, FIELD_NOTE, NOTE_SITEMAP },
	{ "crawl-delay", 2, FIELD_NOTE, NOTE_CRAWL_DELAY },
	{ "content-signal", 1, FIELD_NOTE, NOTE_CONTENT_SIGNAL },
	{ "request-rate", 1, FIELD_NOTE, NOTE_REQUEST_RATE },
	{ "visit-time", 1, FIELD_NOTE, NOTE_VISIT_TIME },
	{ "clean-param", 1, FIELD_NOTE, NOTE_CLEAN_PARAM },
	{ "noindex", 1, FIELD_NOTE, NOTE_NOINDEX },
	{ "host", 0, FIELD_NOTE, NOTE_HOST },
};

/* Whom the lines being read are for: a bit each. */
enum scope { FOR_NOBODY = 0, FOR_US = 1, FOR_ALL = 2 };

/*
 * Rules for us and rules for "*" are gathered side by side; which of them count
 * is known only at the end of the file.
 */
struct reader {
	struct robots *out;
	const struct robots_options *options;
	struct robots_rule *rules_all; /* for "*" */
	size_t all_n, all_cap;
	struct robots_note *notes_all;
	size_t notes_all_n, notes_all_cap;
	uint64_t delay_us_ms, delay_all_ms;
	unsigned scope;      /* of allow and disallow */
	unsigned note_scope; /* of what is no rule; see below */
	bool rules_seen;     /* a rule closes the list of user-agents */
	bool notes_seen;     /* a note closes only note_scope */
	bool in_group;       /* after any user-agent line */
	bool html;           /* somebody saved the file as a page */
	uint32_t line;
};

static bool is_token_char(char c)
{
	return ascii_is_alpha(c) || c == '-' || c == '_';
}

bool robots_name_valid(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!is_token_char(name.p[i]))
			return false;
	return name.n > 0;
}

static bool is_ours(const struct reader *r, struct str name)
{
	for (size_t i = 0; i < r->options->names_n; i++)
		if (name.n && str_eq_nocase(name, r->options->names[i]))
			return true;
	return false;
}

/* The product token at the front: RFC 9309 2.2.1 ends it at the first other byte. */
static struct str front_token(struct str value)
{
	size_t n = 0;

	while (n < value.n && (is_token_char(value.p[n]) || ascii_is_digit(value.p[n])))
		n++;
	return str_slice(value, 0, n);
}

static bool is_separator(char c)
{
	return c == ',' || ascii_is_space(c);
}

/*
 * "User-agent: a, b c": against the grammar, but who writes it means all of
 * them.  Only where every word is a token; a browser's identification is not.
 */
static bool any_listed_is_ours(const struct reader *r, struct str value)
{
	bool ours = false;

	while (value.n) {
		struct str token = front_token(value);

		ours |= is_ours(r, token);
		value = str_skip(value, token.n);
		if (value.n && !is_separator(value.p[0]))
			return false;
		while (value.n && is_separator(value.p[0]))
			value = str_skip(value, 1);
	}
	return ours;
}

static unsigned scope_of_agent(const struct reader *r, struct str value)
{
	if (value.n && value.p[0] == '*' && (value.n == 1 || !is_token_char(value.p[1])))
		return is_ours(r, STR("*")) ? FOR_ALL | FOR_US : FOR_ALL;
	if (r->options->as_google) {
		size_t n = 0;

		while (n < value.n && is_token_char(value.p[n]))
			n++;
		return is_ours(r, str_slice(value, 0, n)) ? FOR_US : FOR_NOBODY;
	}
	if (is_ours(r, front_token(value)) || is_ours(r, value) ||
	    any_listed_is_ours(r, value))
		return FOR_US;
	return FOR_NOBODY;
}

static void read_user_agent(struct reader *r, struct str value)
{
	unsigned scope = scope_of_agent(r, value);

	if (r->rules_seen)
		r->scope = FOR_NOBODY;
	/*
	 * Records that are no rules must not end a group (RFC 9309 2.2.4), yet
	 * what stands above a further name was not said of that name.
	 */
	if (r->rules_seen || r->notes_seen)
		r->note_scope = FOR_NOBODY;
	r->rules_seen = r->notes_seen = false;
	r->in_group = true;
	r->scope |= scope;
	r->note_scope |= scope;
	if ((scope & FOR_US) && !(scope & FOR_ALL))
		r->out->named = true;
}

static void add_one_rule(struct reader *r, struct robots_rule rule)
{
	if (r->scope & FOR_US)
		VEC_ADD(r->out->rules, r->out->rules_n, r->out->rules_cap, rule);
	if (r->scope & FOR_ALL)
		VEC_ADD(r->rules_all, r->all_n, r->all_cap, rule);
}

/* What is allowed as x/index.html is allowed as x/: the large parsers agree on that. */
static void add_index_rule(struct reader *r, struct robots_rule rule)
{
	struct str directory = rule.pattern;
	const struct str page = STR("/index.html");

	if (!str_ends(directory, page))
		return;
	directory.n -= page.n - 1;
	rule.pattern = directory;
	rule.rank = (uint32_t)directory.n + 1;
	rule.anchored = true;
	add_one_rule(r, rule);
}

static void add_pattern(const struct reader *r, struct buf *b, struct str value)
{
	if (!r->options->as_google) {
		robots_add_canonical(b, value, false);
		return;
	}
	for (size_t i = 0; i < value.n; i++) {
		int code = percent_value(str_skip(value, i));

		if (code >= 0) {
			buf_add_percent(b, (char)code);
			i += 2;
		} else if ((uint8_t)value.p[i] >= 0x80) {
			buf_add_percent(b, value.p[i]);
		} else {
			buf_add_char(b, value.p[i]);
		}
	}
}

/* '$' means something only at the end; elsewhere it is what a path has as %24. */
static void escape_inner_dollars(struct buf *b)
{
	cleanup(buf_release) struct buf copy = { 0 };

	if (b->n == 0 || !memchr(b->p, '$', b->n - 1))
		return;
	for (size_t i = 0; i < b->n; i++) {
		if (b->p[i] == '$' && i + 1 < b->n)
			buf_add_percent(&copy, '$');
		else
			buf_add_char(&copy, b->p[i]);
	}
	SWAP(copy, *b);
}

static void read_rule(struct reader *r, struct str value, bool allow)
{
	cleanup(buf_release) struct buf pattern = { 0 };

	r->rules_seen = true;
	/* An empty rule matches nothing; it only closes the list of names. */
	if (r->scope == FOR_NOBODY || value.n == 0)
		return;
	add_pattern(r, &pattern, value);
	if (!r->options->as_google)
		escape_inner_dollars(&pattern);
	struct robots_rule rule = {
		.rank = (uint32_t)pattern.n,
		.line = r->line,
		.allow = allow,
		.anchored = pattern.p[pattern.n - 1] == '$',
	};

	pattern.n -= rule.anchored;
	/* "/x*" matches as "/x" does; only its rank differs. */
	while (!rule.anchored && pattern.n && pattern.p[pattern.n - 1] == '*')
		pattern.n--;
	rule.pattern = arena_copy(&r->out->bytes, buf_str(&pattern));
	add_one_rule(r, rule);
	if (allow && !rule.anchored)
		add_index_rule(r, rule);
}

/* Seconds with a fraction; 0 when it is no number. */
static uint64_t parse_delay(struct str value)
{
	uint64_t seconds = 0, ms = 0, scale = 100;

	if (!str_take_uint(&value, UINT32_MAX, &seconds) &&
	    (!value.n || value.p[0] != '.'))
		return 0;
	if (str_take_char(&value, '.'))
		for (; value.n && ascii_is_digit(value.p[0]) && scale; scale /= 10) {
			ms += (uint64_t)(value.p[0] - '0') * scale;
			value = str_skip(value, 1);
		}
	return MIN(seconds * 1000 + ms, DELAY_MAX_MS);
}

static bool is_of_whole_file(enum robots_note_kind kind)
{
	return kind == NOTE_SITEMAP || kind == NOTE_HOST || kind == NOTE_CONTENT_SIGNAL;
}

static bool has_note(const struct robots *out, const struct robots_note *note)
{
	for (size_t i = 0; i < out->notes_n; i++)
		if (out->notes[i].kind == note->kind &&
		    str_eq(out->notes[i].value, note->value))
			return true;
	return false;
}

static void read_note(struct reader *r, enum robots_note_kind kind, struct str name,
		      struct str value)
{
	unsigned scope = r->in_group && !is_of_whole_file(kind) ? r->note_scope : FOR_US;

	if (!is_of_whole_file(kind))
		r->notes_seen = true;
	/* The slower of two wishes. */
	if (kind == NOTE_CRAWL_DELAY && (scope & FOR_US))
		r->delay_us_ms = MAX(r->delay_us_ms, parse_delay(value));
	if (kind == NOTE_CRAWL_DELAY && (scope & FOR_ALL))
		r->delay_all_ms = MAX(r->delay_all_ms, parse_delay(value));
	if (scope == FOR_NOBODY || r->out->notes_n + r->notes_all_n >= ROBOTS_NOTES_MAX)
		return;
	struct robots_note note = {
		.kind = kind,
		.name = arena_copy(&r->out->bytes, name),
		.value = arena_copy(&r->out->bytes, value),
		.line = r->line,
	};

	if (kind == NOTE_SITEMAP && has_note(r->out, &note))
		return;
	if (scope & FOR_US)
		VEC_ADD(r->out->notes, r->out->notes_n, r->out->notes_cap, note);
	if (scope & FOR_ALL)
		VEC_ADD(r->notes_all, r->notes_all_n, r->notes_all_cap, note);
}

static bool is_word(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!is_token_char(name.p[i]) && name.p[i] != ' ')
			return false;
	return name.n > 0;
}

/* Exact names first, so that a typo of one is never taken for another. */
static const struct known *find_known(struct str name)
{
	for (size_t i = 0; i < COUNT(known); i++)
		if (str_eq_nocase(name, str_from(known[i].name)))
			return &known[i];
	for (size_t i = 0; i < COUNT(known); i++) {
		struct str right = str_from(known[i].name);
		char lower[32];

		if (name.n > right.n + 2 || name.n + 2 < right.n || !is_word(name))
			continue;
		for (size_t k = 0; k < name.n; k++)
			lower[k] = ascii_lower(name.p[k]);
		if (edit_distance((struct str){ lower, name.n }, right) <= known[i].typos)
			return &known[i];
	}
	return NULL;
}

static void read_field(struct reader *r, struct str name, struct str value)
{
	const struct known *k = find_known(name);

	r->out->last_line = r->line;
	r->out->fields += k != NULL;
	r->out->unknown_fields += k == NULL;
	if (!k) {
		read_note(r, NOTE_OTHER, name, value);
		return;
	}
	switch (k->field) {
	case FIELD_USER_AGENT:
		read_user_agent(r, value);
		return;
	case FIELD_ALLOW:
	case FIELD_DISALLOW:
		read_rule(r, value, k->field == FIELD_ALLOW);
		return;
	case FIELD_NOTE:
		read_note(r, k->note, name, value);
		return;
	}
}

/* "<b>Disallow: /</b>" without its tags. */
static struct str without_tags(struct str line, struct buf *b)
{
	size_t open, close;

	buf_reset(b);
	while ((open = str_find_char(line, '<')) != STR_NONE &&
	       (close = str_find_char(str_skip(line, open), '>')) != STR_NONE) {
		buf_add(b, str_slice(line, 0, open));
		line = str_skip(line, open + close + 1);
	}
	buf_add(b, line);
	return str_trim(buf_str(b));
}

static bool looks_like_sitemap(struct str line)
{
	return (str_starts_nocase(line, STR("http://")) ||
		str_starts_nocase(line, STR("https://"))) &&
	       (str_ends(line, STR(".xml")) || str_ends(line, STR(".xml.gz")));
}

static void read_line(struct reader *r, struct str line)
{
	cleanup(buf_release) struct buf untagged = { 0 };
	size_t colon;

	line = str_trim(str_slice(line, 0, str_find_char(line, '#')));
	if (r->html)
		line = without_tags(line, &untagged);
	if (line.n == 0)
		return;
	if (looks_like_sitemap(line)) {
		read_note(r, NOTE_SITEMAP, STR("sitemap"), line);
		return;
	}
	colon = str_find_char(line, ':');
	if (colon != STR_NONE) {
		read_field(r, str_trim(str_slice(line, 0, colon)),
			   str_trim(str_skip(line, colon + 1)));
		return;
	}
	/* "Disallow /x": the colon is missing, and there are just two words. */
	size_t space = 0;

	while (space < line.n && !ascii_is_space(line.p[space]))
		space++;
	struct str value = str_trim(str_skip(line, space));

	if (value.n && str_find_char(value, ' ') == STR_NONE &&
	    str_find_char(value, '\t') == STR_NONE)
		read_field(r, str_slice(line, 0, space), value);
}

/* Lines end in CR, LF or CRLF. */
static void read_lines(struct reader *r, struct str text)
{
	while (text.n) {
		size_t n = 0;

		while (n < text.n && text.p[n] != '\n' && text.p[n] != '\r')
			n++;
		r->line++;
		read_line(r, str_slice(text, 0, MIN(n, LINE_MAX_BYTES)));
		if (n + 1 < text.n && text.p[n] == '\r' && text.p[n + 1] == '\n')
			n++;
		text = str_skip(text, n + 1);
	}
}

/* Who saved it as UTF-16 said so with a byte order mark. */
static bool add_utf16(struct str text, struct buf *b)
{
	bool little = str_starts(text, STR("\xff\xfe"));
	uint32_t high = 0;

	if (!little && !str_starts(text, STR("\xfe\xff")))
		return false;
	for (size_t i = 2; i + 1 < text.n; i += 2) {
		uint32_t a = (uint8_t)text.p[i], c = (uint8_t)text.p[i + 1];
		uint32_t unit = little ? a | c << 8 : a << 8 | c;

		if (unit >= 0xd800 && unit < 0xdc00) {
			high = unit;
			continue;
		}
		if (high && unit >= 0xdc00 && unit < 0xe000)
			unit = 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00);
		high = 0;
		buf_add_utf8(b, unit);
	}
	return true;
}

/* As much of UTF-8's mark as there is: torn ones were seen. */
static struct str without_bom(struct str text)
{
	static const char mark[] = "\xef\xbb\xbf";

	for (size_t i = 0; i < 3 && text.n && text.p[0] == mark[i]; i++)
		text = str_skip(text, 1);
	return text;
}

/* Where no group names us, the groups for everybody are ours. */
static void choose_groups(struct reader *r)
{
	struct robots *out = r->out;

	if (!out->named) {
		SWAP(out->rules, r->rules_all);
		out->rules_n = r->all_n;
		out->rules_cap = r->all_cap;
		for (size_t i = 0; i < r->notes_all_n; i++)
			VEC_ADD(out->notes, out->notes_n, out->notes_cap,
				r->notes_all[i]);
	}
	out->crawl_delay_ms =
		out->named ? r->delay_us_ms : MAX(r->delay_us_ms, r->delay_all_ms);
	free(r->rules_all);
	free(r->notes_all);
}

void robots_parse(struct robots *ret, struct str text, const struct robots_options *o)
{
	cleanup(buf_release) struct buf decoded = { 0 };
	struct robots out = { .as_google = o->as_google };
	struct reader r = { .out = &out, .options = o };

	if (text.n > ROBOTS_MAX_BYTES) {
		text.n = ROBOTS_MAX_BYTES;
		out.truncated = true;
		/* Half a line would say something else than the whole one. */
		while (text.n && text.p[text.n - 1] != '\n' && text.p[text.n - 1] != '\r')
			text.n--;
	}
	text = add_utf16(text, &decoded) ? buf_str(&decoded) : without_bom(text);
	struct str start = str_trim(str_slice(text, 0, 512));

	r.html = start.n && start.p[0] == '<';
	read_lines(&r, text);
	choose_groups(&r);
	robots_compile(&out);
	*ret = out;
}

void robots_release(struct robots *r)
{
	free(r->rules);
	free(r->notes);
	arena_release(&r->bytes);
	*r = (struct robots){ 0 };
}

/* The last word counts: groups are read from the general to the particular. */
enum robots_signal robots_signal(const struct robots *r, struct str use)
{
	enum robots_signal found = SIGNAL_UNSET;

	for (size_t i = 0; i < r->notes_n; i++) {
		struct str list = r->notes[i].value, pair, name;

		if (r->notes[i].kind != NOTE_CONTENT_SIGNAL)
			continue;
		while (str_take_until(&list, ',', &pair)) {
			pair = str_trim(pair);
			if (!str_take_until(&pair, '=', &name) ||
			    !str_eq_nocase(str_trim(name), use))
				continue;
			if (str_eq_nocase(str_trim(pair), STR("yes")))
				found = SIGNAL_YES;
			else if (str_eq_nocase(str_trim(pair), STR("no")))
				found = SIGNAL_NO;
		}
	}
	return found;
}
