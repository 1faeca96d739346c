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
		counts_add_verdict(&n, &(struct verdict){ .kind = (uint8_t)k });
	CHECK(n.exact == 1 && n.near == 1 && n.soft_404 == 1);
}

int main(void)
{
	RUN(every_code_has_its_class);
	RUN(verdicts_are_told_apart);
	DONE();
}
