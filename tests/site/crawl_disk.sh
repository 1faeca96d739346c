# A disk that fills up, early or late, is said so, leaves the state intact, and the crawl goes on later.
# (So slow that even a disk that syncs once a second has its thirtieth write before the end; it stops there.)
. "$TESTS/site/web.sh.inc"
serve --pages 60 --hosts 2 --traps none --seed 4

for n in 1 2 6 15 30; do
	THRESH_FAULT=fail-write=$n+:ENOSPC "$THRESH" crawl seeds.txt -o full$n $FAST --commit 20ms --delay 50ms --per-host 1 2>err.txt
	code=$?
	[ $code = 5 ] && grep -qi 'no space' err.txt || { echo "full at write $n: exit $code"; cat err.txt; exit 1; }
	"$THRESH" crawl seeds.txt -o full$n $FAST -n 100
	code=$?
	[ $code = 0 ] || [ $code = 4 ] || { echo "after write $n: exit $code"; exit 1; }
	stored_once full$n && "$THRESH" warc check full$n/archive/*.warc.gz || exit 1
done
