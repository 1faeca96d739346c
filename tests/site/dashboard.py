"""The dashboard in a headless Chromium, over the DevTools pipe: dashboard.py BROWSER PROFILE URL TOKEN SITE

Reads what the page shows and clicks what it offers; the server must see it. Prints what failed."""
import json, sys, time, urllib.request

from chrome import Chrome

browser, profile, url, token, site = sys.argv[1:6]
chrome = Chrome(browser, profile)
js, wait, key = chrome.js, chrome.wait, chrome.key


def status():
    with urllib.request.urlopen(url + "status") as r:
        return json.load(r)


text = "document.getElementById('%s').textContent"
# Without a token it watches and cannot steer.
chrome.go(url)
wait("/^[1-9]/.test(%s)" % (text % "fetched"), "pages are counted")
wait("document.getElementById('pause').disabled && !document.getElementById('readonly').hidden", "read-only without a token")
# With the token of its address.
chrome.go(url + "#token=" + token)
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
chrome.call("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=2, mobile=True)
wide = js("document.documentElement.scrollWidth")
assert wide <= 390, f"a phone scrolls sideways: {wide}"
chrome.call("Emulation.clearDeviceMetricsOverride")
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
chrome.call("Browser.close")
chrome.process.wait(20)
