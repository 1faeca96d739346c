#!/usr/bin/env python3
"""strangers.py NAME PORT DIR - serve an application from the package manager with known content.

NAME is cgit, gitweb, hgweb, fossil or calendar. DIR gets the repository, truth.tsv (kind, title,
path, sentence; the format of the zoo) and the log of the server. Runs until it is ended, and prints
"url URL" when it is ready; exits with 77 when the application is not installed. The calendar is ours:
days without end, of which a few have an event, as plug-ins of forums and blogs have them.
"""
import datetime
import http.server
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import urllib.parse

FILES, COMMITS = 24, 60
SUBJECTS = "tapir pelican jackal heron badger otter marten lynx falcon beaver".split()
VERBS = "finds mends paints counts carries hides watches trades copies moves".split()
THINGS = "anchors ropes needles lanterns barrels ladders kettles maps buckets clocks".split()
PLACES = "quarry chapel orchard harbour meadow attic bridge cellar station garden".split()
ADJECTIVES = "calm windy yellow faint velvet early mellow jolly bright narrow".split()


class Sentences:
    """Each is said once; the number makes it so, and the words make it a sentence."""

    def __init__(self):
        self.rng, self.n = random.Random(7), 0

    def next(self):
        r, self.n = self.rng, self.n + 1
        return (f"the {r.choice(ADJECTIVES)} {r.choice(SUBJECTS)} {r.choice(VERBS)} {r.choice(ADJECTIVES)} "
                f"{r.choice(THINGS)} behind the {r.choice(ADJECTIVES)} {r.choice(PLACES)} near lot {self.n * 7919}")


class Truth:
    def __init__(self, path):
        self.file = open(path, "w", encoding="utf-8")

    def add(self, kind, title, sentence):
        self.file.write(f"{kind}\t{title}\t\t{sentence}\n")

    def close(self):
        self.file.close()


