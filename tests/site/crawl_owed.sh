# A rule that nothing proves or contradicts has skipped pages: before the crawl ends they are asked for after all.
. "$TESTS/site/python.sh.inc"
serve_answers <<'P'
asked = []
def answer(path, host):
    if path == "/": return prose("front") + links([f"/doc?sid={i}" for i in range(60)])
    if not path.startswith("/doc?sid="): return None
    asked.append(path)
    # What is asked first, to prove the rule, is gone.
    return prose(path) if len(asked) > 12 else None
P
"$THRESH" crawl "http://127.0.0.1:$port/" -o out $AT_ONCE || [ $? = 3 ] || die "exit $?"
n=$(grep -c '/doc' requests.txt)
[ "$n" = 60 ] || { "$THRESH" why out "http://127.0.0.1:$port/doc?sid=30"; die "$n of 60 were asked"; }
