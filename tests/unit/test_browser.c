/* Against a real Chromium: skipped, with a word, where none is installed. */
#include <signal.h>
#include <string.h>

#include "browser/tab.h"
#include "os/clock.h"
#include "test.h"

static struct browser browser;
static struct diag why;

/* Evaluates to a string; compared with `want`. */
static bool gives(struct tab *t, const char *script, const char *want)
{
	cleanup(cdp_reply_release) struct cdp_reply r = { 0 };

	if (tab_evaluate(t, str_from(script), true, &r, &why) != ST_OK) {
		printf("# %s\n", why.text);
		return false;
	}
	struct str got = tab_value_str(&r);
	if (!str_eq(got, str_from(want)))
		printf("# %s gave '" STR_FMT "', not '%s'\n", script, STR_ARG(got), want);
	return str_eq(got, str_from(want));
}

static bool open_page(struct tab **ret, const char *html)
{
	cleanup(buf_release) struct buf url = { 0 };
	struct tab_options options = { .seed = 7 };

	buf_add(&url, STR("data:text/html,"));
	buf_add(&url, str_from(html));
	if (tab_open(&browser, &options, ret, &why) == ST_OK &&
	    tab_goto(*ret, buf_str(&url), 1000, &why) == ST_OK)
		return true;
	printf("# %s\n", why.text);
	return false;
}

static void ten_seconds_of_page_time_pass_at_once(void)
{
	struct tab *t;

	CHECK(open_page(&t,
			"<p id=p>0</p><script>setTimeout(()=>p.textContent='late',9000);"
			"let t0=Date.now()</script>"));
	CHECK(gives(t, "p.textContent", "0"));
	CHECK(tab_settle(t, 10000, &why) == ST_OK);
	CHECK(gives(t, "p.textContent", "late") && !tab_fell_back(t));
	tab_close(t);
}

static void two_loads_see_the_same_clock_and_the_same_dice(void)
{
	const char *page =
		"<p id=p></p><script>p.textContent=Math.random()+' '+Math.random()+"
		"' '+Date.now()+' '+crypto.getRandomValues(new Uint8Array(4))</script>";
	char first[128] = "";

	for (int i = 0; i < 2; i++) {
		struct tab *t;
		cleanup(cdp_reply_release) struct cdp_reply r = { 0 };

		CHECK(open_page(&t, page));
		CHECK(tab_evaluate(t, STR("p.textContent"), true, &r, &why) == ST_OK);
		struct str text = tab_value_str(&r);
		CHECK(text.n > 20 && text.n < sizeof(first));
		CHECK(i == 0 || str_eq(text, str_from(first)));
		memcpy(first, text.p, text.n);
		tab_close(t);
	}
}

static void input_is_trusted_and_reaches_the_page(void)
{
	struct tab *t;

	CHECK(open_page(
		&t,
		"<body style=margin:0><button id=b style='width:100px;height:50px'>x"
		"</button><input id=i><p id=p></p><script>"
		"for(const e of['click','dblclick','contextmenu','mouseover','keydown'])"
		"addEventListener(e,v=>p.textContent+=v.type+v.isTrusted+' ',true)"
		"</script>"));
	CHECK(tab_mouse(t, TAB_HOVER, 50, 25, &why) == ST_OK);
	CHECK(gives(t, "p.textContent", "mouseovertrue "));
	CHECK(tab_mouse(t, TAB_CLICK, 50, 25, &why) == ST_OK);
	CHECK(gives(t, "p.textContent", "mouseovertrue clicktrue "));
	CHECK(tab_mouse(t, TAB_DOUBLE_CLICK, 50, 25, &why) == ST_OK);
	CHECK(gives(t, "String(p.textContent.includes('dblclicktrue'))", "true"));
	CHECK(tab_mouse(t, TAB_CONTEXT_CLICK, 50, 25, &why) == ST_OK);
	CHECK(gives(t, "String(p.textContent.includes('contextmenutrue'))", "true"));
	CHECK(gives(t, "i.focus(),''", ""));
	CHECK(tab_type(t, STR("h\xc3\xa9llo"), &why) == ST_OK);
	CHECK(gives(t, "i.value", "h\xc3\xa9llo"));
	CHECK(tab_key(t, "Enter", &why) == ST_OK);
	CHECK(gives(t, "String(p.textContent.includes('keydowntrue'))", "true"));
	CHECK(tab_key(t, "NoSuchKey", &why) == ST_UNSUPPORTED);
	tab_close(t);
}

