# Checks of one's own and of accessibility are problems of the state; the traffic is a HAR file, too.
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { echo "no Chromium: skipped"; exit 0; }
cat >page.html <<'P'
<!doctype html><title>Checks</title><h1>One</h1><h3>skips</h3><img src="data:," width=20 height=20><input size=9>
<button id=b></button><p style="color:#aaa;background:#fff">faint</p><p style="color:#333;background:#fff">clear</p>
<b><i>overlap</b></i> <a href=/some.json>data</a>
<script>window.model = { broken: true }; document.getElementById('b').onclick = () => document.body.append(document.createElement('hr'));</script>
P
echo "() => window.model.broken ? ['the model is broken'] : [];" >model.js
echo "document.querySelectorAll('h1').length <= 1" >fine.js
echo "document.nothing.there" >throws.js
python3 "$TESTS/apps/serve.py" page.html port &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 100); do [ -s port ] && break; sleep 0.05; done
"$THRESH" states "http://127.0.0.1:$(cat port)/" -o out --no-screenshots --no-addresses --accessibility --validate --check model.js --check fine.js --check throws.js --har --fail-on-problem --json >said.json 2>err
code=$?
[ $code = 7 ] || { echo "exit code $code"; cat err; exit 1; }
for want in 'accessibility: the page names no language' 'accessibility: a picture has no text in its place' 'accessibility: a field has no label' \
	'accessibility: a button has no name: button#b' 'accessibility: a heading skips a level' 'accessibility: text has too little contrast' 'check: model.js: the model is broken' 'check: throws.js: ' \
	'html: no-alt: html > body > img' 'html: no-lang: the page names no language'; do
	grep -qF "$want" said.json || { echo "missing: $want"; cat said.json; exit 1; }
	grep -qF "${want%%: button*}" out/overview/junit.xml || { echo "not in junit.xml: $want"; exit 1; }
done
grep -q 'fine.js' said.json && { echo "fine.js failed"; exit 1; }
[ "$(grep -o 'too little contrast' said.json | wc -l)" = 1 ] || { echo "contrast"; exit 1; }
python3 - "$(cat port)" <<'P'
import json, sys
log = json.load(open("out/overview/traffic.har"))["log"]
entry = next(e for e in log["entries"] if e["request"]["url"] == "http://127.0.0.1:%s/" % sys.argv[1])
assert log["version"] == "1.2" and entry["response"]["status"] == 200 and "skips" in entry["response"]["content"]["text"], entry
P
# The HTML of its states: the DOM, and the answer, in which the overlap is still seen.
"$THRESH" states validate out --json >valid.json || { echo "validate: exit code $?"; exit 1; }
python3 - <<'P'
import json
said = json.load(open("valid.json"))
places = {p["kind"]: p["places"][0] for p in said["problems"]}
assert said["states"] == 2 and said["answers"] == 1 and said["unanswered"] == 0 and said["others"] == 1, said
assert places["misnested"]["judged"] == "raw" and places["misnested"]["line"] == 3 and places["misnested"]["pages"] == 2, places
assert places["no-alt"]["judged"] == "dom" and places["no-alt"]["page"] == "state 0" and places["no-alt"]["pages"] == 2, places
assert set(places) == {"misnested", "no-alt", "no-label", "empty-button", "no-lang"}, sorted(places)
P
