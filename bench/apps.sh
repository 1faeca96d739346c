#!/usr/bin/env bash
# apps.sh THRESH [NAME...] - real applications crawled with their descriptions, without them, and by others.
#
# Starts each application of ../shared/zoo (or $ZOO) or of strangers.py on loopback with known content and
# prints a table: requests, bytes, truth found, n-grams of the content (of all crawls together), share of
# duplicate answers, external links, seconds. SECONDS_MOST [240] bounds every crawl, LIMIT [6000] the
# requests of Thresh; what ran into them is marked ">". KEEP=DIR keeps the crawls; RUNNING=DIR uses applications that
# are running there already (zoo up NAME PORT DIR/NAME).
set -u
thresh=$(realpath "$1")
shift
here=$(dirname "$(realpath "$0")")
zoo=${ZOO:-$here/../../shared/zoo} port=${PORT:-9480} most=${SECONDS_MOST:-240} limit=${LIMIT:-6000}
[ -x "$zoo/zoo" ] || { echo "apps.sh: there is no zoo at $zoo: skipped"; exit 77; }
[ $# -gt 0 ] || set -- dokuwiki wordpress cgit fossil mediawiki
work=${KEEP:-$(mktemp -d "${TMPDIR:-/tmp}/apps.XXXXXX")}
mkdir -p "$work"
trap 'for d in "$work"/*.app; do [ -d "$d" ] && down "$d"; done; [ -n "${KEEP:-}" ] || rm -rf "$work"' EXIT
up() { # NAME PORT DIR
	case $1 in
	cgit | gitweb | fossil)
		python3 "$here/strangers.py" "$@" >"$work/up.txt" 2>&1 &
		echo $! >"$3.pid"
		for _ in $(seq 1200); do
			grep -q '^url' "$work/up.txt" && return 0
			kill -0 "$(cat "$3.pid")" 2>/dev/null || return 1
			sleep 0.1
		done
		return 1
		;;
	*)
		if [ -n "${RUNNING:-}" ] && [ -f "$RUNNING/$1.up.log" ]; then
			ln -sfn "$RUNNING/$1" "$3.truth"
			cp "$RUNNING/$1.up.log" "$work/up.txt"
			mkdir -p "$3" && cp "$RUNNING/$1/truth.tsv" "$3/"
			return 0
		fi
		"$zoo/zoo" up "$@" >"$work/up.txt" 2>&1
		;;
	esac
}
down() { # DIR
	if [ -f "$1.pid" ]; then
		kill "$(cat "$1.pid")" 2>/dev/null
		rm -f "$1.pid"
	elif [ ! -e "$1.truth" ]; then
		"$zoo/zoo" down "$1" >/dev/null 2>&1
	fi
}
timed() { # NAME KIND COMMAND... - seconds to NAME.KIND.time, with ">" when it did not end
	local at=$work/$1.$2 begin end mark=
	shift 2
	begin=$(date +%s.%N)
	timeout "$most" "$@" >"$at.txt" 2>&1
	case $? in 124) mark='>' ;; esac
	end=$(date +%s.%N)
	grep -q 'limit' "$at.txt" && mark='>'
	awk -v b="$begin" -v e="$end" -v m="$mark" 'BEGIN { printf "%s%.0f", m, e - b }' >"$at.time"
}
crawl() { # NAME KIND URL OPTIONS...
	local name=$1 kind=$2 url=$3
	shift 3
	rm -rf "$work/$name.$kind"
	timed "$name" "$kind" "$thresh" crawl "$url" -o "$work/$name.$kind" -q --delay 0 --delay-factor 0 --domain-delay 0 \
		--address-delay 0 --per-host 4 --per-domain 4 --per-address 4 --backoff 1s -n "$limit" "$@"
}
others() { # NAME URL
	local name=$1 url=$2
	if command -v wget2 >/dev/null; then
		rm -rf "$work/$name.wget2" && mkdir -p "$work/$name.wget2"
		timed "$name" wget2 wget2 -r -l inf -p --no-robots -e robots=off --max-threads=4 -P "$work/$name.wget2" -o "$work/$name.wget2.log" -v "$url"
	fi
	if command -v httrack >/dev/null; then
		rm -rf "$work/$name.httrack"
		timed "$name" httrack httrack "$url" -O "$work/$name.httrack" -q -s0 -c4 -%c50 -A100000000 -r50 -N0 --disable-security-limits
	fi
}
printf '| application | crawl | requests | MB | truth | n-grams | duplicates | external links | seconds |\n|---|---|---|---|---|---|---|---|---|\n'
for name; do
	port=$((port + 1))
	up "$name" $port "$work/$name.app" || {
		echo "apps.sh: $name does not start: skipped"
		tail -n 3 "$work/up.txt"
		continue
	}
	url=$(awk '$1 == "url" { print $2 }' "$work/up.txt")
	crawl "$name" apps "$url"
	crawl "$name" no-history "$url" --no-history
	crawl "$name" no-apps "$url" --no-apps
	[ -n "${NO_OTHERS:-}" ] || others "$name" "$url"
	down "$work/$name.app"
	python3 "$here/apps_measure.py" "$zoo/recall" "$work" "$name"
done
