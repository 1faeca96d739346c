#include "online/online.h"

#include <stdlib.h>

#include "base/hash.h"
#include "test.h"

/* With the rules that ship with Thresh: "drop print" is one of them. */
static struct dust_online *with_shipped(void)
{
	struct online_options options = online_defaults;
	struct diag why;

	options.shipped = true;
	struct dust_online *o = dust_online_new(&options);
	if (dust_online_load(o, "/nonexistent", &why) != ST_OK)
		abort();
	return o;
}

struct answer {
	uint64_t content;
	struct likeness like;
};

/* Page `nr` has twenty paragraphs of its own, of which `changed` are others. */
static struct likeness text_of(unsigned nr, unsigned changed, uint64_t main)
{
	struct likeness l = { .main = main };

	for (unsigned i = 0; i < 20; i++)
		likeness_add(&l, hash_mix(nr << 16 | (i < changed ? 256u : 0) | i), 100);
	return l;
}

static void see(struct dust_online *o, const char *host, unsigned nr, const char *query,
		struct answer a)
{
	char url[64];

	snprintf(url, sizeof(url), "http://%s/p%u%s", host, nr, query);
	dust_online_page(o, str_from(url), a.content, &a.like);
	dust_online_assert(o);
}

static bool learns(struct dust_online *o, struct str text)
{
	const struct rule_set *all = dust_online_rules(o);

	while (dust_online_step(o))
		;
	for (size_t i = 0; i < all->n; i++)
		if (str_eq(all->v[i].text, text))
			return true;
	return false;
}

/* Most URLs of each page bring it for printers, with other bytes around it: were these
 * another page, "drop layout" would lead from one page to another. */
static void what_was_found_to_be_one_page_is_one_to_learn_from(void)
{
	cleanup(dust_online_release) struct dust_online *o = with_shipped();

	for (unsigned nr = 1; nr <= 3; nr++) {
		struct likeness like = text_of(nr, 0, hash_mix(nr));

		see(o, "a.org", nr, "?print=1", (struct answer){ 10 + nr, like });
		see(o, "a.org", nr, "?print=2", (struct answer){ 10 + nr, like });
		see(o, "a.org", nr, "?print=3", (struct answer){ 10 + nr, like });
		see(o, "a.org", nr, "", (struct answer){ 100 + nr, like });
		see(o, "a.org", nr, "?layout=x", (struct answer){ 100 + nr, like });
	}
	CHECK(learns(o, STR("drop layout")));
}

/* Here it is not known to be one, but shorter: a doubt, which proves nothing. */
static void of_several_contents_of_a_url_the_most_frequent_is_learnt_from(void)
{
	cleanup(dust_online_release) struct dust_online *o = with_shipped();

	for (unsigned nr = 1; nr <= 3; nr++) {
		struct likeness like = text_of(nr, 0, hash_mix(nr));

		see(o, "a.org", nr, "?print=1",
		    (struct answer){ 10 + nr, text_of(nr, 8, hash_mix(50 + nr)) });
		see(o, "a.org", nr, "", (struct answer){ 100 + nr, like });
		see(o, "a.org", nr, "?layout=x", (struct answer){ 100 + nr, like });
	}
	CHECK(learns(o, STR("drop layout")));
}

/* Each fetch brought other bytes, as pages do that show a time or an advertisement. */
static void pages_with_one_main_content_are_one_to_learn_from(void)
{
	cleanup(dust_online_release) struct dust_online *o = with_shipped();

	for (unsigned nr = 1; nr <= 3; nr++) {
		struct likeness like = text_of(nr, 0, hash_mix(nr));

		see(o, "a.org", nr, "", (struct answer){ 10 + nr, like });
		see(o, "a.org", nr, "?layout=x", (struct answer){ 100 + nr, like });
	}
	CHECK(learns(o, STR("drop layout")));
}

