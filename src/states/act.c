#include "observe/frames.h"
#include "observe/scripts.h"
#include "states/explorer.h"

/* A candidate and where it is by now. */
struct target {
	const struct candidate *c;
	struct frame_chain chain;
};

/* An option that would delete something is neither chosen nor filled in. */
static void add_words_to_avoid(const struct explorer *x, struct json_out *o)
{
	const struct word_list *l = &guard_words[GUARD_DESTROY];

	json_key(o, STR("avoid"));
	json_open(o, '[');
	for (size_t i = 0; !x->options->guard.allow_destructive && i < l->n; i++)
		json_add_str(o, str_from(l->v[i]));
	json_close(o, ']');
}

/* `script` applied to {path, event, ...}; the answer is JSON text. */
static enum status run_script(struct explorer *x, struct str script,
			      const struct target *target, const char *event,
			      struct cdp_reply *ret, struct diag *why)
{
	const struct candidate *c = target->c;
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };
	const struct str_list *values = &x->options->values;

	script_add(&b, script);
	buf_add_char(&b, '(');
	json_open(&o, '{');
	json_put_str(&o, "path", target->chain.way);
	json_put_str(&o, "event", str_from(event));
	json_put_str(&o, "tag", c->tag);
	json_put_str(&o, "text", c->text);
	json_key(&o, STR("spot"));
	json_open(&o, '[');
	json_add_int(&o, c->spot[0]);
	json_add_int(&o, c->spot[1]);
	json_close(&o, ']');
	add_words_to_avoid(x, &o);
	json_put_uint(&o, "seed", (uint32_t)x->options->tab.seed);
	json_key(&o, STR("values"));
	json_open(&o, '{');
	for (size_t i = 0; i < values->n; i++) {
		size_t equals = str_find_char(values->v[i], '=');

		json_key(&o, str_slice(values->v[i], 0, equals));
		json_add_str(&o,
			     str_skip(values->v[i],
				      equals == STR_NONE ? values->v[i].n : equals + 1));
	}
	json_close(&o, '}');
	json_close(&o, '}');
	buf_add_char(&b, ')');
	return tab_evaluate_in(x->tab, frame_chain_last(&target->chain), buf_str(&b),
			       true, ret, why);
}

/* What was entered, for the exports: a line each of JSON. */
static void add_filled(struct explorer *x, const struct json *list)
{
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		struct json_out o = { .to = &x->filled };
		const struct json *part = json_first(v);

		json_open(&o, '[');
		for (int i = 0; i < 3 && part; i++, part = json_next(part))
			json_add_str(&o, json_str(part));
		json_close(&o, ']');
		buf_add_char(&x->filled, '\n');
	}
}

/* Fill; where the page says a value is invalid, fill again with another. */
static enum status fill(struct explorer *x, const struct target *t, const char *event,
			struct diag *why)
{
	for (int attempt = 0; attempt < 3; attempt++) {
		cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
		struct json *answer = NULL;

		TRY(run_script(x, script_fill, t, event, &reply, why));
		TRY(json_parse(tab_value_str(&reply), &answer, why));
		size_t invalid = json_count(json_get(answer, "invalid"));
		add_filled(x, json_get(answer, "filled"));
		json_release(&answer);
		if (invalid == 0)
			break;
	}
	return ST_OK;
}

static enum status point(struct explorer *x, enum event_kind event, double px, double py,
			 struct diag *why)
{
	switch (event) {
	case EVENT_DBLCLICK:
		return tab_mouse(x->tab, TAB_DOUBLE_CLICK, px, py, why);
	case EVENT_CONTEXTMENU:
		return tab_mouse(x->tab, TAB_CONTEXT_CLICK, px, py, why);
	case EVENT_HOVER:
		return tab_mouse(x->tab, TAB_HOVER, px, py, why);
	case EVENT_LONGPRESS:
		return tab_mouse(x->tab, TAB_LONG_PRESS, px, py, why);
	case EVENT_KEY:
		TRY(tab_key(x->tab, "Enter", why));
		TRY(tab_key(x->tab, "ArrowDown", why));
		return tab_key(x->tab, "a", why);
	default:
		return tab_mouse(x->tab, TAB_CLICK, px, py, why);
	}
}

