#include "states/explore.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/intern.h"
#include "os/clock.h"
#include "os/file.h"
#include "states/choose.h"
#include "states/explorer.h"
#include "states/html_check.h"

#define TRIES          3   /* of one event that costs the tab or the browser */
#define FAILURES_MAX   100 /* in a row, without an event between */
#define PROBLEMS_BYTES 4096
#define PROBE_MS       3000 /* a browser that is well answers sooner */
#define LOOKS          3    /* at a page that changes under our eyes */
#define LOOK_AGAIN_MS  200  /* of its time, between */
#define FINISH_MS      3000 /* past the limit of time, to bring in what was seen */

enum status explorer_open_tab(struct explorer *x, struct diag *why)
{
	x->here = x->kept = STATE_UNSEEN;
	x->crossed = x->dirty = x->hovering = false;
	x->stored[0] = '\0';
	wall_begin(&x->wall, WALL_LOADING, 0);
	TRY(tab_open(&x->browser, &x->tab_options, &x->tab, why));
	if (x->options->cookies.n)
		return tab_call(x->tab, "Network.setCookies", x->options->cookies, NULL,
				why);
	return ST_OK;
}

/* What the user named as the sign of being logged in shows on the first page. */
static enum status check_login(struct explorer *x, struct diag *why)
{
	cleanup(buf_release) struct buf script = { 0 };
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	struct json_out o = { .to = &script };

	if (x->options->logged_in.n == 0)
		return ST_OK;
	buf_add(&script, STR("document.querySelector("));
	json_add_str(&o, x->options->logged_in);
	buf_add(&script, STR(") !== null"));
	TRY(tab_evaluate(x->tab, buf_str(&script), true, &reply, why));
	if (json_bool(tab_value(&reply), false))
		return ST_OK;
	return diag_fail(why, ST_DENIED, "not logged in: the first page has no " STR_FMT,
			 STR_ARG(x->options->logged_in));
}

/* What fails on our own disk ends the crawl; everything else is the page's or the
 * browser's. */
static enum status on_disk(struct explorer *x, enum status st)
{
	x->disk_failed = x->disk_failed || st != ST_OK;
	return st;
}

enum status explorer_take_traffic(struct explorer *x, struct diag *why)
{
	enum status st = tab_finish_traffic(x->tab, why);

	if (st != ST_OK)
		return st;
	return on_disk(x, traffic_take(&x->traffic, x->tab, why));
}

enum status explorer_save_traffic(struct explorer *x, struct diag *why)
{
	bool moved = false;

	if (x->tab)
		TRY(explorer_take_traffic(x, why));
	TRY(on_disk(x, traffic_commit(&x->traffic, &moved, why)));
	if (moved)
		model_set_traffic(x->model, &x->traffic.at);
	return ST_OK;
}

static bool is_of_the_page(enum status st)
{
	return st == ST_DENIED || st == ST_NOT_FOUND || st == ST_SYNTAX ||
	       st == ST_TOO_LARGE;
}

/*
 * A page that goes elsewhere while it is looked at is looked at again when it has
 * arrived.
 */
static enum status observe_again(struct explorer *x, struct diag *why)
{
	enum status st = observe_text(x->tab, &x->observing, &x->seen, why);

	for (int i = 1; i < LOOKS && is_of_the_page(st); i++) {
		TRY(tab_settle(x->tab, LOOK_AGAIN_MS, why));
		st = observe_text(x->tab, &x->observing, &x->seen, why);
	}
	return st;
}

/* The script's JSON into `x->seen`. */
static enum status look(struct explorer *x, struct observation *ret, struct diag *why)
{
	arena_reset(&x->scratch);
	TRY(observe_again(x, why));
	x->stats.observations++;
	TRY(observation_parse(buf_str(&x->seen), &x->scratch, ret, why));
	snprintf(x->stored, sizeof(x->stored), STR_FMT, STR_ARG(ret->stored));
	x->stats.opaque_frames = MAX(x->stats.opaque_frames, ret->opaque);
	x->stats.cut_candidates = MAX(x->stats.cut_candidates, ret->cut);
	return ST_OK;
}

enum status explorer_look(struct explorer *x, struct diag *why)
{
	struct observation o;
	struct identity id;

