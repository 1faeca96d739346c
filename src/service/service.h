/*
 * service.h - a web API as its description says it is: services/NAME.json, read and
 * checked.
 *
 * A description says how to ask (base URL, authentication, parameters), how often
 * (budgets), what errors mean, how lists go on, and what the answers mean (items, ids,
 * triples, links, further requests).  It holds no secret and no campaign.  doc/api.md is
 * its manual.  Owns its memory; immutable after api_service_parse().
 */
#ifndef SERVICE_SERVICE_H
#define SERVICE_SERVICE_H

#include "service/doc.h"
#include "service/template.h"

enum auth_kind {
	AUTH_NONE,
	AUTH_KEY_QUERY,     /* a parameter of the URL */
	AUTH_KEY_HEADER,    /* a field of the request */
	AUTH_BASIC,         /* user and password */
	AUTH_BEARER,        /* a token that does not change */
	AUTH_OAUTH_CLIENT,  /* a token for client id and secret */
	AUTH_OAUTH_REFRESH, /* a token for a refresh token */
	AUTH_SESSION,       /* a token for a login */
	AUTH_KINDS
};

struct api_param {
	struct str name;
	enum param_type {
		PARAM_TEXT,
		PARAM_INTEGER,
		PARAM_BOOL,
		PARAM_DATE,
		PARAM_URL
	} type;
	bool required;
	struct template value; /* constant, default or template; may be unset */
	uint64_t min, max;     /* of integers; both 0: any */
};

struct api_params {
	struct api_param *v;
	size_t n;
};

struct api_auth {
	enum auth_kind kind;
	bool optional;             /* without the secret, requests go out without it */
	struct str name;           /* of the query parameter or field */
	struct template value;     /* of the field: "Bearer {token}" */
	struct template token_url; /* the three that fetch a token */
	struct api_params form;    /* what is sent there */
	bool as_json;              /* as JSON, otherwise as a form */
	bool client_by_basic; /* client id and secret as HTTP Basic, not in the form */
	struct json_path token, expires, refresh;
};

struct api_budget {
	struct str bucket; /* budgets of one name share their counter */
	struct str match;  /* an interaction, or "*" */
	uint64_t limit, window_ms, cost;
	bool is_calendar; /* windows begin at midnight of a zone */
	int64_t zone_ms;
};

enum error_action {
	ERROR_RETRY, /* later, with growing waits */
	ERROR_WAIT,  /* as long as the answer says, then again */
	ERROR_STOP,  /* nothing more from this service in this run */
	ERROR_SKIP,  /* this stream is over, as a failure */
	ERROR_END,   /* this stream is over, and whole */
	ERROR_LOGIN, /* fetch a new token, then again */
	ERROR_ACTIONS
};

enum wait_format { WAIT_AS_ANY, WAIT_AS_SECONDS, WAIT_AS_EPOCH, WAIT_AS_ISO };

struct api_error {
	int status_min, status_max; /* both 0: any */
	struct json_path path;      /* in the body; unset: not looked at */
	struct str equals;          /* empty: anything that is true */
	enum error_action action;
	struct str header; /* that says how long; empty: the usual ones */
	struct json_path wait_path;
	enum wait_format format;
	uint64_t wait_ms; /* when nothing says it; 0: growing waits */
};

enum page_kind {
	PAGE_SINGLE,   /* one answer holds all */
	PAGE_CURSOR,   /* a value of the answer is a parameter of the next request */
	PAGE_NUMBER,   /* 1, 2, 3 ... */
	PAGE_OFFSET,   /* items so far */
	PAGE_LINK,     /* Link: rel="next", or a URL in the body */
	PAGE_CONTINUE, /* an object whose members are parameters of the next request */
	PAGE_STREAM,   /* a WebSocket, slice by slice: the greatest incremental value */
	PAGE_KINDS
};

struct api_paginate {
	enum page_kind kind;
	struct str param;
	struct json_path next;  /* cursor, URL or object in the answer */
	struct json_path more;  /* false: this was the last page */
	struct json_path total; /* pages or items */
	struct str total_header;
	uint64_t first, size; /* `size`: fewer items are the last page; 0: not known */
	uint64_t max_pages;   /* 0: no limit */
	uint64_t slice_ms;    /* of a stream */
};

struct api_object {
	struct str predicate; /* full IRI */
	struct template value;
	bool is_iri;
	struct str datatype; /* full IRI; empty: a string */
};

struct api_map {
	struct template subject;
	struct template when; /* unset: always */
	struct api_object *v;
	size_t n;
};

struct api_links {
	struct template url; /* of many values, perhaps */
	double score;
};