/* The site says that both are one page before, or instead of, both being fetched. */
static void a_claim_speaks_for_a_rule_whatever_is_fetched_first(void)
{
	cleanup(dust_online_release) struct dust_online *canonical = with_shipped(),
							*redirect = with_shipped();
	char url[64], plain[64];

	for (unsigned nr = 1; nr <= 3; nr++) {
		struct likeness like = text_of(nr, 0, hash_mix(nr));

		snprintf(url, sizeof(url), "http://a.org/p%u?layout=x", nr);
		snprintf(plain, sizeof(plain), "http://a.org/p%u", nr);
		see(canonical, "a.org", nr, "?layout=x", (struct answer){ nr, like });
		dust_online_same(canonical, str_from(url), str_from(plain));
		dust_online_moved(redirect, str_from(url), str_from(plain));
		see(redirect, "a.org", nr, "", (struct answer){ nr, like });
	}
	CHECK(learns(canonical, STR("drop layout")));
	CHECK(learns(redirect, STR("drop layout")));
}

static const struct rule *rule_at_site(const struct dust_online *o, struct str text)
{
	const struct rule_set *all = dust_online_rules(o);

	for (size_t i = 0; i < all->n; i++)
		if (str_eq(all->v[i].text, text) && all->v[i].n_sites > 0)
			return &all->v[i];
	return NULL;
}

/* A page, and its variant for telephones that lacks a part of it. */
static void see_both(struct dust_online *o, unsigned nr, uint64_t main)
{
	see(o, "a.org", nr, "", (struct answer){ 10 + nr, text_of(nr, 0, main) });
	see(o, "m.a.org", nr, "",
	    (struct answer){ 100 + nr, text_of(nr, 8, main ? main + 1 : 0) });
}

static void pages_with_nothing_on_them_speak_neither_for_nor_against_a_rule(void)
{
	cleanup(dust_online_release) struct dust_online *o = with_shipped(),
							*p = with_shipped();

	for (unsigned nr = 0; nr < 6; nr++) {
		see_both(o, nr, 0);
		see_both(p, nr, hash_mix(nr));
	}
	const struct rule *r = rule_at_site(o, STR("mobile"));
	CHECK(r && r->state == RULE_PROBATION && r->evidence.probes == 0);
	/* Whereas main contents that differ are doubts. */
	r = rule_at_site(p, STR("mobile"));
	CHECK(r && r->state == RULE_RETRACTED);
}

/* More than three doubts, and more doubts than certainties, retract a rule. */
static void doubts_retract_a_rule_when_they_are_the_most(void)
{
	for (unsigned proofs = 0; proofs <= 5; proofs++) {
		cleanup(dust_online_release) struct dust_online *o = with_shipped();
		const struct rule *r = NULL;
		unsigned doubts = 0;

		for (unsigned nr = 0; nr < proofs; nr++) {
			struct answer a = { 10 + nr, text_of(nr, 0, hash_mix(nr)) };

			see(o, "a.org", nr, "", a);
			see(o, "m.a.org", nr, "", a);
		}
		while (doubts < 20 && (!r || r->state != RULE_RETRACTED)) {
			see_both(o, 100 + doubts, hash_mix(1000 + doubts));
			r = rule_at_site(o, STR("mobile"));
			doubts++;
		}
		CHECK(doubts == MAX(4u, proofs + 1));
	}
}

/* An article of forty paragraphs and a page of `n` comments below it. */
static struct likeness article(unsigned nr, unsigned page, unsigned n)
{
	struct likeness l = { .main = hash_mix(nr << 8 | page) };
	char text[300];

	for (unsigned i = 0; i < 40 + n; i++) {
		int length = i < 40 ? snprintf(text, sizeof(text),
					       "a long paragraph, which is %0200u by "
					       "number, of article %u",
					       i, nr)
				    : snprintf(text, sizeof(text),
					       "what reader %c%c wrote here, on page %c",
					       'a' + (int)(i - 40), 'a' + (int)nr,
					       'a' + (int)page);
		struct str s = { text, (size_t)length };

		likeness_add(&l, hash64(s), s.n);
		likeness_add_content(&l, s);
	}
	return l;
}

/* The comments are a tenth of the text: a near-duplicate, whose number is its
 * representative's. */
