# A forum that is recognised: posts and next pages are fetched, views and actions are not; its objects, its pages and what is missing are written down, also after kill -9.
. "$TESTS/site/python.sh.inc"
export FORUM_BROKEN='/showthread.php?tid=104&page=2' # a thread of nine posts
serve_answers <"$TESTS/site/forum_site.py"
posts=$(FORUM_BROKEN= python3 -c "exec(open('site.py').read()); print(sum(posts_of(t) for f in range(1, FORUMS + 1) for t in threads_of(f)))")
lost=$(python3 -c "exec(open('site.py').read()); print(min(PER_PAGE, posts_of(104) - PER_PAGE))")
[ "$lost" -gt 0 ] || die "the test itself: thread 104 has one page"
"$THRESH" crawl "http://127.0.0.1:$port/" -o out $AT_ONCE --retries 0 --commit 20ms --per-host 1 --delay 5ms &
crawl=$!
for _ in $(seq 300); do [ -s out/objects.jsonl ] && break; sleep 0.02; done
kill -9 $crawl; wait $crawl 2>/dev/null
"$THRESH" crawl out -q || [ $? = 3 ] || [ $? = 7 ] || die "exit $?"
n=$(grep -c '"object":"post"' out/objects.jsonl)
[ "$n" = $((posts - lost)) ] || die "$n objects instead of $((posts - lost))"
[ "$(grep '"object":"post"' out/objects.jsonl | grep -o '"id":"[0-9]*"' | sort | uniq -d | wc -l)" = 0 ] || die "an object twice"
for f in out/archive/*.warc.gz; do zcat "$f"; done | tr -d '\r' >all.txt
grep -a -o '"record":"urn:uuid:[^"]*"' out/objects.jsonl | sed 's/"record":"\(.*\)"/\1/' | sort -u >named.txt
sed -n 's/^WARC-Record-ID: <\(.*\)>$/\1/p' all.txt | sort -u >records.txt
comm -23 named.txt records.txt | grep . && die "an object of a record that is not in the archive"
grep -a -q '"application":"mybb","level":"thread".*"action":"next".*"rule":"mybb: the thread goes on' all.txt || die "no augmented document"
# Views are fetched as samples only, forms never.
[ "$(grep -c 'newreply\|report.php\|newthread' requests.txt)" = 0 ] || die "a form was requested"
[ "$(grep -c 'sortby=' requests.txt)" -le 3 ] || die "more than samples of another order"
"$THRESH" apps report out --all >report.txt && die "exit 0 with a page missing"
grep -q "^  incomplete http://127.0.0.1:$port/showthread.php?tid=104: 5 objects on 1 page; missing: http://127.0.0.1:$port/showthread.php?tid=104&page=2\$" report.txt || { cat report.txt; die "the missing page is not named"; }
[ "$(grep -c '^  incomplete' report.txt)" = 1 ] || { cat report.txt; die "more is called incomplete"; }
grep -q 'Application: mybb' out/report.html || die "no section in the report"
