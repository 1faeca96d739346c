/*
 * siteapi.h - the API of a site, read by a crawl in place of the site's pages.
 *
 * A description of a service (service/) whose member `site` names an application says
 * which lists have what the pages of such a site show.  They are read one after the
 * other, page by page: a chain of requests, in which each answer leads to the next.  A
 * request's URL says all of itself (service, list, instance, page), so that nothing has
 * to be remembered between two requests, or over a kill.  Answers are hostile bytes.
 * Pure; what is handed out lives in the caller's arena.
 */
#ifndef SITEAPI_SITEAPI_H
#define SITEAPI_SITEAPI_H

#include "base/arena.h"
#include "base/str.h"

#define SITE_OBJECTS_MAX 2000 /* of one answer */
#define SITE_PAGES_MAX   4    /* that show one object */

/* The shipped descriptions that a crawl may use. */
struct site_services;

must_use enum status site_services_open(struct site_services **ret, struct diag *why);
void site_services_close(struct site_services *s);
size_t site_services_n(const struct site_services *s);
/* The application of apps/ whose sites have this service: "wordpress". */
struct str site_application(const struct site_services *s, size_t nr);

/*
 * The first request of the chain, where the API of a site is found: by a link of one of
 * its pages, or, for services whose API is at a fixed place, by the URL of the page. Both
 * are absolute.  False: not by this link.  Only on the page's own server.
 */
bool site_first_request(const struct site_services *s, size_t nr, struct str page_url,
			struct str link, struct arena *a, struct str *ret);

struct site_object {
	struct str pages[SITE_PAGES_MAX]; /* absolute URLs that show it */
	size_t n_pages;
	bool is_whole; /* it has what they show; otherwise they are to be fetched */
	struct str kind, id, name, author, date; /* any may be empty */
	struct str html, text;                   /* one of them */
	struct str *links; /* that its description names, besides those in `html` */
	size_t n_links;
};

enum site_end {
	SITE_FAILED,  /* no items: `why` */
	SITE_GOES_ON, /* `next` is the next request */
	SITE_DONE,    /* that was the last one of the last list */
};

struct site_answer {
	enum site_end end;
	struct str service, list; /* their names */
	struct str next;
	uint64_t list_left;  /* requests of this list that are known to come */
	uint64_t lists_left; /* lists after it */
	struct diag why;     /* of a failure */
	struct site_object *v;
	size_t n;
};

struct site_response {
	int code;
	bool is_truncated;
	struct str url;
	struct str head, body; /* as received; without its coding */
};

/* ST_NOT_FOUND when the URL is no request of any chain. */
must_use enum status site_read(const struct site_services *s,
			       const struct site_response *r, struct arena *a,
			       struct site_answer *ret);

/* Does the API cost fewer requests than the pages? */
struct site_costs {
	uint64_t sent;                  /* requests to the API so far */
	uint64_t pages;                 /* that need not be fetched for it, so far */
	uint64_t list_sent, list_pages; /* of the present list alone */
	uint64_t list_left;  /* requests known to come; 1 where its length is unknown */
	uint64_t lists_left; /* after it: one request each, at least */
};

/*
 * All of it must be fewer than the pages; what the rest of a list will bring is judged by
 * what it brought so far.  So a list of which only a corner is in scope ends soon, and so
 * do a hundred pages of comments on ten posts.
 */
bool site_api_pays(const struct site_costs *c);
#endif
