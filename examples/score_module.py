#!/usr/bin/env python3
"""A module of a focused crawl: scores the links of each page. Try: thresh crawl URL --module 'python3 score_module.py solar wind'.

It reads one page per line as JSON (id, url, title, language, text, links: url, text, around, score) and answers one line per page:
{"id": ..., "score": ...} for all its links, or {"id": ..., "links": [...]} with one score per link. A score is 0 to 1, -1 is a veto,
null is no opinion.
"""
import json
import sys

words = [w.lower() for w in sys.argv[1:]]
NEVER = ("/login", "/cart")


def score(text):
    found = sum(w in text.lower() for w in words)
    return found / (found + 1)


for line in sys.stdin:
    page = json.loads(line)
    of_page = score(page.get("title", "") + " " + page.get("text", ""))
    answers = []
    for link in page["links"]:
        if any(part in link["url"] for part in NEVER):
            answers.append(-1)
        else:
            near = score(link.get("text", "") + " " + link.get("around", "") + " " + link["url"])
            answers.append(round(0.7 * near + 0.3 * of_page, 3))
    print(json.dumps({"id": page["id"], "score": round(of_page, 3), "links": answers}), flush=True)
