#!/usr/bin/env python3
"""frames.py PORTFILE - a page with a frame of another host, which has a frame of the first host again.

The page is at 127.0.0.1, its frame at localhost, so that the browser may give them two processes.
8 states: the frame shows one of 2 pages, its inner box is open or shut, the inner frame was clicked or not.
Served as: / the page, /inner the frame, /deep the frame in the frame.
"""
import http.server
import pathlib
import sys

PAGES = {
    "/": """<!doctype html><title>Frames of other hosts</title><h1>Outer</h1><p style="height:900px">tall</p>
<iframe id=f width=500 height=300 style="border:7px solid"></iframe><script>f.src = 'http://localhost:' + location.port + '/inner';</script>""",
    "/inner": """<!doctype html><title>Inner</title><p class=first>in the frame</p>
<button id=b>open</button><a href="/inner?two">two</a><a href="http://elsewhere.example/">leaves</a>
<iframe id=f width=200 height=60></iframe><script>
  f.src = 'http://127.0.0.1:' + location.port + '/deep';
  if (location.search) document.querySelector('p').className = 'second';
  b.onclick = () => { b.className = b.className ? '' : 'opened'; };
</script>""",
    "/deep": """<!doctype html><title>Deep</title><span id=s>press</span><script>s.addEventListener('click', () => setTimeout(() => { s.className = 'pressed'; }, 300));</script>""",
}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        page = PAGES.get(self.path.split("?")[0])
        self.send_response(200 if page else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write((page or "nothing").encode())

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("", 0), Handler)
pathlib.Path(sys.argv[1]).write_text(str(server.server_port))
server.serve_forever()
