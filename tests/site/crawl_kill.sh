# Killed at random instants, then finished: what must be kept is found as without the
# kills, nothing is stored twice, every WARC file is valid.
. "$TESTS/site/web.sh.inc"
serve --pages 120 --hosts 3 --seed 5

"$THRESH" crawl seeds.txt -o whole $FAST || exit 1
RANDOM=${SEED:-1}
for i in $(seq "${KILLS:-12}"); do
	"$THRESH" crawl seeds.txt -o killed $FAST --commit 50ms & crawl=$!
	sleep 0.$((RANDOM % 6))$((RANDOM % 10))
	kill -9 $crawl 2>/dev/null
	wait $crawl 2>/dev/null
	code=$?
	[ $code = 137 ] || [ $code = 0 ] || { echo "run $i ended with $code"; exit 1; }
done
"$THRESH" crawl seeds.txt -o killed $FAST || exit 1

stored_once killed || exit 1
found() { "$THRESH" testweb score "$1" -m truth.tsv --json | grep -oE '"found":[0-9]+' | head -1; }
a=$(found whole) b=$(found killed)
echo "without kills $a, with kills $b"
# The order differs, and with it what budgets hold back: one in a hundred may differ.
[ $((${b#*:} * 100)) -ge $((${a#*:} * 99)) ] || exit 1
"$THRESH" warc check killed/archive/*.warc.gz
