#!/usr/bin/env bash
# Applications that others wrote: TodoMVC in three frameworks, and TiddlyWiki, from npm packages fetched for this run only
# into a folder that goes with it; or in folders given: bench/states_real.sh [FOLDER...], each with an index.html.
#   THRESH=build/release/thresh bench/states_real.sh
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
THRESH=$(realpath "${THRESH:-$root/build/release/thresh}")
work=$(mktemp -d "${TMPDIR:-/tmp}/thresh-real.XXXXXX")
trap 'kill $server 2>/dev/null; [ -n "${KEEP:-}" ] || rm -rf "$work"' EXIT
mkdir "$work/site"
if [ $# -gt 0 ]; then
	for dir; do cp -r "$dir" "$work/site/"; done
else
	cd "$work" || exit 1
	npm pack todomvc tiddlywiki >/dev/null 2>npm.log || { echo "npm gives nothing: skipped"; exit 0; }
	for package in *.tgz; do mkdir "${package%.tgz}" && tar xzf "$package" -C "${package%.tgz}"; done
	for name in backbone knockoutjs vue; do cp -r todomvc-*/package/examples/$name site/; done
	wiki=$(echo tiddlywiki-*/package)
	node "$wiki/tiddlywiki.js" "$wiki/editions/empty" --output site/tiddlywiki --render '$:/core/save/all' index.html text/plain >/dev/null 2>&1
fi
python3 -m http.server --bind 127.0.0.1 -d "$work/site" 0 >"$work/log" 2>&1 &
server=$!
for _ in $(seq 100); do grep -q 'port [0-9]' "$work/log" 2>/dev/null && break; sleep 0.1; done
port=$(ss -ltnp 2>/dev/null | sed -n "s/.*127.0.0.1:\([0-9]*\).*pid=$server,.*/\1/p" | head -1)
cd "$work" || exit 1
for dir in site/*/; do
	name=$(basename "$dir")
	begin=$SECONDS
	"$THRESH" states "http://127.0.0.1:$port/$name/" -o "crawl-$name" --max-time "${MAX_TIME:-1h}" >said 2>log
	echo "$name: $(head -1 said); $(sed -n 2p said); $((SECONDS - begin)) s; $("$THRESH" warc check "crawl-$name" | tail -1)"
done
[ -z "${KEEP:-}" ] || echo "$work"
