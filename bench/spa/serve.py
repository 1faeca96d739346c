#!/usr/bin/env python3
"""serve.py DIST PORTFILE LOG - the applications of build.mjs, each under its own host name (react.example ...), with their JSON API.

serve.py --score DIR - how many of the 300 records per application a crawl's archive has as text of a page: of the pages as
received and of those that a browser made (--save-dom), not of the API's answers.
"""
import gzip
import html
import http.server
import json
import os
import pathlib
import random
import re
import sys

RECORDS, PER_PAGE = int(os.environ.get("RECORDS", "300")), 20
WORDS = [a + b + c for a in "bdfgklmnprstvz" for b in "aeiou" for c in ("l", "m", "n", "ra", "st", "ko")]


def record(app, nr):
    r = random.Random(f"{app} {nr}")
    return {"id": nr, "title": f"{app} record {nr}: " + " ".join(r.sample(WORDS, 5)), "text": f"{app}-{nr}-text " + " ".join(r.choices(WORDS, k=80))}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 20

    def give(self, body, kind, status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        app = self.headers.get("Host", "").split(".")[0]
        path, _, query = self.path.partition("?")
        log.write(f"{app} {self.path}\n")
        home = dist / app
        if not re.fullmatch("[a-z]+", app) or not home.is_dir():
            return self.give(b"no such application", "text/plain", 404)
        if path == "/api/records":
            first = int(re.search(r"page=(\d+)", query or "page=0").group(1)) * PER_PAGE
            return self.give(json.dumps([{k: record(app, n)[k] for k in ("id", "title")} for n in range(first, min(first + PER_PAGE, RECORDS))]).encode(), "application/json")
        if m := re.fullmatch(r"/api/records/(\d+)", path):
            return self.give(json.dumps(record(app, int(m[1]))).encode(), "application/json")
        if path in ("/app.js", "/sw.js") and (home / path[1:]).is_file():
            return self.give((home / path[1:]).read_bytes(), "text/javascript")
        if path == "/" or re.fullmatch(r"/(record|page)/\d+", path):
            return self.give((home / "index.html").read_bytes(), "text/html; charset=utf-8")
        return self.give(b"no such page", "text/plain", 404)

    def log_message(self, *args):
        pass


def score(folder):
    found = set()
    for file in pathlib.Path(folder).rglob("*.warc.gz"):
        for block in gzip.open(file).read().split(b"WARC/1."):
            head, _, rest = block.partition(b"\r\n\r\n")
            if b"application/json" not in block[:2000]:
                found |= set(re.findall(r"([a-z]+)-(\d+)-text ", html.unescape(rest.decode("utf-8", "replace"))))
    for app in ("react", "vue", "angular", "svelte"):
        print(f"{app}: {sum(1 for a, _ in found if a == app)} of {RECORDS} records")
    print(f"all: {len(found)} of {4 * RECORDS}")


if sys.argv[1] == "--score":
    score(sys.argv[2])
    sys.exit(0)
dist = pathlib.Path(sys.argv[1])
log = open(sys.argv[3], "a", buffering=1)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
pathlib.Path(sys.argv[2]).write_text(str(server.server_port))
server.serve_forever()
