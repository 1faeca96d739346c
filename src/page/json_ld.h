/*
 * json_ld.h - the things that a page says are on it: objects of its JSON-LD.
 *
 * Reads what schema.org pages really contain: an object, a list of them, or @graph;
 * nested ones (comments of a posting) too.  No context is loaded: names are taken for
 * schema.org's.  Bounded in number and depth; broken JSON gives nothing.  Pure.
 */
#ifndef PAGE_JSON_LD_H
#define PAGE_JSON_LD_H

#include "base/arena.h"

#define LD_OBJECTS_MAX 64 /* of one page */

struct ld_object {
	struct str type; /* "BlogPosting"; never empty */
	struct str id;   /* @id, or url, as written; may be empty */
	struct str name; /* name or headline */
	struct str text; /* articleBody, text or description */
	struct str author_name, author_url;
	struct str date; /* datePublished, dateCreated or uploadDate, as written */
};

/* Appends to `ret`, which has `n` of LD_OBJECTS_MAX; returns how many there are then. */
size_t json_ld_read(struct str json, struct arena *a, struct ld_object *ret, size_t n);
#endif
