# Serve a small web on a free port, fetch from it with curl, stop it, score what was done.
set -eu
cd "$TMP"
"$THRESH" testweb serve --port 0 --pages 400 --hosts 16 --seed 3 --trouble all --trouble-share 0 \
	--manifest truth.tsv --log log.tsv --ca ca.pem --seeds-file seeds.txt --hosts-file hosts.txt >out.txt 2>err.txt &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT
for i in $(seq 100); do
	[ -s out.txt ] && break
	sleep 0.1
done
port=$(sed -n 's/.* at port //p' out.txt)
get() { curl -s --max-time 10 --cacert ca.pem --connect-to "::127.0.0.1:$port" "$@"; }
code() { get -o /dev/null -w '%{http_code}' "$@"; }
die() { echo "failed: $*"; exit 1; }
urls() { awk -F'\t' -v c="$1" '$3 == c { print $1 }' truth.tsv; }
# The web of "latency" delays its answers, and robots.txt may fail: only what works at once is asked here.

# every seed answers, by HTTP or TLS
while read -r url; do
	[ "$(code "$url")" = 200 ] || die "seed $url"
done <seeds.txt
grep -q '^https:' seeds.txt || die "no site by TLS"
curl -s --max-time 10 --connect-to "::127.0.0.1:$port" "$(grep -m1 '^https:' seeds.txt)" >/dev/null && die "an unknown CA is trusted"

# pages come; redirects lead to pages
for url in $(urls page | awk 'NR % 40 == 1'); do
	[ "$(code "$url")" = 200 ] || die "page $url"
done
for url in $(urls redirect | grep -v '/go/' | awk 'NR % 40 == 1'); do
	[ "$(code "$url")" = 301 ] || die "redirect $url"
	[ "$(code -L "$url")" = 200 ] || die "redirect's goal $url"
done

# an alias that is declared equal is equal, byte for byte
awk -F'\t' '$3 == "page" { u[$2] = $1 } $3 == "alias" && $8 == "equal" && u[$2] { print u[$2] "\t" $1 }' truth.tsv |
	awk 'NR % 8 == 1' >pairs.txt
[ "$(wc -l <pairs.txt)" -gt 3 ] || die "too few equal aliases"
while IFS='	' read -r a b; do
	get "$a" >a.html
	get "$b" >b.html
	cmp -s a.html b.html || die "$a and $b differ"
done <pairs.txt

# every content coding gives the same page
url=$(awk -F'\t' '$3 == "page" && $8 == "equal" { print $1; exit }' truth.tsv)
get "$url" >plain.html
seen=
for url in $(awk -F'\t' '$3 == "page" && $8 == "equal" { print $1 }' truth.tsv | awk 'NR % 30 == 1'); do
	get "$url" >plain.html
	for c in gzip br zstd; do
		get -H "Accept-Encoding: $c" -D head.txt -o packed "$url"
		if grep -qi "^content-encoding: $c" head.txt; then
			get --compressed -H "Accept-Encoding: $c" "$url" >unpacked.html
			cmp -s plain.html unpacked.html || die "$c of $url"
			seen="$seen $c"
		fi
	done
done
for c in gzip br zstd; do
	case "$seen" in *$c*) ;; *) die "$c was never used" ;; esac
done

# a changed day changes pages; what is asked twice and is the same needs no body
url=$(awk -F'\t' '$3 == "page" && $8 == "equal" && $2 ~ /item/ { print $1; exit }' truth.tsv)
tag=$(get -D - -o /dev/null "$url" | tr -d '\r' | sed -n 's/^ETag: //p')
[ "$(code -H "If-None-Match: $tag" "$url")" = 304 ] || die "no 304 for $url"
[ "$(get "http://any.test/.testweb/day/30")" = "day 30" ] || die "the day cannot be set"
get "http://any.test/.testweb/day/0" >/dev/null

# misbehaviour, each in its own way
trouble() { awk -F'\t' -v t="$1" '$3 == "trouble" && $4 == t { print $1; exit }' truth.tsv; }
exit_of() { set +e; get -o body "$@" >/dev/null; echo $?; set -e; }
[ "$(code "$(trouble 429)")" = 429 ] || die 429
[ "$(code "$(trouble 5xx)")" = 500 ] || die 5xx
[ "$(code "$(trouble 401)")" = 401 ] || die 401
[ "$(code -u a:b "$(trouble 401)")" = 200 ] || die "401 with a password"
[ "$(code "$(trouble cookies)")" = 302 ] || die cookies
[ "$(code -L -b jar -c jar "$(trouble cookies)")" = 200 ] || die "cookies with a jar"
[ "$(exit_of "$(trouble truncated)")" = 18 ] || die truncated
case "$(exit_of "$(trouble reset)")" in 52 | 56 | 18 | 35) ;; *) die reset ;; esac
[ "$(exit_of "$(trouble chunks)")" != 0 ] || die chunks
[ "$(exit_of "$(trouble length)")" != 0 ] || die length
case "$(exit_of "$(trouble headers)")" in 27 | 56 | 43 | 100) ;; *) die "headers without end" ;; esac
[ "$(exit_of --max-filesize 3000000 --max-time 2 "$(trouble body)")" != 0 ] || die "body without end"
[ "$(exit_of --max-time 1 "$(trouble drip)")" = 28 ] || die drip
get "$(trouble bomb)" -H 'Accept-Encoding: gzip' -o bomb.gz
[ "$(wc -c <bomb.gz)" -lt 3000000 ] || die "the bomb is large"
[ "$(gzip -dc <bomb.gz 2>/dev/null | head -c 100000000 | wc -c)" = 100000000 ] || die "the bomb is small"

# stop; the log has every request, and can be judged
kill -TERM $server
wait $server || die "it does not stop in order"
[ "$(head -1 log.tsv)" = "#testweb-log 1" ] || die "the log"
mkdir crawl
"$THRESH" testweb score crawl --manifest truth.tsv --log log.tsv --json >score.json
grep -q '"must_keep":[1-9]' score.json || die "the score"
"$THRESH" testweb score crawl --manifest truth.tsv --log log.tsv --min-found 99% >/dev/null && die "a bad score is good"
"$THRESH" testweb manifest --pages 400 --hosts 16 --seed 3 --trouble all --trouble-share 0 again.tsv
cmp -s truth.tsv again.tsv || die "the manifest is not the same again"
"$THRESH" testweb manifest --pages 100 --hosts 8 --kinds blog,wiki --traps none --no-crawl-delays small.tsv
grep -q '"hurry":true' small.tsv || die "an option is not in the manifest"
[ "$(awk -F'\t' '$1 == "#host" && $4 != "blog" && $4 != "wiki"' small.tsv | wc -l)" = 0 ] || die "a kind that was not asked for"
[ "$(awk -F'\t' '$3 == "trap"' small.tsv | wc -l)" = 0 ] || die "a trap that was not asked for"
"$THRESH" testweb check --pages 500 --hosts 16 --sample 5 >check.txt || { cat check.txt; die "the self-check"; }
exit 0
