"""The annotation site in a real browser: annotate.py BROWSER PROFILE URL LABELS [PICTURE]"""
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from chrome import Chrome

browser, profile, url, labels = sys.argv[1:5]
c = Chrome(browser, profile)
text = "document.getElementById('%s').textContent"
lines = lambda: open(labels).read().splitlines() if os.path.exists(labels) else []

# Without a token nothing is shown.
c.go(url.split("#")[0])
c.wait("document.getElementById('ask-name').open", "asks for a name")
c.js("document.getElementById('name').value = 'ann', document.querySelector('#ask-name button').click(), 1")
c.wait("%s.includes('token')" % (text % "problem"), "the token is wanted")
c.go(url)
c.wait("document.body.dataset.shown && document.querySelectorAll('.view mark').length > 0", "a pair, and what differs")
c.wait("location.hash === ''", "the token does not stay in the address")
first = c.js("document.body.dataset.shown")
c.key("3")
c.wait("document.querySelectorAll('.view iframe[sandbox=\"\"]').length === 2", "the pages, in frames without scripts")
c.wait("document.body.dataset.shown.endsWith('page')", "shown")
assert not c.js("window.hacked"), "a script of a page ran"
c.key("1")
c.wait("document.body.dataset.shown === %r" % first, "the text again")
if len(sys.argv) > 5:
    c.picture(sys.argv[5])
# Answers by button and key, and taken back.
c.js("document.getElementById('different').click()")
c.wait("%s.startsWith('1 answers by you')" % (text % "progress"), "counted")
assert len(lines()) == 1 and lines()[0].startswith("2\t"), lines()
c.wait("document.body.dataset.shown !== %r" % first, "another pair")
c.key("u")
c.wait("%s.startsWith('0 answers by you')" % (text % "progress"), "taken back")
assert lines() == [], lines()
# To the end, by the truth: names are KIND-NUMBER.
same = "(a => a('name-a') === a('name-b'))(id => document.getElementById(id).textContent.split('-')[0])"
for n in range(1, 200):
    if c.js("document.getElementById('near').disabled"):
        break
    c.key("y" if c.js(same) else "n")
    c.wait("%s.startsWith('%d answers by you')" % (text % "progress", n), "answer %d" % n)
else:
    sys.exit("failed: it does not end")
c.wait("%s.includes('Nothing is left')" % (text % "name-a"), "the end")
assert "95 %" in c.js(text % "estimate"), c.js(text % "estimate")
assert c.js("document.querySelectorAll('#plot circle').length") == len(lines()), "answers in the plot"
# A second person is shown answered pairs as well: their agreement.
c.js("document.getElementById('who').click(), document.getElementById('name').value = 'bob', document.querySelector('#ask-name button').click(), 1")
for n in range(1, 5):
    c.wait("!document.getElementById('near').disabled && document.getElementById('who').textContent === 'bob' && %s.startsWith('%d answers by you')" % (text % "progress", n - 1), "bob's pair")
    c.key("y" if c.js(same) else "n")
c.wait("%s.includes('ann and bob: 100 %%') && %s.includes('kappa 1.00')" % (text % "agreement", text % "agreement"), "kappa")
# Light and dark, a phone, nothing from elsewhere.
before = c.js("getComputedStyle(document.body).backgroundColor")
c.key("t")
assert c.js("getComputedStyle(document.body).backgroundColor") != before, "the theme"
c.call("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=2, mobile=True)
wide = c.js("document.documentElement.scrollWidth")
assert wide <= 390, f"a phone scrolls sideways: {wide}"
others = c.js("performance.getEntriesByType('resource').map(r => r.name).filter(n => !n.startsWith(location.origin)).join()")
assert not others, others