static void pages_of_comments_are_not_their_article(void)
{
	cleanup(dust_online_release) struct dust_online *o = with_shipped();

	for (unsigned nr = 1; nr <= 6; nr++) {
		char url[64];

		snprintf(url, sizeof(url), "http://a.org/p%u", nr);
		uint64_t content = hash64(str_from(url)) | 1;
		see(o, "a.org", nr, "", (struct answer){ content, article(nr, 0, 5) });
		see(o, "a.org", nr, "/comment-page-1",
		    (struct answer){ content, article(nr, 0, 5) });
		see(o, "a.org", nr, "/comment-page-2",
		    (struct answer){ content, article(nr, 1, 4) });
		while (dust_online_step(o))
			;
	}
	const struct rule_set *all = dust_online_rules(o);
	struct online_key k;

	for (size_t i = 0; i < all->n; i++)
		CHECK(str_find(all->v[i].text, STR("comment-page-2")) == STR_NONE ||
		      all->v[i].state != RULE_CONFIRMED);
	see(o, "a.org", 7, "", (struct answer){ 7, article(7, 0, 5) });
	dust_online_key(o, STR("http://a.org/p7/comment-page-2"), &k);
	CHECK(k.representative.n == 0);
}

static void one_more_line_and_other_digits_set_no_pages_apart(void)
{
	struct likeness a = article(1, 0, 5), b = a, c = article(1, 1, 5);

	likeness_add_content(&a, STR("an advertisement for very cheap shoes"));
	likeness_add_content(&a, STR("seen by 12345 readers since the year 2019"));
	likeness_add_content(&b, STR("an advertisement for an expensive watch"));
	likeness_add_content(&b, STR("seen by 12346 readers since the year 2019"));
	CHECK(!likeness_is_apart(&a, &b));
	CHECK(likeness_is_apart(&a, &c) && likeness_is_apart(&c, &a));
	/* Who only lacks something is a part of the other. */
	struct likeness less = article(1, 0, 0);
	CHECK(!likeness_is_apart(&a, &less) && !likeness_is_apart(&less, &a));
}

static enum online_decision offer(struct dust_online *o, unsigned nr)
{
	char url[64];
	struct online_key k;

	see(o, "a.org", nr, "", (struct answer){ 10 + nr, text_of(nr, 0, 0) });
	snprintf(url, sizeof(url), "http://m.a.org/p%u", nr);
	dust_online_key(o, str_from(url), &k);
	return dust_online_decide(o, str_from(url), &k, false);
}

/* A doubt proves nothing: another probe is fetched in its place. */
static void a_probe_that_was_a_doubt_is_replaced(void)
{
	cleanup(dust_online_release) struct dust_online *o = with_shipped();
	unsigned probes = 0;

	CHECK(offer(o, 0) == ONLINE_PROBE);
	see_both(o, 0, hash_mix(7));
	CHECK(rule_at_site(o, STR("mobile"))->evidence.probes == 1);
	for (unsigned nr = 1; nr < 20; nr++)
		probes += offer(o, nr) == ONLINE_PROBE;
	CHECK(probes == 4);
}

/* What said nothing is asked again elsewhere, but a calendar of such pages has no end. */
static void probes_that_say_nothing_are_replaced_up_to_a_bound(void)
{
	cleanup(dust_online_release) struct dust_online *o = with_shipped();
	unsigned probes = 0;

	for (unsigned nr = 0; nr < 50; nr++)
		if (offer(o, nr) == ONLINE_PROBE) {
			probes++;
			see_both(o, nr, 0);
		}
	CHECK(probes == 4 + 8);
}

int main(void)
{
	RUN(pages_of_comments_are_not_their_article);
	RUN(one_more_line_and_other_digits_set_no_pages_apart);
	RUN(what_was_found_to_be_one_page_is_one_to_learn_from);
	RUN(of_several_contents_of_a_url_the_most_frequent_is_learnt_from);
	RUN(pages_with_one_main_content_are_one_to_learn_from);
	RUN(a_claim_speaks_for_a_rule_whatever_is_fetched_first);
	RUN(pages_with_nothing_on_them_speak_neither_for_nor_against_a_rule);
	RUN(doubts_retract_a_rule_when_they_are_the_most);
	RUN(a_probe_that_was_a_doubt_is_replaced);
	RUN(probes_that_say_nothing_are_replaced_up_to_a_bound);
	DONE();
}
