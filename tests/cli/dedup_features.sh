# What of a document is compared: pages that agree in one kind of feature each; and what --tune chooses.
cd "$TMP"
mkdir pages
for i in 1 2 3; do
	cat >pages/$i.html <<-PAGE
	<!doctype html><html lang=en><head><title>Page $i</title><meta name=author content=Ann>
	<meta name=keywords content="x,y"><meta name=description content="the same words">
	<meta name=generator content=g><meta name=robots content=all></head>
	<body class=b$i><div class=c$i><p class=p$i>text number $i with words that differ $i$i $i$i$i
	<a href="/a$i">first link</a> <a href="/b$i">second one</a> <a href=/c$i>third of them</a>
	<a href=/d$i>fourth and last</a> <a href=/e$i>fifth</a></div></body></html>
	PAGE
done
for features in shingles keywords links anchors metadata tag-paths tags clickables windows spots; do
	echo "$features: $("$THRESH" dedup -q -m jaccard --features $features -w duplicates -f tsv pages | tail -n +2 | cut -f3,4 | tr '\n\t' '; ')"
done
"$THRESH" dedup -m ssm --features links pages 2>&1 | cut -c1-62
"$THRESH" dedup -m jaccard -t 7 pages
echo "exit $?"
echo "weights"
printf '{"id":"a","text":"one two three four five five five five five"}\n{"id":"b","text":"one two three four five"}\n' >counts.jsonl
for weight in own set tf; do
	"$THRESH" dedup -q -m weighted -t 0.5 --weight $weight -w all -f tsv counts.jsonl | sed -n 3p | cut -f3,4
done
echo "every method tells copies from strangers"
for i in 1 2 3 4 5 6; do
	awk -v s=$((10 + i / 2)) -v i=$i 'BEGIN {
		srand(s); printf "{\"id\":\"%d\",\"text\":\"", i
		for (k = 0; k < 200; k++) { w = ""; for (c = 0; c < 7; c++) w = w sprintf("%c", 97 + int(rand() * 26)); printf "%s ", w }
		print "\"}" }'
done >copies.jsonl
for method in resemblance jaccard containment weighted oph minhash supershingle mod-p winnow simhash64 simhash32 simhash128 \
	crawlhash henzinger ssm ssm-printed ss i-match buckets textprofile text-digest payload-digest cosine \
	identity-1 identity-2 identity-3; do
	echo "$method: $("$THRESH" dedup -q -m $method -w kept -f tsv copies.jsonl | tail -n +2 | cut -f5 | tr '\n' ' ')"
done
echo "tuned"
for i in 1 2 3 4 5 6; do
	echo "{\"label\":1,\"a\":\"the cat number $i sat on the mat and looked at the dog for long\",\"b\":\"the cat number $i sat on the mat and looked at the dog for an hour\"}"
	echo "{\"label\":0,\"a\":\"the cat number $i sat on the mat and looked at the dog for long\",\"b\":\"prices of fish number $i rose in all markets of the north this year\"}"
done >labelled.jsonl
"$THRESH" dedup --tune labelled.jsonl -o my.preset | sed -n '1p;3,5p'
grep -v threshold my.preset
"$THRESH" dedup -q --preset my.preset -w kept -f tsv copies.jsonl | wc -l
echo "pieces nonsense" >>my.preset
"$THRESH" dedup -q --preset my.preset copies.jsonl 2>&1 || true # it must be refused
echo "crawlhash of characters, words and sentences, by size"
printf '{"id":"a","text":"One red apple fell. Two dogs ran home. Nobody saw them. It was late in May."}\n{"id":"b","text":"One red apple fell. Two dogs ran away. Nobody saw them. It was late in June."}\n' >two.jsonl
for pieces in own chars words sentences; do
	for size in 1 2 3; do
		echo "$pieces $size: $("$THRESH" dedup -q -m crawlhash --verify no -t 31 --pieces $pieces --size $size -w duplicates -f tsv two.jsonl | tail -n +2 | cut -f4)"
	done
done
echo "the same keywords in another order are verified to be another text"
words="stone stone stone stone river river river cloud cloud forest meadow valley harbour winter summer"
printf '{"id":"a","text":"%s"}\n{"id":"b","text":"%s"}\n{"id":"c","text":"%s!"}\n' "$words" "$(echo $words | tr ' ' '\n' | tac | tr '\n' ' ')" "$words" >order.jsonl
for verify in no auto yes; do
	for method in ssm simhash64; do
		echo "$method $verify: $("$THRESH" dedup -q -m $method -t 30 --verify $verify -w all -f tsv order.jsonl | tail -n +2 | cut -f3 | tr '\n' ' ')"
	done
done
"$THRESH" dedup -q -m ssm -w duplicates --explain order.jsonl | cut -c1-150
