# What is never answered is waited for once, then refused: the page's clock goes on, and the graph does not depend on our patience.
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { echo "no Chromium: skipped"; exit 0; }
"$TESTS/apps/stall.py" port &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
for wait in 1s 2s; do
	"$THRESH" states "http://127.0.0.1:$(cat port)/" -o $wait --no-screenshots --no-addresses --max-wait $wait >said 2>&1 || { cat said; exit 1; }
	grep -q '^3 states, 5 edges' said || { echo "$wait: want 3 states, 5 edges"; cat said; exit 1; }
done
cmp 1s/overview/graph.dot 2s/overview/graph.dot || exit 1
grep -q 'not answered in time' 1s/overview/index.html || { echo "nobody is told"; exit 1; }
