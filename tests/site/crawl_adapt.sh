# A forum changes its template: no post is found any more; 'apps adapt' repairs the description from what was archived, and all are.
. "$TESTS/site/python.sh.inc"
export FORUM_FORUMS=1 FORUM_THREADS=5
serve_answers <"$TESTS/site/forum_site.py"
"$THRESH" crawl "http://127.0.0.1:$port/" -o one $AT_ONCE || [ $? = 3 ] || die "exit $?"
kill $server; wait $server 2>/dev/null
before=$(grep -c '"object":"post"' one/objects.jsonl)
[ "$before" -gt 20 ] || die "$before posts"
sed "s/ThreadingHTTPServer((\"127.0.0.1\", 0)/ThreadingHTTPServer((\"127.0.0.1\", $port)/" server.py >again.py
FORUM_THEME=2 python3 again.py >port2.txt &
server=$!
for _ in $(seq 100); do [ -s port2.txt ] && break; sleep 0.1; done
"$THRESH" crawl "http://127.0.0.1:$port/" -o two $AT_ONCE || [ $? = 3 ] || die "exit $?"
grep -q '"object":"post"' two/objects.jsonl 2>/dev/null && die "the test itself: the old expressions still work"
"$THRESH" apps adapt one two -o mended >said.txt || die "adapt: $?"
grep -q '^mybb thread: 0 % of known values found, 100 % after repair: used$' said.txt || { cat said.txt; die "not repaired"; }
"$THRESH" apps extract two --apps mended 2>/dev/null | grep '"object":"post"' | grep -o '"id":"[0-9]*"' | sort -u >after.txt
[ "$(wc -l <after.txt)" = "$before" ] || die "$(wc -l <after.txt) of $before posts after the repair"
