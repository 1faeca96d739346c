# Pages that do their worst: each costs an event at most, the crawl ends with an overview, and what there is to find is found.
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { echo "no Chromium: skipped"; exit 0; }
apps=$TESTS/apps/hostile
check() { # NAME STATES MAX-SECONDS OPTIONS; STATES of 0: any number
	local begin=$SECONDS code
	"$THRESH" states "file://$apps/$1.html" -o "$1" --no-screenshots --max-time "$3s" "${@:4}" >"$1.said" 2>&1
	code=$?
	case $code in 0 | 3 | 4) ;; *) echo "$1: exit code $code" >"$1.bad" ;; esac
	[ $((SECONDS - begin)) -le $(($3 + $3 / 10 + 4)) ] || echo "$1: $((SECONDS - begin)) s at --max-time ${3}s" >"$1.bad"
	[ -s "$1/overview/index.html" ] && [ -s "$1/overview/result.json" ] || echo "$1: no overview" >"$1.bad"
	[ "$2" = 0 ] || grep -q "^$2 states" "$1.said" || echo "$1: want $2 states" >"$1.bad"
}
expect() {
	while [ "$(jobs -rp | wc -l)" -ge 3 ]; do wait -n; done
	check "$@" &
}
expect canvas 0 40
expect nodes 2 60
expect frames 0 20
expect leaves 0 20
expect reload 1 30
expect workers 2 40
expect alerts 2 40
expect downloads 2 40
expect clobber 2 60
expect globals 3 60
expect policy 2 60
expect elements 3 60
expect restless 2 60
expect root 2 60
wait
for bad in *.bad; do [ -e "$bad" ] && cat "$bad" "${bad%.bad}.said" && failed=1; done
grep -q '1 states.*ended early' reload.said || { echo "reload: not all was tried"; cat reload.said; failed=1; }
# A feed that floods, and a service worker that would answer in the server's place.
python3 "$apps/feed.py" "$apps/workers.html" feed.port &
server=$!
for _ in $(seq 100); do [ -s feed.port ] && break; sleep 0.05; done
"$THRESH" states "http://127.0.0.1:$(cat feed.port)/" -o feed --no-screenshots --max-time 60s >feed.said 2>&1 || { echo "feed: exit code $?"; failed=1; }
kill $server
grep -q '^2 states' feed.said || { cat feed.said; failed=1; }
grep -q 'of the worker' feed/states/*.json && { echo "feed: the service worker answered"; failed=1; }
grep -q 'class=\\"wiped' root/states/*.json && { echo "root: wiped"; failed=1; }
# The browser is killed a moment after the start: the first load is tried again.
"$THRESH" states "file://$apps/policy.html" -o shot --no-screenshots >shot.said 2>&1 &
crawler=$!
for _ in $(seq 100); do
	browser=$(pgrep -P $crawler | head -1)
	[ -n "$browser" ] && break
	sleep 0.02
done
sleep 0.3
kill -KILL "$browser"
wait $crawler || { echo "killed at the start: exit code $?"; failed=1; }
grep -q '^2 states' shot.said || { cat shot.said; failed=1; }
exit "${failed:-0}"
