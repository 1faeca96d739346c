#!/usr/bin/env bash
# crawl_rules.sh THRESH [PAGES] [HOSTS] [SEEDS...] - what URL rules save in a crawl of the test web, and whether they lose anything.
#
# Each web is crawled twice, with rules and without; a duplicate is a request for a page that the
# crawl had already, under this or another URL. Fails when a page that must be kept is missing.
set -u
thresh=$(realpath "$1") pages=${2:-2000} hosts=${3:-20}
shift $(($# < 3 ? $# : 3))
[ $# -gt 0 ] || set -- 5 6 7
work=$(mktemp -d "${TMPDIR:-/tmp}/thresh-rules.XXXXXX")
trap 'kill ${server:-} 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
one() { # SEED NAME OPTIONS...: serve the web, crawl it, score it
	seed=$1 name=$2
	shift 2
	rm -f served # the port of the last server stands there
	"$thresh" testweb serve --pages "$pages" --hosts "$hosts" --seed "$seed" --traps none --no-crawl-delays --no-sizes --aliases 0 \
		--port 0 --manifest truth --log requests --ca ca.pem --seeds-file seeds.txt --hosts-file names >served 2>&1 &
	server=$!
	for _ in $(seq 300); do grep -q 'port [0-9]' served && break; sleep 0.1; done
	port=$(grep -oE 'port [0-9]+' served | head -1 | tr -dc 0-9)
	sed "s/^\([0-9.]*\) /\1:$port /" names >hosts.txt
	rm -rf crawl
	"$thresh" crawl seeds.txt -o crawl --hosts hosts.txt --ca-file ca.pem --allow-private --scope any --delay 0 --delay-factor 0 \
		--domain-delay 0 --address-delay 0 --per-host 4 --per-domain 8 --per-address 32 -q "$@" >crawl.txt 2>&1
	kill $server
	wait $server
	"$thresh" testweb score crawl -m truth -l requests --json >"$name.json"
}
number() { grep -oE "\"$2\": ?[0-9]+" "$1.json" | head -1 | tr -dc 0-9; }
duplicates() { tr '{' '\n' <"$1.json" | sed -nE 's/^"class":"(alias|again)[^"]*","requests":([0-9]+).*/\2/p' | awk '{ n += $1 } END { print n + 0 }'; }
printf '| seed | must keep | found with | without | requests with | without | duplicates with | without | avoided |\n|---|---|---|---|---|---|---|---|---|\n'
bad=0
for seed; do
	one "$seed" with
	one "$seed" without --no-rules
	a=$(duplicates with) b=$(duplicates without)
	printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s %% |\n' "$seed" "$(number with must_keep)" "$(number with found)" "$(number without found)" \
		"$(number with requests)" "$(number without requests)" "$a" "$b" $((100 - 100 * a / (b > 0 ? b : 1)))
	[ "$(number with found)" = "$(number with must_keep)" ] || bad=1
done
exit $bad
