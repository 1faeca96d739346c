# Several threads inflate a WARC.gz in parts; what comes out is what one thread reads.
cd "$TMP"
python3 - <<'MAKE'
import ctypes, gzip, random

deal = random.Random(1)
WORDS = ["w%x" % deal.getrandbits(60) for _ in range(20000)]


def record(name, body, kind="text/plain"):
    block = b"HTTP/1.1 200 OK\r\nContent-Type: " + kind.encode() + b"\r\n\r\n" + body
    head = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/%s\r\n" % name
    head += "Content-Type: application/http\r\nContent-Length: %d\r\n\r\n" % len(block)
    return head.encode() + block + b"\r\n\r\n"


zstd = ctypes.CDLL("libzstd.so.1")
zstd.ZSTD_compressBound.restype = zstd.ZSTD_compress.restype = ctypes.c_size_t


def frame(data):
    room = ctypes.create_string_buffer(zstd.ZSTD_compressBound(ctypes.c_size_t(len(data))))
    n = zstd.ZSTD_compress(room, ctypes.c_size_t(len(room)), data, ctypes.c_size_t(len(data)), 3)
    return room.raw[:n]


def page(n):
    return " ".join(deal.choice(WORDS) for _ in range(n)).encode()


def save(name, data):
    with open(name, "wb") as f:
        f.write(data)


pages = [page(900) for _ in range(120)]
pages[60] = pages[7]
plain = [record(str(i), p) for i, p in enumerate(pages)]
members = [gzip.compress(r, 1) for r in plain]
whole = b"".join(members)
save("whole.warc.gz", whole)
# A stored WARC.gz cannot be compressed again, so its members stand in the outer one as they are.
inner = record("inner.warc.gz", b"".join(gzip.compress(record("in%d" % i, page(900)), 9) for i in range(150)), "application/gzip")
save("nested.warc.gz", b"".join(members[:30]) + gzip.compress(inner, 0) + b"".join(members[30:]))
save("one_member.warc.gz", gzip.compress(b"".join(plain), 1))
save("many_small.warc.gz", b"".join(gzip.compress(record("s%d" % i, b"a few words %d" % i), 1) for i in range(6000)))
save("bomb.warc.gz", gzip.compress(b"".join(record("b%d" % i, b"the same words again and again") for i in range(5000)), 9) + whole)
half = len(whole) // 2
save("flipped.warc.gz", whole[:half] + bytes([whole[half] ^ 0x55]) + whole[half + 1 :])
save("cut_out.warc.gz", whole[:half] + whole[half + 5000 :])
save("torn.warc.gz", whole[:-50])
frames = [frame(r) for r in plain]
zwhole = b"".join(frames)
half = len(zwhole) // 2
skipped = b"\x50\x2a\x4d\x18\x05\0\0\0hello"
save("whole.warc.zst", b"".join(frames[:50]) + skipped + b"".join(frames[50:]))
save("nested.warc.zst", b"".join(frames[:30]) + frame(record("inner.warc.zst", zwhole, "application/zstd")) + b"".join(frames[30:]))
save("one_frame.warc.zst", frame(b"".join(plain)))
save("flipped.warc.zst", zwhole[:half] + bytes([zwhole[half] ^ 0x55]) + zwhole[half + 1 :])
save("cut_out.warc.zst", zwhole[:half] + zwhole[half + 5000 :])
save("torn.warc.zst", zwhole[:-50])
save("split.warc.zst", b"".join(frame(b"".join(plain)[i : i + 70001]) for i in range(0, len(b"".join(plain)), 70001)))
save("split.warc.gz", b"".join(gzip.compress(b"".join(plain)[i : i + 70001], 1) for i in range(0, len(b"".join(plain)), 70001)))
MAKE
for f in {whole,nested,one_member,many_small,bomb,flipped,cut_out,torn,split}.warc.gz \
	{whole,nested,one_frame,flipped,cut_out,torn,split}.warc.zst; do
	timeout 60 "$THRESH" dedup -q --threads 1 -w all $f >one.jsonl 2>one.err
	echo "$f: exit $?, $(wc -l <one.jsonl) documents, $(grep -c broken-record one.err) broken"
	for threads in 2 5; do
		timeout 60 "$THRESH" dedup -q --threads $threads -w all $f >more.jsonl 2>more.err
		cmp one.jsonl more.jsonl && cmp <(sed 's/.*broken-record//' one.err) <(sed 's/.*broken-record//' more.err)
	done
done
echo "many files at once, and what is kept"
for threads in 1 3; do
	timeout 60 "$THRESH" dedup -q --threads $threads *.warc.gz 2>/dev/null | md5sum
done | uniq | wc -l
echo "little memory changes nothing"
for memory in 1M 1G; do
	timeout 60 "$THRESH" dedup -q --memory $memory whole.warc.gz nested.warc.gz 2>/dev/null | md5sum
done | uniq | wc -l
echo "binary files and damaged ones hide nothing"
mkdir mixed
printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0' >mixed/a.png
printf '\037\213\010\0damaged' >mixed/b.jsonl.gz
echo 'just words' >mixed/c.txt
printf '\377\376h\0i\0' >mixed/d.txt
printf 'caf\351 au lait' >mixed/e.txt
timeout 60 "$THRESH" dedup -q mixed 2>err; echo "exit $?"
sed 's/.*broken-record/broken-record/' err
