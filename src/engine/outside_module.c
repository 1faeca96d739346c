#include "engine/outside_module.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "engine/focused.h"
#include "engine/steps.h"
#include "focus/page_line.h"
#include "os/child.h"
#include "os/log.h"

#define PENDING_PAGES  1024 /* sent and not answered */
#define TO_SEND_BYTES  ((size_t)8 << 20)
#define ANSWER_BYTES   ((size_t)1 << 20) /* of one line */
#define ANSWER_MS      60000             /* later it is forgotten */
#define START_MS       1000 /* between two starts; doubles with each that was in vain */
#define STARTS_IN_VAIN 6
#define SETTLE_MS      10000 /* a simulation waits for an answer */

/* A link of a page that was sent. */
struct sent_link {
	struct str url;
	struct u128 key;
	uint32_t depth;
	uint8_t purpose, penalty;
	bool has_scores;
	char scores[SCORES_BYTES];
};

struct sent_page {
	uint64_t id; /* 0: free */
	int64_t at_ms;
	struct str url, scores;
	bool is_new;
	size_t n;
	struct sent_link *links; /* one piece of memory, the strings too */
};

struct outside_module {
	struct crawl *crawl;
	struct child child;
	struct watch in, out; /* its output, its input */
	struct timer again;
	struct buf to_send, received;
	size_t sent_bytes; /* of to_send */
	uint64_t next_id;
	struct sent_page pages[PENDING_PAGES]; /* by id */
	unsigned in_vain;                      /* ends without an answer, in a row */
	bool has_answered;                     /* since its start */
	bool is_given_up;
	uint64_t malformed; /* lines */
};

/* --- pages that were sent --- */

static void forget(struct sent_page *p)
{
	free(p->links);
	*p = (struct sent_page){ 0 };
}

static size_t text_bytes(const struct crawl_item *i, size_t n)
{
	size_t bytes = i->step.task.url.n + i->step.task.scores.n;

	for (size_t k = 0; k < n; k++)
		bytes += i->links[k].url.n;
	return bytes;
}

static struct str keep(char **at, struct str s)
{
	struct str kept = { *at, s.n };

	memcpy(*at, s.p, s.n);
	*at += s.n;
	return kept;
}

static void remember(struct sent_page *p, const struct crawl_item *i, uint64_t id,
		     int64_t now_ms)
{
	size_t n = MIN(i->n_links, (size_t)PAGE_LINE_LINKS);

	forget(p);
	p->links = xcalloc(1, n * sizeof(*p->links) + text_bytes(i, n) + 1);
	char *at = (char *)(p->links + n);
	p->id = id;
	p->at_ms = now_ms;
	p->n = n;
	p->is_new = i->novel;
	p->url = keep(&at, i->step.task.url);
	p->scores = keep(&at, i->step.task.scores);
	for (size_t k = 0; k < n; k++) {
		const struct discovery *d = &i->links[k];
		struct sent_link *l = &p->links[k];

		l->url = keep(&at, d->url);
		l->key = d->hash;
		l->depth = d->depth;
		l->purpose = d->purpose;
		l->penalty = d->penalty;
		l->has_scores = d->scores.n == SCORES_BYTES;
		if (l->has_scores)
			memcpy(l->scores, d->scores.p, SCORES_BYTES);
	}
}

/* --- answers --- */

/* Priority and score in one number of the journal. */
#define SCORE_STEPS 65535.0f

static void write_down(struct crawl *c, const struct sent_link *l, uint8_t priority,
		       float said)
{
	crawl_blind(c, BLIND_CONTROL);
	journal_batch_add(
		c, &(struct journal_record){
			   .kind = JOURNAL_STEERED,
			   .steered = { .what = STEER_MODULE,
					.url = l->url,
					.key = l->key,
					.number = (uint64_t)(said * SCORE_STEPS + 0.5f)
							  << 8 |
						  priority,
					.now_ms = clock_wall_ms(c->clock) } });
}

static enum status veto(struct outside_module *m, const struct sent_link *l,
			struct diag *why)
{
	struct discovery d = {
		.url = l->url, .via = STR(""), .hash = l->key, .purpose = l->purpose
	};

	return steered_drop(m->crawl, &d, REASON_VETO_MODULE, STR(""), why);
}

static enum status take_link(struct outside_module *m, const struct sent_link *l,
			     float said, struct diag *why)
{
	struct crawl *c = m->crawl;
	struct focus_scores s = focus_scores_none();

	if (said > 1 || !frontier_is_queued(&c->frontier, l->key))
		return ST_OK;
	if (said < 0)
		return veto(m, l, why);
	if (l->has_scores &&
	    focus_scores_decode((struct str){ l->scores, SCORES_BYTES }, &s) != ST_OK)
		s = focus_scores_none();
	uint8_t priority =
		ranker_add_outside(&c->focused->ranker,
				   &(struct discovery){ .hash = l->key,
							.depth = l->depth,
							.purpose = l->purpose,
							.penalty = l->penalty },
				   &s, said, crawl_time_ms(c));
	TRY(frontier_rescore(&c->frontier, l->url, l->key, priority, why));
	write_down(c, l, priority, said);
	c->idle_until_ms = 0;
	return ST_OK;
}

