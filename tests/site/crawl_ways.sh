# Pages that no link leads to are found in the one way that leads to each.
set -eu
. "$TESTS/site/web.sh.inc"
cd "$TMP"
ways=sitemap,nested,packed,unannounced,feed,field,canonical,refresh,form
serve --pages 80 --hosts 6 --seed 5 --no-crawl-delays --traps none --alias-share 5% --ways $ways
"$THRESH" crawl seeds.txt -o crawl $FAST --scope any --max-time 120s >crawl.txt 2>&1 || { cat crawl.txt; exit 1; }
"$THRESH" testweb score crawl --manifest truth.tsv --log requests.tsv >score.txt
for way in ${ways//,/ }; do
	grep -qE "only by $way +([0-9]+) of \1$" score.txt || { cat score.txt; echo "not all of those only by $way"; exit 1; }
done
