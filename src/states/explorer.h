/* explorer.h - the crawl in progress; for explore.c, act.c and route.c only. */
#ifndef STATES_EXPLORER_H
#define STATES_EXPLORER_H

#include "observe/named.h"
#include "states/explore.h"

struct explorer {
	struct model *model;
	const struct explore_options *options;
	struct observe_options observing;
	struct browser browser;
	char profiles[4096]; /* folder of the browser's profile */
	struct tab *tab;
	struct traffic traffic;
	struct wall wall;
	struct gate gate;
	struct tab_options tab_options;
	struct explore_stats stats;
	uint32_t here;           /* raw state the tab shows; STATE_UNSEEN: not known */
	uint32_t kept;           /* the kept state it counts as; STATE_UNSEEN: none */
	int64_t deadline_ms;     /* by the machine's clock; 0: none */
	bool disk_failed;        /* no more can be recorded */
	bool without_scripts;    /* so the first page was looked at: it hung otherwise */
	bool learned;            /* which classes are volatile, or that it cannot be */
	bool crossed;            /* the last event loaded another document */
	bool arrived;            /* where the present event is to be fired */
	bool ran_on;             /* its clock ran after it was observed */
	bool hovering;           /* the last event was to point at something */
	const char *refused_hit; /* why what would have been hit must not be; NULL */
	bool dirty;      /* fields hold what we entered; only a fresh load clears them */
	char stored[24]; /* observation.stored of what the tab showed last */
	struct observation looked; /* by explorer_look(), until the next one */
	struct identity looked_id;
	struct buf seen;      /* the JSON of the last observation */
	struct buf filled;    /* what the present event entered into fields */
	struct buf problems;  /* what the page complained about since the event began */
	struct arena scratch; /* reset before each observation */
	struct arena classes;
	struct named named;       /* what the files of pages name */
	struct arena named_bytes; /* of observing.named */
	struct map offered;       /* hashes of addresses that states offer to open */
	uint32_t offered_states;  /* so many were looked through for that */
	struct str opening;       /* an address that we guessed; empty: none */
};

/* Open a tab in a fresh context, on about:blank. */
must_use enum status explorer_open_tab(struct explorer *x, struct diag *why);
/* Look at the page: `x->seen`, `x->here` and `x->kept`. */
must_use enum status explorer_look(struct explorer *x, struct diag *why);
/* Look, and record it when it is new. */
must_use enum status explorer_look_and_record(struct explorer *x, struct diag *why);
/* Take over what the tab asked and got. */
must_use enum status explorer_take_traffic(struct explorer *x, struct diag *why);
/* Write down what the tab asked and got, and make it last with the next event. */
must_use enum status explorer_save_traffic(struct explorer *x, struct diag *why);
/*
 * act.c: fire one event, for its own sake or on the way; ST_DENIED with the reason when
 * it cannot be done.
 */
must_use enum status explorer_act(struct explorer *x, const struct deed *d,
				  enum wall_phase phase, struct diag *why);
/* route.c: bring the tab to where `d` can be fired; ST_NOT_FOUND when no way leads there.
 */
must_use enum status explorer_go(struct explorer *x, const struct deed *d,
				 struct diag *why);
#endif
