#!/usr/bin/env python3
"""serve.py FILE PORTFILE - FILE for every path, as servers of single-page applications do; JSON for /*.json."""
import http.server
import pathlib
import sys

page = pathlib.Path(sys.argv[1]).read_bytes()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        is_json = self.path.endswith(".json")
        body = b'{"some": "data"}' if is_json else page
        self.send_response(200)
        self.send_header("Content-Type", "application/json" if is_json else "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
pathlib.Path(sys.argv[2]).write_text(str(server.server_port))
server.serve_forever()
