#include "campaigns/host.h"

#include <stdlib.h>
#include <unistd.h>

#include "api/run.h"
#include "base/alloc.h"
#include "os/file.h"
#include "service/request.h"

#define LOOK_MS 300 /* between two looks at the wishes */

static struct desk desk_of(const struct campaign_host *h)
{
	return (struct desk){ .dir = h->o.dir, .services = h->o.services };
}

/* Whether the run must be made anew. */
static bool has_news(struct campaign_host *h)
{
	struct desk d = desk_of(h);
	int64_t now = clock_mono_ms(&real_clock);

	if (atomic_load(&h->stop))
		return true;
	if (now - h->looked_ms < LOOK_MS)
		return false;
	h->looked_ms = now;
	return desk_signature(&d) != h->signature;
}

static bool go_on(void *arg, const struct work *w)
{
	(void)w;
	return !has_news(arg);
}

/* --- which campaigns --- */

struct crew {
	struct campaign *v;
	size_t n, cap;
	struct catalog catalog;
	struct secrets secrets;
	struct arena arena;
};

static void crew_release(struct crew *c)
{
	for (size_t i = 0; i < c->n; i++)
		campaign_release(&c->v[i]);
	free(c->v);
	catalog_release(&c->catalog);
	secrets_release(&c->secrets);
	arena_release(&c->arena);
}

static void note_error(const struct campaign_host *h, struct str name,
		       const struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	char *dir = path_join(&a, h->o.dir, name);

	if (file_replace(path_join(&a, dir, STR("state/error")), str_from(why->text),
			 NULL) != ST_OK)
		return; /* it is tried again, and fails again */
}

/* All that can be wrong with one campaign must not stop the others. */
static enum status take(struct campaign_host *h, struct crew *c, struct str name,
			struct diag *why)
{
	cleanup(doc_release) struct api_doc d = { 0 };
	char *dir = path_join(&c->arena, h->o.dir, name);
	struct campaign x = { 0 };
	enum status st;

	TRY(doc_load(&d, path_join(&c->arena, dir, STR("campaign.json")), why));
	TRY(campaign_parse(&d, &c->catalog, &x, why));
	st = str_eq(x.name, name) ? ST_OK
				  : diag_fail(why, ST_SYNTAX, "'name' is not its folder");
	for (size_t i = 0; st == ST_OK && i < x.n; i++) {
		const struct campaign_service *s = &x.services[i];
		struct endpoint e;

		st = endpoint_make(&e, s->service, s->params, s->n_params, &c->secrets,
				   &c->arena, why);
		if (st == ST_OK)
			st = endpoint_check(&e, why);
	}
	if (st == ST_OK)
		VEC_ADD(c->v, c->n, c->cap, x);
	else
		campaign_release(&x);
	return st;
}

static bool is_blocked(const struct campaign_host *h, struct str name)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct desk d = desk_of(h);
	char *dir = path_join(&a, h->o.dir, name);

	return desk_wish_of(&d, name) != WISH_RUN ||
	       file_exists(path_join(&a, dir, STR("state/error")));
}

static void gather(struct campaign_host *h, struct crew *c)
{
	struct desk d = desk_of(h);
	struct str_list names = { 0 };
	struct diag why;

	c->catalog.dir = h->o.services;
	c->catalog.only_names = true;
	if (h->o.secrets && file_exists(h->o.secrets) &&
	    secrets_load(&c->secrets, h->o.secrets, &why) != ST_OK)
		return;
	if (desk_names(&d, &c->arena, &names, &why) != ST_OK)
		return;
	for (size_t i = 0; i < names.n; i++)
		if (!is_blocked(h, names.v[i]) && take(h, c, names.v[i], &why) != ST_OK)
			note_error(h, names.v[i], &why);
	str_list_release(&names);
}

/* --- the thread --- */

static void run_once(struct campaign_host *h)
{
	cleanup(crew_release) struct crew c = { 0 };
	struct api_outside outside = { .clock = &real_clock,
				       .open_fetcher = fetcher_open_network };
	struct api_run_options o = { .dir = h->o.dir,
				     .secrets = &c.secrets,
				     .fetch = &h->o.fetch,
				     .crawl = h->o.crawl,
				     .is_hosted = true,
				     .is_stranger = true,
				     .progress = go_on,
				     .arg = h };
	struct desk d = desk_of(h);
	struct api_result result;
	struct diag why = { { 0 } };

	h->signature = desk_signature(&d); /* first: what changes meanwhile is news */
	gather(h, &c);
	if (c.n > 0 && api_run(&outside, c.v, c.n, &o, &result, &why) != ST_OK)
		for (size_t i = 0; i < c.n; i++)
			note_error(h, c.v[i].name, &why);
}

static void sleep_a_while(struct campaign_host *h)
{
	while (!has_news(h))
		usleep(50000);
}

static void work(void *arg)
{
	struct campaign_host *h = arg;
	cleanup(arena_release) struct arena a = { 0 };
	struct file lock = { 0 };

	/* The folder is made by the first order; until then there is nothing to do. */
	while (!atomic_load(&h->stop) && !dir_exists(h->o.dir))
		usleep(50000);
	char *path = path_join(&a, h->o.dir, STR("host.lock"));
	while (!atomic_load(&h->stop)) {
		if (file_open(&lock, path, FILE_UPDATE, NULL) == ST_OK &&
		    file_lock(&lock, NULL) == ST_OK)
			break;
		file_close(&lock);
		usleep(200000); /* another process hosts them */
	}
	while (!atomic_load(&h->stop)) {
		run_once(h);
		sleep_a_while(h);
	}
	file_close(&lock);
}

enum status campaign_host_start(struct campaign_host *h, const struct host_options *o,
				struct diag *why)
{
	*h = (struct campaign_host){ .o = *o };
	atomic_init(&h->stop, false);
	return thread_start(&h->thread, "campaigns", work, h, why);
}

void campaign_host_stop(struct campaign_host *h)
{
	atomic_store(&h->stop, true);
	thread_join(&h->thread);
}
