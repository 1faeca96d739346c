#!/usr/bin/env bash
# bench/crawl.sh THRESH [PAGES] - pages a second and CPU a page, side by side with wget and
# wget2, on pages of 20 kB served by nginx on loopback.  Prints a table.
set -eu
thresh=$(realpath "$1") pages=${2:-10000}
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d "${TMPDIR:-/tmp}/thresh-bench.XXXXXX")
trap 'kill $(cat "$work/nginx.pid") 2>/dev/null; rm -rf "$work"' EXIT
python3 "$here/crawl_site.py" "$work/site" "$pages"
cat >"$work/nginx.conf" <<CONF
worker_processes 1; pid $work/nginx.pid; error_log $work/nginx.err;
events { worker_connections 1024; }
http { access_log off; keepalive_requests 100000000; sendfile on;
  server { listen 127.0.0.1:8397; root $work/site; types { text/html html; } } }
CONF
nginx -c "$work/nginx.conf" -p "$work"
cd "$work"
url=http://127.0.0.1:8397/
fast="--delay 0 --delay-factor 0 --per-host 64 --per-domain 64 --domain-delay 0 --address-delay 0 --per-address 64 --template-first 0 -q"

measure() { # NAME COMMAND...
	local name=$1
	shift
	sync
	/usr/bin/time -o time.txt -f '%e %U %S %M' "$@" >/dev/null 2>&1 || true
	tail -1 time.txt | awk -v name="$name" -v n="$pages" \
		'{ printf "%-34s %7.1f s %8.0f pages/s %7.3f ms CPU a page %6d MB\n", name, $1, n / $1, ($2 + $3) * 1000 / n, $4 / 1024 }'
}
measure "thresh, WARC, near-duplicates" "$thresh" crawl $url -o a $fast
measure "thresh, WARC" "$thresh" crawl $url -o b $fast --no-near-duplicates --no-rules
measure "thresh, no WARC" "$thresh" crawl $url -o c $fast --no-near-duplicates --no-rules --no-warc
measure "wget2 -r, files" wget2 -q -r -l 50 -P w2 $url
measure "wget -r --delete-after" wget -q -r -l 50 --delete-after -P w1 $url
measure "wget -r --warc-file" wget -q -r -l 50 --delete-after --warc-file=w -P w3 $url
