/*
 * progress.h - how far we are, drawn in place; or a status line now and then.
 *
 * On a terminal the given lines are redrawn in place, ten times a second at most.
 * Elsewhere (a log file, a pipe) only the first line is written, once each 30 s,
 * so that a log of a month stays readable.  Never blocks on anything but the
 * descriptor.  One thread.
 */
#ifndef OS_PROGRESS_H
#define OS_PROGRESS_H

#include "os/clock.h"
#include "os/terminal.h"

#define PROGRESS_REDRAW_MS 100
#define PROGRESS_STATUS_MS 30000

struct progress {
	struct terminal terminal;
	const struct clock *clock;
	int64_t next_ms;   /* draw nothing before */
	size_t drawn;      /* lines on the screen that are ours */
	bool off;          /* --quiet */
	struct buf screen; /* the bytes of one drawing, reused */
};

void progress_init(struct progress *p, int fd, const struct clock *clock);
void progress_release(struct progress *p);
/* True when progress_show() would draw now: ask before making the lines. */
bool progress_due(const struct progress *p);
/* `lines` are visible text without colours, separated by '\n'. */
void progress_show(struct progress *p, struct str lines);
/* Take the drawing away, so that something else can be written; before log lines. */
void progress_clear(struct progress *p);
/* The last state, which stays on the screen; elsewhere one last status line. */
void progress_end(struct progress *p, struct str lines);
#endif
