#include <stdlib.h>

#include "base/alloc.h"
#include "engine/focused.h"
#include "engine/steps.h"
#include "pipeline/fact_message.h"
#include "pipeline/outlinks.h"

/* Few, so that the last ones to be worked on are shared evenly. */
#define TAKE_AT_ONCE 4

static void digest_alone(struct worker *w, struct crawl_item *i)
{
	i->st = capture_payload_sha1(&w->encoder, &i->result, i->sha1, &i->why);
	i->has_sha1 = i->st == ST_OK;
}

static void digest_unpaired(struct worker *w)
{
	if (w->unpaired)
		digest_alone(w, w->unpaired);
	w->unpaired = NULL;
}

/* Where nothing is archived there is one digest a page: two pages make a pair. */
static void digest_in_pairs(struct worker *w, struct crawl_item *i)
{
	struct crawl_item *first = w->unpaired;

	if (!first) {
		w->unpaired = i;
		return;
	}
	w->unpaired = NULL;
	capture_payload_pair(
		&w->encoder,
		(const struct fetch_result *[]){ &first->result, &i->result },
		(uint8_t *[]){ first->sha1, i->sha1 });
	first->has_sha1 = i->has_sha1 = true;
}

static void digest_bytes(struct worker *w, struct crawl_item *i)
{
	if (i->result.spool.n > 0) {
		digest_alone(w, i);
	} else if (w->crawl->settings->no_warc) {
		digest_in_pairs(w, i);
	} else {
		capture_both_sha1(&w->encoder, &i->result, i->sha1, i->block_sha1);
		i->has_sha1 = i->has_block_sha1 = true;
	}
}

/* Everything that can be known of an answer without asking anybody. */
static void digest(struct worker *w, struct crawl_item *i)
{
	harvest_item(&w->harvest, i);
	if (!w->crawl->settings->no_warc)
		outlinks_keep(i, (enum outlinks)w->crawl->settings->outlinks, &w->text);
	if (w->crawl->settings->facts && i->result.code > 0)
		fact_body_add(i, &i->facts);
	i->worker = w->nr;
	if (i->result.body_bytes > 0)
		digest_bytes(w, i);
}

/* What a browser made of it, beside the answer of the server. */
static void add_rendered(struct worker *w, struct crawl_item *i)
{
	const struct crawl_settings *s = w->crawl->settings;
	cleanup(buf_release) struct buf view = { 0 };
	struct record_id id;
	struct record_fields f = { .id = &id, .date_ms = i->result.start_ms };

	if (s->save_dom && i->rendering->dom.n) {
		id = id_maker_next(&w->encoder.ids);
		f.type = WARC_CONVERSION;
		f.uri = i->step.task.url;
		f.content_type = STR("text/html; charset=utf-8");
		encoder_add(&w->encoder, &f, STR(""), buf_str(&i->rendering->dom),
			    &i->capture.bytes);
	}
	if (s->screenshots && i->rendering->picture.n) {
		id = id_maker_next(&w->encoder.ids);
		buf_add(&view, STR("urn:view:"));
		buf_add(&view, i->step.task.url);
		f.type = WARC_RESOURCE;
		f.concurrent_to = &i->capture.id;
		f.uri = buf_str(&view);
		f.content_type = STR("image/png");
		encoder_add(&w->encoder, &f, STR(""), buf_str(&i->rendering->picture),
			    &i->capture.bytes);
	}
}

static void encode(struct worker *w, struct crawl_item *i)
{
	if (i->st != ST_OK || w->crawl->settings->no_warc)
		return;
	w->encoder.warcinfo = archive_warcinfo_id(&w->crawl->writer.archive);
	i->st = capture_encode(
		&w->encoder, &i->result,
		&(struct capture_options){
			.form = i->form,
			.origin = i->origin.url.n ? &i->origin : NULL,
			.verdict = i->has_verdict ? &i->verdict : NULL,
			.payload_sha1 = i->has_sha1 ? i->sha1 : NULL,
			.block_sha1 = i->has_block_sha1 ? i->block_sha1 : NULL,
			.source_tag = i->step.task.source,
			.fields = i->fields,
			.json = i->outlinks,
			.augmented = i->augmented,
			.keep_secrets = w->crawl->settings->archive_secrets,
		},
		&i->capture, &i->why);
	if (i->st == ST_OK && i->rendering)
		add_rendered(w, i);
}

/* The head of its facts: what judging and encoding added goes before the body. */
static void complete_facts(const struct worker *w, struct crawl_item *i)
{
	cleanup(buf_release) struct buf body = { 0 };

	if (!w->crawl->settings->facts || i->result.code <= 0 ||
	    (!purpose_is_page(i->step.task.purpose) &&
	     i->step.task.purpose != PURPOSE_REVISIT &&
	     i->step.task.purpose != PURPOSE_API)) {
		buf_reset(&i->facts);
		return;
	}
	body = TAKE(i->facts);
	fact_head_add(i, &i->facts);
	buf_add(&i->facts, buf_str(&body));
}

static void work(struct worker *w, struct crawl_item *i)
{
	if (i->stage == ITEM_DIGESTING) {
		digest(w, i);
		i->stage = ITEM_JUDGING;
	} else {
		encode(w, i);
		complete_facts(w, i);
		i->stage = ITEM_WRITING;
	}
}

static void run(void *arg)
{
	struct worker *w = arg;
	struct crawl *c = w->crawl;
	struct item_batch out = { .to = &c->writer.in };
	void *items[TAKE_AT_ONCE];
	size_t n;

	while (queue_take_many(&c->to_workers, QUEUE_FOREVER, items, TAKE_AT_ONCE, &n) ==
	       ST_OK) {
		for (size_t k = 0; k < n; k++)
			work(w, items[k]);
		digest_unpaired(w);
		for (size_t k = 0; k < n; k++)
			item_batch_add(&out, items[k]);
		item_batch_send(&out);
	}
}

enum status workers_start(struct crawl *c, struct diag *why)
{
	const struct crawl_settings *s = c->settings;
	size_t n = s->workers ? s->workers : cpu_count();

	c->workers = xcalloc(n, sizeof(*c->workers));
	for (size_t k = 0; k < n; k++) {
		struct worker *w = &c->workers[k];

		w->crawl = c;
		w->nr = (unsigned)k + 1;
		w->harvest.settings = s;
		w->harvest.sites = c->site_apis.services;
		if (c->apps.n > 0) {
			w->harvest.apps = NEW(struct app_scan);
			app_scan_init(w->harvest.apps, &c->apps);
			w->harvest.apps->no_history = s->no_history;
		}
		if (c->focused) {
			TRY(focus_worker_open(&w->focus, &c->focused->focus, why));
			w->harvest.focus = &w->focus;
		}
		encoder_init(&w->encoder,
			     &(struct encoder_options){
				     .version = s->warc_version ? WARC_1_0 : WARC_1_1,
				     .format = s->zstd ? MEMBER_ZSTD : MEMBER_GZIP,
				     .ids = id_maker_random(),
			     });
		c->n_workers++;
		TRY(thread_start(&w->thread, "worker", run, w, why));
	}
	return ST_OK;
}

void workers_stop(struct crawl *c)
{
	queue_close(&c->to_workers);
	for (size_t k = 0; k < c->n_workers; k++) {
		thread_join(&c->workers[k].thread);
		harvest_release(&c->workers[k].harvest);
		buf_release(&c->workers[k].text);
		focus_worker_close(&c->workers[k].focus);
		encoder_release(&c->workers[k].encoder);
	}
	free(c->workers);
	c->workers = NULL;
	c->n_workers = 0;
}
