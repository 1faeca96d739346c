#!/usr/bin/env bash
# crawl_whole.sh THRESH [PAGES] [HOSTS] [SEED] - a whole web with all traps and troubles, crawled to its end.
#
# Prints what was found of what must be kept, what was wasted, and every discourtesy the server
# noticed; fails when a page is missing or a limit was broken. The settings are those of an
# operator on a fast network with servers that may be asked 50 times a second: two requests a
# host, four a site, eight an address; 4 s for an answer; robots.txt and Retry-After obeyed.
# KEEP=DIR keeps the folder; EXTRA adds options to the crawl.
set -u
thresh=$(realpath "$1") pages=${2:-100000} hosts=${3:-200} seed=${4:-11}
work=${KEEP:-$(mktemp -d "${TMPDIR:-/tmp}/thresh-whole.XXXXXX")}
mkdir -p "$work" && cd "$work" || exit 1
"$thresh" testweb serve --pages "$pages" --hosts "$hosts" --seed "$seed" --trouble all --no-crawl-delays \
	--no-sizes --aliases 0 --port 0 --manifest truth --log requests --ca ca.pem --seeds-file seeds.txt --hosts-file names >served 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; [ -n "${KEEP:-}" ] || rm -rf "$work"' EXIT
for _ in $(seq 600); do grep -q 'port [0-9]' served && break; sleep 0.1; done
port=$(grep -oE 'port [0-9]+' served | head -1 | tr -dc 0-9)
[ -n "$port" ] || { cat served; exit 1; }
sed "s/^\([0-9.]*\) /\1:$port /" names >hosts.txt
begin=$(date +%s)
# shellcheck disable=SC2086
"$thresh" crawl seeds.txt -o crawl --hosts hosts.txt --ca-file ca.pem --allow-private --scope any --concurrency 512 \
	--delay 20ms --delay-factor 0 --per-host 2 --domain-delay 5ms --per-domain 4 --address-delay 0 --per-address 8 \
	--backoff 200ms --backoff-max 2s --connect-timeout 2s --first-byte-timeout 2s --timeout 4s --max-body 1M -q ${EXTRA:-}
code=$?
[ $code = 0 ] || [ $code = 3 ] || { echo "the crawl ended with $code"; exit 1; }
echo "$pages pages, $hosts hosts, seed $seed: $(($(date +%s) - begin)) s"
kill $server
wait $server
"$thresh" testweb score crawl --manifest truth --log requests --per-host 2 --per-address 8 --delay 20ms \
	--min-found 100% --max-violations 0
