# A small site of files: types that are refused are not downloaded, junk guesses end, queries keep the page's charset, a report is written.
die() { echo "failed: $*"; exit 1; }
mkdir site && cd site || exit 1
head -c 3000000 /dev/zero >film.mp4
printf 'plain\n' >note.txt
{
	echo '<!doctype html><meta charset=iso-8859-1><title>front</title><p>a page of some words about nothing much</p>'
	printf '<a href="film.mp4">film</a> <a href="note.txt">note</a> <a href="two.html?q=caf\351">caf\351</a>'
	for i in $(seq 60); do echo "<a href='p$i.html'>$i</a>"; done
} >index.html
for i in $(seq 60); do
	{
		echo "<!doctype html><title>page $i</title><p>this is the page number $i, which says that $i times $i is $((i * i))</p><script>"
		for j in $(seq 8); do echo "load('/junk/$i/$j.html');"; done
		echo '</script>'
	} >p$i.html
done
cd .. || exit 1
python3 -u -m http.server --bind 127.0.0.1 --directory site 0 >port.txt 2>requests.txt &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 100); do grep -q port port.txt && break; sleep 0.1; done
base=http://127.0.0.1:$(grep -oE 'port [0-9]+' port.txt | tr -dc 0-9)
QUICK="--delay 0 --delay-factor 0 --domain-delay 0 --address-delay 0 -q --no-rules"
"$THRESH" crawl "$base/" -o out $QUICK --mime '-video/*' || [ $? = 7 ] || die "exit $?"

awk '$4 ~ /film.mp4/ && $2 == 200 && $3 == 0 && $12 ~ /mime/' out/crawl.log | grep -q . || { grep film out/crawl.log; die "the film was downloaded"; }
grep '"rule":"mime"' out/skipped.jsonl | grep -q 'film.mp4.*refused by -video/\*' || die "the ledger does not say"
"$THRESH" why out "$base/film.mp4" | grep -q 'not downloaded, refused by -video/' || die "why does not say"
[ "$(du -sk out/archive | cut -f1)" -lt 1000 ] || die "something large was stored"
awk '$4 ~ /note.txt/ && $3 > 0' out/crawl.log | grep -q . || die "another type was refused"

junk=$(grep -c '/junk/' out/crawl.log)
[ "$junk" -ge 8 ] && [ "$junk" -lt 200 ] || die "$junk guesses of 480 were asked"
grep -q '"rule":"guess"' out/skipped.jsonl || die "queued guesses were not dropped"
[ "$(awk '$2 == 200 && $4 ~ /\/p[0-9]+\.html/' out/crawl.log | wc -l)" = 60 ] || die "pages are missing"
# After a resume they stay junk.
"$THRESH" crawl out "$base/p1.html" -q --recrawl --revisit 0
[ "$(grep -c '/junk/' out/crawl.log)" -le $((2 * junk)) ] || die "guessed again after a resume"

grep -q 'GET /two.html?q=caf%E9 ' requests.txt || { grep two.html requests.txt; die "the query is not in the charset of its page"; }
grep -q '</html>' out/report.html || die "no report"
"$THRESH" crawl "$base/" -o only $QUICK --mime text/html --no-report
[ -e only/report.html ] && die "a report although not wanted"
awk '$4 ~ /note.txt/ && $12 ~ /mime/' only/crawl.log | grep -q . || die "what is not listed was taken"
# Without an archive the same pages are found, told and remembered.
"$THRESH" crawl "$base/" -o bare $QUICK --no-warc --per-host 16 --per-domain 16 --per-address 16 || [ $? = 7 ] || die "exit $? without an archive"
[ "$(awk '$2 == 200 && $4 ~ /\/p[0-9]+\.html/' bare/crawl.log | wc -l)" = 60 ] || die "pages are missing without an archive"
digests() { awk '$4 ~ /\/p[0-9]+\.html/ { print $4, $10 }' "$1/crawl.log" | sort; }
digests only | grep -c sha1: | grep -qx 60 || die "pages without a digest"
[ "$(digests bare)" = "$(digests only)" ] || die "other digests without an archive"
[ "$(find bare/archive -size +0 -name '*.warc*' | wc -l)" = 0 ] || die "an archive although not wanted"
"$THRESH" why bare "$base/p7.html" | grep -q 200 || die "p7 is not remembered without an archive"
"$THRESH" crawl "$base/" -o bad $QUICK --mime html 2>said && die "html is no type"
grep -q "'html' is no media type" said || { cat said; die "not said"; }
# Who stays asks again by himself, until told to stop.
"$THRESH" crawl "$base/note.txt" -o stay $QUICK --scope page --stay --revisit 1s --revisit-min 1s &
crawl=$!
for _ in $(seq 300); do
	[ "$(grep -c 'note.txt.*unchanged' stay/crawl.log 2>/dev/null)" -ge 2 ] 2>/dev/null && break
	sleep 0.1
done
kill -INT $crawl; wait $crawl
[ "$(grep -c 'note.txt.*unchanged' stay/crawl.log)" -ge 2 ] || { cat stay/crawl.log; die "not asked again"; }
"$THRESH" warc check out/archive/*.warc.gz stay/archive/*.warc.gz
