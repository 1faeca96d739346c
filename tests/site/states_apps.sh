# Applications with a known graph, written down at the top of each: the crawl finds exactly it.
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { echo "no Chromium: skipped"; exit 0; }
apps=$TESTS/apps
# REFUSED counts what the guard refused and what a budget skipped.
# Several crawls at once: each waits more for its browser than it works.
check_at() { # URL NAME STATES EDGES REFUSED FAILED OPTIONS
	"$THRESH" states "$1" -o "$2" --no-screenshots "${@:7}" >"$2.said" 2>&1 || { echo "$2: exit code $?" >"$2.bad"; return; }
	grep -q "^$3 states, $4 edges" "$2.said" &&
		[ "$(sed -nE 's/^([0-9]+) events fired, ([0-9]+) refused, ([0-9]+) could not be done, 0 left the site, ([0-9]+) skipped$/\1 \2 \4 \3/p' "$2.said" |
			{ read -r fired refused skipped failed; echo "$fired $((refused + skipped)) $failed"; })" = "$4 $5 $6" ] ||
		echo "$2: want $3 states, $4 edges, $5 refused, $6 failed" >"$2.bad"
}
expect_at() {
	while [ "$(jobs -rp | wc -l)" -ge 3 ]; do wait -n; done
	check_at "$@" &
}
judge() {
	wait
	for bad in *.bad; do [ -e "$bad" ] && cat "$bad" "${bad%.bad}.said" && exit 1; done
}
expect() { expect_at "file://$apps/$1.html" "$@"; }
#      app     states edges refused failed; the slowest first
expect hang    2      1     0       1
# 12 results on one page, each with the details open and closed; 14 events in each, and two refusals (the link that leaves, the logout).
expect kinds   24     336   48      0 --enough 0
expect counter 1      2     0       0
expect tabs    3      8     0       0
expect modal   3      4     0       0
expect scroll  2      2     0       0
# Pages merged into others have links that those do not have.
expect pages   3      20    0       0
expect hash    4      16    0       0
expect form    3      9     0       0
expect logout  2      2     4       0
expect grow    4      9     0       0
expect plain   2      2     0       0
expect keep    3      9     0       0
expect focus   3      6     0       0
expect hover   4      7     0       0
expect inner   3      4     0       0
expect long    1      0     0       0
expect choose  9      16    1       0
expect_at "file://$apps/choose.html" excluded 4 6 6 0 --exclude .menu --exclude "//p[@id='x']//button" --exclude fourth
expect_at "file://$apps/choose.html" included 3 4 7 0 --include "[data-kind=s]" --include third --include back
expect_at "file://$apps/long.html" scrolled 2 1 0 0 --scroll
# Twenty pages alike but for their words: merged or not, each has a link that was tried nowhere, unless others of its kind were enough.
expect_at "file://$apps/series.html" words 22 21 0 0 --content-threshold 0
expect_at "file://$apps/series.html" novelty 2 6 1 0 --max-series 5
expect_at "file://$apps/series.html" template 4 21 0 0
# The seed's method on the seed's problem: a clock and a counter beside what counts.
expect_at "file://$apps/tabs.html" crawlhash 3 8 0 0 -m crawlhash --content-threshold 3
expect_at "file://$apps/tabs.html" pieces 3 8 0 0 -m crawlhash --content-threshold 3 --pieces chars --size 4
# What changes is told to count nowhere; or other words do, but not the tags and attributes around them.
expect_at "file://$apps/counter.html" stripped 1 2 0 0 --content-threshold 0 --strip "#count" --strip .clock
expect_at "file://$apps/series.html" wordless 5 21 0 0 --content-threshold 0 --strip text,attributes --max-visits 0
# The other budgets: a control that led to nothing new is not tried in the next state; one event a state.
expect_at "file://$apps/tabs.html" repeats 3 5 3 0 --max-repeats 1
expect_at "file://$apps/tabs.html" few 1 1 2 0 --max-per-state 1
# Eight toggles, 256 states: it ends soon, and every toggle was met.  Without the budget it would take 2,048 events.
expect_at "file://$apps/toggles.html" toggles 15 15 105 0 --max-combinations 5
# A list of which all lead nowhere but the last: five in a row are enough, unless told otherwise.
expect_at "file://$apps/toggles.html#list" alike 1 5 55 0 --max-alike 5
expect_at "file://$apps/toggles.html#list" unlike 2 61 0 0 --max-alike 0
"$apps/serve.py" "$apps/push.html" port &
server=$!
disown
trap 'kill $server' EXIT
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
expect_at "http://127.0.0.1:$(cat port)/" push 4 15 0 0 --no-addresses
judge
grep -q 'nothing but more of the same' novelty/overview/skipped.jsonl || { echo "novelty: no reason given"; exit 1; }
grep -q 'closed shadow"}$' kinds/states/0.json || { echo "kinds: the text of shadow roots is missing"; exit 1; }
grep -q '^  3 refused: it would log out' logout.said || { echo "logout: no reason told"; cat logout.said; exit 1; }
for i in 0 1 2 3 4 5 6 7; do
	grep -q "class=\\\\\"on$i" toggles/states/*.json || { echo "toggle $i was not met"; exit 1; }
done
