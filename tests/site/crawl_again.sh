# Asked again: what the server says is unchanged is not stored, what changed is; a round that is killed goes on.
. "$TESTS/site/web.sh.inc"
serve --pages 80 --hosts 6 --traps none --seed 8 --alias-share 0 --no-crawl-delays
day() { curl -s --max-time 10 "http://127.0.0.1:$port/.testweb/day/$1" >/dev/null; }
die() { echo "failed: $*"; exit 1; }
"$THRESH" crawl seeds.txt -o out $FAST --scope any --no-rules
asked=$(grep -vcE '/(robots.txt|no-such-page-[0-9a-f]+) ' out/crawl.log)
[ "$asked" -gt 60 ] || die "only $asked pages"

# Nothing is due an hour later, and everything when asked so.
"$THRESH" crawl out --recrawl 2>said || die "nothing due is no failure"; grep -q 'no page is due before' said || { cat said; die "not said"; }
[ "$(grep -vcE '/(robots.txt|no-such-page-[0-9a-f]+) ' out/crawl.log)" = "$asked" ] || die "asked although not due"
cp out/crawl.log first.log
"$THRESH" crawl out --recrawl -q --revisit 0
tail -n +$(($(wc -l <first.log) + 1)) out/crawl.log | grep -vE '/(robots.txt|no-such-page-[0-9a-f]+) ' >second.log
[ "$(wc -l <second.log)" = "$asked" ] || die "$(wc -l <second.log) of $asked asked again"
[ "$(awk '$2 == 304' second.log | wc -l)" -gt 10 ] || die "hardly any 304"
awk '$2 == 304 && $12 !~ /unchanged/' second.log | grep . && die "a 304 that is a change"
# The web has not changed: whatever differs is noise, and no page may count as changed.
awk '$12 ~ /(^|,)changed/ { print $4 }' second.log >noise.txt
[ "$(wc -l <noise.txt)" -le $((asked / 50)) ] || { cat noise.txt; die "noise counts as change"; }

# Thirty days on, killed on the way: each page once in the round, edited ones stored, the others not.
day 30
lines=$(wc -l <out/crawl.log)
"$THRESH" crawl out --recrawl -q --commit 20ms & crawl=$!
# A round that was killed before it began is none that could go on.
for _ in $(seq 300); do
	[ "$(wc -l <out/crawl.log)" -gt "$lines" ] && break
	sleep 0.1
done
kill -9 $crawl 2>/dev/null; wait $crawl 2>/dev/null
"$THRESH" crawl out -q
grep -vE '/(robots.txt|no-such-page-[0-9a-f]+) ' out/crawl.log | tail -n +$((2 * asked + 1)) >third.log
awk '$12 ~ /changed|gone/ { print $4 }' third.log | sort | uniq -d | grep . && die "asked twice in a round"
[ "$(awk '$12 ~ /(^|,)changed/' third.log | wc -l)" -gt 3 ] || { awk '{print $2,$12}' third.log | sort | uniq -c; die "nothing changed in thirty days"; }
changed=$(awk '$2 == 200 && $12 ~ /(^|,)changed/ { print $4; exit }' third.log)
same=$(awk '$2 == 304 { print $4; exit }' third.log)
"$THRESH" why out "$changed" >why.txt; grep -q 'changed, and stored' why.txt || { cat why.txt; die why; }
"$THRESH" why out "$same" >why.txt; grep -q 'unchanged: the server says so' why.txt || { cat why.txt; die why; }
"$THRESH" warc check out/archive/*.warc.gz || exit 1
# A 304 is a revisit record that refers to a stored response.
for f in out/archive/*.warc.gz; do zcat "$f"; done | tr -d '\r' |
	awk '/^WARC-Type: / { type = $2 } /^WARC-Profile: .*server-not-modified/ { n++ } /^WARC-Refers-To: / && type == "revisit" { ref[$2] = 1 }
		/^WARC-Record-ID: / { id = $2; if (type == "response") resp[id] = 1 }
		END { for (r in ref) if (!(r in resp)) { print "dangling " r; bad = 1 } print n " not modified"; exit bad || n < 10 }' || exit 1
