# A compressed file is read as if it were not; one cut short is told and nothing is loaded.
awk 'BEGIN { for (i = 0; i < 70000; i++) printf "<http://example.org/resource/%d> <http://example.org/vocabulary#p%d> \"value number %d\" .\n", i / 5, i % 5, i }' > many.nt
gzip -c many.nt > many.nt.gz
"$THRESH" kb load -q plain.kb many.nt; "$THRESH" kb load -q packed.kb many.nt.gz; echo "load: $?"
ls packed.kb | grep -c tmp
"$THRESH" kb dump plain.kb | sort > a; "$THRESH" kb dump packed.kb | sort > b; cmp a b && wc -l < b
head -c 100000 many.nt.gz > cut.nt.gz
"$THRESH" kb load -q cut.kb cut.nt.gz; echo "cut: $?"
"$THRESH" kb query cut.kb --format csv 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }' | tail -1
