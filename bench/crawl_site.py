#!/usr/bin/env python3
"""Make a static site to measure crawlers on: N pages of about 20 kB with 40 links each.

  crawl_site.py FOLDER [N] [UNIQUE]

UNIQUE: so many further links on each page that stand nowhere else and lead nowhere.
"""
import pathlib, random, sys

folder, n = pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10000
unique = int(sys.argv[3]) if len(sys.argv) > 3 else 0
folder.mkdir(parents=True, exist_ok=True)
rng = random.Random(1)
words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 10))) for _ in range(5000)]


def prose(count):
    return " ".join(rng.choices(words, k=count))


for i in range(n):
    links = [(i * 40 + k + 1) % n for k in range(20)] + [rng.randrange(n) for _ in range(20)]
    parts = [f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Page {i} {prose(4)}</title></head><body>"]
    for k, link in enumerate(links):
        parts.append(f"<p class=c{k % 7}>{prose(62)} <a href='/p{link}.html'>{prose(3)}</a>.</p>")
    parts.extend(f"<a href='/archive/{(i * unique + k) % 977}/item-{i * unique + k}.html?a=1&amp;b=2'>{k}</a>" for k in range(unique))
    (folder / f"p{i}.html").write_text("\n".join(parts) + "</body></html>\n")
(folder / "index.html").write_text(
    "<!DOCTYPE html><html><head><meta charset=utf-8><title>Start</title></head><body>"
    "<a href=\"/p0.html\">start</a></body></html>\n")
