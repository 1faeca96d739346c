#include "writer/writer.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/crawl_log.h"
#include "base/alloc.h"
#include "dup/page_check.h"
#include "journal/revisits.h"
#include "port/blob.h"
#include "writer/commit.h"
#include "writer/judge.h"

#define LEDGER_CHUNK ((size_t)64 * 1024)

/* --- opening --- */

static enum status open_ledger(struct writer *w, uint64_t bytes, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };

	TRY(file_open(&w->ledger, path_join(&a, w->dir, STR("skipped.jsonl")),
		      FILE_APPEND, why));
	if (w->ledger.size < bytes)
		return diag_fail(why, ST_CORRUPT, "%s is shorter than the journal says",
				 w->ledger.path);
	return file_truncate(&w->ledger, bytes, why);
}

static enum status publish(void *arg, struct str name, const char *path, struct diag *why)
{
	struct blob *b = arg;

	return b->ops->put_file(b, name, path, why);
}

static enum status open_archive(struct writer *w, const struct archive_position *at,
				struct diag *why)
{
	const struct crawl_settings *s = w->settings;
	struct archive_options o = {
		.dir = w->dir,
		.prefix = s->prefix,
		.about = { .operator_name = s->operator_name,
			   .user_agent = s->user_agent,
			   .from = s->contact,
			   .robots = s->ignore_robots ? STR("ignore") : STR("obey") },
		.clock = w->clock,
		.ids = id_maker_random(),
		.version = s->warc_version ? WARC_1_0 : WARC_1_1,
		.format = s->zstd ? MEMBER_ZSTD : MEMBER_GZIP,
		.rotate_bytes = s->warc_size,
		.publish = publish,
		.publish_arg = w->blob,
	};
	struct archive_cut cut;

	TRY(archive_open(&w->archive, &o, at, &cut, why));
	w->archive_open = true;
	return ST_OK;
}

static enum status open_check(struct writer *w, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };

	if (!w->settings->near_duplicates)
		return ST_OK;
	w->judge.check = NEW(struct page_check);
	struct dup_index_options o = {
		.dir = path_join(&a, w->dir, STR("state/dup")),
		.measure = (enum index_measure)w->settings->near_method,
		.threshold = w->settings->near_threshold,
	};
	/* The index knows the default of the probability only. */
	if (o.threshold == 0 && o.measure != INDEX_PROBABILITY)
		o.threshold = o.measure == INDEX_JACCARD ? 0.5 : 0.8;
	return page_check_open(w->judge.check, &o, why);
}

enum status writer_open(struct writer *w, const char *dir, const struct crawl_settings *s,
			const struct clock *clock, const struct writer_start *start,
			struct digests *digests, struct queue *out, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };

	*w = (struct writer){
		.settings = s,
		.clock = clock,
		.dir = strdup(dir),
		.judge = { .settings = s, .digests = *digests },
		.blob = start->blob,
		.pages = start->commit.pages,
		.last_commit_ms = clock_mono_ms(clock),
		.out = { .to = out },
		.parked_cap = 1,
	};
	w->judge.journal = &w->journal;
	w->batches_end = &w->batches;
	memset(digests, 0, sizeof(*digests));
	while (w->parked_cap < 2 * start->items_max)
		w->parked_cap *= 2;
	w->parked = xcalloc(w->parked_cap, sizeof(*w->parked));
	queue_init(&w->in, 4 * start->items_max);
	TRY(segment_log_open(
		&w->journal, path_join(&a, dir, STR("state/journal")), &journal_segments,
		&(struct segment_log_options){ .synced = start->journal_end }, NULL,
		why));
	TRY(open_ledger(w, start->commit.ledger_bytes, why));
	TRY(open_archive(w, &start->commit.archive, why));
	TRY(app_files_open(&w->apps, dir, start->commit.pages, why));
	if (s->facts)
		TRY(facts_open(&w->facts, dir, w->pages, why));
	return open_check(w, why);
}

/* --- ledger and journal --- */

enum status writer_flush_ledger(struct writer *w, struct diag *why)
{
	TRY(file_write(&w->ledger, buf_str(&w->ledger_pending), why));
	buf_reset(&w->ledger_pending);
	return ST_OK;
}

enum status writer_add_record(struct writer *w, const struct journal_record *r,
			      struct diag *why)
{
	buf_reset(&w->record);
	journal_encode(r, &w->record);
	w->dirty = true;
	return segment_log_add(&w->journal, buf_str(&w->record), NULL, why);
}

