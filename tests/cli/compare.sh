# Two documents by every method at once, on one screen and as JSON.
cd "$TMP"
printf 'one two three four five six seven eight nine ten eleven twelve thirteen\n' > a.txt
printf 'one two three four five six seven eight nine ten eleven twelve fourteen\n' > b.txt
printf '{"a":"one two three four five","b":"one two three four five","label":1}\n{"a":"one two three four five","b":"six seven eight nine ten","label":0}\n' > pairs.jsonl
# the default's probabilities are its model's, which is fitted anew now and then
mask() { sed -E '/^resemblance/s/0\.[0-9]+/0.P/g; s/(resemblance) +0\.[0-9]+/\1 0.P/; /^resemblance/s/ +/ /g'; }
$THRESH compare --keywords a.txt b.txt | mask
$THRESH compare a.txt b.txt a.txt | mask
$THRESH compare pairs.jsonl
$THRESH compare --json --keywords a.txt b.txt | python3 -c '
import json, sys
p = json.load(sys.stdin)[0]
print(len(p["methods"]), p["evidence"]["shared_words_a"], len(p["keywords"]["rows"]), p["methods"][1]["with"]["words 3"])'
# pages: controls, windows and spots; screenshots beside states, and by themselves
python3 - <<'PY'
import json, struct, zlib
def chunk(n, d): return struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d))
def png(name, dark):
    rows = b"".join(b"\0" + bytes(30 if dark(x, y) else 240 for x in range(64)) for y in range(48))
    head = struct.pack(">IIBBBBB", 64, 48, 8, 0, 0, 0, 0)
    open(name, "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
png("left.png", lambda x, y: x < 20 and y > 10)
png("more.png", lambda x, y: x < 21 and y > 10)
png("right.png", lambda x, y: x > 44 and y < 30)
page = "<html lang=en><body><a href=/a>Home</a> <p>The report of the day is in <a href=/b>the archive</a> of a town.</p><button>%s</button>"
for name, word in (("a.html", "Buy"), ("b.html", "Sell")): open(name, "w").write(page % word)
with open("shot-states.jsonl", "w") as f:
    for i, picture in enumerate(("left", "more", "right")):
        f.write(json.dumps({"state": f"s{i}", "bin": picture == "right" and "r" or "l", "html": page % i, "screenshot": picture + ".png"}) + "\n")
PY
$THRESH compare a.html b.html | grep -E "^(clickables|anchor-windows|spotsigs|links)"
$THRESH compare left.png more.png | grep "^picture"
$THRESH compare left.png right.png | grep "^picture"
$THRESH calibrate sweep -q -g picture -g clickables shot-states.jsonl | grep -A1 "^recommended" -A3 | grep "^picture" | cut -c1-80
head -c 50 left.png > cut.png
$THRESH compare left.png cut.png; echo "exit $?"
$THRESH dedup -m picture a.txt; echo "exit $?"
$THRESH compare a.txt; echo "exit $?"
$THRESH compare a.txt missing.txt; echo "exit $?"
