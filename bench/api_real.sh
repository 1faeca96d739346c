#!/usr/bin/env bash
# api_real.sh THRESH [PORT] - a MediaWiki of 500 and more pages and a WordPress of 300 posts with comments, harvested through their
# APIs: counts must be those of the servers, a second run must bring what was changed and nothing else.
# Needs ../shared/zoo (which installs the Debian packages); skips with a word where it is not there.
set -eu
thresh=$(realpath "$1") port=${2:-9560}
here=$(cd "$(dirname "$0")/.." && pwd)
zoo=$here/../shared/zoo/zoo
[ -x "$zoo" ] || { echo "skipped: ../shared/zoo is not there"; exit 0; }
dir=$(mktemp -d /tmp/api-real.XXXXXX)
trap '"$zoo" down --rm "$dir/mw" >/dev/null 2>&1; "$zoo" down --rm "$dir/wp" >/dev/null 2>&1; rm -rf "$dir"' EXIT
"$zoo" up mediawiki "$port" "$dir/mw" >/dev/null
"$zoo" up wordpress $((port + 1)) "$dir/wp" >/dev/null
mw() { php "/usr/share/mediawiki/maintenance/$1.php" --conf "$dir/mw/LocalSettings.php" "${@:2}" >/dev/null 2>&1; }
python3 - 400 >"$dir/extra.xml" <<'PY'
import sys
print('<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">')
for i in range(int(sys.argv[1])):
    print(f'<page><title>Extra {i:04d}</title><ns>0</ns><revision><timestamp>2026-11-10T00:{i//60:02d}:{i%60:02d}Z</timestamp><contributor><username>Admin'
          f'</username></contributor><model>wikitext</model><format>text/x-wiki</format><text>Extra page {i}, see https://extra.example/{i}</text></revision></page>')
print('</mediawiki>')
PY
mw importDump "$dir/extra.xml"
cat >"$dir/wp.php" <<PHP
<?php
\$_SERVER['HTTP_HOST'] = "127.0.0.1:$((port + 1))"; \$_SERVER['REMOTE_ADDR'] = '127.0.0.1';
require '$dir/wp/www/wp-load.php';
if (\$argv[1] == 'fill')
	for (\$i = 0; \$i < 150; \$i++) {
		\$id = wp_insert_post(['post_title' => "Extra \$i", 'post_content' => "<p>Post \$i</p>", 'post_status' => 'publish', 'post_author' => 1]);
		wp_insert_comment(['comment_post_ID' => \$id, 'comment_author' => "R", 'comment_content' => "On \$i", 'comment_approved' => 1]);
	}
else {
	foreach (get_posts(['numberposts' => 2, 'orderby' => 'ID', 'order' => 'ASC']) as \$p) wp_update_post(['ID' => \$p->ID, 'post_content' => 'changed']);
	\$id = wp_insert_post(['post_title' => "New", 'post_content' => "x", 'post_status' => 'publish', 'post_author' => 1]);
	for (\$i = 0; \$i < 5; \$i++) wp_insert_comment(['comment_post_ID' => \$id, 'comment_author' => "R", 'comment_content' => "New \$i", 'comment_approved' => 1]);
}
PHP
php "$dir/wp.php" fill
cat >"$dir/real.yaml" <<Y
name: real
services:
  - mediawiki: {instance: "http://127.0.0.1:$port", interactions: [pages]}
  - wordpress: {instance: "http://127.0.0.1:$((port + 1))", interactions: [posts, pages, comments, users]}
Y
total() { curl -s -D- -o /dev/null "http://127.0.0.1:$((port + 1))/?rest_route=/wp/v2/$1&per_page=1" | tr -d '\r' | sed -n 's/^x-wp-total: //Ip'; }
pages=$(php -r '$d = new PDO("sqlite:" . glob($argv[1] . "/data/*.sqlite")[0]); echo $d->query("select count(*) from page where page_namespace = 0")->fetchColumn();' "$dir/mw")
want=$((pages + $(total posts) + $(total pages) + $(total comments) + $(total users)))
"$thresh" api run -q -o "$dir/out" "$dir/real.yaml"
have=$(wc -l <"$dir/out/real/items.jsonl")
echo "$have items, the servers have $want ($pages wiki pages, $(total posts) posts, $(total comments) comments)"
for i in 1 2 3; do echo "changed $i" | mw edit -u Admin "Extra 000$i"; done
echo new | mw edit -u Admin "Quite new"
php "$dir/wp.php" change
sleep 1
"$thresh" api run -q --json -o "$dir/out" "$dir/real.yaml" | tee "$dir/second.json"
grep -q '"new":7,"changed":5' "$dir/second.json" || { echo "the second run should bring 7 new and 5 changed"; exit 1; }
[ "$have" = "$want" ]
