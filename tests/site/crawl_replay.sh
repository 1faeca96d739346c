# Many requests at a time, failures, an interruption: the decisions of a crawl, made again from its journal and archive, are the same.
. "$TESTS/site/web.sh.inc"
serve --pages 60 --hosts 4 --seed 5 --trouble 429,5xx,reset,chunks,cookies --trouble-share 20%
"$THRESH" crawl seeds.txt -o dir $FAST --scope any --cookies --max-pages 100 || [ $? -le 5 ] || { echo "exit $?"; exit 1; }
"$THRESH" crawl dir -q --max-pages 150 || [ $? -le 5 ] || { echo "exit $?"; exit 1; }
kill $server
wait $server 2>/dev/null
trap - EXIT
"$THRESH" crawl --replay dir >said || { echo "exit $?"; cat said; exit 1; }
grep -Eq '^[0-9]{3,} transitions, all equal$' said || { cat said; exit 1; }
"$THRESH" crawl --replay dir --max-depth 1 >said && { echo "another depth, and nothing differs"; exit 1; }
[ $? = 7 ] && grep -q '^recorded at' said || { cat said; exit 1; }
# The archive is crawled again, twice the same.
"$THRESH" simulate dir --breadth-first --json --html one.html >one.json || { echo "exit $?"; exit 1; }
"$THRESH" simulate dir --breadth-first --json --html two.html >two.json || { echo "exit $?"; exit 1; }
cmp one.json two.json && cmp one.html two.html
