#include "writer/judge.h"

#include <stdlib.h>
#include <string.h>

#include "dup/page_check.h"
#include "hosts/probes.h"
#include "journal/revisits.h"
#include "url/suffix.h"
#include "url/url.h"

/* Bodies shorter than this are not worth a reference. */
#define IDENTICAL_MIN_BYTES 1

/* The `done` record at `position`, if it is one of this body. */
static bool read_done(struct judge *j, uint64_t position, struct crawl_item *i,
		      struct journal_done *ret)
{
	struct journal_record r;
	struct str record;
	bool is_recent = position >= j->journal->base;

	/* The newest are perhaps not even written; and to open a file takes time. */
	if (is_recent &&
	    segment_log_read(j->journal, position, &j->scratch, &record, NULL) != ST_OK)
		return false;
	enum status st =
		is_recent ? journal_decode(arena_copy(&i->arena, record), &i->arena, &r)
			  : journal_read(j->journal->dir, position, &i->arena, &r);
	if (st != ST_OK || r.kind != JOURNAL_DONE)
		return false;
	*ret = r.done;
	return r.done.sha1.n == SHA1_BYTES &&
	       memcmp(r.done.sha1.p, i->sha1, SHA1_BYTES) == 0;
}

/* One with the same bytes that was judged, and is on its way to be written: what is a
 * duplicate must not depend on how far the writing is. */
static bool find_unwritten(const struct judge *j, struct crawl_item *i,
			   struct journal_done *ret)
{
	const uint64_t *at = map_find(&j->unwritten, digest_key(i->sha1));
	const struct crawl_item *first =
		at ? (const struct crawl_item *)(uintptr_t)*at : NULL;

	if (!first || memcmp(first->sha1, i->sha1, SHA1_BYTES) != 0)
		return false;
	*ret = (struct journal_done){ .url = arena_copy(&i->arena,
							first->step.task.url) };
	return true;
}

/* The first answer with these bytes. */
static bool find_same(struct judge *j, struct crawl_item *i, struct journal_done *ret)
{
	uint64_t position;

	if (!i->has_sha1 || i->result.body_bytes < IDENTICAL_MIN_BYTES)
		return false;
	return digests_find(&j->digests, i->sha1, &position)
		       ? read_done(j, position, i, ret)
		       : find_unwritten(j, i, ret);
}

/* Its body is in the archive: a reference to it is enough. */
static void refer_to(const struct judge *j, struct crawl_item *i,
		     const struct journal_done *first)
{
	if (j->settings->keep_identical || first->warc_file.n == 0)
		return;
	i->form = CAPTURE_SAME_DIGEST;
	i->origin =
		(struct capture_origin){ first->url, first->start_ms, first->record_id };
}

static bool is_first_of_its_bytes(const struct crawl_item *i)
{
	return i->has_sha1 && i->form == CAPTURE_WHOLE &&
	       i->step.task.purpose != PURPOSE_CHECK;
}

static void note_unwritten(struct judge *j, const struct crawl_item *i)
{
	bool is_new;

	if (!is_first_of_its_bytes(i))
		return;
	uint64_t *at = map_add(&j->unwritten, digest_key(i->sha1), &is_new);
	if (is_new)
		*at = (uint64_t)(uintptr_t)i;
}

void judge_written(struct judge *j, const struct crawl_item *i, uint64_t position)
{
	if (!is_first_of_its_bytes(i))
		return;
	const uint64_t *at = map_find(&j->unwritten, digest_key(i->sha1));
	if (at && *at == (uint64_t)(uintptr_t)i)
		map_remove(&j->unwritten, digest_key(i->sha1));
	digests_add(&j->digests, i->sha1, position);
}

static void judge_bytes(struct judge *j, struct crawl_item *i)
{
	struct journal_done first;

	if (!find_same(j, i, &first))
		return;
	i->verdict = (struct verdict){
		.kind = VERDICT_EXACT,
		.method = STR("sha1"),
		.score = 1,
		.threshold = 1,
		.representative = VERDICT_NO_DOC,
		.representative_url = first.url,
	};
	i->has_verdict = true;
	i->novel = false;
	refer_to(j, i, &first);
}

/* Only the rules compare it; the archive has it, so that they can do so again. */
static void judge_check(struct judge *j, struct crawl_item *i)
{
	struct journal_done first;

	i->novel = false;
	if (find_same(j, i, &first))
		refer_to(j, i, &first);
}