	TRY(look(x, &o, why));
	x->looked = o;
	identity_make(&o, &x->model->content, &x->scratch, &id);
	x->looked_id = id;
	x->here = model_find(x->model, &id);
	x->kept = model_kept(x->model, x->here, &id);
	return ST_OK;
}

/* A guess that leads nowhere is no fault of the page. */
static bool is_our_guess(const struct explorer *x, const struct note *n)
{
	struct str text = str_from(n->text);

	return n->kind == NOTE_BAD_STATUS && x->opening.n && str_ends(text, x->opening) &&
	       text.n == x->opening.n + 4;
}

static void collect_problems(struct explorer *x, struct buf *to)
{
	static const char *const kinds[] = {
		[NOTE_CONSOLE_ERROR] = "console",  [NOTE_EXCEPTION] = "exception",
		[NOTE_FAILED_REQUEST] = "request", [NOTE_BAD_STATUS] = "status",
		[NOTE_DIALOG] = "dialog",          [NOTE_POPUP] = "popup",
		[NOTE_DOWNLOAD] = "download",      [NOTE_CRASH] = "crash",
		[NOTE_HELD_BACK] = "held back",
	};
	size_t n;
	const struct note *notes = tab_notes(x->tab, &n);

	for (size_t i = 0; i < n && to->n < PROBLEMS_BYTES; i++)
		if (!is_our_guess(x, &notes[i]))
			buf_addf(to, "%s: %s\n", kinds[notes[i].kind], notes[i].text);
	tab_clear_notes(x->tab);
}

/* What the states so far offer to open. */
static void learn_offered(struct explorer *x)
{
	for (; x->offered_states < x->model->state_count; x->offered_states++) {
		const struct observation *o = &x->model->states[x->offered_states]->seen;

		for (size_t i = 0; i < o->candidate_count; i++)
			if (o->candidates[i].events & 1u << EVENT_OPEN)
				map_add(&x->offered, hash64(o->candidates[i].href) | 1,
					NULL);
	}
}

/*
 * Addresses that only files of the page name are offered by the first state that has the
 * file: every page of a site may load the same scripts.
 */
static enum status find_named(struct explorer *x, struct diag *why)
{
	struct str_list *l = &x->observing.named;
	size_t n = 0;

	l->n = 0;
	arena_reset(&x->named_bytes);
	if (!x->options->addresses)
		return ST_OK;
	enum status st = named_find(&x->named, x->tab, x->options->guard.origin,
				    &x->named_bytes, l, why);
	learn_offered(x);
	for (size_t i = 0; i < l->n; i++)
		if (!map_find(&x->offered, hash64(l->v[i]) | 1))
			l->v[n++] = l->v[i];
	l->n = n;
	return is_of_the_page(st) ? ST_OK : st;
}

static enum status look_for_all(struct explorer *x, struct observation *ret,
				struct diag *why)
{
	TRY(find_named(x, why));
	enum status st = look(x, ret, why);
	x->observing.named.n = 0;
	return st;
}

/* Checks look at a state once; what they find is the state's, not the event's. */
static enum status check_if_new(struct explorer *x, const struct observation *o,
				struct diag *why)
{
	const struct check_list *l = &x->options->checks;
	struct identity id;

	if (!l->accessibility && !l->html && l->n == 0)
		return ST_OK;
	identity_make(o, &x->model->content, &x->scratch, &id);
	if (model_find(x->model, &id) != STATE_UNSEEN)
		return ST_OK;
	if (l->html)
		html_check(o, &x->problems);
	return check_page(x->tab, l, &x->problems, why);
}

enum status explorer_look_and_record(struct explorer *x, struct diag *why)
{
	struct observation o;

	TRY(look_for_all(x, &o, why));
	buf_reset(&x->problems);
	collect_problems(x, &x->problems);
	TRY(check_if_new(x, &o, why));
	enum status st = model_add_state(x->model, buf_str(&x->seen),
					 buf_str(&x->problems), &x->here, why);
	/* Too many states are the application's fault, all else the disk's. */
	return st == ST_TOO_LARGE ? st : on_disk(x, st);
}

