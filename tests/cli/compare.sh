# Two documents by every method at once, on one screen and as JSON.
cd "$TMP"
printf 'one two three four five six seven eight nine ten eleven twelve thirteen\n' > a.txt
printf 'one two three four five six seven eight nine ten eleven twelve fourteen\n' > b.txt
printf '{"a":"one two three four five","b":"one two three four five","label":1}\n{"a":"one two three four five","b":"six seven eight nine ten","label":0}\n' > pairs.jsonl
$THRESH compare --keywords a.txt b.txt
$THRESH compare a.txt b.txt a.txt
$THRESH compare pairs.jsonl
$THRESH compare --json --keywords a.txt b.txt | python3 -c '
import json, sys
p = json.load(sys.stdin)[0]
print(len(p["methods"]), p["evidence"]["shared_words_a"], len(p["keywords"]["rows"]), p["methods"][1]["with"]["words 3"])'
$THRESH compare a.txt; echo "exit $?"
$THRESH compare a.txt missing.txt; echo "exit $?"
