# With rules no page that must be kept is lost, no URL is asked twice, and of the fetches of
# pages already known three in five are avoided; `why` names the rule of a URL that was skipped.
. "$TESTS/site/web.sh.inc"
crawl() { # NAME OPTIONS...: a crawl of its own of the same web, its requests in NAME.tsv
	name=$1
	shift
	serve --pages 200 --hosts 6 --traps none --seed 6 --no-crawl-delays
	"$THRESH" crawl seeds.txt -o "$name" $FAST --scope any "$@" 2>"$name.err"
	code=$?
	[ $code = 0 ] || [ $code = 3 ] || { echo "$name: exit $code"; cat "$name.err"; exit 1; }
	kill $server # what it has logged is whole when it has ended
	wait $server
	trap - EXIT
	mv requests.tsv "$name.tsv"
	"$THRESH" testweb score "$name" -m truth.tsv -l "$name.tsv" --json >"$name.json"
}
number() { grep -oE "\"$2\": ?[0-9]+" "$1.json" | head -1 | tr -dc 0-9; }
duplicates() { # requests for pages that were known, under this or another URL
	tr '{' '\n' <"$1.json" | sed -nE 's/^"class":"(alias|again)[^"]*","requests":([0-9]+).*/\2/p' | awk '{ n += $1 } END { print n + 0 }'
}
crawl with
crawl without --no-rules
for name in with without; do
	[ "$(number $name found)" = "$(number $name must_keep)" ] || { echo "$name rules: $(number $name found) of $(number $name must_keep)"; exit 1; }
done
a=$(duplicates with) b=$(duplicates without)
echo "duplicates fetched: $a with rules, $b without"
[ "$b" -gt 500 ] && [ $((a * 5)) -le $((b * 2)) ] || { echo "fewer than 60 % were avoided"; exit 1; }
# But for what was asked once more to check a rule.
twice=$({ awk '!/^#/ && $6 == 200 { print ($9 ? "https" : "http") "://" $5 $11 }' with.tsv | sort | uniq -d
	awk '$NF ~ /check/ { print $4 }' with/crawl.log | sort -u | sed p; } | sort | uniq -u)
[ -z "$twice" ] || { echo "asked twice:"; echo "$twice" | head; exit 1; }
# One that did not come back later, to be asked or to be refused for another reason.
awk '{ print $4 }' with/crawl.log | sort -u >asked.txt
sed -E 's/.*"url":"([^"]*)".*"stage":"([^"]*)".*/\2 \1/' with/skipped.jsonl >stages.txt
awk '$1 != "rules" { print $2 }' stages.txt >>asked.txt
url=$(awk '$1 == "rules" { print $2 }' stages.txt | grep -vxFf asked.txt | head -1)
"$THRESH" why with "$url" >why.txt && grep -q 'skipped by rule' why.txt || { cat why.txt; exit 1; }
# And what became of the page it was skipped for.
grep -qE "that page +was fetched: 200" why.txt || { cat why.txt; exit 1; }
