# The dashboard in a real browser: what it shows, and what its buttons and keys do.
browser=$(command -v chromium-headless-shell || command -v chromium || true)
[ -n "$browser" ] || { echo "no browser: skipped"; exit 0; }
. "$TESTS/site/web.sh.inc"
. "$TESTS/site/serve.sh.inc"
serve --pages 400 --hosts 2 --seed 4 --no-crawl-delays
trap 'kill $server $crawl 2>/dev/null' EXIT
site=$(sed -n 's|^\(https*://[^/]*\).*|\1|p' seeds.txt | head -1)
listen out seeds.txt ${FAST/--delay 0/--delay 150ms} --per-host 1 --commit 50ms --per-domain 1
timeout 100 python3 "$TESTS/site/dashboard.py" "$browser" "$TMP/profile" "$at/" "$token" "$site" || exit 1
wait $crawl
[ $? = 130 ]
