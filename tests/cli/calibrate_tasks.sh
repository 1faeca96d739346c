# Tasks in a file and on a real PostgreSQL: workers are killed, the server is restarted, and each task has one result.
cd "$TMP"
chmod 755 "$TMP"
printf '{"a":"one two three four five","b":"one two three four six","label":1}\n{"a":"one two three four five","b":"seven eight nine ten six","label":0}\n' > pairs.jsonl
grid() { for i in $(seq 1 "$1"); do printf ' -g jaccard:words:%d:0.5' $((i % 9 + 1)); done; }
study() { # DB: four workers, one of which is killed again and again
	local db=$1 pids="" n=${2:-300}
	"$THRESH" calibrate init --db "$db" && "$THRESH" calibrate init --db "$db"
	"$THRESH" calibrate add --db "$db" $(grid "$n") pairs.jsonl
	"$THRESH" calibrate add --db "$db" -n other -g dom pairs.jsonl
	"$THRESH" calibrate tasks --db "$db"
	for i in 1 2 3; do
		"$THRESH" calibrate worker --db "$db" --batch 5 --lease 1s > "w$i" & pids="$pids $!"
	done
	for i in 1 2 3 4; do
		"$THRESH" calibrate worker --db "$db" --batch 20 --lease 1s > killed 2>&1 & victim=$!
		sleep 0.3
		kill -9 $victim 2>/dev/null
		wait $victim 2>/dev/null
		[ "$i" = 2 ] && [ -n "${restart:-}" ] && $restart
	done
	wait $pids
	"$THRESH" calibrate tasks --db "$db"
	"$THRESH" calibrate tasks --db "$db" -n other --json
	"$THRESH" calibrate tasks --db "$db" --results | wc -l
}
echo "== file"
study "$TMP/study.db" 100
"$THRESH" calibrate add --db "$TMP/study.db" -n broken -g jaccard missing.jsonl
"$THRESH" calibrate worker --db "$TMP/study.db" -n broken | cut -d, -f1-2
"$THRESH" calibrate tasks --db "$TMP/study.db" -n broken
"$THRESH" calibrate add --db "$TMP/study.db" -g nonsense pairs.jsonl; echo "exit $?"

echo "== server"
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; else "$@"; fi; }
mkdir pg sock
[ "$(id -u)" = 0 ] && chown postgres pg sock
as "$bin/initdb" -D "$TMP/pg" -A trust -U me --no-sync > init.log 2>&1 || { cat init.log; exit 1; }
server() { as "$bin/pg_ctl" -D "$TMP/pg" -w -l "$TMP/sock/log" -o "-k $TMP/sock -h '' -c fsync=off" "$@" > ctl.log 2>&1 || cat ctl.log; }
trap 'server -m immediate stop' EXIT
server start
restart="server -m fast restart"
study "host=$TMP/sock user=me dbname=postgres" 300
