# One request at a time: two crawls of the same web ask for the same URLs in the same order and decide the same.
. "$TESTS/site/web.sh.inc"
for name in one two; do
	serve --pages 60 --hosts 4 --seed 9
	"$THRESH" crawl seeds.txt -o $name $FAST --scope any --concurrency 1 --max-pages 300 || [ $? -le 5 ] || { echo "exit $?"; exit 1; }
	kill $server
	wait $server 2>/dev/null
	trap - EXIT
	awk '{ print $2, $4, $12 }' $name/crawl.log >$name.asked
	sed -E 's/"time":"[^"]*",//' $name/skipped.jsonl >$name.skips
	"$THRESH" status $name --audit >$name.audit || [ $? = 7 ]
	sed -n '/^audit/,$p' $name.audit >$name.ends
done
[ "$(wc -l <one.asked)" -gt 150 ] || { wc -l one.asked; exit 1; }
for what in asked skips ends; do
	cmp -s one.$what two.$what || { echo "$what differ:"; diff one.$what two.$what | head -20; exit 1; }
done
