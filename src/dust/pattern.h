/*
 * pattern.h - the context and the transformation of a rule, as text and parsed.
 *
 * A context matches whole URLs, token by token (token.h).  Its text:
 *
 *   ^ ... $      the anchors, always there
 *   *            one or more tokens without a delimiter / ? = & # ; : .     captured
 *   {s}          one or more tokens without / ? & #                         captured
 *   {a} {n}      one token of letters, one token of digits                  captured
 *   (x|y)        one of the alternatives: tokens and classes                not captured
 *   (x|y)?       the same, or nothing; presence is tried first
 *   \c \xHH      a byte that would mean something else, or cannot be printed
 *
 * A transformation is text with $1 $2 ... (or ${1}) for what the context
 * captured; parentheses and bars in it are plain bytes, so that a group can be
 * kept as it is ("the kept group" of 4.2.1.2).  What a transformation gives is
 * a key and need not be a URL.
 *
 * A parsed pattern lives in the arena given to the parser.
 */
#ifndef DUST_PATTERN_H
#define DUST_PATTERN_H

#include "base/arena.h"
#include "base/buf.h"
#include "dust/token.h"

#define PATTERN_CAPTURES_MAX 128
#define PATTERN_ITEMS_MAX    1024
#define PATTERN_BYTES_MAX    16384

enum atom_kind {
	ATOM_TOKEN,   /* this token */
	ATOM_STAR,    /* a run without any delimiter */
	ATOM_SEGMENT, /* a run without a coarse delimiter */
	ATOM_ALPHA,
	ATOM_NUMBER,
};

struct atom {
	enum atom_kind kind;
	struct token token;
};

struct alternative {
	uint32_t first; /* in the atoms of the pattern */
	uint32_t n;
};

struct item {
	uint32_t first; /* in the alternatives of the pattern */
	uint16_t n;
	uint8_t capture; /* from 1; 0 when not captured */
	bool optional;
	/* Set when the pattern is whole, for speed: */
	bool single;      /* it is one atom, and has to be there */
	bool greedy;      /* what follows begins only where a run of the atom ends */
	struct atom atom; /* that one */
};

#define FRAME_MARKS_MAX 24

/*
 * The beginning or the end of a context, as far as it is runs (*) and single
 * delimiters: a URL's delimiters tell at once whether it fits.
 */
struct frame {
	uint32_t n_items;
	uint32_t filled;   /* bit i: a run before (at the end: after) delimiter i */
	uint32_t captured; /* of these */
	uint8_t n_marks;
	char marks[FRAME_MARKS_MAX];
};

struct url_pattern {
	struct item *items;
	struct alternative *alts;
	struct atom *atoms;
	uint32_t n, n_alts, n_atoms;
	uint32_t n_captures;
	struct frame head, tail; /* for speed; what is between is matched item by item */
};

struct piece {
	struct str text;
	uint16_t capture; /* from 1, after the text; 0 for none */
	uint16_t last;    /* all of the URL up to the end of this capture */
};

struct transformation {
	struct piece *pieces;
	uint16_t n;
};

/* Where a text stands in its file, for messages. */
struct text_place {
	unsigned line, column; /* of its first byte, from 1 */
};

/* ST_SYNTAX with line and column, ST_TOO_LARGE past the bounds above. */
must_use enum status pattern_parse(struct str text, struct text_place at,
				   struct arena *in, struct url_pattern *ret,
				   struct diag *why);
/* `captures` is how many the context has: a higher reference is an error. */
must_use enum status transformation_parse(struct str text, struct text_place at,
					  unsigned captures, struct arena *in,
					  struct transformation *ret, struct diag *why);

/* Set head and tail; pattern_parse() does. */
void pattern_frame(struct url_pattern *p);
/* Pieces that stand in the URL as they do in the form become one. */
void transformation_join(struct transformation *t, const struct url_pattern *p);

/* Literal text for a context and for a transformation. */
void pattern_add_literal(struct buf *to, struct str s);
void transformation_add_literal(struct buf *to, struct str s);

/*
 * Match the whole of `url` and fill `captures` (PATTERN_CAPTURES_MAX places).
 * Backtracks like a regular expression, first alternative and presence first,
 * but gives up (false) after a fixed number of steps.
 */
bool pattern_match(const struct url_pattern *p, const struct tokens *url,
		   struct str *captures);

/*
 * Words that were compared on the way.  Which is compared next depends on the marks and
 * types of the URL and on what came out before, and so does the match.
 */
#define WORD_TESTS_MAX 64

struct word_test {
	struct str word; /* of the context */
	uint16_t token;  /* of the URL */
	bool same;
};

struct word_tests {
	struct word_test v[WORD_TESTS_MAX];
	size_t n; /* may pass WORD_TESTS_MAX; those beyond are not listed */
};

/* The same, and which words it compared. */
bool pattern_match_recording(const struct url_pattern *p, const struct tokens *url,
			     struct str *captures, struct word_tests *ret);
/* What a piece takes from the URL. */
static inline struct str piece_slice(const struct piece *piece,
				     const struct str *captures)
{
	if (piece->capture == 0)
		return (struct str){ "", 0 };
	const struct str *last = &captures[piece->last - 1];
	const char *from = captures[piece->capture - 1].p;

	return (struct str){ from, (size_t)(last->p + last->n - from) };
}
/* Append the canonical form. */
void transformation_apply(const struct transformation *t, const struct str *captures,
			  struct buf *to);
#endif
