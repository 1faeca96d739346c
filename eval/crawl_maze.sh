# The public crawl maze: how many of its 91 targets are found by the static crawl, by the browser, by both.
# MAZE is a checkout of it (its frameworks built, or not); nothing is fetched.
[ -n "${MAZE:-}" ] && [ -d "$MAZE/test-cases" ] || { echo "MAZE is not set: skipped"; exit 0; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/thresh-maze.XXXXXX")
thresh=$(realpath "$BUILD/thresh")
cd "$work" || exit 1
servers=
trap 'kill $servers; rm -rf "$work"' EXIT
serve() { # NAME: its requests are in NAME.log
	python3 "$here/crawl_maze.py" "$MAZE" "$1.port" "$1.log" &
	servers="$servers $!"
	for _ in $(seq 100); do [ -s "$1.port" ] && break; sleep 0.1; done
}
serve static
"$thresh" crawl http://maze.example/ -o static --connect-to "127.0.0.1:$(cat static.port)" --delay 0 --delay-factor 0 \
	--domain-delay 0 --address-delay 0 --per-host 4 --retries 0 >crawl.said 2>&1
serve browser
# With the settings that a newcomer has.
"$thresh" states "http://localhost:$(cat browser.port)/" -o browser --no-screenshots --max-time 4m --json >states.said 2>states.log
tail -1 crawl.said
cat states.said
python3 "$here/crawl_maze.py" --score "$MAZE" static.log browser.log browser
