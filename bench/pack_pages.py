#!/usr/bin/env python3
"""pack_pages.py OUT.warc.gz FOLDER [MAX] - the HTML files under a folder as a WARC, one member a record.

As crawlers write it: a request and a response a page, gzip level 6 by zlib.  In the order of the paths.
"""
import gzip, pathlib, sys


def record(kind, uri, block):
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"Content-Type: application/http; msgtype={kind}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + block + b"\r\n\r\n", 6, mtime=0)


def main():
    folder = pathlib.Path(sys.argv[2])
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 1 << 60
    pages = sorted(p for p in folder.rglob("*.html") if p.is_file() and not p.is_symlink())[:most]
    size = 0
    with open(sys.argv[1], "wb") as out:
        for p in pages:
            path, body = p.relative_to(folder).as_posix(), p.read_bytes()
            uri = f"http://docs.example/{path}"
            size += len(body)
            out.write(record("request", uri, f"GET /{path} HTTP/1.1\r\nHost: docs.example\r\n\r\n".encode()))
            head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n"
            out.write(record("response", uri, head.encode() + body))
    print(f"{len(pages)} pages, {size / 1e6:.1f} MB", file=sys.stderr)


main()
