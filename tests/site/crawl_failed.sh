# A page whose server was down during all attempts is asked again when nothing else is left, as often; so
# is what a rule would have skipped for its sake, and a page of which only half came. A page that never comes is
# asked so, not for ever.
. "$TESTS/site/python.sh.inc"
serve_answers <<'P'
import time
seen = {}
def answer(path, host):
    n = seen[path] = seen.get(path, 0) + 1
    if path == "/": return prose("front") + links(["/down", "/never", "/half"] + [f"/page-{i}" for i in range(20)])
    if path == "/down" and n <= 3 or path == "/never": return 503, {}, "busy"
    if path == "/half" and n <= 3: return 200, {"Content-Length": "9999", "Connection": "close"}, prose("half")
    if path == "/half": return prose("half") + links(["/page-behind"])
    if path == "/nervous/": return prose("nervous") + links(["/nervous/page-1", "/nervous/page-2"])
    if path == "/nervous/page-1" and n == 1: raise ConnectionError # hangs up
    if path.startswith("/nervous/page-"): return prose(path)
    if path == "/sleepy/": return prose("sleepy") + links(["/sleepy/page-1"])
    if path == "/sleepy/page-1": time.sleep(4)
    return prose(path) if path.startswith("/page-") or path == "/down" else None
P
"$THRESH" crawl "http://127.0.0.1:$port/" -o out $AT_ONCE --retries 1 --backoff 10ms --backoff-max 20ms || [ $? = 3 ] || die "exit $?"
[ "$(fetched out "/down$")" = 1 ] || { grep down out/crawl.log; die "the page that was down is missing"; }
[ "$(fetched out "/page-behind$")" = 1 ] || { grep half out/crawl.log; die "the other half of a page is missing"; }
n=$(grep -c '/never' requests.txt)
[ "$n" = 4 ] || die "the page that never comes was asked $n times"
# A crawl that goes on knows that it was the last time.
"$THRESH" crawl out -q || [ $? = 3 ] || die "exit $?"
[ "$(grep -c '/never' requests.txt)" = 4 ] || die "asked again after a resume"
"$THRESH" warc check out/archive/*.warc.gz >check.txt || { cat check.txt; die "warc check"; }

# What came at the second attempt did not fail, and nothing did.
"$THRESH" crawl "http://127.0.0.1:$port/nervous/" -o nervous $AT_ONCE --scope prefix --backoff 10ms --backoff-max 20ms 2>err.txt
code=$?
[ $code = 0 ] || { cat err.txt; die "exit $code where all came"; }
[ "$(fetched nervous "/nervous/")" = 3 ] || { cat nervous/crawl.log; die "not all came"; }
[ "$(grep -c '/nervous/page-1$' requests.txt)" = 2 ] || die "nobody hung up"

# What only costs time has one attempt in the end: three, where a server that says "busy" has four.
"$THRESH" crawl "http://127.0.0.1:$port/sleepy/" -o sleepy $AT_ONCE --scope prefix --retries 1 --backoff 10ms --backoff-max 20ms --first-byte-timeout 1s 2>err.txt
code=$?
[ $code = 3 ] || { cat err.txt; die "exit $code where a page never came"; }
n=$(grep -c '/sleepy/page-1$' requests.txt)
[ "$n" = 3 ] || die "the page that sleeps was asked $n times"
