#!/usr/bin/env bash
# zoo.sh THRESH [NAME...] - real applications, crawled by default and by a plain breadth-first crawl.
#
# Starts each application of ../shared/zoo (or $ZOO) or of strangers.py on loopback with known content,
# crawls it with the defaults, made fast, and then without rules, applications, budgets of templates and
# near-duplicates, up to LIMIT requests [20000, fewer for slow and endless ones]. A text counts when an
# HTML page has it, or any answer where pages are not HTML. Fails when the defaults find less than the
# plain crawl, need more requests (but for a few probes), or skip by a rule what has text of its own.
set -u
thresh=$(realpath "$1")
shift
here=$(dirname "$(realpath "$0")")
zoo=${ZOO:-$here/../../shared/zoo} port=${PORT:-9480} probes=5
[ -x "$zoo/zoo" ] || { echo "zoo.sh: there is no zoo at $zoo: skipped"; exit 77; }
[ $# -gt 0 ] || set -- wordpress dokuwiki django-admin datasette mediawiki swagger-ui cgit gitweb hgweb fossil calendar
work=$(mktemp -d "${TMPDIR:-/tmp}/zoo.XXXXXX")
trap 'for d in "$work"/*.app; do [ -d "$d" ] && down "$d"; done; rm -rf "$work"' EXIT
bad=0
limit_of() { # NAME
	case $1 in
	mediawiki) echo 1500 ;;
	gitweb) echo 400 ;;
	hgweb) echo 800 ;;
	cgit | fossil | calendar) echo 2500 ;;
	datasette) echo 4000 ;;
	*) echo 20000 ;;
	esac
}
up() { # NAME PORT DIR
	case $1 in
	cgit | gitweb | hgweb | fossil | calendar)
		python3 "$here/strangers.py" "$@" >"$work/up.txt" 2>&1 &
		echo $! >"$3.pid"
		for _ in $(seq 1200); do
			grep -q '^url' "$work/up.txt" && return 0
			kill -0 "$(cat "$3.pid")" 2>/dev/null || return 1
			sleep 0.1
		done
		return 1
		;;
	*) "$zoo/zoo" up "$@" >"$work/up.txt" 2>&1 ;;
	esac
}
down() { # DIR
	if [ -f "$1.pid" ]; then
		kill "$(cat "$1.pid")" 2>/dev/null
		rm -f "$1.pid"
	else
		"$zoo/zoo" down "$1" >/dev/null 2>&1
	fi
}
crawl() { # NAME KIND URL OPTIONS...
	local name=$1 kind=$2 url=$3
	shift 3
	case $name in
	gitweb | hgweb) set -- "$@" --no-obey-nofollow ;;
	django-admin) set -- "$@" --cookie-file "$work/$name.app/cookies.txt" --no-obey-nofollow ;;
	esac
	timeout "${SECONDS_MOST:-900}" "$thresh" crawl "$url" -o "$work/$name.$kind" -q --delay 0 --delay-factor 0 --domain-delay 0 \
		--address-delay 0 --per-host 4 --per-domain 4 --per-address 4 --backoff 1s -n "${LIMIT:-$(limit_of "$name")}" "$@" >"$work/$name.$kind.txt" 2>&1
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
	up "$name" $port "$work/$name.app" || {
		echo "zoo.sh: $name does not start: skipped"
		tail -n 3 "$work/up.txt"
		continue
	}
	url=$(awk '$1 == "url" { print $2 }' "$work/up.txt")
	crawl "$name" default "$url"
	case $name in
	django-admin) ;; # what needs a login cannot be compared
	*) python3 "$here/skipped_content.py" "$work/$name.default" >"$work/lost.txt" || { grep -v ' 0 with' "$work/lost.txt"; echo "$name: a rule skips text"; bad=1; } ;;
	esac
	crawl "$name" plain "$url" --no-rules --no-apps --template-first 0 --no-near-duplicates
	down "$work/$name.app"
	count=4 # in HTML pages
	[ "$name" = swagger-ui ] && count=3
	row "$name" default $count
	row "$name" plain $count
	[ "$(column "$work/$name.default" $count)" -ge "$(column "$work/$name.plain" $count)" ] || { echo "$name: the default finds less"; bad=1; }
	[ "$(requests "$work/$name.default")" -le $(($(requests "$work/$name.plain") + probes)) ] || { echo "$name: the default needs more requests"; bad=1; }
done
exit $bad
