# The crawl's command line: what is wrong is said, and nothing is done.
"$THRESH" crawl; echo "exit $?"
"$THRESH" crawl --scope galaxy http://a.test/; echo "exit $?"
"$THRESH" crawl --exclude 'a(b' http://a.test/ -o x; echo "exit $?"
"$THRESH" crawl --mime 'text/(' http://a.test/ -o x; echo "exit $?"
"$THRESH" crawl --revisit-seed '6h http' http://a.test/ -o x; echo "exit $?"
printf 'seeds: [http://a.test/]\nmax-pages: many\n' >bad.yaml
"$THRESH" crawl bad.yaml; echo "exit $?"
printf 'seeds: [http://a.test/]\nmax-page: 3\n' >typo.yaml
"$THRESH" crawl typo.yaml; echo "exit $?"
"$THRESH" crawl nowhere.yaml; echo "exit $?"
"$THRESH" crawl nowhere.txt; echo "exit $?"
"$THRESH" crawl ftp://a.test/ -o y -q; echo "exit $?"
"$THRESH" why . http://a.test/; echo "exit $?"
"$THRESH" status .; echo "exit $?"
"$THRESH" crawl --dry-run --ignore-robots -x private http://127.0.0.1:9/ http://127.0.0.1:9/private/; echo "exit $?"
# What is given on the command line counts, also when it is the default: here no limit again.
"$THRESH" crawl --ignore-robots -n 3 -q --retries 0 http://127.0.0.1:9/ -o limited 2>/dev/null; grep '^#*max-pages' limited/crawl.yaml
"$THRESH" crawl limited -n 0 -q --retries 0 2>/dev/null; grep '^#*max-pages' limited/crawl.yaml
