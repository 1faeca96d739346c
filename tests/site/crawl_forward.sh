# Pages that stand behind redirects of one form are found, however many: a redirect to what nobody knew is worth its request.
. "$TESTS/site/python.sh.inc"
serve_answers <<'P'
import random, string
def words(seed):
    r = random.Random(seed)
    return "<p>" + " ".join("".join(r.choices(string.ascii_lowercase, k=7)) for _ in range(120))
names = ["".join(random.Random(i).choices(string.ascii_lowercase, k=9)) for i in range(300)]
def answer(path, host):
    if path == "/": return words(path) + links(f"/out/{i}" for i in range(300))
    if path.startswith("/out/"): return 302, {"Location": "/page/" + names[int(path[5:])]}, ""
    return words(path) if path[6:] in names else None
P
"$THRESH" crawl "http://127.0.0.1:$port/" -o out $AT_ONCE --template-first 50 || [ $? = 3 ] || die "exit $?"
n=$(fetched out '/page/')
[ "$n" = 300 ] || die "$n of 300 pages behind redirects"
"$THRESH" status out --audit >audit.txt || { cat audit.txt; die "audit"; }
