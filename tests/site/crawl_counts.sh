# One count of everything: the last line, status and the report, which counts crawl.log, agree; also of a crawl in
# parts, with failures, and of its revisits.
. "$TESTS/site/web.sh.inc"
number() { grep -oE "\"$1\":[0-9]+" "$2" | head -1 | tr -dc 0-9; } # the first: later ones are of a host or an application
# agree DIR: the numbers of report and status, which have other names for three.
agree() {
	"$THRESH" report --json "$1" >report.txt || exit 1
	"$THRESH" status --json "$1" >status.txt || exit 1
	for pair in requests:done new:novel exact:exact_duplicates near:near_duplicates soft_404:soft_404 unchanged:unchanged \
		changed:changed ok:ok not_modified:not_modified redirects:redirects client_errors:client_errors \
		server_errors:server_errors failed:failed; do
		ours=$(number "${pair%:*}" report.txt) theirs=$(number "${pair#*:}" status.txt)
		[ -n "$ours" ] && [ "$ours" = "$theirs" ] || { echo "$1, $pair: report $ours, status $theirs"; exit 1; }
	done
}
LOUD=${FAST/-q/}
serve --pages 24 --hosts 3 --traps none --seed 9 --trouble 5xx,headers --trouble-share 10%

"$THRESH" crawl seeds.txt -o out $LOUD --scope any 2>last.txt || [ $? = 3 ] || { echo "exit $?"; exit 1; }
agree out
grep -q duplicate:text out/crawl.log || { echo "no page with the text of another: nothing was tested"; exit 1; }
[ "$(number server_errors status.txt)" -gt 0 ] || { echo "no failure: nothing was tested"; exit 1; }
failed=$(($(number failed status.txt) + $(number server_errors status.txt)))
said=": $(number done status.txt) fetched, $(number novel status.txt) new, $(number exact_duplicates status.txt) duplicates"
said="$said, $(number near_duplicates status.txt) near-duplicates, $failed failed"
grep -q "$said" last.txt || { echo "the last line is not '$said':"; tail -3 last.txt; exit 1; }
grep -q "<b>$failed</b>failed" out/report.html || { echo "the report has no card of $failed failed"; exit 1; }
"$THRESH" crawl out $FAST --recrawl --revisit 0 || [ $? = 3 ] || { echo "revisits: exit $?"; exit 1; }
agree out
[ "$(number unchanged report.txt)" -gt 0 ] || { echo "nothing was unchanged: nothing was tested"; exit 1; }

# A crawl that goes on counts what was before, too.
kill $server; wait $server 2>/dev/null; trap - EXIT
serve --pages 60 --hosts 4 --traps none --seed 9
"$THRESH" crawl seeds.txt -o parts $FAST --scope any --max-pages 60 --no-rules
[ $? = 4 ] || { echo "no limit was reached"; exit 1; }
"$THRESH" crawl parts $FAST --scope any --max-pages 0 --no-rules || { echo "going on: exit $?"; exit 1; }
agree parts
