#include "pipeline/app_advice.h"

#include <string.h>

#include "apps/link_rules.h"
#include "pipeline/app_output.h"
#include "url/normal.h"

struct advising {
	struct app_scan *scan;
	struct crawl_item *item;
	struct app_verdict verdict;
	struct url own;
	struct buf scratch[3];
	struct link_advice *links;
	struct app_advice *advice; /* one per link of the item */
};

static struct str canonical(struct advising *a, struct url *u, struct discovery *d)
{
	if (!link_rules_canonical(a->scan, &a->verdict, u, &a->scratch[1]) ||
	    url_parse(arena_copy(&a->item->arena, buf_str(&a->scratch[1])), NULL,
		      &a->scratch[2], u, NULL) != ST_OK)
		return d->url;
	struct str url = arena_copy(&a->item->arena, url_without_fragment(u));

	d->key = d->url = url;
	d->hash = hash128(url);
	return url;
}

static struct str rule_words(struct advising *a, const struct app_link_rule *r)
{
	cleanup(buf_release) struct buf text = { 0 };

	link_rule_format(a->scan->library, r, &text);
	return arena_copy(&a->item->arena, buf_str(&text));
}

/* A link near the seeds that nobody has scored is worth about 0.97: what is wanted is to
 * be near that, what is not below all else. */
static float as_link_score(uint8_t score)
{
	return score >= 50 ? 0.9f + (float)(score - 50) / 500 : (float)score / 60;
}

/* The links of a known application are known; a word in a script that looks like a path
 * is hardly one of them.  As with any view, a few are tested. */
static void leave_out_guess(struct advising *a, struct link_advice *to)
{
	cleanup(buf_release) struct buf text = { 0 };

	buf_add(&text, a->scan->library->apps[a->verdict.app].id);
	buf_add(&text, STR(": a guess from a script"));
	to->veto = VETO_VIEW;
	to->detail = arena_copy(&a->item->arena, buf_str(&text));
}

static void advise_link(struct advising *a, struct discovery *d, struct str written,
			struct link_advice *to, struct app_advice *ret)
{
	bool is_embed = d->hop == HOP_EMBED;
	struct url u;

	if (url_parse(d->url, NULL, &a->scratch[0], &u, NULL) != ST_OK ||
	    !str_eq(url_server(&u), url_server(&a->own)))
		return;
	if (!is_embed)
		canonical(a, &u, d);
	struct app_advice advice =
		link_rules_find(a->scan, &a->verdict, &u, written, is_embed);
	*ret = advice;
	switch ((enum app_action)advice.action) {
	case ACTION_NONE:
		if (d->hop == HOP_GUESS)
			leave_out_guess(a, to);
		break;
	case ACTION_NEXT:
		if (d->purpose == PURPOSE_LINK || d->purpose == PURPOSE_MANIFEST)
			d->purpose = PURPOSE_NEXT_PAGE;
		/* fall through */
	case ACTION_FOLLOW:
		to->has_score = true;
		to->score = as_link_score(advice.score);
		break;
	case ACTION_VIEW:
		to->veto = VETO_VIEW;
		to->detail = rule_words(a, advice.rule);
		break;
	case ACTION_NEVER:
		to->veto = VETO_APPLICATION;
		to->detail = rule_words(a, advice.rule);
		break;
	}
}

static void advise_links(struct advising *a)
{
	struct crawl_item *i = a->item;
	size_t bytes = (i->page.n_links + 1) * sizeof(*a->links);

	a->links = arena_alloc(&i->arena, bytes);
	memset(a->links, 0, bytes);
	bytes = (i->n_links + 1) * sizeof(*a->advice);
	a->advice = arena_alloc(&i->arena, bytes);
	memset(a->advice, 0, bytes);
	for (size_t k = 0; k < i->n_links; k++) {
		const struct link *origin = i->origins[k];
		struct discovery *d = &i->links[k];
		struct link_advice own = { 0 };

		if (d->veto == VETO_API)
			continue;
		advise_link(a, d, origin ? origin->url : d->url, &own, &a->advice[k]);
		if (origin) {
			a->links[origin - i->page.links] = own;
		} else if (own.veto != VETO_NONE) { /* from the head of the answer */
			d->veto = own.veto;
			d->veto_by = own.detail;
		}
	}
}

static uint32_t own_links(const struct advising *a)
{
	struct str server = url_server(&a->own);
	uint32_t n = 0;

	for (size_t k = 0; k < a->item->n_links; k++) {
		size_t at = str_find(str_slice(a->item->links[k].url, 0, server.n + 10),
				     server);

		n += at != STR_NONE && at <= 8;
	}
	return n;
}

/* Lists of dates, names and titles are another arrangement, not another text. */
#define SENTENCE_BYTES 100

static struct text_sample sentences(struct crawl_item *i)
{
	cleanup(buf_release) struct buf text = { 0 };

	for (size_t k = 0; k < i->page.n_blocks; k++) {
		const struct page_block *b = &i->page.blocks[k];

		if (b->text.n >= SENTENCE_BYTES && b->linked_bytes * 3 < b->text.n) {
			buf_add(&text, b->text);
			buf_add_char(&text, '\n');
		}
	}
	return seen_text_sample(buf_str(&text), &i->arena);
}

struct page_advice app_advise(struct app_scan *s, struct crawl_item *i, struct str html)
{
	struct advising a = { .scan = s, .item = i };
	struct page_advice ret = { 0 };

	if (!s || (!i->has_page && !i->api) ||
	    url_parse(i->step.task.url, NULL, &a.scratch[0], &a.own, NULL) != ST_OK)
		return ret;
	a.own = url_copy(&i->arena, &a.own);
	/* What an API gave says nothing of itself: its server is known. */
	bool is_html = i->has_page && i->page.kind == PAGE_HTML;
	struct app_page page = { .url = i->step.task.url,
				 .fields = i->head.fields,
				 .html = is_html ? html : STR(""),
				 .text = i->page.text,
				 .links = (uint32_t)i->n_links,
				 .own_links = own_links(&a),
				 .remembered = i->app_remembered };
	a.verdict = app_scan_page(s, &page, &i->arena);
	i->app = a.verdict.app;
	i->app_certain = is_html && a.verdict.confidence >= APP_CERTAIN;
	if (a.verdict.app != APP_NONE) {
		if (i->has_page)
			i->said = sentences(i);
		advise_links(&a);
		i->app_name = s->library->apps[a.verdict.app].name;
		ret.application = s->library->apps[a.verdict.app].id;
		ret.page_kind = a.verdict.level ? a.verdict.level->id : STR("");
		ret.links = a.links;
	}
	if (a.verdict.app != APP_NONE && is_html)
		app_output_keep(&(struct app_output){ .scan = s,
						      .verdict = &a.verdict,
						      .page = &page,
						      .advice = a.advice },
				i);
	for (size_t k = 0; k < COUNT(a.scratch); k++)
		buf_release(&a.scratch[k]);
	return ret;
}
