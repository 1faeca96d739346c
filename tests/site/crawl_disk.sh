# A disk that fills up is said so, leaves the state intact, and the crawl goes on later.
. "$TESTS/site/web.sh.inc"
serve --pages 60 --hosts 2 --traps none --seed 4

THRESH_FAULT=fail-write=60+:ENOSPC "$THRESH" crawl seeds.txt -o out $FAST -n 100 --commit 20ms 2>err.txt
code=$?
[ $code = 5 ] || [ $code = 1 ] || { echo "full disk: exit $code"; cat err.txt; exit 1; }
"$THRESH" crawl seeds.txt -o out $FAST -n 100
code=$?
[ $code = 0 ] || [ $code = 4 ] || { echo "afterwards: exit $code"; exit 1; }
stored_once out && "$THRESH" warc check out/archive/*.warc.gz
