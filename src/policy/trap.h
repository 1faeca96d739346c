/*
 * trap.h - URLs that only a machine would make.
 *
 * Looks at the form of a URL, and of the one it was found on; each finding has
 * a name.  Deliberately narrow: what is merely suspicious is left to the
 * budgets, which measure before they judge (novelty.h).  Pure.
 */
#ifndef POLICY_TRAP_H
#define POLICY_TRAP_H

#include "policy/reason.h"
#include "url/url.h"

struct trap_limits {
	uint32_t max_segments;   /* of the path */
	uint32_t max_repeats;    /* of one segment, or of a run of segments in a row */
	uint32_t max_parameters; /* of the query */
	int64_t now_ms;          /* dates long after it are a calendar's */
};

/*
 * The trap, or REASON_NONE:
 *   deep-path             more segments than the limit: it grows and grows
 *   repeated-segments     /a/b/a/b/a/b, or one segment far too often
 *   many-parameters       more than the limit
 *   repeated-parameters   the same name=value again and again
 *   escaped-escapes       %25252525: every round of a loop escapes once more
 *   concatenated-host     /www.x.org/www.y.org/: hosts taken for folders
 *   calendar              a date years ahead
 * `via` may be NULL.
 */
enum reason trap_find(const struct url *u, const struct url *via,
		      const struct trap_limits *limits);
#endif
