#include "states/identity.h"

#include <math.h>

#include "base/hash.h"
#include "states/template.h"

void identity_make(const struct observation *o, const struct content *content,
		   struct arena *a, struct identity *ret)
{
	cleanup(buf_release) struct buf print = { 0 }, text = { 0 };
	struct identity id = { 0 };

	template_set(o->html, TEMPLATE_PATHS_MAX, a, &id.paths, &id.path_count);
	content_add(content, o, &text);
	struct document doc;
	content_document(content, o, buf_str(&text), a, &doc);
	method_fingerprint(content->method, &doc, &content->features, &print);
	id.content = arena_copy(a, buf_str(&print));
	id.template_hash = hash64((struct str){ (const char *)id.paths,
						id.path_count * sizeof(*id.paths) });
	id.key = hash64_seeded(id.content, id.template_hash);
	*ret = id;
}

double path_distance(const struct identity *a, const struct identity *b)
{
	size_t i = 0, j = 0, both = 0;

	while (i < a->path_count && j < b->path_count) {
		both += a->paths[i] == b->paths[j];
		uint64_t x = a->paths[i], y = b->paths[j];

		i += x <= y;
		j += y <= x;
	}
	size_t either = a->path_count + b->path_count - both;

	return either ? 1.0 - (double)both / (double)either : 0;
}

struct state_distance identity_distance(const struct identity *a,
					const struct identity *b, const struct method *m)
{
	double measure = method_farthest(m);

	/* A text with too few features is compared by its bytes alone. */
	if (str_eq(a->content, b->content))
		return (struct state_distance){ path_distance(a, b), 0 };
	if (method_measure(m, a->content, b->content, &measure) != ST_OK)
		measure = method_farthest(m);
	/* Rounded, so that the overview can carry it in few digits and agree exactly. */
	measure = fmin(m->smaller_is_nearer ? measure : 1 - measure, CONTENT_FARTHEST);
	measure = round(measure * 1e6) / 1e6;
	return (struct state_distance){ path_distance(a, b), measure };
}
