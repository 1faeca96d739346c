#include "baseline/component.h"

#include "base/hash.h"
#include "dust/operation.h"

static bool add(struct components *c, enum component_kind kind, struct str name,
		struct str value)
{
	if (c->n == COMPONENTS_MAX)
		return false;
	c->v[c->n++] = (struct component){ kind, name, value };
	c->signature = hash64_seeded(name, c->signature * 5 + (uint64_t)kind);
	return true;
}

bool components_split(struct str url, struct components *ret)
{
	struct url_parts u;
	struct str none = { "", 0 }, one;

	ret->n = 0;
	ret->signature = 0;
	if (!url_parts_split(url, &u) || !add(ret, COMPONENT_SCHEME, none, u.scheme) ||
	    !add(ret, COMPONENT_HOST, none, u.host))
		return false;
	if (u.path.n > 0) {
		struct str path = str_skip(u.path, 1);
		size_t slash;

		while ((slash = str_find_char(path, '/')) != STR_NONE) {
			if (!add(ret, COMPONENT_SEGMENT, none, str_slice(path, 0, slash)))
				return false;
			path = str_skip(path, slash + 1);
		}
		if (!add(ret, COMPONENT_SEGMENT, none, path))
			return false;
	}
	while (str_take_until(&u.query, '&', &one)) {
		size_t equals = str_find_char(one, '=');

		if (!add(ret, COMPONENT_PARAMETER, str_slice(one, 0, equals),
			 equals == STR_NONE ? none : str_skip(one, equals)))
			return false;
	}
	return true;
}

bool component_same_key(const struct component *a, const struct component *b)
{
	return a->kind == b->kind && str_eq(a->name, b->name);
}

void component_add_lead_after(struct buf *to, const struct components *c, size_t i,
			      size_t missing, void (*add_text)(struct buf *, struct str))
{
	bool first = missing == 0 || c->v[missing - 1].kind != COMPONENT_PARAMETER;

	add_text(to, first ? STR("?") : STR("&"));
	add_text(to, c->v[i].name);
}

void component_add_lead(struct buf *to, const struct components *c, size_t i,
			void (*add_text)(struct buf *, struct str))
{
	switch (c->v[i].kind) {
	case COMPONENT_SCHEME:
		return;
	case COMPONENT_HOST:
		add_text(to, STR("://"));
		return;
	case COMPONENT_SEGMENT:
		add_text(to, STR("/"));
		return;
	case COMPONENT_PARAMETER:
		add_text(to,
			 c->v[i - 1].kind == COMPONENT_PARAMETER ? STR("&") : STR("?"));
		add_text(to, c->v[i].name);
		return;
	}
}
