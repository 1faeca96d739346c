#!/usr/bin/env bash
# calibrate_workers.sh THRESH [TASKS] - small tasks per second on a real PostgreSQL: four workers alone, then with one killed
# at random times and the server restarted once. Needs Debian's postgresql; runs in a folder of its own, as an ordinary user.
set -eu
thresh=$(realpath "$1") tasks=${2:-20000}
dir=$(mktemp -d)
chmod 755 "$dir"
cd "$dir"
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; else "$@"; fi; }
mkdir pg sock
[ "$(id -u)" = 0 ] && chown postgres pg sock
server() { as "$bin/pg_ctl" -D "$dir/pg" -w -l "$dir/sock/log" -o "-k $dir/sock -h ''" "$@" > /dev/null; }
as "$bin/initdb" -D "$dir/pg" -A trust -U me > /dev/null 2>&1
trap 'server -m immediate stop; rm -rf "$dir"' EXIT
server start
db="host=$dir/sock user=me dbname=postgres"
printf '{"a":"one two three four five","b":"one two three four six","label":1}\n{"a":"one two three four five","b":"seven eight nine ten six","label":0}\n' > pairs.jsonl
"$thresh" calibrate init --db "$db"
grid=$(for i in $(seq 1 1000); do printf ' -g jaccard:words:%d:0.5' $((i % 9 + 1)); done)
study() { # NAMESPACE KILLS
	local pids="" begin
	for i in $(seq 1 $((tasks / 1000))); do "$thresh" calibrate add --db "$db" -n "$1" $grid pairs.jsonl; done
	begin=$(date +%s.%N)
	for i in 1 2 3 4; do "$thresh" calibrate worker --db "$db" -n "$1" --batch 64 --lease 2s > "w$i" & pids="$pids $!"; done
	for i in $(seq 1 "$2"); do
		"$thresh" calibrate worker --db "$db" -n "$1" --batch 64 --lease 2s > killed 2>&1 & victim=$!
		sleep "0.$((RANDOM % 5 + 1))"
		{ kill -9 $victim && wait $victim; } 2>/dev/null || true
		if [ "$i" = 4 ]; then server -m fast restart; fi
	done
	wait $pids
	echo "$1: $("$thresh" calibrate tasks --db "$db" -n "$1"), $(awk -v a="$begin" -v b="$(date +%s.%N)" -v n="$tasks" 'BEGIN { printf "%.1f s, %.0f tasks/s", b - a, n / (b - a) }'); $(cat w? | awk '{ r += $7 } END { print r " reconnects" }')"
}
study alone 0
study killed 12
