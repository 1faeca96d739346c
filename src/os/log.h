/*
 * log.h - what the program says while it runs, on stderr, a line an event.
 *
 * Only cmd/, crawl/ and the other rooms that own a running program call this;
 * library code answers with a status and a diag instead.  An event is a fixed
 * word, the rest is for people; as JSON lines when log_set_json() asked so.
 * Thread-safe: a line is written whole.
 */
#ifndef OS_LOG_H
#define OS_LOG_H

#include "base/str.h"

enum log_level {
	LOG_ANSWER, /* what somebody has just asked for, by a signal: always shown */
	LOG_ERROR,  /* the command cannot do what was asked */
	LOG_WARN,   /* it goes on, with something missing */
	LOG_INFO,   /* milestones */
	LOG_DEBUG,  /* for whoever mends thresh */
};

void log_set_level(enum log_level most_verbose);
void log_set_json(bool json);
/* Where lines go; stderr (2) unless told otherwise. */
void log_set_fd(int fd);
bool log_wants(enum log_level level);
__attribute__((format(printf, 3, 4))) void
log_event(enum log_level level, const char *event, const char *fmt, ...);
#endif
