# What is wrong with the HTML of files, for people and as JSON; exit codes.
cd "$TMP"
cat >bad.html <<'P'
<html>
<head><meta charset=utf-8></head>
<body>
<p id=a>one<div id=a class="x" class="y">two</div></p>
<b><i>overlap</b></i>
<ul><div>no item</div>text<li>item</ul>
<img src=1.png><img src=2.png><img src=3.png><img src=4.png><a href=/></a>
<form><input id=q><label for=q>Q</label><input name=r><label for=zz>Z</label></form>
<span>open
<blink>old</blink><foo>unknown</foo><my-thing></my-thing>
<button aria-describedby="none a"><a href=/z>z</a></button>
<div/>
<h2> </h2>
<img src="cut
P
echo '<!doctype html><html lang=en><title>Good</title><ul><li>one<li>two</ul><p>three' >good.html
$THRESH states validate bad.html good.html; echo "exit $?"
$THRESH states validate --fail-on-problem good.html; echo "exit $?"
$THRESH states validate --fail-on-problem bad.html >/dev/null; echo "exit $?"
$THRESH states validate --places 0 bad.html | grep -c '  "[0-9].png"'
$THRESH states validate --json bad.html | python3 -c '
import json, sys
for p in json.load(sys.stdin)["problems"]:
    if p["kind"] in ("no-alt", "duplicate-id"): print(p["kind"], p["times"], p["pages"], p["places"][-1])'
mkdir folder; printf '\377\376<\0p\0' >wide.html
$THRESH states validate folder; echo "exit $?"
$THRESH states validate missing.html good.html; echo "exit $?"
$THRESH states validate wide.html; echo "exit $?"
$THRESH states validate; echo "exit $?"
