#!/usr/bin/env bash
# bench/crawl_memory.sh THRESH [THOUSANDS] - the most memory that a real crawl uses by the
# time it knows so many thousand URLs (1000).  Each of its pages, served by nginx on
# loopback, has 40 links that stand nowhere else; the crawl ends with the last of them.
set -eu
thresh=$(realpath "$1") pages=$((${2:-1000} * 1000 / 41))
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d "${TMPDIR:-/tmp}/thresh-bench.XXXXXX")
chmod 755 "$work" # nginx's worker is another user
trap 'kill $(cat "$work/nginx.pid") 2>/dev/null; rm -rf "$work"' EXIT
python3 "$here/crawl_site.py" "$work/site" "$pages" 40
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$work/nginx.conf" <<CONF
pid $work/nginx.pid; error_log $work/nginx.err crit;
events { worker_connections 1024; }
http { access_log off; keepalive_requests 100000000; sendfile on;
  server { listen 127.0.0.1:$port; root $work/site; types { text/html html; } } }
CONF
nginx -c "$work/nginx.conf" -p "$work"
cd "$work"
# Pages before items: none of them is asked for twice, and items not at all.
/usr/bin/time -o time.txt -f '%M' "$thresh" crawl "http://127.0.0.1:$port/" -o a --delay 0 --delay-factor 0 \
	--per-host 64 --per-domain 64 --domain-delay 0 --address-delay 0 --per-address 64 --template-first 0 -q \
	--max-pages $((pages * 2)) >/dev/null 2>&1 || true
known=$("$thresh" status a --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["found"])')
awk -v known="$known" '{ printf "%.2f M URLs known, RSS at most %d MB\n", known / 1e6, $1 / 1024 }' <(tail -1 time.txt)
