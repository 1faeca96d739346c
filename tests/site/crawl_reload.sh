# crawl.yaml changes: what is out of scope now leaves the queue, what is in scope again comes back, on SIGHUP and on going on.
. "$TESTS/site/web.sh.inc"
FAST="$FAST --no-apps" # pages that are views of others would leave little to drop
serve --pages 120 --hosts 2 --traps none --seed 4 --no-crawl-delays --alias-share 0
die() { echo "failed: $*"; exit 1; }
fetched() { awk '$2 == 200 && $4 !~ /robots.txt$|no-such-page-/ { print $4 }' "$1/crawl.log" | sort -u; }
"$THRESH" crawl seeds.txt -o plain $FAST --no-rules
fetched plain >plain.txt

# Going on with a narrower scope, then with the old one.
"$THRESH" crawl seeds.txt -o out $FAST --no-rules -n 30
"$THRESH" crawl out -x '\.test/.*[13579]' -n 40 2>said
grep -qE 'scope: [1-9][0-9]* URLs were dropped from the queue, 0 came back' said || { cat said; die "nothing was dropped"; }
grep -q '"stage":"scope","rule":"exclude"' out/skipped.jsonl || die "the ledger does not say"
url=$(grep -m1 '"rule":"exclude"' out/skipped.jsonl | grep -oE '"url":"[^"]*' | cut -c8-)
"$THRESH" why out "$url" >why.txt; grep -q 'removing that --exclude pattern' why.txt || { cat why.txt; die why; }
sed -i 's/^exclude: .*/#exclude: []/; s/^max-pages: .*/#max-pages: 0/' out/crawl.yaml
"$THRESH" crawl out 2>said
grep -qE 'scope: 0 URLs were dropped from the queue, [1-9][0-9]* came back' said || { cat said; die "nothing came back"; }
fetched out >out.txt
comm -23 plain.txt out.txt | grep . && die "lost"
stored_once out || exit 1

# While it runs.
"$THRESH" crawl seeds.txt -o live $FAST --no-rules --per-host 1 --delay 60ms --commit 50ms 2>live.txt &
crawl=$!
sleep 1
sed -i 's/^#exclude: .*/exclude: ["\\\\.test\/.*[7]"]/' live/crawl.yaml
kill -HUP $crawl
sleep 1
grep -q 'reload: crawl.yaml was read again' live.txt || { cat live.txt; die "not read again"; }
grep -qE 'scope: [1-9][0-9]* URLs were dropped' live.txt || { cat live.txt; die "not dropped while it runs"; }
kill -USR1 $crawl
sleep 0.3
grep -qE 'status: [1-9][0-9,]* fetched .* queued .* found' live.txt || { cat live.txt; die "no status"; }
grep -qE 'status: hosts: [0-9]+ active' live.txt || { cat live.txt; die "no hosts in the status"; }
echo 'scope: galaxy' >>live/crawl.yaml
kill -HUP $crawl
sleep 0.3
grep -q 'going on as before' live.txt || { cat live.txt; die "a broken file is not told"; }
sed -i '/galaxy/d; s/^exclude: .*/#exclude: []/' live/crawl.yaml
kill -HUP $crawl
wait $crawl || [ $? = 7 ] || die "exit"
fetched live >live.urls
comm -23 plain.txt live.urls | grep . && { cat live.txt; die "lost while it ran"; }
stored_once live
