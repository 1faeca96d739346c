#include "service/wikitext.h"

#include <string.h>

#define LINK_MAX       2000 /* bytes; what is longer is text */
#define NAME_MAX_BYTES 100

struct source {
	struct str in;
	struct buf *to, *notes;
	unsigned templates; /* that are open */
	bool at_line;       /* nothing of the line was read yet */
};

static void skip(struct source *s, size_t n)
{
	s->in = str_skip(s->in, n);
}

static bool take(struct source *s, struct str mark)
{
	return str_take_prefix(&s->in, mark);
}

static struct str label_of(struct str link)
{
	size_t bar = str_rfind_char(link, '|');

	return bar == STR_NONE ? link : str_skip(link, bar + 1);
}

/* A link within a link is the caption of a picture: only its target is no text. */
static void take_link(struct source *s)
{
	struct str rest = str_slice(s->in, 0, MIN(s->in.n, (size_t)LINK_MAX));
	size_t end = str_find(rest, STR("]]")), inner = str_find(rest, STR("[["));

	if (end == STR_NONE)
		return;
	if (inner < end) {
		size_t bar = str_find_char(str_slice(rest, 0, inner), '|');

		skip(s, bar == STR_NONE ? 0 : bar + 1);
		return;
	}
	buf_add(s->to, label_of(str_slice(rest, 0, end)));
	skip(s, end + 2);
}

/* [http://example.org words] */
static bool take_outer_link(struct source *s)
{
	struct str rest = str_slice(s->in, 1, MIN(s->in.n, (size_t)LINK_MAX));

	if (!str_starts(rest, STR("http")) && !str_starts(rest, STR("//")))
		return false;
	size_t end = str_find_char(rest, ']');
	if (end == STR_NONE)
		return false;
	size_t blank = str_find_char(str_slice(rest, 0, end), ' ');
	if (blank != STR_NONE)
		buf_add(s->to, str_slice(rest, blank + 1, end));
	skip(s, end + 2);
	return true;
}

static void take_run(struct source *s, char c)
{
	while (s->in.n > 0 && s->in.p[0] == c)
		skip(s, 1);
}

/* {|, |-, |}, |+ and the marks of lists and headings begin a line. */
static bool take_line_mark(struct source *s)
{
	char c = s->in.p[0];

	if (c == '=' || c == '*' || c == '#' || c == ':' || c == ';' || c == '!' ||
	    c == '|') {
		skip(s, 1);
	} else if (str_starts(s->in, STR("{|"))) {
		size_t end = str_find_char(s->in, '\n'); /* the rest is attributes */

		skip(s, end == STR_NONE ? s->in.n : end);
	} else {
		return false;
	}
	buf_add_char(s->to, ' ');
	return true;
}

/* <ref name=x>words</ref>; <ref name=x/> is only its number. */
static bool take_note(struct source *s)
{
	size_t head = str_find_char(s->in, '>');

	if (!str_starts_nocase(s->in, STR("<ref")) || head == STR_NONE || s->in.n < 5 ||
	    (s->in.p[4] != '>' && s->in.p[4] != ' '))
		return false;
	bool is_empty = s->in.p[head - 1] == '/';
	skip(s, head + 1);
	size_t end = is_empty ? STR_NONE : str_find(s->in, STR("</ref>"));
	if (end == STR_NONE)
		return true;
	buf_add(s->notes, str_slice(s->in, 0, end));
	buf_add_char(s->notes, '\n');
	skip(s, end + 6);
	return true;
}

/* Its name, or that of a value: "|born = ". */
static void skip_name(struct source *s, const char *ends)
{
	size_t n = 0, most = MIN(s->in.n, (size_t)NAME_MAX_BYTES);

	while (n < most && !strchr(ends, s->in.p[n]))
		n++;
	if (n < most && s->in.p[n] == ends[0])
		skip(s, n + 1);
}

/* What a template shows are its values, and a text of its own, which is another page. */
static bool take_template_mark(struct source *s)
{
	if (take(s, STR("{{"))) {
		s->templates++;
		buf_add_char(s->to, '\n');
		skip_name(s, "|}\n{[");
		skip_name(s, "=|}\n{[");
	} else if (s->templates == 0) {
		return false;
	} else if (take(s, STR("}}"))) {
		s->templates--;
		buf_add_char(s->to, '\n');
	} else if (take(s, STR("|"))) {
		buf_add_char(s->to, '\n');
		skip_name(s, "=|}\n{[");
	} else {
		return false;
	}
	return true;
}

static bool take_mark(struct source *s)
{
	if (take_template_mark(s))
		return true;
	if (take(s, STR("[["))) {
		take_link(s);
		return true;
	}
	if (str_starts(s->in, STR("''"))) {
		take_run(s, '\'');
		return true;
	}
	if (str_starts(s->in, STR("==")) || str_starts(s->in, STR("]]"))) {
		take_run(s, s->in.p[0]);
		return true;
	}
	return s->in.p[0] == '[' ? take_outer_link(s) : s->in.p[0] == '<' && take_note(s);
}

static void read_source(struct source *s)
{
	s->at_line = true;
	while (s->in.n > 0) {
		if (s->at_line && s->templates == 0 && take_line_mark(s))
			continue;
		s->at_line = s->in.p[0] == '\n';
		if (take_mark(s))
			continue;
		buf_add_char(s->to, s->in.p[0]);
		skip(s, 1);
	}
}

void wikitext_add_html(struct str in, struct buf *to)
{
	cleanup(buf_release) struct buf notes = { 0 }, none = { 0 };
	struct source s = { .in = in, .to = to, .notes = &notes };

	read_source(&s);
	buf_add_char(to, '\n');
	s = (struct source){ .in = buf_str(&notes), .to = to, .notes = &none };
	read_source(&s);
}
