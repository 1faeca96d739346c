# The threshold studies on made-up clusters; unknown tables and methods.
cd "$TMP"
python3 - <<'PY'
with open("clusters.tsv", "w") as f:
    for page in range(60):
        for copy in range(3 + page % 4):
            www = "www." if copy == 0 else ""
            f.write(f"c{page}\thttp://{www}a{page % 6}.org/view.php?page={page}&sid={page * 40 + copy}\n")
    for page in range(100):
        f.write(f"-\thttp://b.org/{page}.html\n")
PY
$THRESH rules calibrate clusters.tsv | sed -E 's/^( +([0-9]+|entire)( +[0-9.]+){8}) +[0-9.]+/\1/'
$THRESH rules calibrate --tables set,card --json clusters.tsv | python3 -c '
import json, sys
rows = [json.loads(l) for l in sys.stdin]
print([r["table"] for r in rows], sum(r.get("best", False) for r in rows), rows[0]["cluster_max"])'
$THRESH rules calibrate --tables nonsense clusters.tsv; echo "exit $?"
$THRESH rules calibrate -m static clusters.tsv; echo "exit $?"
$THRESH rules calibrate missing.tsv; echo "exit $?"
