#!/usr/bin/env bash
# bench/crawl.sh THRESH [PAGES] [PATTERN] - pages a second and CPU a page, side by side with
# wget and wget2, on pages of 20 kB served by nginx on loopback.  Prints a table; PATTERN
# picks its rows.  A row whose pages were not all asked for says so.
set -eu
thresh=$(realpath "$1") pages=${2:-10000} pattern=${3:-.}
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d "${TMPDIR:-/tmp}/thresh-bench.XXXXXX")
chmod 755 "$work" # nginx's worker is another user
trap 'kill $(cat "$work/nginx.pid") 2>/dev/null; rm -rf "$work"' EXIT
python3 "$here/crawl_site.py" "$work/site" "$pages"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$work/nginx.conf" <<CONF
worker_processes 1; pid $work/nginx.pid; error_log $work/nginx.err;
events { worker_connections 1024; }
http { access_log $work/access.log combined buffer=64k flush=1s; keepalive_requests 100000000; sendfile on;
  open_file_cache max=15000 inactive=1h; open_file_cache_valid 1h;
  server { listen 127.0.0.1:$port; root $work/site; types { text/html html; } } }
CONF
nginx -c "$work/nginx.conf" -p "$work"
cd "$work"
url=http://127.0.0.1:$port/
fast="--delay 0 --delay-factor 0 --per-host 64 --per-domain 64 --domain-delay 0 --address-delay 0 --per-address 64 --template-first 0 -q"

measure() { # NAME COMMAND...
	local name=$1 got
	shift
	grep -qE -- "$pattern" <<<"$name" || return 0
	sync
	: >access.log
	/usr/bin/time -o time.txt -f '%e %U %S %M' "$@" >/dev/null 2>&1 || true
	sleep 1.2 # the server's log
	got=$(awk '$9 == 200 && $7 ~ /^\/p[0-9]+\.html$/ { seen[$7] = 1 } END { print length(seen) }' access.log)
	tail -1 time.txt | awk -v name="$name" -v n="$pages" -v got="$got" \
		'{ printf "%-34s %7.1f s %8.0f pages/s %7.3f ms CPU a page %6d MB%s\n", name, $1, n / $1,
		   ($2 + $3) * 1000 / n, $4 / 1024, got == n ? "" : "  (only " got " pages)" }'
}
# Once for nothing: the server opens its files, so that the first row does not pay for all.
"$thresh" crawl $url -o warm $fast --no-near-duplicates --no-rules --no-warc >/dev/null 2>&1 || true
rm -rf warm
measure "thresh, WARC, near-duplicates" "$thresh" crawl $url -o a $fast
measure "thresh, WARC" "$thresh" crawl $url -o b $fast --no-near-duplicates --no-rules
measure "thresh, near-duplicates, no WARC" "$thresh" crawl $url -o d $fast --no-warc
measure "thresh, no WARC" "$thresh" crawl $url -o c $fast --no-near-duplicates --no-rules --no-warc
measure "wget2 -r, files" wget2 -q -r -l 50 -P w2 $url
measure "wget -r --delete-after" wget -q -r -l 50 --delete-after -P w1 $url
measure "wget -r --warc-file" wget -q -r -l 50 --delete-after --warc-file=w -P w3 $url
