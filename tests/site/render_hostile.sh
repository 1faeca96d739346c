# Pages that do their worst in the browser of a crawl: each costs only itself, and nothing they try reaches anybody but
# through the crawl: a listener on another address (TCP and UDP) hears nothing.
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { echo "no Chromium: skipped"; exit 0; }
. "$TESTS/site/python.sh.inc"
cat >canary.py <<'P'
import select, socket
t, u = socket.socket(), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
t.bind(("127.0.0.2", 0)); t.listen(); u.bind(("127.0.0.2", t.getsockname()[1]))
open("canary.port", "w").write(str(t.getsockname()[1]))
while True:
    for s in select.select([t, u], [], [])[0]:
        heard = "tcp " + repr(s.accept()[0].recv(200)) if s is t else "udp " + repr(s.recv(200))
        open("canary.txt", "a").write(heard + "\n")
P
python3 canary.py & canary=$!
for _ in $(seq 100); do [ -s canary.port ] && break; sleep 0.1; done
serve_answers <<'P'
import time
BIRD = "127.0.0.2:" + open("canary.port").read()
def app(script, more=""):
    return "<!doctype html><title>x</title>" + more + "<div id=\"root\"></div><script>" + script.replace("BIRD", BIRD) + "</script>"
TRIES = """
const t = (f) => { try { const p = f(); if (p && p.catch) p.catch(() => 0); } catch (e) {} };
t(() => fetch('http://BIRD/fetch')); t(() => fetch('/away')); t(() => fetch('http://localhost:1/x'));
t(() => fetch('/po' + 'st', { method: 'POST', body: 'x' })); t(() => { const x = new XMLHttpRequest(); x.open('GET', 'http://BIRD/xhr'); x.send(); });
t(() => navigator.sendBeacon('http://BIRD/beacon', 'x')); t(() => new WebSocket('ws://BIRD/socket')); t(() => new EventSource('http://BIRD/events'));
t(() => { new Image().src = 'http://BIRD/image'; });
t(() => { const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:BIRD' }] }); p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o)); });
t(() => new Worker(URL.createObjectURL(new Blob(["fetch('http://BIRD/worker')"])))); t(() => navigator.serviceWorker.register('/sw.js'));
t(() => window.open('http://BIRD/window')); t(() => { document.body.innerHTML += '<iframe src="http://BIRD/frame"></iframe><link rel=prefetch href="http://BIRD/prefetch"><link rel=preconnect href="http://BIRD">' + '<object data="http://BIRD/object"></object><video src="http://BIRD/video"></video>'; });
t(() => { const f = document.createElement('form'); f.action = 'http://BIRD/form'; f.method = 'POST'; f.target = '_blank'; document.body.append(f); f.submit(); });
t(() => { const f = document.createElement('iframe'); f.srcdoc = '<script>fetch("http://BIRD/srcdoc")<' + '/script>'; document.body.append(f); });
t(() => import('http://BIRD/module'));
setTimeout(() => { location.href = 'http://BIRD/leave'; }, 500);
"""
PAGES = {
    "/tries": app(TRIES, "<link rel=dns-prefetch href=//BIRD><meta http-equiv=refresh content='3;url=http://BIRD/refresh'><style>@import 'http://BIRD/style';</style>".replace("BIRD", BIRD)),
    "/loop": app("while (true) {}"),
    "/alloc": app("const a = []; while (true) a.push(new Array(1e6).fill(Math.random()));"),
    "/dialogs": app("addEventListener('beforeunload', (e) => { e.preventDefault(); e.returnValue = 'x'; }); for (let i = 0; i < 300; i++) { alert(i); confirm(i); prompt(i); } document.getElementById('root').textContent = 'after the dialogs';"),
    "/windows": app("setInterval(() => { for (let i = 0; i < 5; i++) window.open('/good?' + i); }, 10);"),
    "/restless": app("setInterval(() => { document.getElementById('root').textContent = Math.random(); fetch('/good?same').catch(() => 0); }, 5); setTimeout(() => location.reload(), 50);"),
    "/good": app("document.getElementById('root').innerHTML = '<p>' + 'the record of the good page '.repeat(9) + '<a href=/behind>on</a>';"),
}
def answer(path, host):
    if path == "/":
        return prose("front") + links(PAGES)
    if path == "/away":
        return 302, {"Location": f"http://{BIRD}/redirect"}, ""
    if path == "/sw.js":
        return 200, {"Content-Type": "text/javascript"}, f"fetch('http://{BIRD}/service');"
    if path == "/behind":
        return prose("behind")
    return PAGES.get(path.split("?")[0])
P
trap 'kill $server $canary 2>/dev/null' EXIT
begin=$SECONDS
timeout 160 "$THRESH" crawl "http://127.0.0.1:$port/" -o out --browser auto --save-dom --render-time 3s --delay 0 --delay-factor 0 \
	--domain-delay 0 --address-delay 0 --scope any -q 2>said.txt || [ $? = 3 ] || { cat said.txt; die "exit $?"; }
[ ! -s canary.txt ] || { cat canary.txt; die "something reached the other address"; }
grep -q '127.0.0.1 /behind' requests.txt || die "the good page was not rendered"
zcat out/archive/*.gz | grep -aq '^POST ' && die "a POST was sent"
zcat out/archive/*.gz | grep -aq 'after the dialogs' || die "dialogs ended their page"
for page in tries loop alloc dialogs windows restless good; do
	[ "$(grep -c "127.0.0.1 /$page\$" requests.txt)" = 1 ] || { cat requests.txt; die "/$page was not requested once"; }
done
pgrep -f "out/state/browsers" >/dev/null && die "a browser was left"
echo "$((SECONDS - begin)) s"
exit 0
