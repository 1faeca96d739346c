#!/usr/bin/env python3
"""Fail when policy, frontier or crawl compares a word that is meant for people.

A decision reads enum purpose and enum reason.  Their words (purpose_table, reason_table, the names of states
and events) are for the ledger, `why`, `status` and the report; a word may be changed without changing a crawl.
"""
import pathlib, re, sys

root = pathlib.Path(__file__).resolve().parent.parent / "src"
ROOMS = ("policy", "frontier", "crawl")
TABLES = ("policy/reason.c", "record/purpose.c", "policy/url_life.c")
EDGE = "policy/reason.c"  # holds reason_find(), by which readers of the ledger come back from words to numbers
COMPARE = re.compile(r"\b(str_eq|str_eq_nocase|str_cmp|str_starts|str_starts_nocase|str_ends|str_find|str_take_prefix|"
                     r"strcmp|strncmp|strcasecmp|strstr|memcmp)\s*\(")
FIELD = re.compile(r"(?:\b(?:reason|purpose)_table\s*\[|\burl_(?:state|event)_names\s*\[|(?:\.|->)(?:word|stage|sentence)\b)")


def display_words():
    """The words of the tables: literals of letters and '-', so no sentence, of at least three letters."""
    text = "".join((root / t).read_text() for t in TABLES if (root / t).exists())
    return {w for w in re.findall(r'"([a-z0-9-]{3,})"', text)} | {w for w in re.findall(r'"([a-z]+ [a-z]+)"', text)}


def arguments(text, start):
    """What stands between the parenthesis at `start` and its partner."""
    depth = 0
    for end in range(start, len(text)):
        depth += (text[end] == "(") - (text[end] == ")")
        if depth == 0:
            return text[start + 1 : end]
    return text[start + 1 :]


words = display_words()
bad = 0
for room in ROOMS:
    for f in sorted((root / room).glob("*.[ch]")):
        if str(f.relative_to(root)) == EDGE:
            continue
        text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m[0]), f.read_text(), flags=re.S)
        for m in COMPARE.finditer(text):
            inside = arguments(text, m.end() - 1)
            word = next((w for w in re.findall(r'"([^"]*)"', inside) if w in words), None)
            field = FIELD.search(inside)
            if word or field:
                nr = text.count("\n", 0, m.start()) + 1
                print(f"src/{f.relative_to(root)}:{nr}: compares a display word ({word or field[0]}): compare the enum")
                bad = 1
        for m in re.finditer(r"\breason_find\s*\(", text):
            if f.name != "reason.h":
                print(f"src/{f.relative_to(root)}:{text.count(chr(10), 0, m.start()) + 1}: takes a reason from its words")
                bad = 1
sys.exit(bad)
