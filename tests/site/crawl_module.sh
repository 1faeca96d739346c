# Scores from outside: a module that is a process, one that dies, and a watched file of scores.
. "$TESTS/site/web.sh.inc"
. "$TESTS/site/python.sh.inc" 2>/dev/null
die() { echo "failed: $*"; exit 1; }
serve --pages 120 --hosts 1 --traps none --seed 4 --no-crawl-delays --alias-share 0
first=$(head -1 seeds.txt)
SLOW="${FAST/--per-host 8/--per-host 1} --no-rules --no-soft-404 --no-sitemaps --no-guesses --commit 50ms"
# The module says which links come first: those with an even number of letters; links to categories never.
cat >module.py <<'PY'
import json, sys
for line in sys.stdin:
    page = json.loads(line)
    assert page["text"] and page["code"] == 200
    print(json.dumps({"id": page["id"], "links": [-1 if "/category/" in l["url"] else len(l["url"]) % 2 for l in page["links"]]}), flush=True)
PY
"$THRESH" crawl "$first" -o out $SLOW --delay 40ms -n 40 --module 'python3 module.py' >out.txt 2>&1 || [ $? = 4 ] || { cat out.txt; die crawl; }
grep -q '"rule":"module"' out/skipped.jsonl || die "no veto in the ledger"
url=$(grep -o '"url":"[^"]*"' out/skipped.jsonl | head -1 | cut -d'"' -f4)
awk '$2 == 200 && $4 !~ /robots|static|xml/ { print length($4) % 2 }' out/crawl.log | sed 1,12d >order.txt
odd=$(grep -c 1 order.txt) even=$(grep -c 0 order.txt)
[ "$odd" -gt "$((2 * even))" ] || { cat order.txt; die "the module's scores did not count: $odd, $even"; }
moved=$(awk '$2 == 200 { u = $4 } END { print u }' out/crawl.log)
"$THRESH" why out "$moved" >why.txt
grep -q '^  module .*weight' why.txt || { cat why.txt; die "why does not print the module"; }
grep -q 'module from outside' why.txt || { cat why.txt; die "why does not say that it was moved"; }
"$THRESH" status out --json | grep -q '"module_answered":[1-9]' || die "its answers are not counted"
# One that ends at once, or talks nonsense, harms nobody.
"$THRESH" crawl "$first" -o dead $SLOW -n 10 --module 'exit 3' >dead.txt 2>&1 || [ $? = 4 ] || { cat dead.txt; die "a dead module"; }
"$THRESH" status dead --json | grep -q '"module_missed":[1-9]' || die "what it missed is not counted"
"$THRESH" crawl "$first" -o noise $SLOW -n 10 --module 'while read l; do echo "{]"; done' >noise.txt 2>&1 || [ $? = 4 ] || die "noise"
# Scores of a file, read while the host is snoozed: the page that would come last comes next.
"$THRESH" crawl "$first" -o order $SLOW -n 30 >order.out 2>&1 || [ $? = 4 ] || die order
last=$(awk '$2 == 200 { u = $4 } END { print u }' order/crawl.log)
place() { awk -v u="$last" '$4 == u { print NR }' "$1/crawl.log"; }
{ echo '# scores'; echo "$last 1"; echo nonsense; } >scores.txt
"$THRESH" crawl "$first" -o filed $SLOW --delay 60ms -n 30 --scores scores.txt --scores-sleep 50ms --scores-margin 5ms >filed.txt 2>&1 || [ $? = 4 ] || die filed
[ -n "$(place filed)" ] && [ "$(place filed)" -lt "$(place order)" ] || die "not reordered: $(place filed), $(place order)"
exit 0