/* --- writing an item --- */

/* Records that the loop made, each with its length before it. */
static enum status append_journal(struct writer *w, struct str records, struct diag *why)
{
	struct str record;

	while (str_take_sized(&records, &record)) {
		w->dirty = true;
		TRY(segment_log_add(&w->journal, record, NULL, why));
	}
	return ST_OK;
}

static enum status append_ledger(struct writer *w, struct str lines, struct diag *why)
{
	buf_add(&w->ledger_pending, lines);
	return w->ledger_pending.n > LEDGER_CHUNK ? writer_flush_ledger(w, why) : ST_OK;
}

/* What crawl.log says of it; who counts duplicates counts these words. */
static struct str verdict_note(const struct crawl_item *i)
{
	if (!i->has_verdict)
		return STR("");
	switch ((enum verdict_kind)i->verdict.kind) {
	case VERDICT_EXACT: /* whether or not its body is stored again */
		return str_eq(i->verdict.method, STR("text")) ? STR("duplicate:text")
							      : STR("duplicate:digest");
	case VERDICT_NEAR:
		return STR("duplicate:near");
	case VERDICT_SOFT_404:
		return STR("soft404");
	case VERDICT_NEW:
	case VERDICT_TEMPLATE_ONLY:
		break;
	}
	return STR("");
}

static void annotate(const struct crawl_item *i, struct buf *to)
{
	if (i->rendering && i->rendering->end != RENDER_SKIPPED)
		buf_addf(to, "rendered:%u:%zu", i->links_new, item_brought(i));
	struct str notes[] = {
		verdict_note(i),
		i->step.task.purpose == PURPOSE_SOFT_404_PROBE ? STR("probe") : STR(""),
		i->step.task.purpose == PURPOSE_CHECK ? STR("check") : STR(""),
		i->step.task.purpose == PURPOSE_REVISIT ? change_name(i->change)
							: STR(""),
		i->refused_by.n > 0 ? STR("mime") : STR(""),
		i->step.task.purpose == PURPOSE_RENDER_REQUEST ? STR("browser") : STR(""),
		i->step.task.cookies.n > 0 ? STR("cookies") : STR(""),
	};

	for (size_t k = 0; k < COUNT(notes); k++) {
		if (notes[k].n > 0 && to->n > 0)
			buf_add_char(to, ',');
		buf_add(to, notes[k]);
	}
}

static enum status append_lists(struct writer *w, struct crawl_item *i, struct diag *why)
{
	cleanup(buf_release) struct buf notes = { 0 };

	annotate(i, &notes);
	buf_reset(&w->scratch);
	crawl_log_add(&w->scratch, &(struct crawl_log_entry){
					   .result = &i->result,
					   .now_ms = clock_wall_ms(w->clock),
					   .mime = i->mime,
					   .thread = i->worker,
					   .payload_sha1 = i->has_sha1 ? i->sha1 : NULL,
					   .annotations = buf_str(&notes),
				   });
	TRY(archive_add_log(&w->archive, buf_str(&w->scratch), why));
	if (!i->has_page || i->page.kind != PAGE_HTML ||
	    (i->form != CAPTURE_WHOLE && !i->rendering) || i->needs_browser ||
	    i->step.task.purpose == PURPOSE_SOFT_404_PROBE ||
	    i->step.task.purpose == PURPOSE_CHECK ||
	    i->step.task.purpose == PURPOSE_RENDER_REQUEST)
		return ST_OK;
	return archive_add_page(
		&w->archive,
		&(struct archive_page){
			.url = i->step.task.url,
			.title = i->page.title,
			.date_ms = i->result.start_ms,
			.language = i->page.language.n ? i->page.language : i->page.lang,
			.mime = i->mime,
			.status = i->result.code,
			.seed = i->step.task.via.n == 0,
		},
		why);
}

static uint8_t rendered_as(const struct crawl_item *i)
{
	if (!i->rendering)
		return RENDERED_NOT;
	return i->rendering->end == RENDER_SKIPPED  ? RENDERED_SKIPPED
	       : i->rendering->end == RENDER_FAILED ? RENDERED_FAILED
						    : RENDERED_DONE;
}

