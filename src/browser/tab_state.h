/* tab_state.h - what a tab consists of; for the tab_*.c files only. */
#ifndef BROWSER_TAB_STATE_H
#define BROWSER_TAB_STATE_H

#include "browser/exchange.h"
#include "browser/tab.h"

#define SESSIONS_MAX 64 /* frames, workers and popups of one page */

struct tab {
	struct browser *browser;
	struct tab_options options;
	char *context, *target, *session; /* the browser's names for them */
	char *main_frame;
	char *url;
	char *children[SESSIONS_MAX]; /* sessions of frames and workers */
	size_t child_count;
	int isolated_world; /* execution context of our own; 0: not yet made */
	uint64_t navigations;
	bool loaded;         /* the load event of the last navigation */
	bool budget_expired; /* virtual time ran out */
	bool virtual_time, fell_back, crashed;
	int64_t requests_open;
	struct note *notes;
	size_t note_count, note_cap;
	uint64_t notes_dropped;
	struct exchange_list traffic;
};

void tab_note(struct tab *t, enum note_kind kind, struct str text);
/* Prepare a frame, worker or popup that attached itself; only posts. */
void tab_adopt(struct tab *t, const struct json *params);
/* The script that runs before any of the page's: seeded randomness, no animation. */
void tab_add_prelude(struct buf *to, uint64_t seed);
/* The parameters of Network.enable, the same for every target. */
struct str tab_network_settings(void);
char *copy_cstr(struct str s);
void replace_cstr(char **at, struct str s);
#endif
