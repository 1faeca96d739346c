/*
 * jsonl.h - a few members out of a line of JSON, without a tree.
 *
 * One pass over the line; values nobody asked for are passed over.  The tree
 * reader of base/json.h is for settings: this one is for corpora.
 */
#ifndef CORPUS_JSONL_H
#define CORPUS_JSONL_H

#include "base/buf.h"

#define JSONL_WANTS 8

struct jsonl_want {
	struct str name;  /* of a member of the outermost object; exact */
	struct str value; /* set: the text of a string, a number or a word as written */
	bool found, is_string;
};

/*
 * Set the values of `wants` (JSONL_WANTS at most); slices of `line`, or of
 * `scratch` where the string held escapes.  Of equal names the last counts.
 * ST_SYNTAX when the line is not one JSON object.
 */
must_use enum status jsonl_read(struct str line, struct jsonl_want *wants, size_t n,
				struct buf *scratch, struct diag *why);
#endif
