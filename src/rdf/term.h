/*
 * term.h - an RDF term as text: IRI, blank node or literal.
 *
 * Views into bytes owned by somebody else; passed by value.  The datatype of
 * a plain literal is left empty (xsd:string), and so is that of a literal
 * with a language (rdf:langString), so that equal terms have equal fields.
 */
#ifndef RDF_TERM_H
#define RDF_TERM_H

#include "base/arena.h"
#include "base/buf.h"

#define XSD "http://www.w3.org/2001/XMLSchema#"
#define RDF "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

enum term_kind {
	TERM_NONE,
	TERM_IRI,
	TERM_BLANK,
	TERM_LITERAL,
};

struct term {
	enum term_kind kind;
	struct str text; /* the IRI, the label without "_:", the lexical form */
	struct str datatype;
	struct str lang;
};

/* One statement; `graph` is TERM_NONE in the default graph. */
struct statement {
	struct term subject, predicate, object, graph;
};

static inline struct term term_iri(struct str iri)
{
	return (struct term){ .kind = TERM_IRI, .text = iri };
}
static inline struct term term_blank(struct str label)
{
	return (struct term){ .kind = TERM_BLANK, .text = label };
}
static inline struct term term_string(struct str text)
{
	return (struct term){ .kind = TERM_LITERAL, .text = text };
}
/* xsd:string is left out, as above. */
struct term term_typed(struct str text, struct str datatype);
static inline struct term term_lang(struct str text, struct str lang)
{
	return (struct term){ .kind = TERM_LITERAL, .text = text, .lang = lang };
}

/* The same term: language tags are compared without regard to case. */
bool term_eq(struct term a, struct term b);
struct term term_copy(struct arena *a, struct term t);
/* The full datatype IRI of a literal, xsd:string and rdf:langString included. */
struct str term_datatype(struct term t);

/* As N-Triples writes it, canonical escapes. */
void term_format(struct term t, struct buf *to);
/* The escaped inside of a literal, without quotes. */
void term_format_text(struct str text, struct buf *to);
void statement_format(const struct statement *s, struct buf *to);

/*
 * The bytes by which a dictionary finds the term: a letter for the kind, then
 * language or datatype and a NUL where there is one, then the text.
 */
void term_to_key(struct term t, struct buf *to);
/* False when `key` is not one made by term_to_key(); the term borrows from it. */
bool term_from_key(struct str key, struct term *ret);
#endif
