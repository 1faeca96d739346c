#!/usr/bin/env python3
"""traffic.py PORTFILE - an application whose requests are of every kind that an archive has to bear.

One page with three buttons: one posts, one asks for what is compressed, one for what is not there.  2 states (before and
after an answer), 6 edges.  On loading: a style, an image behind a redirection, a frame in ISO 8859-1, a worker that asks for JSON.
"""
import gzip
import http.server
import pathlib
import sys

PAGE = b"""<!doctype html><title>Traffic</title><link rel=stylesheet href=/style.css>
<img src=/moved.png width=10 height=10><iframe src=/latin width=200 height=40></iframe>
<button onclick="ask('/post', {method: 'POST', body: 'a=1&b=two'})">post</button>
<button onclick="ask('/packed')">packed</button><button onclick="ask('/nothing')">nothing</button><p></p>
<script>
  new Worker('/worker.js');
  const ask = async (url, how) => { const r = await fetch(url, how); await r.text(); document.querySelector('p').innerHTML = '<b>' + r.status + '</b>'; };
</script>"""
PIXEL = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010806000000"
                      "1f15c4890000000d49444154789c6300010000050001"
                      "0d0a2db40000000049454e44ae426082")
ANSWERS = {
    "/": (200, "text/html; charset=utf-8", PAGE, []),
    "/style.css": (200, "text/css", b"p { color: red }", []),
    "/moved.png": (302, "text/plain", b"over there", [("Location", "/pixel.png")]),
    "/pixel.png": (200, "image/png", PIXEL, []),
    "/latin": (200, "text/html; charset=iso-8859-1", "<p>caf\u00e9</p>".encode("latin-1"), []),
    "/worker.js": (200, "text/javascript", b"fetch('/worker.json').then((r) => r.text());", []),
    "/worker.json": (200, "application/json", b'{"of":"a worker"}', []),
    "/packed": (200, "application/json", gzip.compress(b'{"packed":true}', mtime=0), [("Content-Encoding", "gzip")]),
    "/post": (200, "text/plain", b"thanks", [("Set-Cookie", "seen=yes")]),
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, kind, body, fields = ANSWERS.get(self.path, (404, "text/plain", b"there is nothing", []))
        self.send_response(status)
        for name, value in [("Content-Type", kind), ("Content-Length", str(len(body))), ("Cache-Control", "no-store"), *fields]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
pathlib.Path(sys.argv[1]).write_text(str(server.server_port))
server.serve_forever()
