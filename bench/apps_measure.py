#!/usr/bin/env python3
"""apps_measure.py RECALL FOLDER NAME - rows of the table of apps.sh for the crawls FOLDER/NAME.KIND.

n-grams: runs of four words in blocks of text (100 characters and more, few links) of the content: for each
sentence of the truth (earlier versions apart) the smallest page of any crawl that has it; the share that
one crawl has.  Duplicates: answers whose bytes another answer had."""
import gzip
import hashlib
import html
import os
import re
import subprocess
import sys

BLOCK = re.compile(rb"</?(?:p|div|li|td|tr|th|table|ul|ol|dl|dd|dt|h[1-6]|pre|blockquote|br|section|article|header|footer|nav|main|form|body|head|title)\b[^>]*>", re.I)
DROP = re.compile(rb"<(script|style)\b.*?</\1>|<!--.*?-->", re.I | re.S)
ANCHOR = re.compile(rb"<a\b[^>]*>(.*?)</a>", re.I | re.S)
TAG = re.compile(rb"<[^>]*>")
LINK = re.compile(rb"<a\b[^>]*?href\s*=\s*[\"']?(https?://[^\"'\s>#]+)", re.I)


def warc_answers(folder):
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".warc.gz"):
            continue
        with gzip.open(os.path.join(folder, name), "rb") as f:
            while True:
                line = f.readline()
                if not line:
                    break
                if not line.startswith(b"WARC/"):
                    continue
                fields = {}
                for line in iter(f.readline, b"\r\n"):
                    key, _, value = line.partition(b":")
                    fields[key.lower()] = value.strip()
                block = f.read(int(fields[b"content-length"]))
                if fields[b"warc-type"] != b"response":
                    continue
                head, _, body = block.partition(b"\r\n\r\n")
                if re.search(rb"^content-encoding: *gzip", head, re.I | re.M):
                    try:
                        body = gzip.decompress(body)
                    except OSError:
                        continue
                yield head, body


def folder_answers(folder):
    for root, _, names in os.walk(folder):
        if "hts-cache" in root:
            continue
        for name in names:
            if name in ("hts-log.txt", "cookies.txt", "backblue.gif", "fade.gif"):
                continue
            with open(os.path.join(root, name), "rb") as f:
                yield b"HTTP/1.1 200 OK", f.read()


def answers(at):
    archive = os.path.join(at, "archive")
    return warc_answers(archive) if os.path.isdir(archive) else folder_answers(at)


def grams(body):
    found = set()
    for part in BLOCK.split(DROP.sub(b" ", body)):
        linked = sum(len(TAG.sub(b"", m)) for m in ANCHOR.findall(part))
        plain = TAG.sub(b" ", part)
        if len(plain) < 100 or linked * 3 > len(plain):
            continue
        words = re.findall(r"\w+", html.unescape(plain.decode("utf-8", "replace")).lower())
        found.update(hash(tuple(words[i:i + 4])) for i in range(len(words) - 3))
    return found


def words_of(text):
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def content_grams(crawls, truth):
    """Of the smallest page that has each sentence."""
    with open(truth, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    wanted = {words_of(r[3]): None for r in rows if len(r) == 4 and r[0] not in ("old-revision", "old-file")}
    starts = {}
    for sentence in wanted:
        starts.setdefault(tuple(sentence.split()[-3:]), []).append(sentence)
    for c in crawls.values():
        for body, found in c["pages"]:
            text = words_of(html.unescape(TAG.sub(b" ", DROP.sub(b" ", body)).decode("utf-8", "replace")))
            words = text.split()
            for key in set(zip(words, words[1:], words[2:])) & starts.keys():
                for sentence in starts[key]:
                    if sentence in text and (wanted[sentence] is None or len(body) < wanted[sentence][0]):
                        wanted[sentence] = (len(body), found)
    return set().union(*(v[1] for v in wanted.values() if v))


def requests_of(work, name, kind):
    at = os.path.join(work, f"{name}.{kind}")
    if os.path.exists(os.path.join(at, "crawl.log")):
        with open(os.path.join(at, "crawl.log"), encoding="utf-8", errors="replace") as f:
            rows = [line.split() for line in f]
        return len(rows), sum(int(r[2]) for r in rows if r[2].isdigit())
    if kind == "wget2":
        with open(os.path.join(work, f"{name}.wget2.log"), encoding="utf-8", errors="replace") as f:
            return len(re.findall(r"HTTP response \d+", f.read())), None
    log = os.path.join(at, "hts-cache", "new.txt")
    if not os.path.exists(log):
        return 0, None
    with open(log, encoding="utf-8", errors="replace") as f:
        return max(0, sum(1 for _ in f) - 1), None


def main():
    recall, work, name = sys.argv[1:]
    crawls = {}
    for kind in "apps", "no-history", "no-apps", "wget2", "httrack":
        at = os.path.join(work, f"{name}.{kind}")
        if not os.path.isdir(at):
            continue
        c = {"grams": set(), "links": set(), "bytes": 0, "n": 0, "digests": set(), "pages": []}
        for head, body in answers(at):
            c["n"] += 1
            c["bytes"] += len(body)
            c["digests"].add(hashlib.sha1(body).digest())
            if b"<" in body[:2000] and b"\0" not in body[:2000]:
                found = grams(body)
                c["grams"] |= found
                if len(c["pages"]) < 8000 and len(body) < 300000:
                    c["pages"].append((body, found))
                c["links"].update(u for u in LINK.findall(body) if b"//127.0.0.1" not in u)
        crawls[kind] = c
    every = content_grams(crawls, os.path.join(work, f"{name}.app", "truth.tsv"))
    links = set().union(*(c["links"] for c in crawls.values()))
    truth = os.path.join(work, f"{name}.app", "truth.tsv")
    for kind, c in crawls.items():
        at = os.path.join(work, f"{name}.{kind}")
        out = subprocess.run([sys.executable, recall, truth, at], capture_output=True, text=True, check=False).stdout
        total = re.search(r"^total\s+(\d+)\s+(\d+)", out, re.M)
        kinds = [f"{m[1]} {int(m[2]) - int(m[3])}" for m in re.finditer(r"^([a-z-]+)\s+(\d+)\s+(\d+)", out, re.M)
                 if m[1] != "total" and int(m[3]) < int(m[2])]
        n, wire = requests_of(work, name, kind)
        mark = ""
        if os.path.exists(at + ".time"):
            with open(at + ".time", encoding="utf-8") as f:
                mark = f.read()
        over = ">" if mark.startswith(">") else ""
        missing = f" (missing: {', '.join(kinds)})" if kinds else ""
        print(f"| {name} | {kind} | {over}{n} | {(wire or c['bytes']) / 1e6:.1f} | {total[2]} of {total[1]}{missing} | "
              f"{100 * len(c['grams'] & every) / max(1, len(every)):.1f} % | "
              f"{100 * (c['n'] - len(c['digests'])) / max(1, c['n']):.0f} % | {len(c['links'])} of {len(links)} | {mark} |")


main()
