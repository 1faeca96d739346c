#!/usr/bin/env python3
"""doc/commands.md is made from the option tables: compare, or write it with --write.

usage: check_manual.py THRESH [--write]
"""
import pathlib, re, subprocess, sys

root = pathlib.Path(__file__).resolve().parent.parent
thresh = sys.argv[1]


def text_of(*words):
    return subprocess.run([thresh, *words], capture_output=True, text=True).stdout


def names(text):
    inside = text.split("Commands:\n", 1)[1] if "Commands:\n" in text else ""
    return re.findall(r"^  ([a-z-]+(?: [a-z-]+)?)  +\S", inside, re.M)


made = ["# Commands\n\nMade by `tools/check_manual.py build/release/thresh --write` from the tables in `src/cmd/`.\n"]
for name in names(text_of("--help")):
    text = text_of(name, "--help")
    made.append(f"\n## thresh {name}\n\n```\n{text.strip()}\n```\n")
    for child in names(text):
        made.append(f"\n### thresh {child}\n\n```\n{text_of(*child.split(), '--help').strip()}\n```\n")
made = "".join(made)
page = root / "doc/commands.md"
if "--write" in sys.argv:
    page.write_text(made)
elif not page.exists() or page.read_text() != made:
    sys.exit("doc/commands.md is out of date: tools/check_manual.py build/release/thresh --write")
