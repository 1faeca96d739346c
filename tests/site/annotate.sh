# The annotation site in a real browser: pairs side by side, answers by key, undo, the end, two annotators.
browser=$(command -v chromium-headless-shell || command -v chromium || true)
[ -n "$browser" ] || { echo "no browser: skipped"; exit 0; }
python3 - <<'P' >states.jsonl
import json
kinds = {"cart": "your cart holds some things that you may buy today at the price below",
         "list": "all products of the shop in a table with their names and how many are left",
         "help": "how to send something back that you do not want to keep any longer"}
for kind, words in kinds.items():
    for i in range(4):
        body = f"<script>parent.hacked = 1</script><h1>{kind}</h1><p>{words}</p><i>visit {i} of many</i>" + "<hr>" * (kind == "list") + "<b>now</b>" * (i % 2)
        print(json.dumps({"state": f"{kind}-{i}", "html": f"<html><body>{body}</body></html>"}))
P
"$THRESH" calibrate annotate states.jsonl -g jaccard:words:1 -o answers 2>url.txt &
server=$!
trap 'kill $server 2>/dev/null' EXIT
for _ in $(seq 200); do grep -q '^http' url.txt && break; sleep 0.05; done
timeout 100 python3 "$TESTS/site/annotate.py" "$browser" "$TMP/profile" "$(grep '^http' url.txt)" answers/labels.tsv ${PICTURE:-} || exit 1
kill $server
wait $server || { echo "failed: exit code"; exit 1; }
# What people said is what a sweep reads.
"$THRESH" calibrate sweep states.jsonl --labels answers/labels.tsv -g jaccard:words:1 | grep -q '12 labelled, 3 bins' || { echo "failed: labels"; exit 1; }
