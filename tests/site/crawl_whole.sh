# A small web with every trap and every trouble: the crawl ends by itself, finds every page that must be
# kept, breaks no limit that the server notices, and no trap takes it far. bench/crawl_whole.sh is the large one.
. "$TESTS/site/web.sh.inc"
serve --pages 100 --hosts 5 --seed 21 --trouble all --no-crawl-delays

"$THRESH" crawl seeds.txt -o out --hosts hosts.txt --ca-file ca.pem --allow-private --scope any \
	--delay 5ms --delay-factor 0 --per-host 3 --domain-delay 2ms --per-domain 6 --address-delay 0 --per-address 12 \
	--backoff 50ms --backoff-max 200ms --connect-timeout 10s --first-byte-timeout 8s --timeout 16s --max-body 256k -q 2>err.txt
code=$?
[ $code = 0 ] || [ $code = 3 ] || { echo "exit $code"; cat err.txt; exit 1; }
kill $server
wait $server
trap - EXIT
"$THRESH" testweb score out -m truth.tsv -l requests.tsv --per-host 3 --per-address 12 --delay 5ms \
	--min-found 100% --max-violations 0 >score.txt || { cat score.txt; exit 1; }
traps=$(awk '$1 == "trap" { n = $NF > n ? $NF : n } END { print n + 0 }' score.txt)
# Five sites with a trap of each kind, where a path has a hundred requests for nothing.
[ "$traps" -gt 0 ] && [ "$traps" -lt 1500 ] || { echo "a trap took $traps requests"; cat score.txt; exit 1; }
"$THRESH" warc check out/archive/*.warc.gz >check.txt || { cat check.txt; exit 1; }
