#include "observe/check.h"

#include "observe/scripts.h"

/* One line of at most so many bytes, whatever the page says. */
static void add_line(struct buf *to, const char *kind, struct str name, struct str words)
{
	struct str line = str_trim(words);

	line = str_slice(line, 0, MIN(str_find_char(line, '\n'), (size_t)300));
	buf_addf(to, "%s: ", kind);
	if (name.n) {
		buf_add(to, name);
		buf_add(to, STR(": "));
	}
	buf_add(to, line);
	buf_add_char(to, '\n');
}

static void add_list(struct buf *to, const char *kind, struct str name,
		     const struct json *list)
{
	size_t n = 0;

	for (const struct json *v = json_first(list); v && n < CHECK_LINES_MAX;
	     v = json_next(v), n++)
		add_line(to, kind, name,
			 json_str(v).n ? json_str(v) : STR("a problem without words"));
}

static enum status check_accessibility(struct tab *t, struct buf *to, struct diag *why)
{
	cleanup(buf_release) struct buf script = { 0 };
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	struct json *list = NULL;

	script_add(&script, script_check);
	enum status st = tab_evaluate(t, buf_str(&script), true, &reply, why);
	if (st != ST_OK)
		return st;
	TRY(json_parse(tab_value_str(&reply), &list, why));
	add_list(to, "accessibility", STR(""), list);
	json_release(&list);
	return ST_OK;
}

/* `script` may be a function or its result. */
static enum status run_check(struct tab *t, const struct check *c, struct buf *to,
			     struct diag *why)
{
	cleanup(buf_release) struct buf script = { 0 };
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	struct str body = str_trim(c->script);

	while (str_ends(body, STR(";")))
		body = str_trim(str_slice(body, 0, body.n - 1));
	/* Not by eval(): a page's policy may forbid that. */
	buf_add(&script, STR("(async () => { let r = ("));
	buf_add(&script, body);
	buf_add(&script,
		STR("\n); if (typeof r === 'function') r = r(); r = await r; return r "
		    "=== false ? ['it does not hold'] : r === undefined || r === null || "
		    "r === true "
		    "|| r === '' ? [] : (Array.isArray(r) ? r : [r]).slice(0, "
		    "50).map(String); })()"));
	enum status st = tab_evaluate(t, buf_str(&script), false, &reply, why);
	if (st == ST_DENIED) {
		add_line(to, "check", c->name, str_from(why->text));
		return ST_OK;
	}
	if (st == ST_OK)
		add_list(to, "check", c->name, tab_value(&reply));
	return st;
}

enum status check_page(struct tab *t, const struct check_list *l, struct buf *to,
		       struct diag *why)
{
	enum status st = ST_OK;

	if (l->accessibility)
		st = check_accessibility(t, to, why);
	/* A page on which the rules cannot be tried has no line of them. */
	for (size_t i = 0;
	     i < l->n && (st == ST_OK || st == ST_DENIED || st == ST_SYNTAX); i++)
		st = run_check(t, &l->v[i], to, why);
	return st == ST_DENIED || st == ST_SYNTAX ? ST_OK : st;
}
