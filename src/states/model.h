/*
 * model.h - what the crawl of an application knows, and its bytes on disk.
 *
 *   DIR/states/N.json   the observation of raw state N, as the script said it
 *   DIR/state/log/      one record a decision: state, transition, refusal
 *
 * The file of a state is there before the log names it; the log is synced before
 * the next event is fired.  So killing at any moment loses at most the event in
 * flight, and a resumed crawl decides what an undisturbed one would have decided:
 * nothing depends on where the browser happens to be.
 */
#ifndef STATES_MODEL_H
#define STATES_MODEL_H

#include "base/map.h"
#include "observe/wall.h"
#include "os/segment_log.h"
#include "states/traffic.h"
#include "states/worth.h"

#define RAW_STATES_MAX 100000

/* What became of one event of one candidate. */
enum deed_outcome {
	DEED_PENDING,
	DEED_DONE,    /* it led to `to`; `why` has the problems it met, lines */
	DEED_REFUSED, /* by the guard: `why` */
	DEED_FAILED,  /* it could not be done: `why` */
	DEED_LEFT,    /* it left the application: `why` names where */
	DEED_SKIPPED, /* not worth its time: `why` */
	DEED_OUTCOMES
};

struct deed {
	uint32_t state, candidate; /* raw state, index of its candidate */
	uint8_t event;             /* enum event_kind */
	uint8_t outcome;           /* enum deed_outcome */
	uint32_t to;               /* raw state */
	struct str why;
};

struct raw_state {
	struct observation seen;
	struct identity identity;
	struct arena memory; /* of both */
	uint32_t *deed_of;   /* candidate * EVENT_KINDS + event -> deed + 1 */
	uint64_t *controls;  /* candidate * EVENT_KINDS + event -> worth_control() */
	uint64_t *kinds;     /* likewise worth_kind() */
	uint64_t *spots;     /* likewise worth_spot() */
	struct map offers;   /* the set of them */
	uint32_t depth;      /* events from the start */
	uint32_t arrivals;   /* events that led to it */
	bool unreachable;
	bool combines;    /* no element of it was new when it was first seen */
	bool brought_new; /* an event there led to an element that was nowhere before */
	struct str problems; /* console errors and failed requests, lines */
};

struct model {
	char *dir;
	struct content content;
	struct simulation simulation;
	struct raw_state **states; /* they do not move */
	size_t state_count, state_cap;
	struct deed *deeds; /* in order */
	size_t deed_count, deed_cap;
	struct map by_key; /* identity.key -> raw number */
	struct worth worth;
	struct segment_log log;
	struct written **writes; /* answers to writes, see wall.h */
	size_t write_count, write_cap;
	uint64_t write_bytes;
	struct traffic_position traffic; /* how far the archive goes */
	bool traffic_moved;              /* and that is not logged yet */
	struct arena memory;
};

/*
 * New or resumed: what the folder holds is read back.  `settings` is a JSON object
 * with at least "method", "threshold" and "content-threshold" as texts, and must
 * equal that of before.
 */
must_use enum status model_open(struct model *ret, const char *dir, struct str settings,
				const struct content *content,
				struct state_thresholds thresholds, struct diag *why);
/* Read only, with the method and thresholds of the crawl itself. */
must_use enum status model_load(struct model *ret, const char *dir, struct diag *why);
/* The settings that the crawl in `dir` was begun with; ST_NOT_FOUND when there is none.
 */
must_use enum status model_settings(const char *dir, struct buf *ret, struct diag *why);
void model_close(struct model *m);

/* The raw state of an observation given as JSON; a new one is written to disk. */
must_use enum status model_add_state(struct model *m, struct str json,
				     struct str problems, uint32_t *ret,
				     struct diag *why);
/* The raw state equal to this one, or STATE_UNSEEN. */
uint32_t model_find(const struct model *m, const struct identity *id);
/*
 * The kept state that an observation counts as: the one that absorbed raw state
 * `raw`, otherwise the nearest within the thresholds; STATE_UNSEEN when none.
 * `id` may be NULL where `raw` is known.
 */
uint32_t model_kept(const struct model *m, uint32_t raw, const struct identity *id);
/*
 * The archive is on disk up to here.  Logged together with the next event, so that
 * what an event caused is there exactly when the event is.
 */
void model_set_traffic(struct model *m, const struct traffic_position *at);
/* Log it although no event follows. */
must_use enum status model_save_traffic(struct model *m, struct diag *why);
/* Keep the answer to a write; too large ones are not. */
must_use enum status model_add_write(struct model *m, const struct written *w,
				     struct diag *why);
/* Record and make it last.  Returns whether a state was kept by it. */
must_use enum status model_add_deed(struct model *m, const struct deed *d, bool *ret_kept,
				    struct diag *why);
/* Nothing more is fired there; recorded for each pending event. */
must_use enum status model_give_up(struct model *m, uint32_t state, struct str why,
				   struct diag *diag);
struct deed *model_deed(const struct model *m, uint32_t state, uint32_t candidate,
			enum event_kind event);
/* The same event as worth.h sees it; points into the model. */
struct attempt model_attempt(const struct model *m, const struct deed *d);
/* Events of `state` that were tried. */
uint64_t model_fired(const struct model *m, uint32_t state);
/* The event by which `state` was first seen; NULL for the start. */
const struct deed *model_first_deed(const struct model *m, uint32_t state);
/* "pending", "done" ... */
const char *deed_outcome_name(uint8_t outcome);
struct state_distance model_distance(const void *model, uint32_t a, uint32_t b);
#endif
