# A plan says what fits: 12 keywords four times a day, not the 13th; campaigns share a budget; keywords of a crawl.
mkdir services
cat >services/tiny.json <<'J'
{ "service": "tiny", "base_url": "https://tiny.example", "budgets": [ { "limit": 50, "window": "1d" } ],
  "interactions": { "search": { "request": { "path": "/s", "params": { "q": "{keyword}" } }, "items": "[*]", "id": "{id}" } } }
J
words() { seq -s ', ' -f 'w%g' 1 "$1"; }
plan() { "$THRESH" api run -n --services services "$@" | grep -v ^GET; }
printf "name: twelve\nkeywords: [$(words 12)]\nservices: [tiny]\nevery: 6h\n" >twelve.yaml
printf "name: thirteen\nkeywords: [$(words 13)]\nservices: [tiny]\nevery: 6h\n" >thirteen.yaml
printf "name: one\nkeywords: [sun]\nservices: [tiny]\n" >one.yaml
plan twelve.yaml
plan thirteen.yaml
plan twelve.yaml one.yaml
plan one.yaml thirteen.yaml
printf 'focus:\n  want: ["solar energy|photovoltaics=2", wind, "entity:Sun", "coal=-1", {term: PV, aliases: [solar panel]}]\n' >crawl.yaml
printf "name: from\nkeywords_from: crawl.yaml\nservices: [tiny]\n" >from.yaml
"$THRESH" api run -n --services services from.yaml
printf "name: bad\nkeywords_from: nothing.yaml\nservices: [tiny]\nevry: 1h\n" >bad.yaml
"$THRESH" api lint --services services bad.yaml
[ $? = 1 ] || echo "no failure"
