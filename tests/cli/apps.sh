# Descriptions: listed, tested against their fixtures, used on a page, and wrong ones named.
apps=$TESTS/../apps
"$THRESH" apps list | awk 'NR > 1 { n++ } END { print (n >= 25 ? "25 or more" : n), "applications" }'
"$THRESH" apps test "$apps" | tail -n 1 | sed 's/[0-9]* fixtures/N fixtures/; s/(.*//'
"$THRESH" apps lint "$apps" | tail -n 1 | sed 's/[0-9]* applications, [0-9]* patterns//; s/[0-9]* patterns that/N that/'
cp "$apps/fixtures/phpbb-thread.html" page.html
"$THRESH" apps detect page.html --url 'https://board.example/viewtopic.php?f=2&t=41'
"$THRESH" apps extract page.html --url 'https://board.example/viewtopic.php?f=2&t=41' | head -n 1
mkdir mine
cat > mine/broken.xml <<'X'
<application id="broken" name="Broken">
  <detect>
    <url mach="x"/>
  </detect>
</application>
X
"$THRESH" apps list --apps mine --only
echo "exit $?"
cat > tech.json <<'X'
{"technologies": {"Pot Shop": {"cats": [6], "headers": {"X-Pot": ""}, "scriptSrc": "pot(?:shop)?\\.js\\;version:\\1", "meta": {"generator": "^Pot\\;confidence:50"}, "dom": "div#pot.shop > a[href*='pot']", "js": {"Pot": ""}}, "No": {"scriptSrc": "(("}}}
X
"$THRESH" apps import tech.json -o imported
cat imported/pot-shop.xml
echo '<script src="/potshop.js"></script>' > page.html
"$THRESH" apps detect page.html --apps imported --only --json
