# Killed at random instants, then finished: everything that must be kept is found, nothing is stored
# twice as new, every WARC file is valid. KILLS and SEED make it longer: bench/crawl_kill.sh.
. "$TESTS/site/web.sh.inc"
serve --pages 120 --hosts 3 --seed 5 --no-crawl-delays

check() { # FOLDER
	stored_once "$1" || return 1
	"$THRESH" testweb score "$1" -m truth.tsv --min-found 100% >score.txt || { cat score.txt; return 1; }
	"$THRESH" warc check "$1"/archive/*.warc.gz >check.txt 2>&1 || { cat check.txt; return 1; }
}
RANDOM=${SEED:-1}
kills=0
for i in $(seq "${KILLS:-12}"); do
	"$THRESH" crawl seeds.txt -o killed $FAST --commit 50ms & crawl=$!
	sleep 0.$((RANDOM % 6))$((RANDOM % 10))
	kill -9 $crawl 2>/dev/null
	wait $crawl 2>/dev/null
	code=$?
	kills=$((kills + (code == 137)))
	[ $code = 137 ] || [ $code = 0 ] || [ $code = 3 ] || { echo "run $i ended with $code"; exit 1; }
	# Finished before the last kill: begin another one, and keep this.
	if [ $code != 137 ]; then
		check killed || exit 1
		rm -rf killed
	fi
done
"$THRESH" crawl seeds.txt -o killed $FAST || [ $? = 3 ] || exit 1
check killed || exit 1
# Going on with a long journal says how far it is.
"$THRESH" crawl killed ${FAST% -q} 2>resumed.txt
grep -q 'going on: [0-9]* % of the journal read' resumed.txt || { cat resumed.txt; exit 1; }
echo "$kills kills"
[ "$kills" -gt 3 ]
