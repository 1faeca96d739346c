/*
 * commit.h - make what was written last, without the writer waiting for the disk.
 *
 * A commit begins between two pages: everything so far is handed to the kernel, and
 * the record that says how far that is goes to the journal, which from there on is held
 * back in memory.  A thread of its own waits for the files; then the journal is
 * written, and waited for in the same way.  So on disk a commit record never stands
 * before the bytes it speaks of, and the pages that came meanwhile stand behind it.
 * The writer's thread.
 */
#ifndef WRITER_COMMIT_H
#define WRITER_COMMIT_H

#include "base/base.h"

struct writer;

enum commit_stage {
	COMMIT_NONE,
	COMMIT_FILES,   /* the files are waited for, the journal is held back */
	COMMIT_JOURNAL, /* the journal is waited for */
};

/* How long the writer may sleep before commit_step() wants to be called again. */
int64_t commit_due_ms(const struct writer *w);
/* Begin when it is time, go on when the disk is ready. */
must_use enum status commit_step(struct writer *w, struct diag *why);
#endif
