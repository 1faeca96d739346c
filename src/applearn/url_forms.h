/*
 * url_forms.h - the URLs of one site by their form: which parts are words that tell
 * kinds of pages apart, and which are values.
 *
 * Runs of digits are values.  Any other segment of a path, or value of a parameter, is
 * a word when few different ones stand in its place (or it names a program: show.php),
 * and a value when many do:
 *
 *   /forumdisplay.php?fid=#&sortby=subject      /wiki/ * (one form for all articles)
 *
 * A form that is another one with a number for its page ("&page=#", "/page/#") belongs
 * to the other's family.  Add all URLs, then url_forms_make().  Pure; one thread.
 */
#ifndef APPLEARN_URL_FORMS_H
#define APPLEARN_URL_FORMS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"

#define FORM_NONE      UINT32_MAX
#define FORM_WORDS     12 /* so many different ones in a place are words */
#define FORM_PARTS_MAX 24
#define FORM_URLS_MAX  ((size_t)1 << 20)

struct form_part {
	struct str name;  /* of a parameter; empty: a segment of the path */
	struct str value; /* with # for digits; "*": any */
	bool has_value;   /* "name=" or "name" */
};

struct url_form {
	struct form_part parts[FORM_PARTS_MAX];
	size_t n, n_path;
	uint32_t family; /* the form that it is a further page of, or itself */
	uint32_t pager;  /* the part that is the number of the page, or FORM_NONE */
	uint32_t urls;   /* that have it */
};

struct url_forms {
	struct arena arena;
	struct map by_url; /* hash to index + 1 */
	struct str *urls;  /* path and query */
	uint32_t *form_of; /* per URL, after url_forms_make() */
	size_t n, cap;
	struct url_form *forms;
	size_t n_forms, forms_cap;
};

/* `path` is path and query.  Its number, the same for the same URL; FORM_NONE: full. */
uint32_t url_forms_add(struct url_forms *f, struct str path);
void url_forms_make(struct url_forms *f);
void url_forms_release(struct url_forms *f);
/* "/forumdisplay.php?fid=#" */
void url_form_format(const struct url_form *form, struct buf *to);
/* As a regular expression on path and query; whole: "^...$". */
void url_form_regex(const struct url_form *form, struct buf *to);
/* The path alone: "^/forumdisplay\.php". */
void url_form_path_regex(const struct url_form *form, struct buf *to);
/* A value or name with # and * in it. */
void form_value_regex(struct str value, const char *any, struct buf *to);
bool url_form_same_path(const struct url_form *a, const struct url_form *b);
#endif
