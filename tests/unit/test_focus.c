#include "focus/focus.h"

#include "focus/blacklist.h"
#include "page/page.h"
#include "test.h"

#define V "http://a.test/x"

/* Score one page of HTML; the links are in its order. */
struct scored {
	struct focus focus;
	struct focus_worker worker;
	struct page page;
	struct discovery links[8];
	const struct link *origins[8];
	struct focus_scores scores[8];
	float relevance;
	struct arena a;
};

static void done(struct scored *s)
{
	focus_worker_close(&s->worker);
	focus_close(&s->focus);
	arena_release(&s->a);
}

static bool score(struct scored *s, const struct focus_spec *spec, const char *html)
{
	struct fetch_task task = { .url = STR(V) };
	struct diag why;

	*s = (struct scored){ 0 };
	if (focus_open(&s->focus, spec, &why) != ST_OK ||
	    focus_worker_open(&s->worker, &s->focus, &why) != ST_OK) {
		printf("# %s\n", why.text);
		return false;
	}
	page_parse(&(struct page_input){ .body = str_from(html),
					 .content_type = STR("text/html"),
					 .url = STR(V) },
		   &(struct page_options){ .no_guesses = true, .no_language = true },
		   &s->a, &s->page);
	size_t n = MIN(s->page.n_links, COUNT(s->links));
	for (size_t k = 0; k < n; k++) {
		s->links[k] = (struct discovery){ .url = s->page.links[k].url,
						  .via = STR(V),
						  .depth = 1 };
		s->origins[k] = &s->page.links[k];
	}
	struct focus_input in = { .page = &s->page,
				  .task = &task,
				  .links = s->links,
				  .origins = s->origins,
				  .n = n };
	s->relevance = focus_score_page(&s->worker, &in, &s->a);
	for (size_t k = 0; k < n; k++)
		if (focus_scores_decode(s->links[k].scores, &s->scores[k]) != ST_OK)
			return false;
	return true;
}

static struct str terms[] = { STR("solar energy"), STR("wind=0.5") };
static const struct str_list want = { terms, 2, 2 };

static bool near(float a, float b)
{
	return a > b - 0.01f && a < b + 0.01f;
}

static float part(const struct scored *s, size_t k, enum focus_part p)
{
	return focus_scores_has(&s->scores[k], p) ? focus_scores_value(&s->scores[k], p)
						  : -1;
}

static void terms_count_at_three_granularities(void)
{
	struct scored s;

	CHECK(score(&s, &(struct focus_spec){ .want = &want },
		    "<p>All about <a href=http://b.test/1>solar energy</a> here."
		    "<p>The wind <a href=http://b.test/2>click here</a>"
		    "<p>Cooking <a href=http://b.test/wind-power>recipes</a>"));
	CHECK(part(&s, 0, PART_ANCHOR) == 1 && part(&s, 0, PART_PARAGRAPH) == 1);
	CHECK(part(&s, 1, PART_ANCHOR) == 0 && near(part(&s, 1, PART_PARAGRAPH), 0.667f));
	CHECK(part(&s, 2, PART_ANCHOR) == 0 && part(&s, 2, PART_PARAGRAPH) == 0);
	CHECK(near(part(&s, 2, PART_URL_WORDS), 0.667f));
	CHECK(part(&s, 0, PART_DOCUMENT) == part(&s, 2, PART_DOCUMENT));
	CHECK(near(part(&s, 0, PART_DOCUMENT), s.relevance) && s.relevance > 0.5f);
	CHECK(s.links[0].score > s.links[1].score && s.links[1].score > 0);
	CHECK(s.links[0].score > s.links[2].score);
	done(&s);
}

static void one_match_is_all_in_the_plain_form(void)
{
	struct scored s;

	CHECK(score(&s, &(struct focus_spec){ .want = &want, .any_match = true },
		    "<p>wind <a href=http://b.test/1>here</a>"));
	CHECK(s.relevance == 1 && part(&s, 0, PART_PARAGRAPH) == 1);
	CHECK(part(&s, 0, PART_ANCHOR) == 0);
	done(&s);
}

static void one_mention_in_a_long_text_is_little(void)
{
	struct buf html = { 0 };
	struct scored s;

	buf_add(&html, STR("<p>wind "));
	for (unsigned i = 0; i < 4000; i++)
		buf_add(&html, STR("other words "));
	buf_add_char(&html, '\0');
	CHECK(score(&s, &(struct focus_spec){ .want = &want }, html.p));
	CHECK(s.relevance > 0 && s.relevance < 0.1f);
	done(&s);
	buf_release(&html);
}

