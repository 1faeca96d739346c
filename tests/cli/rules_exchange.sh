# Rules in other tools' forms, checked by running the expressions, and their lists as ours.
cat >a.rules <<'R'
rule a
  context         ^*://(www.)?a.org/(en|fr)/*.html(\?print)?$
  transformation  $1://a.org/en/$2.html
  sites           a.org www.a.org

rule b
  operation       drop utm_*
  sites           *

rule c
  operation       drop sid
  sites           b.org

rule d
  operation       index index.php
  sites           b.org

rule e
  operation       sort
  sites           b.org
R
cat >urls <<'U'
http://www.a.org/fr/x.html?print
http://a.org/en/x.html
http://c.org/fr/x.html
http://c.org/?a=1&utm_source=x&b=2
http://b.org/p?sid=12
http://www.b.org/dir/index.php?sid=1&x=2
http://c.org/dir/index.php?sid=1
U
for form in regex nutch heritrix clearurls browsertrix; do
	echo "-- $form"
	"$THRESH" rules export --as $form a.rules >out.$form; echo "exit $?"
	[ $form = regex ] || cat out.$form
done
echo "-- the expressions do what the rules do"
python3 - <<'P' >by_regex
import re
rules = [l.rstrip("\n").split("\t")[1:] for l in open("out.regex")]
for url in open("urls"):
    url = url.rstrip("\n")
    for regex, to in rules:
        # Java's and Perl's $1 is Python's \g<1>
        url = re.sub(regex, re.sub(r"\$(\d+)", r"\\g<\1>", to), url)
    print(url)
P
"$THRESH" rules apply -r a.rules <urls >by_rules
diff by_regex by_rules && echo same
python3 -c 'import json, xml.dom.minidom as x; json.load(open("out.clearurls")); x.parse("out.nutch"); x.parse("out.heritrix"); print("well-formed")'

echo "-- in"
cat >clear.json <<'J'
{"providers": {
 "globalRules": {"urlPattern": ".*", "rules": ["utm(?:_[a-z_]*)?", "fbclid", "mc\\.id", "[a-z]?ref"]},
 "one": {"urlPattern": "^https?:\\/\\/(?:[a-z0-9-]+\\.)*?example\\.com", "rules": ["sid"]},
 "many": {"urlPattern": "^https?:\\/\\/(?:[a-z0-9-]+\\.)*?shop(?:\\.[a-z]{2,}){1,}", "rules": ["tag"]}}}
J
"$THRESH" rules import clear.json; echo "exit $?"
echo '[{"args": ["a", "b"], "order": 1, "processor": "queryRemoval", "urlPattern": {"include": ["x.org"]}}, {"args": [1], "processor": "subpathRemoval"}]' >zyte.json
"$THRESH" rules import zyte.json 2>&1 | grep -v '^$'; echo "exit ${PIPESTATUS[0]}"
echo '{"x": 1}' >odd.json; "$THRESH" rules import odd.json; echo "exit $?"
"$THRESH" rules import out.clearurls 2>/dev/null | "$THRESH" rules show /dev/stdin -b | cut -f5-
