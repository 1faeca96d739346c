# From clusters to rules to keys, and how wrong input is answered.
for i in 1 2 3; do
	printf '%s\thttp://a.org/p%s?sid=1%s\n%s\thttp://a.org/p%s?sid=2%s\n' $i $i $i $i $i $i
done >clusters.tsv
printf -- '-\thttp://a.org/p9\n' >>clusters.tsv
"$THRESH" rules learn --known none clusters.tsv -o a.rules 2>&1 | sed 's/ (.*//'
cat a.rules
printf 'http://a.org/new?x=1&sid=77\nhttp://a.org/new?x=1\nnot a url\n' | "$THRESH" rules apply -r a.rules --explain
echo "exit $?"
"$THRESH" rules show -b a.rules

echo "-- several URLs a line, and JSON lines, are the same"
awk -F'\t' '{ l[$1] = l[$1] "\t" $2 } END { for (c in l) if (c != "-") print c l[c] }' clusters.tsv >lines.tsv
grep '^-' clusters.tsv >>lines.tsv
awk -F'\t' '{ printf "{\"cluster\":\"%s\",\"url\":\"%s\"}\n", $1, $2 }' clusters.tsv >clusters.jsonl
for f in lines.tsv clusters.jsonl; do
	"$THRESH" rules learn --known none $f 2>/dev/null | cmp - a.rules && echo "$f: same"
done

echo "-- wrong input"
printf 'c1\thttp://a/\nno tab\n' | "$THRESH" rules learn -; echo "exit $?"
printf '{"cluster":1,"url":"http://a/"}\n{"cluster":1,"url":\n' | "$THRESH" rules learn -; echo "exit $?"
printf 'rule x\n  context ^*://(a$\n  transformation $1\n  sites *\n' >bad.rules
"$THRESH" rules apply -r bad.rules </dev/null; echo "exit $?"
printf 'rule x\n  operation drop\n  sites *\n' >bad.rules
"$THRESH" rules show bad.rules; echo "exit $?"
printf 'rule x\n  operation www\n  operation www\n' >bad.rules
"$THRESH" rules show bad.rules; echo "exit $?"
"$THRESH" rules learn missing.tsv; echo "exit $?"
printf 'alone\thttp://a.org/\n' | "$THRESH" rules learn --known none - 2>&1 | sed 's/ (.*//'
printf 'c\thttp://a.org/\0x\nc\thttp://a.org/y\n' | "$THRESH" rules learn --known none - 2>&1 | sed 's/ (.*//'
{ for i in $(seq 1 5000); do printf 'big\thttp://a.org/?s=%s\n' $i; done; } | "$THRESH" rules learn --known none --no-doubt --min-freq 1 - 2>&1 | sed 's/ (.*//'
{ printf 'c\thttp://a.org/'; head -c 9000 /dev/zero | tr '\0' a; printf '\nc\thttp://a.org/b\n'; } | "$THRESH" rules learn --known none --no-doubt --min-freq 1 - 2>&1 | sed 's/ (.*//'
echo "-- what is known already is tried, too"
printf '1\thttp://a.org/p?utm_source=1\n1\thttp://a.org/p?utm_source=2\n2\thttp://b.org/p?utm_source=1\n3\thttp://b.org/p?utm_source=2\n4\thttp://c.org/p\n4\thttp://c.org/p?utm_source=3\n' >known.tsv
"$THRESH" rules learn known.tsv -o known.rules 2>/dev/null; echo "exit $?"
grep -A2 'drop utm_' known.rules
"$THRESH" rules learn --known nothing known.tsv; echo "exit $?"
