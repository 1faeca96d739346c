# A list of which each page only leads to the next is crawled to its end, with the defaults.
. "$TESTS/site/python.sh.inc"
serve_answers <<'P'
def answer(path, host):
    n = int(path.split("=")[1]) if path.startswith("/list?start=") else 0 if path == "/" else None
    return n is not None and prose(n) + (links([f"/list?start={n + 1}"]) if n < 120 else "") or None
P
"$THRESH" crawl "http://127.0.0.1:$port/" -o out $AT_ONCE || die "exit $?"
n=$(fetched out "[?]start=")
[ "$n" = 120 ] || { tail -3 out/crawl.log; die "$n of 120"; }
