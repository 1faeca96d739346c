# Killed outright at random moments and started again, `thresh dedup` ends with the very
# output of a run that nobody disturbed; a run that went on says so.
cd "$TMP"
awk 'BEGIN {
	for (d = 0; d < 1500; d++) {
		srand(d % 5 == 1 ? d - 1 : d) # every fifth is near to the one before
		printf "{\"id\":\"d%d\",\"text\":\"", d
		for (i = 0; i < 260; i++)
			printf "w%d ", int(rand() * 5000)
		printf "end%d\"}\n", d
	}
}' >x.jsonl
start=$(date +%s%N)
"$THRESH" dedup -q -w all x.jsonl -o whole.jsonl || exit 1
ms=$((($(date +%s%N) - start) / 1000000 + 1))
[ "$(grep -c '"near"' whole.jsonl)" = 300 ] || { echo "not 300 near ones"; exit 1; }

hits=0 resumed=0
for try in $(seq 60); do
	# With so little memory the log is written from the beginning.
	"$THRESH" dedup --memory 1M --threads $((1 + try % 2)) -w all x.jsonl -o killed.jsonl 2>err &
	pid=$!
	sleep "$(printf '0.%03d' $((RANDOM % (ms < 999 ? ms : 999))))"
	kill -KILL $pid 2>/dev/null
	wait $pid 2>/dev/null
	code=$?
	! grep -q "^resuming" err || resumed=$((resumed + 1))
	if [ $code = 0 ]; then # it was faster: the next one starts anew
		cmp whole.jsonl killed.jsonl || exit 1
		rm -rf killed.jsonl*
	elif [ $code = 137 ]; then
		hits=$((hits + 1))
	else
		cat err
		exit 1
	fi
	[ $hits -lt 6 ] || [ $resumed = 0 ] || break
done
"$THRESH" dedup -q -w all x.jsonl -o killed.jsonl || exit 1
cmp whole.jsonl killed.jsonl || exit 1
[ ! -e killed.jsonl.work ] || { echo "the folder of the run stayed"; exit 1; }
[ $hits -gt 2 ] && [ $resumed -gt 0 ] || { echo "$hits kills, $resumed resumed"; exit 1; }
