# Two crawls of one application, before and after a change; resuming; what was skipped.
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { echo "no Chromium: skipped"; exit 0; }
fail() { echo "$*"; exit 1; }
cp "$TESTS/apps/modal.html" app.html
"$THRESH" states "file://$PWD/app.html" -o a --no-screenshots --json >a.json || fail "crawl"
grep -q '"end":"EXHAUSTED","states":3,"edges":4,"observations":3,' a.json && grep -q '"events":{"done":4,"refused":0,"failed":0,"left":0,"skipped":0}' a.json || fail "$(cat a.json)"
[ ! -s a/overview/skipped.jsonl ] || fail "$(cat a/overview/skipped.jsonl)"
"$THRESH" report a >said 2>&1
[ $? -eq 1 ] && grep -q 'is a crawl of states: see a/overview/index.html' said || fail "$(cat said)"
# The same application again: nothing differs.
"$THRESH" states "file://$PWD/app.html" -o b --no-screenshots --max-events 2 >/dev/null
[ $? -eq 4 ] || fail "a limit is exit code 4"
grep -q 'the crawl ended before it' b/overview/skipped.jsonl || fail "untried events are reported"
"$THRESH" states --resume b --no-screenshots >/dev/null || fail "resume"
"$THRESH" states diff a b >said || fail "the same application differs: $(cat said)"
# Confirm now leads home, and the dialog has a third button with an error.
sed -i 's|d.remove(); done(); };|d.remove(); };|; s|Confirm</button>|Confirm</button><i class=help><button onclick="console.error(7)">Help</button></i>|' app.html
"$THRESH" states "file://$PWD/app.html" -o c --no-screenshots >/dev/null || fail "crawl of the change"
"$THRESH" states diff a c >said
[ $? -eq 7 ] || fail "a difference is exit code 7"
cat >want <<'OUT'
              added     gone  changed
state             0        1        1
edge              1        1        1
problem           1        0        0

state changed 1 "Modal" APP.html is now 1, 0.200 away
state gone 2 "Modal" APP.html
edge changed 1 -> 2 click button "Confirm" leads to 0 now
edge gone 2 -> 0 click button "Again"
edge added 1 -> 1 click button "Help"
problem added 1 console: 7
OUT
sed "s|file://[^ ]*/app|APP|" said | diff want - || fail "other differences"
"$THRESH" states diff a c --json | grep -q '^{"different":true,"items":\[{"kind":"state","what":"changed"' || fail "json"
"$THRESH" states diff a nowhere >said 2>&1
[ $? -eq 1 ] && grep -q "there is no crawl in nowhere" said || fail "$(cat said)"
"$THRESH" states --resume nowhere >said 2>&1
[ $? -eq 1 ] && grep -q "there is no crawl in nowhere" said || fail "$(cat said)"
# The same application on another port: its addresses and what is missing there are the same.
mkdir site && printf '<title>Ports</title><p>here</p><img src=/missing.png alt=""><a href=/two.html>two</a>' >site/index.html && echo '<title>Two</title><h1>two</h1>' >site/two.html
for n in 1 2; do
	python3 -c 'import http.server, functools, sys
h = functools.partial(http.server.SimpleHTTPRequestHandler, directory="site")
s = http.server.ThreadingHTTPServer(("127.0.0.1", 0), h)
open(sys.argv[1], "w").write(str(s.server_port))
s.serve_forever()' "port$n" 2>/dev/null &
	servers="${servers:-} $!"
done
trap 'kill $servers' EXIT
for _ in $(seq 100); do [ -s port1 ] && [ -s port2 ] && break; sleep 0.1; done
for n in 1 2; do "$THRESH" states "http://127.0.0.1:$(cat port$n)/" -o p$n --no-screenshots >said || fail "$(cat said)"; done
"$THRESH" states diff p1 p2 >said || fail "another port differs: $(cat said)"
grep -q 'status: 404' p1/overview/junit.xml || fail "no problem in junit.xml"
"$THRESH" states --resume p1 --no-screenshots --fail-on-problem >said
[ $? -eq 7 ] && grep -q '^1 problems: 1 status' said || fail "$(cat said)"
