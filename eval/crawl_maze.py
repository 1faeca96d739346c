#!/usr/bin/env python3
"""crawl_maze.py DIR PORTFILE LOG - serve a checkout of the public crawl maze; every path asked for is a line of LOG.

crawl_maze.py --score DIR LOG - how many of the targets were requested; a route with something behind it is that route.

DIR is the checkout (test-cases/, templates/, blueprints/).  Nothing of it is copied here: folders are listed, pages are
sent as they are, and the places where its templates ask for their own address get it.
"""
import html
import http.server
import json
import mimetypes
import pathlib
import random
import re
import sys
import urllib.parse



def score(root, log_name):
    targets = json.loads((pathlib.Path(root) / "blueprints/utils/resources/expected-results.json").read_text())
    paths = {line.split(" ", 1)[1].strip() for line in open(log_name)}
    found = {t for t in targets if t in paths or any(x.startswith(t + "/") for x in paths)}
    print("found %d of %d" % (len(found), len(targets)))
    for t in targets:
        if t not in found:
            print("  not found:", t)


if sys.argv[1] == "--score":
    score(*sys.argv[2:])
    sys.exit(0)
root = pathlib.Path(sys.argv[1])
cases, blueprints = root / "test-cases", root / "blueprints"
expected = set(json.loads((blueprints / "utils/resources/expected-results.json").read_text()))
log = open(sys.argv[3], "a", buffering=1)
WORDS = [c + v + d for c in "bdfgklmnprst" for v in "aeiou" for d in "lmnrstx"]
HEADERS = {
    "content-location": (201, "Content-Location", "/test/headers/content-location.found"),
    "link": (200, "Link", '</test/headers/link.found>; rel="preload"'),
    "location": (301, "Location", "/test/headers/location.found"),
    "refresh": (200, "Refresh", "999; url=/test/headers/refresh.found"),
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 1  # who speaks TLS here is not kept waiting

    def send(self, body, kind="text/html; charset=utf-8", status=200, fields=()):
        body = body if isinstance(body, bytes) else body.encode()
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(body))), *fields):
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def fill(self, text):
        home = "http://" + self.headers.get("Host", "") + "/"
        text = re.sub(r'\{\{ *url_for\("index", *_external=True, *_scheme=""\) *\}\}', home[5:], text)
        return re.sub(r'\{\{ *url_for\("index", *_external=True\) *\}\}', home, text)

    def made(self, path):
        """What the original makes by program, by path; None when it is a file or a folder."""
        home = "http://" + self.headers.get("Host", "") + "/"
        script = "application/javascript"
        return {
            "/robots.txt": ("User-agent: *\nDisallow: /test/misc/known-files/robots.txt.found", "text/plain"),
            "/sitemap.xml": (self.fill((root / "templates/sitemap.xml").read_text()), "application/xml"),
            "/": ((root / "templates/index.html").read_text(), "text/html"),
            "/css/font-face.css": ("@font-face{font-family: leak;src: url(" + home + "test/css/font-face.found);}", "text/css"),
            "/javascript/misc/comment.js": ("// " + home + "test/javascript/misc/comment.found", script),
            "/javascript/misc/string-variable.js": ('var url = "' + home + 'test/javascript/misc/string-variable.found";', script),
            "/javascript/misc/string-concat-variable.js": ('var domain = "' + home + '";var path = "test/javascript/misc/'
                                                           'string-concat-variable.found";var full = domain + path;', script),
        }.get(path)

    def folder(self, path, at):
        rows = "".join('<li><a href="%s%s">%s</a></li>' % (html.escape(path), n, n)
                       for n in (f.name + ("" if f.suffix == ".html" else "/") for f in sorted(at.iterdir())))
        return "<h1>" + html.escape(path[1:]) + "</h1><ul>" + rows + "</ul>"

    def page(self, path):
        part = path.strip("/").split("/")
        if part[0] == "headers" and len(part) == 2 and part[1] in HEADERS:
            status, name, value = HEADERS[part[1]]
            file = blueprints / "headers/templates" / (part[1] + "-header.html")
            return self.send(file.read_text() if file.exists() else "", status=status, fields=[(name, value)])
        if part[:2] == ["html", "misc"] and (file := blueprints / "html/templates" / "/".join(part[2:4] + [])).with_suffix(".html").is_file():
            return self.send(self.fill(file.with_suffix(".html").read_text()))
        if part[:2] == ["javascript", "frameworks"] and len(part) > 2:
            file = cases / path.strip("/")
            file = file if file.is_file() else cases / "/".join(part[:3]) / "index.html"
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            return self.send(file.read_bytes(), kind) if file.is_file() else self.send("no", status=404)
        at = cases / path.strip("/")
        if at.is_dir():
            return self.send(self.folder(path if path.endswith("/") else path + "/", at))
        return self.send(at.read_bytes()) if at.is_file() else self.send("no such page", "text/plain", 404)

    def do_GET(self):
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        log.write(self.command + " " + path + "\n")
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        made = self.made(path)
        if made:
            return self.send(*made)
        if path.startswith("/test/"):
            return self.send(" ".join(random.Random(path).sample(WORDS, 200)) if path in expected else "no", "text/html", 200 if path in expected else 404)
        if ".." in path:
            return self.send("no", status=404)
        return self.page(path)

    do_POST = do_PUT = do_DELETE = do_HEAD = do_GET

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
pathlib.Path(sys.argv[2]).write_text(str(server.server_port))
server.serve_forever()
