# The report counts from crawl.log what the crawl counted itself: duplicates by bytes, by text, nearly.
. "$TESTS/site/web.sh.inc"
serve --pages 60 --hosts 4 --traps none --seed 9

"$THRESH" crawl seeds.txt -o out $FAST --scope any --json >events.txt || exit 1
number() { grep -oE "\"$1\":[0-9]+" "$2" | tail -1 | tr -dc 0-9; }
"$THRESH" report --json out >report.txt || exit 1
for pair in exact:exact_duplicates near:near_duplicates soft_404:soft_404; do
	ours=$(number "${pair%:*}" report.txt) theirs=$(number "${pair#*:}" events.txt)
	[ "$ours" = "$theirs" ] || { echo "$pair: report $ours, crawl $theirs"; exit 1; }
done
grep -q duplicate:text out/crawl.log || { echo "no page with the text of another: nothing was tested"; exit 1; }
