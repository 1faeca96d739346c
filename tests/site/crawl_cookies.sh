# A page behind a cookie: not seen without --cookies, seen with; the cookie survives the process and stays on its site.
. "$TESTS/site/web.sh.inc"
serve --pages 40 --hosts 2 --traps none --seed 4 --trouble cookies --trouble-share 0
die() { echo "failed: $*"; exit 1; }
urls=$(awk -F'\t' '$3 == "trouble" && $4 == "cookies" { print $1 }' truth.tsv)
url=$(echo "$urls" | head -1)
[ -n "$url" ] || die "no such page"
"$THRESH" crawl "$url" -o without $FAST --scope page
awk -v u="$url" '$4 == u && $2 == 200' without/crawl.log | grep -q . && die "seen without a cookie"
"$THRESH" crawl "$url" -o with $FAST --scope page --cookies || die "exit $?"
awk -v u="$url" '$4 == u && $2 == 200 && $12 ~ /cookies/ && $12 ~ /2t/' with/crawl.log | grep -q . || { cat with/crawl.log; die "not seen"; }
grep -q '	passed	1$' with/state/cookies.txt || die "not kept"
"$THRESH" why with "$url" | grep -q 'retries.*302' || die "why does not tell"
# Later, in another process, the cookie is there from the first request on; another site does not get it.
other=$(echo "$urls" | awk -v h="$(echo "$url" | cut -d/ -f3)" '$0 !~ h' | head -1)
here=${url%/*}/7
"$THRESH" crawl with "$here" $other $FAST --scope page
awk -v u="$here" '$4 == u && $2 == 200 && $12 ~ /cookies/ && $12 !~ /2t/' with/crawl.log | grep -q . || { cat with/crawl.log; die "forgotten"; }
[ -z "$other" ] || awk -v u="$other" '$4 == u && $12 ~ /2t/' with/crawl.log | grep -q . || { cat with/crawl.log; die "sent to another site"; }
# Exported cookies can be brought along.
"$THRESH" crawl "$url" -o brought $FAST --scope page --cookie-file with/state/cookies.txt || die "exit $?"
awk -v u="$url" '$4 == u && $2 == 200 && $12 ~ /cookies/ && $12 !~ /2t/' brought/crawl.log | grep -q . || die "the file is not used"
echo nonsense >bad.txt
"$THRESH" crawl "$url" -o bad $FAST --cookie-file bad.txt 2>said && die "a bad file is taken"
grep -q 'bad.txt: 1 lines are no cookies' said || { cat said; die "and nothing is said"; }
