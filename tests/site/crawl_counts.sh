# The report counts from crawl.log what the crawl counted itself: duplicates by bytes, by text, nearly.
. "$TESTS/site/web.sh.inc"
serve --pages 60 --hosts 4 --traps none --seed 9

"$THRESH" crawl seeds.txt -o out $FAST --scope any --json >events.txt || { echo "exit $?"; exit 1; }
number() { grep -oE "\"$1\":[0-9]+" "$2" | tail -1 | tr -dc 0-9; }
"$THRESH" report --json out >report.txt || exit 1
for pair in exact:exact_duplicates near:near_duplicates soft_404:soft_404; do
	ours=$(number "${pair%:*}" report.txt) theirs=$(number "${pair#*:}" events.txt)
	[ "$ours" = "$theirs" ] || { echo "$pair: report $ours, crawl $theirs"; exit 1; }
done
grep -q duplicate:text out/crawl.log || { echo "no page with the text of another: nothing was tested"; exit 1; }

# A crawl that goes on counts what was before, too.
kill $server; wait $server 2>/dev/null; trap - EXIT
serve --pages 60 --hosts 4 --traps none --seed 9
"$THRESH" crawl seeds.txt -o parts $FAST --scope any --max-pages 60 --no-rules
[ $? = 4 ] || { echo "no limit was reached"; exit 1; }
"$THRESH" crawl parts $FAST --scope any --max-pages 0 --no-rules --json >events.txt || { echo "going on: exit $?"; exit 1; }
ok=$(awk '$2 >= 200 && $2 < 300' parts/crawl.log | wc -l)
[ "$(number ok events.txt)" = "$ok" ] || { echo "$ok fine answers in crawl.log, the crawl says $(number ok events.txt)"; exit 1; }
"$THRESH" report --json parts >report.txt || exit 1
for pair in exact:exact_duplicates near:near_duplicates soft_404:soft_404; do
	ours=$(number "${pair%:*}" report.txt) theirs=$(number "${pair#*:}" events.txt)
	[ "$ours" = "$theirs" ] || { echo "in parts, $pair: report $ours, crawl $theirs"; exit 1; }
done
