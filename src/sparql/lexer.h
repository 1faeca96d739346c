/*
 * lexer.h - the tokens of SPARQL (grammar rules 139 to 173), one ahead.
 *
 * Codepoint escapes (\u and \U) have been undone before (19.2).  Token text
 * borrows from the input; strings and local names with escapes are undone into
 * the arena.
 */
#ifndef SPARQL_LEXER_H
#define SPARQL_LEXER_H

#include "base/arena.h"

enum token_kind {
	TOKEN_END,
	TOKEN_IRI,   /* text: inside of <> */
	TOKEN_PNAME, /* text: prefix; local: after the colon */
	TOKEN_BLANK, /* text: label */
	TOKEN_VAR,   /* text: name */
	TOKEN_LANG,  /* text: tag */
	TOKEN_INTEGER,
	TOKEN_DECIMAL,
	TOKEN_DOUBLE,
	TOKEN_STRING, /* text: undone */
	TOKEN_WORD,   /* a keyword or a function name */
	TOKEN_PUNCT,  /* text: one or two characters */
	TOKEN_BAD,    /* text: what is wrong */
};

struct token {
	enum token_kind kind;
	struct str text, local;
	size_t at, end; /* offsets in the input */
};

struct lexer {
	struct str in;
	size_t at; /* of what comes after `token` */
	struct token token;
	struct arena *arena;
};

void lexer_start(struct lexer *l, struct str in, struct arena *arena);
/* Move to the next token. */
void lexer_next(struct lexer *l);
/* The token after the current one. */
struct token lexer_peek(struct lexer *l);
/* Line and column, from 1, columns in characters. */
void lexer_position(const struct lexer *l, size_t at, unsigned *ret_line,
		    unsigned *ret_column);
/* `text` without codepoint escapes; ST_SYNTAX for one that names no character. */
must_use enum status sparql_undo_codepoints(struct str text, struct arena *a,
					    struct str *ret, struct diag *why);
#endif
