#!/usr/bin/env python3
"""Fail when two rooms define the same symbol: the linker would take either, silently."""
import collections, pathlib, subprocess, sys

rooms = collections.defaultdict(set)
for lib in sys.argv[1:]:
    out = subprocess.run(["nm", "-g", "--defined-only", lib], capture_output=True, text=True).stdout
    for line in out.splitlines():
        part = line.split()
        if len(part) == 3 and part[1] in "TDBRC" and not part[2].startswith("_"):
            rooms[part[2]].add(pathlib.Path(lib).name)
twice = {name: libs for name, libs in rooms.items() if len(libs) > 1}
for name, libs in sorted(twice.items()):
    print(f"{name} is defined in {' and '.join(sorted(libs))}")
sys.exit(1 if twice else 0)
