# A site whose records only its scripts show: --browser never finds none of them, auto all, no URL is requested twice,
# robots.txt holds for what scripts request, static pages are not rendered, and every view under "#/" is a page.
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { echo "no Chromium: skipped"; exit 0; }
. "$TESTS/site/python.sh.inc"
serve_answers <<'P'
import json, re
SCRIPT = """
const $ = (html) => { document.getElementById('root').innerHTML = html; };
const json = (u) => fetch(u).then((r) => r.json());
const m = location.pathname.match(/record\\/(\\d+)/);
if (m) json('/api/record?id=' + m[1]).then((r) => $('<h1>' + r.title + '</h1><p>' + r.text));
else if (location.hash) $('');
else {
  let page = 0, busy = false;
  $('<main style="height:300px;overflow:auto"></main><button>Load more</button>');
  const list = document.querySelector('main');
  const more = () => json('/api/list?page=' + page++).then((l) => { for (const r of l) list.innerHTML += '<p style="height:90px"><a href="/record/' + r + '">record ' + r + ' of the list</a>'; });
  more();
  document.querySelector('button').addEventListener('click', more);
  fetch('/private/secret').catch(() => 0);
}
"""
SHELL = "<!doctype html><title>app</title><div id=\"root\"></div><script src=/app.js></script>"
VIEWS = """<!doctype html><title>views</title><nav><a href="#/one">one</a> <a href="#/two">two</a></nav><div id="app"></div><script>
addEventListener('hashchange', show); function show() { document.getElementById('app').innerHTML = '<p>view ' + (location.hash.slice(2) || 'start') + ' shows words of its own that nothing else on this site has, such as ' + 'quince '.repeat(9) + location.hash; } show();</script>"""
def answer(path, host):
    if path == "/robots.txt":
        return 200, {"Content-Type": "text/plain"}, "User-agent: *\nDisallow: /private/\n"
    if path == "/":
        return prose("front") + links(["/app/"] + ["/static/%d" % i for i in range(6)] + ["/views"])
    if not re.search(r"^/(views$|static/\d+|record/\d+|api/(list|record)[?][a-z]+=\d+|app/|app.js)$", path):
        return None
    if path.startswith("/static/"):
        return prose(path) + "<script>var x = 1;</script>" + links(["/static/%d" % ((int(path[8:]) + 1) % 30)])
    if path == "/views":
        return VIEWS
    if path == "/app/" or path.startswith("/record/"):
        return SHELL
    if path == "/app.js":
        return 200, {"Content-Type": "text/javascript"}, SCRIPT
    if path.startswith("/api/list?page="):
        n = int(path[15:]) * 4
        return 200, {"Content-Type": "application/json"}, json.dumps(list(range(n, min(n + 4, 10))))
    if path.startswith("/api/record?id="):
        return 200, {"Content-Type": "application/json"}, json.dumps({"title": "record " + path[15:], "text": prose("record", path[15:])[3:]})
    return None
P
texts() { zcat "$1"/archive/*.gz | grep -ao 'wordrecord-[0-9]*x7 ' | sort -u | wc -l; }
"$THRESH" crawl "http://127.0.0.1:$port/" -o never --browser never --save-dom $AT_ONCE || die "never: exit $?"
[ "$(texts never)" = 0 ] || die "records without a browser"
# Unless told otherwise, root renders nothing, as its browser has no sandbox, and is told what that leaves out.
if [ "$(id -u)" = 0 ]; then
	"$THRESH" crawl "http://127.0.0.1:$port/" -o plain $AT_ONCE || die "as root: exit $?"
	"$THRESH" status plain --json | grep -q '"render_wanted":[1-9]' || die "what needs a browser is not counted"
	grep -q 'rendered:' plain/crawl.log && die "root has rendered"
fi
: >requests.txt
"$THRESH" crawl "http://127.0.0.1:$port/" -o out --browser auto --save-dom --screenshots $AT_ONCE || [ $? = 3 ] || die "auto: exit $?"
zcat out/archive/*.gz >all.warc
records=$(grep -a -A30 '^WARC-Type: conversion' all.warc | grep -ao 'wordrecord-[0-9]*x7 ' | sort -u | wc -l)
[ "$records" = 10 ] || die "$records of 10 records in rendered pages"
twice=$(sort requests.txt | uniq -d)
[ -z "$twice" ] || die "requested twice: $twice"
grep -q private requests.txt && die "robots.txt was passed by"
grep -q '"url":"[^"]*/private/secret".*robots' out/skipped.jsonl || die "what a script may not fetch is not in the ledger"
"$THRESH" why out "http://127.0.0.1:$port/record/7" >why.txt
grep -q '^browser .*empty mount point' why.txt && grep -q '^rendered .*100 %' why.txt || { cat why.txt; die "why"; }
# A few pages of a template are tried, and those brought nothing.
static=$(grep -c '/static/.*rendered' out/crawl.log)
[ "$static" -le 4 ] || die "$static of 30 static pages were rendered"
grep -aq '^WARC-Target-URI: urn:view:http://127.0.0.1' all.warc || die "no picture"
grep -aq 'view two shows' all.warc || die "a view under #/ is missing"
"$THRESH" status out | grep -q 'rendered' || die "status does not tell"
exit 0
