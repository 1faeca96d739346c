# DNS that fails for a while loses no host: what was temporary is asked again, and crawled.
. "$TESTS/site/python.sh.inc"
. "$TESTS/site/dns.sh.inc"
serve_answers <<'P'
def answer(path, host):
    return None if path == "/robots.txt" else prose(host, path) + links([f"/{n}" for n in range(3)])
P
serve_dns
echo refused >dns.way
(sleep 1.5; rm dns.way) &
for n in $(seq 12); do echo "http://host$n.test:$port/"; done >seeds.txt
"$THRESH" crawl seeds.txt -o out $AT_ONCE --dns "$dns" || die "exit $?"
hosts=$(awk '$2 == 200 && $4 !~ /robots/ { print $4 }' out/crawl.log | cut -d/ -f3 | sort -u | wc -l)
[ "$hosts" = 12 ] || { tail -5 dns.txt; die "$hosts of 12 hosts"; }
exit 0
