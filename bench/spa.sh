#!/usr/bin/env bash
# spa.sh THRESH [APP...] - 300 records of a JSON API behind React, Vue, Angular and Svelte, built from the npm registry (bench/spa/): how many
# records are text of a page with --browser never, auto and always, and what each costs.  DIST=DIR: built before; WHEN="auto": only that.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
thresh=$(realpath "$1"); shift
[ $# -gt 0 ] || set -- react vue angular svelte
work=$(mktemp -d "${TMPDIR:-/tmp}/thresh-spa.XXXXXX")
trap 'kill ${server:-} 2>/dev/null; rm -rf "$work" 2>/dev/null' EXIT
if [ -z "${DIST:-}" ]; then
	command -v npm >/dev/null || { echo "no npm: skipped"; exit 0; }
	cp -r "$here/spa" "$work/src"
	(cd "$work/src" && npm install --no-audit --no-fund >npm.log 2>&1 && node build.mjs "$work/dist") || { tail -5 "$work/src/npm.log"; echo "not built: skipped"; exit 0; }
	DIST=$work/dist
fi
python3 "$here/spa/serve.py" "$DIST" "$work/port" "$work/log" & server=$!
for _ in $(seq 100); do [ -s "$work/port" ] && break; sleep 0.1; done
seeds=(); for app in "$@"; do seeds+=("http://$app.example/"); done
for when in ${WHEN:-never auto always}; do
	: >"$work/log"
	echo "--browser $when"
	( time "$thresh" crawl "${seeds[@]}" -o "$work/$when" --browser "$when" --save-dom --connect-to "127.0.0.1:$(cat "$work/port")" --delay 0 \
		--delay-factor 0 --domain-delay 0 --address-delay 0 -q ) 2>&1 | tail -4
	python3 "$here/spa/serve.py" --score "$work/$when"
	echo "requests: $(wc -l <"$work/log"), of them for the second time: $(sort "$work/log" | uniq -d | wc -l)"
done
