/*
 * rule.h - a rule, its evidence, and sets of rules in their order.
 *
 * A rule is either a rewrite (context and transformation, pattern.h) or an
 * operation (operation.h), and holds for the hosts in `sites`, or, when it is
 * universal, for all hosts but those in `except`.  Its text is its identity:
 * rules of equal text are the same rule, wherever they were learnt.
 *
 * A rewrite's site is a host name, as in the seed.  An operation's site is the
 * host name without "www.": what a server ignores it ignores under both names.
 *
 * A set owns all memory of its rules.  Not thread-safe while it changes.
 */
#ifndef DUST_RULE_H
#define DUST_RULE_H

#include "dust/operation.h"
#include "dust/pattern.h"

enum rule_state {
	RULE_VALID,     /* proved offline; applied */
	RULE_PROBATION, /* learnt in this crawl; its skips are fetched to prove it */
	RULE_CONFIRMED, /* proved in this crawl; applied, explores a little */
	RULE_RETRACTED, /* contradicted; kept so that it is not learnt again at once */
	RULE_DISABLED,  /* by a person */
	RULE_STATES,
};

extern const struct str rule_state_words[RULE_STATES];

/* What is known for and against a rule. */
struct rule_evidence {
	uint64_t frequency;      /* clusters that offered it */
	uint64_t support;        /* pairs of URLs it makes equal, in the validation set */
	uint64_t wrong;          /* of these, pairs of different pages */
	uint64_t probes;         /* fetches it would have saved, done to test it */
	uint64_t contradictions; /* probes that found another page */
	uint64_t skipped;        /* fetches it has saved */
};

struct rule {
	struct str text; /* "CONTEXT TRANSFORMATION", or the operation's */
	bool is_operation;
	struct operation operation;
	struct url_pattern pattern;
	struct transformation transformation;
	struct str *sites; /* sorted */
	uint32_t n_sites, n_except;
	struct str *except; /* sorted */
	bool universal;
	enum rule_state state;
	struct rule_evidence evidence;
	struct str note; /* a line for people; empty for none */
};

struct rule_set {
	struct rule *v;
	size_t n, cap;
	struct arena in;
};

void rule_set_release(struct rule_set *s);
/*
 * Parse `text` (copied) and add it as a valid rule without sites and evidence.
 * `ret` lives until the next addition.  `at` is where the text stands.
 */
must_use enum status rule_set_add(struct rule_set *s, struct str text,
				  struct text_place at, struct rule **ret,
				  struct diag *why);
/* Copies the names; sorts them, without repeats. */
void rule_set_sites(struct rule_set *s, struct rule *r, const struct str *sites,
		    size_t n);
void rule_set_except(struct rule_set *s, struct rule *r, const struct str *sites,
		     size_t n);
/* Add a copy of a rule of another set. */
struct rule *rule_set_copy(struct rule_set *s, const struct rule *r);
/* Operations, since all that fit are applied, before rewrites, of which the first that
 * fits is; among equals most support, universal rules, shorter texts, byte order. */
void rule_set_order(struct rule_set *s);
/* That order: negative when `a` comes first. */
int rule_cmp(const struct rule *a, const struct rule *b);

/* "r" and eight hexadecimal digits of the text's hash. */
void rule_add_id(struct buf *to, struct str text);
/* The host as operations know it. */
struct str bare_host(struct str host);
/* Whether the rule may be applied to URLs of `host`. */
bool rule_covers(const struct rule *r, struct str host);
bool rule_is_active(const struct rule *r);
double rule_wrong_rate(const struct rule_evidence *e);
#endif