static enum status append_done(struct writer *w, struct crawl_item *i,
			       const struct archive_place *place, struct diag *why)
{
	cleanup(buf_release) struct buf verdict = { 0 };
	uint64_t position;

	if (i->has_verdict)
		verdict_encode(&i->verdict, &verdict);
	struct journal_record r = {
		.kind = JOURNAL_DONE,
		.done = {
			.url = i->step.task.url,
			.key = i->step.task.key,
			.code = i->result.code,
			.error = i->result.error,
			.start_ms = i->result.start_ms,
			.duration_ms = i->result.duration_ms,
			.retry_after_ms = i->retry_after_ms,
			.wire_bytes = i->result.wire_bytes,
			.body_bytes = i->result.body_bytes,
			.mime = i->mime,
			.language = i->page.language,
			.location = i->location,
			.etag = i->etag,
			.modified_ms = i->modified_ms,
			/* Whoever finds a digest here may refer to its body. */
			.sha1 = { (const char *)i->sha1,
				  i->has_sha1 && i->form <= CAPTURE_SAME_DIGEST ? SHA1_BYTES
									: 0 },
			.warc_file = place->filename,
			.record_id = place->filename.n ? record_id_str(&i->capture.id)
						       : STR(""),
			.warc_offset = place->offset,
			.warc_length = place->length,
			.verdict = buf_str(&verdict),
			/* of one from the browser, those it alone brought */
			.links = i->rendering ? i->links_new : (uint32_t)i->n_links,
			.purpose = i->step.task.purpose,
			.attempt = i->step.task.attempt,
			.novel = i->novel,
			.new_percent = (uint8_t)i->new_percent,
			.change = (uint8_t)i->change,
			.via = i->step.task.via,
			.hops = i->step.task.hops,
			.source = i->step.task.source,
			.depth = i->step.task.depth,
			.off_hops = i->step.off_hops,
			.marks = i->marks,
			.has_relevance = i->has_relevance,
			.relevance = i->relevance,
			.scores = i->step.task.scores,
			.need = i->awaits_trial ? i->need : 0,
			.evidence = i->awaits_trial ? i->need_words : STR(""),
			.rendered = rendered_as(i),
			.brought = item_brought(i),
		},
	};
	buf_reset(&w->record);
	journal_encode(&r, &w->record);
	w->dirty = true;
	TRY(segment_log_add(&w->journal, buf_str(&w->record), &position, why));
	i->position = position;
	i->written = true;
	judge_written(&w->judge, i, position);
	return ST_OK;
}

static enum status write_item(struct writer *w, struct crawl_item *i, struct diag *why)
{
	struct archive_place place = { 0 };

	if (i->st != ST_OK) { /* its encoding failed: a spool that cannot be read */
		if (why)
			*why = i->why;
		return i->st;
	}
	if (!w->settings->no_warc)
		TRY(archive_add(&w->archive, &i->capture, &i->result, &place, why));
	TRY(append_lists(w, i, why));
	TRY(append_journal(w, buf_str(&i->journal), why));
	TRY(append_ledger(w, buf_str(&i->ledger), why));
	TRY(append_done(w, i, &place, why));
	w->pages++;
	TRY(app_files_add(&w->apps, i, w->pages,
			  place.filename.n ? record_id_str(&i->capture.id) : STR(""),
			  why));
	return w->facts && i->facts.n > 0
		       ? facts_add(w->facts, FACT_PAGE, w->pages, buf_str(&i->facts), why)
		       : ST_OK;
}

static void finish(struct writer *w, struct crawl_item *i)
{
	if (i->result.spool.n > 0) {
		struct diag ignored; /* what stays is removed with the next start */

		if (file_remove(path_join(&i->arena, "", i->result.spool), &ignored) !=
		    ST_OK)
			ignored.text[0] = '\0';
	}
	i->stage = ITEM_LINES;
	i->st = w->st;
	if (w->st != ST_OK)
		i->why = w->why;
	item_batch_add(&w->out, i);
}

/* Once something failed nothing more is written: the journal must not have holes. */
static void fail(struct writer *w, enum status st)
{
	if (w->st == ST_OK)
		w->st = st;
}

/* Rules as the loop knows them, each with its length before it. */
static enum status append_rules(struct writer *w, struct str rules, struct diag *why)
{
	struct str one;

	while (str_take_sized(&rules, &one)) {
		w->dirty = true;
		TRY(facts_add(w->facts, FACT_RULE, w->pages, one, why));
	}
	return ST_OK;
}

