#include "journal/counts.h"

void counts_add_answer(struct crawl_counts *n, int code, uint64_t wire_bytes)
{
	n->received_bytes += wire_bytes;
	if (code <= 0)
		n->failed++;
	else if (code < 300)
		n->ok++;
	else if (code == 304)
		n->not_modified++;
	else if (code < 400)
		n->redirects++;
	else if (code < 500)
		n->client_errors++;
	else
		n->server_errors++;
}

static void add_revisit(struct crawl_counts *n, enum change change)
{
	n->revisited++;
	n->unchanged += change == CHANGE_NONE;
	n->changed += change == CHANGE_SOME;
	n->gone += change == CHANGE_GONE;
}

void counts_add_page(struct crawl_counts *n, const struct counted_page *p)
{
	const struct verdict *v = p->verdict;

	/* What is shown in a browser was fetched before. */
	n->done += p->purpose != PURPOSE_BROWSER;
	if (p->purpose == PURPOSE_REVISIT) {
		add_revisit(n, (enum change)p->change);
		return;
	}
	n->novel += p->novel &&
		    (purpose_is_page(p->purpose) || p->purpose == PURPOSE_BROWSER);
	n->exact += v && v->kind == VERDICT_EXACT;
	n->near += v && v->kind == VERDICT_NEAR;
	n->soft_404 += v && v->kind == VERDICT_SOFT_404;
}
