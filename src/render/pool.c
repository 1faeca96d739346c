#include "render/pool.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/log.h"
#include "render/browser_thread.h"
#include "render/scripts.h"

#define ATTEMPTS       2
#define PAGES_MOST     400 /* of one browser, then it is started anew */
#define AGE_MOST_MS    ((int64_t)1800000)
#define MEMORY_MAX     ((uint64_t)3 << 30) /* of each of its processes */
#define REPLIES_MAX    (2 * REQUESTS_PER_PAGE)
#define PAGE_MOST_MS   ((int64_t)600000) /* waits for servers included */
#define TAB_REQUEST_MS 300000
#define TAB_SETTLE_MS  300000

void render_job_free(struct render_job *j)
{
	if (!j)
		return;
	buf_release(&j->url);
	buf_release(&j->header);
	buf_release(&j->body);
	rendering_free(j->result);
	free(j);
}

void render_message_free(struct render_message *m)
{
	buf_release(&m->url);
	buf_release(&m->fields);
	free(m);
}

/* --- one browser --- */

static void end_browser(struct render_browser *b)
{
	if (b->running)
		browser_release(&b->browser);
	b->running = false;
	b->tab = NULL;
}

static bool is_old(const struct render_browser *b)
{
	return b->pages >= PAGES_MOST ||
	       clock_mono_ms(&real_clock) - b->started_ms > AGE_MOST_MS;
}

static enum status start_browser(struct render_browser *b, struct diag *why)
{
	const struct render_options *o = &b->pool->options;
	int n = snprintf(b->profiles, sizeof(b->profiles), "%s/%u", o->profiles, b->nr);

	if (n < 0 || (size_t)n >= sizeof(b->profiles))
		return diag_fail(why, ST_TOO_LARGE, "the path of the crawl is too long");
	TRY(dir_make(o->profiles, why));
	TRY(browser_start(&b->browser,
			  &(struct browser_options){
				  .program = o->program,
				  .profiles = b->profiles,
				  .no_network = true,
				  .wake_fd = b->wake_fd,
				  .on_woken = render_take_replies,
				  .woken_ctx = b,
				  .memory_max = MEMORY_MAX,
			  },
			  why));
	b->running = true;
	b->pages = 0;
	b->started_ms = clock_mono_ms(&real_clock);
	return ST_OK;
}

static enum status ready_tab(struct render_browser *b, struct diag *why)
{
	if (b->running && (is_old(b) || !browser_alive(&b->browser)))
		end_browser(b);
	if (!b->running)
		TRY(start_browser(b, why));
	if (b->tab && tab_crashed(b->tab)) {
		tab_close(b->tab);
		b->tab = NULL;
	}
	if (b->tab)
		return ST_OK;
	return tab_open(&b->browser,
			&(struct tab_options){
				.gate = &b->gate,
				.user_agent = b->pool->options.user_agent,
				.wall_ms = clock_wall_ms(&real_clock),
				.prelude = &render_script_watch,
				.request_ms = TAB_REQUEST_MS,
				.settle_ms = TAB_SETTLE_MS,
			},
			&b->tab, why);
}

void render_allow(struct render_browser *b, uint32_t ms)
{
	b->allowed_ms = ms;
	b->browser.cdp.deadline_ms = MIN(clock_mono_ms(&real_clock) + ms, b->page_end_ms);
}

static enum status attempt(struct render_browser *b, struct diag *why)
{
	int64_t now = clock_mono_ms(&real_clock);

	rendering_free(b->out);
	b->out = NEW(struct rendering);
	b->given = false;
	TRY(ready_tab(b, why));
	b->page_end_ms = now + PAGE_MOST_MS;
	render_allow(b, b->pool->options.page_ms);
	b->pages++;
	return render_page(b, why);
}

/*
 * A page that failed leaves a browser that nobody knows anything of.  One that was taken
 * down before it hung has given what it had: that is not tried again.
 */
static void render(struct render_browser *b, struct render_job *j)
{
	int64_t start = clock_mono_ms(&real_clock);
	enum status st = ST_IO;
	struct diag why = { 0 };

	b->job = j;
	for (int i = 0; st != ST_OK && !b->cancelled && i < ATTEMPTS; i++) {
		st = attempt(b, &why);
		if (st != ST_OK)
			end_browser(b);
		if (st != ST_OK && b->out->dom.n > 0)
			st = ST_OK;
	}
	if (!b->out)
		b->out = NEW(struct rendering);
	b->out->end = b->cancelled  ? RENDER_CANCELLED
		      : st == ST_OK ? RENDER_DONE
				    : RENDER_FAILED;
	b->out->why = why;
	b->out->duration_ms = (uint32_t)(clock_mono_ms(&real_clock) - start);
	j->result = TAKE(b->out);
	b->job = NULL;
}

