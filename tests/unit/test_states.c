#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "observe/guard.h"
#include "observe/login.h"
#include "os/file.h"
#include "overview/files.h"
#include "overview/layout.h"
#include "overview/overview.h"
#include "states/choose.h"
#include "states/model.h"
#include "states/template.h"
#include "test.h"

static char dir[] = "/tmp/thresh-test-states.XXXXXX";

static const char *refusal(const char *text, const char *href)
{
	struct guard_options g = { .origin = STR("https://app.example") };
	struct candidate c = { .text = str_from(text), .href = str_from(href) };

	return guard_refuses(&g, &c);
}

static void what_cannot_be_undone_is_refused(void)
{
	static const char *const bad[] = { "Log out",     "Sign Out", "LOGOUT",
					   "Delete pet",  "Remove",   "Pay now",
					   "Unsubscribe", "Abmelden" };
	static const char *const good[] = { "Blogs",          "Details",
					    "Payload",        "Playout",
					    "Deleted items?", "Next",
					    "Add owner",      "" };

	for (size_t i = 0; i < COUNT(bad); i++)
		CHECK(refusal(bad[i], "") != NULL);
	for (size_t i = 0; i < COUNT(good); i++)
		CHECK(refusal(good[i], "") == NULL);
	CHECK(refusal("x", "https://app.example/users/1/delete") != NULL);
	CHECK(refusal("x", "https://app.example/logout?next=/") != NULL);
}

static void links_that_leave_are_not_followed(void)
{
	CHECK(refusal("x", "https://app.example/page") == NULL);
	CHECK(refusal("x", "https://app.example") == NULL);
	CHECK(refusal("x", "https://app.example.evil/") != NULL);
	CHECK(refusal("x", "https://other.example/") != NULL);
	CHECK(refusal("x", "mailto:a@b") != NULL);
	CHECK(refusal("x", "javascript:void(0)") == NULL);
}

static void the_user_has_the_last_word(void)
{
	struct str words[] = { STR("danger"), STR("#keep") };
	struct guard_options g = { .allow_destructive = true,
				   .exclude = { words, 2, 2 } };
	struct candidate c = { .text = STR("Delete") };

	CHECK(guard_refuses(&g, &c) == NULL);
	c.text = STR("Danger zone");
	CHECK(guard_refuses(&g, &c) != NULL);
	/* Selectors are judged in the page. */
	c = (struct candidate){ .text = STR("fine"), .excluded = true };
	CHECK(guard_refuses(&g, &c) != NULL);
	g = (struct guard_options){ .include = { words, 1, 1 } };
	c.excluded = false;
	CHECK(guard_refuses(&g, &c) != NULL);
	c.included = true;
	CHECK(guard_refuses(&g, &c) == NULL);
}

static void what_is_sent_is_judged_more_strictly_than_what_is_shown(void)
{
	struct guard_options g = { 0 };
	struct candidate c = { .text = STR("Clear"), .method = STR("get") };

	CHECK(guard_refuses(&g, &c) == NULL);
	c.method = STR("post");
	CHECK(guard_refuses(&g, &c) != NULL);
	c = (struct candidate){ .text = STR("Save"),
				.method = STR("post"),
				.action = STR("/orders/7/cancel") };
	CHECK(guard_refuses(&g, &c) != NULL);
	c.action = STR("/orders/7");
	CHECK(guard_refuses(&g, &c) == NULL);
	c.method = STR("delete");
	CHECK(guard_refuses(&g, &c) != NULL);
	g.allow_destructive = true;
	CHECK(guard_refuses(&g, &c) == NULL);
}

/* An observation whose template is `n` list items in a box of class `name`. */
static struct str observation(struct buf *b, const char *name, const char *text)
{
	buf_reset(b);
	buf_addf(b,
		 "{\"url\":\"http://a/\",\"title\":\"t\",\"html\":\"<html><body><div "
		 "class=%s>"
		 "<p>x</p></div></body></"
		 "html>\",\"text\":\"%s\",\"candidates\":[{\"path\":\"0\","
		 "\"tag\":\"button\",\"text\":\"go\",\"events\":[\"click\",\"hover\","
		 "\"nonsense\"],"
		 "\"box\":[1,2,3,4],\"css\":\"#x\",\"xpath\":\"/X\"}]}",
		 name, text);
	return buf_str(b);
}

static bool open_model(struct model *m)
{
	struct content by_simhash = content_of_method(method_find(STR("simhash64")));
	struct diag why;

	if (model_open(m, dir, STR("settings"), &by_simhash,
		       (struct state_thresholds){ 0, CONTENT_FARTHEST }, &why) == ST_OK)
		return true;
	printf("# %s\n", why.text);
	return false;
}