bool outside_module_judges(const struct crawl *c)
{
	return c->outside_module && c->focused && c->focused->focus.terms.n == 0;
}

static enum status take_answer(struct outside_module *m, struct str line,
			       struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct module_answer answer;

	TRY(module_answer_parse(line, &a, &answer, why));
	struct sent_page *p = &m->pages[answer.id % PENDING_PAGES];
	if (p->id != answer.id || answer.id == 0)
		return diag_fail(why, ST_SYNTAX, "no page %llu waits for an answer",
				 (unsigned long long)answer.id);
	m->crawl->counts.module_answered++;
	m->has_answered = true;
	if (outside_module_judges(m->crawl) && answer.score <= 1)
		ranker_learn(&m->crawl->focused->ranker,
			     &(struct ranker_answer){ .url = p->url,
						      .scores = p->scores,
						      .relevance = MAX(answer.score, 0),
						      .is_new = p->is_new });
	enum status st = ST_OK;
	for (size_t k = 0; k < p->n && st == ST_OK; k++)
		st = take_link(m, &p->links[k], module_answer_of(&answer, k), why);
	forget(p);
	if (st != ST_OK && st != ST_NOT_FOUND)
		crawl_fail(m->crawl, st, why);
	return ST_OK;
}

static void take_lines(struct outside_module *m)
{
	struct str rest = buf_str(&m->received);
	struct diag why;
	size_t end;

	while ((end = str_find_char(rest, '\n')) != STR_NONE) {
		struct str line = str_slice(rest, 0, end);

		rest = str_skip(rest, end + 1);
		if (line.n == 0 || take_answer(m, line, &why) == ST_OK)
			continue;
		if (m->malformed++ < 10)
			log_event(LOG_WARN, "module", "an answer is not understood: %s",
				  why.text);
	}
	memmove(m->received.p, rest.p, rest.n);
	m->received.n = rest.n;
	if (m->received.n > ANSWER_BYTES) {
		m->malformed++;
		buf_reset(&m->received);
	}
}

/* --- the process --- */

static void close_watch(struct outside_module *m, struct watch *w)
{
	loop_unwatch(&m->crawl->loop, w);
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}

static void end_child(struct outside_module *m)
{
	if (m->in.fd >= 0)
		close_watch(m, &m->in);
	if (m->out.fd >= 0)
		close_watch(m, &m->out);
	child_release(&m->child);
	m->sent_bytes = 0;
	buf_reset(&m->to_send);
	buf_reset(&m->received);
	for (size_t k = 0; k < PENDING_PAGES; k++) {
		m->crawl->counts.module_missed += m->pages[k].id != 0;
		forget(&m->pages[k]);
	}
}

/* It ended, or broke a pipe: later again, unless that never helps. */
static void lost(struct outside_module *m)
{
	if (m->in.fd < 0)
		return;
	end_child(m);
	m->in_vain = m->has_answered ? 1 : m->in_vain + 1;
	m->is_given_up = m->in_vain >= STARTS_IN_VAIN;
	log_event(LOG_WARN, "module", "the module has ended; %s",
		  m->is_given_up ? "it is not started again" : "it is started again");
	if (!m->is_given_up)
		loop_timer_set(&m->crawl->loop, &m->again,
			       clock_mono_ms(m->crawl->loop.clock) +
				       ((int64_t)START_MS << (m->in_vain - 1)));
}

static void readable(struct watch *w, unsigned events)
{
	struct outside_module *m = w->arg;

	(void)events;
	for (;;) {
		char *p = buf_reserve(&m->received, 64 << 10);
		ssize_t n = read(w->fd, p, 64 << 10);

		if (n > 0) {
			m->received.n += (size_t)n;
			take_lines(m);
			continue;
		}
		if (n == 0 || (errno != EAGAIN && errno != EINTR))
			lost(m);
		return;
	}
}

static bool send_some(struct outside_module *m)
{
	struct diag why;

	while (m->sent_bytes < m->to_send.n) {
		ssize_t n = write(m->out.fd, m->to_send.p + m->sent_bytes,
				  m->to_send.n - m->sent_bytes);

		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return false;
		if (n <= 0)
			break;
		m->sent_bytes += (size_t)n;
	}
	bool is_done = m->sent_bytes == m->to_send.n;
	if (is_done) {
		m->sent_bytes = 0;
		buf_reset(&m->to_send);
		loop_unwatch(&m->crawl->loop, &m->out);
		return true;
	}
	return loop_watch(&m->crawl->loop, &m->out, LOOP_WRITE, &why) == ST_OK;
}

