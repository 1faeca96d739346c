#!/usr/bin/env bash
# soak.sh THRESH [MINUTES] [PAGES] [HOSTS] - does a long crawl stay flat?
#
# Crawls a test web with all troubles, traps and facts for MINUTES [30], and prints memory, descriptors and
# threads of the process each time 100,000 more URLs are known (STEP changes that), and at the end. Fails when
# the last memory is over LIMIT_MB [300] per million URLs known (at least LIMIT_MB), when it grew by more than a
# tenth over the second half, or when descriptors or threads of the second half exceed those of the first.
set -u
thresh=$(realpath "$1") minutes=${2:-30} pages=${3:-200000} hosts=${4:-400}
step=${STEP:-100000} limit=${LIMIT_MB:-300}
work=$(mktemp -d "${TMPDIR:-/tmp}/thresh-soak.XXXXXX")
cd "$work" || exit 1
"$thresh" testweb serve --pages "$pages" --hosts "$hosts" --seed "${SEED:-31}" --trouble all --no-crawl-delays --no-sizes \
	--aliases 0 --port 0 --ca ca.pem --seeds-file seeds.txt --hosts-file names >served 2>&1 &
server=$! crawl=
trap 'kill $crawl $server 2>/dev/null; wait; rm -rf "$work"' EXIT
for _ in $(seq 600); do grep -q 'port [0-9]' served && break; sleep 0.1; done
port=$(grep -oE 'port [0-9]+' served | head -1 | tr -dc 0-9)
[ -n "$port" ] || { cat served; exit 1; }
sed "s/^\([0-9.]*\) /\1:$port /" names >hosts.txt
"$thresh" crawl seeds.txt -o crawl --hosts hosts.txt --ca-file ca.pem --allow-private --scope any --concurrency 512 --facts \
	--cookies --delay 20ms --delay-factor 0 --per-host 2 --domain-delay 5ms --per-domain 4 --address-delay 0 --per-address 8 \
	--backoff 200ms --backoff-max 2s --connect-timeout 2s --first-byte-timeout 2s --timeout 4s --max-body 1M -q \
	--max-time "${minutes}m" >crawl.txt 2>&1 &
crawl=$!
row() { # one line of the table, and of rows.txt
	local found=$1
	printf '%d %d %d %d\n' "$found" "$(awk '/^VmRSS/ { print $2 / 1024 }' /proc/$crawl/status | cut -d. -f1)" \
		"$(ls /proc/$crawl/fd | wc -l)" "$(ls /proc/$crawl/task | wc -l)" >>rows.txt
	tail -1 rows.txt | awk '{ printf "| %d | %d | %d | %d |\n", $1, $2, $3, $4 }'
}
printf '| URLs found | RSS MB | descriptors | threads |\n|---|---|---|---|\n'
next=$step
while kill -0 $crawl 2>/dev/null; do
	sleep 1
	found=$(grep -oE '"found":[0-9]+' crawl/state/status.json 2>/dev/null | tr -dc 0-9)
	[ "${found:-0}" -ge "$next" ] && kill -0 $crawl 2>/dev/null || continue
	row "$found"
	next=$(((found / step + 1) * step))
done
wait $crawl
code=$?
[ $code = 0 ] || [ $code = 3 ] || [ $code = 4 ] || { echo "soak.sh: the crawl ended with $code"; tail -3 crawl.txt; exit 1; }
awk -v limit="$limit" '{ found[NR] = $1; rss[NR] = $2; fd[NR] = $3; threads[NR] = $4 }
	END {
		if (NR < 4) { print "soak.sh: fewer than four rows: more minutes or a smaller STEP"; exit 1 }
		half = int(NR / 2)
		for (i = 1; i <= half; i++) { if (fd[i] > f) f = fd[i]; if (threads[i] > t) t = threads[i] }
		for (i = half + 1; i <= NR; i++) { if (fd[i] > f2) f2 = fd[i]; if (threads[i] > t2) t2 = threads[i] }
		most = limit * (found[NR] > 1e6 ? found[NR] / 1e6 : 1)
		if (rss[NR] > most) { printf "soak.sh: %d MB at %d URLs, at most %d\n", rss[NR], found[NR], most; bad = 1 }
		if (rss[NR] > 1.1 * rss[half]) { printf "soak.sh: memory grew from %d to %d MB in the second half\n", rss[half], rss[NR]; bad = 1 }
		if (f2 > 1.2 * f + 16) { printf "soak.sh: descriptors grew from %d to %d\n", f, f2; bad = 1 }
		if (t2 > t) { printf "soak.sh: threads grew from %d to %d\n", t, t2; bad = 1 }
		exit bad
	}' rows.txt