/* Classes that differ between two loads of the same page say nothing about its state. */
static void compare_classes(struct str html, struct intern *ret)
{
	struct str needle = STR(" class=\"");
	size_t at;

	while ((at = str_find(html, needle)) != STR_NONE) {
		struct str list = str_skip(html, at + needle.n), word;
		size_t end = str_find_char(list, '"');

		html = str_skip(list, end);
		list = str_slice(list, 0, end);
		while (str_take_until(&list, ' ', &word))
			if (word.n)
				intern_add(ret, word);
	}
}

static void add_missing(struct explorer *x, const struct intern *all,
			const struct intern *others)
{
	struct str_list *l = &x->observing.volatile_classes;

	for (uint32_t i = 0; i < all->n; i++)
		if (intern_find(others, intern_str(all, i)) == INTERN_NONE)
			VEC_ADD(l->v, l->n, l->cap,
				arena_copy(&x->classes, intern_str(all, i)));
}

static enum status learn_volatile(struct explorer *x, struct diag *why)
{
	cleanup(intern_release) struct intern first = { 0 }, second = { 0 };
	struct tab_options other = x->tab_options;
	struct tab *usual = x->tab, *t = NULL;
	struct observation o;

	TRY(look(x, &o, why));
	compare_classes(o.html, &first);
	other.seed++; /* other dice: what is random shows itself */
	TRY(tab_open(&x->browser, &other, &t, why));
	x->tab = t;
	enum status st =
		tab_goto(t, x->options->url, (uint32_t)x->options->settle_ms, why);
	if (st == ST_OK)
		st = look(x, &o, why);
	if (st == ST_OK) {
		compare_classes(o.html, &second);
		add_missing(x, &first, &second);
		add_missing(x, &second, &first);
		st = explorer_take_traffic(x, why);
	}
	/* With the browser all its tabs are gone. */
	if (st != ST_IO)
		tab_close(t);
	x->tab = usual;
	return st;
}

static enum status load_first(struct explorer *x, struct diag *why)
{
	struct diag unused;

	TRY(tab_goto(x->tab, x->options->url, (uint32_t)x->options->settle_ms, why));
	TRY(explorer_take_traffic(x, why));
	if (!x->learned) {
		enum status st = learn_volatile(x, &unused);

		if (st == ST_IO || st == ST_TIMEOUT)
			return diag_fail(why, st, "%s", unused.text);
		x->learned = st == ST_OK;
	}
	TRY(check_login(x, why));
	return explorer_look_and_record(x, why);
}

static enum status take_picture(struct explorer *x, uint32_t state, struct diag *why)
{
	cleanup(buf_release) struct buf png = { 0 };
	char path[4096];

	if (x->options->no_screenshots)
		return ST_OK;
	snprintf(path, sizeof(path), "%s/overview/screenshots/%u.png", x->model->dir,
		 state);
	if (file_exists(path))
		return ST_OK;
	enum status st = tab_screenshot(x->tab, false, &png, why);
	x->ran_on = tab_fell_back(x->tab);
	x->stats.fallbacks += x->ran_on;
	/* A state without a picture is a state. */
	if (st != ST_OK)
		return st == ST_NOT_FOUND ? ST_OK : st;
	return on_disk(x, file_save(path, buf_str(&png), why));
}

/* After an event: still on the site?  */
static bool left_site(const struct explorer *x)
{
	struct str url = tab_url(x->tab), origin = x->options->guard.origin;

	if (origin.n == 0 || str_starts(url, STR("about:")))
		return false;
	return !guard_is_within(url, origin);
}

/* What is about to be kept gets its picture, and a line in the list of pages, before
 * the log names it. */
static enum status save_page_and_traffic(struct explorer *x, struct diag *why)
{
	const struct raw_state *s = x->model->states[x->here];

	if (model_kept(x->model, x->here, &s->identity) == STATE_UNSEEN)
		TRY(on_disk(x, traffic_add_page(&x->traffic, s->seen.url, s->seen.title,
						why)));
	/* Of what will be merged, too, when it is met for the first time. */
	if (s->arrivals == 0)
		TRY(take_picture(x, x->here, why));
	return explorer_save_traffic(x, why);
}

