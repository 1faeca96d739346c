# Sites from a list are recorded, by hand and by workers with a database; what won a sweep crawls them again.
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { echo "no Chromium: skipped"; exit 0; }
cd "$TMP" || exit 1
fail() { echo "$@"; exit 1; }
printf '# two sites\nfile://%s/apps/tabs.html max-events=50   # with a setting of its own\n\nfile://%s/apps/modal.html\n' "$TESTS" "$TESTS" > sites.txt
printf 'max-time: 60s\ncontent-threshold 128\nseed = 3\n' > common.txt
"$THRESH" calibrate add --sites sites.txt --settings common.txt || fail "add"
"$THRESH" calibrate worker --dir "$TMP" > worker.said 2>&1 &
"$THRESH" calibrate record sites.txt --settings common.txt -o recorded > said 2>&1 || { cat said; exit 1; }
wait
[ "$(grep -c '^recorded/' said)" = 2 ] || { cat said; fail "two sites"; }
# what the recording's crawl told apart is the truth; the best methods find the same for real
"$THRESH" calibrate sweep -q --own-bins recorded -g tag-paths -g simhash64:words:1 --live 1 --live-dir live > swept 2>&1 || { cat swept; exit 1; }
grep -q '^6 states of 2 sites, 6 labelled, 6 bins' swept || { cat swept; fail "six states"; }
tail -1 swept | grep -qE " 6 +0 +0 +6 +0 +0 +0 " || { cat swept; fail "live differs"; }
"$THRESH" calibrate sweep -q --own-bins sites.txt --live 1 > /dev/null 2>&1 # not a recording: no crash
# workers: DOMs, screenshots and transitions are in the database, and come out again
grep -q '^2 done, 0 failed' worker.said || { cat worker.said; fail "worker"; }
ls -d thresh-record-* > /dev/null 2>&1 && fail "a crawl was left behind"
"$THRESH" calibrate fetch -o fetched > /dev/null || fail "fetch"
[ "$(cat fetched/*-states.jsonl | wc -l)" = 6 ] && [ "$(ls fetched/*/*.png | wc -l)" = 6 ] || fail "six states with pictures"
cmp -s fetched/1/0.png recorded/1/overview/screenshots/0.png || echo "note: the pictures of two crawls differ"
"$THRESH" calibrate add -g picture -g dom:::0 db: && "$THRESH" calibrate worker > /dev/null || fail "sweep of the database"
"$THRESH" calibrate tasks --results | grep -c '"set":{"sites":2,"states":6' | grep -qx 2 || { "$THRESH" calibrate tasks --results; fail "the sweep saw other states"; }
# a site that cannot be crawled is told with its reason, and the next one is crawled
printf 'file:///nowhere.html\nfile://%s/apps/plain.html\n' "$TESTS" > some.txt
"$THRESH" calibrate record some.txt -o some > said 2>&1
code=$?
[ $code = 3 ] && grep -q '^some/2 ' said && grep -q 'nowhere.html' said || { cat said; fail "exit $code"; }
printf 'nonsense\n' > bad.txt
"$THRESH" calibrate record bad.txt 2>&1 | grep -q "sites, line 1: 'nonsense' is no address" || fail "a bad list"
printf 'http://a/ no-such-option=1\n' > bad.txt
"$THRESH" calibrate record bad.txt -o bad 2>&1 | grep -q 'no-such-option' || fail "an unknown option"
