#!/usr/bin/env bash
# Learn URL rules as MapReduce jobs (DustLin-MR): rules_mapreduce.sh ENGINE CLUSTERS OUT [options]
# Two jobs find the operations and two more the rest; with --no-families there are two in all.
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

rounds() { # of a function that is given OUT and further options
	local job=$1
	case " ${options[*]} " in
	*" --no-families "*) "$job" "$out" ;;
	*)
		"$job" "$out.operations"
		"$job" "$out" --operations "$out.operations"
		rm -f "$out.operations"
		;;
	esac
}

sort_round() {
	local to=$1 work o=("${options[@]}" "${@:2}")
	work=$(mktemp -d)
	"$thresh" rules map generate "${o[@]}" <"$clusters" | sort |
		"$thresh" rules reduce generate "${o[@]}" >"$work/candidates"
	"$thresh" rules map validate "${o[@]}" -c "$work/candidates" <"$clusters" | sort |
		"$thresh" rules reduce validate "${o[@]}" -c "$work/candidates" >"$to"
	rm -rf "$work"
}

# One cluster a line, since Hadoop cuts its input between lines. The second job
# has one reducer, so that pruning sees all rules.
hadoop_round() {
	local to=$1 o="${options[*]} ${*:2}" files="$thresh" name
	name=$(basename "$to")
	if [ $# -gt 1 ]; then
		files+=",$3" o="${options[*]} --operations $(basename "$3")"
	fi
	hadoop jar "$HADOOP_STREAMING" -files "$files" -input "$clusters" -output "$name.candidates" \
		-mapper "./thresh rules map generate $o" -reducer "./thresh rules reduce generate $o"
	hadoop fs -getmerge "$name.candidates" candidates
	hadoop jar "$HADOOP_STREAMING" -D mapreduce.job.reduces=1 -files "$files,candidates" \
		-input "$clusters" -output "$name.result" \
		-mapper "./thresh rules map validate $o -c candidates" \
		-reducer "./thresh rules reduce validate $o -c candidates"
	hadoop fs -getmerge "$name.result" "$to"
}

with_spark() {
	spark-submit --files "$thresh" /dev/stdin "$clusters" "$out" "${options[@]}" <<'PY'
import sys
from pyspark import SparkContext

clusters, out, options = sys.argv[1], sys.argv[2], " ".join(sys.argv[3:])
sc = SparkContext(appName="thresh rules")
run = "./thresh rules %s %s " + options

def job(name, extra, partitions):
    lines = sc.textFile(clusters).pipe(run % ("map", name) + extra)
    keyed = lines.map(lambda l: (l.split("\t", 1)[0], l))
    ordered = keyed.repartitionAndSortWithinPartitions(partitions)
    return ordered.values().pipe(run % ("reduce", name) + extra).collect()

def save(name, lines):
    with open(name, "w") as f:
        f.writelines(l + "\n" for l in lines)
    sc.addFile(name)

def round(nr, extra):
    save("candidates%d" % nr, job("generate", extra, sc.defaultParallelism))
    return job("validate", "%s -c candidates%d" % (extra, nr), 1)

rules = round(1, "")
if "--no-families" not in sys.argv:
    save("operations", rules)
    rules = round(2, " --operations operations")
with open(out, "w") as f:
    f.writelines(l + "\n" for l in rules)
PY
}

case $engine in
sort) rounds sort_round ;;
hadoop) rounds hadoop_round ;;
spark) with_spark ;;
*) echo "rules_mapreduce.sh: ENGINE is sort, hadoop or spark" >&2; exit 2 ;;
esac
