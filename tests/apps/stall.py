#!/usr/bin/env python3
"""stall.py PORTFILE - an application that asks for what is never answered, with its loading and with a click.

3 states: start (waits -> an error shown), asked (the button's request failed), other.
start: ask -> asked, other -> other.  asked: ask -> asked, other -> other.  other: back -> start.  5 edges.
"""
import http.server
import pathlib
import sys
import time

PAGE = b"""<!doctype html><title>Stall</title><main></main><script>
  const main = document.querySelector('main');
  const show = (what, ...buttons) => { main.innerHTML = '<h1 class=' + what + '>' + what + '</h1>' + buttons.map((b) => '<button id=' + b + '>' + b + '</button>').join('');
    for (const b of buttons) document.getElementById(b).onclick = { ask, other, back }[b]; };
  const ask = () => fetch('/never?asked').then(() => show('answered'), () => show('asked', 'ask', 'other'));
  const other = () => show('other', 'back');
  const back = () => show('start', 'ask', 'other');
  show('waiting');
  fetch('/never?n=' + document.cookie.length).then(() => show('answered'), back);
</script>"""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path.startswith("/never"):
            time.sleep(3600)
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
pathlib.Path(sys.argv[1]).write_text(str(server.server_port))
server.serve_forever()
