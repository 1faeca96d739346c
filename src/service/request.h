/*
 * request.h - a request as it is sent: description, parameters, page and credentials in,
 * URL, fields and body out.
 */
#ifndef SERVICE_REQUEST_H
#define SERVICE_REQUEST_H

#include "service/page.h"
#include "service/secrets.h"

/* A service as a campaign uses it, with its credentials. */
struct endpoint {
	const struct api_service *service;
	const struct var *params;
	size_t n_params;
	struct str host;  /* of its base URL: host and port */
	struct str base;  /* its base URL */
	struct buf token; /* fetched, of the kinds of authentication that do */
	int64_t token_until_ms;
	struct secrets *secrets; /* NULL: none are used */
};

struct api_request {
	struct buf url, fields, body; /* `fields`: "Name: value" CRLF each */
	bool is_post;
};

/* Its base URL from the description and its parameters; ws: and wss: are http: and
 * https:.  ST_SYNTAX when it is none.  Texts live in `a`. */
must_use enum status endpoint_make(struct endpoint *ret, const struct api_service *s,
				   const struct var *params, size_t n_params,
				   struct secrets *secrets, struct arena *a,
				   struct diag *why);
void api_request_release(struct api_request *r);
/* Whether a token must be fetched before anything else. */
bool endpoint_wants_token(const struct endpoint *e, int64_t now_ms);
/* Secrets that are missing are named, unless they are optional. */
must_use enum status endpoint_check(struct endpoint *e, struct diag *why);

struct request_facts {
	const struct api_interaction *interaction;
	const struct var *params; /* keyword, entity, parameters of a chain */
	size_t n_params;
	struct str page;  /* state, see page.h */
	struct str since; /* empty: the first run */
};

/* ST_NOT_FOUND with the name of the parameter that is required and missing. */
must_use enum status request_build(struct endpoint *e, const struct request_facts *f,
				   struct api_request *ret, struct diag *why);
/* The request for a token. */
must_use enum status request_build_login(struct endpoint *e, struct api_request *ret,
					 struct diag *why);
#endif
