# What is named but holds no documents is told, once, and not taken for success.
cd "$TMP"
mkdir folder site && echo 'p { color: red }' >site/a.css && echo '<svg/>' >site/b.svg && echo 'some words' >site/c.txt
"$THRESH" dedup -q - <folder; echo "exit $?"
printf 'a\0b\0c' >garbage.bin
"$THRESH" dedup -q garbage.bin; echo "exit $?"
echo '{"text":"a line of its own"}' >good.jsonl
"$THRESH" dedup -q garbage.bin good.jsonl; echo "exit $?"
for i in $(seq 300); do echo "{\"text\":\"line $i\"}"; done >many.jsonl
"$THRESH" dedup -q --field nosuch many.jsonl 2>&1 | sed -n '1p;20,$p'
"$THRESH" dedup -q -w all -f tsv site 2>&1 | cut -f3,5
mkdir -p crawl/archive crawl/state && echo lock >crawl/state/lock && cp many.jsonl crawl/pages.jsonl
printf 'WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://x/a\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n' >crawl/archive/a.warc
"$THRESH" dedup -q crawl
