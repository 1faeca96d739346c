# Links of duplicates: followed, until what they lead to on a site has turned out to be duplicates again.
die() { echo "failed: $*"; exit 1; }
mkdir site && cd site || exit 1
# Four texts, for what most pages of a site say is its template.
text() {
	awk -v s=$((20 + $1 % 4)) 'BEGIN { srand(s); for (i = 0; i < 80; i++) { w = ""
		for (c = 0; c < 6; c++) w = w sprintf("%c", 97 + int(rand() * 26)); printf "%s ", w } }'
}
name() { printf '%s' "$1" | md5sum | tr -d '0-9 -' | cut -c1-12; } # letters only: no two look alike
for i in $(seq 600); do
	echo "<!doctype html><title>copy</title><p>$(text $i)</p>"
	for k in $((2 * i)) $((2 * i + 1)); do [ $k -gt 600 ] || echo "<a href=\"$(name $k).html\">on</a>"; done
	[ $i != 3 ] || echo '<a href="only.html">on</a>'
done | awk -v RS='<!doctype' 'NR > 1 { print "<!doctype" $0 > ("page." NR - 1) }'
for i in $(seq 600); do mv page.$i "$(name $i).html"; done
echo '<!doctype html><title>only</title><p>what is said here stands nowhere else, though only a copy leads to it</p>' >only.html
echo "<!doctype html><title>front</title><p>the front page has some words, too</p><a href='$(name 1).html'>in</a>" >index.html
cd .. || exit 1
python3 -u -m http.server --bind 127.0.0.1 --directory site 0 >port.txt 2>/dev/null &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 100); do grep -q port port.txt && break; sleep 0.1; done
base=http://127.0.0.1:$(grep -oE 'port [0-9]+' port.txt | tr -dc 0-9)
asked() {
	"$THRESH" crawl "$base/" -o "$1" --delay 0 --delay-factor 0 --domain-delay 0 --address-delay 0 -q --no-rules --template-first 500 \
		--duplicate-links "$1" || [ $? = 7 ] || die "exit $?"
	awk '$2 == 200 && $4 ~ /html/' "$1/crawl.log" | wc -l
}
follow=$(asked follow) by_yield=$(asked yield) ignore=$(asked ignore)
echo "asked: follow $follow, yield $by_yield, ignore $ignore"
[ "$ignore" -le 12 ] || die "ignored links were followed"
[ "$by_yield" -gt 50 ] && [ $((3 * by_yield)) -lt $((2 * follow)) ] || die "the yield decides nothing"
grep -q only.html yield/crawl.log || die "the page that only a copy leads to was lost"
exit 0
