# kill -9 during injection: every acknowledged URL is there after the restart. KILLS makes it longer: bench/serve_kill.sh.
. "$TESTS/site/serve.sh.inc"
RANDOM=${SEED:-1}
trap 'kill $crawl 2>/dev/null' EXIT
# Nobody answers there: everything stays queued.
site=http://127.0.0.1:9
OPTIONS="--no-discover --allow-private --delay 1h --backoff 1h --retries 9 --commit 20ms -q"
n=0 kills=${KILLS:-8}
for round in $(seq "$kills"); do
	listen out $site/seed $OPTIONS
	for batch in 1 2 3 4 5 6; do
		for _ in $(seq 50); do n=$((n + 1)); echo "{\"url\":\"$site/u/$n\",\"score\":0.$((n % 10))}"; done >batch.txt
		if [ $batch = 4 ]; then (sleep 0.0$((RANDOM % 10)); kill -9 $crawl) 2>/dev/null & fi
		demand POST /urls --data-binary @batch.txt >ack.txt 2>/dev/null || break
		grep -q '"accepted":50' ack.txt && sed 's/.*"url":"\([^"]*\)".*/\1/' batch.txt >>acknowledged.txt
	done
	wait $crawl 2>/dev/null
done
wait_all() { ask '/queue?limit=10000' | tr '{' '\n' | sed -n 's/^"url":"\([^"]*\)".*/\1/p' | sort >queue.txt; sort acknowledged.txt | comm -23 - queue.txt >lost.txt; [ ! -s lost.txt ]; }
listen out $site/seed $OPTIONS
until_true 30 wait_all || { wc -l acknowledged.txt queue.txt lost.txt; head -3 lost.txt; exit 1; }
sort queue.txt | uniq -d | grep . && die "queued twice"
demand POST /stop >stop.txt
wait $crawl
echo "$(wc -l <acknowledged.txt) acknowledged, $kills kills, none lost"
[ "$(wc -l <acknowledged.txt)" -ge $((kills * 150)) ]
