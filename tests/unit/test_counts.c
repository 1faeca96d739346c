#include "journal/counts.h"

#include "test.h"

static void every_code_has_its_class(void)
{
	struct crawl_counts n = { 0 };
	static const int codes[] = { 200, 204, 299, 301, 302, 304,   399, 400,
				     404, 499, 500, 503, -1,  -5001, 0 };

	for (size_t i = 0; i < COUNT(codes); i++)
		counts_add_answer(&n, codes[i], 10);
	CHECK(n.ok == 3 && n.redirects == 3 && n.not_modified == 1);
	CHECK(n.client_errors == 3 && n.server_errors == 2 && n.failed == 3);
	CHECK(n.received_bytes == 10 * COUNT(codes));
}

static void verdicts_are_told_apart(void)
{
	struct crawl_counts n = { 0 };

	for (enum verdict_kind k = VERDICT_NEW; k <= VERDICT_SOFT_404; k++)
		counts_add_page(
			&n, &(struct counted_page){
				    .novel = k == VERDICT_NEW,
				    .verdict = &(struct verdict){ .kind = (uint8_t)k } });
	CHECK(n.exact == 1 && n.near == 1 && n.soft_404 == 1);
	CHECK(n.novel == 1 && n.done == VERDICT_SOFT_404 + 1);
}

/* robots.txt, probes and checks are requests of the crawl; revisits are other visits. */
static void only_pages_are_new(void)
{
	static const enum purpose own[] = { PURPOSE_ROBOTS, PURPOSE_CHECK,
					    PURPOSE_SOFT_404_PROBE,
					    PURPOSE_RENDER_REQUEST };
	struct crawl_counts n = { 0 };

	for (size_t i = 0; i < COUNT(own); i++)
		counts_add_page(&n, &(struct counted_page){ .purpose = (uint8_t)own[i],
							    .novel = true });
	CHECK(n.novel == 0 && n.done == COUNT(own));
	counts_add_page(
		&n, &(struct counted_page){ .purpose = PURPOSE_BROWSER, .novel = true });
	CHECK(n.novel == 1 && n.done == COUNT(own)); /* its answer was counted */
	for (enum change c = CHANGE_FIRST; c <= CHANGE_FAILED; c++)
		counts_add_page(&n, &(struct counted_page){ .purpose = PURPOSE_REVISIT,
							    .change = (uint8_t)c,
							    .novel = true });
	CHECK(n.novel == 1 && n.revisited == CHANGE_FAILED + 1);
	CHECK(n.unchanged == 1 && n.changed == 1 && n.gone == 1);
	n.failed = 2;
	n.server_errors = 3;
	CHECK(counts_failed(&n) == 5);
}

int main(void)
{
	RUN(every_code_has_its_class);
	RUN(verdicts_are_told_apart);
	RUN(only_pages_are_new);
	DONE();
}
