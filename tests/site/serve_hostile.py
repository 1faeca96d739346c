"""Many clients, slow ones, liars: serve_hostile.py HOST:PORT TOKEN PID. Prints what was answered wrongly."""
import concurrent.futures, http.client, json, os, socket, sys, time

address, token, pid = sys.argv[1], sys.argv[2], sys.argv[3]
host, port = address.split(":")
bad = []


def request(method, path, body=None, **fields):
    c = http.client.HTTPConnection(host, int(port), timeout=60)
    try:
        c.request(method, path, body, {k.replace("_", "-"): v for k, v in fields.items()})
        r = c.getresponse()
        return r.status, r.getheader("Content-Type"), r.read()
    finally:
        c.close()


def expect(status, *args, **fields):
    got = request(*args, **fields)
    if got[0] != status:
        bad.append(f"{args[:2]} {str(args[2:])[:80]}: {got[0]} instead of {status}: {got[2][:200]}")
    if got[0] >= 400:
        p = json.loads(got[2]) if got[1] == "application/problem+json" else {}
        if p.get("status") != got[0] or not p.get("detail"):
            bad.append(f"{args[:2]}: no problem document: {got}")


may = {"Authorization": "Bearer " + token}
# What is wrong is said.
for body in ["{", "[", "nonsense", '[{"url":"http://a.test/","colour":1}]', '[{"url":7}]', '[{"score":1}]', "[1]", '[{"url":"http://a.test/"}}',
             '{"url":"http://' + "a" * 20000 + '.test/"}', '[{"url":"http://a.test/","score":"high"}]', "\0\xff", "[" * 100000]:
    expect(400, "POST", "/urls", body.encode("latin1"), **may)
for body in ["{", "[]", '{"match":"("}', '{"match":"x","drop":1}', '{"match":"x","score":0.5,"drop":true}']:
    expect(400, "PATCH", "/queue", body, **may)
expect(401, "POST", "/urls", "[]")
expect(401, "POST", "/urls", "[]", Authorization="Bearer " + "0" * 64)
expect(401, "POST", "/stop", "", Authorization="Basic abc")
expect(403, "POST", "/stop", "", Origin="http://evil.example", **may)
expect(403, "GET", "/status", None, Sec_Fetch_Site="cross-site")
expect(413, "PATCH", "/queue", "x" * 100000, **may)
expect(404, "GET", "/../../../etc/passwd")
expect(404, "GET", "/%2e%2e/%2e%2e/etc/passwd")
expect(404, "GET", "/state/journal")
expect(405, "DELETE", "/queue")
expect(400, "GET", "/pages?after=-1")
expect(400, "GET", "/events?kinds=nonsense")
if request("GET", "/status", None, Host="evil.example")[0] not in (403, 421):
    bad.append("a foreign Host was answered")

# A hundred that never finish their head, and some that stop in the middle of a body.
files = len(os.listdir(f"/proc/{pid}/fd"))
slow = []
for i in range(120):
    s = socket.create_connection((host, int(port)))
    s.sendall(b"GET /status HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: " if i % 2 else
              f"POST /urls HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\nContent-Length: 1000\r\n\r\n[".encode())
    slow.append(s)


# Meanwhile 200 clients at a time are answered.
def client(n):
    for _ in range(20):
        try:
            status = request("GET", "/status")[0]
            break
        except OSError:  # shown the door in favour of another: a client tries again
            time.sleep(0.2)
    else:
        return "no answer"
    if status not in (200, 429):
        return f"/status: {status}"
    status, _, text = request("POST", "/urls", json.dumps([{"url": f"http://a.test/{n}/{i}"} for i in range(20)]), **may)
    return "" if status == 202 and json.loads(text)["accepted"] == 20 else f"/urls: {status} {text[:100]}"


start = time.time()
with concurrent.futures.ThreadPoolExecutor(200) as pool:
    bad += [x for x in pool.map(client, range(400)) if x]
print(f"400 clients, 200 at a time, beside 120 slow ones: {time.time() - start:.1f} s")
for s in slow:
    s.close()
for _ in range(100):
    if len(os.listdir(f"/proc/{pid}/fd")) <= files + 8:
        break
    time.sleep(0.1)
else:
    bad.append(f"descriptors: {files} before, {len(os.listdir(f'/proc/{pid}/fd'))} after")
print("\n".join(bad[:20]))
sys.exit(bool(bad))
