# Two runs give the same bytes; so does one whose crawler, and one whose browser, is killed at ten random moments, and one that was stopped.
# What does not need the other runs along with it: most of the time is waiting.
command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { echo "no Chromium: skipped"; exit 0; }
# All but how long it took.
timeless() { sed -E 's/"(timeAdded|duration)":[0-9-]+//g' "$1"; }
same() { # FOLDER WHAT
	for file in result.json graph.dot index.html; do
		cmp <(timeless "once/overview/$file") <(timeless "$1/overview/$file") || { echo "$2: another $file"; exit 1; }
	done
}
crawl() { "$THRESH" states "file://$TESTS/apps/grow.html" -o "$1" --no-screenshots >"$1.said" 2>&1 || { cat "$1.said"; exit 1; }; }

killed() {
	RANDOM=7
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		timeout -s KILL "$((RANDOM % 2)).$((RANDOM % 8 + 2))" "$THRESH" states "file://$TESTS/apps/grow.html" -o killed --no-screenshots >/dev/null 2>&1
	done
	# What a killed crawler left of its browser's profile is swept, whatever it is; and nothing stays behind at the end.
	mkdir -p killed/state/browser/thresh-browser.old/Default
	crawl killed
	same killed "crawler killed"
	[ -z "$(ls -A killed/state/browser)" ] || { echo "profiles are left behind"; ls killed/state/browser; exit 1; }
}

# Stopped for longer than any answer is waited for, and going on as if nothing had been.
tree() { local pid; for pid; do echo "$pid"; tree $(pgrep -P "$pid"); done; }
stopped() {
	"$THRESH" states "file://$TESTS/apps/grow.html" -o stopped --no-screenshots --json >stopped.said 2>&1 &
	crawler=$!
	while [ ! -e stopped/states/1.json ] && kill -0 $crawler; do sleep 0.1; done
	all=$(tree $crawler)
	kill -STOP $all
	sleep 10
	kill -CONT $all
	wait $crawler
	same stopped "stopped"
	grep -q '"tabs_replaced":0,"browser_restarts":0,' stopped.said || { echo "stopped: something was started again"; cat stopped.said; exit 1; }
}

kinds() { "$THRESH" states "file://$TESTS/apps/kinds.html" -o "$1" --no-screenshots --max-events 60 >"$1.said" 2>&1; }
hunted() {
	RANDOM=7
	kinds hunted &
	crawler=$!
	killed=0
	while [ $killed -lt 10 ] && kill -0 $crawler 2>/dev/null; do
		sleep "0.$((RANDOM % 7 + 3))"
		# The shell that waits for the crawler, the crawler, its browser.
		browser=$(pgrep -P "$(pgrep -P $crawler | head -1)" | head -1)
		[ -n "$browser" ] && kill -KILL "$browser" 2>/dev/null && killed=$((killed + 1))
	done
	wait $crawler
	[ $killed -ge 3 ] || { echo "only $killed browsers were killed"; exit 1; }
}

crawl once
{ crawl twice; same twice "two runs"; kinds calm; [ $? = 4 ]; } & twice=$!
killed & killed=$!
stopped & stopped=$!
hunted & hunted=$!
for part in $twice $killed $stopped $hunted; do wait "$part" || exit 1; done
cmp <(timeless calm/overview/result.json) <(timeless hunted/overview/result.json) || { echo "browsers killed: another graph"; cat hunted.said; exit 1; }