static void a_crawl_survives_being_closed_at_any_point(void)
{
	struct model m;
	cleanup(buf_release) struct buf b = { 0 };
	struct deed d;
	uint32_t nr;
	bool kept;

	CHECK(open_model(&m));
	CHECK(model_add_state(&m, observation(&b, "one", "a"), STR(""), &nr, NULL) ==
		      ST_OK &&
	      nr == 0);
	CHECK(model_add_state(&m, observation(&b, "one", "a"), STR(""), &nr, NULL) ==
		      ST_OK &&
	      nr == 0);
	CHECK(model_add_state(&m, observation(&b, "two", "b"), STR("console: oops\n"),
			      &nr, NULL) == ST_OK &&
	      nr == 1);
	CHECK(choose_next(&m, 0, &d) && d.state == 0 && d.event == EVENT_CLICK);
	d.outcome = DEED_DONE;
	d.to = 1;
	CHECK(model_add_deed(&m, &d, &kept, NULL) == ST_OK && kept);
	/* What was tried nowhere comes first. */
	CHECK(choose_next(&m, 0, &d) && d.event == EVENT_HOVER);
	uint32_t next = d.state;
	model_close(&m);

	CHECK(open_model(&m));
	CHECK(m.state_count == 2 && m.simulation.kept_count == 2 && m.deed_count == 1);
	CHECK(m.states[1]->depth == 1 &&
	      str_eq(m.states[1]->problems, STR("console: oops\n")));
	CHECK(choose_next(&m, 0, &d) && d.state == next && d.event == EVENT_HOVER);
	size_t pending = choose_count(&m, 0);
	CHECK(pending > 0 && choose_count(&m, 1) < pending);
	CHECK(model_give_up(&m, 0, STR("gone"), NULL) == ST_OK);
	CHECK(choose_count(&m, 0) < pending && choose_count(&m, 1) == 0);
	CHECK(choose_next(&m, 0, &d) && d.state == 1);
	CHECK(!choose_next(&m, 1, &d)); /* depth 1 is the end then */
	model_close(&m);
}

static void other_settings_are_refused(void)
{
	struct content by_simhash = content_of_method(method_find(STR("simhash64")));
	struct model m;
	struct diag why;

	CHECK(model_open(&m, dir, STR("others"), &by_simhash,
			 (struct state_thresholds){ 0, 0 }, &why) == ST_DENIED);
	CHECK(strstr(why.text, "other settings") != NULL);
}

static uint64_t template_hash(const char *html)
{
	struct content by_simhash = content_of_method(method_find(STR("simhash64")));
	cleanup(arena_release) struct arena a = { 0 };
	struct observation o = { .html = str_from(html) };
	struct identity id;

	identity_make(&o, &by_simhash, &a, &id);
	return id.template_hash;
}

static void rows_of_a_table_are_data_and_lists_and_classes_are_not(void)
{
	uint64_t none =
		template_hash("<table><thead><tr><th>a</th></tr></thead></table>");

	CHECK(none == template_hash("<table><thead><tr><th>a</th></tr></thead><tbody>"
				    "<tr><td>1</td></tr><tr><td>2</td></tr></tbody>"
				    "</table>"));
	CHECK(none != template_hash("<table><tr><td class=x>a</td></tr></table>"));
	CHECK(none != template_hash("<table><tr><td><b>a</b></td></tr></table>"));
	CHECK(template_hash("<ul></ul>") != template_hash("<ul><li>a</ul>"));
	CHECK(template_hash("<ul><li>a</ul>") == template_hash("<ul><li>a<li>b</ul>"));
}

static void only_what_shows_and_the_classes_of_the_element_itself_count(void)
{
	CHECK(template_hash("<ul></ul>") ==
	      template_hash(
		      "<ul></ul><dialog x-unseen><p>a</p><input><b>c</b></dialog>"));
	CHECK(template_hash("<ul></ul>") !=
	      template_hash("<ul></ul><dialog><p>a</p></dialog>"));
	CHECK(template_hash("<ul></ul><p>a</p>") ==
	      template_hash("<ul></ul><img x-unseen><p>a</p>"));
	CHECK(template_hash("<p class='a b'>x</p>") ==
	      template_hash("<p class='b a'>x</p>"));
	/* A class on the body changes one way, not all of them. */
	struct content by_simhash = content_of_method(method_find(STR("simhash64")));
	cleanup(arena_release) struct arena a = { 0 };
	struct observation one = { .html = STR("<body><p><b><i>x</i></b></p></body>") };
	struct observation two = {
		.html = STR("<body class=dark><p><b><i>x</i></b></p></body>")
	};
	struct identity x, y;

	identity_make(&one, &by_simhash, &a, &x);
	identity_make(&two, &by_simhash, &a, &y);
	CHECK(path_distance(&x, &y) < 0.5);
}

