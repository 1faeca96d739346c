# Two hundred clients, slow ones, malformed and oversized bodies, wrong tokens: clear errors, no leak, and the crawl goes on.
. "$TESTS/site/web.sh.inc"
. "$TESTS/site/serve.sh.inc"
serve --pages 300 --hosts 2 --seed 4 --no-crawl-delays
trap 'kill $server $crawl 2>/dev/null' EXIT
listen out seeds.txt ${FAST/--delay 0/--delay 100ms} --per-host 1 --per-domain 1
done_of() { grep -o '"done":[0-9]*' out/state/status.json | cut -d: -f2; }
until_true 20 '[ "$(done_of)" -gt 3 ]' || exit 1
before=$(done_of)
timeout 120 python3 "$TESTS/site/serve_hostile.py" "${at#http://}" "$token" $crawl || exit 1
until_true 20 "[ \$(done_of) -gt $((before + 10)) ]" || die "the crawl stood still"
demand POST /stop >stop.txt
wait $crawl
[ $? = 130 ] || { tail -30 out.txt; die "it did not end well"; }
