#include "policy/priority.h"

#include "url/normal.h"

#define PENALTY_MAX 60u
#define ALIKE       100 /* of links that are fetched as they were found */

/*
 * Of two URLs of one page the plainer one should come first, for the other may then
 * not be needed: sessions most of all, then every parameter.
 */
uint8_t url_penalty(const struct url *u)
{
	struct str query = u->query, part;
	uint32_t penalty = 0;

	if (str_find_char(u->path, ';') != STR_NONE)
		penalty += 30;
	while (str_take_until(&query, '&', &part) && penalty < PENALTY_MAX) {
		size_t equals = str_find_char(part, '=');
		struct str name = str_slice(part, 0, equals);
		struct str value =
			equals == STR_NONE ? STR("") : str_skip(part, equals + 1);

		penalty += 4;
		if (param_is_session(name, value) || param_is_tracking(name))
			penalty += 30;
	}
	return (uint8_t)MIN(penalty, PENALTY_MAX);
}

/* 26 to 200; a third of the penalty: another URL of a page that is known is worth little,
 * whatever it promises. */
static uint32_t by_score(float score, uint32_t penalty)
{
	float s = score < 0.0f ? 0.0f : score > 1.0f ? 1.0f : score;

	return 46 + (uint32_t)(s * 154.0f + 0.5f) - penalty / 3;
}

static uint32_t by_way(uint32_t depth, uint32_t penalty)
{
	return 200 - MIN(2 * depth, 100u) - penalty;
}

uint8_t policy_priority(const struct priority_facts *f)
{
	uint32_t base = f->has_score ? by_score(f->score, f->penalty)
				     : by_way(f->depth, f->penalty);

	if (f->in_order)
		return ALIKE;
	switch ((enum purpose)f->purpose) {
	case PURPOSE_EMBED:
		/* With the page that shows it; where pages are chosen, by its worth. */
		return (uint8_t)(base + (f->has_score ? 0 : 20));
	case PURPOSE_REDIRECT:
		return (uint8_t)(base + 30);
	case PURPOSE_GUESS:
		return (uint8_t)(base / 8);
	case PURPOSE_FORM:
		return (uint8_t)(base / 4);
	default:
		return (uint8_t)base;
	}
}