struct api_chain {
	struct str call; /* name of the interaction */
	size_t interaction;
	struct template when;
	struct json_path for_each; /* in the item; unset: the item itself */
	bool always;               /* also for an item that is known and unchanged */
	struct var_template {
		struct str name;
		struct template value;
	} * params;
	size_t n_params;
};

struct api_incremental {
	bool until_known;      /* newest first: a page without a new item is the last */
	struct template value; /* of an item; the greatest is the next `{since}` */
	struct api_params set; /* parameters of a later run, besides or instead */
};

/*
 * Which page of the site shows an item, so that a crawl that has the item need not fetch
 * the page (siteapi/).
 */
#define API_PAGE_URLS 4 /* as SITE_PAGES_MAX */
struct api_page {
	struct template urls[API_PAGE_URLS]; /* each with its own value, or none */
	size_t n_urls;
	struct template html, text; /* what the page shows of it; one of them */
	struct template *unless;    /* any has a value: the page shows more */
	size_t n_unless;
	struct json_path complete; /* in the answer; set: without it items are half */
};

/* A list that a crawl reads of a site, with parameters. */
struct api_site_list {
	struct str call;
	size_t interaction;
	struct var *params;
	size_t n_params;
};

struct api_site {
	struct str application; /* of apps/: "wordpress"; empty: no crawl uses it */
	struct str *find; /* the instance is what is before this in a link of a page;
			     none: the page's own server */
	size_t n_find;
	struct api_site_list *lists; /* in this order */
	size_t n_lists;
};

enum api_format { FORMAT_JSON, FORMAT_FEED, FORMAT_JSONL, FORMAT_WEBSOCKET };

struct api_interaction {
	struct str name, about, kind;
	bool is_post;
	enum api_format format;
	struct template path;
	struct api_params params, fields;
	struct template body; /* of a POST */
	struct api_paginate paginate;
	struct json_path items;
	bool items_optional; /* no items may also be said by leaving them out */
	struct template id;
	struct template when;  /* items without it are passed over; unset: none */
	struct template match; /* kept only when a keyword of the campaign is in it */
	struct str *ignore;    /* members of an item that change without meaning */
	size_t n_ignore;
	struct api_incremental incremental;
	struct api_map *maps;
	size_t n_maps;
	struct api_links *links;
	size_t n_links;
	struct api_chain *chains;
	size_t n_chains;
	struct api_page page;
	bool by_keyword, by_entity; /* its requests have {keyword} or {entity} in them */
	bool is_called;             /* by a chain or a crawl; not begun unless named */
	uint64_t expect;            /* requests for one keyword, for the plan */
};

struct api_service {
	struct str name, title, about, homepage;
	uint32_t version; /* of the mapping: goes into every WARC metadata record */
	bool opt_in;      /* only when a campaign says so */
	bool is_example;  /* cannot be run */
	struct template base_url;
	struct api_params parameters; /* of the service: instance, lang ... */
	struct api_params fields;     /* of every request */
	struct api_auth auth;
	struct api_budget *budgets;
	size_t n_budgets;
	struct api_error *errors;
	size_t n_errors;
	struct api_site site;
	struct api_interaction *interactions;
	size_t n;
	uint64_t delay_ms, concurrency;
	struct arena arena;
};

void api_service_release(struct api_service *s);
/*
 * Everything that is wrong is in `d->problems`; ST_SYNTAX when there is anything, and
 * then `ret` is untouched.
 */
must_use enum status api_service_parse(struct api_doc *d, struct api_service *ret,
				       struct diag *why);
/* The number of the interaction; `s->n` when there is none. */
size_t api_service_find(const struct api_service *s, struct str interaction);

/* Shared by the parts of the reader (service.c, service_meaning.c, service_site.c). */
struct service_reading {
	struct api_doc *d;
	struct arena *a;
};
void read_template(struct service_reading *r, const struct json *object,
		   const struct doc_place *p, const char *name, struct template *ret);
void read_path(struct service_reading *r, const struct json *object,
	       const struct doc_place *p, const char *name, struct json_path *ret);
void read_params(struct service_reading *r, const struct json *object,
		 const struct doc_place *p, const char *name, struct api_params *ret);
struct str read_text(struct service_reading *r, const struct json *object,
		     const struct doc_place *p, const char *name);
/* The index of the member's word among `words`; `otherwise` when it is not there. */
unsigned read_choice(struct service_reading *r, const struct json *object,
		     const struct doc_place *p, const char *name,
		     const char *const *words, unsigned otherwise);
void read_meaning(struct service_reading *r, const struct json *v,
		  const struct doc_place *p, struct api_interaction *ret);
void read_page(struct service_reading *r, const struct json *object,
	       const struct doc_place *p, struct api_interaction *ret);
void read_site(struct service_reading *r, const struct json *root,
	       const struct doc_place *p, struct api_service *s);
#endif
