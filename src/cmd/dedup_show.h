/* dedup_show.h - what `thresh dedup` says to people while it works. */
#ifndef CMD_DEDUP_SHOW_H
#define CMD_DEDUP_SHOW_H

#include "dedup/dedup.h"
#include "os/progress.h"
#include "os/signals.h"

struct dedup_screen {
	struct progress progress;
	struct signals signals;
	int64_t start_ms; /* of the stage */
	const char *stage;
	bool quiet;
	uint64_t broken;
};

must_use enum status screen_open(struct dedup_screen *s, bool quiet, struct diag *why);
void screen_close(struct dedup_screen *s);
struct dedup_hooks screen_hooks(struct dedup_screen *s);
void print_summary(const struct dedup *d);
/* The words for a fault of the settings; the exit code. */
int print_fault(const struct dedup *d, enum dedup_fault fault, const struct diag *why);
int dedup_fail(const char *text);
/* `thresh dedup --tune`: the exit code. */
int dedup_tune(const struct dedup_settings *s);
#endif
