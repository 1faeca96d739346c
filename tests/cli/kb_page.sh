# The query page in a real browser: a link fills in the query, runs it and shows the answer;
# an update in a link is shown and not run.
browser=$(command -v chromium-headless-shell || command -v chromium || true)
[ -n "$browser" ] || { echo "no browser: skipped"; exit 0; }
echo '<http://x/a> <http://x/size> "41"^^<http://www.w3.org/2001/XMLSchema#integer> .' > g.nt
"$THRESH" kb load -q facts.kb g.nt || exit 1
"$THRESH" kb serve facts.kb --port 0 2> serve.log &
server=$!
trap 'kill $server' EXIT
for i in $(seq 100); do grep -qs http:// serve.log && break; sleep 0.1; done
at=$(grep -o 'http://[0-9.:]*' serve.log | head -1)
page() { timeout 60 "$browser" --headless --no-sandbox --disable-gpu --virtual-time-budget=10000 --user-data-dir="$TMP/profile" --dump-dom "$at/#$1" 2> /dev/null; }
page 'query=SELECT%20%3Fn%20%7B%20%3Fs%20%3Chttp%3A%2F%2Fx%2Fsize%3E%20%3Fn%20%7D' > table.html
grep -q '<td class="n">41</td>' table.html || { echo "no table"; exit 1; }
grep -q '1 row, ' table.html || { echo "no count of rows"; exit 1; }
page 'query=CONSTRUCT%20WHERE%20%7B%20%3Fs%20%3Fp%20%3Fo%20%7D&view=graph' > graph.html
grep -q '<svg.*2 nodes, 1 edges' graph.html || { echo "no graph"; exit 1; }
page 'query=SELECT%20%3Fn%20%7B%20%3Fs' > wrong.html
grep -q 'id="said"[^>]*class="bad"' wrong.html || { echo "no error"; exit 1; }
page 'query=CLEAR%20ALL' > /dev/null
"$THRESH" kb query "$TMP/facts.kb" --format csv 'ASK { ?s ?p ?o }' | grep -q true || { echo "an update was run"; exit 1; }
