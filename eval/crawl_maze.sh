# The public crawl maze: how many of its 91 targets one command finds, by the requests that its server sees.
# MAZE is a checkout of it (its frameworks built, or not); nothing is fetched.
[ -n "${MAZE:-}" ] && [ -d "$MAZE/test-cases" ] || { echo "MAZE is not set: skipped"; exit 0; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/thresh-maze.XXXXXX")
thresh=$(realpath "$BUILD/thresh")
cd "$work" || exit 1
trap 'kill $server; rm -rf "$work"' EXIT
python3 "$here/crawl_maze.py" "$MAZE" port log & server=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
"$thresh" crawl http://maze.example/ -o out --browser auto --connect-to "127.0.0.1:$(cat port)" --delay 0 --delay-factor 0 \
	--domain-delay 0 --address-delay 0 --per-host 4 --retries 0 >said 2>&1
tail -2 said
python3 "$here/crawl_maze.py" --score "$MAZE" log
