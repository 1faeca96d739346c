# Killed at each of the first syncs and writes of a short crawl: it always goes on.
. "$TESTS/site/web.sh.inc"
serve --pages 30 --hosts 2 --traps none --seed 3

for op in kill-sync kill-write tear-write; do
	for n in 1 2 3 4 5 6 7 8 9 10 12 14 17 20 25 30; do
		rm -rf out
		THRESH_FAULT=$op=$n "$THRESH" crawl seeds.txt -o out $FAST -n 60 --commit 20ms 2>err.txt
		code=$?
		[ $code = 137 ] || [ $code = 4 ] || [ $code = 0 ] || { echo "$op $n: $code"; cat err.txt; exit 1; }
		"$THRESH" crawl seeds.txt -o out $FAST -n 60 2>err.txt
		code=$?
		[ $code = 0 ] || [ $code = 4 ] || { echo "after $op $n: $code"; cat err.txt; exit 1; }
		stored_once out || exit 1
		"$THRESH" warc check out/archive/*.warc.gz >check.txt 2>&1 || { echo "$op $n"; cat check.txt; exit 1; }
	done
done
