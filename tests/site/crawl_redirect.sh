# Redirects between URLs that a rule takes for one page: the first has no page, so the second is asked, whether it was met before or not.
die() { echo "failed: $*"; exit 1; }
cat >server.py <<'P'
import http.server, re
def links(kinds, more):
    return more + [f"/{k}-{n}?utm_source={s}" for k in kinds for n in range(12) for s in ("a" if k == "alone" else "ab")]
# The first pages prove the rule; the redirects are met after that.
LISTS = {"/": links(["proof"], ["/far"]), "/far": ["/farther"], "/farther": ["/redirects"], "/redirects": links(["alone", "both"], [])}
class Site(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        m = re.match(r"/(proof|alone|both)-(\d+)[?]utm_source=([ab])$", self.path)
        if m and m[1] != "proof" and m[3] == "a":
            self.send_response(301)
            self.send_header("Location", self.path[:-1] + "b")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        text = "".join(f"<a href='{l}'>{l}</a> " for l in LISTS.get(self.path, []))
        if m:
            text = f"<p>{m[1]} {m[2]} " + " ".join(f"word{m[1]}{int(m[2]) * 97 + i}" for i in range(80))
        self.send_response(200 if text else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())
    def log_message(self, *a): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
print(server.server_address[1], flush=True)
server.serve_forever()
P
python3 server.py >port.txt &
server=$!
trap 'kill $server 2>/dev/null' EXIT
for _ in $(seq 100); do [ -s port.txt ] && break; sleep 0.1; done
"$THRESH" crawl "http://127.0.0.1:$(cat port.txt)/" -o out --allow-private --delay 0 --delay-factor 0 --domain-delay 0 --address-delay 0 -q || die "exit $?"
grep -q '"rule":"drop utm_' out/skipped.jsonl || die "the rule was not used"
for kind in alone both; do
	n=$(awk -v k="/$kind-[0-9]+[?]utm_source=b$" '$2 == 200 && $4 ~ k { print $4 }' out/crawl.log | sort -u | wc -l)
	[ "$n" = 12 ] || { grep "$kind" out/crawl.log; grep "$kind" out/skipped.jsonl; die "$n of 12 $kind"; }
done
exit 0