/* A page whose clock had to run on is not what was observed any more. */
static void forget_what_ran_on(struct explorer *x)
{
	if (x->ran_on)
		x->here = x->kept = STATE_UNSEEN;
	x->ran_on = false;
}

static enum status end_deed(struct explorer *x, struct deed *d, enum deed_outcome outcome,
			    struct str words, struct diag *why)
{
	bool kept;

	d->outcome = (uint8_t)outcome;
	d->why = words;
	return on_disk(x, model_add_deed(x->model, d, &kept, why));
}

/* Beside the states, for the exports; fired again it is the same. */
static enum status save_filled(struct explorer *x, const struct deed *d, struct diag *why)
{
	char path[4096];

	if (x->filled.n == 0)
		return ST_OK;
	snprintf(path, sizeof(path), "%s/states/filled-%u-%u-%u.jsonl", x->model->dir,
		 d->state, d->candidate, d->event);
	return on_disk(x, file_save(path, buf_str(&x->filled), why));
}

static enum status record_outcome(struct explorer *x, struct deed *d, struct diag *why)
{
	struct diag reason;

	if (left_site(x)) {
		TRY(explorer_save_traffic(x, why));
		return end_deed(x, d, DEED_LEFT, tab_url(x->tab), why);
	}
	enum status st = explorer_look_and_record(x, &reason);
	if (is_of_the_page(st) && !x->disk_failed) {
		x->here = x->kept = STATE_UNSEEN;
		return end_deed(x, d, DEED_FAILED, str_from(reason.text), why);
	}
	if (st != ST_OK)
		return diag_fail(why, st, "%s", reason.text);
	TRY(save_page_and_traffic(x, why));
	TRY(save_filled(x, d, why));
	d->to = x->here;
	TRY(end_deed(x, d, DEED_DONE, buf_str(&x->problems), why));
	x->kept = model_kept(x->model, x->here, NULL);
	forget_what_ran_on(x);
	return ST_OK;
}

/* How many states of its template were explored in a row without bringing anything new.
 */
static uint64_t visits_of_template(const struct model *m, uint32_t state)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->simulation.kept_count; i++) {
		uint32_t other = m->simulation.kept[i];

		if (other == state)
			return n;
		if (m->states[other]->identity.template_hash ==
		    m->states[state]->identity.template_hash)
			n = m->states[other]->brought_new ? 0 : n + 1;
	}
	return n;
}

/* Why this event is not worth its time; NULL: it is. */
static const char *over_budget(const struct model *m, const struct explore_options *o,
			       const struct deed *d)
{
	struct attempt attempt = model_attempt(m, d);

	/* What was tried nowhere is never spared. */
	if (o->max_visits &&
	    worth_is_tried_at(&m->worth,
			      worth_spot(attempt.control,
					 worth_control(attempt.control, d->event),
					 attempt.url)) &&
	    visits_of_template(m, d->state) >= o->max_visits)
		return "its template brought nothing new for some time";
	if (o->max_fired && model_fired(m, d->state) >= o->max_fired)
		return "enough events were tried in this state";

	return worth_refuses(&m->worth, &attempt, &o->worth);
}

/*
 * An answer did not come, on the way or after the event; from now on the page is told so
 * at once, and what it makes of that is what the event leads to.
 */
static enum status try_again(struct explorer *x, enum status st,
			     const struct diag *reason, struct diag *why)
{
	x->here = x->kept = STATE_UNSEEN;
	if (st != ST_OK && st != ST_DENIED)
		return diag_fail(why, st, "%s", reason->text);
	return ST_AGAIN;
}

static enum status one_event(struct explorer *x, struct deed *d, struct diag *why)
{
	const struct explore_options *o = x->options;
	const struct candidate *c =
		&x->model->states[d->state]->seen.candidates[d->candidate];
	const char *refusal = guard_refuses(&o->guard, c);
	struct diag reason;

