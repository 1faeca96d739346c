#!/usr/bin/env python3
"""feed.py FILE PORTFILE - FILE for every path, with a WebSocket feed at /feed that floods whoever listens and a service worker at /worker.js."""
import base64
import hashlib
import http.server
import pathlib
import sys
import time

page = pathlib.Path(sys.argv[1]).read_bytes()
WORKER = b"self.addEventListener('install', () => self.skipWaiting());self.addEventListener('activate', (e) => e.waitUntil(clients.claim()));" \
         b"self.addEventListener('fetch', (e) => e.respondWith(new Response('<h1>of the worker</h1>', { headers: { 'Content-Type': 'text/html' } })));"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def feed(self):
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        self.close_connection = True
        for i in range(100000):
            text = b"feed %d" % i
            self.wfile.write(bytes((0x81, len(text))) + text)
            time.sleep(0.001)

    def do_GET(self):
        if self.headers.get("Upgrade", "").lower() == "websocket":
            try:
                return self.feed()
            except OSError:
                return None
        script = self.path == "/worker.js"
        body = WORKER if script else page
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if script else "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
pathlib.Path(sys.argv[2]).write_text(str(server.server_port))
server.serve_forever()
