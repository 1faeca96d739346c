"""The dashboard in a headless Chromium, over the DevTools pipe: dashboard.py BROWSER PROFILE URL TOKEN SITE

Reads what the page shows and clicks what it offers; the server must see it. Prints what failed."""
import atexit, json, os, subprocess, sys, time, urllib.request

browser, profile, url, token, site = sys.argv[1:6]
to_browser, ours = os.pipe(), os.pipe()


def wire():
    """Chromium reads commands from 3 and writes answers to 4."""
    commands, answers = os.dup(to_browser[0]), os.dup(ours[1])
    while commands < 5 or answers < 5:
        commands, answers = os.dup(commands), os.dup(answers)
    os.dup2(commands, 3)
    os.dup2(answers, 4)


chrome = subprocess.Popen([browser, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--window-size=1300,1000",
                           "--user-data-dir=" + profile, "about:blank"], preexec_fn=wire, close_fds=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
atexit.register(lambda: (chrome.kill(), chrome.wait()))
os.close(to_browser[0])
os.close(ours[1])
reader = os.fdopen(ours[0], "rb")
number = 0


def call(method, session=None, **params):
    global number
    number += 1
    message = {"id": number, "method": method, "params": params}
    if session:
        message["sessionId"] = session
    os.write(to_browser[1], json.dumps(message).encode() + b"\0")
    while True:
        answer = b""
        while not answer.endswith(b"\0"):
            piece = reader.read(1)
            if not piece:
                sys.exit("the browser is gone")
            answer += piece
        answer = json.loads(answer[:-1])
        if answer.get("id") == number:
            return answer.get("result", answer)


page = next(t for t in call("Target.getTargets")["targetInfos"] if t["type"] == "page")["targetId"]
session = call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]


def js(text, may_fail=False):
    r = call("Runtime.evaluate", session, expression=text, awaitPromise=True, returnByValue=True)
    if may_fail and ("exceptionDetails" in r or "result" not in r):
        return None  # the page is just being loaded
    if "exceptionDetails" in r:
        sys.exit(f"{text}: {r['exceptionDetails']}")
    return r["result"].get("value")


def wait(text, what, seconds=30):
    for _ in range(seconds * 10):
        if js(text, may_fail=True):
            return
        time.sleep(0.1)
    sys.exit(f"failed: {what}: {text}\n" + str(js("document.body.innerText"))[:2000])


def status():
    with urllib.request.urlopen(url + "status") as r:
        return json.load(r)


def key(k):
    js(f"document.activeElement.blur(), document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: {json.dumps(k)}, bubbles: true}})), 1")


text = "document.getElementById('%s').textContent"
call("Page.enable", session)
# Without a token it watches and cannot steer.
call("Page.navigate", session, url=url)
wait("/^[1-9]/.test(%s)" % (text % "fetched"), "pages are counted")
wait("document.getElementById('pause').disabled && !document.getElementById('readonly').hidden", "read-only without a token")
# With the token of its address.
call("Page.navigate", session, url="about:blank")
call("Page.navigate", session, url=url + "#token=" + token)
wait("!document.getElementById('pause').disabled", "the buttons work")
wait("location.hash === ''", "the token does not stay in the address")
wait("document.querySelectorAll('#tail li').length > 0", "a live tail")
wait("document.querySelectorAll('#hosts tr').length > 0", "hosts")
wait("document.querySelectorAll('#hist i').length === 16", "priorities")
wait("document.querySelectorAll('#worth i').length > 0", "what requests were worth")
wait("%s.includes('memory')" % (text % "memory"), "memory")
js("document.getElementById('pause').click()")
wait("%s === 'paused'" % (text % "state"), "paused by a click")
assert status()["live"]["paused"], "the server does not know"
key("p")
wait("%s === 'Pause'" % (text % "pause"), "resumed by a key")
# Add a URL.
key("a")
wait("document.getElementById('d-inject').open", "the dialog opens by a key")
js(f"document.getElementById('inject-urls').value = '{site}/from-the-dashboard', document.querySelector('#inject-form .main').click(), 1")
wait("%s.includes('on disk')" % (text % "toast"), "it is acknowledged")
wait("[...document.querySelectorAll('#tail li')].some(l => l.textContent.includes('/from-the-dashboard'))", "it is fetched, and seen")
# Why, by the keyboard.
js("(document.getElementById('filter').value = 'from-the-dashboard', document.getElementById('filter').oninput(), 1)")
wait("document.querySelectorAll('#tail li').length === 1", "the filter")
key("j")
key("Enter")
wait("document.getElementById('d-why').open && %s.includes('\"purpose\": \"injected\"')" % (text % "why-text"), "why")
js("document.querySelector('#d-why [data-close]').click()")
# Light and dark differ; a phone does not scroll sideways.
before = js("getComputedStyle(document.body).backgroundColor")
key("t")
assert js("getComputedStyle(document.body).backgroundColor") != before, "the theme"
call("Emulation.setDeviceMetricsOverride", session, width=390, height=800, deviceScaleFactor=2, mobile=True)
wide = js("document.documentElement.scrollWidth")
assert wide <= 390, f"a phone scrolls sideways: {wide}"
call("Emulation.clearDeviceMetricsOverride", session)
# Nothing is loaded from elsewhere.
others = js("performance.getEntriesByType('resource').map(r => r.name).filter(n => !n.startsWith(location.origin)).join()")
assert not others, others
js("window.confirm = () => true, document.getElementById('stop').click(), 1")
for _ in range(300):
    try:
        if not status()["running"]:
            break
    except OSError:
        break
    time.sleep(0.1)
else:
    sys.exit("failed: stop")
call("Browser.close")
chrome.wait(20)
