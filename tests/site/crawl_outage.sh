# A disk that becomes read-only, names that cannot be looked up, a clock that jumps: each is said
# clearly or survived, the state stays intact, and the same command goes on later.
. "$TESTS/site/web.sh.inc"
serve --pages 60 --hosts 2 --traps none --seed 4 --no-crawl-delays
all() { # FOLDER: everything that must be kept was found, once, in valid files
	"$THRESH" testweb score "$1" -m truth.tsv --min-found 100% >score.txt || { cat score.txt; return 1; }
	stored_once "$1" && "$THRESH" warc check "$1"/archive/*.warc.gz >check.txt 2>&1 || { cat check.txt; return 1; }
}
finish() { # FOLDER: go on to the end, whatever limit it had
	timeout 120 "$THRESH" crawl seeds.txt -o "$1" $FAST -n 0 2>err.txt || [ $? = 3 ] || { cat err.txt; exit 1; }
	all "$1" || { echo "after: $1"; exit 1; }
}

THRESH_FAULT=fail-write=20+:EROFS "$THRESH" crawl seeds.txt -o readonly $FAST --commit 20ms --delay 50ms --per-host 1 2>err.txt
code=$?
[ $code = 1 ] && grep -qi 'read-only' err.txt || { echo "read-only: exit $code"; cat err.txt; exit 1; }
finish readonly

# Port 9 answers nobody. The names are looked up in vain, and said to be.
printf 'http://nowhere.example/\n' >lost.txt
timeout 60 "$THRESH" crawl lost.txt -o names --dns 127.0.0.1:9 --retries 0 --delay 0 -q 2>err.txt
code=$?
[ $code = 3 ] || [ $code = 6 ] || [ $code = 0 ] || { echo "no names: exit $code"; cat err.txt; exit 1; }
"$THRESH" why names http://nowhere.example/ >why.txt || exit 1
grep -q -e '-1' why.txt || { echo "why does not tell of the outage:"; cat why.txt; exit 1; }

for by in 7200000 -7200000; do
	THRESH_CLOCK_JUMP=300:$by timeout 60 "$THRESH" crawl seeds.txt -o jump$by $FAST --delay 10ms --per-host 1 -n 150 2>err.txt
	code=$?
	[ $code = 4 ] || [ $code = 3 ] || [ $code = 0 ] || { echo "clock by $by: exit $code"; cat err.txt; exit 1; }
	finish jump$by
done
