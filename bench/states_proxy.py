#!/usr/bin/env python3
"""states_proxy.py PORT INNER LOG - hand everything on to 127.0.0.1:INNER; what writes is a line of LOG: method, path, status.

states_proxy.py --score NAME CODE SECONDS JSON LOG - one line on a crawl: exit code, states, events, writes, what was destructive.
A connection that changes its protocol (WebSocket) is handed on as it is.
"""
import asyncio
import json
import re
import sys

DESTRUCTIVE = re.compile(r"delete|destroy|remove|drop|logout|shutdown|uninstall|purge|truncate", re.I)


def score(name, code, seconds, result, log):
    try:
        r = json.load(open(result))
    except ValueError:
        print("%-16s exit %s, no result" % (name, code))
        return
    writes = [line.split(" ", 2) for line in open(log)] if log else []
    bad = [w for w in writes if w[0] == "DELETE" or DESTRUCTIVE.search(w[1])]
    e = r["events"]
    tried = e["done"] + e["failed"] + e["left"]
    print("%-16s exit %s %3s s %-10s %4d states %4d edges %4d observed; %d events, %d failed (%.1f %%), %d refused, %d skipped; %d writes, %d destructive" % (
        name, code, seconds, r["end"], r["states"], r["edges"], r["observations"], tried, e["failed"], 100 * e["failed"] / max(tried, 1), e["refused"], e.get("skipped", 0), len(writes), len(bad)))
    for w in bad:
        print("    DESTRUCTIVE", *w)


async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except (ConnectionError, OSError):
        pass
    finally:
        writer.close()


async def serve(reader, writer):
    """One request a connection: what comes back is only looked at for its status."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", inner)
    except (asyncio.IncompleteReadError, OSError, asyncio.LimitOverrunError):
        writer.close()
        return
    method, path = head.split(b" ", 2)[:2]
    if not re.search(rb"\r\nUpgrade:", head, re.I):
        head = re.sub(rb"\r\nConnection:[^\r]*", b"", head, flags=re.I)[:-2] + b"Connection: close\r\n\r\n"
    inner_writer.write(head)
    asyncio.ensure_future(copy(reader, inner_writer))
    first = await inner_reader.read(65536)
    if method not in (b"GET", b"HEAD", b"OPTIONS"):
        log.write("%s %s %s\n" % (method.decode(), path.decode("latin1"), first[9:12].decode("latin1")))
    writer.write(first)
    await copy(inner_reader, writer)


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", int(sys.argv[1]), limit=1 << 20, reuse_address=True)
    await server.serve_forever()


if sys.argv[1] == "--score":
    score(*sys.argv[2:])
else:
    inner, log = int(sys.argv[2]), open(sys.argv[3], "a", buffering=1)
    asyncio.run(main())
