# The ten questions of doc/knowledge-base.md, asked of a small crawl.
cat > crawl.trig <<S
@prefix schema: <https://schema.org/> . @prefix prov: <http://www.w3.org/ns/prov#> . @prefix sioc: <http://rdfs.org/sioc/ns#> .
@prefix t: <https://thresh.invalid/vocab#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix f: <http://forum.example/> .
<http://crawl.example/1> {
	f: a schema:WebPage ; schema:name "Forum" ; schema:isPartOf f: ; t:application "phpBB" ; t:status 200 ; t:linksTo <http://forum.example/t/1>, <http://gone.example/> .
	<http://forum.example/t/1> a schema:WebPage ; schema:name "Topic" ; schema:isPartOf f: ; t:application "phpBB" ; t:status 200 ;
		t:linksTo <http://forum.example/t/2>, <http://gone.example/> ; prov:wasDerivedFrom <urn:uuid:aaa> ; prov:generatedAtTime "2026-01-01T10:00:00Z"^^xsd:dateTime .
	<http://forum.example/t/2> a schema:WebPage ; schema:name "Topic, again" ; schema:isPartOf f: ; t:status 200 ; t:duplicateOf <http://forum.example/t/1> ; t:linksTo f: .
	<http://blog.example/x> a schema:WebPage ; schema:isPartOf <http://blog.example/> ; t:application "WordPress" ; t:status 404 .
	<http://forum.example/t/1#p1> a sioc:Post ; sioc:has_creator <http://forum.example/u/ann> ; schema:dateCreated "2025-12-01T00:00:00Z"^^xsd:dateTime .
	<http://forum.example/t/1#p2> a sioc:Post ; sioc:has_creator <http://forum.example/u/ann> ; schema:dateCreated "2025-12-03T00:00:00Z"^^xsd:dateTime .
	<http://forum.example/t/1#p3> a sioc:Post ; sioc:has_creator <http://forum.example/u/bob> ; schema:dateCreated "2025-12-02T00:00:00Z"^^xsd:dateTime .
	<https://thresh.invalid/vocab#rule/sid> a t:Rule ; schema:name "drop sid" ; t:pattern "sid=*" ; t:skipped 120 .
	<https://thresh.invalid/vocab#rule/print> a t:Rule ; schema:name "drop print" ; t:pattern "print=1" ; t:skipped 12 .
}
<http://crawl.example/2> {
	<http://forum.example/t/1> a schema:WebPage ; schema:name "Topic (solved)" ; schema:isPartOf f: ; prov:wasDerivedFrom <urn:uuid:bbb> ; prov:generatedAtTime "2026-02-01T10:00:00Z"^^xsd:dateTime .
}
S
"$THRESH" kb load -q crawl.kb crawl.trig || exit 1
prefixes='PREFIX schema: <https://schema.org/> PREFIX prov: <http://www.w3.org/ns/prov#> PREFIX sioc: <http://rdfs.org/sioc/ns#> PREFIX t: <https://thresh.invalid/vocab#> '
n=0
awk '/^```sparql/ { n++; on = 1; next } /^```/ { on = 0 } on { print > "q" n ".rq" }' "$(dirname "$TESTS")/doc/knowledge-base.md"
for n in 1 2 3 4 5 6 7 8 9 10; do
	echo "-- $n"
	"$THRESH" kb query crawl.kb --format csv "$prefixes $(cat q$n.rq)" | tr -d '\r'
done
