#!/usr/bin/env bash
# render_kill.sh THRESH DIST [KILLS] - a crawl with browsers of one application of bench/spa.sh (built in DIST) is killed and goes on, KILLS times:
# is every record found, and every page rendered once?
set -eu
thresh=$(realpath "$1") dist=$(realpath "$2") kills=${3:-20} app=${APP:-vue}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/thresh-render-kill.XXXXXX")
trap 'kill ${server:-} 2>/dev/null; rm -rf "$work"' EXIT
cd "$work"
RECORDS=${RECORDS:-80} python3 "$here/spa/serve.py" "$dist" port log & server=$!
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
options="--browser auto --save-dom --connect-to 127.0.0.1:$(cat port) --delay 0 --delay-factor 0 --domain-delay 0 --address-delay 0 -q"
done=0
for i in $(seq "$kills"); do
	"$thresh" crawl "http://$app.example/" -o out $options >>said.txt 2>&1 & crawl=$!
	sleep "$((RANDOM % 4 + 1)).$((RANDOM % 10))"
	kill -KILL $crawl 2>/dev/null && done=$((done + 1))
	wait $crawl 2>/dev/null || true
done
"$thresh" crawl "http://$app.example/" -o out $options >>said.txt 2>&1 || true
echo "$done kills"
RECORDS=${RECORDS:-80} python3 "$here/spa/serve.py" --score out | grep "^$app"
echo "rendered: $(grep -c 'rendered:' out/crawl.log), twice: $(grep 'rendered:' out/crawl.log | awk '{ print $4 }' | sort | uniq -d | wc -l)"
"$thresh" warc check out | tail -1
echo "browsers left: $(pgrep -fc "$work/out/state/browsers" || true)"
