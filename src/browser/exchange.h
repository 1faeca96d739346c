/*
 * exchange.h - one request of a page and what came back, as DevTools tells it.
 *
 * The head is what the server sent where DevTools has it, otherwise made from the
 * fields it knows.  The body is that after Content-Encoding: DevTools gives no
 * other, so the field that names the coding is stored under another name.  Each
 * hop of a redirection is an exchange of its own, without a body.  What came from
 * a cache is no traffic and is left out; so are WebSocket messages.  Owned by the
 * tab until it is handed out.
 */
#ifndef BROWSER_EXCHANGE_H
#define BROWSER_EXCHANGE_H

#include "base/json.h"

#define EXCHANGES_MAX     2000               /* under way or waiting to be taken */
#define EXCHANGE_BODY_MAX ((size_t)32 << 20) /* DevTools keeps no larger one */

enum exchange_stage {
	EXCHANGE_OPEN,   /* the browser waits for the server */
	EXCHANGE_ASKED,  /* all came; the body is on its way from the browser to us */
	EXCHANGE_DONE,   /* ready to be taken */
	EXCHANGE_CACHED, /* nothing was sent: to be dropped */
};

struct exchange {
	enum exchange_stage stage;
	struct buf id, session; /* the browser's names for request and target */
	uint64_t body_call;     /* id of the call that asks for the body */
	struct buf url, method, via, ip, protocol, error;
	struct buf request; /* line, fields, empty line, body */
	struct buf head;    /* of the response; empty when none came */
	struct buf body;
	int status;
	int64_t start_ms, end_ms; /* wall clock */
	bool has_sent_fields, has_raw_head;
	bool body_missing; /* the browser no longer had it */
};

void exchange_free(struct exchange *e);

#define EARLY_MAX 32 /* fields that came before their request was announced */

/* The fields as sent come as an event of their own, before or after the request's. */
struct early_fields {
	struct buf id, fields;
};

struct exchange_list {
	struct exchange **v;
	size_t n, cap;
	struct early_fields early[EARLY_MAX];
	size_t next_early;
	uint64_t dropped; /* past the bound */
};

void exchange_list_release(struct exchange_list *l);
/* What a Network event means for the list.  True when the body should be asked for
 * now: of *ret_ask. */
bool exchange_event(struct exchange_list *l, struct str session, struct str method,
		    const struct json *params, struct exchange **ret_ask);
/* The answer to the question for a body; true when it was one of these. */
bool exchange_answer(struct exchange_list *l, uint64_t call, const struct json *result);
/*
 * The page went on to the document that request `loader` asked for: what was begun
 * before and has not ended will never be read.
 */
void exchange_leave(struct exchange_list *l, struct str loader);
/* A target is gone: what it still owed will not come. */
void exchange_abandon(struct exchange_list *l, struct str session);
/* The first that is done, taken out of the list; NULL when none is. */
struct exchange *exchange_take(struct exchange_list *l);
/* How many bodies are still on their way to us. */
size_t exchange_pending(const struct exchange_list *l);
#endif
