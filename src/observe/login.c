#include "observe/login.h"

#include "os/file.h"

#define FILE_MAX    ((size_t)4 << 20)
#define COOKIES_MAX 1000

struct cookie_line {
	struct str domain, path, name, value;
	bool secure, http_only;
};

static void add_cookie(struct json_out *o, const struct cookie_line *c)
{
	json_open(o, '{');
	json_put_str(o, "name", c->name);
	json_put_str(o, "value", c->value);
	json_put_str(o, "domain", c->domain);
	json_put_str(o, "path", c->path.n ? c->path : STR("/"));
	json_put_bool(o, "secure", c->secure);
	json_put_bool(o, "httpOnly", c->http_only);
	json_close(o, '}');
}

/* domain, subdomains too, path, secure, expires, name, value; between tabs. */
static bool parse_line(struct str line, struct cookie_line *ret)
{
	struct str field[7] = { 0 };
	struct cookie_line c = { 0 };
	size_t n = 0;

	c.http_only = str_take_prefix(&line, STR("#HttpOnly_"));
	if (line.n == 0 || line.p[0] == '#')
		return false;
	while (n < 7 && str_take_until(&line, '\t', &field[n]))
		n++;
	if (n < 6)
		return false;
	c.domain = field[0];
	c.path = field[2];
	c.secure = str_eq_nocase(field[3], STR("TRUE"));
	c.name = field[5];
	c.value = field[6];
	*ret = c;
	return true;
}

static size_t add_netscape(struct str text, struct json_out *o)
{
	struct str line;
	size_t n = 0;

	while (str_take_line(&text, &line) && n < COOKIES_MAX) {
		struct cookie_line c;

		if (!parse_line(line, &c))
			continue;
		add_cookie(o, &c);
		n++;
	}
	return n;
}

static size_t add_json(const struct json *root, struct json_out *o)
{
	const struct json *list = json_get(root, "cookies");
	size_t n = 0;

	for (const struct json *v = json_first(list ? list : root); v && n < COOKIES_MAX;
	     v = json_next(v), n++)
		add_cookie(o, &(struct cookie_line){
				      .name = json_str(json_get(v, "name")),
				      .value = json_str(json_get(v, "value")),
				      .domain = json_str(json_get(v, "domain")),
				      .path = json_str(json_get(v, "path")),
				      .secure = json_bool(json_get(v, "secure"), false),
				      .http_only = json_bool(json_get(v, "httpOnly"),
							     false) });
	return n;
}

enum status login_parse(struct str text, struct buf *ret, struct diag *why)
{
	struct json_out o = { .to = ret };
	struct str start = str_trim(text);
	size_t n = 0;

	json_open(&o, '{');
	json_key(&o, STR("cookies"));
	json_open(&o, '[');
	if (start.n && (start.p[0] == '{' || start.p[0] == '[')) {
		struct json *root = NULL;

		TRY(json_parse(start, &root, why));
		n = add_json(root, &o);
		json_release(&root);
	} else {
		n = add_netscape(text, &o);
	}
	json_close(&o, ']');
	json_close(&o, '}');
	if (n == 0)
		return diag_fail(why, ST_SYNTAX, "there is no cookie in it");
	return buf_status(ret);
}

enum status login_load(const char *path, struct buf *ret, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct diag reason;

	TRY(file_load(path, FILE_MAX, &text, why));
	enum status st = login_parse(buf_str(&text), ret, &reason);
	return st == ST_OK ? ST_OK : diag_fail(why, st, "%s: %s", path, reason.text);
}
