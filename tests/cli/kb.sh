# Load with a bad line, ask in several formats, change, dump, and errors with their place.
cat > pages.nt <<S
<http://x/1> <http://x/title> "One" .
<http://x/1> <http://x/size> "12"^^<http://www.w3.org/2001/XMLSchema#integer> .
this line is bad
<http://x/2> <http://x/title> "Zwei"@de .
S
"$THRESH" kb load -q facts.kb pages.nt; echo "load: $?"
"$THRESH" kb load -q --strict other.kb pages.nt; echo "strict: $?"
"$THRESH" kb query facts.kb 'SELECT ?s ?t { ?s <http://x/title> ?t } ORDER BY ?s'
"$THRESH" kb query facts.kb --format json 'SELECT ?n { ?s <http://x/size> ?n }'
"$THRESH" kb query facts.kb --format xml 'ASK { <http://x/1> ?p ?o }'
"$THRESH" kb query facts.kb --format tsv 'SELECT ?t ?n { ?s <http://x/title> ?t OPTIONAL { ?s <http://x/size> ?n } } ORDER BY ?s'
"$THRESH" kb query facts.kb --format turtle 'CONSTRUCT { ?s a <http://x/Page> } { ?s <http://x/title> ?t } ORDER BY ?s' | tail -2
"$THRESH" kb query facts.kb 'SELECT ?s WHERE { ?s ?p }'; echo "syntax: $?"
"$THRESH" kb query facts.kb --rows 1 --format csv 'SELECT ?s { ?s ?p ?o }' | head -1; "$THRESH" kb query facts.kb --rows 1 --format csv 'SELECT ?s { ?s ?p ?o }' > /dev/null; echo "limit: $?"
"$THRESH" kb update facts.kb 'DELETE WHERE { <http://x/1> ?p ?o } ; INSERT DATA { GRAPH <http://x/g> { <http://x/3> <http://x/title> "Three" } }'
"$THRESH" kb dump facts.kb
"$THRESH" kb query nothing.kb 'ASK {}'; echo "missing: $?"
"$THRESH" kb query --data pages.nt 'ASK {}'; echo "bad data: $?"
"$THRESH" kb check facts.kb; echo "check: $?"
"$THRESH" kb stats facts.kb | sed 's/bytes on disk.*/bytes on disk/'
awk 'BEGIN { for (i = 0; i < 60000; i++) printf "<http://example.org/resource/%d> <http://example.org/vocabulary#p%d> \"value number %d\" .\n", i / 5, i % 5, i }' > many.nt
"$THRESH" kb load -q big.kb many.nt; "$THRESH" kb check big.kb
"$THRESH" kb stats big.kb | head -5
spo=$(ls big.kb/*.spo); printf x | dd of="$spo" bs=1 seek=5000 conv=notrunc 2> /dev/null
"$THRESH" kb check big.kb; echo "damaged: $?"
"$THRESH" kb query big.kb 'SELECT (COUNT(?o) AS ?n) { ?s ?p ?o }'; echo "damaged query: $?"
"$THRESH" kb load other.kb nowhere.nt 2>&1 | sed 's/ in .*s,.*;/ in a moment;/'
printf 'no gzip' >damaged.nt.gz
"$THRESH" kb load other.kb damaged.nt.gz 2>&1 | sed 's/ in .*s,.*;/ in a moment;/'
