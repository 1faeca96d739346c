#!/usr/bin/env bash
# serve_inject.sh THRESH [N] - N URLs (1 million) through POST /urls, with durable acknowledgement: rate and memory of the
# server, first alone, then inside a crawl that takes them as they come.
set -u
thresh=$(realpath "$1") n=${2:-1000000}
tmp=$(mktemp -d) && cd "$tmp" || exit 1
trap 'kill $pid 2>/dev/null; rm -rf "$tmp"' EXIT
awk -v n="$n" 'BEGIN { for (i = 0; i < n; i++) printf "{\"url\":\"http://host%d.example/section/%d/page-%d\",\"score\":0.%02d}\n", i % 1000, i / 7 % 100, i, i % 100 }' >urls.jsonl
inject() { # WHAT DIR
	for _ in $(seq 100); do [ -s "$2/serve.addr" ] && break; sleep 0.1; done
	start=$(date +%s.%N)
	curl -s -T urls.jsonl -X POST -H "Authorization: Bearer $(cat "$2/serve.token")" -H 'Content-Type: application/x-ndjson' \
		"http://$(cat "$2/serve.addr")/urls"
	end=$(date +%s.%N)
	awk -v what="$1" -v n="$n" -v s="$start" -v e="$end" -v rss="$(awk '/VmHWM/ { print $2 }' "/proc/$pid/status")" \
		'BEGIN { printf "%s: %d URLs in %.1f s, %.0f/s, %.0f MB at most\n", what, n, e - s, n / (e - s), rss / 1024 }'
}
mkdir -p alone/state
"$thresh" serve alone -q --listen 127.0.0.1:0 & pid=$!
inject "a server alone" alone
kill $pid; wait $pid
"$thresh" crawl http://127.0.0.1:9/ -o crawl --no-discover --allow-private --dns 127.0.0.1:9 -q --listen 127.0.0.1:0 --backoff 1h & pid=$!
inject "a server in a crawl" crawl
start=$(date +%s.%N)
for _ in $(seq 600); do
	queued=$(curl -s "http://$(cat crawl/serve.addr)/status" | grep -o '"injected":[0-9]*' | cut -d: -f2)
	[ "${queued:-0}" -ge "$n" ] && break
	sleep 0.2
done
awk -v s="$start" -v q="${queued:-0}" -v e="$(date +%s.%N)" -v rss="$(awk '/VmHWM/ { print $2 }' "/proc/$pid/status")" \
	'BEGIN { printf "the crawl had queued %d of them %.1f s later, %.0f MB at most\n", q, e - s, rss / 1024 }'
kill -9 $pid; wait $pid 2>/dev/null
exit 0