static void tell_end(struct render_browser *b, struct render_job *j)
{
	struct render_message *m = NEW(struct render_message);

	*m = (struct render_message){ .kind = RENDER_ENDED, .browser = b->nr, .job = j };
	if (queue_add(b->pool->out, m, QUEUE_FOREVER) != ST_OK) {
		render_message_free(m);
		render_job_free(j);
	}
}

static void run(void *arg)
{
	struct render_browser *b = arg;
	void *job;

	while (queue_take(&b->jobs, QUEUE_FOREVER, &job) == ST_OK) {
		render_take_replies(b); /* late ones, of the job before */
		render(b, job);
		tell_end(b, job);
	}
	end_browser(b);
}

/* --- the pool --- */

enum status render_pool_start(struct render_pool *p, const struct render_options *options,
			      struct queue *out, struct diag *why)
{
	*p = (struct render_pool){ .options = *options, .out = out, .open = true };
	p->v = xcalloc(options->browsers, sizeof(*p->v));
	for (unsigned i = 0; i < options->browsers; i++) {
		struct render_browser *b = &p->v[i];

		b->pool = p;
		b->nr = i;
		b->gate = render_gate(b);
		queue_init(&b->jobs, 1);
		queue_init(&b->replies, REPLIES_MAX);
		b->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		p->n++;
		if (b->wake_fd < 0)
			return diag_fail(why, ST_IO, "no descriptor for a browser");
		queue_wake_by(&b->replies, b->wake_fd);
		TRY(thread_start(&b->thread, "browser", run, b, why));
	}
	return ST_OK;
}

void render_pool_add(struct render_pool *p, struct render_job *j)
{
	struct render_browser *b = p->v;

	while (b < p->v + p->n && b->busy)
		b++;
	assert(b < p->v + p->n);
	b->busy = true;
	j->number = ++p->next_number;
	if (queue_add(&b->jobs, j, QUEUE_FOREVER) != ST_OK)
		render_job_free(j);
}

void render_pool_taken(struct render_pool *p, const struct render_message *m)
{
	p->v[m->browser].busy = false;
}

static void reply(struct render_pool *p, const struct render_message *to, int code,
		  struct str header, struct str body)
{
	struct render_reply *r = NEW(struct render_reply);

	*r = (struct render_reply){ .number = to->number,
				    .token = to->token,
				    .code = code };
	buf_add(&r->header, header);
	buf_add(&r->body, body);
	/* A browser that ends needs no more answers. */
	if (queue_add(&p->v[to->browser].replies, r, 0) != ST_OK)
		render_reply_free(r);
}

void render_pool_answer(struct render_pool *p, const struct render_message *to, int code,
			struct str header, struct str body)
{
	reply(p, to, code, header, body);
}

void render_pool_refuse(struct render_pool *p, const struct render_message *to,
			struct str why)
{
	reply(p, to, 0, why, STR(""));
}

void render_pool_cancel(struct render_pool *p)
{
	for (size_t i = 0; i < p->n; i++)
		queue_close(&p->v[i].replies);
}

void render_pool_stop(struct render_pool *p)
{
	void *left;

	if (!p->open)
		return;
	render_pool_cancel(p);
	for (size_t i = 0; i < p->n; i++)
		queue_close(&p->v[i].jobs);
	for (size_t i = 0; i < p->n; i++) {
		struct render_browser *b = &p->v[i];

		thread_join(&b->thread);
		while (queue_take(&b->jobs, 0, &left) == ST_OK)
			render_job_free(left);
		queue_release(&b->jobs);
		while (queue_take(&b->replies, 0, &left) == ST_OK)
			render_reply_free(left);
		queue_release(&b->replies);
		buf_release(&b->document.fields);
		buf_release(&b->document.body);
		if (b->wake_fd >= 0)
			close(b->wake_fd);
	}
	free(p->v);
	*p = (struct render_pool){ 0 };
}

enum status render_find_browser(const char *program, struct diag *why)
{
	return browser_find(program, why);
}
