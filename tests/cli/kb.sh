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
