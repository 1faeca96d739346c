#!/usr/bin/env python3
"""skipped_content.py CRAWLDIR [PER_RULE] - what the skips of a finished crawl have cost.

Requests up to PER_RULE [20] of the URLs that each URL rule skipped, from the server that was crawled
(which must still run), and prints per rule how many of them have text that no fetched page has: more
than NEW_SHINGLES runs of five words. Fails when there is one. Rules that are retracted or still on
probation, whose skips return, and skips for a URL that was not fetched yet are left out.
"""
import collections
import gzip
import html
import json
import os
import random
import re
import sys
import urllib.error
import urllib.request

NEW_SHINGLES = 12
TAGS = re.compile(rb"<(script|style)\b.*?</\1>|<!--.*?-->|<[^>]*>", re.S | re.I)


def shingles(body):
    text = html.unescape(TAGS.sub(b" ", body).decode("utf-8", "replace"))
    words = re.findall(r"\w+", text.lower())
    return {hash(tuple(words[i:i + 5])) for i in range(len(words) - 4)}


def bodies(folder):
    for name in sorted(os.listdir(os.path.join(folder, "archive"))):
        with gzip.open(os.path.join(folder, "archive", name), "rb") as f:
            data = f.read()
        for record in data.split(b"\r\n\r\nWARC/1."):
            head, _, rest = record.partition(b"\r\n\r\n")
            if b"WARC-Type: response" in head:
                fields, _, body = rest.partition(b"\r\n\r\n")
                if b"content-encoding: gzip" in fields.lower():
                    body = gzip.decompress(body)
                yield body


def states(folder):
    """The state of each rule, by its text as the ledger has it."""
    found = {}
    for name in os.listdir(os.path.join(folder, "rules")):
        if not name.endswith(".rules"):
            continue
        with open(os.path.join(folder, "rules", name), encoding="utf-8") as f:
            for block in f.read().split("\n\n"):
                fields = dict(re.findall(r"^\s+(\w+)\s+(.*)$", block, re.M))
                text = fields.get("operation") or f"{fields.get('context')} {fields.get('transformation')}"
                found[text] = fields.get("state", "")
    return found


def skips(folder):
    """Skips by rule, of rules that are believed, and whose other URL was fetched."""
    with open(os.path.join(folder, "crawl.log"), encoding="utf-8") as f:
        fetched = {line.split()[3] for line in f}
    state, found = states(folder), collections.defaultdict(set)
    with open(os.path.join(folder, "skipped.jsonl"), encoding="utf-8") as f:
        for line in f:
            entry = json.loads(line)
            if entry.get("stage") != "rules" or entry["url"] in fetched or entry.get("detail") not in fetched:
                continue
            if state.get(entry["rule"]) not in ("retracted", "probation"):
                found[entry["rule"]].add(entry["url"])
    return found


def new_text(url, known):
    """Runs of words on the page that no fetched page has."""
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return len(shingles(answer.read()) - known)
    except urllib.error.URLError:
        return 0


def main():
    folder, most = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
    known = set()
    for body in bodies(folder):
        known |= shingles(body)
    bad = 0
    for rule, urls in sorted(skips(folder).items(), key=lambda x: -len(x[1])):
        tried = random.Random(1).sample(sorted(urls), min(most, len(urls)))
        lost = [(n, url) for url in tried if (n := new_text(url, known)) > NEW_SHINGLES]
        print(f"{len(urls)} skipped, {len(tried)} requested, {len(lost)} with new text: {rule} {max(lost, default='')}")
        bad += len(lost)
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
