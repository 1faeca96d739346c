# What the browser asks and gets is in the archive, also of a crawl that was killed.
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { echo "no Chromium: skipped"; exit 0; }
RANDOM=11
"$TESTS/apps/traffic.py" port &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
url=http://127.0.0.1:$(cat port)
check() { # FOLDER
	"$THRESH" warc check "$1" >said 2>&1 || { echo "$1: not valid"; cat said; exit 1; }
	for path in / /style.css /moved.png /pixel.png /latin /worker.js /worker.json /packed /post /nothing; do
		grep -q "\"url\": \"$url$path\", \"mime\": \"[a-z]*/[a-z]*\"" "$1/indexes/index.cdxj" || { echo "$1: $path is missing"; exit 1; }
	done
	body() { "$THRESH" warc cat "$1" -u "$url$2" -t response -p payload | head -c "$3"; }
	[ "$(body "$1" /packed 15)" = '{"packed":true}' ] || { echo "$1: what was packed"; exit 1; }
	[ "$(body "$1" /latin 12)" = '<p>café</p>' ] || { echo "$1: what was Latin"; exit 1; }
	"$THRESH" warc cat "$1" -u "$url/post" -t request -p block | grep -q '^a=1&b=two' || { echo "$1: what was posted"; exit 1; }
	"$THRESH" warc cat "$1" -u "$url/moved.png" -p record | grep -q 'WARC-Truncated: unspecified' || { echo "$1: a body nobody gave"; exit 1; }
	[ "$(grep -c '"url"' "$1/pages.jsonl")" = 2 ] || { echo "$1: pages"; cat "$1/pages.jsonl"; exit 1; }
}
crawl() { "$THRESH" states "$url/" -o "$1" --no-screenshots --no-addresses "${@:2}"; }
crawl whole >said 2>&1 || { cat said; exit 1; }
grep -q '^2 states, 6 edges' said || { cat said; exit 1; }
check whole
for _ in 1 2 3 4 5; do
	timeout -s KILL "$((RANDOM % 2)).$((RANDOM % 9))" "$THRESH" states "$url/" -o killed --no-screenshots --no-addresses >/dev/null 2>&1
done
crawl killed >said 2>&1 || { cat said; exit 1; }
check killed
cmp <(sed -E 's/"(timeAdded|duration)":[0-9-]+//g' whole/overview/result.json) <(sed -E 's/"(timeAdded|duration)":[0-9-]+//g' killed/overview/result.json) || exit 1
# None at all, and no more than so much.
crawl none --max-traffic 0 >said 2>&1 || { cat said; exit 1; }
[ ! -e none/archive ] || { echo "an archive nobody wanted"; exit 1; }
crawl little --max-traffic 2k --json >said 2>&1 || { cat said; exit 1; }
grep -q '"requests_past_the_cap":[1-9]' said && "$THRESH" warc check little >/dev/null || { cat said; exit 1; }
[ "$(cat little/archive/* | wc -c)" -lt 8000 ] || { echo "past the cap"; exit 1; }
