/*
 * states_settings.h - what `thresh states` was told: its options, and what of them the
 * folder of a crawl keeps.
 */
#ifndef CMD_STATES_SETTINGS_H
#define CMD_STATES_SETTINGS_H

#include "base/option.h"
#include "overview/overview.h"
#include "states/explore.h"

struct states_settings {
	struct str cookies, logged_in;
	struct str preset;
	struct str out, resume, method, locale, timezone, browser, connect_to, attach;
	struct str_list checks;
	struct str_list values, include, exclude, strip, hosts;
	int writes;
	uint64_t size;
	int pieces;
	uint64_t max_states, max_depth, max_events, max_ms, max_visits, settle_ms, seed;
	uint64_t max_fired, request_ms;
	struct worth_limits worth;
	uint64_t width, height, max_traffic;
	double threshold, content_threshold, enough;
	bool accessibility, validate, har;
	bool fail_on_problem, allow_destructive, addresses, screenshots, real_time,
		insecure, scroll, json;
};

extern const struct option_row states_options[];

/* It does not decide what the graph is, and may differ when a crawl is resumed. */
bool states_option_is_free(const char *name);
void states_settings_release(struct states_settings *s);
/* NULL for an empty one. */
char *arena_cstr_or_null(struct arena *a, struct str s);
/* The start URL, and "https://host:port" of it for the guard; an exit code. */
int states_origin(struct str text, struct arena *a, struct explore_options *o);
void states_fill_options(const struct states_settings *s, struct arena *a,
			 struct explore_options *o);
/* The files of --check are read. */
must_use enum status states_load_checks(const struct states_settings *s, struct arena *a,
					struct explore_options *o, struct diag *why);
/* What must not change between a crawl and its resumption. */
void states_describe(const struct states_settings *s, struct str url, struct buf *to);
/* The settings and the URL of the crawl in `dir`, as states_describe() wrote them. */
must_use enum status states_restore(struct states_settings *s, const char *dir,
				    struct arena *a, struct str *ret_url,
				    struct diag *why);
must_use enum status states_read_content(struct str settings, struct content *ret,
					 struct diag *why);
#endif