static void a_black_list_vetoes_hosts_and_urls(void)
{
	struct scored s;

	CHECK(score(&s,
		    &(struct focus_spec){
			    .blacklist = STR("# spam\n0.0.0.0 Spam.test\n"
					     "http://b.test/bad/ # all below\n") },
		    "<a href=http://www.spam.test:8080/x>1</a>"
		    "<a href=http://notspam.test/>2</a>"
		    "<a href=http://b.test/bad?x=1>3</a>"
		    "<a href=http://b.test/badly>4</a>"));
	CHECK(s.links[0].veto == VETO_BLACKLIST);
	CHECK(str_eq(s.links[0].veto_by, STR("spam.test")));
	CHECK(s.links[1].veto == VETO_NONE && s.links[3].veto == VETO_NONE);
	CHECK(s.links[2].veto == VETO_BLACKLIST);
	done(&s);
}

static void patterns_of_urls_and_places_count(void)
{
	struct str wanted[] = { STR("/article/") }, unwanted[] = { STR("[?&]sort=") };
	struct str_list w = { wanted, 1, 1 }, u = { unwanted, 1, 1 };
	struct scored s;

	CHECK(score(&s, &(struct focus_spec){ .want_urls = &w, .avoid_urls = &u },
		    "<main><a href=http://b.test/article/1>1</a>"
		    "<a href=http://b.test/article/1?sort=2>2</a></main>"
		    "<footer><a href=http://b.test/about>3</a></footer>"));
	CHECK(part(&s, 0, PART_URL_PATTERN) == 1 && part(&s, 1, PART_URL_PATTERN) == 0);
	CHECK(part(&s, 2, PART_URL_PATTERN) == 0);
	CHECK(part(&s, 0, PART_POSITION) > part(&s, 2, PART_POSITION));
	CHECK(part(&s, 0, PART_ANCHOR) == -1); /* no terms, nothing said */
	done(&s);
}

static void weights_are_the_users(void)
{
	struct str only[] = { STR("anchor=1"),    STR("paragraph=0"), STR("document=0"),
			      STR("url-words=0"), STR("depth=0"),     STR("position=0"),
			      STR("plain-url=0") };
	struct str_list weights = { only, COUNT(only), COUNT(only) };
	struct str bad[] = { STR("ancor=1") };
	struct scored s;
	struct diag why;

	CHECK(score(&s, &(struct focus_spec){ .want = &want, .weights = &weights },
		    "<p>wind <a href=http://b.test/1>solar energy</a> "
		    "<a href=http://b.test/2>no</a>"));
	CHECK(s.links[0].score == 1 && s.links[1].score == 0);
	done(&s);
	weights = (struct str_list){ bad, 1, 1 };
	CHECK(focus_open(&s.focus, &(struct focus_spec){ .weights = &weights }, &why) ==
	      ST_SYNTAX);
}

static void scores_survive_their_bytes(void)
{
	struct focus_scores s = focus_scores_none(), t;
	char bytes[SCORES_BYTES];

	focus_scores_set(&s, PART_HOST, 0.5f);
	s.weight[PART_HOST] = focus_weight_byte(-0.5f);
	s.arm = 0xdeadbeef;
	s.form = 0xfeedf00d;
	s.bias = -3;
	focus_scores_encode(&s, bytes);
	CHECK(focus_scores_decode((struct str){ bytes, SCORES_BYTES }, &t) == ST_OK);
	CHECK(t.form == s.form);
	CHECK(t.arm == s.arm && t.bias == -3 && t.weight[PART_HOST] == -8);
	CHECK(near(focus_scores_value(&t, PART_HOST), 0.5f));
	CHECK(!focus_scores_has(&t, PART_ANCHOR));
	CHECK(focus_scores_decode((struct str){ bytes, SCORES_BYTES - 1 }, &t) ==
	      ST_CORRUPT);
}

int main(void)
{
	RUN(terms_count_at_three_granularities);
	RUN(one_match_is_all_in_the_plain_form);
	RUN(one_mention_in_a_long_text_is_little);
	RUN(a_black_list_vetoes_hosts_and_urls);
	RUN(patterns_of_urls_and_places_count);
	RUN(weights_are_the_users);
	RUN(scores_survive_their_bytes);
	DONE();
}
