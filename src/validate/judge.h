/* judge.h - what validate.c (tags, nesting) and document.c (contents, names) share. */
#ifndef VALIDATE_JUDGE_H
#define VALIDATE_JUDGE_H

#include "base/map.h"
#include "html/html_token.h"
#include "validate/validate.h"

/* What an element stands in, at whatever distance. */
enum inside {
	IN_LINK = 1u << 0,
	IN_BUTTON = 1u << 1,
	IN_LABEL = 1u << 2,
	IN_FORM = 1u << 3,
	IN_INERT = 1u << 4, /* <template>, <noscript>: no part of the document */
	IN_FRAME = 1u << 5,
	IN_HIDDEN = 1u << 6, /* aria-hidden */
};

struct open_element {
	struct str name, id, class; /* as written */
	size_t offset;
	uint32_t scope;  /* in which ids are unique */
	uint16_t inside; /* enum inside, itself included */
	uint16_t needs;  /* 1 + enum fault_kind if it must have text; 0 for none */
	uint8_t tag;     /* enum html_tag */
	bool in_foreign;
	bool has_text; /* or something that stands for it */
	bool closed;   /* its end tag came, but those of inner blocks did not */
};

/* An element that was popped without its end tag. */
struct dropped {
	struct str name, path;
	size_t offset;
	uint8_t tag;
};

/* What is known only at the end of the page. */
struct pending {
	enum fault_kind kind; /* what it is when the id is not there (or not labelled) */
	uint64_t key;         /* of scope and id */
	struct fault fault;
};

struct judge {
	const struct validate_input *in;
	struct arena *arena;
	struct html_tokenizer tokens;
	struct html_token k;
	size_t at; /* where the present token begins */
	size_t n, over;
	struct open_element stack[VALIDATE_DEPTH_MAX + 1]; /* [0] is the document */
	uint32_t open[TAG_COUNT];                          /* entries on the stack */
	struct dropped *dropped;
	size_t dropped_n, dropped_cap;
	struct pending *pending;
	size_t pending_n, pending_cap;
	struct map ids;      /* key of scope and id -> 1 + tag */
	struct map labelled; /* keys that a label's for= names */
	uint32_t scopes;
	bool saw_doctype, saw_any, saw_lang, saw_title;
	struct fault *faults;
	size_t fault_n, fault_cap;
	uint64_t times[FAULT_KINDS];
};

/* At the element `depth` of the stack, or one that is about to stand above it. */
struct str judge_path(struct judge *j, size_t depth, const struct open_element *last);
/* `path` and `detail` must live as long as the result. */
void judge_add(struct judge *j, struct fault f);
void judge_here(struct judge *j, enum fault_kind kind, const struct open_element *e,
		struct str detail);

/* document.c: the start of an element that will stand on `up`; fills the entry. */
void document_start(struct judge *j, const struct open_element *up,
		    struct open_element *e);
void document_text(struct judge *j);
/* Its contents are complete. */
void document_end(struct judge *j, const struct open_element *e);
/* The page is: references, labels, language, title. */
void document_finish(struct judge *j);
#endif
