/*
 * doc.h - a description or a campaign as it was written: JSON or YAML, one tree.
 *
 * A reader walks the tree with a path beside it; what it does not like becomes a problem
 * with the path, and the path leads back to line and column of the text.  YAML is read
 * into the same tree as JSON, so one reader serves both.  Owns everything it hands out.
 */
#ifndef SERVICE_DOC_H
#define SERVICE_DOC_H

#include "base/arena.h"
#include "base/json.h"

#define DOC_MAX_BYTES ((size_t)1 << 20)
#define PLACE_MAX     256 /* bytes of a path that are kept */
#define PROBLEMS_MAX  50

/* Where a reader is: "interactions.posts.paginate". */
struct doc_place {
	char path[PLACE_MAX];
};

struct doc_problem {
	struct str path, cause;
	unsigned line, column; /* 0: not known */
};

struct api_doc {
	struct json *root;
	struct str name, text; /* `name` is for messages */
	bool is_yaml;
	struct doc_problem *problems;
	size_t n, cap;
	struct arena arena;
};

void doc_release(struct api_doc *d);
/* ST_SYNTAX with line and column when the text is neither; ST_TOO_LARGE above the limit.
 */
must_use enum status doc_parse(struct api_doc *ret, struct str name, struct str text,
			       struct diag *why);
must_use enum status doc_load(struct api_doc *ret, const char *path, struct diag *why);

struct doc_place place_root(void);
struct doc_place place_in(const struct doc_place *p, struct str name);
struct doc_place place_at(const struct doc_place *p, size_t index);

/* Remember what is wrong; the first PROBLEMS_MAX are kept. */
__attribute__((format(printf, 3, 4))) void
doc_blame(struct api_doc *d, const struct doc_place *p, const char *fmt, ...);
/* ST_SYNTAX with the first problem, "name:line:column: path: cause", if there is one. */
must_use enum status doc_status(const struct api_doc *d, struct diag *why);
void problem_format(const struct api_doc *d, const struct doc_problem *p, struct buf *to);

/* The member of an object, checked: blames what is of another kind, and gives NULL. */
const struct json *doc_member(struct api_doc *d, const struct json *object,
			      const struct doc_place *p, const char *name,
			      enum json_kind kind);
struct str doc_text(struct api_doc *d, const struct json *object,
		    const struct doc_place *p, const char *name);
/* A whole number of 0 to `max`. */
uint64_t doc_uint(struct api_doc *d, const struct json *object, const struct doc_place *p,
		  const char *name, uint64_t max, uint64_t otherwise);
/* "250ms", "5m", "1d", or a number of seconds; in milliseconds. */
uint64_t doc_time(struct api_doc *d, const struct json *object, const struct doc_place *p,
		  const char *name, uint64_t otherwise);
/* Blames members that are not among `known` (NULL-ended), and names the nearest. */
void doc_only(struct api_doc *d, const struct json *object, const struct doc_place *p,
	      const char *const *known);
#endif
