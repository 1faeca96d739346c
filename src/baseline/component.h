/*
 * component.h - a URL as keys and values, as the baselines see it.
 *
 * Keys are: scheme, host, each path segment by position, each parameter by
 * name.  Two URLs with the same keys in the same order have the same signature.
 */
#ifndef BASELINE_COMPONENT_H
#define BASELINE_COMPONENT_H

#include "base/buf.h"

#define COMPONENTS_MAX 64

enum component_kind {
	COMPONENT_SCHEME,
	COMPONENT_HOST,
	COMPONENT_SEGMENT,
	COMPONENT_PARAMETER,
};

struct component {
	enum component_kind kind;
	struct str name;  /* of a parameter */
	struct str value; /* of a parameter: from '=' on; empty when there is none */
};

struct components {
	struct component v[COMPONENTS_MAX];
	size_t n;
	uint64_t signature;
};

/* False when it is no URL or has too many components. */
bool components_split(struct str url, struct components *ret);
bool component_same_key(const struct component *a, const struct component *b);
/* What stands before the value of component `i`: "://", "/", "?name", "&name". */
void component_add_lead(struct buf *to, const struct components *c, size_t i,
			void (*add)(struct buf *, struct str));
/* The same of a parameter when the one before it, `missing`, is left out. */
void component_add_lead_after(struct buf *to, const struct components *c, size_t i,
			      size_t missing, void (*add)(struct buf *, struct str));
#endif
