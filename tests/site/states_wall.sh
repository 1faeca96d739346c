# The form is sent as it stands and filled: two writes.
# The wall at the network: no page reaches another service of this machine, nothing is deleted, no write is sent twice.
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { echo "no Chromium: skipped"; exit 0; }
"$TESTS/apps/wall.py" port log &
server=$!
disown
trap 'kill $server' EXIT
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
url=http://127.0.0.1:$(head -1 port)
crawl() { # NAME OPTIONS
	: >log
	"$THRESH" states "$url/" -o "$1" --no-screenshots --no-addresses --json "${@:2}" >"$1.said" 2>&1 || { echo "$1: exit code $?"; cat "$1.said"; exit 1; }
	cp log "$1.log"
}
crawl once
grep -q '^other' once.log && { echo "another service was reached"; cat once.log; exit 1; }
grep -q 'DELETE' once.log && { echo "something was deleted"; exit 1; }
[ "$(grep -c "POST /sign-in" once.log)" = 2 ] || { echo "the form was sent $(grep -c 'POST /sign-in' once.log) times"; exit 1; }
[ "$(grep -c 'POST /add' once.log)" = 1 ] || { echo "the button wrote $(grep -c 'POST /add' once.log) times"; exit 1; }
grep -q 'class=\\"added' once/states/*.json && grep -q 'class=\\"in\\"' once/states/*.json && grep -q 'class=\\"kept' once/states/*.json ||
	{ echo "once: states are missing"; cat once.said; exit 1; }
crawl none --writes none
grep -q 'POST\|DELETE' none.log && { echo "--writes none: something was written"; cat none.log; exit 1; }
crawl all --writes all --allow-host "127.0.0.1:$(tail -1 port)"
grep -q 'app DELETE' all.log && grep -q '^other GET /image' all.log || { echo "--writes all, --allow-host: something was held back"; cat all.log; exit 1; }
grep -q '^other GET /frame' all.log && { echo "localhost was not allowed"; exit 1; }
# Killed at random and resumed, nothing is sent twice.
: >log
RANDOM=5
for _ in 1 2 3 4; do timeout -s KILL "$((RANDOM % 3)).$((RANDOM % 9))" "$THRESH" states "$url/" -o killed --no-screenshots --no-addresses >/dev/null 2>&1; done
"$THRESH" states "$url/" -o killed --no-screenshots --no-addresses >killed.said 2>&1 || { cat killed.said; exit 1; }
[ "$(grep -c 'POST /sign-in' log)" -le 4 ] && [ "$(grep -c "POST /add" log)" -le 2 ] || { echo "killed: sent again"; grep POST log; exit 1; }
