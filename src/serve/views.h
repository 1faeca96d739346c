/*
 * views.h - what the control API shows, each made from the files of a crawl.
 */
#ifndef SERVE_VIEWS_H
#define SERVE_VIEWS_H

#include "base/json.h"
#include "serve/service.h"

typedef void view_fn(struct service *s, const struct request *q, struct response *r);

view_fn view_status, view_hosts, view_pages, view_skipped, view_why;
view_fn view_queue;   /* queue_view.c */
view_fn view_rules;   /* rules_view.c */
view_fn change_rule;  /* POST /rules */
view_fn view_metrics; /* metrics.c */
/* campaigns_view.c */
view_fn view_campaigns, view_campaign, view_workload;
view_fn order_campaign, pause_campaign, resume_campaign, stop_campaign;

/* A snapshot of the crawl, "{}" when there is none; a few kB. */
void load_snapshot(const struct service *s, struct str name, struct buf *to);

/* Walks over the journal take turns; false, `r` filled, when too many wait. */
bool heavy_begin(struct service *s, struct response *r);
void heavy_end(struct service *s);

extern const struct str dashboard_page, openapi_text;
#endif
