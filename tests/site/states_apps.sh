# Applications with a known graph: the crawl finds exactly it, twice the same, and again after kill -9.
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { echo "no Chromium: skipped"; exit 0; }
apps=$TESTS/apps
crawl() { "$THRESH" states "file://$apps/$1.html" -o "$2" --no-screenshots; }
expect() {
	crawl "$1" "$1" >said 2>&1 || { cat said; exit 1; }
	grep -q "^$2 states, $3 edges" said || { echo "$1: want $2 states, $3 edges"; cat said; exit 1; }
}
# One, Two, Modal; each of two tabs from two states, open, close, two buttons behind the modal.
expect tabs 3 8
expect kinds 12 168
crawl tabs again >/dev/null 2>&1 || exit 1
cmp tabs/overview/result.json again/overview/result.json || { echo "two runs differ"; exit 1; }
# Killed at several moments and resumed, the graph is the same.
for moment in 0.6 0.9 1.2 1.5 1.8; do
	timeout -s KILL "$moment" "$THRESH" states "file://$apps/kinds.html" -o killed --no-screenshots >/dev/null 2>&1
done
crawl kinds killed >said 2>&1 || { cat said; exit 1; }
cmp kinds/overview/result.json killed/overview/result.json || { echo "a killed crawl ends differently"; exit 1; }