/*
 * Scroll events and IntersectionObservers come with a frame, and the page's second
 * may be over before one is due; a picture draws one.
 */
static enum status draw_a_frame(struct explorer *x, struct diag *why)
{
	cleanup(buf_release) struct buf png = { 0 };

	enum status st = tab_screenshot(x->tab, false, &png, why);

	return st == ST_NOT_FOUND ? ST_OK : st;
}

static bool is_field(const struct candidate *c)
{
	return str_eq(c->tag, STR("input")) || str_eq(c->tag, STR("textarea"));
}

/* What stands under the pointer now is judged, whatever was meant. */
static enum status check_hit(struct explorer *x, const struct target *t,
			     const struct json *hit, struct diag *why)
{
	struct guard_facts f = {
		.says = json_str(json_get(hit, "says")),
		.marks = json_str(json_get(hit, "marks")),
		.around = json_str(json_get(hit, "around")),
		.href = json_str(json_get(hit, "href")),
	};
	const char *refusal =
		hit ? guard_refuses_hit(&x->options->guard, t->c, &f) : NULL;

	if (!refusal)
		return ST_OK;
	x->refused_hit = refusal;
	return diag_fail(why, ST_DENIED, "%s", refusal);
}

/* Do what act.js prepared: at the place it says, unless it did it itself. */
static enum status act_at(struct explorer *x, const struct target *t,
			  enum event_kind event, const struct json *answer,
			  struct diag *why)
{
	struct str refusal = json_str(json_get(answer, "why"));
	double dx = 0, dy = 0;

	if (refusal.n)
		return diag_fail(why, ST_DENIED, STR_FMT, STR_ARG(refusal));
	if (json_bool(json_get(answer, "done"), false))
		return ST_OK;
	if (event == EVENT_KEY && is_field(t->c))
		return tab_key(x->tab, "Enter", why);
	if (event != EVENT_HOVER)
		TRY(check_hit(x, t, json_get(answer, "hit"), why));
	TRY(frame_chain_place(x->tab, &t->chain, false, &dx, &dy, why));
	/* A frame in another process is hit where it was last drawn. */
	if (t->chain.n)
		TRY(draw_a_frame(x, why));
	return point(x, event, dx + json_number(json_get(answer, "x"), 0),
		     dy + json_number(json_get(answer, "y"), 0), why);
}

static enum status act(struct explorer *x, const struct target *t, enum event_kind event,
		       struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	const char *name = event == EVENT_SUBMIT ? "click" : event_name(event).p;
	struct json *answer = NULL;
	double dx, dy;

	if (event == EVENT_SUBMIT)
		TRY(fill(x, t, "submit", why));
	if (event == EVENT_KEY && is_field(t->c))
		TRY(fill(x, t, "key", why));
	TRY(frame_chain_place(x->tab, &t->chain, true, &dx, &dy, why));
	TRY(run_script(x, script_act, t, name, &reply, why));
	TRY(json_parse(tab_value_str(&reply), &answer, why));
	enum status st = act_at(x, t, event, answer, why);
	json_release(&answer);
	return st;
}

/* Point at what shows the element, and at nothing on the way there. */
static enum status point_before(struct explorer *x, const struct candidate *c,
				struct diag *why)
{
	struct candidate around = { .path = c->hover, .tag = STR(""), .text = STR("") };
	struct target t = { .c = &around };

	TRY(frame_chain_find(x->tab, c->hover, &t.chain, why));
	return act(x, &t, EVENT_HOVER, why);
}

/*
 * The pointer leaves what it was over, so that hovering starts afresh; but not in a
 * state that is there because something was pointed at: it may end when it leaves.
 */
static enum status prepare_pointer(struct explorer *x, const struct deed *d,
				   struct diag *why)
{
	const struct deed *first = model_first_deed(x->model, d->state);

