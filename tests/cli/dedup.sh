# A small corpus with an exact copy, a near one, a broken line and empty texts.
cat > "$TMP/x.jsonl" <<'LINES'
{"id":"a","text":"the quick brown fox jumps over the lazy dog and runs away into the deep dark forest where it lives"}
{"id":"b","text":"The quick brown fox jumps over the lazy dog, and runs away into the deep dark forest where it lives!"}
{"id":"c","text":"the quick brown fox jumps over the lazy dog and runs away into the deep dark forest where it sleeps tonight"}
broken
{"id":"d","text":"an entirely different document about the price of fish in the markets of northern cities"}
{"id":"e","text":""}
{"id":"f","text":""}
LINES
cd "$TMP"
"$THRESH" dedup -q x.jsonl -o kept.jsonl 2>/dev/null; echo "exit $?"; cut -c1-30 kept.jsonl
"$THRESH" dedup -q -w duplicates --explain x.jsonl 2>/dev/null
"$THRESH" dedup -q -w clusters -f tsv --keep longest - <x.jsonl 2>/dev/null
"$THRESH" dedup -q -w kept -f tsv -m simhash64 x.jsonl 2>/dev/null
"$THRESH" dedup -q --index-out idx x.jsonl >/dev/null 2>&1
sed -n 3p x.jsonl | "$THRESH" dedup -q -w all --against idx -
"$THRESH" dedup -q --against nowhere x.jsonl 2>&1 | tail -1
"$THRESH" dedup -m nothing x.jsonl 2>&1 | cut -c1-50
"$THRESH" dedup 2>&1; echo "exit $?"
ls