	if (refusal)
		return end_deed(x, d, DEED_REFUSED, str_from(refusal), why);
	refusal = over_budget(x->model, o, d);
	if (refusal)
		return end_deed(x, d, DEED_SKIPPED, str_from(refusal), why);
	x->arrived = false;
	x->refused_hit = NULL;
	/* The last one could not be replaced at once. */
	if (!x->tab)
		TRY(explorer_open_tab(x, why));
	enum status st = explorer_go(x, d, &reason);
	x->arrived = st == ST_OK;
	/* A fresh tab that could not be had leaves none. */
	if (!x->tab)
		return diag_fail(why, st, "%s", reason.text);
	if (st == ST_NOT_FOUND && tab_take_stalled(x->tab))
		return try_again(x, ST_OK, &reason, why);
	if (st == ST_NOT_FOUND)
		return on_disk(
			x, model_give_up(x->model, d->state, str_from(reason.text), why));
	/* What the way here complained about is not the event's. */
	if (st == ST_OK)
		tab_clear_notes(x->tab);
	if (st == ST_OK)
		st = explorer_act(x, d, WALL_FIRING, &reason);
	if (tab_take_stalled(x->tab))
		return try_again(x, st, &reason, why);
	if (st == ST_DENIED)
		return end_deed(x, d, x->refused_hit ? DEED_REFUSED : DEED_FAILED,
				str_from(reason.text), why);
	if (st != ST_OK)
		return diag_fail(why, st, "%s", reason.text);
	x->stats.events++;
	x->stats.fallbacks += tab_fell_back(x->tab);
	return record_outcome(x, d, why);
}

/* A page that hangs or crashed takes its tab with it; the browser may be well. */
static enum status replace_tab(struct explorer *x, struct diag *why)
{
	struct cdp *c = &x->browser.cdp;
	int usual = c->timeout_ms;

	c->timeout_ms = PROBE_MS;
	enum status st = cdp_call(c, STR(""), "Browser.getVersion", STR(""), NULL, why);
	if (st == ST_OK && x->tab)
		tab_close(TAKE(x->tab));
	c->timeout_ms = usual;
	return st == ST_OK ? explorer_open_tab(x, why) : st;
}

static enum status revive(struct explorer *x, struct diag *why)
{
	struct diag unused;

	x->stats.restart_reason = *why;
	if (replace_tab(x, &unused) == ST_OK) {
		x->stats.tabs_replaced++;
		return ST_OK;
	}
	x->stats.restarts++;
	x->tab = NULL;
	TRY(browser_restart(&x->browser, why));
	return explorer_open_tab(x, why);
}

/* An event that kills the page again and again, or a state on the way to which it dies.
 */
static enum status give_up(struct explorer *x, struct deed *d, struct diag *why)
{
	if (x->arrived)
		return end_deed(x, d, DEED_FAILED, STR("the page hangs or dies of it"),
				why);
	return on_disk(x, model_give_up(x->model, d->state,
					STR("the page hangs or dies on the way there"),
					why));
}

static bool time_is_up(const struct explorer *x)
{
	return x->deadline_ms && clock_mono_ms(&real_clock) >= x->deadline_ms;
}

/*
 * A page that takes all the time there is leaves none to look at it without its scripts:
 * half of it is for the first try, half of the rest for the next.
 */
static void limit_start(struct explorer *x, int tries)
{
	int64_t now = clock_mono_ms(&real_clock);

	if (x->deadline_ms)
		x->browser.cdp.deadline_ms = tries + 1 < TRIES
						     ? now + (x->deadline_ms - now) / 2
						     : x->deadline_ms;
}

/* The first load is tried like any event. */
static enum status start(struct explorer *x, struct diag *why)
{
	int usual = x->browser.cdp.timeout_ms;

	if (x->options->max_ms)
		x->browser.cdp.timeout_ms =
			(int)MIN(MAX(x->options->max_ms / 5, 2000), CDP_TIMEOUT_MS);
	limit_start(x, 0);
	enum status st = explorer_open_tab(x, why);
	if (st == ST_OK)
		st = load_first(x, why);
	for (int i = 1; i < TRIES && st != ST_OK && !x->disk_failed && !time_is_up(x);
	     i++) {
		struct diag reason = *why;
		bool hung = st == ST_TIMEOUT;

		limit_start(x, i);
		st = revive(x, &reason);
		/* A page that never stands still has to do without its scripts, and is
		 * not compared with another load of it. */
		if (st == ST_OK && (i + 1 == TRIES || hung)) {
			x->learned = x->without_scripts = true;
			st = tab_call(x->tab, "Emulation.setScriptExecutionDisabled",
				      STR("{\"value\":true}"), NULL, why);
		}
		if (st == ST_OK)
			st = load_first(x, why);
	}
	x->browser.cdp.timeout_ms = usual;
	x->browser.cdp.deadline_ms = x->deadline_ms;
	return st;
}