	if (d->event == EVENT_KEY ||
	    (first && first->event == EVENT_HOVER && x->hovering))
		return ST_OK;
	return tab_mouse(x->tab, TAB_HOVER, 0, 0, why);
}

/*
 * What shows only because the pointer happens to rest there is no part of the state: it
 * would not be there after a return by another way.
 */
static enum status leave_what_was_clicked(struct explorer *x, enum event_kind event,
					  struct diag *why)
{
	switch (event) {
	case EVENT_CLICK:
	case EVENT_DBLCLICK:
	case EVENT_CONTEXTMENU:
	case EVENT_LONGPRESS:
	case EVENT_SUBMIT:
		return tab_mouse(x->tab, TAB_HOVER, 0, 0, why);
	default:
		return ST_OK;
	}
}

/* A window of the same site is where the event leads; it is shown in the tab itself. */
static enum status follow_window(struct explorer *x, struct diag *why)
{
	cleanup(buf_release) struct buf url = { 0 };
	struct diag reason;

	if (!tab_take_popup(x->tab, &url) ||
	    !guard_is_within(buf_str(&url), x->options->guard.origin))
		return ST_OK;
	enum status st =
		tab_goto(x->tab, buf_str(&url), (uint32_t)x->options->settle_ms, &reason);
	/* One that shows nothing leaves the page as it was. */
	if (st != ST_OK && !(st == ST_IO && x->browser.transport.open))
		return diag_fail(why, st, "%s", reason.text);
	return ST_OK;
}

/* An address that the page names: loaded as if it had been typed. */
static enum status open_address(struct explorer *x, const struct candidate *c,
				struct diag *why)
{
	uint64_t navigations = tab_navigations(x->tab);
	struct diag reason;

	x->here = x->kept = STATE_UNSEEN;
	x->hovering = false;
	enum status st =
		tab_goto(x->tab, c->href, (uint32_t)x->options->settle_ms, &reason);
	x->crossed = tab_navigations(x->tab) != navigations;
	/* A file that is offered for download shows nothing. */
	if (st == ST_IO && x->browser.transport.open)
		return diag_fail(why, ST_DENIED, "%s", reason.text);
	return st == ST_OK ? ST_OK : diag_fail(why, st, "%s", reason.text);
}

enum status explorer_act(struct explorer *x, const struct deed *d, enum wall_phase phase,
			 struct diag *why)
{
	const struct candidate *c =
		&x->model->states[d->state]->seen.candidates[d->candidate];
	enum event_kind event = (enum event_kind)d->event;
	struct target t = { .c = c };
	uint64_t navigations = tab_navigations(x->tab);

	cleanup(buf_release) struct buf old_window = { 0 };
	tab_take_popup(x->tab, &old_window);
	wall_begin(&x->wall, phase, worth_control(c, d->event));
	x->opening = event == EVENT_OPEN ? c->href : STR("");
	buf_reset(&x->filled);
	if (event == EVENT_OPEN)
		return open_address(x, c, why);
	x->dirty =
		x->dirty || event == EVENT_SUBMIT || event == EVENT_CHOOSE || is_field(c);
	TRY(prepare_pointer(x, d, why));
	enum status st = c->hover.n ? point_before(x, c, why) : ST_OK;
	if (st == ST_OK)
		st = frame_chain_find(x->tab, c->path, &t.chain, why);
	if (st == ST_OK)
		st = act(x, &t, event, why);
	/* A frame that has gone takes its elements with it. */
	TRY(st == ST_NOT_FOUND ? ST_DENIED : st);
	x->here = x->kept = STATE_UNSEEN;
	x->hovering = event == EVENT_HOVER;
	TRY(leave_what_was_clicked(x, event, why));
	if (event == EVENT_SCROLL)
		TRY(draw_a_frame(x, why));
	TRY(tab_settle(x->tab, (uint32_t)x->options->settle_ms, why));
	TRY(follow_window(x, why));
	x->crossed = tab_navigations(x->tab) != navigations;
	return ST_OK;
}
