#!/usr/bin/env bash
# Learn URL rules as two MapReduce jobs (DustLin-MR): rules_mapreduce.sh ENGINE CLUSTERS OUT [options]
#   ENGINE sort    plain sort(1) between map and reduce, on this machine
#   ENGINE hadoop  Hadoop Streaming; CLUSTERS is a path in its file system; $HADOOP_STREAMING is the jar
#   ENGINE spark   Spark's pipe(), through spark-submit
# Options are those of 'thresh rules map', for example --min-freq 2. $THRESH is the binary.
set -euo pipefail
engine=$1 clusters=$2 out=$3
shift 3
options=("$@")
thresh=${THRESH:-thresh}
export LC_ALL=C

with_sort() {
	local work
	work=$(mktemp -d)
	"$thresh" rules map generate "${options[@]}" <"$clusters" | sort |
		"$thresh" rules reduce generate "${options[@]}" >"$work/candidates"
	"$thresh" rules map validate "${options[@]}" -c "$work/candidates" <"$clusters" | sort |
		"$thresh" rules reduce validate "${options[@]}" -c "$work/candidates" >"$out"
	rm -rf "$work"
}

# One cluster a line, since Hadoop cuts its input between lines. The second job
# has one reducer, so that pruning sees all rules.
with_hadoop() {
	local o="${options[*]}"
	hadoop jar "$HADOOP_STREAMING" -files "$thresh" -input "$clusters" -output "$out.candidates" \
		-mapper "./thresh rules map generate $o" -reducer "./thresh rules reduce generate $o"
	hadoop fs -getmerge "$out.candidates" candidates
	hadoop jar "$HADOOP_STREAMING" -D mapreduce.job.reduces=1 -files "$thresh,candidates" \
		-input "$clusters" -output "$out" \
		-mapper "./thresh rules map validate $o -c candidates" \
		-reducer "./thresh rules reduce validate $o -c candidates"
}

with_spark() {
	spark-submit --files "$thresh" /dev/stdin "$clusters" "$out" "${options[@]}" <<'PY'
import sys
from pyspark import SparkContext, SparkFiles

clusters, out, options = sys.argv[1], sys.argv[2], " ".join(sys.argv[3:])
sc = SparkContext(appName="thresh rules")
run = "./thresh rules %s %s " + options

def job(name, extra, partitions):
    lines = sc.textFile(clusters).pipe(run % ("map", name) + extra)
    keyed = lines.map(lambda l: (l.split("\t", 1)[0], l))
    ordered = keyed.repartitionAndSortWithinPartitions(partitions)
    return ordered.values().pipe(run % ("reduce", name) + extra)

with open("candidates", "w") as f:
    f.writelines(l + "\n" for l in job("generate", "", sc.defaultParallelism).collect())
sc.addFile("candidates")
job("validate", " -c candidates", 1).saveAsTextFile(out)
PY
}

case $engine in
sort) with_sort ;;
hadoop) with_hadoop ;;
spark) with_spark ;;
*) echo "rules_mapreduce.sh: ENGINE is sort, hadoop or spark" >&2; exit 2 ;;
esac