/* Of a near-duplicate, what it nearly is: rules may join the two. */
uint64_t verdict_content(const struct verdict *v, struct str url)
{
	switch ((enum verdict_kind)v->kind) {
	case VERDICT_NEW:
		return hash64(url) | 1;
	case VERDICT_EXACT:
	case VERDICT_NEAR:
		return hash64(v->representative_url) | 1;
	case VERDICT_TEMPLATE_ONLY:
	case VERDICT_SOFT_404:
		break;
	}
	return 0;
}

static struct url own_url(struct crawl_item *i)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	struct url u = { 0 };

	if (url_parse(i->step.task.url, NULL, &scratch, &u, NULL) == ST_OK)
		u = url_copy(&i->arena, &u);
	return u;
}

static struct checked_page checked(struct crawl_item *i, const struct url *own)
{
	struct str *blocks =
		arena_alloc(&i->arena, (i->page.n_blocks + 1) * sizeof(*blocks));
	bool *is_main = arena_alloc(&i->arena, i->page.n_blocks + 1);
	struct u128 payload = { 0 };

	for (size_t k = 0; k < i->page.n_blocks; k++) {
		blocks[k] = i->page.blocks[k].text;
		is_main[k] = i->page.blocks[k].is_main;
	}
	if (i->has_sha1)
		memcpy(&payload, i->sha1, sizeof(payload));
	return (struct checked_page){
		.url = i->step.task.url,
		.host = own->host,
		.payload = payload,
		.blocks = blocks,
		.is_main = is_main,
		.n_blocks = i->page.n_blocks,
		.is_there = !probe_may_judge(own, i->step.task.via.n == 0),
		.again = i->has_before,
	};
}

/* What the host shows for a page that cannot exist; a copy of its front page says
 * nothing. */
static enum status judge_probe(struct judge *j, struct crawl_item *i, struct diag *why)
{
	struct url own = own_url(i), like;
	struct checked_page in = checked(i, &own);
	cleanup(buf_release) struct buf scratch = { 0 };
	struct page_answer answer;

	i->novel = false;
	if (i->result.code != 200 || !i->has_page || i->page.n_blocks == 0 || !j->check)
		return ST_OK;
	in.is_there = true;
	TRY(page_check_see(j->check, &in, &answer, why));
	struct str url = answer.verdict.representative_url;
	bool is_front = url.n > 0 &&
			url_parse(url, NULL, &scratch, &like, NULL) == ST_OK &&
			!probe_may_judge(&like, false);
	if (!is_front)
		page_check_probe(j->check, &in);
	return ST_OK;
}

static enum status judge_text(struct judge *j, struct crawl_item *i, struct diag *why)
{
	struct url own = own_url(i);
	struct checked_page in = checked(i, &own);
	struct page_answer answer;

	TRY(page_check_see(j->check, &in, &answer, why));
	if (answer.verdict.kind == VERDICT_SOFT_404)
		answer.verdict.representative_url = probe_url(&own, &i->arena);
	i->content = verdict_content(&answer.verdict, i->step.task.url);
	if (answer.verdict.kind == VERDICT_NEAR || answer.verdict.kind == VERDICT_EXACT)
		i->like = arena_copy(&i->arena, answer.verdict.representative_url);
	/* Asked again after a crash, a page meets itself. */
	bool is_soft =
		answer.verdict.kind == VERDICT_SOFT_404; /* says more than `exact` */
	if ((i->has_verdict && !is_soft) ||
	    (!i->has_before &&
	     str_eq(answer.verdict.representative_url, i->step.task.url)))
		return ST_OK;
	i->verdict = answer.verdict;
	i->verdict.method = arena_copy(&i->arena, answer.verdict.method);
	i->verdict.representative_url =
		arena_copy(&i->arena, answer.verdict.representative_url);
	i->has_verdict = true;
	i->novel = answer.verdict.kind == VERDICT_NEW ||
		   answer.verdict.kind == VERDICT_TEMPLATE_ONLY;
	return ST_OK;
}

/* --- against the visit before --- */

