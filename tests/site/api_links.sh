# Campaigns beside a crawl: ordered over HTTP, their links are fetched by the crawl within five seconds; pause, resume,
# stop; a WebSocket stream with a cursor; a second round brings nothing.
. "$TESTS/site/serve.sh.inc"
cat >web.py <<'PY'
import base64, hashlib, http.server, json, sys, time, urllib.parse
BEGIN = time.time()
def frame(data, opcode=1):
    n = len(data)
    return bytes([0x80 | opcode]) + (bytes([n]) if n < 126 else bytes([126]) + n.to_bytes(2, "big")) + data
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, form, *args):
        print("%.2f" % time.time(), self.path, file=sys.stderr, flush=True)
    def give(self, kind, text):
        self.send_response(200); self.send_header("Content-Type", kind); self.send_header("Content-Length", str(len(text)))
        self.end_headers(); self.wfile.write(text.encode())
    def stream(self, query):
        accept = base64.b64encode(hashlib.sha1((self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
        self.send_response(101); self.send_header("Upgrade", "websocket"); self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", accept.decode()); self.end_headers()
        at = int(query.get("cursor", ["0"])[0])
        try:
            self.wfile.write(frame(b"", 9))
            while True:
                while at < min(300, (time.time() - BEGIN) * 1000):
                    text = "solar %d" % at if at % 3 == 0 else "else"
                    self.wfile.write(frame(json.dumps({"did": "did:plc:a", "time_us": at, "commit": {"collection": "app.bsky.feed.post", "rkey": "k%d" % at,
                        "record": {"createdAt": "2026-11-17T05:00:00Z", "text": text}}}).encode())); at += 1
                self.wfile.flush(); time.sleep(0.02)
        except OSError:
            self.close_connection = True
    def do_GET(self):
        path, _, rest = self.path.partition("?")
        query = urllib.parse.parse_qs(rest)
        if path == "/subscribe": self.stream(query)
        elif path == "/posts": self.give("application/json", json.dumps({"items": [{"id": 1, "text": "see http://%s/linked.html and http://:x/" % self.headers["Host"]}]}))
        elif path == "/robots.txt": self.give("text/plain", "")
        elif path.startswith("/slow"): self.give("text/html", "<title>%s</title><a href=/slow%d.html>next</a>" % (path, len(path)))
        else: self.give("text/html", "<title>%s</title>" % path + "".join("<a href=/slow%d.html>s</a>" % i for i in range(400)))
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
open("port", "w").write(str(server.server_port))
server.serve_forever()
PY
python3 web.py 2>web.log &
web=$!
trap 'kill $web $crawl 2>/dev/null' EXIT
for _ in $(seq 100); do [ -s port ] && break; sleep 0.05; done
site=http://127.0.0.1:$(cat port)
mkdir -p one/services
cat >one/services/little.json <<J
{ "service": "little", "base_url": "$site", "delay": 0, "interactions": { "posts": { "kind": "post", "request": { "path": "/posts" }, "items": "items[*]",
  "id": "{id}", "map": [ { "subject": "$site/p/{id}", "a": "sioc:Post", "sioc:content": "{text}" } ], "links": [ { "url": "{text|links}", "score": 0.9 } ] } } }
J
sed 's/"slice": "10s"/"slice": "700ms"/' "$TESTS/../services/jetstream.json" >one/services/jetstream.json
listen one "$site/" --delay 200ms --allow-private
order() { demand POST /campaigns -d "$1"; }
[ "$(curl -s -o /dev/null -w '%{http_code}' -X POST -d '{"name":"a"}' "$at/campaigns")" = 401 ] || die "ordered without the token"
case $(order '{"name":"a","services":["/etc/passwd"]}') in *"no name of a service"*) ;; *) die "a path was taken as a service" ;; esac
order '{"name":"posts","services":["little"]}' | grep -q '"queued"' || die "not queued"
order "{\"name\":\"jet\",\"keywords\":[\"solar\"],\"services\":[{\"jetstream\":{\"instance\":\"ws://127.0.0.1:$(cat port)\"}}]}" >/dev/null
until_true 20 'grep -q "/linked.html" web.log' || die "the crawl did not fetch the link"
python3 - <<'PY' || die "later than five seconds"
at = {}
for line in open("web.log"):
    when, path = line.split()
    at.setdefault(path, float(when))
took = at["/linked.html"] - at["/posts"]
print("within five seconds" if took < 5 else "after %.1f s" % took)
raise SystemExit(took >= 5)
PY
until_true 20 'ask /campaigns/posts | grep -q "\"complete\""' || die "posts is not complete"
until_true 20 '[ "$(wc -l <one/campaigns/jet/items.jsonl)" = 100 ]' || die "the stream brought $(wc -l <one/campaigns/jet/items.jsonl)"
until_true 20 'ask /campaigns/jet | grep -q "\"complete\""' || die "jet is not complete"
demand POST /campaigns/posts/stop | grep -q '"stopped"' || die "not stopped"
demand POST /campaigns/posts/resume | grep -q 'POST it again' || die "resumed what was stopped"
order '{"name":"posts","services":["little"]}' >/dev/null
until_true 20 'ask /campaigns/posts | grep -q "\"round\":2,\"round_ended\":true"' || die "no second round"
[ "$(wc -l <one/campaigns/posts/items.jsonl)" = 1 ] || die "an item twice"
ask /workload | grep -q '"overall":{"pending":0' || die "no workload"
"$THRESH" why one "$site/linked.html" | head -1
demand POST /stop >/dev/null
wait $crawl || true
[ "$(sort one/campaigns/jet/items.jsonl | uniq -d | wc -l)" = 0 ] || die "an item of the stream twice"
