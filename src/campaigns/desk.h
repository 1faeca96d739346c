/*
 * desk.h - campaigns as they are ordered, watched and steered from outside, as files.
 *
 *   DIR/NAME/campaign.json       as it was ordered
 *   DIR/NAME/state/wish          run, paused or stopped; missing: run
 *   DIR/NAME/state/again         one more round is wanted
 *   DIR/NAME/state/error         why it cannot run
 *   DIR/NAME/state/status.json   counts and budgets, as api/ writes them
 *
 * Whoever answers HTTP writes wishes; the host (host.h) carries them out, in this or
 * another process.  Nothing here runs a campaign.  Any thread; one writer at a time.
 */
#ifndef CAMPAIGNS_DESK_H
#define CAMPAIGNS_DESK_H

#include "base/json.h"
#include "base/option.h"

struct arena;

enum campaign_wish { WISH_RUN, WISH_PAUSE, WISH_STOP, WISHES };

struct desk {
	const char *dir;      /* made by the first order */
	const char *services; /* descriptions of the user; NULL: none */
};

/* Read, check and keep an order; an existing campaign gets this definition and one more
 * round.  ST_SYNTAX with the place of the mistake.  The name goes to `ret_name`. */
must_use enum status desk_order(const struct desk *d, struct str body,
				struct buf *ret_name, struct diag *why);
/* ST_NOT_FOUND without such a campaign, ST_DENIED when it was stopped for good. */
must_use enum status desk_wish(const struct desk *d, struct str name,
			       enum campaign_wish wish, struct diag *why);
enum campaign_wish desk_wish_of(const struct desk *d, struct str name);
/* Names of all campaigns, in order. */
must_use enum status desk_names(const struct desk *d, struct arena *a,
				struct str_list *ret, struct diag *why);
/* {"name", "state", "definition", "status"}; ST_NOT_FOUND. */
must_use enum status desk_show(const struct desk *d, struct str name, struct json_out *to,
			       struct diag *why);
/* An array of these, without definitions. */
void desk_list(const struct desk *d, struct json_out *to);
/* Overall and per campaign: requests, streams pending, budgets spent and left. */
void desk_workload(const struct desk *d, struct json_out *to);
/* Changes whenever something above would make the host act. */
uint64_t desk_signature(const struct desk *d);
/* A name is one folder, and never leads out of DIR. */
bool desk_is_name(struct str name);
#endif
