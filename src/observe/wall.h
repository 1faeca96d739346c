/*
 * wall.h - the second wall, at the network: what the guard did not foresee is held back
 * here.
 *
 * Every request of the page comes by (browser/gate.h).  Two things are decided:
 *  - where: only the start's own host and port, and hosts that the user named, may be on
 *    this machine or in its private network; no page reaches other services there.
 *  - writes, that is all methods but GET, HEAD and OPTIONS.  What deletes is held back.
 * A write that an event sent once is not sent again when the event is repeated on the way
 * to a state, or by the like control elsewhere: it gets the answer of the first time.
 * Answers outlive the run (model.h). Loads of a page may write as they do for anybody.
 */
#ifndef OBSERVE_WALL_H
#define OBSERVE_WALL_H

#include "base/map.h"
#include "browser/gate.h"
#include "observe/guard.h"

enum wall_writes { WRITES_NONE, WRITES_ONCE, WRITES_ALL };

/* Why the page does something at this moment. */
enum wall_phase {
	WALL_LOADING,
	WALL_FIRING,    /* an event for its own sake */
	WALL_REPEATING, /* an event on the way to somewhere */
};

/* What came back for a write. */
struct written {
	uint64_t exact;   /* of control, method, address and body */
	uint64_t inexact; /* of the control, method, address and how many before it */
	uint64_t anyhow;  /* of method, address and body */
	int status;
	struct str headers, body; /* as in gate_answer */
};

struct wall_options {
	enum wall_writes writes;
	struct guard_options guard;
	struct str start;      /* the start's URL */
	struct str_list hosts; /* HOST or HOST:PORT that may be private */
	bool any_address;      /* all names lead to one place anyway */
};

typedef void wall_keep_fn(void *ctx, const struct written *w);

struct wall {
	const struct wall_options *options;
	enum wall_phase phase;
	uint64_t control;                   /* which event; 0: none */
	uint64_t sequence;                  /* writes since it began */
	const struct written *const *known; /* all that is kept, `*known_count` of them */
	const size_t *known_count;
	wall_keep_fn *keep; /* one more */
	void *ctx;
	struct written pending[64]; /* keys of writes that were sent and not answered */
	size_t pending_count;
	struct map places; /* hash of host and port -> 1: may be asked, 2: not */
	uint64_t sent, answered, held_back;
};

/* A gate that asks the wall. */
struct gate wall_gate(struct wall *w);
void wall_release(struct wall *w);
void wall_begin(struct wall *w, enum wall_phase phase, uint64_t control);
/* Where may be asked; pure but for the lookup of names. */
bool wall_allows_place(struct wall *w, struct str url, struct diag *why);
/* A body without what is made anew for each form: tokens and boundaries. */
void wall_add_plain_body(struct str body, struct str content_type, struct buf *to);
#endif