static void input_and_frames_carry_the_time_of_the_page(void)
{
	struct tab *t;

	CHECK(open_page(
		&t, "<body style=margin:0><button id=b style='width:100px;height:50px'>x"
		    "</button><p id=p>0</p><p id=a>0</p><script>b.onclick=e=>{"
		    "const now=performance.now();"
		    "p.textContent=Math.abs(e.timeStamp-now)<5;"
		    "requestAnimationFrame(ts=>a.textContent=ts>=now)}</script>"));
	CHECK(tab_settle(t, 60000, &why) == ST_OK);
	CHECK(tab_mouse(t, TAB_CLICK, 50, 25, &why) == ST_OK);
	CHECK(gives(t, "p.textContent", "true"));
	for (int i = 0; i < 50 && gives(t, "a.textContent", "0"); i++)
		CHECK(tab_settle(t, 1000, &why) == ST_OK);
	CHECK(gives(t, "a.textContent", "true"));
	tab_close(t);
}

/* Frames carry the real time, and a page that stays behind it would wait for them. */
static void a_page_that_stood_still_for_long_feels_the_pointer(void)
{
	const char *page =
		"data:text/html,<body onmousemove='document.title=event.clientX'>"
		"<p style='height:500px'>x";
	struct tab *t;

	CHECK(tab_open(&browser, &(struct tab_options){ 0 }, &t, &why) == ST_OK);
	CHECK(tab_goto(t, str_from(page), 1, &why) == ST_OK);
	sleep_ms(1000);
	CHECK(tab_mouse(t, TAB_HOVER, 50, 50, &why) == ST_OK);
	CHECK(gives(t, "document.title", "50"));
	CHECK(tab_mouse(t, TAB_HOVER, 60, 50, &why) == ST_OK);
	CHECK(gives(t, "document.title", "60"));
	tab_close(t);
}

static void a_page_in_another_process_has_the_same_clock(void)
{
	struct tab *t;

	CHECK(open_page(&t, "x"));
	CHECK(tab_goto(t, STR("file:///dev/null"), 1000, &why) == ST_OK);
	CHECK(gives(t, "new Date().toISOString().slice(0,10)", "2026-01-01"));
	tab_close(t);
}

static void dialogs_errors_and_popups_are_noted_and_do_not_block(void)
{
	struct tab *t;
	size_t n;
	unsigned seen = 0;

	CHECK(open_page(
		&t, "<script>console.error('oops');setTimeout(()=>{alert('hi');"
		    "window.open('about:blank');throw new Error('bad')},10)</script>"));
	const struct note *notes = tab_notes(t, &n);
	for (size_t i = 0; i < n; i++)
		seen |= 1u << notes[i].kind;
	CHECK(seen & 1u << NOTE_CONSOLE_ERROR && seen & 1u << NOTE_DIALOG);
	CHECK(seen & 1u << NOTE_EXCEPTION && seen & 1u << NOTE_POPUP);
	tab_clear_notes(t);
	(void)tab_notes(t, &n);
	CHECK(n == 0);
	tab_close(t);
}

static bool has_note(struct tab *t, enum note_kind kind)
{
	size_t n;
	const struct note *notes = tab_notes(t, &n);

	for (size_t i = 0; i < n; i++)
		if (notes[i].kind == kind)
			return true;
	return false;
}

static void a_page_cannot_keep_us_by_asking_to_stay(void)
{
	struct tab *t;

	CHECK(open_page(&t,
			"<body style=margin:0><button style='width:99px;height:50px'>x"
			"</button><script>onbeforeunload=e=>{e.preventDefault();"
			"return 'stay'}</script>"));
	CHECK(tab_mouse(t, TAB_CLICK, 50, 25, &why) == ST_OK);
	CHECK(tab_goto(t, STR("data:text/html,<p id=p>gone</p>"), 100, &why) == ST_OK);
	CHECK(gives(t, "p.textContent", "gone") && has_note(t, NOTE_DIALOG));
	tab_close(t);
}

