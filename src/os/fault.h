/*
 * fault.h - make the n-th write, sync or rename fail, or die in it.
 *
 * Every place of the program that changes the disk asks fault_next() first
 * (they all live in file.c).  A test arms it by fault_set(), a test of the whole
 * program by the environment variable THRESH_FAULT.  Rules are joined by commas:
 *
 *   kill-sync=3            SIGKILL instead of the third sync
 *   tear-write=7           write half of the seventh write, then SIGKILL
 *   fail-write=2:ENOSPC    the second write fails so; EIO when nothing is named
 *   fail-write=2+:ENOSPC   and so do all after it
 *
 * Calls are counted over all threads, from 1.  Unarmed it costs one load.
 */
#ifndef OS_FAULT_H
#define OS_FAULT_H

#include "base/str.h"

enum fault_op {
	FAULT_WRITE,
	FAULT_SYNC, /* of files and of folders */
	FAULT_RENAME,
	FAULT_TRUNCATE,
	FAULT_CREATE, /* opening a file for writing */
	FAULT_OPS,
};

#define FAULT_TEAR (-1) /* do half of it, then fault_die() */

/* Replace all rules and start counting anew; an empty spec disarms. */
must_use enum status fault_set(struct str spec, struct diag *why);
/* Count a call: 0 to go on, an errno to fail with, or FAULT_TEAR; or never return. */
int fault_next(enum fault_op op);
_Noreturn void fault_die(void);
/* How often `op` was asked since fault_set(); counted only while armed. */
uint64_t fault_calls(enum fault_op op);
#endif