/* Events that were fired, in this run and in those that it resumes. */
static uint64_t fired(const struct model *m)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->deed_count; i++)
		n += m->deeds[i].outcome == DEED_DONE || m->deeds[i].outcome == DEED_LEFT;
	return n;
}

static bool limit_is_reached(struct explorer *x)
{
	const struct explore_options *o = x->options;

	if (o->max_states && x->model->simulation.kept_count >= o->max_states)
		x->stats.end = END_MAX_STATES;
	else if (time_is_up(x))
		x->stats.end = END_MAX_TIME;
	else if (o->max_events && fired(x->model) >= o->max_events)
		x->stats.end = END_MAX_EVENTS;
	/* The rule of three: after n events without anything new, the next one brings
	 * something with a probability under 3/n (95 %). */
	else if (o->enough > 0 && (double)x->model->worth.quiet * o->enough >= 3)
		x->stats.end = END_ENOUGH;
	else
		return false;
	return true;
}

/* The browser cannot be had again, or the disk is full: what was seen stays. */
static enum status end_early(struct explorer *x, enum status st, const struct diag *why)
{
	x->stats.end = END_ERROR;
	x->stats.end_reason = *why;
	return x->disk_failed ? st : ST_OK;
}

/* "Everything was tried" is not true of a page that was only seen without its scripts. */
static enum status admit_gap(struct explorer *x)
{
	struct diag gap;

	if (!x->without_scripts || x->stats.end != END_EXHAUSTED)
		return ST_OK;
	diag_say(&gap, "the start page hangs; it was looked at without its scripts");
	return end_early(x, ST_OK, &gap);
}

static enum status run(struct explorer *x, explore_progress_fn *progress, void *ctx,
		       struct diag *why)
{
	unsigned failures = 0;
	struct deed d;

	while (choose_next(x->model, (uint32_t)x->options->max_depth, &d)) {
		if (limit_is_reached(x))
			return ST_OK;
		enum status st = one_event(x, &d, why);
		if (st != ST_OK && st != ST_AGAIN) {
			if (time_is_up(x))
				continue;
			if (x->disk_failed || ++failures >= FAILURES_MAX)
				return end_early(x, st, why);
			st = revive(x, why);
			if (st == ST_OK && failures % TRIES == 0)
				st = give_up(x, &d, why);
			if (st != ST_OK && !time_is_up(x) && failures % TRIES == 0)
				return end_early(x, st, why);
			continue;
		}
		if (st == ST_AGAIN)
			continue;
		failures = 0;
		if (progress && !progress(ctx, x->model, &x->stats))
			return x->stats.end = END_STOPPED, ST_OK;
	}
	return ST_OK;
}

static void explorer_release(struct explorer *x)
{
	browser_release(&x->browser);
	wall_release(&x->wall);
	traffic_release(&x->traffic);
	str_list_release(&x->observing.volatile_classes);
	str_list_release(&x->observing.named);
	named_release(&x->named);
	arena_release(&x->named_bytes);
	map_release(&x->offered);
	buf_release(&x->seen);
	buf_release(&x->problems);
	buf_release(&x->filled);
	arena_release(&x->scratch);
	arena_release(&x->classes);
}

static void keep_write(void *ctx, const struct written *w)
{
	struct explorer *x = ctx;
	struct diag unused;

	if (on_disk(x, model_add_write(x->model, w, &unused)) != ST_OK)
		return;
	x->wall.known = (const struct written *const *)x->model->writes;
}

/* Nothing leaves the browser unjudged. */
static void build_wall(struct explorer *x, struct wall_options *options)
{
	*options = x->options->wall;
	options->guard = x->options->guard;
	options->start = x->options->url;
	options->any_address =
		x->options->browser.host_rules || x->options->browser.proxy;
	x->wall = (struct wall){
		.options = options,
		.known = (const struct written *const *)x->model->writes,
		.known_count = &x->model->write_count,
		.keep = keep_write,
		.ctx = x,
	};
	x->gate = wall_gate(&x->wall);
	x->tab_options = x->options->tab;
	x->tab_options.gate = &x->gate;
}