static void writable(struct watch *w, unsigned events)
{
	(void)events;
	if (!send_some(w->arg))
		lost(w->arg);
}

static enum status start(struct outside_module *m, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	const char *argv[] = { "sh", "-c", path_join(&a, "", m->crawl->settings->module),
			       NULL };
	struct child_pipe pipes[] = { { .child_fd = 0, .to_child = true },
				      { .child_fd = 1 } };

	m->has_answered = false;
	TRY(child_start(&m->child, argv,
			&(struct child_options){ .pipes = pipes, .pipe_count = 2 }, why));
	m->out = (struct watch){ .fd = pipes[0].fd, .ready = writable, .arg = m };
	m->in = (struct watch){ .fd = pipes[1].fd, .ready = readable, .arg = m };
	return loop_watch(&m->crawl->loop, &m->in, LOOP_READ, why);
}

static void start_again(struct timer *t)
{
	struct outside_module *m = t->arg;
	struct diag why;

	if (start(m, &why) != ST_OK) {
		log_event(LOG_WARN, "module", "%s", why.text);
		m->is_given_up = true;
	}
}

enum status outside_module_open(struct crawl *c, struct diag *why)
{
	if (c->settings->module.n == 0 || c->settings->dry_run || !c->focused)
		return ST_OK;
	struct outside_module *m = NEW(struct outside_module);
	*m = (struct outside_module){ .crawl = c, .next_id = 1 };
	m->in.fd = m->out.fd = -1;
	m->again = (struct timer){ .fire = start_again, .arg = m };
	c->outside_module = m;
	return start(m, why);
}

void outside_module_release(struct crawl *c)
{
	struct outside_module *m = TAKE(c->outside_module);

	if (!m)
		return;
	loop_timer_clear(&c->loop, &m->again);
	end_child(m);
	buf_release(&m->to_send);
	buf_release(&m->received);
	free(m);
}

/* --- pushing --- */

/* One request at a time and no clock: the answer is part of the step. */
static void settle(struct outside_module *m, uint64_t id)
{
	int64_t until = clock_mono_ms(&real_clock) + SETTLE_MS;

	while (m->in.fd >= 0 && m->pages[id % PENDING_PAGES].id == id) {
		struct pollfd p[2] = { { .fd = m->in.fd, .events = POLLIN },
				       { .fd = m->out.fd, .events = POLLOUT } };
		nfds_t n = m->sent_bytes < m->to_send.n ? 2 : 1;
		int64_t left = until - clock_mono_ms(&real_clock);

		if (left <= 0 || poll(p, n, (int)left) <= 0)
			return;
		if (n == 2 && p[1].revents)
			writable(&m->out, LOOP_WRITE);
		if (m->in.fd >= 0 && p[0].revents)
			readable(&m->in, LOOP_READ);
	}
}

static bool is_for_it(const struct crawl_item *i)
{
	return i->result.code == 200 && i->has_page &&
	       purpose_is_page(i->step.task.purpose) &&
	       i->step.task.purpose != PURPOSE_EMBED && i->page.text.n > 0;
}

/* A place for one more page; one that has waited too long gives up its own. */
static struct sent_page *take_place(struct outside_module *m, int64_t now_ms)
{
	struct sent_page *p = &m->pages[m->next_id % PENDING_PAGES];

	if (p->id != 0 && now_ms - p->at_ms < ANSWER_MS)
		return NULL;
	m->crawl->counts.module_missed += p->id != 0;
	return p;
}

void outside_module_push(struct crawl *c, const struct crawl_item *i)
{
	struct outside_module *m = c->outside_module;
	int64_t now = clock_mono_ms(&real_clock);

	if (!m || !is_for_it(i))
		return;
	struct sent_page *p =
		m->in.fd >= 0 && m->to_send.n < TO_SEND_BYTES ? take_place(m, now) : NULL;
	if (!p) {
		c->counts.module_missed++;
		return;
	}
	uint64_t id = m->next_id++;
	remember(p, i, id, now);
	page_line_format(
		&(struct page_line){ .id = id,
				     .url = i->step.task.url,
				     .code = i->result.code,
				     .verdict = i->has_verdict
							? verdict_name(i->verdict.kind)
							: STR(""),
				     .is_new = i->novel,
				     .relevance = i->relevance,
				     .page = &i->page,
				     .links = i->links,
				     .origins = i->origins,
				     .n_links = i->n_links },
		&m->to_send);
	c->counts.module_sent++;
	if (!send_some(m))
		lost(m);
	else if (c->outside->pass_time)
		settle(m, id);
}

enum status outside_module_restore(struct crawl *c, const struct journal_steered *s,
				   struct diag *why)
{
	return frontier_rescore(&c->frontier, s->url, s->key, (uint8_t)(s->number & 255),
				why);
}
