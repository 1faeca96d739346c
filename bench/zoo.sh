#!/usr/bin/env bash
# zoo.sh THRESH [NAME...] - real applications, crawled by default and by a plain breadth-first crawl.
#
# Starts each application of ../shared/zoo (or $ZOO) on loopback with known content, crawls it with
# the defaults, made fast, and then without rules, budgets of templates and near-duplicates, up to
# LIMIT requests [20000]. A text counts when an HTML page has it, or any answer where pages are not
# HTML. Fails when the defaults find less than the plain crawl or need more requests.
set -u
thresh=$(realpath "$1")
shift
zoo=${ZOO:-$(dirname "$(realpath "$0")")/../../shared/zoo} limit=${LIMIT:-20000} port=${PORT:-9480}
[ -x "$zoo/zoo" ] || { echo "zoo.sh: there is no zoo at $zoo: skipped"; exit 77; }
[ $# -gt 0 ] || set -- wordpress dokuwiki django-admin datasette
work=$(mktemp -d "${TMPDIR:-/tmp}/zoo.XXXXXX")
trap 'for d in "$work"/*.app; do [ -d "$d" ] && "$zoo/zoo" down --rm "$d" >/dev/null 2>&1; done; rm -rf "$work"' EXIT
bad=0
crawl() { # NAME KIND URL OPTIONS...
	local name=$1 kind=$2 url=$3
	shift 3
	case $name in
	django-admin) set -- "$@" --cookie-file "$work/$name.app/cookies.txt" --no-obey-nofollow ;;
	esac
	timeout "${SECONDS_MOST:-900}" "$thresh" crawl "$url" -o "$work/$name.$kind" -q --delay 0 --delay-factor 0 --domain-delay 0 \
		--address-delay 0 --per-host 4 --per-domain 4 --per-address 4 --backoff 1s -n "$limit" "$@" >"$work/$name.$kind.txt" 2>&1
	case $? in
	0 | 3 | 4) ;; # ended; something out of reach; the limit
	*) echo "zoo.sh: $name, $kind: did not end in time, or failed" && bad=1 ;;
	esac
	python3 "$zoo/recall" "$work/$name.app/truth.tsv" "$work/$name.$kind" >"$work/$name.$kind.recall"
}
column() { awk -v c="$2" '$1 == "total" { print $c + 0; exit }' "$1.recall"; }
requests() { grep -c . "$1/crawl.log"; }
distinct() { grep -oE 'distinct payloads [0-9]+' "$1.recall" | tr -dc 0-9; }
missing() { awk -v c="$2" '$1 == "kind" { on = 1; next } $1 == "total" { exit } on && $c < $2 { printf "%s%s %d", s, $1, $2 - $c; s = ", " }' "$1.recall"; }
row() { # NAME KIND COLUMN
	local at=$work/$1.$2 n d
	n=$(requests "$at") d=$(distinct "$at")
	printf '| %s | %s | %s of %s | %s | %s | %s | %s %% |\n' "$1" "$2" "$(column "$at" "$3")" "$(column "$at" 2)" "$(missing "$at" "$3")" \
		"$n" "$d" $((n > 0 ? 100 * (n - d) / n : 0))
}
printf '| application | crawl | truth found | missing | requests | distinct contents | nothing new |\n|---|---|---|---|---|---|---|\n'
for name; do
	port=$((port + 1))
	"$zoo/zoo" up "$name" $port "$work/$name.app" >"$work/up.txt" 2>&1 || {
		echo "zoo.sh: $name does not start: skipped"
		tail -n 3 "$work/up.txt"
		continue
	}
	url=$(awk '$1 == "url" { print $2 }' "$work/up.txt")
	crawl "$name" default "$url"
	crawl "$name" plain "$url" --no-rules --template-first 0 --no-near-duplicates
	"$zoo/zoo" down "$work/$name.app" >/dev/null 2>&1
	count=4 # in HTML pages
	[ "$name" = swagger-ui ] && count=3
	row "$name" default $count
	row "$name" plain $count
	[ "$(column "$work/$name.default" $count)" -ge "$(column "$work/$name.plain" $count)" ] || { echo "$name: the default finds less"; bad=1; }
	[ "$(requests "$work/$name.default")" -le "$(requests "$work/$name.plain")" ] || { echo "$name: the default needs more requests"; bad=1; }
done
exit $bad
