# Redirects between URLs that a rule takes for one page: the first has no page, so the second is asked, whether it was met before or not.
. "$TESTS/site/python.sh.inc"
serve_answers <<'P'
import re
def each(kinds):
    return [f"/{k}-{n}?utm_source={s}" for k in kinds for n in range(12) for s in ("a" if k == "alone" else "ab")]
# The first pages prove the rule; the redirects are met after that.
LISTS = {"/": ["/far"] + each(["proof"]), "/far": ["/farther"], "/farther": ["/redirects"], "/redirects": each(["alone", "both"])}
def answer(path, host):
    m = re.match(r"/(proof|alone|both)-(\d+)[?]utm_source=([ab])$", path)
    if m and m[1] != "proof" and m[3] == "a":
        return 301, {"Location": path[:-1] + "b"}, ""
    return prose(m[1], m[2]) if m else links(LISTS[path]) if path in LISTS else None
P
"$THRESH" crawl "http://127.0.0.1:$port/" -o out $AT_ONCE || die "exit $?"
grep -q '"rule":"drop utm_' out/skipped.jsonl || die "the rule was not used"
for kind in alone both; do
	n=$(fetched out "/$kind-[0-9]+[?]utm_source=b$")
	[ "$n" = 12 ] || { grep "$kind" out/crawl.log; grep "$kind" out/skipped.jsonl; die "$n of 12 $kind"; }
done
exit 0
