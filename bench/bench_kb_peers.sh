#!/usr/bin/env bash
# bench_kb_peers.sh THRESH GEN_GRAPH [TRIPLES [DIR]] - thresh kb and Virtuoso 7 side by side.
#
# Loads the generated crawl and shop graphs into both, asks the same questions over
# HTTP on loopback, by turns, and compares the answers.  With DIR the stores are
# kept there, and those found there are asked without loading again.  Needs
# virtuoso-opensource-7.
set -eu
THRESH=$(realpath "$1") GEN=$(realpath "$2") N=${3:-1000000}
HERE=$(dirname "$(realpath "$0")")
KEEP=${4:-}
WORK=${KEEP:-$(mktemp -d "${TMPDIR:-/tmp}/thresh-peers.XXXXXX")}
mkdir -p "$WORK" && WORK=$(realpath "$WORK")
VPORT=18890 VSQL=11110 TPORT=17878
cleanup() {
	[ -z "${TPID:-}" ] || kill "$TPID" 2>/dev/null || true
	[ -z "${VPID:-}" ] || kill "$VPID" 2>/dev/null || true
	wait 2>/dev/null || true
	[ -n "$KEEP" ] || rm -rf "$WORK"
}
trap cleanup EXIT
command -v virtuoso-t >/dev/null || { echo "virtuoso-opensource-7 is not installed: nothing to compare"; exit 0; }
cd "$WORK"
cat > virtuoso.ini <<S
[Database]
DatabaseFile = $WORK/virtuoso.db
TransactionFile = $WORK/virtuoso.trx
xa_persistent_file = $WORK/virtuoso.pxa
ErrorLogFile = $WORK/virtuoso.log
LockFile = $WORK/virtuoso.lck
[Parameters]
ServerPort = $VSQL
NumberOfBuffers = 340000
MaxDirtyBuffers = 250000
DirsAllowed = $WORK
ThreadsPerQuery = 1
[HTTPServer]
ServerPort = $VPORT
ServerRoot = $WORK
[SPARQL]
ResultSetMaxRows = 10000000
S
rm -f virtuoso.log
virtuoso-t +configfile virtuoso.ini +foreground > virtuoso.out 2>&1 &
VPID=$!
for i in $(seq 240); do grep -q "Server online" virtuoso.log virtuoso.out 2>/dev/null && break; sleep 0.5; done
sql() { isql-vt 127.0.0.1:$VSQL dba dba "exec=$1" > isql.out 2>&1; }
now() { date +%s.%N; }
took() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", b - a }'; }
printf '%-6s %10s %14s %14s %12s %12s\n' graph triples "thresh load s" "virtuoso s" "thresh B/t" "virtuoso B/t"
for kind in crawl shop; do
	[ ! -e $kind.loaded ] || continue
	"$GEN" $kind "$N" > $kind.nt
	a=$(now); "$THRESH" kb load -q $kind.kb $kind.nt; b=$(now)
	t=$(took "$a" "$b")
	before=$(stat -c %s virtuoso.db)
	a=$(now)
	sql "ld_dir('$WORK', '$kind.nt', 'http://$kind.example/'); rdf_loader_run(); checkpoint;"
	b=$(now)
	v=$(took "$a" "$b")
	bytes=$(du -sb $kind.kb | cut -f1)
	vbytes=$(($(stat -c %s virtuoso.db) - before))
	printf '%-6s %10s %14s %14s %12s %12s\n' $kind "$(wc -l < $kind.nt)" "$t" "$v" \
		"$(awk -v b="$bytes" -v n="$N" 'BEGIN { printf "%.1f", b / n }')" \
		"$(awk -v b="$vbytes" -v n="$N" 'BEGIN { printf "%.1f", b / n }')"
	rm $kind.nt
	touch $kind.loaded
done
for kind in crawl shop; do
	"$THRESH" kb serve $kind.kb --read-only --port $TPORT 2> serve.log &
	TPID=$!
	for i in $(seq 50); do grep -q http serve.log && break; sleep 0.1; done
	python3 "$HERE/compare_endpoints.py" "$kind" "http://127.0.0.1:$TPORT/sparql" \
		"http://127.0.0.1:$VPORT/sparql" "http://$kind.example/"
	kill $TPID; wait $TPID 2>/dev/null || true
	TPID=
done
