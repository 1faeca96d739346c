#!/usr/bin/env python3
"""Fail when a header of src/ declares a function that no product code calls.

What only tests call stands in tools/known_dead, each with its reason; a line that is no longer so has to go.
"""
import collections, pathlib, re, sys

root = pathlib.Path(__file__).resolve().parent.parent
DECLARED = re.compile(r"^(?!typedef|static|#)[a-z][\w\s*]*?\b(\w+)\((?:[^;{}]|\n)*?\)[^;{}]*;", re.M)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)

uses = collections.Counter()
declared = {}
for path in sorted((root / "src").rglob("*.[ch]")):
    text = COMMENT.sub("", path.read_text(encoding="utf-8"))
    uses.update(re.findall(r"\w+", text))
    if path.suffix == ".h":
        for name in DECLARED.findall(text):
            declared[name] = path.relative_to(root)

known = {}
for line in (root / "tools/known_dead").read_text().splitlines():
    if line and line[0] != "#":
        name, reason = line.split(None, 1)
        known[name] = reason

dead = {name for name in declared if uses[name] <= 2}  # its declaration and its definition
bad = [f"{declared[n]}: {n}() has no caller in src/: remove it, or say in tools/known_dead why it stays" for n in sorted(dead - known.keys())]
bad += [f"tools/known_dead: {n} is called now, or gone: remove its line" for n in sorted(known.keys() - dead)]
print("\n".join(bad) or f"dead: {len(declared)} functions declared, {len(dead)} only for tests")
sys.exit(bool(bad))
