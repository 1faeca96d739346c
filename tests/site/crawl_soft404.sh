# Hosts that answer 200 for what is not there: one probe a host finds them out, their links are not followed, and no real page is taken for one.
. "$TESTS/site/web.sh.inc"
serve --pages 200 --hosts 8 --traps soft404 --seed 6 --no-crawl-delays
die() { echo "failed: $*"; exit 1; }
"$THRESH" crawl seeds.txt -o out $FAST --scope any
awk '$12 ~ /probe/ { split($4, u, "/"); print u[3] }' out/crawl.log | sort >probed.txt
[ "$(wc -l <probed.txt)" -gt 5 ] && [ "$(sort -u probed.txt | wc -l)" = "$(wc -l <probed.txt)" ] || { cat probed.txt; die "not one probe a host"; }
awk '$12 ~ /soft404/ { print $4 }' out/crawl.log | sort >soft.txt
n=$(wc -l <soft.txt)
# The truth: what is not there, and says 200, has these names; nothing else may be taken for it.
grep -v '/no-such-page/' soft.txt && die "a real page is taken for an error"
# Whatever was asked after the probe of its host had been answered is found out.
awk '{ split($4, u, "/"); told = $1; gsub(/[^0-9]/, "", told) }
	$12 ~ /probe/ { at[u[3]] = told }
	$2 == 200 && $4 ~ /\/no-such-page\// && (u[3] in at) && substr($9, 1, 17) > at[u[3]] { print $4 }' out/crawl.log | sort >later.txt
[ "$n" -gt 5 ] && [ "$(wc -l <later.txt)" -gt 5 ] || die "$n found out, $(wc -l <later.txt) asked after the probes"
comm -13 soft.txt later.txt | grep . && die "not found out"
grep -c '"rule":"soft-404"' out/skipped.jsonl | grep -qx "$n" || die "the ledger does not agree"
"$THRESH" report out --json | grep -q "\"soft_404\":$n" || die "the report does not agree"
"$THRESH" why out "$(head -1 soft.txt)" | grep -q 'soft-404 of .*/no-such-page-' || die "why does not tell"
# Killed and resumed, a host is not asked again.
"$THRESH" crawl out -q
[ "$(grep -c 'probe' out/crawl.log)" = "$(wc -l <probed.txt)" ] || die "probed again"
"$THRESH" crawl seeds.txt -o off $FAST --scope any --no-soft-404 -n 60
grep -q no-such-page- off/crawl.log && die "probed although forbidden"
exit 0
