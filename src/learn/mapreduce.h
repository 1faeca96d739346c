/*
 * mapreduce.h - DustLin-MR: the two jobs of algorithms 7 and 8, as lines in and
 * lines out, for Hadoop Streaming, Spark's pipe, or plain sort between them.
 *
 * Each line is a key, a tab and a value; what lies between a map and its
 * reduce is lines sorted by their first field.
 *
 *   map generate      cluster TAB url [TAB url ...]   ->  rule TAB host ... TAB 1
 *   reduce generate   (sorted)                        ->  rule TAB host ... TAB n
 *   map validate      clusters again, and the above   ->  rule TAB key TAB cluster TAB
 * url ... reduce validate   (sorted), and the above         ->  a rule file
 *
 * With families learn() has two rounds, and so have the jobs: the first round gives
 * the operations, and the second, which is given that file, what rewrites their
 * results need, and the whole of the rules.  A URL that an operation leaves alone counts
 * when another becomes equal to it, so the first round's map validate also tells
 * every URL, under the rule "=".
 *
 * Lines of one cluster must follow each other, or be one line: a system that
 * splits its input between lines needs the latter.  With one reducer for
 * validate the result is that of learn(), byte for byte, unless a URL stands in several
 * clusters, or becomes equal to one of another cluster by the operations, which no
 * mapper can see.  Without families more reducers give the same valid rules, less
 * pruned.
 */
#ifndef LEARN_MAPREDUCE_H
#define LEARN_MAPREDUCE_H

#include "learn/learn.h"

enum mapreduce_job {
	MAP_GENERATE,
	REDUCE_GENERATE,
	MAP_VALIDATE,
	REDUCE_VALIDATE,
};

struct mapreduce;

/* What earlier jobs gave; the text must outlive the job. */
struct mapreduce_given {
	struct str candidates; /* by reduce generate, for validate */
	struct str operations; /* by reduce validate of the first round */
	bool second_round;     /* there was a first one; with families only */
};

/* ST_SYNTAX names the line of what was given. */
must_use enum status mapreduce_start(enum mapreduce_job job,
				     const struct learn_options *options,
				     const struct mapreduce_given *given,
				     struct mapreduce **ret, struct diag *why);
/* One line of input, without its end; output is appended to `to`. */
must_use enum status mapreduce_line(struct mapreduce *m, struct str line, struct buf *to,
				    struct diag *why);
/* After the last line. */
must_use enum status mapreduce_end(struct mapreduce *m, struct buf *to, struct diag *why);
void mapreduce_release(struct mapreduce **m);
#endif
