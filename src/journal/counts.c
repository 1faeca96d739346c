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

void counts_add_verdict(struct crawl_counts *n, const struct verdict *v)
{
	n->exact += v->kind == VERDICT_EXACT;
	n->near += v->kind == VERDICT_NEAR;
	n->soft_404 += v->kind == VERDICT_SOFT_404;
}
