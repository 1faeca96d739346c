# States with bins, swept offline; the page in a browser; the preset read by others.
cd "$TMP"
python3 - <<'PY'
import json, random
random.seed(3)
with open("app-states.jsonl", "w") as f:
    for bin in range(5):
        words = [f"w{random.randrange(400)}" for _ in range(80)]
        for copy in range(4):
            text = " ".join(words[:75] + [f"seen{copy * 7 + bin}"])
            html = f"<html><body><h1>{bin}</h1><ul class='k{bin}'>" + "<li>x</li>" * (bin + 1) + f"</ul><p>{text}</p></body></html>"
            f.write(json.dumps({"state": f"s{bin}-{copy}", "bin": f"b{bin}", "html": html}) + "\n")
PY
sed -n 's/.*"state": "\(s[0-9]\)\(-[0-9]\)".*/\1\2\t\1/p' app-states.jsonl > labels.tsv
$THRESH calibrate sweep -q -g jaccard:words:1-3:0.5-0.9/0.1 -g dom:::0 app-states.jsonl --top 3 --html s.html --csv s.csv -o s.json --preset p | sed 's/, [0-9.]* s$//; s/ *[0-9.]*$//'
head -3 s.csv
grep -v "^#" p
$THRESH dedup -q --preset p --input html app-states.jsonl > /dev/null; echo "dedup $?"
python3 - <<'PY'
import json
r = json.load(open("s.json"))
print(r["points"], r["set"], r["recommended"]["errors"], len(r["by_price"]))
PY
# without labels there is nothing to recommend, with a file of them there is
sed 's/"bin": "[^"]*", //' app-states.jsonl > bare.jsonl
$THRESH calibrate sweep -q -g jaccard:words:2:0.7 bare.jsonl | tail -1
$THRESH calibrate sweep -q -g jaccard:words:2:0.7 --labels labels.tsv bare.jsonl --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["recommended"]["errors"])'
$THRESH calibrate sweep -g nonsense bare.jsonl; echo "exit $?"
$THRESH calibrate sweep missing; echo "exit $?"
# the page works on its own, in a browser
timeout 100 chromium-headless-shell --no-sandbox --disable-gpu --virtual-time-budget=2000 --dump-dom "file://$TMP/s.html" 2>/dev/null > dom.html
grep -o 'id="best" class="best">[^<]*' dom.html
grep -o '<tr tabindex="0"' dom.html | wc -l
# the seed's grids: where this set agrees with its figures and where not
$THRESH calibrate sweep -q --seed-grid app-states.jsonl --html seed.html -o seed.json | sed -n '/^the seed/,$p' | cut -c1-120
python3 -c 'import json; s = json.load(open("seed.json"))["shapes"]; print(len(s), sum("agrees" in x for x in s))'
timeout 100 chromium-headless-shell --no-sandbox --disable-gpu --virtual-time-budget=2000 --dump-dom "file://$TMP/seed.html" 2>/dev/null | grep -o '<tbody id="shape-rows">.*</tbody>' | grep -o '<tr>' | wc -l
# a crawl has 5-word shingles only, and names what else was asked for
printf 'method jaccard\nfeatures shingles\npieces chars\nsize 3\nthreshold 0.7\n' > chars.preset
$THRESH crawl --preset chars.preset http://127.0.0.1:9/ -o never 2>&1 | head -1
printf 'method crawlhash\nsize 2\npieces sentences\nthreshold 3\n' > hash.preset
$THRESH crawl --preset hash.preset http://127.0.0.1:9/ -o never 2>&1 | head -1; [ ! -e never ] && echo "no folder"
