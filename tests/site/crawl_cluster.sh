# Three nodes of one crawl, mock brokers and a real PostgreSQL between them; one is killed in mid-crawl and comes back.
# Together they find what must be kept, no two nodes request from one address at the same time, and all see the end.
[ -n "${THRESH_CLUSTER:-}" ] || { echo "three minutes of waiting: make test-cluster runs it"; exit 77; }
. "$TESTS/site/web.sh.inc"
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)
[ -n "$bin" ] || { echo "no PostgreSQL here: not tested"; exit 77; }
serve --pages 60 --hosts 6 --seed 5 --no-crawl-delays --traps none
chmod 755 "$TMP" .
mkfifo hold
"$(dirname "$THRESH")/tests/mock_brokers" thresh.t 16 <hold >brokers.txt & brokers=$!
exec 7>hold
mkdir pg sock
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; else "$@"; fi; }
[ "$(id -u)" = 0 ] && chown postgres pg sock
as "$bin/initdb" -D "$PWD/pg" -A trust -U me --no-sync >init.log 2>&1 || { cat init.log; exit 1; }
as "$bin/pg_ctl" -D "$PWD/pg" -w -l "$PWD/sock/log" -o "-k $PWD/sock -h '' -c fsync=off" start >ctl.log 2>&1
trap 'kill $server $brokers $nodes 2>/dev/null; as "$bin/pg_ctl" -D "$PWD/pg" -m immediate stop >/dev/null 2>&1' EXIT
place="kafka://$(cut -d, -f1 brokers.txt)/t?partitions=16&session=6000&lease=3000,pg://me@/postgres?host=$PWD/sock"
node() { "$THRESH" crawl seeds.txt -o "n$1" $FAST --cluster "$place" 2>"n$1.err"; }
node 1 & a=$!; node 2 & b=$!; node 3 & c=$!
nodes="$a $b $c"
sleep "${KILL_AT:-8}"
pkill -9 -P $b 2>/dev/null || kill -9 $b
wait $b 2>/dev/null
node 2 & b=$!
for p in $a $b $c; do wait $p || [ $? = 3 ] || { echo "a node failed"; cat n?.err; exit 1; }; done
# Together they have every page that must be kept; a page is fetched twice only where a node was killed before it could tell.
mkdir all
cat n?/crawl.log | sort >all/crawl.log
"$THRESH" testweb score all -m truth.tsv --min-found 100% >score.txt || { cat score.txt; exit 1; }
"$THRESH" warc check n?/archive/*.warc.gz >check.txt 2>&1 || { cat check.txt; exit 1; }
# No two nodes at one address at the same time: between requests of different nodes the lease has changed hands.
python3 - <<'PY'
import collections, datetime, sys
address = {name: line.split()[0] for line in open("hosts.raw") for name in line.split()[1:]}
asked = collections.defaultdict(list)
for node in (1, 2, 3):
    for line in open(f"n{node}/crawl.log"):
        f = line.split()
        start, took = f[8].split("+")
        when = datetime.datetime.strptime(start, "%Y%m%d%H%M%S%f").timestamp()
        host = f[3].split("/")[2].split(":")[0]
        asked[address.get(host, host)].append((when, when + int(took) / 1000, node))
both = [a for a, v in asked.items() for x, y in zip(sorted(v), sorted(v)[1:]) if x[2] != y[2] and y[0] < x[1]]
used = sum(len({n for *_, n in v}) > 1 for v in asked.values())
print(f"{len(asked)} addresses, {used} used by several nodes, {len(both)} overlaps")
sys.exit(1 if both else 0)
PY
