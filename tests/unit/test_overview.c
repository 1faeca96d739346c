/* The overview as a person gets it: the file, opened from the file system in a real
 * browser. */
#include <stdlib.h>

#include "base/rng.h"
#include "os/file.h"
#include "overview/overview.h"
#include "test.h"

#define RAW        40
#define CANDIDATES 4

static char dir[] = "/tmp/thresh-test-overview.XXXXXX";

/* Long words, markup and the end of a script in the texts: the page must bear them all.
 */
static struct str observation(struct buf *b, struct rng *r, int nr)
{
	struct json_out o = { .to = b };
	cleanup(buf_release) struct buf html = { 0 };

	buf_reset(b);
	buf_add(&html, STR("<html><body>"));
	for (int i = 0; i < 40; i++)
		if (rng_chance(r, 0.85))
			buf_addf(&html, "<div class=\"part-%d\"></div>", i);
	json_open(&o, '{');
	json_put_str(&o, "url", STR("http://app.example/a?b=</script><b>&amp;"));
	json_put_str(&o, "title",
		     STR("A title </script> \"that\" is 'long' \xe2\x82\xac"));
	json_put_str(&o, "html", buf_str(&html));
	buf_reset(&html);
	buf_addf(&html, "text of state %d", nr);
	json_put_str(&o, "text", buf_str(&html));
	json_key(&o, STR("candidates"));
	json_open(&o, '[');
	for (int i = 0; i < CANDIDATES; i++)
		json_add_raw(&o, STR("{\"path\":\"0\",\"tag\":\"a\",\"text\":\"<go>\","
				     "\"events\":[\"click\"],\"box\":[9,9,80,20],"
				     "\"css\":\"#x\",\"xpath\":\"/X\"}"));
	json_close(&o, ']');
	json_close(&o, '}');
	return buf_str(b);
}

static bool make_crawl(struct model *m, struct diag *why)
{
	struct content by_simhash = content_of_method(method_find(STR("simhash64")));
	cleanup(buf_release) struct buf b = { 0 };
	struct rng r = { 11 };
	uint32_t nr;
	bool kept;

	if (model_open(m, dir, STR("{}"), &by_simhash,
		       (struct state_thresholds){ 0, CONTENT_FARTHEST }, why) != ST_OK)
		return false;
	for (int i = 0; i < RAW; i++)
		if (model_add_state(m, observation(&b, &r, i), STR("console: oops\n"),
				    &nr, why) != ST_OK)
			return false;
	for (uint32_t s = 0; s < RAW; s++)
		for (uint32_t c = 0; c < CANDIDATES; c++) {
			struct deed d = { .state = s,
					  .candidate = c,
					  .outcome = DEED_DONE,
					  .to = (uint32_t)rng_below(&r, RAW) };

			if (c == 0)
				d.to = (s + 1) % RAW;
			if (model_add_deed(m, &d, &kept, why) != ST_OK)
				return false;
		}
	return true;
}

static void describe_ours(const struct model *m, double threshold, struct buf *to)
{
	struct simulation s;

	simulation_start(&s, (struct state_thresholds){ threshold, CONTENT_FARTHEST },
			 model_distance, m);
	for (size_t i = 0; i < m->deed_count; i++)
		simulation_add(&s,
			       (struct transition){ m->deeds[i].state, m->deeds[i].to,
						    (uint32_t)i },
			       NULL);
	for (size_t i = 0; i < s.kept_count; i++)
		buf_addf(to, "%u ", s.kept[i]);
	for (size_t i = 0; i < s.edge_count; i++)
		buf_addf(to, "%u-%u ", s.edges[i].from, s.edges[i].to);
	simulation_release(&s);
}

static void move_the_slider(struct tab *t, double threshold, struct buf *to)
{
	cleanup(buf_release) struct buf script = { 0 };
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	struct diag why;

	buf_addf(&script,
		 "(()=>{const s=document.getElementById('template');s.value=%.3f;"
		 "s.dispatchEvent(new Event('input'));const g=window.graph;"
		 "return g.kept.map(k=>k+' ').join('')+g.edges.map(e=>e[0]+'-'+e[1]+' "
		 "').join('')})()",
		 threshold);
	CHECK(tab_evaluate(t, buf_str(&script), false, &reply, &why) == ST_OK);
	buf_add(to, tab_value_str(&reply));
}

static bool is_true(struct tab *t, const char *expression)
{
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	struct diag why;

	return tab_evaluate(t, str_from(expression), false, &reply, &why) == ST_OK &&
	       json_bool(tab_value(&reply), false);
}

/* Twenty answers by one rule: the suggestion parts what it parts, and says how sure it
 * is. */