/* A 304 speaks of the body that was stored, or of the first one that was equal. */
static void judge_not_modified(struct judge *j, struct crawl_item *i)
{
	struct journal_done first = i->before;
	uint64_t position;

	i->form = CAPTURE_NOT_MODIFIED;
	if (!i->has_before || i->before.sha1.n != SHA1_BYTES)
		return;
	memcpy(i->sha1, i->before.sha1.p, SHA1_BYTES);
	i->has_sha1 = true;
	if (digests_find(&j->digests, i->sha1, &position) &&
	    !read_done(j, position, i, &first))
		first = i->before;
	i->origin = (struct capture_origin){ first.url, first.start_ms, first.record_id };
}

static struct visit_result result_of(const struct journal_done *d)
{
	struct visit_result r = { .code = d->code,
				  .sha1 = d->sha1,
				  .location = d->location,
				  .marks = d->marks };
	struct verdict v;

	if (d->verdict.n > 0 && verdict_decode(d->verdict, &v) == ST_OK &&
	    v.kind != VERDICT_TEMPLATE_ONLY)
		r.like = v.representative_url;
	return r;
}

static void judge_change(struct judge *j, struct crawl_item *i)
{
	struct visit_result before = result_of(&i->before);
	struct visit_result now = {
		.code = i->result.code,
		.sha1 = { (const char *)i->sha1, i->has_sha1 ? SHA1_BYTES : 0 },
		.location = i->location,
		.like = i->like,
		.marks = i->marks,
	};

	i->change = visit_change(i->step.task.url, &before, &now);
	if (i->change != CHANGE_NONE)
		return;
	i->novel = false;
	i->new_percent = 0;
	if (i->form == CAPTURE_WHOLE && now.code == 200 && !j->settings->keep_similar)
		i->form = CAPTURE_NOTE;
}

/* A site is all hosts of its domain: a copy on another host brings nothing. */
static void judge_novelty(struct judge *j, struct crawl_item *i)
{
	struct url own = own_url(i);
	uint64_t site = hash64(suffix_site(own.host));

	i->new_percent = blocks_add(&j->blocks, site, own.query, &i->page);
}

/*
 * What nobody reads as it is: the shell of an application, which is the same for all of
 * its pages, or what a browser fetches for a page.  Its bytes are stored once; what it
 * says, the rendered page will say.
 */
static void judge_unseen(struct judge *j, struct crawl_item *i)
{
	judge_bytes(j, i);
	i->has_verdict = i->novel = false;
	i->verdict = (struct verdict){ 0 };
	if (i->needs_browser && i->has_page && i->page.n_blocks > 0)
		judge_novelty(j, i);
	i->new_percent = 0;
}

static enum status judge(struct judge *j, struct crawl_item *i, struct diag *why)
{
	bool success = i->result.code >= 200 && i->result.code < 300;

	i->form = CAPTURE_WHOLE;
	i->novel = success;
	i->new_percent = 100;
	if (i->refused_by.n > 0) {
		i->novel = false;
		return ST_OK;
	}
	if (i->step.task.purpose == PURPOSE_SOFT_404_PROBE)
		return judge_probe(j, i, why);
	if (i->step.task.purpose == PURPOSE_CHECK) {
		judge_check(j, i);
		return ST_OK;
	}
	if (i->needs_browser || i->step.task.purpose == PURPOSE_RENDER_REQUEST) {
		judge_unseen(j, i);
		return ST_OK;
	}
	if (i->rendering && i->result.body_bytes == 0) /* its bytes are in the archive */
		i->form = CAPTURE_NOTE;
	if ((success || i->has_before) && !i->rendering)
		judge_bytes(j, i);
	if (success && j->check && i->has_page && i->page.n_blocks > 0)
		TRY(judge_text(j, i, why));
	if (success && i->has_page)
		i->marks = page_marks(&i->page, &i->arena);
	if (success && i->has_page && i->page.n_blocks > 0)
		judge_novelty(j, i);
	if (i->result.code == 304)
		judge_not_modified(j, i);
	if (i->has_before)
		judge_change(j, i);
	return ST_OK;
}

enum status judge_item(struct judge *j, struct crawl_item *i, struct diag *why)
{
	TRY(judge(j, i, why));
	note_unwritten(j, i);
	return ST_OK;
}

void judge_release(struct judge *j)
{
	map_release(&j->unwritten);
	if (j->check)
		page_check_release(j->check);
	free(j->check);
	blocks_release(&j->blocks);
	digests_release(&j->digests);
	buf_release(&j->scratch);
	*j = (struct judge){ 0 };
}
