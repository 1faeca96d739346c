#include "observe/observe.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "observe/frames.h"
#include "observe/scripts.h"

#define FOREIGN_FRAMES_MAX 32 /* on one page */
#define FOREIGN_DEPTH_MAX  4
#define NODES_MAX          50000 /* of one document; the rest of a larger one is cut */
#define LISTENERS_MAX      50000 /* elements that listen */
#define LISTENER_KINDS_MAX 64

static const char *const event_names[EVENT_KINDS] = {
	"click", "dblclick", "contextmenu", "hover",  "longpress", "key",
	"focus", "scroll",   "choose",      "submit", "open",
};

struct str event_name(enum event_kind kind)
{
	return str_from(kind < EVENT_KINDS ? event_names[kind] : "");
}

enum event_kind event_find(struct str name)
{
	for (unsigned k = 0; k < EVENT_KINDS; k++)
		if (str_eq(name, str_from(event_names[k])))
			return (enum event_kind)k;
	return EVENT_KINDS;
}

static struct str copy(struct arena *a, const struct json *object, const char *name)
{
	return arena_copy(a, json_str(json_get(object, name)));
}

static int32_t as_pixel(const struct json *v)
{
	double n = json_number(v, 0);

	return n > -1e6 && n < 1e6 ? (int32_t)n : 0;
}

static void parse_candidate(const struct json *v, struct arena *a, struct candidate *ret)
{
	const struct json *side = json_first(json_get(v, "box"));

	*ret = (struct candidate){
		.path = copy(a, v, "path"),
		.tag = copy(a, v, "tag"),
		.text = copy(a, v, "text"),
		.id = copy(a, v, "id"),
		.type = copy(a, v, "type"),
		.href = copy(a, v, "href"),
		.target = copy(a, v, "target"),
		.action = copy(a, v, "action"),
		.method = copy(a, v, "method"),
		.says = copy(a, v, "says"),
		.marks = copy(a, v, "marks"),
		.around = copy(a, v, "around"),
		.spot = { 50, 50 },
		.css = copy(a, v, "css"),
		.xpath = copy(a, v, "xpath"),
		.hover = copy(a, v, "hover"),
		.hover_css = copy(a, v, "hover_css"),
		.origin = copy(a, v, "origin"),
		.in_form = json_bool(json_get(v, "form"), false),
		.included = json_bool(json_get(v, "included"), false),
		.excluded = json_bool(json_get(v, "excluded"), false),
	};
	for (int i = 0; i < 4 && side; i++, side = json_next(side))
		ret->box[i] = as_pixel(side);
	side = json_first(json_get(v, "spot"));
	for (int i = 0; i < 2 && side; i++, side = json_next(side))
		ret->spot[i] = as_pixel(side);
	for (const struct json *e = json_first(json_get(v, "events")); e;
	     e = json_next(e)) {
		enum event_kind kind = event_find(json_str(e));

		if (kind < EVENT_KINDS)
			ret->events |= 1u << kind;
	}
}

static uint32_t count_of(const struct json *object, const char *name)
{
	double n = json_number(json_get(object, name), 0);

	return n > 0 && n < 1e9 ? (uint32_t)n : 0;
}

enum status observation_parse(struct str json, struct arena *a, struct observation *ret,
			      struct diag *why)
{
	struct json *root = NULL;

	TRY(json_parse(json, &root, why));
	const struct json *list = json_get(root, "candidates");
	size_t n = MIN(json_count(list), CANDIDATES_MAX + 2);
	struct observation o = {
		.url = copy(a, root, "url"),
		.title = copy(a, root, "title"),
		.html = copy(a, root, "html"),
		.text = copy(a, root, "text"),
		.stored = copy(a, root, "stored"),
		.candidates = arena_alloc(a, (n + 1) * sizeof(struct candidate)),
		.frames = count_of(root, "frames"),
		.shadows = count_of(root, "shadows"),
		.opaque = count_of(root, "unseen"),
		.cut = count_of(root, "cut"),
	};
	for (const struct json *v = json_first(list); v && o.candidate_count < n;
	     v = json_next(v))
		parse_candidate(v, a, &o.candidates[o.candidate_count++]);
	enum status st = json_kind(root) == JSON_OBJECT
				 ? ST_OK
				 : diag_fail(why, ST_SYNTAX, "not an observation");
	json_release(&root);
	if (st == ST_OK)
		*ret = o;
	return st;
}

static void add_list(struct json_out *o, const char *name, const struct str_list *l)
{
	json_key(o, str_from(name));
	json_open(o, '[');
	for (size_t i = 0; i < l->n; i++)
		json_add_str(o, l->v[i]);
	json_close(o, ']');
}

struct observing {
	struct tab *tab;
	const struct observe_options *options;
	unsigned frames; /* of other origins that were looked into */
};

