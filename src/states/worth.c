#include "states/worth.h"

#include "base/hash.h"

void worth_release(struct worth *w)
{
	map_release(&w->ways);
	map_release(&w->repeats);
	map_release(&w->alike);
	*w = (struct worth){ 0 };
}

static bool learn_ways(struct worth *w, const struct identity *id)
{
	bool any = false;

	for (size_t i = 0; i < id->path_count; i++) {
		bool is_new = false;

		map_add(&w->ways, id->paths[i], &is_new);
		any = any || is_new;
	}
	return any;
}

void worth_start(struct worth *w, const struct identity *first)
{
	if (w->ways.n == 0)
		learn_ways(w, first);
}

uint64_t worth_control(const struct candidate *c, uint8_t event)
{
	uint64_t key = hash64_seeded(c->text, (uint64_t)event + 1);

	key = hash64_seeded(c->tag, key);
	key = hash64_seeded(c->type, key);
	key = hash64_seeded(c->id, key);
	return hash64_seeded(c->href, key) | 1;
}

static uint64_t control_key(const struct attempt *a)
{
	return worth_control(a->control, a->event);
}

/* Controls of one kind: at the same place but for their numbers, as those of a list. */
static uint64_t kind_key(const struct attempt *a)
{
	struct str way = a->control->xpath, name;
	uint64_t key = hash_mix(((uint64_t)a->state << 8) + a->event + 1);

	while (str_take_until(&way, '/', &name))
		key = hash64_seeded(str_slice(name, 0, str_find_char(name, '[')), key);
	return hash64_seeded(a->control->type, key) | 1;
}

static void count(struct map *m, uint64_t key, bool is_new)
{
	uint64_t *n = map_add(m, key, NULL);

	*n = is_new ? 0 : *n + 1;
}

bool worth_add(struct worth *w, const struct attempt *a, const struct identity *to,
	       enum arrival arrival)
{
	bool is_new = learn_ways(w, to);

	w->combinations += arrival == ARRIVAL_STATE && !is_new;
	count(&w->repeats, control_key(a), is_new);
	count(&w->alike, kind_key(a), is_new || arrival == ARRIVAL_CONTENT);
	return is_new;
}

static uint64_t in_a_row(const struct map *m, uint64_t key)
{
	const uint64_t *n = map_find(m, key);

	return n ? *n : 0;
}

const char *worth_refuses(const struct worth *w, const struct attempt *a,
			  const struct worth_limits *limits)
{
	uint64_t control = control_key(a);

	if (limits->repeats && in_a_row(&w->repeats, control) >= limits->repeats)
		return "the same control brought nothing new elsewhere";
	if (limits->alike && in_a_row(&w->alike, kind_key(a)) >= limits->alike)
		return "others of its kind here brought nothing new";
	if (limits->combinations && w->combinations > limits->combinations &&
	    (a->in_combination || map_find(&w->repeats, control)))
		return "states that only combine what was seen before are too many";
	return NULL;
}
