# A browser that runs already, by its WebSocket: the same graph, by the real clock; and it lives on.
command -v chromium-headless-shell >/dev/null || { echo "no Chromium: skipped"; exit 0; }
sandbox=
[ "$(id -u)" != 0 ] || sandbox=--no-sandbox
chromium-headless-shell --headless $sandbox --disable-gpu --remote-debugging-port=0 --user-data-dir=profile about:blank >/dev/null 2>&1 &
browser=$!
trap 'kill $browser' EXIT
for _ in $(seq 200); do [ -s profile/DevToolsActivePort ] && break; sleep 0.1; done
{ read -r port; read -r path; } <profile/DevToolsActivePort
for run in first second; do
	"$THRESH" states "file://$TESTS/apps/tabs.html" -o $run --no-screenshots --no-addresses --attach "ws://127.0.0.1:$port$path" >said 2>&1 || { cat said; exit 1; }
	grep -q '^3 states, 8 edges' said || { echo "want 3 states, 8 edges"; cat said; exit 1; }
done
kill -0 $browser
