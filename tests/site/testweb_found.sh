# A crawl of a web without traps comes to its end, loses nothing that must be kept, and annoys nobody.
set -eu
. "$TESTS/site/web.sh.inc"
cd "$TMP"
serve --pages 200 --hosts 8 --seed 5 --no-crawl-delays --traps none --alias-share 5%
"$THRESH" crawl seeds.txt -o crawl --hosts hosts.txt --ca-file ca.pem --allow-private --scope any \
	--delay 0 --delay-factor 0 --domain-delay 0 --address-delay 0 --max-time 240s -q >crawl.txt 2>&1 || true
kill $server
wait $server || true
trap - EXIT
"$THRESH" testweb score crawl --manifest truth.tsv --log requests.tsv --min-found 99% --max-violations 0 >score.txt ||
	{ cat crawl.txt score.txt; exit 1; }
"$THRESH" status crawl >status.txt
grep -q '^ended: nothing left to fetch' status.txt && grep -q ' 0 queued, .* 0 in flight' status.txt ||
	{ cat status.txt; exit 1; }
