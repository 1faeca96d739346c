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
echo "the number of threads changes nothing"
for i in 1 2 3 4 5 6 7 8 9; do sed "s/\"id\":\"/&$i/; s/quick/quick$i/" x.jsonl; done >many.jsonl
for threads in 1 2 5; do
	"$THRESH" dedup -q --threads $threads -w all many.jsonl 2>/dev/null | md5sum
done | uniq | wc -l
echo "an index of 64-bit fingerprints"
"$THRESH" dedup -q -m simhash64 -t 8 --index-out bits x.jsonl >/dev/null 2>&1
sed -n 3p x.jsonl | "$THRESH" dedup -q -m simhash64 -t 8 -w all --against bits -
"$THRESH" dedup -q -m tag-paths-simhash --against bits x.jsonl 2>&1 | tail -1
echo "an index of any method"
for method in resemblance jaccard containment weighted oph minhash supershingle mod-p winnow simhash64 simhash32 simhash128 crawlhash \
	henzinger ssm ssm-printed ss i-match buckets textprofile text-digest payload-digest; do
	"$THRESH" dedup -q -m $method --index-out any-$method x.jsonl >/dev/null 2>&1
	echo "$method: $(sed -n 1p x.jsonl | "$THRESH" dedup -q -m $method -w all -f tsv --against any-$method - | tail -1 | cut -f3,6 | tr '\t' ' ')"
done
"$THRESH" dedup -q -m ss --against any-ssm x.jsonl 2>&1 | tail -1
echo "weights from a corpus"
"$THRESH" dedup -m weighted --idf-out words.idf many.jsonl 2>&1 | tail -1
"$THRESH" dedup -q -m weighted -w duplicates -f tsv x.jsonl 2>/dev/null
"$THRESH" dedup -q -m weighted --idf words.idf -w duplicates -f tsv x.jsonl 2>/dev/null
"$THRESH" dedup -q -m simhash64 --idf words.idf x.jsonl 2>&1 | tail -1 | cut -c1-70
"$THRESH" dedup -q --idf words.idf x.jsonl 2>&1 | tail -1
"$THRESH" dedup -q -m weighted --idf x.jsonl x.jsonl 2>&1 | tail -1
echo "killed, it goes on; what standard input said is not asked again"
"$THRESH" dedup -q -w all many.jsonl -o whole.jsonl 2>/dev/null
for i in 1 2 3; do bash -c "timeout -s KILL 0.0$i \"$THRESH\" dedup -q -w all many.jsonl -o killed.jsonl" >/dev/null 2>&1; done 2>/dev/null
"$THRESH" dedup -q -w all many.jsonl -o killed.jsonl 2>/dev/null
cmp whole.jsonl killed.jsonl && echo same
mkdir -p piped.jsonl.work && cp many.jsonl piped.jsonl.work/stdin
"$THRESH" dedup -q -w all - -o piped.jsonl </dev/null 2>&1 | grep -v broken-record
cmp whole.jsonl piped.jsonl && echo same
echo "the output is not one of the inputs"
cp many.jsonl own.jsonl
"$THRESH" dedup -q own.jsonl -o own.jsonl 2>&1; echo "exit $?"
cmp many.jsonl own.jsonl && echo same
echo "killed at any moment, an index forgets nothing and takes nothing away"
sed 's/brown/green/; s/lazy/eager/; s/deep/wide/' x.jsonl | cat x.jsonl - >new.jsonl
for method in resemblance simhash64 ssm; do
	"$THRESH" dedup -q -m $method many.jsonl --index-out before-$method -o /dev/null 2>/dev/null
	cp -r before-$method idx-$method
	with="-q -w all -m $method --against idx-$method --index-out idx-$method new.jsonl"
	"$THRESH" dedup $with -o want.jsonl 2>/dev/null
	for fault in kill-sync kill-write kill-rename; do
		for n in $(seq 12); do
			rm -rf idx-$method got.jsonl*
			cp -r before-$method idx-$method
			THRESH_FAULT=$fault=$n "$THRESH" dedup $with -o got.jsonl 2>/dev/null
			[ ! -e got.jsonl.work ] || "$THRESH" dedup $with -o got.jsonl 2>/dev/null
			cmp want.jsonl got.jsonl || echo "$fault $n"
		done
	done 2>&1 | grep -v Killed
	"$THRESH" dedup $with -o again.jsonl 2>/dev/null
	grep -c in_index again.jsonl
done
mkdir loop && cp x.jsonl loop && ln -s . loop/self && ln -s nowhere loop/dangling && mkfifo loop/pipe
"$THRESH" dedup -q -w all loop 2>&1 | grep -c '"name"\|dangling'
"$THRESH" dedup -q <(cat x.jsonl) 2>/dev/null | wc -l
echo '{"text":"nameless"}' | "$THRESH" dedup -q -f tsv -w all -
