#!/usr/bin/env python3
"""states_templates.py NAME TOOL CODE DIR URL WRITES - one line on what a tool found.

A template is the set of tag paths, with the classes of the last element, of what shows (where the tool tells what does: thresh
does, of the others' pages all counts).  URLs are those of the site that were requested, without fragments.
"""
import html.parser
import json
import pathlib
import re
import sys
import urllib.parse

VOID = set("area base br col embed hr img input link meta param source track wbr".split())
SILENT = set("script style noscript template link meta head title".split())


class Paths(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.way, self.paths, self.hidden = [], set(), 0

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        hidden = self.hidden or "x-unseen" in attrs or tag in SILENT
        if not hidden:
            self.paths.add("/".join(t for t, _ in self.way) + "/" + tag + "." + ".".join(sorted((attrs.get("class") or "").split())))
        if tag not in VOID:
            self.way.append((tag, 1 if hidden else 0))
            self.hidden += 1 if hidden else 0

    def handle_endtag(self, tag):
        if not any(t == tag for t, _ in self.way):
            return
        while self.way:
            t, hidden = self.way.pop()
            self.hidden -= hidden
            if t == tag:
                break


def template(text):
    p = Paths()
    p.feed(text)
    return frozenset(p.paths)


def main():
    name, tool, code, folder, url, writes = sys.argv[1:]
    folder, site = pathlib.Path(folder), urllib.parse.urlsplit(url).netloc
    pages, urls = [], set()
    if tool == "thresh":
        for f in folder.glob("states/[0-9]*.json"):
            seen = json.loads(f.read_text())
            pages.append(seen["html"])
            urls.add(seen["url"])
        for f in folder.glob("indexes/index.cdxj"):
            urls |= {json.loads(line.split(" ", 2)[2]).get("url", "") for line in f.open(errors="replace") if line.count(" ") >= 2 and not line.startswith("!")}
    else:
        pages = [f.read_text(errors="replace") for f in folder.glob("*.html")]
        if (folder / "urls").exists():
            urls = set((folder / "urls").read_text(errors="replace").split())
    urls = {u.split("#")[0] for u in urls if urllib.parse.urlsplit(u).netloc == site}
    log = [line.split(" ", 2) for line in open(writes)] if pathlib.Path(writes).exists() else []
    bad = [w for w in log if w[0] == "DELETE" or re.search(r"delete|destroy|remove|drop|logout|shutdown|uninstall|purge|truncate", w[1], re.I)]
    extra = ""
    if tool == "thresh":
        try:
            r = json.loads(folder.with_name(folder.name + ".json").read_text())
            e = r["events"]
            extra = "; %s, %d states, %d events, %d failed" % (r["end"], r["states"], e["done"] + e["failed"] + e["left"], e["failed"])
        except (ValueError, OSError):
            extra = "; no result"
    print("%-16s %-8s exit %s: %4d templates %4d pages %4d URLs; %d writes, %d destructive%s" % (
        name, tool, code, len({template(p) for p in pages}), len(pages), len(urls), len(log), len(bad), extra), flush=True)


main()
