#include "browser/tab_state.h"
#include "os/clock.h"

/*
 * The page's clock.  Time passes only while a budget is granted (tab_settle), as fast as
 * the page gets its work done.
 *
 * The browser's own processes keep the real time: input and frames carry it.  Input from
 * the future of a page is something that Chromium has checks for, which a renderer dies
 * of; a frame from its future waits until the page's clock gets there, which may be
 * never, and with it wait the movements of the pointer and the pictures.  So input is
 * stamped with the page's present, and the page's clock gets a head start that the real
 * one never makes up for.
 */
#define WALL_DEFAULT   1767225600000 /* 2026-01-01T00:00:00Z */
#define HEAD_START_MS  86400000
#define SETTLE_WAIT_MS 15000 /* real time for one budget, before the fallback */
#define QUIET_MS       500   /* the fallback: this long without request or change */
#define QUIET_STEP_MS  50
#define QUIET_WAIT_MS  5000
#define LOADS_MAX      20   /* in one budget; a page that needs more never ends */
#define POLICY_WAIT_MS 8000 /* a page that is not stuck answers in milliseconds */

/* What the page's clock said when it was set. */
static int64_t start_ms(const struct tab *t, bool with_head_start)
{
	int64_t wall = t->options.wall_ms ? t->options.wall_ms : WALL_DEFAULT;

	return with_head_start ? wall - HEAD_START_MS : wall;
}

struct time_policy {
	const char *name;
	uint32_t budget_ms; /* 0: for ever */
	bool head_start;
};

/*
 * `ret_base_ms` (may be NULL): the machine's clock when the page's process was given one
 * of its own.  The start is said each time: a page in a new process (another site) gets
 * what was said last, and the real time of day when nothing was; one that has it ignores
 * it.
 */
static enum status set_policy(struct tab *t, const struct time_policy *p,
			      double *ret_base_ms, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	int usual = t->browser->cdp.timeout_ms;

	buf_addf(&b, "{\"policy\":\"%s\",\"initialVirtualTime\":%.3f", p->name,
		 (double)start_ms(t, p->head_start) / 1000);
	/* A page that reloads itself for ever must not hold us: tasks are capped too. */
	if (p->budget_ms)
		buf_addf(&b,
			 ",\"budget\":%u,\"maxVirtualTimeTaskStarvationCount\":100000",
			 p->budget_ms);
	buf_add_char(&b, '}');
	t->browser->cdp.timeout_ms = POLICY_WAIT_MS;
	enum status st =
		tab_call(t, "Emulation.setVirtualTimePolicy", buf_str(&b), &reply, why);
	t->browser->cdp.timeout_ms = usual;
	if (st == ST_OK && ret_base_ms)
		*ret_base_ms =
			json_number(json_get(reply.result, "virtualTimeTicksBase"), 0);
	return st;
}

static bool budget_is_spent(void *ctx)
{
	struct tab *t = ctx;

	return t->budget_expired || t->crashed || t->loads > LOADS_MAX;
}

static bool never(void *ctx)
{
	(void)ctx;
	return false;
}

/*
 * Network idle and no navigation for a while, by the real clock; counted in steps, so
 * that a while in which everything was stopped does not look like one.
 */
static enum status settle_in_real_time(struct tab *t, struct diag *why)
{
	uint64_t seen = t->browser->cdp.events;
	int quiet_ms = 0;

	for (int ms = 0; ms < QUIET_WAIT_MS && quiet_ms < QUIET_MS; ms += QUIET_STEP_MS) {
		enum status st =
			cdp_wait(&t->browser->cdp, never, NULL, QUIET_STEP_MS, NULL);

		if (st != ST_TIMEOUT)
			return diag_fail(why, st, "the browser went away");
		if (t->loads > LOADS_MAX)
			break;
		bool quiet = t->browser->cdp.events == seen && t->request_count == 0;
		quiet_ms = quiet ? quiet_ms + QUIET_STEP_MS : 0;
		seen = t->browser->cdp.events;
	}
	return ST_OK;
}

static bool need_not_wait(void *ctx)
{
	return budget_is_spent(ctx) || tab_waits_in_vain(ctx);
}

/* The rest of the budget, without waiting for answers. */
static enum status go_on_without(struct tab *t, uint32_t budget_ms, struct diag *why)
{
	tab_refuse_overdue(t);
	TRY(set_policy(t, &(struct time_policy){ "advance", budget_ms, 0 }, NULL, why));
	return cdp_wait(&t->browser->cdp, budget_is_spent, t, SETTLE_WAIT_MS, why);
}

static enum status settle(struct tab *t, uint32_t budget_ms, struct diag *why)
{
	if (!t->virtual_time)
		return settle_in_real_time(t, why);
	t->budget_expired = t->fell_back = false;
	TRY(set_policy(
		t, &(struct time_policy){ "pauseIfNetworkFetchesPending", budget_ms, 0 },
		NULL, why));
	int wait_ms = t->options.settle_ms ? (int)t->options.settle_ms : SETTLE_WAIT_MS;
	enum status st = cdp_wait(&t->browser->cdp, need_not_wait, t, wait_ms, why);
	if (st == ST_OK && !budget_is_spent(t))
		st = go_on_without(t, budget_ms, why);
	if (st == ST_TIMEOUT) {
		t->fell_back = true;
		return settle_in_real_time(t, why);
	}
	TRY(st);
	return t->crashed ? diag_fail(why, ST_IO, "the page crashed") : ST_OK;
}

enum status tab_settle(struct tab *t, uint32_t budget_ms, struct diag *why)
{
	t->loads = 0;
	enum status st = settle(t, budget_ms, why);

	tab_gate_flush(t);
	browser_close_popups(t->browser);
	if (st == ST_OK && t->loads > LOADS_MAX)
		return diag_fail(why, ST_TIMEOUT,
				 "the page goes on to another one without end");
	return st;
}

enum status tab_stop_time(struct tab *t, struct diag *why)
{
	/*
	 * A frame in a process of its own has a clock of its own, and while one of them
	 * stands still the page cannot be drawn.  Our own browser gives no frame a
	 * process; a browser of others may.
	 */
	if (t->options.real_time || t->browser->options.ws_url)
		return ST_OK;
	t->real_zero_ms = (double)clock_wall_ms(&real_clock) -
			  (double)clock_mono_ns(&real_clock) / 1e6;
	t->budget_expired = false;
	TRY(set_policy(t, &(struct time_policy){ "pause", 0, true }, NULL, why));
	TRY(set_policy(t, &(struct time_policy){ "advance", HEAD_START_MS, true },
		       &t->head_base_ms, why));
	TRY(cdp_wait(&t->browser->cdp, budget_is_spent, t, SETTLE_WAIT_MS, why));
	t->virtual_time = true;
	return ST_OK;
}

enum status tab_moment(struct tab *t, double *ret_seconds, struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply now = { 0 };
	double base_ms = 0;

	TRY(set_policy(t, &(struct time_policy){ "pause", 0, 0 }, &base_ms, why));
	TRY(tab_evaluate(t, STR("Date.now()"), true, &now, why));
	double start = (double)start_ms(t, base_ms == t->head_base_ms);
	double passed_ms = json_number(tab_value(&now), start) - start;

	*ret_seconds = (t->real_zero_ms + base_ms + passed_ms) / 1000;
	return ST_OK;
}
