#include "states/worth.h"

#include "base/hash.h"

void worth_release(struct worth *w)
{
	map_release(&w->ways);
	map_release(&w->controls);
	map_release(&w->addresses);
	map_release(&w->spots);
	map_release(&w->repeats);
	map_release(&w->alike);
	map_release(&w->tries);
	map_release(&w->gains);
	map_release(&w->series);
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

static bool learn_controls(struct worth *w, const struct observation *seen)
{
	bool any = false;

	for (size_t i = 0; i < seen->candidate_count; i++)
		for (uint8_t e = 0; e < EVENT_KINDS; e++) {
			bool is_new = false;

			if (!(seen->candidates[i].events & 1u << e))
				continue;
			map_add(&w->controls, worth_control(&seen->candidates[i], e),
				&is_new);
			any = any || is_new;
		}
	return any;
}

bool worth_offers_new(const struct worth *w, const struct observation *seen)
{
	for (size_t i = 0; w->controls.n && i < seen->candidate_count; i++)
		for (uint8_t e = 0; e < EVENT_KINDS; e++)
			if (seen->candidates[i].events & 1u << e &&
			    !map_find(&w->controls,
				      worth_control(&seen->candidates[i], e)))
				return true;
	return false;
}

/* Without query and fragment. */
static uint64_t hash_address(struct str url)
{
	size_t n = 0;

	while (n < url.n && url.p[n] != '?' && url.p[n] != '#')
		n++;
	return hash64(str_slice(url, 0, n)) | 1;
}

static bool learn_address(struct worth *w, struct str url)
{
	bool is_new = false;

	map_add(&w->addresses, hash_address(url), &is_new);
	return is_new;
}

uint64_t worth_spot(const struct candidate *c, uint64_t control, struct str url)
{
	return c->href.n ? control : hash_mix(control + hash_address(url)) | 1;
}

bool worth_is_tried_at(const struct worth *w, uint64_t spot)
{
	return map_find(&w->spots, spot) != NULL;
}

/* Everything is learnt, whatever of it is new first. */
static enum gain learn(struct worth *w, const struct identity *id,
		       const struct observation *seen)
{
	bool address = seen && learn_address(w, seen->url);
	bool control = seen && learn_controls(w, seen);

	return learn_ways(w, id) ? GAIN_ELEMENT
	       : control         ? GAIN_CONTROL
	       : address         ? GAIN_ADDRESS
				 : GAIN_NOTHING;
}

void worth_start(struct worth *w, const struct identity *first,
		 const struct observation *seen)
{
	if (w->ways.n == 0)
		learn(w, first, seen);
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

uint64_t worth_kind(const struct candidate *c, uint8_t event)
{
	struct str way = c->xpath, name;
	uint64_t key = hash_mix((uint64_t)event + 1);

	while (str_take_until(&way, '/', &name))
		key = hash64_seeded(str_slice(name, 0, str_find_char(name, '[')), key);
	return hash64_seeded(c->type, key) | 1;
}

/* Controls of one kind in one state. */
static uint64_t kind_key(const struct attempt *a)
{
	return hash_mix(worth_kind(a->control, a->event) + a->state) | 1;
}

static void count(struct map *m, uint64_t key, bool is_new)
{
	uint64_t *n = map_add(m, key, NULL);

	*n = is_new ? 0 : *n + 1;
}

enum gain worth_add(struct worth *w, const struct attempt *a, const struct identity *to,
		    const struct observation *seen, enum arrival arrival)
{
	static const uint64_t tenths[] = { [GAIN_NOTHING] = 0,
					   [GAIN_ADDRESS] = 2,
					   [GAIN_CONTROL] = 4,
					   [GAIN_ELEMENT] = 10 };
	enum gain gain = learn(w, to, seen);
	uint64_t kind = worth_kind(a->control, a->event);

	w->combinations += arrival == ARRIVAL_STATE && gain != GAIN_ELEMENT;
	if (arrival == ARRIVAL_CONTENT)
		gain = MAX(gain, GAIN_CONTROL);
	w->quiet = gain >= GAIN_CONTROL ? 0 : w->quiet + 1;
	map_add(&w->spots, worth_spot(a->control, control_key(a), a->url), NULL);
	count(&w->repeats, control_key(a), gain == GAIN_ELEMENT);
	count(&w->alike, kind_key(a), gain != GAIN_NOTHING);
	count(&w->series, kind, gain == GAIN_ELEMENT || arrival == ARRIVAL_CONTENT);
	*map_add(&w->tries, kind, NULL) += 1;
	*map_add(&w->gains, kind, NULL) += tenths[gain];
	return gain;
}

bool worth_is_tried(const struct worth *w, uint64_t control)
{
	return map_find(&w->repeats, control) != NULL;
}

/* What one would guess of a kind never tried: a click leads somewhere more often than
 * not. */
static uint64_t prior(uint8_t event)
{
	switch (event) {
	case EVENT_CLICK:
	case EVENT_SUBMIT:
	case EVENT_CHOOSE:
		return 6;
	case EVENT_SCROLL:
	case EVENT_KEY:
	case EVENT_HOVER:
		return 4;
	case EVENT_OPEN:
		return 1;
	default:
		return 2;
	}
}

static uint64_t value_of(const struct map *m, uint64_t key)
{
	const uint64_t *v = map_find(m, key);

	return v ? *v : 0;
}

unsigned worth_promise(const struct worth *w, uint64_t control, uint64_t kind,
		       uint8_t event)
{
	uint64_t n = value_of(&w->tries, kind), got = value_of(&w->gains, kind);
	/* As if two had been tried before, and brought what is usual. */
	uint64_t promise = (got + 2 * prior(event)) / (n + 2);

	if (worth_is_tried(w, control))
		promise /= 2 + value_of(&w->repeats, control);
	return (unsigned)MIN(promise, 10);
}

const char *worth_refuses(const struct worth *w, const struct attempt *a,
			  const struct worth_limits *limits)
{
	uint64_t control = control_key(a);
	bool tried = worth_is_tried_at(w, worth_spot(a->control, control, a->url));

	if (limits->repeats && value_of(&w->repeats, control) >= limits->repeats)
		return "the same control brought nothing new elsewhere";
	if (limits->alike && value_of(&w->alike, kind_key(a)) >= limits->alike)
		return "others of its kind here brought nothing new";
	if (limits->series && a->merged &&
	    value_of(&w->series, worth_kind(a->control, a->event)) >= limits->series)
		return "others of its kind brought nothing but more of the same";
	if (limits->combinations && w->combinations > limits->combinations && tried)
		return "states that only combine what was seen before are too many";
	return NULL;
}
