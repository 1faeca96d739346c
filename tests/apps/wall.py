#!/usr/bin/env python3
"""wall.py PORTFILE LOG - an application that writes, and beside it another service; every request is a line of LOG.

The application (its port is the first line of PORTFILE) asks the other service in every way a page has, sends a POST
by a script, a form and a button, and DELETE by a button that does not look like it.  3 states, reached by a form that
signs in: without an answer to its POST nothing is behind it.
"""
import http.server
import sys
import threading

PAGE = """<!doctype html><title>Wall</title><main><a href="/in">Members</a>
<form method=post action="/sign-in"><input name=user><input type=hidden name=csrf value="%d"><button>Sign in</button></form></main>
<img src="http://127.0.0.1:%d/image" alt=""><iframe src="http://localhost:%d/frame"></iframe>
<script>
  const other = 'http://127.0.0.1:%d';
  fetch(other + '/fetch').catch(() => 0); fetch(other + '/post', { method: 'POST', body: 'x' }).catch(() => 0);
  navigator.sendBeacon(other + '/beacon', 'x'); window.open(other + '/popup'); new Worker('/worker.js');
</script>"""
MEMBERS = """<!doctype html><title>Members</title><h1 class=in>Members</h1><p><button id=more>More</button> <button id=odd>Tidy</button></p><section></section>
<script>
  const show = (c) => { document.querySelector('section').innerHTML = '<p class=' + c + '>' + c + '</p>'; };
  document.getElementById('more').onclick = () => fetch('/add', { method: 'POST', body: JSON.stringify({ n: 1 }) }).then((r) => r.text()).then(show);
  document.getElementById('odd').onclick = () => fetch('/thing/7', { method: 'DELETE' }).then(() => show('gone'), () => show('kept'));
</script>"""
count = 0


class Handler(http.server.BaseHTTPRequestHandler):
    def reply(self):
        global count
        where = "app" if self.server.server_port == app.server_port else "other"
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        log.write("%s %s %s\n" % (where, self.command, self.path))
        count += 1
        known = "session=yes" in (self.headers.get("Cookie") or "")
        status, fields, text = 200, [], "ok"
        if self.path == "/sign-in":
            status, fields = 302, [("Location", "/in"), ("Set-Cookie", "session=yes; Path=/")]
        elif self.path == "/in":
            text = MEMBERS if known else "<h1 class=out>Strangers</h1><a href=/>back</a>"
        elif self.path == "/worker.js":
            text = "fetch('http://127.0.0.1:%d/worker').catch(() => 0)" % other.server_port
        elif self.path == "/add":
            text = "added"
        elif self.path == "/":
            text = PAGE % (count, other.server_port, other.server_port, other.server_port)
        self.send_response(status)
        for name, value in [("Content-Type", "text/javascript" if self.path.endswith(".js") else "text/html"), ("Content-Length", str(len(text)))] + fields:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    do_GET = do_POST = do_PUT = do_DELETE = do_OPTIONS = reply

    def log_message(self, *args):
        pass


log = open(sys.argv[2], "a", buffering=1)
app = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=other.serve_forever, daemon=True).start()
open(sys.argv[1], "w").write("%d\n%d\n" % (app.server_port, other.server_port))
app.serve_forever()