static void write_batch(struct writer *w, struct crawl_item *i)
{
	if (w->st == ST_OK) {
		enum status st = append_journal(w, buf_str(&i->journal), &w->why);

		if (st == ST_OK)
			st = append_ledger(w, buf_str(&i->ledger), &w->why);
		if (st == ST_OK && w->facts)
			st = append_rules(w, buf_str(&i->facts), &w->why);
		if (st == ST_OK && i->commit)
			st = writer_commit(w, &w->why);
		if (st != ST_OK)
			fail(w, st);
	}
	finish(w, i);
}

/* Lines whose pages are all written. */
static void write_batches(struct writer *w)
{
	while (w->batches && w->batches->seq <= w->expected_seq) {
		struct crawl_item *i = w->batches;

		w->batches = i->next;
		if (!w->batches)
			w->batches_end = &w->batches;
		i->next = NULL;
		write_batch(w, i);
	}
}

static void take_batch(struct writer *w, struct crawl_item *i)
{
	i->next = NULL;
	*w->batches_end = i;
	w->batches_end = &i->next;
	write_batches(w);
}

/* In the order of judging. */
static void write_in_order(struct writer *w, struct crawl_item *arrived)
{
	struct crawl_item *i;

	assert(arrived->seq >= w->expected_seq && arrived->seq < w->next_seq);
	w->parked[arrived->seq & (w->parked_cap - 1)] = arrived;
	while ((i = w->parked[w->expected_seq & (w->parked_cap - 1)])) {
		w->parked[w->expected_seq++ & (w->parked_cap - 1)] = NULL;
		if (w->st == ST_OK) {
			enum status st = write_item(w, i, &w->why);

			if (st != ST_OK)
				fail(w, st);
		}
		finish(w, i);
		write_batches(w);
	}
}

static void judge(struct writer *w, struct crawl_item *i)
{
	i->seq = w->next_seq++;
	if (w->st == ST_OK) {
		enum status st = judge_item(&w->judge, i, &w->why);

		if (st != ST_OK)
			fail(w, st);
	}
	i->stage = ITEM_DECIDING;
	item_batch_add(&w->out, i);
}

static void take_item(struct writer *w, struct crawl_item *i)
{
	switch ((enum item_stage)i->stage) {
	case ITEM_JUDGING:
		judge(w, i);
		return;
	case ITEM_WRITING:
		write_in_order(w, i);
		return;
	case ITEM_LINES:
		take_batch(w, i);
		return;
	case ITEM_FETCHING:
	case ITEM_RENDERING:
	case ITEM_DIGESTING:
	case ITEM_DECIDING:
	case ITEM_ENCODING:
		break;
	}
	abort();
}

static void run(void *arg)
{
	struct writer *w = arg;
	void *items[WRITER_BATCH];
	size_t n;
	enum status st;

	for (;;) {
		st = queue_take_many(&w->in, commit_due_ms(w), items, WRITER_BATCH, &n);
		if (st == ST_CANCELLED)
			return;
		for (size_t k = 0; st == ST_OK && k < n; k++)
			take_item(w, items[k]);
		item_batch_send(&w->out);
		if (w->st == ST_OK && (st = commit_step(w, &w->why)) != ST_OK)
			fail(w, st);
	}
}

enum status writer_start_thread(struct writer *w, struct diag *why)
{
	TRY(syncer_start(&w->syncer, why));
	return thread_start(&w->thread, "writer", run, w, why);
}

/* --- closing --- */

enum status writer_close(struct writer *w, struct str reason, struct diag *why)
{
	queue_close(&w->in);
	thread_join(&w->thread);
	if (w->st != ST_OK) {
		*why = w->why;
		return w->st;
	}
	struct journal_record r = { .kind = JOURNAL_END,
				    .end = { clock_wall_ms(w->clock), reason } };
	TRY(writer_add_record(w, &r, why));
	TRY(writer_commit(w, why));
	w->archive_open = false;
	return archive_close(&w->archive, why);
}

void writer_release(struct writer *w)
{
	if (!w->dir)
		return;
	queue_close(&w->in);
	thread_join(&w->thread);
	syncer_stop(&w->syncer);
	struct diag ignored; /* it failed before, and that was told */
	if (w->facts && facts_close(w->facts, false, &ignored) != ST_OK)
		ignored.text[0] = '\0';
	if (w->archive_open)
		archive_release(&w->archive);
	segment_log_close(&w->journal);
	file_close(&w->ledger);
	app_files_release(&w->apps);
	judge_release(&w->judge);
	buf_release(&w->ledger_pending);
	buf_release(&w->scratch);
	buf_release(&w->record);
	queue_release(&w->in);
	free(w->parked);
	free(w->dir);
	*w = (struct writer){ 0 };
}
