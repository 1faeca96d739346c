/*
 * mapreduce.h - DustLin-MR: the two jobs of algorithms 7 and 8, as lines in and
 * lines out, for Hadoop Streaming, Spark's pipe, or plain sort between them.
 *
 * Each line is a key, a tab and a value; what lies between a map and its
 * reduce is lines sorted by their first field.
 *
 *   map generate      cluster TAB url [TAB url ...]       ->  rule TAB host ... TAB 1
 *   reduce generate   (sorted)                            ->  rule TAB host ... TAB n
 *   map validate      clusters again, knowing the above   ->  rule TAB key TAB cluster
 * TAB url ... reduce validate   (sorted), knowing the above         ->  a rule file
 *
 * Lines of one cluster must follow each other, or be one line: a system that
 * splits its input between lines needs the latter.  With one reducer for the
 * second job the result is that of learn() without families, byte for byte,
 * unless a URL stands in several clusters, which no mapper can see.  More
 * reducers give the same valid rules, less pruned.
 */
#ifndef DUST_MAPREDUCE_H
#define DUST_MAPREDUCE_H

#include "dust/learn.h"

enum mapreduce_job {
	MAP_GENERATE,
	REDUCE_GENERATE,
	MAP_VALIDATE,
	REDUCE_VALIDATE,
};

struct mapreduce;

/*
 * `candidates` is what reduce generate gave, for the second job; it must
 * outlive the job.  ST_SYNTAX names its line.
 */
must_use enum status mapreduce_start(enum mapreduce_job job,
				     const struct learn_options *options,
				     struct str candidates, struct mapreduce **ret,
				     struct diag *why);
/* One line of input, without its end; output is appended to `to`. */
must_use enum status mapreduce_line(struct mapreduce *m, struct str line, struct buf *to,
				    struct diag *why);
/* After the last line. */
must_use enum status mapreduce_end(struct mapreduce *m, struct buf *to, struct diag *why);
void mapreduce_release(struct mapreduce **m);
#endif