static void origins_are_compared_whole(void)
{
	struct str origin = STR("https://a.org");

	CHECK(guard_is_within(STR("https://a.org"), origin));
	CHECK(guard_is_within(STR("https://a.org/x"), origin));
	CHECK(guard_is_within(STR("https://a.org?x"), origin));
	CHECK(!guard_is_within(STR("https://a.org.evil/"), origin));
	CHECK(!guard_is_within(STR("https://a.org:81/"), origin));
	CHECK(!guard_is_within(STR("https://a.org@evil/"), origin));
}

static void private_places_are_closed_but_the_starts_own(void)
{
	struct str hosts[] = { STR("10.0.0.7"), STR("localhost:99") };
	struct wall_options o = { .start = STR("http://127.0.0.1:8080/app"),
				  .hosts = { hosts, 2, 2 } };
	cleanup(wall_release) struct wall w = { .options = &o };
	struct diag why;

	CHECK(wall_allows_place(&w, STR("http://127.0.0.1:8080/x"), &why));
	CHECK(!wall_allows_place(&w, STR("http://127.0.0.1:8081/x"), &why));
	CHECK(!wall_allows_place(&w, STR("http://127.0.0.1/x"), &why));
	CHECK(!wall_allows_place(&w, STR("http://[::1]:8080/x"), &why));
	CHECK(!wall_allows_place(&w, STR("http://169.254.169.254/latest/"), &why));
	CHECK(!wall_allows_place(&w, STR("http://localhost:98/"), &why));
	CHECK(wall_allows_place(&w, STR("http://localhost:99/"), &why));
	CHECK(wall_allows_place(&w, STR("https://10.0.0.7/"), &why));
	CHECK(wall_allows_place(&w, STR("http://93.184.216.34/"), &why));
	CHECK(wall_allows_place(&w, STR("data:text/plain,x"), &why));
}

static void what_is_made_anew_for_each_form_does_not_make_another_write(void)
{
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 }, c = { 0 };
	struct str kind = STR("application/x-www-form-urlencoded");

	wall_add_plain_body(STR("csrfmiddlewaretoken=1&user=x"), kind, &a);
	wall_add_plain_body(STR("csrfmiddlewaretoken=2&user=x"), kind, &b);
	wall_add_plain_body(STR("csrfmiddlewaretoken=2&user=y"), kind, &c);
	CHECK(str_eq(buf_str(&a), buf_str(&b)) && !str_eq(buf_str(&a), buf_str(&c)));
}

static void requests_that_delete_are_known(void)
{
	struct guard_options g = { 0 };
	struct str post = STR("POST"), none = STR("");

	CHECK(guard_refuses_request(&g, STR("DELETE"), STR("http://a/x"), none));
	CHECK(guard_refuses_request(&g, post, STR("http://a/items/5/delete/"), none));
	CHECK(guard_refuses_request(&g, post, STR("http://a/bulk"),
				    STR("ids=1&action=delete_selected")));
	CHECK(guard_refuses_request(&g, post, STR("http://a/x"), STR("_method=DELETE")));
	CHECK(!guard_refuses_request(&g, post, STR("http://a/items/5"),
				     STR("name=delete")));
	g.allow_destructive = true;
	CHECK(!guard_refuses_request(&g, STR("DELETE"), STR("http://a/x"), none));
}

static void cookies_come_in_three_forms(void)
{
	static const char *const texts[] = {
		"# Netscape HTTP Cookie "
		"File\n#HttpOnly_a.org\tFALSE\t/\tTRUE\t0\tid\t7\n",
		"{\"cookies\":[{\"name\":\"id\",\"value\":\"7\",\"domain\":\"a.org\","
		"\"path\":\"/\",\"secure\":true,\"httpOnly\":true}],\"origins\":[]}",
		"[{\"name\":\"id\",\"value\":\"7\",\"domain\":\"a.org\",\"secure\":true,"
		"\"httpOnly\":true}]",
	};
	struct diag why;

	for (size_t i = 0; i < COUNT(texts); i++) {
		cleanup(buf_release) struct buf b = { 0 };

		CHECK(login_parse(str_from(texts[i]), &b, &why) == ST_OK);
		CHECK(str_eq(buf_str(&b),
			     STR("{\"cookies\":[{\"name\":\"id\",\"value\":\"7\","
				 "\"domain\":\"a.org\",\"path\":\"/\",\"secure\":true,"
				 "\"httpOnly\":true}]}")));
	}
	cleanup(buf_release) struct buf none = { 0 };
	CHECK(login_parse(STR("nothing\n"), &none, &why) == ST_SYNTAX);
}

