# Rules that undo each other: a URL that comes out as it went in is no other URL's page, and is asked.
. "$TESTS/site/python.sh.inc"
serve_answers <<'P'
def answer(path, host):
    return links(f"/page-{n}" for n in range(30)) if path == "/" else prose(path) if path.startswith("/page-") else None
P
echo "127.0.0.1:$port m.shop.test shop.test" >hosts.txt
mkdir -p out/rules
# A person's rule for all sites goes before what was learnt of this one.
printf 'rule\n  operation mobile\n  sites *\n  state confirmed\n' >out/rules/mine.rules
printf 'rule\n  operation host shop.test m.shop.test\n  sites shop.test\n  state confirmed\n' >out/rules/learned.rules
"$THRESH" crawl http://m.shop.test/ -o out --hosts hosts.txt $AT_ONCE || die "exit $?"
n=$(fetched out "/page-[0-9]+$")
[ "$n" = 30 ] || { cat out/skipped.jsonl out/rules/*; die "$n of 30"; }
