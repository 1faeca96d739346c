# A rule that is learnt while URLs wait holds for those too: every page is asked under one of its two URLs, which stand
# beside each other on the first page, but for those that teach the rule. A resume knows, `why` tells, the audit agrees.
. "$TESTS/site/python.sh.inc"
serve_answers <<'P'
import random, string
def words(seed): # of letters: numbers alone make no other text
    r = random.Random(seed)
    return "<p>" + " ".join("".join(r.choices(string.ascii_lowercase, k=7)) for _ in range(120))
def answer(path, host):
    page, _, ticket = path.partition("?ticket=")
    if path == "/": return words(path) + links(f"/page-{i}?ticket={i * 7 + k}" for i in range(100) for k in (1, 2))
    return words(page) if page.startswith("/page-") and ticket else None
P
"$THRESH" crawl "http://127.0.0.1:$port/" -o out $AT_ONCE || [ $? = 3 ] || die "exit $?"
pages=$(grep -oE '/page-[0-9]+\?' requests.txt | sort -u | wc -l) all=$(grep -c '/page-' requests.txt)
[ "$pages" = 100 ] || die "$pages of 100 pages were asked"
[ "$all" -lt 130 ] || die "$all requests for 100 pages"
"$THRESH" status out --audit >audit.txt || { cat audit.txt; die "audit"; }
awk '{ print $4 }' out/crawl.log | sort -u >asked.txt
url=$(sed -nE '/"stage":"rules"/ s/.*"url":"([^"]*)".*/\1/p' out/skipped.jsonl | grep -vxFf asked.txt | head -1)
"$THRESH" why out "$url" >why.txt
grep -q 'skipped by rule drop ticket' why.txt && grep -qE 'that page +was fetched: 200' why.txt || { cat why.txt; die "why"; }
"$THRESH" crawl out -q || [ $? = 3 ] || die "exit $?"
[ "$(grep -c '/page-' requests.txt)" = "$all" ] || die "a resume asked again"
