# A page cannot lead the crawl into the machine it runs on: by a name, a number, a redirect, or a name and addresses too
# long for a fixed buffer.  The seed itself, on loopback, is crawled: the user said so.
. "$TESTS/site/python.sh.inc"
. "$TESTS/site/dns.sh.inc"
serve_answers <<'P'
def port():
    return open("port.txt").read().strip()
LABEL = "0123456789" * 5
def answer(path, host):
    at = f":{port()}/secret"
    if path == "/robots.txt":
        return None
    if path == "/away":
        return 302, {"Location": f"http://redirect.test{at}"}, ""
    if path == "/":
        hosts = ["name.test", "127.0.0.2", "[::1]", "0.0.0.0", "2130706434", "0x7f.2", "localhost", "a.localhost",
                 ".".join([LABEL] * 4) + ".localhost", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "169.254.169.254"]
        return prose("front") + links([f"http://{h}{at}" for h in hosts] + ["/away", "/page"])
    return prose(host, path)
P
serve_dns
"$THRESH" crawl "http://127.0.0.1:$port/" -o out --dns "$dns" --scope any --delay 0 --delay-factor 0 --domain-delay 0 \
	--address-delay 0 --max-time 60s -q || [ $? = 3 ] || die "exit $?"
grep -q "127.0.0.1 /page" requests.txt || { cat requests.txt; die "the seed's own page was not fetched"; }
if grep -q secret requests.txt || grep -v "^127.0.0.1 " requests.txt; then cat requests.txt; die "it was led inside"; fi
[ "$(fetched out '/page$')" = 1 ] || die "the page was not stored"
exit 0
