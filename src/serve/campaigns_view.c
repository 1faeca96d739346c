/* /campaigns: orders for the API crawler, which runs beside the crawl (campaigns/). */
#include "campaigns/desk.h"
#include "os/file.h"
#include "serve/views.h"

static struct desk desk_of(const struct service *s, struct arena *a)
{
	char *services = path_join(a, s->dir, STR("services"));

	return (struct desk){ .dir = path_join(a, s->dir, STR("campaigns")),
			      .services = dir_exists(services) ? services : NULL };
}

/* "/campaigns/NAME" or "/campaigns/NAME/VERB": the name. */
static struct str name_of(const struct request *q)
{
	struct str rest = q->path;

	if (!str_take_prefix(&rest, STR("/campaigns/")))
		return STR("");
	return str_slice(rest, 0, str_find_char(rest, '/'));
}

static void give(struct response *r, unsigned status)
{
	r->status = status;
	r->content_type = "application/json";
	buf_add_char(&r->body, '\n');
}

void view_campaigns(struct service *s, const struct request *q, struct response *r)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct desk d = desk_of(s, &a);
	struct json_out o = { .to = &r->body };

	(void)q;
	desk_list(&d, &o);
	give(r, 200);
}

void view_workload(struct service *s, const struct request *q, struct response *r)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct desk d = desk_of(s, &a);
	struct json_out o = { .to = &r->body };

	(void)q;
	desk_workload(&d, &o);
	give(r, 200);
}

static void show(const struct desk *d, struct str name, unsigned status,
		 struct response *r)
{
	struct json_out o = { .to = &r->body };
	struct diag why;
	enum status st = desk_show(d, name, &o, &why);

	if (st == ST_OK)
		give(r, status);
	else
		response_failure(r, st, &why);
}

void view_campaign(struct service *s, const struct request *q, struct response *r)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct desk d = desk_of(s, &a);

	show(&d, name_of(q), 200, r);
}

void order_campaign(struct service *s, const struct request *q, struct response *r)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf name = { 0 };
	struct desk d = desk_of(s, &a);
	struct diag why;
	enum status st = desk_order(&d, q->body, &name, &why);

	if (st == ST_OK)
		show(&d, buf_str(&name), 201, r);
	else
		response_failure(r, st, &why);
}

static void wish(struct service *s, const struct request *q, enum campaign_wish w,
		 struct response *r)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct desk d = desk_of(s, &a);
	struct diag why;
	enum status st = desk_wish(&d, name_of(q), w, &why);

	if (st == ST_OK)
		show(&d, name_of(q), 202, r);
	else
		response_failure(r, st, &why);
}

void pause_campaign(struct service *s, const struct request *q, struct response *r)
{
	wish(s, q, WISH_PAUSE, r);
}

void resume_campaign(struct service *s, const struct request *q, struct response *r)
{
	wish(s, q, WISH_RUN, r);
}

void stop_campaign(struct service *s, const struct request *q, struct response *r)
{
	wish(s, q, WISH_STOP, r);
}