/* The page's world may say anything: only what has the right form goes on. */
static void add_listeners(struct json_out *o, const struct json *told)
{
	size_t n = 0;

	json_key(o, STR("listeners"));
	json_open(o, '{');
	for (const struct json *way = json_first(told); way && n < LISTENERS_MAX;
	     way = json_next(way), n++) {
		size_t kinds = 0;

		json_key(o, json_name(way));
		json_open(o, '[');
		for (const struct json *kind = json_first(way);
		     kind && kinds < LISTENER_KINDS_MAX; kind = json_next(kind), kinds++)
			json_add_str(o, json_str(kind));
		json_close(o, ']');
	}
	json_close(o, '}');
}

static enum status observe_frame(struct observing *v, const struct tab_frame *f,
				 struct str frames, struct buf *ret, struct diag *why)
{
	cleanup(buf_release) struct buf script = { 0 };
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	cleanup(cdp_reply_release) struct cdp_reply listeners = { 0 };
	struct json_out o = { .to = &script };
	/* A page that broke what our script there stands on has no listeners. */
	enum status st =
		tab_evaluate_in(v->tab, f, script_listeners, false, &listeners, why);
	if (st != ST_OK && st != ST_DENIED)
		return st;
	script_add(&script, script_observe);
	buf_add_char(&script, '(');
	json_open(&o, '{');
	add_list(&o, "volatile", &v->options->volatile_classes);
	add_list(&o, "include", &v->options->include);
	add_list(&o, "exclude", &v->options->exclude);
	add_list(&o, "strip", &v->options->strip);
	add_list(&o, "named", &v->options->named);
	json_put_uint(&o, "max", CANDIDATES_MAX);
	json_put_uint(&o, "nodes", NODES_MAX);
	json_put_bool(&o, "scroll", v->options->scroll);
	json_put_bool(&o, "addresses", v->options->addresses);
	add_listeners(&o, tab_value(&listeners));
	json_key(&o, STR("frames"));
	json_add_raw(&o, frames);
	json_close(&o, '}');
	buf_add_char(&script, ')');
	TRY(tab_evaluate_in(v->tab, f, buf_str(&script), true, &reply, why));
	buf_reset(ret);
	buf_add(ret, tab_value_str(&reply));
	return buf_status(ret);
}

static enum status observe_all(struct observing *v, const struct tab_frame *f,
			       unsigned depth, struct buf *ret, struct diag *why);

/* One frame of another origin, or why not. */
static enum status observe_foreign(struct observing *v, const struct tab_frame *in,
				   struct str way, unsigned depth, struct json_out *o,
				   struct diag *why)
{
	cleanup(buf_release) struct buf seen = { 0 };
	struct tab_frame f;
	struct diag reason = { 0 };
	enum status st = ST_DENIED;

	if (v->frames < FOREIGN_FRAMES_MAX && depth < FOREIGN_DEPTH_MAX)
		st = frame_at(v->tab, in, way, &f, &reason);
	else
		diag_say(&reason, "there are too many frames");
	v->frames++;
	if (st == ST_OK)
		st = observe_all(v, &f, depth + 1, &seen, &reason);
	if (st != ST_OK && st != ST_DENIED && st != ST_NOT_FOUND && st != ST_SYNTAX)
		return diag_fail(why, st, "%s", reason.text);
	json_key(o, way);
	if (st == ST_OK) {
		json_add_raw(o, buf_str(&seen));
		return ST_OK;
	}
	json_open(o, '{');
	json_put_str(o, "why", str_from(reason.text));
	json_close(o, '}');
	return ST_OK;
}

static enum status observe_all(struct observing *v, const struct tab_frame *f,
			       unsigned depth, struct buf *ret, struct diag *why)
{
	cleanup(buf_release) struct buf frames = { 0 };
	struct json_out o = { .to = &frames };
	struct json *seen = NULL;
	enum status st = ST_OK;

	TRY(observe_frame(v, f, STR("{}"), ret, why));
	TRY(json_parse(buf_str(ret), &seen, why));
	const struct json *way = json_first(json_get(seen, "opaque"));
	bool any = way != NULL;
	json_open(&o, '{');
	for (; way && st == ST_OK; way = json_next(way))
		st = observe_foreign(v, f, json_str(way), depth, &o, why);
	json_close(&o, '}');
	json_release(&seen);
	if (st != ST_OK || !any)
		return st;
	/* Again, now with what the frames said at their places. */
	return observe_frame(v, f, buf_str(&frames), ret, why);
}

enum status observe_text(struct tab *t, const struct observe_options *options,
			 struct buf *ret, struct diag *why)
{
	struct observing v = { .tab = t, .options = options };

	return observe_all(&v, NULL, 0, ret, why);
}
