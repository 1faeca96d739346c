#include "observe/frames.h"

#include "observe/scripts.h"

/* find.js is a function of a way; `what` is applied to what it gives. */
static void add_call(struct buf *to, struct str way, const char *what)
{
	struct json_out o = { .to = to };

	script_add(to, script_find);
	buf_add_char(to, '(');
	json_add_str(&o, way);
	buf_addf(to, ")%s", what);
}

enum status frame_at(struct tab *t, const struct tab_frame *in, struct str way,
		     struct tab_frame *ret, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };

	add_call(&b, way, "?.el");
	return tab_find_frame(t, in, buf_str(&b), ret, why);
}

const struct tab_frame *frame_chain_last(const struct frame_chain *c)
{
	return c->n ? &c->frames[c->n - 1] : NULL;
}

/* The way up to the next step "F"; false when there is none. */
static bool take_owner(struct str *way, struct str *ret)
{
	size_t at = str_find(*way, STR("/F"));

	if (at == STR_NONE)
		return false;
	*ret = str_slice(*way, 0, at);
	*way = str_skip(*way, at + 2);
	if (way->n && way->p[0] == '/')
		*way = str_skip(*way, 1);
	return true;
}

enum status frame_chain_find(struct tab *t, struct str way, struct frame_chain *ret,
			     struct diag *why)
{
	struct frame_chain c = { .way = way };
	struct str owner;

	while (take_owner(&c.way, &owner)) {
		if (c.n == FRAMES_DEEP)
			return diag_fail(why, ST_DENIED, "the frame is too deep");
		TRY(frame_at(t, frame_chain_last(&c), owner, &c.frames[c.n], why));
		c.owners[c.n++] = owner;
	}
	*ret = c;
	return ST_OK;
}

enum status frame_chain_place(struct tab *t, const struct frame_chain *c, bool show,
			      double *ret_x, double *ret_y, struct diag *why)
{
	double x = 0, y = 0;

	for (size_t i = 0; i < c->n; i++) {
		cleanup(buf_release) struct buf b = { 0 };
		cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };

		add_call(&b, c->owners[i], show ? "?.show()" : "?.place()");
		TRY(tab_evaluate_in(t, i ? &c->frames[i - 1] : NULL, buf_str(&b), true,
				    &reply, why));
		const struct json *corner = json_first(tab_value(&reply));
		if (!corner)
			return diag_fail(why, ST_DENIED,
					 "the frame is not there any more");
		x += json_number(corner, 0);
		y += json_number(json_next(corner), 0);
	}
	*ret_x = x;
	*ret_y = y;
	return ST_OK;
}
