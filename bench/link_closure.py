#!/usr/bin/env python3
"""link_closure.py contents SITE         write SITE/index.html, which links to the first page of each book
link_closure.py reachable SITE BASE    the HTML files that links reach from BASE/, as URLs, a line each
link_closure.py compare LIST CRAWLLOG  which of them a crawl did not fetch, and what it fetched besides

The links are found by Python's own parser and resolved by its own urljoin: nothing here is ours."""
import os
import re
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urljoin, urlsplit

PLACES = {"a": "href", "area": "href", "link": "href", "frame": "src", "iframe": "src", "object": "data",
          "embed": "src", "form": "action"}
REFRESH = re.compile(r"url\s*=\s*['\"]?([^'\"]+)", re.I)
BLANKS = "".join(map(chr, range(33)))


class Links(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.base = None
        self.found = []

    def handle_starttag(self, tag, attrs):
        values = {}
        for name, value in attrs:
            values.setdefault(name, value or "")
        if tag == "base" and self.base is None:
            self.base = values.get("href")
        if tag == "form" and values.get("method", "get").lower() != "get":
            return
        if PLACES.get(tag) in values:
            self.found.append(values[PLACES[tag]])
        if tag == "meta" and values.get("http-equiv", "").lower() == "refresh":
            self.found += REFRESH.findall(values.get("content", ""))[:1]


def write_contents(site):
    books = []
    for folder, inner, files in os.walk(site):
        first = [f for f in files if f.lower() in ("index.html", "index.htm")]
        if first:
            books.append(os.path.relpath(os.path.join(folder, first[0]), site))
            inner.clear()
    with open(os.path.join(site, "index.html"), "w") as f:
        f.write("<!DOCTYPE html><title>documentation</title>\n")
        f.writelines(f'<a href="/{b}">{b}</a>\n' for b in sorted(books))


def file_of(site, url):
    """The file that nginx answers with, and the URL that a folder's redirect leads to."""
    path = os.path.join(site, unquote(urlsplit(url).path).lstrip("/"))
    if os.path.isdir(path):
        url = url if url.endswith("/") else url + "/"
        path = os.path.join(path, "index.html")
    is_page = path.endswith((".html", ".htm")) and os.path.isfile(path)
    return (path, url) if is_page else (None, url)


def links_of(path, url):
    parser = Links()
    with open(path, encoding="utf-8", errors="replace") as f:
        try:
            parser.feed(f.read())
            parser.close()
        except AssertionError as problem:
            print(f"{path}: the parser gave up: {problem}", file=sys.stderr)
    base = urljoin(url, parser.base) if parser.base else url
    for link in parser.found:
        try:
            yield urljoin(base, re.sub("[\t\r\n]", "", link).strip(BLANKS)).split("#")[0]
        except ValueError:
            continue


def print_reachable(site, base):
    todo, seen, pages = [base + "/"], {base + "/"}, set()
    while todo:
        path, url = file_of(site, todo.pop())
        if path is None or url in pages:
            continue
        pages.add(url)
        for link in links_of(path, url):
            if link.startswith(base + "/") and link not in seen:
                seen.add(link)
                todo.append(link)
    print("\n".join(sorted(pages)))


def compare(list_file, crawl_log):
    with open(list_file) as f:
        wanted = {unquote(line.rstrip("\n")) for line in f}
    pages, asked = set(), {}
    with open(crawl_log, errors="replace") as f:
        for line in f:
            fields = line.split()
            url = unquote(fields[3])
            asked[url] = fields[1]
            if fields[1] == "200" and fields[6].startswith("text/html"):
                pages.add(url)
    missing = sorted(wanted - asked.keys())
    refused = sorted(u for u in wanted & asked.keys() if asked[u] != "200")
    more = sorted(pages - wanted)
    print(f"{len(wanted)} reachable: {len(wanted) - len(missing) - len(refused)} fetched, "
          f"{len(refused)} refused by the server, {len(missing)} not asked; {len(more)} pages more")
    for name, urls in (("refused", refused), ("not asked", missing), ("more", more)):
        for url in urls[:20]:
            print(f"{name} {url}")
    return 1 if missing else 0


if __name__ == "__main__":
    verb, *rest = sys.argv[1:] or ["help"]
    verbs = {"contents": write_contents, "reachable": print_reachable, "compare": compare}
    sys.exit(verbs[verb](*rest) if verb in verbs else __doc__)