static void downloads_and_permissions_are_refused(void)
{
	struct tab *t;

	CHECK(open_page(&t, "<body style=margin:0><a style='display:block;width:99px;"
			    "height:50px' download=x href='data:application/"
			    "octet-stream,abc'>x</a><p id=p></p><script>"
			    "Notification.requestPermission().then(v=>p.textContent=v)"
			    "</script>"));
	CHECK(tab_settle(t, 500, &why) == ST_OK);
	CHECK(gives(t, "String(p.textContent==='granted')", "false"));
	CHECK(tab_mouse(t, TAB_CLICK, 50, 25, &why) == ST_OK);
	/* The browser tells of it, not the page, and on a loaded machine later. */
	for (int i = 0; i < 200 && !has_note(t, NOTE_DOWNLOAD); i++)
		CHECK(tab_settle(t, 500, &why) == ST_OK);
	CHECK(has_note(t, NOTE_DOWNLOAD));
	tab_close(t);
}

static void a_worker_works_and_its_errors_are_noted(void)
{
	struct tab *t;

	CHECK(open_page(&t,
			"<p id=p>no</p><script>const w=new Worker(URL.createObjectURL("
			"new Blob(['postMessage(6*7);console.error(\"from inside\")'])"
			"));w.onmessage=e=>p.textContent=e.data</script>"));
	CHECK(tab_settle(t, 2000, &why) == ST_OK);
	CHECK(gives(t, "p.textContent", "42"));
	tab_close(t);
}

static void history_goes_back_and_the_url_follows(void)
{
	struct tab *t;

	CHECK(open_page(&t, "<p id=p>one</p>"));
	CHECK(tab_goto(t, STR("data:text/html,<p id=p>two</p>"), 100, &why) == ST_OK);
	CHECK(gives(t, "p.textContent", "two"));
	CHECK(tab_back(t, 100, &why) == ST_OK);
	CHECK(gives(t, "p.textContent", "one"));
	CHECK(str_starts(tab_url(t), STR("data:text/html,<p id=p>one")));
	tab_close(t);
}

static void a_screenshot_is_a_png_of_the_viewport(void)
{
	struct tab *t;
	cleanup(buf_release) struct buf png = { 0 };

	CHECK(open_page(&t, "<body style=background:red>"));
	CHECK(tab_screenshot(t, false, &png, &why) == ST_OK && png.n > 100);
	CHECK(memcmp(png.p, "\x89PNG\r\n\x1a\n", 8) == 0);
	/* IHDR: width and height, big-endian. */
	CHECK(memcmp(png.p + 16, "\0\0\5\0\0\0\3\x20", 8) == 0);
	tab_close(t);
}

static void what_cannot_be_reached_is_told_in_words(void)
{
	struct tab *t;

	CHECK(open_page(&t, ""));
	CHECK(tab_goto(t, STR("http://127.0.0.1:1/"), 100, &why) == ST_IO);
	CHECK(strstr(why.text, "ERR_") != NULL);
	CHECK(tab_evaluate(t, STR("nonsense("), true, NULL, &why) == ST_DENIED);
	tab_close(t);
}

static void a_killed_browser_is_noticed_and_started_again(void)
{
	struct tab *t;

	CHECK(open_page(&t, "x"));
	child_kill(&browser.child, SIGKILL);
	CHECK(tab_evaluate(t, STR("1"), true, NULL, &why) == ST_IO);
	CHECK(!browser_alive(&browser));
	CHECK(browser_restart(&browser, &why) == ST_OK && browser.restarts == 1);
	CHECK(open_page(&t, "<p id=p>again</p>") && gives(t, "p.textContent", "again"));
	tab_close(t);
}

int main(void)
{
	if (browser_start(&browser, &(struct browser_options){ .timeout_ms = 20000 },
			  &why) != ST_OK) {
		printf("1..0 # SKIP %s\n", why.text);
		return 0;
	}
	RUN(ten_seconds_of_page_time_pass_at_once);
	RUN(two_loads_see_the_same_clock_and_the_same_dice);
	RUN(input_is_trusted_and_reaches_the_page);
	RUN(input_and_frames_carry_the_time_of_the_page);
	RUN(a_page_that_stood_still_for_long_feels_the_pointer);
	RUN(a_page_in_another_process_has_the_same_clock);
	RUN(dialogs_errors_and_popups_are_noted_and_do_not_block);
	RUN(a_page_cannot_keep_us_by_asking_to_stay);
	RUN(downloads_and_permissions_are_refused);
	RUN(a_worker_works_and_its_errors_are_noted);
	RUN(history_goes_back_and_the_url_follows);
	RUN(a_screenshot_is_a_png_of_the_viewport);
	RUN(what_cannot_be_reached_is_told_in_words);
	RUN(a_killed_browser_is_noticed_and_started_again);
	browser_release(&browser);
	DONE();
}
