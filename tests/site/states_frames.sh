# Frames of another host, and in them frames of the first: in one process with one clock, and each in its own.
command -v chromium-headless-shell >/dev/null || { echo "no Chromium: skipped"; exit 0; }
"$TESTS/apps/frames.py" port &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
expect() { # NAME OPTIONS
	"$THRESH" states "http://127.0.0.1:$(cat port)/" -o "$1" --no-screenshots --no-addresses --allow-host localhost "${@:2}" >"$1.said" 2>&1
	grep -q '^8 states, 24 edges' "$1.said" && grep -q '^24 events fired, 8 refused, 0 could not be done, 0 left' "$1.said" ||
		{ echo "$1: want 8 states, 24 edges, 8 refused"; cat "$1.said"; exit 1; }
}
expect together &
printf '#!/bin/sh\nexec chromium-headless-shell "$@" --site-per-process\n' >apart.sh
chmod +x apart.sh
expect apart --browser ./apart.sh --real-time || exit 1
wait %2 || exit 1
for file in graph.dot result.json; do
	cmp <(sed -E 's/"(timeAdded|duration)":[0-9-]+//g' together/overview/$file) <(sed -E 's/"(timeAdded|duration)":[0-9-]+//g' apart/overview/$file) || { echo "another $file"; exit 1; }
done
