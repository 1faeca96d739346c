#include "focus/joint.h"

#include <math.h>

#include "base/base.h"

#define WAITING_MAX   ((size_t)4 << 20)
#define HALF_LIFE_MIN 60000.0 /* ms */
#define SCORE_STEPS   65535.0f
/* How much of the way to 1 a second opinion of the same strength goes. */
#define AGREEMENT 0.25f

void joint_release(struct joint *w)
{
	map_release(&w->scores);
	*w = (struct joint){ 0 };
}

float joint_combine(float before, float score, int64_t age_ms, int64_t run_ms)
{
	double half_life = MAX((double)run_ms / 2, HALF_LIFE_MIN);
	float old = before * (float)exp2(-(double)MAX(age_ms, 0) / half_life);
	float high = old > score ? old : score, low = old > score ? score : old;

	return high + AGREEMENT * low * (1 - high);
}

/* Seconds since the beginning above, the score below. */
static uint64_t pack(float score, int64_t at_ms)
{
	return (uint64_t)(at_ms / 1000) << 16 | (uint64_t)(score * SCORE_STEPS + 0.5f);
}

float joint_add(struct joint *w, uint64_t key, float score, int64_t now_ms,
		float *ret_before)
{
	int64_t run_ms = MAX(now_ms - w->start_ms, 0);
	uint64_t *v = map_find(&w->scores, key);

	*ret_before = -1;
	if (v) {
		*ret_before = (float)(*v & 0xffff) / SCORE_STEPS;
		score = joint_combine(*ret_before, score,
				      run_ms - (int64_t)(*v >> 16) * 1000, run_ms);
	} else {
		if (w->scores.n >= WAITING_MAX)
			return score;
		v = map_add(&w->scores, key, NULL);
	}
	*v = pack(score, run_ms);
	return score;
}

void joint_set(struct joint *w, uint64_t key, float score, int64_t now_ms)
{
	uint64_t *v = map_find(&w->scores, key);

	if (v)
		*v = pack(score, MAX(now_ms - w->start_ms, 0));
}

void joint_remove(struct joint *w, uint64_t key)
{
	map_remove(&w->scores, key);
}
