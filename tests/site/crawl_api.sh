# --api auto: the API of a recognised blog is read in place of its pages, with fewer requests and nothing lost; where it has less than the pages, fails or is denied, the pages are fetched; also after kill -9.
. "$TESTS/site/python.sh.inc"
serve_answers <"$TESTS/site/blog_site.py"
for h in good half closed denied killed; do echo "127.0.0.1:$port $h.test"; done >hosts.txt
crawl() { # HOST OPTIONS...
	"$THRESH" crawl "http://$1.test/" -o "$1.out" --hosts hosts.txt $AT_ONCE --retries 0 "${@:2}" 2>"$1.txt" || [ $? = 3 ] || { cat "$1.txt"; die "exit $?"; }
	zcat "$1".out/archive/*.warc.gz >"$1.all"
	grep -ao '[a-z]*[0-9]*w\(119\|39\)\b' "$1.all" | sort -u >"$1.said"
	(for i in $(seq 30); do echo "post${i}w119"; done; for i in $(seq 4); do echo "linked${i}w119"; done
	for i in $(seq 10); do echo "comment${i}w39"; done) | sort >"$1.wanted"
	comm -13 "$1.said" "$1.wanted" | grep . && die "$1: texts are lost"
	"$THRESH" status --audit "$1.out" | grep -i violation && die "$1: a violation"
	true
}
posts() { fetched "$1.out" '/post/'; }
crawl good --api auto --facts --per-host 1 --delay 80ms
[ "$(posts good)" -le 20 ] || die "$(posts good) pages were fetched although the API has them"
[ "$(grep -c '^good.test.*rest_route' requests.txt)" = 7 ] || die "not the seven requests that the lists have"
page=$(sed -n 's/.*"url":"\([^"]*\)","stage":"api","rule":"object".*/\1/p' good.out/skipped.jsonl | while read -r u; do grep -q " $u " good.out/crawl.log || echo "$u"; done | tail -1)
[ -n "$page" ] || die "the ledger has no page that the API stands for"
"$THRESH" why good.out "$page" | grep -q "^so .*API has given what it shows" || die "why does not say so"
"$THRESH" why good.out "$page" | grep -q "wordpress posts [0-9]*.*rest_route" || "$THRESH" why good.out "$page" | grep -q "rest_route" || die "why does not name the answer"
grep -q "\"page_url\":\"$page\",\"stands_for_page\":true,\"service\":\"wordpress\"" good.out/objects.jsonl || die "the object is not written down"
"$THRESH" kb query good.out/kb "SELECT ?text WHERE { GRAPH ?g { <$page> <http://www.w3.org/ns/prov#alternateOf> ?post . ?post <http://rdfs.org/sioc/ns#content> ?text } }" |
	grep -q "w119" || die "the knowledge base does not know what stands for the page"
# What an API does not have is fetched.
for h in half closed denied; do
	(crawl $h --api auto) &
	eval "$h=$!"
done
for h in half closed denied; do
	wait "${!h}" || die "$h"
	[ "$(posts $h)" = 30 ] || die "$h: $(posts $h) of 30 pages"
done
[ "$(grep -c '^hidden.*w119$' half.said)" = 30 ] || die "what only the pages show is lost"
[ "$(grep -c '^denied.test.*rest_route' requests.txt)" = 0 ] || die "robots.txt was not obeyed"
# kill -9 while the API is read and after: the answers count once, the rest goes on.
for at in 4 8; do
	before=$(grep -c '^killed.test' requests.txt)
	"$THRESH" crawl "http://killed.test/" -o killed.out --hosts hosts.txt $AT_ONCE --per-host 1 --delay 80ms --retries 0 --commit 10ms --api auto 2>/dev/null &
	pid=$!
	for _ in $(seq 500); do [ "$(grep -c '^killed.test' requests.txt)" -ge $((before + at)) ] && break; sleep 0.01; done
	kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null
done
crawl killed --api auto --per-host 1 --delay 80ms
[ "$(posts killed)" -le 24 ] || die "after kills $(posts killed) pages were fetched"
