# --facts: what the crawl learnt can be asked, while it runs and after; the ten questions of doc/knowledge-base.md have answers that agree with the logs.
. "$TESTS/site/web.sh.inc"
serve --pages 150 --hosts 6 --kinds blog,wiki,forum --seed 9 --traps none --no-crawl-delays --alias-share 20%
die() { echo "failed: $*"; exit 1; }
prefixes='PREFIX schema: <https://schema.org/> PREFIX prov: <http://www.w3.org/ns/prov#> PREFIX sioc: <http://rdfs.org/sioc/ns#> PREFIX t: <https://thresh.invalid/vocab#> '
ask() { "$THRESH" kb query "$1" --format csv "$prefixes $2" | tr -d '\r' | tail -n +2; }
graph=https://thresh.invalid/crawl/out
"$THRESH" crawl seeds.txt -o out $FAST --scope any --facts --commit 50ms --per-host 1 --delay 5ms &
crawl=$!
n=0
for _ in $(seq 100); do
	n=$(ask out/kb 'SELECT (COUNT(?p) AS ?n) WHERE { GRAPH ?g { ?p a schema:WebPage } }' 2>/dev/null)
	[ "${n:-0}" -gt 0 ] && kill -0 $crawl 2>/dev/null && break
	sleep 0.05
done
kill -0 $crawl 2>/dev/null && [ "${n:-0}" -gt 0 ] || die "could not be asked while it ran"
# Killed, and finished: nothing is missing and nothing is there that is not archived.
kill -9 $crawl; wait $crawl 2>/dev/null
"$THRESH" crawl out -q --no-facts -n 1 >/dev/null 2>&1 # a process without facts in between does no harm
rm -rf out; "$THRESH" crawl seeds.txt -o out $FAST --scope any --facts --commit 50ms &
crawl=$!
for _ in $(seq 300); do
	[ -s out/crawl.log ] && break
	sleep 0.1
done
sleep 0.5; kill -9 $crawl; wait $crawl 2>/dev/null
"$THRESH" crawl out -q || [ $? = 7 ] || die "exit $?"

# Every page that was answered is there, with the record that holds it.
awk '$2 > 0 && $4 !~ /robots.txt$|no-such-page-/ { print $4 }' out/crawl.log | sort -u >asked.txt
ask out/kb "SELECT DISTINCT ?p WHERE { GRAPH <$graph/1> { ?p a schema:WebPage } }" | sort -u >pages.txt
cmp -s asked.txt pages.txt || { diff asked.txt pages.txt | head; die "pages differ"; }
for f in out/archive/*.warc.gz; do zcat "$f"; done | tr -d '\r' | sed -n 's/^WARC-Record-ID: <\(.*\)>$/\1/p' | sort -u >records.txt
ask out/kb "SELECT DISTINCT ?r WHERE { GRAPH <$graph/1> { ?p a schema:WebPage ; prov:wasDerivedFrom ?r } }" | sort -u >derived.txt
comm -23 derived.txt records.txt | grep . && die "a record that is not in the archive"
[ "$(wc -l <derived.txt)" -ge "$(wc -l <pages.txt)" ] || die "pages without a record"

# Again, thirty days later, into a graph of its own.
curl -s --max-time 10 "http://127.0.0.1:$port/.testweb/day/30" >/dev/null
"$THRESH" crawl out -q --recrawl --revisit 0

page=$(awk '$2 == 200 && $7 == "text/html" && $12 == "-" { print $4 }' out/crawl.log | sed -n 2p)
seed=$(head -1 seeds.txt)
awk '/^```sparql/ { n++; on = 1; next } /^```/ { on = 0 } on { print > "q" n ".rq" }' "$(dirname "$TESTS")/doc/knowledge-base.md"
for n in 1 2 3 4 5 6 7 8 9 10; do
	q=$(sed "s|http://crawl.example/|$graph/|g; s|http://forum.example/t/1|$page|g; s|<http://forum.example/>|<$seed>|g" q$n.rq)
	ask out/kb "$q" >a$n.txt || die "question $n"
	# Titles of this web never change; the second graph is asked for below.
	[ $n = 6 ] || [ -s a$n.txt ] || { echo "$q"; die "no answer to question $n"; }
done
ask out/kb "$(sed "s|GRAPH ?crawl|GRAPH <$graph/1>|" q1.rq)" | sort >a1.txt
awk '{ split($1, u, "/"); n[u[1] "//" u[3] "/"]++ } END { for (h in n) print h "," n[h] }' asked.txt | sort >hosts.txt
cmp -s hosts.txt a1.txt || { diff hosts.txt a1.txt | head; die "pages of hosts differ"; }
[ "$(ask out/kb "SELECT (COUNT(?p) AS ?n) WHERE { GRAPH <$graph/2> { ?p t:change ?c ; schema:name ?t } }")" -gt 20 ] || die "the second round has no graph"
grep -q WordPress a3.txt || { cat a3.txt; die "no application"; }
"$THRESH" kb check out/kb >check.txt 2>&1 || { cat check.txt; die "the store is damaged"; }
