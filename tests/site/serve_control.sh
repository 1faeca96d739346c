# A running crawl is watched and steered: pause, injection, scores, blacklist, hold, drop, deadline, stop; and after a
# restart all of it still holds.
. "$TESTS/site/web.sh.inc"
. "$TESTS/site/serve.sh.inc"
serve --pages 150 --hosts 2 --traps none --seed 4 --no-crawl-delays --alias-share 0
host=$(sed -n 's|^\(https*://[^/]*\).*|\1|p' seeds.txt | head -1)
SLOW="${FAST/--delay 0/--delay 120ms} --per-host 1 --commit 50ms --no-rules --no-soft-404 --no-apps"
listen out seeds.txt $SLOW
[ "$(stat -c %a out/serve.token)" = 600 ] || die "mode of the token"
[ "$(ask /pause -X POST -o body.txt -w '%{http_code} %{content_type}')" = "401 application/problem+json" ] || die "no token"
until_true 20 "ask /status | grep -q '\"done\":[1-9]'" || exit 1
demand POST /pause | grep -q '"accepted":1' || die pause
until_true 10 "ask /status | grep -q '\"paused\":true'" || exit 1
sleep 0.5
done_before=$(ask /status | grep -o '"done":[0-9]*' | head -1)
# URLs of the queue: the one that would come last is moved, another is blacklisted, some are held, one is dropped.
ask '/queue?limit=1000' | tr '{' '\n' | sed -n 's/^"url":"\([^"]*\)".*"purpose":"link".*/\1/p' >queue.txt
[ "$(wc -l <queue.txt)" -ge 6 ] || { cat queue.txt; die "a queue"; }
moved=$(tail -1 queue.txt); black=$(sed -n 2p queue.txt); held=$(sed -n 3p queue.txt); dropped=$(sed -n 4p queue.txt)
quote() { printf '%s' "$1" | sed 's/[][().*+?^$|\\]/\\\\&/g'; }
demand POST /urls -d "[{\"url\":\"$moved\",\"score\":1},{\"url\":\"$black\",\"blacklisted\":true},{\"url\":\"$black\",\"score\":1},
	{\"url\":\"$host/injected-page\",\"score\":0.99},{\"url\":\"$host/too-late\",\"deadline\":\"2020-01-01T00:00:00Z\",\"score\":0.98}]" |
	grep -q '"accepted":5' || die urls
demand PATCH /queue -d "{\"match\":\"^$(quote "$held")\$\",\"hold\":true}" | grep -q '"accepted":1' || die hold
demand PATCH /queue -d "{\"match\":\"^$(quote "$dropped")\$\",\"drop\":true}" | grep -q '"accepted":1' || die drop
until_true 20 "ask '/queue?limit=1000' >queue.json; ! grep -qF '\"$dropped\"' queue.json" || exit 1
grep -qF "\"$black\"" queue.json && die "blacklisted, and queued"
tr '{' '\n' <queue.json | grep -F "\"$held\"" | grep -q '"held":true' || die "not held"
tr '{' '\n' <queue.json | sed -n 3p | grep -qF "\"$moved\"" || die "not moved to the front"
[ "$(ask /status | grep -o '"done":[0-9]*' | head -1)" = "$done_before" ] || die "it did not pause"
ask '/events?kinds=control&after=0' -m 1 >events.txt
grep -q '"what":"hold","detail":.*"count":1' events.txt || { cat events.txt; die "no event of the hold"; }
# Killed: what was demanded is in the journal.
sleep 0.5
kill -9 $crawl; wait $crawl 2>/dev/null
listen out seeds.txt $SLOW
until_true 20 "ask /status | grep -q '\"done\":[1-9]'" || exit 1
demand POST /pause >pause.txt
until_true 10 "ask /status | grep -q '\"paused\":true'" || exit 1
ask '/queue?limit=1000' >queue.json
tr '{' '\n' <queue.json | grep -F "\"$held\"" | grep -q '"held":true' || die "no longer held after a restart"
demand POST /resume >resume.txt
sleep 0.5
demand POST /stop | grep -q '"running":true' || die stop
wait $crawl
[ $? = 130 ] || die "stop"
[ -e out/serve.addr ] && die "an address of nobody"
# Without the server, to its end.
"$THRESH" crawl out ${FAST} --no-rules --listen '' || [ $? = 3 ] || die "to the end"
fetched() { awk '{ print $4 }' out/crawl.log; }
fetched | grep -qxF "$host/injected-page" || die "the injected URL was not fetched"
fetched | grep -qxF "$moved" || die "the moved URL was not fetched"
for u in "$black" "$held" "$dropped" "$host/too-late"; do fetched | grep -qxF "$u" && die "$u was fetched"; done
for word in blacklisted dropped held expired; do
	grep -q "\"stage\":\"control\",\"rule\":\"$word\"" out/skipped.jsonl || die "no $word in the ledger"
done
"$THRESH" why out "$held" | grep -q 'held through the control API' || die why
"$THRESH" status out --audit >audit.txt || { cat audit.txt; die audit; }
# Read-only views of a crawl that is over, by another process.
"$THRESH" serve out --listen 127.0.0.1:0 2>serve.txt & server2=$!
trap 'kill $server $server2 2>/dev/null' EXIT
found_address out
ask /status | grep -q '"running":false' || die "it runs?"
[ "$(demand POST /stop -o body.txt -w '%{http_code}')" = 409 ] || die "stop of nothing"
ask /metrics | grep -q '^thresh_pages_total [1-9]' || die metrics
kill $server2; wait $server2 || die "serve ends with $?"
# --no-discover: an outside process decides everything; the crawl waits for it.
listen told "$host/" $FAST --no-discover --commit 50ms
until_true 20 "ask /status | grep -q '\"done\":[1-9]'" || exit 1
head -3 queue.txt | sed 's/.*/{"url":"&"}/' >lines.txt
demand POST /urls -H 'Content-Type: application/x-ndjson' --data-binary @lines.txt | grep -q '"accepted":3' || die ndjson
until_true 20 "[ \$(awk '\$2 > 0 && \$4 !~ /robots.txt/' told/crawl.log | wc -l) -ge 4 ]" || { cat told/crawl.log; exit 1; }
demand POST /stop >stop.txt
wait $crawl
awk '$4 !~ /robots.txt/ { print $4 }' told/crawl.log | sort >told.txt
{ echo "$host/"; head -3 queue.txt; } | sort | comm -13 - told.txt | grep . && die "more was fetched than was told"
exit 0