/* Its profile is in the crawl's own folder, so that a killed crawl leaves none behind. */
static enum status start_browser(struct explorer *x, struct diag *why)
{
	struct browser_options o = x->options->browser;

	snprintf(x->profiles, sizeof(x->profiles), "%s/state/browser", x->model->dir);
	o.profiles = x->profiles;
	return browser_start(&x->browser, &o, why);
}

static enum status save_traffic_now(struct explorer *x, struct diag *why)
{
	TRY(explorer_save_traffic(x, why));
	return on_disk(x, model_save_traffic(x->model, why));
}

/* The first page is there: its picture, its line in the list of pages, its traffic. */
static enum status begin(struct explorer *x, struct diag *why)
{
	struct model *m = x->model;

	x->kept = 0;
	if (x->here != 0 && m->state_count > 1)
		x->kept = model_kept(m, x->here, &m->states[x->here]->identity);
	/* Another start page than that of the crawl begun: its states have ways of their
	 * own. */
	x->stats.start_changed = x->kept != 0;
	if (m->traffic.archive.page_bytes == 0)
		TRY(on_disk(x, traffic_add_page(&x->traffic, m->states[0]->seen.url,
						m->states[0]->seen.title, why)));
	if (!x->stats.start_changed)
		TRY(take_picture(x, 0, why));
	forget_what_ran_on(x);
	return save_traffic_now(x, why);
}

/* Bring in what is there; past the limit of time only as long as that takes. */
static enum status finish(struct explorer *x, struct diag *why)
{
	struct diag unused;

	if (x->deadline_ms)
		x->browser.cdp.deadline_ms = clock_mono_ms(&real_clock) + FINISH_MS;
	if (!x->disk_failed && save_traffic_now(x, &unused) != ST_OK && x->disk_failed)
		return diag_fail(why, ST_IO, "%s", unused.text);
	x->stats.exchanges = x->traffic.exchanges;
	x->stats.writes_sent = x->wall.sent;
	x->stats.writes_answered = x->wall.answered;
	x->stats.held_back = x->wall.held_back;
	x->stats.exchanges_skipped = x->traffic.skipped;
	return x->disk_failed ? ST_OK : traffic_close(&x->traffic, why);
}

enum status explore(struct model *m, const struct explore_options *options,
		    explore_progress_fn *progress, void *ctx, struct explore_stats *ret,
		    struct diag *why)
{
	cleanup(explorer_release) struct explorer x = {
		.model = m,
		.options = options,
		.here = STATE_UNSEEN,
		.observing = { .scroll = options->scroll,
			       .addresses = options->addresses,
			       .include = options->guard.include,
			       .exclude = options->guard.exclude,
			       .strip = options->strip },
	};
	struct wall_options walls;
	char path[4096];
	struct diag reason;

	build_wall(&x, &walls);
	if (options->max_ms)
		x.deadline_ms = clock_mono_ms(&real_clock) + (int64_t)options->max_ms;
	snprintf(path, sizeof(path), "%s/overview/screenshots", m->dir);
	TRY(dir_make(path, why));
	TRY(traffic_open(&x.traffic, m->dir, options->max_traffic, &m->traffic, why));
	TRY(start_browser(&x, why));
	x.browser.cdp.deadline_ms = x.deadline_ms;
	enum status st = start(&x, &reason);
	if (st == ST_OK)
		st = begin(&x, &reason);
	/* What was seen before is worth its overview whatever the start page does today.
	 */
	if (st != ST_OK && m->state_count == 0)
		return diag_fail(why, st, "%s", reason.text);
	if (st == ST_OK)
		st = run(&x, progress, ctx, &reason);
	if (st == ST_OK)
		st = admit_gap(&x);
	else
		st = end_early(&x, st, &reason);
	struct diag more;
	enum status end = finish(&x, &more);
	*ret = x.stats;
	if (st == ST_OK && end != ST_OK)
		return diag_fail(why, end, "%s", more.text);
	return st == ST_OK ? ST_OK : diag_fail(why, st, "%s", reason.text);
}
