# Every metric that the Grafana dashboard names is one of the server's, with the labels by which it is drawn.
. "$TESTS/site/web.sh.inc"
. "$TESTS/site/serve.sh.inc"
serve --pages 40 --hosts 1 --traps none --seed 4 --no-crawl-delays
"$THRESH" crawl seeds.txt -o out $FAST >crawl.txt 2>&1 || [ $? = 3 ] || { cat crawl.txt; exit 1; }
"$THRESH" serve out -q --listen 127.0.0.1:0 & serving=$!
trap 'kill $server $serving 2>/dev/null' EXIT
found_address out
ask /metrics >metrics.txt
python3 - "$TESTS/../examples/grafana.json" metrics.txt <<'PY' || die grafana
import json, re, sys
board, metrics = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
types = dict(re.findall(r"(?m)^# TYPE (\S+) (\S+)$", metrics))
wrong = []
for panel in board["panels"]:
    for target in panel["targets"]:
        for name in re.findall(r"thresh_\w+", target["expr"]):
            base = re.sub(r"_(bucket|sum|count)$", "", name)
            if name not in types and types.get(base) != "histogram":
                wrong.append(name)
            for label in re.findall(r"{{(\w+)}}", target["legendFormat"]):
                lines = re.findall(r"(?m)^%s{(.*)}" % name, metrics)
                if lines and not any(label + '="' in l for l in lines):
                    wrong.append(f"{name} has no label {label}")
shown = {n for p in board["panels"] for t in p["targets"] for n in re.findall(r"thresh_\w+", t["expr"])}
missing = [n for n in types if not any(s.startswith(n) for s in shown) and n not in ("thresh_up", "thresh_build_info")]
print("wrong:", wrong, "not shown:", missing)
sys.exit(bool(wrong or missing))
PY
exit 0
