#include "render/learned.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

#define PROBATION   3  /* rendered for scripts, before a template is judged */
#define HOST_VAIN   24 /* of any need, before only samples are */
#define VAIN_MOST   8  /* in a row, of pages that show nothing or had paid often */
#define WATCH_EVERY 200

/* Measured: a trial costs what 80 plain pages do, so that this is some 3 of 100. */
#define PAGES_PER_TRIAL      5000 /* for scripts alone */
#define PAGES_PER_SIGN_TRIAL 2500
#define REPEATS_LEAST        4

#define LINKS_PAY   1
#define TEXT_PAYS   120 /* bytes, a sentence */
#define PERCENT_PAY 10

#define PRESS_TEMPLATE 2  /* pages of a template, in vain */
#define PRESS_HOST     10 /* of a host, in a row */

void render_learned_release(struct render_learned *l)
{
	map_release(&l->index);
	free(l->v);
	*l = (struct render_learned){ 0 };
}

/* Lives until the next call. */
static struct render_score *score_of(struct render_learned *l, uint64_t hash)
{
	uint64_t *at = map_add(&l->index, hash, NULL);

	if (*at == 0) {
		VEC_ADD(l->v, l->n, l->cap, (struct render_score){ 0 });
		*at = l->n;
	}
	return &l->v[*at - 1];
}

/* Hosts and templates are hashes of different things; they share the table. */
static uint64_t host_key(uint64_t host)
{
	return hash_mix(host ^ 0x686f7374);
}

/* Once may be chance: the more often it has paid, the longer it is trusted. */
static bool still_pays(const struct render_score *s)
{
	return s->paid > 0 && s->vain < MIN(VAIN_MOST, 1 + 2 * s->paid);
}

/* Most of its pages say what others say. */
static bool is_frame(const struct render_score *t)
{
	return t->plain >= REPEATS_LEAST && 3 * t->repeats >= 2 * t->plain;
}

/* How little need is tried now, where nothing of the template is known yet. */
static enum render_need trial_from(const struct render_learned *l,
				   const struct render_score *t,
				   const struct render_score *h)
{
	if (t->pending > 0 || t->rendered >= PROBATION)
		return NEED_LIKELY;
	/* A site whose pages scripts make, as far as is known. */
	if (h->paid > 0 && 3 * h->paid >= h->rendered)
		return NEED_SCRIPTS;
	if (h->pending > 0)
		return NEED_LIKELY;
	if (l->trials < l->pages / PAGES_PER_TRIAL)
		return NEED_SCRIPTS;
	if (h->vain == 0 || l->trials < l->pages / PAGES_PER_SIGN_TRIAL)
		return is_frame(t) ? NEED_SCRIPTS : NEED_SIGNS;
	return NEED_LIKELY;
}

struct render_bar render_threshold(struct render_learned *l, uint64_t template,
				   uint64_t host)
{
	struct render_score h = *score_of(l, host_key(host));
	struct render_score t = *score_of(l, template);

	if (still_pays(&t))
		return (struct render_bar){ NEED_SCRIPTS, NEED_NEVER };
	if (t.vain >= VAIN_MOST || h.vain >= HOST_VAIN) {
		bool watch = t.skipped % WATCH_EVERY == WATCH_EVERY - 1;

		return (struct render_bar){ watch ? NEED_LIKELY : NEED_NEVER,
					    NEED_NEVER };
	}
	return (struct render_bar){ trial_from(l, &t, &h),
				    t.rendered < PROBATION ? NEED_SCRIPTS : NEED_NEVER };
}

bool render_is_wanted(struct render_learned *l, uint64_t template, uint64_t host)
{
	struct render_score t = *score_of(l, template);

	return t.vain < VAIN_MOST && score_of(l, host_key(host))->vain < HOST_VAIN;
}

void render_note_plain(struct render_learned *l, uint64_t template, enum render_need need,
		       bool repeats)
{
	l->pages++;
	if (need < NEED_SCRIPTS)
		return;
	struct render_score *t = score_of(l, template);

	t->plain++;
	t->repeats += repeats;
}

static void change_pending(struct render_score *s, int change)
{
	if (change > 0)
		s->pending++;
	else if (s->pending > 0)
		s->pending--;
}

void render_note_pending(struct render_learned *l, uint64_t template, uint64_t host,
			 int change)
{
	change_pending(score_of(l, template), change);
	change_pending(score_of(l, host_key(host)), change);
	if (change > 0)
		l->trials++;
	else if (l->trials > 0)
		l->trials--;
}

bool render_pays(const struct render_yield *y)
{
	return y->links >= LINKS_PAY ||
	       (y->text_bytes >= TEXT_PAYS && y->percent >= PERCENT_PAY);
}

static void note(struct render_score *s, bool has_paid)
{
	change_pending(s, -1);
	s->rendered++;
	s->paid += has_paid;
	s->vain = has_paid ? 0 : s->vain + 1;
}

void render_learn(struct render_learned *l, uint64_t template, uint64_t host,
		  bool has_paid)
{
	note(score_of(l, template), has_paid);
	note(score_of(l, host_key(host)), has_paid);
	if (has_paid && l->trials > 0)
		l->trials--;
}

void render_note_skipped(struct render_learned *l, uint64_t template)
{
	score_of(l, template)->skipped++;
}

bool render_presses(struct render_learned *l, uint64_t template, uint64_t host)
{
	struct render_score t = *score_of(l, template);

	if (t.press_paid > 0)
		return t.press_vain < MIN(VAIN_MOST, 1 + 2 * t.press_paid);
	return t.press_vain < PRESS_TEMPLATE &&
	       score_of(l, host_key(host))->press_vain < PRESS_HOST;
}

static void note_press(struct render_score *s, bool has_paid)
{
	s->press_paid += has_paid;
	s->press_vain = has_paid ? 0 : s->press_vain + 1;
}

void render_learn_presses(struct render_learned *l, uint64_t template, uint64_t host,
			  bool has_paid)
{
	note_press(score_of(l, template), has_paid);
	note_press(score_of(l, host_key(host)), has_paid);
}
