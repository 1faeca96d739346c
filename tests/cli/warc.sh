# The commands of 'thresh warc' on one small archive in three wrappings.
corpus=$TESTS/../fuzz/corpus/warc
cp "$corpus"/one.warc "$corpus"/one.warc.gz "$corpus"/one.warc.zst "$corpus"/torn.warc.gz "$corpus"/whole.warc.gz .
"$THRESH" warc ls one.warc.gz
"$THRESH" warc ls -t request one.warc one.warc.zst
"$THRESH" warc ls --json -t warcinfo one.warc.gz
"$THRESH" warc cat one.warc.gz -n 351 -p head
for f in one.warc one.warc.gz one.warc.zst; do
	"$THRESH" warc cat $f -u https://www.example.org/section/page-000000 -t response -p payload | sha1sum
	"$THRESH" warc cat $f | wc -c
done
echo "-- check"
"$THRESH" warc check one.warc; echo "exit $?"
"$THRESH" warc check torn.warc.gz; echo "exit $?"
"$THRESH" warc check whole.warc.gz | sed 's/ <urn.*//'; echo "exit ${PIPESTATUS[0]}"
"$THRESH" warc check one.warc one.warc.gz -q; echo "exit $?"
echo "-- index"
"$THRESH" warc index one.warc.gz one.warc -o both.cdxj; cat both.cdxj
"$THRESH" warc index torn.warc.gz | wc -l
echo "-- wacz"
"$THRESH" warc wacz one.warc.gz --title 'A page'
python3 - <<'P'
import hashlib, json, zipfile
z = zipfile.ZipFile("one.wacz")
print(z.testzip(), [(i.filename, i.compress_type) for i in z.infolist()])
package = json.loads(z.read("datapackage.json"))
print(all(r["hash"] == "sha256:" + hashlib.sha256(z.read(r["path"])).hexdigest() and r["bytes"] == len(z.read(r["path"])) for r in package["resources"]))
print(json.loads(z.read("datapackage-digest.json"))["hash"] == "sha256:" + hashlib.sha256(z.read("datapackage.json")).hexdigest())
print(package["title"], package["wacz_version"], len(package["resources"]))
print([(p["url"], p["title"]) for p in map(json.loads, z.read("pages/pages.jsonl").decode().splitlines()[1:])])
P
echo "-- mistakes"
"$THRESH" warc ls; echo "exit $?"
"$THRESH" warc check missing.warc; echo "exit $?"
"$THRESH" warc cat one.warc.gz -n 999999; echo "exit $?"
"$THRESH" warc cat one.warc.gz -u http://nowhere/; echo "exit $?"
"$THRESH" warc chek one.warc.gz; echo "exit $?"
echo "-- a folder with an index"
mkdir -p crawl/archive crawl/indexes; cp one.warc.gz crawl/archive/
"$THRESH" warc index crawl -o crawl/indexes/index.cdxj
"$THRESH" warc cat crawl -u https://www.example.org/section/page-000000 | wc -c
"$THRESH" warc cat crawl -u https://www.example.org/section/page-000000 -t metadata -p block
"$THRESH" warc cat crawl -u https://www.example.org/section/PAGE-000000; echo "exit $?"
echo "-- wacz of a file in zstd: players know gzip alone"
"$THRESH" warc wacz one.warc.zst -o zst.wacz
python3 - <<'END'
import gzip, io, json, zipfile
z = zipfile.ZipFile("zst.wacz")
print([n for n in z.namelist() if n.startswith("archive/")])
warc = z.read("archive/one.warc.gz")
for line in gzip.decompress(z.read("indexes/index.cdx.gz")).decode().splitlines():
    place = json.loads(line[line.index("{"):])
    record = gzip.GzipFile(fileobj=io.BytesIO(warc[int(place["offset"]):][:int(place["length"])])).read()
    print(place["filename"], record.startswith(b"WARC/1."), place["url"].encode() in record)
END
python3 -m zipfile -e zst.wacz unpacked && "$THRESH" warc check unpacked/archive/one.warc.gz
