#!/usr/bin/env bash
# market.sh THRESH GEN_MARKET [TRIPLES [DIR]] - question shapes of WatDiv against Virtuoso 7 and Oxigraph.
#
# Loads the graph of gen_market into all that are there and asks the templates of
# market_templates.py by turns.  With DIR the stores are kept there and used again.
# Needs virtuoso-opensource-7 (apt) or pyoxigraph (pip); leaves out what is missing.
set -eu
THRESH=$(realpath "$1") GEN=$(realpath "$2") N=${3:-1000000}
HERE=$(dirname "$(realpath "$0")")
KEEP=${4:-}
WORK=${KEEP:-$(mktemp -d "${TMPDIR:-/tmp}/thresh-market.XXXXXX")}
mkdir -p "$WORK" && WORK=$(realpath "$WORK")
VPORT=18891 VSQL=11111 TPORT=17879
cleanup() {
	[ -z "${TPID:-}" ] || kill "$TPID" 2>/dev/null || true
	[ -z "${VPID:-}" ] || kill "$VPID" 2>/dev/null || true
	wait 2>/dev/null || true
	[ -n "$KEEP" ] || rm -rf "$WORK"
}
trap cleanup EXIT
cd "$WORK"
[ -e market.nt ] || "$GEN" "$N" >market.nt
[ -e market.kb ] || "$THRESH" kb load -q market.kb market.nt
peers=()
if command -v virtuoso-t >/dev/null; then
	cat >virtuoso.ini <<S
[Database]
DatabaseFile = $WORK/virtuoso.db
TransactionFile = $WORK/virtuoso.trx
xa_persistent_file = $WORK/virtuoso.pxa
ErrorLogFile = $WORK/virtuoso.log
LockFile = $WORK/virtuoso.lck
[Parameters]
ServerPort = $VSQL
NumberOfBuffers = 170000
MaxDirtyBuffers = 130000
DirsAllowed = $WORK
ThreadsPerQuery = 1
[HTTPServer]
ServerPort = $VPORT
ServerRoot = $WORK
[SPARQL]
ResultSetMaxRows = 10000000
S
	rm -f virtuoso.log
	virtuoso-t +configfile virtuoso.ini +foreground >virtuoso.out 2>&1 &
	VPID=$!
	for i in $(seq 240); do grep -q "Server online" virtuoso.log virtuoso.out 2>/dev/null && break; sleep 0.5; done
	if [ ! -e virtuoso.loaded ]; then
		isql-vt 127.0.0.1:$VSQL dba dba "exec=ld_dir('$WORK', 'market.nt', 'http://market.example/'); rdf_loader_run(); checkpoint;" >isql.out 2>&1
		touch virtuoso.loaded
	fi
	peers+=(--virtuoso "http://127.0.0.1:$VPORT/sparql" "http://market.example/")
fi
python3 -c 'import pyoxigraph' 2>/dev/null && peers+=(--oxigraph "$WORK/market.nt")
"$THRESH" kb serve market.kb --read-only --port $TPORT 2>serve.log &
TPID=$!
for i in $(seq 50); do grep -q http serve.log && break; sleep 0.1; done
python3 "$HERE/market_templates.py" "http://127.0.0.1:$TPORT/sparql" "${peers[@]}" --rounds "${ROUNDS:-15}"
