# Clusters out of an archive and out of an index, and rules out of those.
put() { # uri status headers body
	printf 'HTTP/1.1 %s OK\r\n%bContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s' "$2" "$3" ${#4} "$4" >block
	printf 'WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%08d-0000-4000-8000-000000000000>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: %s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n' $((++nr)) "$1" "$(stat -c %s block)" >>a.warc
	cat block >>a.warc
	printf '\r\n\r\n' >>a.warc
}
nr=0
for i in 1 2 3; do
	put "http://a.org/p$i?sid=1" 200 "" "<p>page $i</p>"
	put "http://a.org/p$i?sid=2" 200 "" "<p>page $i</p>"
done
put http://a.org/Print 200 "" '<link rel=canonical href="/print"><p>x</p>'
put http://a.org/print 200 "" '<p>another text</p>'
put http://a.org/old 301 "Location: /new\r\n" ""
put http://a.org/new 200 "" '<p>new</p>'
for host in a b; do put "http://$host.org/robots.txt" 200 "" 'User-agent: *'; done # no pages
put http://a.org/gone 404 "" '<p>page 1</p>'
"$THRESH" rules clusters a.warc
echo "-- with redirects"; "$THRESH" rules clusters --by redirect a.warc | grep -v '^-'
text=$(for i in $(seq 60); do printf 'word%d and some more %d ' $i $((i * 7)); done)
put "http://b.org/article?from=home" 200 "" "<p>$text</p><p>Seen by 17 people</p>"
put "http://b.org/article?from=list" 200 "" "<p>$text</p><p>Seen by 18 people today</p>"
put "http://b.org/other" 200 "" "<p>Something else is said on this page, and it is long enough to be compared.</p>"
echo "-- nearly the same"; "$THRESH" rules clusters --by near a.warc | grep b.org
mkdir -p crawl/archive && cp a.warc crawl/archive/0.warc
"$THRESH" rules clusters --by near crawl | grep b.org
echo "-- rules"; "$THRESH" rules clusters a.warc | "$THRESH" rules learn --known none --min-freq 2 --min-support 2 - 2>/dev/null
echo "-- from an index"
printf 'org,%s)/robots.txt 2026 {"url":"http://%s.org/robots.txt","digest":"sha1:R","status":"200"}\n' a a b b >i.cdxj
printf 'org,a)/x 2026 {"url":"http://a.org/x?s=1","digest":"sha1:A","status":"200"}\norg,a)/x 2026 {"url":"http://a.org/x?s=2","digest":"sha1:A","status":"200"}\norg,a)/y 2026 {"url":"http://a.org/y","digest":"sha1:B","status":"404"}\n' >>i.cdxj
"$THRESH" rules clusters i.cdxj
"$THRESH" rules clusters nothing.warc; echo "exit $?"
"$THRESH" rules clusters --by smell a.warc; echo "exit $?"
