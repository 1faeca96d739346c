#include "states/explorer.h"
#include "states/scripts.h"

/* `script` applied to {path, event, ...}; the answer is JSON text. */
static enum status run_script(struct explorer *x, struct str script,
			      const struct candidate *c, const char *event,
			      struct cdp_reply *ret, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };
	const struct str_list *values = &x->options->values;

	buf_add(&b, script);
	buf_add_char(&b, '(');
	json_open(&o, '{');
	json_put_str(&o, "path", c->path);
	json_put_str(&o, "event", str_from(event));
	json_put_str(&o, "tag", c->tag);
	json_put_str(&o, "text", c->text);
	json_put_uint(&o, "seed", (uint32_t)x->options->tab.seed);
	json_key(&o, STR("values"));
	json_open(&o, '{');
	for (size_t i = 0; i < values->n; i++) {
		size_t equals = str_find_char(values->v[i], '=');

		json_key(&o, str_slice(values->v[i], 0, equals));
		json_add_str(&o,
			     str_skip(values->v[i],
				      equals == STR_NONE ? values->v[i].n : equals + 1));
	}
	json_close(&o, '}');
	json_close(&o, '}');
	buf_add_char(&b, ')');
	return tab_evaluate(x->tab, buf_str(&b), true, ret, why);
}

/* Fill; where the page says a value is invalid, fill again with another. */
static enum status fill(struct explorer *x, const struct candidate *c, const char *event,
			struct diag *why)
{
	for (int attempt = 0; attempt < 3; attempt++) {
		cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
		struct json *answer = NULL;

		TRY(run_script(x, script_fill, c, event, &reply, why));
		TRY(json_parse(tab_value_str(&reply), &answer, why));
		size_t invalid = json_count(json_get(answer, "invalid"));
		json_release(&answer);
		if (invalid == 0)
			break;
	}
	return ST_OK;
}

static enum status point(struct explorer *x, enum event_kind event, double px, double py,
			 struct diag *why)
{
	switch (event) {
	case EVENT_DBLCLICK:
		return tab_mouse(x->tab, TAB_DOUBLE_CLICK, px, py, why);
	case EVENT_CONTEXTMENU:
		return tab_mouse(x->tab, TAB_CONTEXT_CLICK, px, py, why);
	case EVENT_HOVER:
		return tab_mouse(x->tab, TAB_HOVER, px, py, why);
	case EVENT_LONGPRESS:
		return tab_mouse(x->tab, TAB_LONG_PRESS, px, py, why);
	case EVENT_KEY:
		TRY(tab_key(x->tab, "Enter", why));
		TRY(tab_key(x->tab, "ArrowDown", why));
		return tab_key(x->tab, "a", why);
	default:
		return tab_mouse(x->tab, TAB_CLICK, px, py, why);
	}
}

/*
 * Scroll events and IntersectionObservers come with a frame, and the page's second
 * may be over before one is due; a picture draws one.
 */
static enum status draw_a_frame(struct explorer *x, struct diag *why)
{
	cleanup(buf_release) struct buf png = { 0 };

	return tab_screenshot(x->tab, false, &png, why);
}

static bool is_field(const struct candidate *c)
{
	return str_eq(c->tag, STR("input")) || str_eq(c->tag, STR("textarea"));
}

enum status explorer_act(struct explorer *x, const struct candidate *c,
			 enum event_kind event, struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	const char *name = event == EVENT_SUBMIT ? "click" : event_name(event).p;
	struct json *answer = NULL;
	uint64_t navigations = tab_navigations(x->tab);
	bool types = event == EVENT_KEY && is_field(c);

	x->dirty =
		x->dirty || event == EVENT_SUBMIT || event == EVENT_CHOOSE || is_field(c);

	/* The pointer leaves what it was over, so that hovering starts afresh. */
	if (event != EVENT_KEY)
		TRY(tab_mouse(x->tab, TAB_HOVER, 0, 0, why));
	if (event == EVENT_SUBMIT)
		TRY(fill(x, c, "submit", why));
	if (types)
		TRY(fill(x, c, "key", why));
	TRY(run_script(x, script_act, c, name, &reply, why));
	TRY(json_parse(tab_value_str(&reply), &answer, why));
	struct str refusal = json_str(json_get(answer, "why"));
	enum status st = ST_OK;
	if (refusal.n)
		st = diag_fail(why, ST_DENIED, STR_FMT, STR_ARG(refusal));
	else if (!json_bool(json_get(answer, "done"), false))
		st = types ? tab_key(x->tab, "Enter", why)
			   : point(x, event, json_number(json_get(answer, "x"), 0),
				   json_number(json_get(answer, "y"), 0), why);
	json_release(&answer);
	TRY(st);
	x->here = x->kept = STATE_UNSEEN;
	if (event == EVENT_SCROLL)
		TRY(draw_a_frame(x, why));
	TRY(tab_settle(x->tab, (uint32_t)x->options->settle_ms, why));
	x->crossed = tab_navigations(x->tab) != navigations;
	return ST_OK;
}
