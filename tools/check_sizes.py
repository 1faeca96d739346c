#!/usr/bin/env python3
"""Fail on files over 1,000 lines and functions over 120: there is a second subject in them."""
import re, sys

FILE_MAX, FUNCTION_MAX = 1000, 120
GENERATED = "made by tools/"  # a table written by a script says so in its first lines
bad = 0
for path in sys.argv[1:]:
    lines = open(path, encoding="utf-8").read().splitlines()
    if any(GENERATED in line for line in lines[:5]):
        continue
    if len(lines) > FILE_MAX and path.startswith("src/"):
        print(f"{path}: {len(lines)} lines, more than {FILE_MAX}")
        bad = 1
    start = None
    for nr, line in enumerate(lines, 1):
        if line == "{":
            start = nr
        elif line == "}" and start:
            if nr - start > FUNCTION_MAX and path.startswith("src/"):
                print(f"{path}:{start}: function of {nr - start} lines, more than {FUNCTION_MAX}")
                bad = 1
            start = None
sys.exit(bad)
