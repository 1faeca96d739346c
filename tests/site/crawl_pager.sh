# A list of pages that are nearly alike is followed to its end, also where the links of duplicates have turned out worthless.
. "$TESTS/site/python.sh.inc"
serve_answers <<'P'
import random, string
def word(r): return "".join(r.choices(string.ascii_lowercase, k=7))
same = [word(random.Random(i)) for i in range(200)]
def text(seed, every): # nearly the same: every so many words another one
    r = random.Random(seed)
    return "<p>" + " ".join(word(r) if i % every == 7 else w for i, w in enumerate(same))
def answer(path, host):
    kind, _, n = path[1:].partition("/")
    if path == "/": return text("front", 2) + links(["/copy/1", "/list/a1"])
    if kind == "copy" and int(n) <= 80: return "<p>" + " ".join(reversed(same)) + links([f"/copy/{int(n) + 1}"])
    if kind == "list" and int(n[1:]) <= 60: return text(path, 50) + links([f"/list/a{int(n[1:]) + 1}"])
P
"$THRESH" crawl "http://127.0.0.1:$port/" -o out $AT_ONCE --no-rules --template-first 500 || [ $? = 3 ] || die "exit $?"
n=$(fetched out '/list/')
[ "$n" = 60 ] || die "$n of 60 pages of the list"
