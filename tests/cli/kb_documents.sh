# LOAD reads what was allowed and nothing else; graphs together and apart; dumps; a gzip bomb.
mkdir -p data secret
echo '<http://x/1> <http://x/p> "from a file" .' >data/a.ttl
echo '<http://x/9> <http://x/p> "secret" .' >secret/s.nt
ln -s ../secret/s.nt data/link.nt
ln -s "$PWD/secret" data/way
here=file://$(pwd -P)
load() { "$THRESH" kb update facts.kb "$@" 2>&1 | sed "s|$here|file://HERE|; s/:[0-9][0-9]*/:PORT/"; }
echo "# off unless something is named"
load "LOAD <$here/data/a.ttl>"
load "LOAD SILENT <$here/data/a.ttl>"
echo "# a folder, and no way out of it"
load --load data "LOAD <$here/data/a.ttl> INTO GRAPH <http://g/1>"
for file in data/link.nt data/way/s.nt data/../secret/s.nt data/%2e%2e/secret/s.nt secret/s.nt data/none.ttl data; do
	load --load "$PWD/data" "LOAD <$here/$file>"
done
echo "# hosts: by name, or all public ones"
"$THRESH" kb load -q other.kb data/a.ttl
"$THRESH" kb serve other.kb --port 0 2>served &
server=$!
for i in $(seq 100); do grep -qs http served && break; sleep 0.1; done
port=$(sed -n 's/.*:\([0-9][0-9]*\)\/ .*/\1/p' served)
load --load 127.0.0.1 "LOAD <http://127.0.0.1:$port/graphs?default> INTO GRAPH <http://g/2>"
load --load '*' "LOAD <http://127.0.0.1:$port/graphs?default>"
load --load '*' "LOAD <http://localhost:$port/graphs?default>"
load --load localhost "LOAD <http://127.0.0.1:$port/graphs?default>"
load --load 169.254.169.254 "LOAD <http://169.254.169.254/latest.ttl>"
load --load 127.0.0.1 "LOAD <http://127.0.0.1:$port/nowhere>"
load --load 127.0.0.1 "LOAD <http://127.0.0.1:$port/>"
kill $server; wait $server 2>/dev/null
echo "# all graphs are asked unless one is meant"
"$THRESH" kb query facts.kb --format csv 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }'
"$THRESH" kb query facts.kb --default-graph own --format csv 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }'
"$THRESH" kb query facts.kb --format csv 'SELECT ?g { GRAPH ?g { ?s ?p ?o } } ORDER BY ?g'
"$THRESH" kb stats facts.kb | sed 's/bytes on disk.*/bytes on disk/'
echo "# dumps"
"$THRESH" kb dump facts.kb
"$THRESH" kb dump facts.kb --format ntriples
"$THRESH" kb dump facts.kb --format trig | grep -v '^@prefix'
"$THRESH" kb dump facts.kb --format trig >all.trig
"$THRESH" kb load -q again.kb all.trig; "$THRESH" kb dump again.kb | sort >again.nq; "$THRESH" kb dump facts.kb | sort | cmp - again.nq && echo "TriG reads back"
echo "# what unpacks to far more than it should"
dd if=/dev/zero bs=1M count=300 2>/dev/null | tr '\0' '#' | gzip -9 >bomb.nt.gz
"$THRESH" kb load -q facts.kb bomb.nt.gz 2>&1 | sed 's/than [0-9]* bytes/than N bytes/'
"$THRESH" kb load -q facts.kb --unpacked 1G bomb.nt.gz; echo "allowed: $?"
ls facts.kb | grep tmp || true # nothing is left behind
