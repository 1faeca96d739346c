#include "serve/views.h"

#include <string.h>

#include "journal/explain.h"
#include "os/file.h"

#define SNAPSHOT_MAX ((size_t)4 << 20)
#define LINES_BYTES  ((size_t)4 << 20) /* of a list at a time */
#define LINES_MOST   10000
#define HEAVY_WAIT   8 /* requests that may wait for a walk over the journal */

void load_snapshot(const struct service *s, struct str name, struct buf *to)
{
	cleanup(arena_release) struct arena a = { 0 };
	char *path = path_join(&a, s->dir, name);

	if (!file_exists(path) || file_load(path, SNAPSHOT_MAX, to, NULL) != ST_OK ||
	    to->n == 0) {
		buf_reset(to);
		buf_add(to, STR("{}"));
	}
}

static void begin_json(struct response *r)
{
	r->status = 200;
	r->content_type = "application/json";
}

/* The folder's own name: no path is shown. */
static struct str name_of(const char *dir)
{
	struct str s = str_from(dir);

	while (s.n > 1 && s.p[s.n - 1] == '/')
		s.n--;
	size_t slash = str_rfind_char(s, '/');
	return slash == STR_NONE || s.n == 1 ? s : str_skip(s, slash + 1);
}

void view_status(struct service *s, const struct request *q, struct response *r)
{
	cleanup(buf_release) struct buf status = { 0 }, live = { 0 };
	struct json_out o = { .to = &r->body };

	(void)q;
	load_snapshot(s, STR("state/status.json"), &status);
	load_snapshot(s, STR("state/live.json"), &live);
	begin_json(r);
	json_open(&o, '{');
	json_put_str(&o, "version", STR(THRESH_VERSION));
	json_put_str(&o, "name", name_of(s->dir));
	json_put_bool(&o, "running", service_runs(s));
	json_put_bool(&o, "takes_demands", s->takes_demands);
	json_key(&o, STR("status"));
	json_add_raw(&o, buf_str(&status));
	json_key(&o, STR("live"));
	json_add_raw(&o, buf_str(&live));
	json_close(&o, '}');
	buf_add_char(&r->body, '\n');
}

void view_hosts(struct service *s, const struct request *q, struct response *r)
{
	(void)q;
	begin_json(r);
	load_snapshot(s, STR("state/hosts.json"), &r->body);
	buf_add_char(&r->body, '\n');
}

/* --- lists: lines behind a position, or the last ones --- */

struct list {
	struct str file, name;
	uint64_t after, limit;
	bool from_end;
};

static bool parse_list(const struct request *q, struct list *l, struct response *r)
{
	uint64_t last;

	if (!request_number(q, STR("limit"), LINES_MOST, 100, &l->limit, r) ||
	    !request_number(q, STR("after"), UINT64_MAX, 0, &l->after, r) ||
	    !request_number(q, STR("last"), LINES_MOST, 0, &last, r))
		return false;
	l->from_end = last > 0;
	if (l->from_end)
		l->limit = last;
	return true;
}

/* Bytes from `after` on, or the end of the file, whole lines. */
static enum status read_lines(const char *path, struct list *l, struct buf *to,
			      struct diag *why)
{
	cleanup(file_close) struct file f = { 0 };
	size_t n = 0;

	if (!file_exists(path))
		return ST_OK;
	TRY(file_open(&f, path, FILE_READ, why));
	if (l->from_end)
		l->after = f.size > LINES_BYTES / 4 ? f.size - LINES_BYTES / 4 : 0;
	char *p = buf_reserve(to, LINES_BYTES);
	TRY(file_read_at(&f, l->after, p, LINES_BYTES, &n, why));
	to->n = n;
	/* The last line may be half written. */
	while (to->n > 0 && to->p[to->n - 1] != '\n')
		to->n--;
	return ST_OK;
}

/* Before the last `n` lines. */
static size_t skip_to_last(struct str lines, uint64_t n)
{
	size_t at = lines.n;

	for (; at > 0; at--)
		if (lines.p[at - 1] == '\n' && at < lines.n && --n == 0)
			break;
	return at;
}

/* A line of ours is one object; the first of pages.jsonl names the format. */
static bool is_entry(struct str line)
{
	return line.n > 2 && line.p[0] == '{' && line.p[line.n - 1] == '}' &&
	       !str_starts(line, STR("{\"format\""));
}

static void view_list(struct service *s, const struct request *q, struct response *r,
		      struct str file, struct str name)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf bytes = { 0 };
	struct json_out o = { .to = &r->body };
	struct list l;
	struct diag why;
	struct str line;

	if (!parse_list(q, &l, r))
		return;
	enum status st = read_lines(path_join(&a, s->dir, file), &l, &bytes, &why);
	if (st != ST_OK) {
		response_failure(r, st, &why);
		return;
	}
	struct str rest = buf_str(&bytes);
	if (l.from_end) {
		size_t skipped = skip_to_last(rest, l.limit);

		rest = str_skip(rest, skipped);
		l.after += skipped;
	}
	begin_json(r);
	json_open(&o, '{');
	json_key(&o, name);
	json_open(&o, '[');
	for (uint64_t n = 0; n < l.limit && rest.n > 0;) {
		size_t before = rest.n;

		str_take_line(&rest, &line);
		l.after += before - rest.n;
		if (!is_entry(line))
			continue;
		json_add_raw(&o, line);
		n++;
	}
	json_close(&o, ']');
	json_put_uint(&o, "next", l.after);
	json_put_bool(&o, "more", rest.n > 0);
	json_close(&o, '}');
	buf_add_char(&r->body, '\n');
}

void view_pages(struct service *s, const struct request *q, struct response *r)
{
	view_list(s, q, r, STR("pages.jsonl"), STR("pages"));
}

void view_skipped(struct service *s, const struct request *q, struct response *r)
{
	view_list(s, q, r, STR("skipped.jsonl"), STR("skipped"));
}

/* --- walks over the journal --- */

bool heavy_begin(struct service *s, struct response *r)
{
	if (__atomic_add_fetch(&s->waiting, 1, __ATOMIC_RELAXED) > HEAVY_WAIT) {
		__atomic_sub_fetch(&s->waiting, 1, __ATOMIC_RELAXED);
		response_problem(r, 503, "too many such requests at once; try again");
		return false;
	}
	pthread_mutex_lock(&s->heavy);
	return true;
}

void heavy_end(struct service *s)
{
	pthread_mutex_unlock(&s->heavy);
	__atomic_sub_fetch(&s->waiting, 1, __ATOMIC_RELAXED);
}

void view_why(struct service *s, const struct request *q, struct response *r)
{
	cleanup(explanation_release) struct explanation e = { 0 };
	struct str url = request_argument(q, STR("url"));
	struct diag why;

	if (url.n == 0) {
		response_problem(r, 400, "url is missing: /why?url=http://...");
		return;
	}
	if (!heavy_begin(s, r))
		return;
	enum status st = explain(s->dir, url, &e, &why);
	heavy_end(s);
	if (st != ST_OK) {
		response_failure(r, st, &why);
		return;
	}
	begin_json(r);
	explanation_format_json(&e, &r->body);
	buf_add_char(&r->body, '\n');
}
