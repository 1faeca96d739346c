# Pages that are reached in one way only are in the truth, are served, and are counted a way each.
set -eu
cd "$TMP"
"$THRESH" testweb manifest --pages 100 --hosts 8 --seed 3 --ways all truth.tsv
for way in sitemap nested packed unannounced feed field canonical refresh form; do
	grep -q "	page	only by $way	" truth.tsv || { echo "no page only by $way"; exit 1; }
done
# a crawl that found those of the feeds and one by a form, and nothing else
mkdir -p crawl/indexes
: >crawl/crawl.log
{
	grep "	only by feed	" truth.tsv
	grep -m1 "	only by form	.*	keep" truth.tsv
} | cut -f1 | sort | sed 's|.*|test)/ 20261115000000 {"url": "&", "mime": "text/html", "status": "200"}|' >crawl/indexes/index.cdxj
"$THRESH" testweb score crawl --manifest truth.tsv --examples 0 | sed -n '/only by/p' >score.txt
feeds=$(grep -c "	only by feed	.*	keep" truth.tsv)
grep -q "only by feed  *$feeds of $feeds$" score.txt || { cat score.txt; exit 1; }
grep -q "only by form  *1 of " score.txt || { cat score.txt; exit 1; }
grep -q "only by sitemap  *0 of [1-9]" score.txt || { cat score.txt; exit 1; }
[ "$(wc -l <score.txt)" = 9 ] || { cat score.txt; exit 1; }
"$THRESH" testweb score crawl --manifest truth.tsv --json | grep -q "\"only_by\":{.*\"feed\":\[$feeds,$feeds\]" || exit 1
# without the option there are none
"$THRESH" testweb manifest --pages 100 --hosts 8 --seed 3 | grep -q "only by" && exit 1
"$THRESH" testweb manifest --ways nonsense 2>&1 | grep -q "does not know 'nonsense'"
