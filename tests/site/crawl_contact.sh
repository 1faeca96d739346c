# Nobody answers: it is said at once and again at the end, and the crawl ends within seconds instead of waiting as for a busy server.
. "$TESTS/site/web.sh.inc"
die() { echo "failed: $*"; exit 1; }
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
from=$(date +%s)
timeout 60 "$THRESH" crawl "http://127.0.0.1:$port/" -o out --retries 2 --allow-private 2>err.txt
code=$?
[ $code = 3 ] || [ $code = 6 ] || die "exit $code"
[ $(($(date +%s) - from)) -lt 25 ] || die "it waited $(($(date +%s) - from)) s"
grep -q "could not be reached: nothing listens there; trying again" err.txt || { cat err.txt; die "not said at once"; }
grep -q "could not be reached: nothing listens there$" err.txt || { cat err.txt; die "not said at the end"; }
timeout 60 "$THRESH" crawl "http://127.0.0.1:$port/" -o quiet --retries 0 --allow-private -q --log-level error 2>err.txt
grep -q "trying again" err.txt && { cat err.txt; die "a warning in spite of --log-level error"; }
[ -d quiet ] || die "it did not run"