static bool content_is(const char *settings, const char *want)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct observation o = { .html = STR("<p class=\"x\">Ah, <b>oh</b></p>"),
				 .text = STR("Ah, oh") };
	struct json *all = NULL;
	struct content c;
	struct diag why;

	if (json_parse(str_from(settings), &all, &why) != ST_OK)
		return false;
	enum status st = content_parse(all, &c, &why);
	json_release(&all);
	if (st != ST_OK)
		return want == NULL;
	content_add(&c, &o, &b);
	if (want && str_eq(buf_str(&b), str_from(want)))
		return true;
	printf("# %s gave '" STR_FMT "'\n", settings, STR_ARG(buf_str(&b)));
	return false;
}

static void the_content_is_what_is_not_stripped(void)
{
	CHECK(content_is("{\"method\":\"jaccard\"}", "Ah, oh"));
	CHECK(content_is("{\"method\":\"jaccard\",\"strip\":\"spaces\"}", "Ah,oh"));
	CHECK(content_is("{\"method\":\"jaccard\",\"strip\":\"attributes,text\"}",
			 "<p><b></b></p>"));
	CHECK(content_is("{\"method\":\"jaccard\",\"strip\":\"structure,.ad\"}",
			 " Ah,  oh  "));
	CHECK(content_is("{\"method\":\"jaccard\",\"strip\":\".ad\"}", "Ah, oh"));
	CHECK(content_is("{\"method\":\"none\"}", NULL));
	CHECK(content_is("{\"method\":\"jaccard\",\"pieces\":\"pages\"}", NULL));
}

static void pieces_and_size_are_those_that_were_asked_for(void)
{
	struct json *all = NULL;
	struct content c;

	CHECK(json_parse(STR("{\"method\":\"crawlhash\",\"pieces\":\"chars\","
			     "\"size\":\"7\"}"),
			 &all, NULL) == ST_OK);
	CHECK(content_parse(all, &c, NULL) == ST_OK);
	CHECK(c.features.piece == PIECE_CHARS && c.features.size == 7);
	json_release(&all);
}

static void layers_follow_the_distance_from_the_start(void)
{
	struct transition e[] = { { 0, 2, 0 }, { 0, 1, 0 }, { 1, 3, 0 }, { 3, 0, 0 } };
	struct place p[5];

	layout_graph(5, e, 4, p);
	CHECK(p[0].x == 0 && p[1].x == 1 && p[2].x == 1 && p[3].x == 2 && p[4].x == 3);
	CHECK(p[1].y != p[2].y);
}

/* ---- the slider against the crawl's own code, in a real browser ---- */

#define RAW   24
#define MOVES 90
#define TICKS 21

struct made {
	uint64_t paths[RAW][40];
	size_t count[RAW];
	double content[RAW][RAW];
	struct transition moves[MOVES];
};

static struct state_distance made_distance(const void *ctx, uint32_t a, uint32_t b)
{
	struct made *m = (struct made *)(uintptr_t)ctx;
	struct identity x = { .paths = m->paths[a], .path_count = m->count[a] };
	struct identity y = { .paths = m->paths[b], .path_count = m->count[b] };

	return (struct state_distance){ path_distance(&x, &y), m->content[a][b] };
}

static void make(struct made *m, struct rng *r)
{
	*m = (struct made){ 0 };
	for (uint32_t i = 0; i < RAW; i++) {
		for (uint64_t p = 0; p < 40; p++)
			if (rng_chance(r, 0.85))
				m->paths[i][m->count[i]++] = p;
		for (uint32_t j = 0; j < i; j++)
			m->content[i][j] = m->content[j][i] = (double)rng_below(r, 40);
	}
	for (size_t i = 0; i < MOVES; i++)
		m->moves[i] =
			(struct transition){ (uint32_t)rng_below(r, MIN(i / 3 + 1, RAW)),
					     (uint32_t)rng_below(r, RAW), (uint32_t)i };
}

