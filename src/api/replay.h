/*
 * replay.h - answers kept in a folder, and a fetcher that gives them again.
 *
 * A file per answer, named by the redacted URL, the body that was sent, and how often the
 * same was requested before: a campaign that is replayed sees the same 429 first and the
 * same page second.  No secret is in a file but what the server itself said.
 */
#ifndef API_REPLAY_H
#define API_REPLAY_H

#include "fetch/fetcher.h"
#include "service/secrets.h"

must_use enum status replay_save(const char *dir, const struct secrets *s,
				 const struct fetch_result *r, struct diag *why);
must_use enum status replay_open(struct fetcher **ret, const char *dir,
				 const struct secrets *s, fetch_done_fn *on_done,
				 void *ctx, struct diag *why);
#endif