static void answer_twenty_questions(struct tab *t)
{
	CHECK(is_true(
		t,
		"(()=>{for(let i=0;i<20;i++){const p=undecided();"
		"document.getElementById(p.d<=0.25?'yes':'no').click()}return true})()"));
	CHECK(is_true(t, "!document.getElementById('yes')"));
	CHECK(is_true(
		t, "answers.length===20&&answers.every(a=>(a.d<=suggestion().threshold)"
		   "===a.same)"));
	CHECK(is_true(
		t, "/Suggested threshold 0\\.2\\d+; .* 8\\d\\D100 % .*20 answers/.test("
		   "document.getElementById('suggestion').textContent)"));
	CHECK(is_true(t,
		      "(document.querySelector('#questions button').click(),Math.abs("
		      "document.getElementById('template').value-suggestion().threshold)<"
		      "0.01)"));
}

/* Without a mouse: the graph listens to the keys that its label names. */
static void use_the_keyboard(struct tab *t)
{
	CHECK(is_true(t, "(canvas.focus(),document.activeElement===canvas)"));
	CHECK(tab_key(t, "n", NULL) == ST_OK && tab_key(t, "n", NULL) == ST_OK);
	CHECK(is_true(t, "chosen===current.kept[1]"));
	CHECK(tab_key(t, "p", NULL) == ST_OK && is_true(t, "chosen===current.kept[0]"));
	CHECK(is_true(t, "(window.was=view.x,true)"));
	CHECK(tab_key(t, "ArrowRight", NULL) == ST_OK && is_true(t, "view.x===was-60"));
	CHECK(tab_key(t, "Enter", NULL) == ST_OK &&
	      is_true(t, "location.hash==='#state=0'"));
	CHECK(is_true(t, "(location.hash='',true)") && tab_settle(t, 100, NULL) == ST_OK);
	CHECK(is_true(t, "(document.activeElement.blur(),true)"));
	CHECK(tab_key(t, "/", NULL) == ST_OK);
	CHECK(is_true(t, "document.activeElement.id==='search'"));
}

static void look_around(struct tab *t)
{
	CHECK(is_true(t, "(location.hash='state=1',true)"));
	CHECK(tab_settle(t, 100, NULL) == ST_OK);
	CHECK(is_true(t, "document.querySelectorAll('#view-state tr').length===5"));
	CHECK(is_true(t, "(location.hash='statistics',true)"));
	CHECK(tab_settle(t, 100, NULL) == ST_OK);
	CHECK(is_true(t, "document.getElementById('view-statistics').offsetHeight>100"));
	CHECK(is_true(t, "(location.hash='',document.getElementById('yes').click(),"
			 "document.getElementById('suggestion').textContent.includes("
			 "'Suggested threshold'))"));
	CHECK(is_true(t, "document.documentElement.scrollWidth<=innerWidth"));
	CHECK(is_true(t,
		      "(location.hash='',answers.length=0,$('template').value=0,redraw(),"
		      "ask(),true)"));
	CHECK(tab_settle(t, 100, NULL) == ST_OK);
	answer_twenty_questions(t);
	use_the_keyboard(t);
}

static void the_page_opens_and_its_slider_agrees_with_the_crawl(void)
{
	struct model m;
	struct browser browser;
	struct tab *t;
	struct diag why;
	cleanup(buf_release) struct buf url = { 0 };
	size_t notes;

	CHECK(make_crawl(&m, &why));
	CHECK(overview_write(&m,
			     &(struct overview_facts){ .url = STR("http://app.example/"),
						       .settings = STR("{}"),
						       .width = 1280,
						       .height = 800 },
			     &why) == ST_OK);
	if (browser_start(&browser, &(struct browser_options){ 0 }, &why) != ST_OK) {
		printf("# skipped: %s\n", why.text);
		model_close(&m);
		return;
	}
	CHECK(tab_open(&browser, &(struct tab_options){ 0 }, &t, &why) == ST_OK);
	buf_addf(&url, "file://%s/overview/index.html", dir);
	CHECK(tab_goto(t, buf_str(&url), 500, &why) == ST_OK);
	for (int tick = 0; tick <= 100; tick += 4) {
		cleanup(buf_release) struct buf ours = { 0 }, theirs = { 0 };

		describe_ours(&m, tick * 0.005, &ours);
		move_the_slider(t, tick * 0.005, &theirs);
		CHECK(ours.n > 0 && str_eq(buf_str(&ours), buf_str(&theirs)));
	}
	look_around(t);
	const struct note *list = tab_notes(t, &notes);
	for (size_t i = 0; i < notes; i++)
		printf("# %s\n", list[i].text);
	CHECK(notes == 0);
	tab_close(t);
	browser_release(&browser);
	model_close(&m);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	RUN(the_page_opens_and_its_slider_agrees_with_the_crawl);
	if (dir_remove(dir, NULL) != ST_OK)
		return 1;
	DONE();
}
