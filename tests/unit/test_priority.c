#include "policy/priority.h"

#include "test.h"

static uint8_t of_link(uint32_t depth, uint8_t penalty)
{
	return policy_priority(&(struct priority_facts){
		.purpose = PURPOSE_LINK, .depth = depth, .penalty = penalty });
}

static uint8_t of_score(enum purpose purpose, float score, uint8_t penalty)
{
	return policy_priority(&(struct priority_facts){ .purpose = (uint8_t)purpose,
							 .depth = 7,
							 .penalty = penalty,
							 .has_score = true,
							 .score = score });
}

static uint8_t penalty_of(const char *text)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	struct url u;

	return url_parse(str_from(text), NULL, &scratch, &u, NULL) == ST_OK
		       ? url_penalty(&u)
		       : 255;
}

static void in_order_all_links_are_alike(void)
{
	CHECK(policy_priority(&(struct priority_facts){
		      .purpose = PURPOSE_EMBED, .depth = 3, .in_order = true }) ==
	      policy_priority(&(struct priority_facts){
		      .has_score = true, .score = 1, .in_order = true }));
}

static void without_a_score_the_way_decides(void)
{
	CHECK(of_link(0, 0) == 200 && of_link(3, 0) == 194 && of_link(900, 0) == 100);
	CHECK(of_link(3, 60) == 134);
	CHECK(policy_priority(&(struct priority_facts){ .purpose = PURPOSE_EMBED }) ==
	      220);
	CHECK(policy_priority(&(struct priority_facts){ .purpose = PURPOSE_REDIRECT }) ==
	      230);
	CHECK(policy_priority(&(struct priority_facts){ .purpose = PURPOSE_GUESS }) ==
	      25);
	CHECK(policy_priority(&(struct priority_facts){ .purpose = PURPOSE_FORM }) == 50);
}

static void with_a_score_the_score_decides_and_depth_does_not(void)
{
	CHECK(of_score(PURPOSE_LINK, 1.0f, 0) == 200);
	CHECK(of_score(PURPOSE_LINK, 0.0f, 60) == 26);
	CHECK(of_score(PURPOSE_LINK, 0.7f, 60) > of_score(PURPOSE_LINK, 0.5f, 0));
	CHECK(of_score(PURPOSE_LINK, 0.5f, 0) > of_score(PURPOSE_LINK, 0.5f, 60));
	CHECK(of_score(PURPOSE_LINK, 9.0f, 0) == 200);
	CHECK(of_score(PURPOSE_LINK, -9.0f, 0) == 46);
}

/* Nothing of it may pass the deliberate requests: seeds have 250, probes 255. */
static void no_link_comes_before_a_seed(void)
{
	for (enum purpose p = PURPOSE_LINK; p < PURPOSES; p++)
		CHECK(of_score(p, 1.0f, 0) < 250);
}

static void plain_urls_have_no_penalty(void)
{
	CHECK(penalty_of("http://a.org/x") == 0);
	CHECK(penalty_of("http://a.org/x?p=1") == 4);
	CHECK(penalty_of("http://a.org/x;jsessionid=ABCDEF0123456789?utm_source=a") ==
	      60);
}

int main(void)
{
	RUN(in_order_all_links_are_alike);
	RUN(without_a_score_the_way_decides);
	RUN(with_a_score_the_score_decides_and_depth_does_not);
	RUN(no_link_comes_before_a_seed);
	RUN(plain_urls_have_no_penalty);
	DONE();
}
