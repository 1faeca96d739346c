# Seed 003's study on made-up pages, HTML and text; documents as JSON lines of every kind that calibrate reads.
cd "$TMP"
python3 - <<'PY'
import json, random
random.seed(4)
words = [f"{a}{b}{c}" for a in "bdgklmnprst" for b in "aeiou" for c in "lmnrst"]
def text(): return "\n".join(" ".join(random.choice(words[:60] if i % 2 else words) for _ in range(40)) for i in range(6))
pages = [text() for _ in range(6)]
with open("pages.jsonl", "w") as f:
    for i, t in enumerate(pages):
        f.write(json.dumps({"file": f"p{i}", "url": f"http://a/{i}", "html": "<html><body><script>'<p>'</script>" + "".join(f"<p>{l}</p>" for l in t.split("\n")) + "</body></html>"}) + "\n")
with open("texts.jsonl", "w") as f:
    for i, t in enumerate(pages): f.write(json.dumps({"id": f"t{i}", "text": t}) + "\n")
with open("labels.jsonl", "w") as f:
    f.write('{"label": 1, "a": "p0", "b": "p1"}\n{"label": 0, "a": "p0", "b": "p2"}\n')
PY
$THRESH calibrate copies pages.jsonl --rows 4 | sed 's/[0-9]*\.[0-9]*/N/g'
for input in pages texts; do
	for method in ssm jaccard clickables; do
		$THRESH calibrate copies -g $method --json $input.jsonl | python3 -c '
import json, sys
r = json.load(sys.stdin)
smaller = r["method"] == "ssm"
finite = [x["value"] for x in r["rows"] if x["value"] is not None]
mean = sum(finite) / len(finite) if finite else 0
ordered = {k: [x["value"] for x in r["rows"] if x["copy"] == k and x["value"] is not None] for k in ("timestamps", "all")}
farther = ordered["all"] and sum(ordered["all"]) / len(ordered["all"]) - sum(ordered["timestamps"]) / len(ordered["timestamps"])
print(r["method"], r["copies"], abs(mean - r["mean"]["threshold"]) < 1e-6, r["own"]["different_near"], bool(farther) and (farther > 0) == smaller)'
	done
done
# the same seed makes the same copies
$THRESH calibrate copies pages.jsonl > one; $THRESH calibrate copies pages.jsonl > two; cmp one two && echo same
$THRESH calibrate copies --seed 2 pages.jsonl | cmp -s - one || echo "another seed, other copies"
$THRESH calibrate sweep -q --labels labels.jsonl -g jaccard pages.jsonl | head -1 | cut -d';' -f1
$THRESH calibrate copies -g dom pages.jsonl; echo "exit $?"
$THRESH calibrate copies -g jaccard:words:1-3 pages.jsonl; echo "exit $?"
$THRESH calibrate copies missing; echo "exit $?"
