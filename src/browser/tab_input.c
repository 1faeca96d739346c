#include <string.h>

#include "base/utf8.h"
#include "browser/tab_state.h"

#define LONG_PRESS_MS 800
#define MOVE_WAIT_MS  500
#define INPUT_WAIT_MS 10000

/* Answered when the page has dealt with it, so a page that never does is met here. */
static enum status input(struct tab *t, const char *method, struct str params,
			 struct diag *why)
{
	int usual = t->browser->cdp.timeout_ms;

	t->browser->cdp.timeout_ms = INPUT_WAIT_MS;
	enum status st = tab_call(t, method, params, NULL, why);
	t->browser->cdp.timeout_ms = usual;
	return st;
}

/* Input carries the page's present (tab_time.c), which stands still meanwhile. */
static void add_moment(const struct tab *t, struct buf *to)
{
	if (t->virtual_time)
		buf_addf(to, ",\"timestamp\":%.6f", t->moment);
}

static enum status take_moment(struct tab *t, struct diag *why)
{
	return t->virtual_time ? tab_moment(t, &t->moment, why) : ST_OK;
}

static enum status mouse(struct tab *t, const char *type, double x, double y,
			 const char *button, int clicks, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_addf(&b,
		 "{\"type\":\"%s\",\"x\":%.2f,\"y\":%.2f,\"button\":\"%s\","
		 "\"clickCount\":%d",
		 type, x, y, button, clicks);
	add_moment(t, &b);
	buf_add_char(&b, '}');
	return input(t, "Input.dispatchMouseEvent", buf_str(&b), why);
}

static bool has_moved(void *ctx)
{
	struct tab *t = ctx;

	return t->move_call == 0 || t->crashed;
}

/*
 * Answered with the next frame, where the page listens for movements.  A page in a
 * process that it came to on the way lacks the head start (tab_time.c), and may have none
 * for long; a press brings the movement along.
 */
static enum status move(struct tab *t, double x, double y, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_addf(&b, "{\"type\":\"mouseMoved\",\"x\":%.2f,\"y\":%.2f,\"button\":\"none\"",
		 x, y);
	add_moment(t, &b);
	buf_add_char(&b, '}');
	TRY(cdp_ask(&t->browser->cdp, str_from(t->session), "Input.dispatchMouseEvent",
		    buf_str(&b), &t->move_call, why));
	enum status st = cdp_wait(&t->browser->cdp, has_moved, t, MOVE_WAIT_MS, why);
	return st == ST_TIMEOUT ? ST_OK : st;
}

static enum status press(struct tab *t, double x, double y, const char *button,
			 int clicks, struct diag *why)
{
	TRY(mouse(t, "mousePressed", x, y, button, clicks, why));
	return mouse(t, "mouseReleased", x, y, button, clicks, why);
}

enum status tab_mouse(struct tab *t, enum tab_mouse what, double x, double y,
		      struct diag *why)
{
	TRY(take_moment(t, why));
	TRY(move(t, x, y, why));
	switch (what) {
	case TAB_HOVER:
		return ST_OK;
	case TAB_CLICK:
		return press(t, x, y, "left", 1, why);
	case TAB_DOUBLE_CLICK:
		TRY(press(t, x, y, "left", 1, why));
		return press(t, x, y, "left", 2, why);
	case TAB_CONTEXT_CLICK:
		return press(t, x, y, "right", 1, why);
	case TAB_LONG_PRESS:
		TRY(mouse(t, "mousePressed", x, y, "left", 1, why));
		TRY(tab_settle(t, LONG_PRESS_MS, why));
		TRY(take_moment(t, why));
		return mouse(t, "mouseReleased", x, y, "left", 1, why);
	}
	return ST_UNSUPPORTED;
}

struct named_key {
	const char *name;
	int code;
	const char *text; /* what it types; empty for none */
};

static const struct named_key named_keys[] = {
	{ "Enter", 13, "\r" },   { "Escape", 27, "" },  { "Tab", 9, "\t" },
	{ "Backspace", 8, "" },  { "Delete", 46, "" },  { " ", 32, " " },
	{ "ArrowLeft", 37, "" }, { "ArrowUp", 38, "" }, { "ArrowRight", 39, "" },
	{ "ArrowDown", 40, "" }, { "PageUp", 33, "" },  { "PageDown", 34, "" },
	{ "End", 35, "" },       { "Home", 36, "" },    { "F1", 112, "" },
	{ "F2", 113, "" },
};

static enum status key_event(struct tab *t, const char *type, const struct named_key *k,
			     struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	json_open(&o, '{');
	json_put_str(&o, "type", str_from(type));
	json_put_str(&o, "key", str_from(k->name));
	json_put_int(&o, "windowsVirtualKeyCode", k->code);
	if (k->text[0] && strcmp(type, "keyDown") == 0)
		json_put_str(&o, "text", str_from(k->text));
	add_moment(t, &b);
	json_close(&o, '}');
	return input(t, "Input.dispatchKeyEvent", buf_str(&b), why);
}

enum status tab_key(struct tab *t, const char *key, struct diag *why)
{
	struct named_key letter = { key, 0, key };
	const struct named_key *k = NULL;

	for (size_t i = 0; !k && i < COUNT(named_keys); i++)
		if (strcmp(named_keys[i].name, key) == 0)
			k = &named_keys[i];
	if (!k && strlen(key) == 1) {
		char upper =
			key[0] >= 'a' && key[0] <= 'z' ? (char)(key[0] - 32) : key[0];

		letter.code = upper;
		k = &letter;
	}
	if (!k)
		return diag_fail(why, ST_UNSUPPORTED, "there is no key '%s'", key);
	TRY(take_moment(t, why));
	TRY(key_event(t, "keyDown", k, why));
	return key_event(t, "keyUp", k, why);
}

enum status tab_type(struct tab *t, struct str text, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	json_open(&o, '{');
	json_put_str(&o, "text", text);
	json_close(&o, '}');
	return tab_call(t, "Input.insertText", buf_str(&b), NULL, why);
}
