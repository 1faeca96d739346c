# The jobs with sort between them give the file that 'learn' writes, byte for byte.
awk 'BEGIN {
	for (c = 1; c <= 300; c++) {
		h = "h" (c % 7) ".org"; n = 2 + c % 5
		for (i = 0; i < n; i++) {
			if (c % 3 == 0) u = "http://" h "/" substr("enfrjadept", 1 + 2 * i, 2) "/page" c ".html"
			else if (c % 3 == 1) u = "http://" h "/a" c "?id=" c "&s=" (i * 7919 + c)
			else u = "http://" (i % 2 ? "www." : "") h "/x/" c "/" (i > 1 ? "index.html" : "")
			print "c" c "\t" u
		}
	}
	for (c = 1; c <= 50; c++) print "-\thttp://h1.org/en/alone" c ".html"
}' >clusters.tsv
common="--min-freq 2 --min-support 2 --fpr 10%"
"$THRESH" rules learn $common clusters.tsv -o learnt.rules 2>&1 | sed 's/ (.*//'
THRESH=$THRESH bash "$TESTS/../tools/rules_mapreduce.sh" sort clusters.tsv jobs.rules $common
cmp learnt.rules jobs.rules && echo same
grep -c operation learnt.rules
grep -c context learnt.rules
# The seed's rules alone: one round.
options="--no-families $common"
"$THRESH" rules learn $options clusters.tsv -o learnt.rules 2>&1 | sed 's/ (.*//'
THRESH=$THRESH bash "$TESTS/../tools/rules_mapreduce.sh" sort clusters.tsv jobs.rules $options
cmp learnt.rules jobs.rules && echo same
# One cluster a line, in another order, cut in two and mapped apart.
awk -F'\t' '$1 == "-" { print; next } { l[$1] = l[$1] "\t" $2 } END { for (c in l) print c l[c] }' clusters.tsv |
	sort -R --random-source=clusters.tsv >lines.tsv
split -n l/3 lines.tsv part.
for p in part.??; do "$THRESH" rules map generate $options <$p; done | sort |
	"$THRESH" rules reduce generate $options >candidates
for p in part.??; do "$THRESH" rules map validate $options -c candidates <$p; done | sort |
	"$THRESH" rules reduce validate $options -c candidates | cmp - learnt.rules && echo same
printf 'no tabs\n' | "$THRESH" rules reduce generate; echo "exit $?"
"$THRESH" rules map validate <lines.tsv; echo "exit $?"