def file_text(says, rng, sentence):
    """A file of some length, whose sentence is in its second half."""
    lines = [says.next() for _ in range(rng.randint(6, 20))]
    lines.insert(len(lines) * 2 // 3, sentence)
    return "\n".join(lines) + "\n"


def history(truth, commit):
    """Files that change: commit(n, changed {path: text}, message)."""
    says, rng = Sentences(), random.Random(11)
    paths = [f"{('src', 'doc', 'tools')[i % 3]}/{SUBJECTS[i % 10]}{i}.txt" for i in range(FILES)]
    last = {}
    for n in range(COMMITS):
        changed = {}
        for path in paths if n == 0 else rng.sample(paths, rng.randint(1, 3)):
            sentence = says.next()
            changed[path] = file_text(says, rng, sentence)
            if path in last:
                truth.add("old-file", path, last[path])
            last[path] = sentence
        message = says.next()
        truth.add("commit", str(n), message)
        commit(n, changed, message)
    for path, sentence in last.items():
        truth.add("file", path, sentence)


def write_files(root, changed):
    for path, text in changed.items():
        full = os.path.join(root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as f:
            f.write(text)


def when(n):
    return datetime.datetime(2024, 1, 1, 12) + datetime.timedelta(hours=31 * n)


def run(*command, **more):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)


def make_git(folder, truth):
    work = os.path.join(folder, "work")
    run("git", "init", "-q", "-b", "main", work)

    def commit(n, changed, message):
        write_files(work, changed)
        env = dict(os.environ, HOME=folder, GIT_CONFIG_NOSYSTEM="1")
        for who in "AUTHOR", "COMMITTER":
            env.update({f"GIT_{who}_NAME": f"Reader {n % 5}", f"GIT_{who}_EMAIL": f"r{n % 5}@example.org",
                        f"GIT_{who}_DATE": when(n).isoformat() + "+00:00"})
        run("git", "-C", work, "add", "-A", env=env)
        run("git", "-C", work, "commit", "-q", "-m", f"Change {n}\n\n{message}", env=env)
        if n % 12 == 5:
            run("git", "-C", work, "tag", f"v{n}", env=env)

    history(truth, commit)
    run("git", "clone", "-q", "--bare", work, os.path.join(folder, "git", "story.git"))


def make_hg(folder, truth):
    work = os.path.join(folder, "work")
    run("hg", "init", work)

    def commit(n, changed, message):
        write_files(work, changed)
        run("hg", "-R", work, "--cwd", work, "commit", "-A", "-q", "-u", f"Reader {n % 5}", "-d",
            when(n).strftime("%Y-%m-%d %H:%M +0000"), "-m", f"Change {n}\n\n{message}")

    history(truth, commit)
    return work


def make_fossil(folder, truth):
    repository, work = os.path.join(folder, "story.fossil"), os.path.join(folder, "work")
    env = dict(os.environ, HOME=folder, FOSSIL_USER="admin", USER="admin")
    os.makedirs(work)
    run("fossil", "init", "--date-override", "2023-12-31 12:00", repository, env=env)
    run("fossil", "open", repository, cwd=work, env=env)

    def commit(n, changed, message):
        write_files(work, changed)
        run("fossil", "addremove", cwd=work, env=env)
        run("fossil", "commit", "--no-warnings", "--date-override", when(n).strftime("%Y-%m-%d %H:%M"), "-m",
            f"Change {n}: {message}", cwd=work, env=env)

    history(truth, commit)
    says, rng = Sentences(), random.Random(13)
    says.n = 100000
    for i in range(24):
        name, sentence = ("scp" if i == 7 else f"{PLACES[i % 10]} {i}"), says.next()
        truth.add("wiki", name, sentence)
        run("fossil", "wiki", "create", name, "-R", repository, env=env, input=file_text(says, rng, sentence).encode())
    run("fossil", "settings", "-R", repository, "autosync", "0", env=env)
    run("fossil", "user", "capabilities", "nobody", "ghijknorwz", "-R", repository, env=env)
    return repository


class Cgi(http.server.BaseHTTPRequestHandler):
    """One program for all paths, as CGI has it (RFC 3875)."""

    protocol_version = "HTTP/1.1"
    program, variables = "", {}

    def do_GET(self):
        path, _, query = self.path.partition("?")
        env = dict(os.environ, GATEWAY_INTERFACE="CGI/1.1", REQUEST_METHOD="GET", SCRIPT_NAME="", QUERY_STRING=query,
                   PATH_INFO=urllib.parse.unquote(path), SERVER_PROTOCOL="HTTP/1.1", SERVER_NAME="127.0.0.1",
                   SERVER_PORT=str(self.server.server_port), REQUEST_URI=self.path, HTTP_HOST=self.headers.get("Host", ""),
                   **self.variables)
        answer = subprocess.run([self.program], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, check=False).stdout
        border = min((answer.find(b) for b in (b"\n\n", b"\r\n\r\n") if b in answer), default=-1)
        head, body = answer[:max(border, 0)], answer[border:].lstrip(b"\r\n") if border >= 0 else b""
        fields = [line.split(":", 1) for line in head.decode("latin-1").splitlines() if ":" in line]
        status = next((v.split()[0] for k, v in fields if k.lower() == "status"), "200")
        self.send_response_only(int(status))
        for name, value in fields:
            if name.lower() not in ("status", "content-length"):
                self.send_header(name, value.strip())
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Calendar(http.server.BaseHTTPRequestHandler):
    """Months without end, days of which one in nine has an event, and the same as a list of a week."""

    protocol_version = "HTTP/1.1"
    events = {}

    def page(self, title, body):
        nav = "<ul>" + "".join(f"<li><a href='/{x}'>{x}</a></li>" for x in ("", "about", "contact")) + "</ul>"
        return f"<!doctype html><title>{title}</title><nav>{nav}</nav><main><h1>{title}</h1>{body}</main><footer>Calendar 1.0</footer>"

    def day(self, at):
        event = self.events.get(at)
        return f"<p>{event}.</p>" if event else "<p>There is nothing planned for this day.</p>"

    def month(self, at):
        after, before = (at + datetime.timedelta(days=31)).replace(day=1), (at - datetime.timedelta(days=1)).replace(day=1)
        cells = []
        while at.month != after.month:
            cells.append(f"<td><a href='/day?y={at.year}&amp;month={at.month}&amp;day={at.day}'>{at.day}</a></td>")
            at += datetime.timedelta(days=1)
        links = " ".join(f"<a href='/?y={m.year}&amp;month={m.month}'>{m:%B %Y}</a>" for m in (before, after))
        return f"<table><tr>{''.join(cells)}</tr></table><p>{links}</p>"

    def do_GET(self):
        path, _, query = self.path.partition("?")
        values = dict(urllib.parse.parse_qsl(query))
        try:
            at = datetime.date(int(values.get("y", 2024)), int(values.get("month", 3)), int(values.get("day", 1)))
        except ValueError:
            at = None
        if at is None or path not in ("/", "/day", "/about", "/contact"):
            code, body = 404, "<p>not here</p>"
        elif path == "/":
            code, body = 200, self.page(f"{at:%B %Y}", self.month(at))
        elif path == "/day":
            code, body = 200, self.page(f"{at:%d %B %Y}", self.day(at))
        else:
            code, body = 200, self.page(path[1:], f"<p>All there is to say {path[1:]}.</p>")
        data = body.encode()
        self.send_response_only(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def make_calendar(truth):
    says, rng = Sentences(), random.Random(17)
    for i in range(150):
        at = datetime.date(2024, 1, 1) + datetime.timedelta(days=i)
        if rng.random() < 0.11:
            Calendar.events[at] = says.next()
            truth.add("event", at.isoformat(), Calendar.events[at])


def need(*programs):
    for program in programs:
        if not shutil.which(program) and not os.path.exists(program):
            print(f"strangers.py: {program} is not installed", file=sys.stderr)
            sys.exit(77)


def serve(handler, port, url):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    threading.Thread(target=lambda: print("url", url, flush=True)).start()
    server.serve_forever()


def serve_child(command, url, folder):
    with open(os.path.join(folder, "server.log"), "wb") as log:
        child = subprocess.Popen(command, stdout=log, stderr=log, env=dict(os.environ, HOME=folder))
    print("url", url, flush=True)
    try:
        child.wait()
    finally:
        child.kill()


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # the server that was started ends with us
    name, port, folder = sys.argv[1], int(sys.argv[2]), os.path.realpath(sys.argv[3])
    url = f"http://127.0.0.1:{port}/"
    needed = {"cgit": ("git", "/usr/lib/cgit/cgit.cgi"), "gitweb": ("git", "/usr/share/gitweb/gitweb.cgi"),
              "hgweb": ("hg",), "fossil": ("fossil",), "calendar": ()}
    if name not in needed:
        sys.exit(__doc__)
    need(*needed[name])
    os.makedirs(folder)
    truth = Truth(os.path.join(folder, "truth.tsv"))
    if name in ("cgit", "gitweb"):
        make_git(folder, truth)
    repository = make_hg(folder, truth) if name == "hgweb" else make_fossil(folder, truth) if name == "fossil" else ""
    if name == "calendar":
        make_calendar(truth)
    truth.close()
    settings = os.path.join(folder, "settings")
    if name == "cgit":
        with open(settings, "w", encoding="utf-8") as f:
            f.write("virtual-root=/\nrobots=index, follow\nenable-log-filecount=1\nenable-commit-graph=1\nenable-blame=1\ncss=/cgit.css\n"
                    f"repo.url=story\nrepo.path={folder}/git/story.git\n")
        Cgi.program, Cgi.variables = "/usr/lib/cgit/cgit.cgi", {"CGIT_CONFIG": settings}
        serve(Cgi, port, url)
    elif name == "gitweb":
        with open(settings, "w", encoding="utf-8") as f:
            f.write(f"our $projectroot = '{folder}/git';\n$feature{{'blame'}}{{'default'}} = [1];\n")
        Cgi.program, Cgi.variables = "/usr/share/gitweb/gitweb.cgi", {"GITWEB_CONFIG": settings}
        serve(Cgi, port, url)
    elif name == "hgweb":
        serve_child(["hg", "serve", "-R", repository, "-a", "127.0.0.1", "-p", str(port)], url, folder)
    elif name == "fossil":
        serve_child(["fossil", "server", "--localhost", "--port", str(port), repository], url, folder)
    else:
        serve(Calendar, port, url)


if __name__ == "__main__":
    main()