static void add_made(const struct made *m, struct json_out *o)
{
	json_open(o, '{');
	json_key(o, STR("paths"));
	json_open(o, '[');
	for (int i = 0; i < RAW; i++) {
		json_open(o, '[');
		for (size_t k = 0; k < m->count[i]; k++)
			json_add_uint(o, m->paths[i][k]);
		json_close(o, ']');
	}
	json_close(o, ']');
	json_key(o, STR("content"));
	json_open(o, '[');
	for (int i = 1; i < RAW; i++)
		for (int j = 0; j < i; j++)
			json_add_double(o, m->content[i][j]);
	json_close(o, ']');
	json_key(o, STR("transitions"));
	json_open(o, '[');
	for (int i = 0; i < MOVES; i++) {
		json_open(o, '[');
		json_add_uint(o, m->moves[i].from);
		json_add_uint(o, m->moves[i].to);
		json_add_uint(o, m->moves[i].action);
		json_close(o, ']');
	}
	json_close(o, ']');
	json_close(o, '}');
}

/* "kept: 0 3 5 edges: 0-3 ..." at every tick of both axes. */
static void describe_ours(const struct made *m, struct buf *to)
{
	for (int t = 0; t < TICKS; t++)
		for (int c = 0; c <= 40; c += 8) {
			struct simulation s;

			simulation_start(&s, (struct state_thresholds){ t / 40.0, c },
					 made_distance, m);
			simulation_run(&s, m->moves, MOVES);
			for (size_t i = 0; i < s.kept_count; i++)
				buf_addf(to, "%u ", s.kept[i]);
			for (size_t i = 0; i < s.edge_count; i++)
				buf_addf(to, "%u-%u ", s.edges[i].from, s.edges[i].to);
			buf_add_char(to, '\n');
			simulation_release(&s);
		}
}

static const char theirs[] =
	";(()=>{const D=makeDistance(DATA);let out='';"
	"for(let t=0;t<21;t++)for(let c=0;c<=40;c+=8){const s=simulate(DATA,t/40,c,D);"
	"out+=s.kept.map(k=>k+' ').join('')+s.edges.map(e=>e[0]+'-'+e[1]+' "
	"').join('')+'\\n'}"
	"return out})()";

static void the_slider_agrees_with_the_crawl_at_every_threshold(void)
{
	static struct made m;
	struct browser browser;
	struct tab *t;
	struct diag why;
	struct rng r = { 5 };

	if (browser_start(&browser, &(struct browser_options){ 0 }, &why) != ST_OK) {
		printf("# skipped: %s\n", why.text);
		return;
	}
	CHECK(tab_open(&browser, &(struct tab_options){ 0 }, &t, &why) == ST_OK);
	for (int round = 0; round < 10; round++) {
		cleanup(buf_release) struct buf script = { 0 }, ours = { 0 };
		cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
		struct json_out o = { .to = &script };

		make(&m, &r);
		describe_ours(&m, &ours);
		buf_add(&script, STR("{"));
		buf_add(&script, overview_simulate);
		buf_add(&script, STR(";const DATA="));
		add_made(&m, &o);
		buf_add(&script, str_from(theirs));
		buf_add(&script, STR("}"));
		CHECK(tab_evaluate(t, buf_str(&script), true, &reply, &why) == ST_OK);
		CHECK(tab_value_str(&reply).n > 1000);
		CHECK(str_eq(tab_value_str(&reply), buf_str(&ours)));
	}
	tab_close(t);
	browser_release(&browser);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	RUN(what_cannot_be_undone_is_refused);
	RUN(links_that_leave_are_not_followed);
	RUN(the_user_has_the_last_word);
	RUN(what_is_sent_is_judged_more_strictly_than_what_is_shown);
	RUN(a_crawl_survives_being_closed_at_any_point);
	RUN(other_settings_are_refused);
	RUN(rows_of_a_table_are_data_and_lists_and_classes_are_not);
	RUN(only_what_shows_and_the_classes_of_the_element_itself_count);
	RUN(origins_are_compared_whole);
	RUN(private_places_are_closed_but_the_starts_own);
	RUN(what_is_made_anew_for_each_form_does_not_make_another_write);
	RUN(requests_that_delete_are_known);
	RUN(cookies_come_in_three_forms);
	RUN(the_content_is_what_is_not_stripped);
	RUN(pieces_and_size_are_those_that_were_asked_for);
	RUN(layers_follow_the_distance_from_the_start);
	RUN(the_slider_agrees_with_the_crawl_at_every_threshold);
	if (dir_remove(dir, NULL) != ST_OK)
		return 1;
	DONE();
}
