#include "serve/service.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "httpd/listen.h"
#include "os/clock.h"
#include "os/file.h"
#include "serve/views.h"

/* --- opening --- */

enum status service_open(struct service *s, const struct service_options *o,
			 struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };

	*s = (struct service){ .is_inside = o->is_inside,
			       .is_public = o->is_public,
			       .hosts = o->hosts,
			       .n_hosts = o->n_hosts };
	if (!dir_exists(path_join(&a, o->dir, STR("state"))))
		return diag_fail(why, ST_NOT_FOUND, "%s is no folder of a crawl", o->dir);
	s->dir = strdup(o->dir);
	pthread_mutex_init(&s->heavy, NULL);
	pthread_mutex_init(&s->rate_lock, NULL);
	enum status st = listen_load_token(path_join(&a, s->dir, STR("serve.token")),
					   &s->token, why);
	if (st == ST_OK)
		st = inbox_open(&s->inbox, s->dir, why);
	s->takes_demands = st == ST_OK;
	if (st == ST_DENIED) /* another server of the same crawl takes them */
		st = ST_OK;
	if (st != ST_OK)
		service_close(s);
	return st;
}

void service_close(struct service *s)
{
	if (!s->dir)
		return;
	inbox_close(&s->inbox);
	buf_release(&s->token);
	pthread_mutex_destroy(&s->heavy);
	pthread_mutex_destroy(&s->rate_lock);
	free(s->dir);
	*s = (struct service){ 0 };
}

bool service_runs(const struct service *s)
{
	cleanup(buf_release) struct buf text = { 0 };
	cleanup(json_release) struct json *root = NULL;

	load_snapshot(s, STR("state/status.json"), &text);
	if (json_parse(buf_str(&text), &root, NULL) != ST_OK ||
	    json_get(root, "ended") != NULL)
		return s->is_inside && !root;
	double pid = json_number(json_get(root, "pid"), 0);
	return s->is_inside ||
	       (pid > 1 && pid < 1e9 && (kill((pid_t)pid, 0) == 0 || errno == EPERM));
}

/* --- requests and responses --- */

void response_release(struct response *r)
{
	buf_release(&r->body);
}

struct str request_argument(const struct request *q, struct str name)
{
	for (size_t i = 0; i < q->n_arguments; i++)
		if (str_eq(q->arguments[i].name, name))
			return q->arguments[i].value;
	return STR("");
}

bool request_number(const struct request *q, struct str name, uint64_t max,
		    uint64_t otherwise, uint64_t *ret, struct response *r)
{
	struct str text = request_argument(q, name);
	struct diag why;

	*ret = otherwise;
	if (text.n == 0 || str_to_uint(text, max, ret))
		return true;
	snprintf(why.text, sizeof(why.text), STR_FMT " must be a number up to %llu",
		 STR_ARG(name), (unsigned long long)max);
	response_problem(r, 400, why.text);
	return false;
}

static const char *title_of(unsigned status)
{
	switch (status) {
	case 400:
		return "Bad Request";
	case 401:
		return "Unauthorized";
	case 403:
		return "Forbidden";
	case 404:
		return "Not Found";
	case 405:
		return "Method Not Allowed";
	case 409:
		return "Conflict";
	case 413:
		return "Content Too Large";
	case 415:
		return "Unsupported Media Type";
	case 421:
		return "Misdirected Request";
	case 429:
		return "Too Many Requests";
	case 503:
		return "Service Unavailable";
	case 507:
		return "Insufficient Storage";
	default:
		return "Internal Server Error";
	}
}

void response_problem(struct response *r, unsigned status, const char *detail)
{
	struct json_out o = { .to = &r->body };

	buf_reset(&r->body);
	r->kind = RESPONSE_BODY;
	r->status = status;
	r->content_type = "application/problem+json";
	json_open(&o, '{');
	json_put_str(&o, "type", STR("about:blank"));
	json_put_str(&o, "title", str_from(title_of(status)));
	json_put_uint(&o, "status", status);
	json_put_str(&o, "detail", str_from(detail));
	json_close(&o, '}');
	buf_add_char(&r->body, '\n');
}

void response_failure(struct response *r, enum status st, const struct diag *why)
{
	response_problem(r,
			 st == ST_SYNTAX      ? 400
			 : st == ST_NOT_FOUND ? 404
			 : st == ST_DENIED    ? 409
			 : st == ST_TOO_LARGE ? 413
			 : st == ST_DISK_FULL ? 507
					      : 500,
			 why->text);
}

/* --- demands --- */

enum status service_add(struct service *s, struct str block, uint64_t *ret_end,
			struct diag *why)
{
	if (!s->takes_demands)
		return diag_fail(why, ST_DENIED,
				 "another server takes the demands of this crawl; "
				 "serve.addr in its folder has its address");
	return inbox_add(&s->inbox, block, ret_end, why);
}

void service_acknowledge(struct service *s, uint64_t n, uint64_t end, struct response *r)
{
	struct json_out o = { .to = &r->body };
	struct diag why;
	enum status st = end ? inbox_sync(&s->inbox, end, &why) : ST_OK;

	if (st != ST_OK) {
		response_failure(r, st, &why);
		return;
	}
	buf_reset(&r->body);
	r->status = 202;
	r->content_type = "application/json";
	json_open(&o, '{');
	json_put_uint(&o, "accepted", n);
	json_put_uint(&o, "position", end);
	json_put_bool(&o, "running", service_runs(s));
	json_close(&o, '}');
	buf_add_char(&r->body, '\n');
}
