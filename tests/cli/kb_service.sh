# SERVICE asks another endpoint on a host that was allowed, and no other.
echo '<http://x/a> <http://x/p> <http://x/b> .' > near.nt
echo '<http://x/b> <http://x/name> "far away" .' > far.nt
"$THRESH" kb load -q far.kb far.nt
"$THRESH" kb serve far.kb --port 0 2> serve.log &
server=$!
for i in $(seq 100); do grep -qs http serve.log && break; sleep 0.05; done
url=$(sed -n 's|^\(http://[^/]*\)/.*|\1|p' serve.log)
query="SELECT ?n { ?s <http://x/p> ?o SERVICE <$url/sparql> { ?o <http://x/name> ?n } }"
"$THRESH" kb query --data near.nt --format csv --service 127.0.0.1 "$query" | tr -d '\r'
"$THRESH" kb query --data near.nt --format csv "$query" 2>&1 | sed 's|1:[0-9]*/|1:PORT/|'
"$THRESH" kb query --data near.nt --format csv --service other.example "$query" 2>&1 | sed 's|1:[0-9]*/|1:PORT/|'
kill $server; wait $server; echo "serve: $?"
