#!/usr/bin/env python3
"""Fail when a room has more than 5,000 lines or 40 files, or a command file more than 250 lines.

Tables made by a script do not count.  What is over today stands in tools/known_sizes with its numbers: it may
shrink, and not grow; once it is small enough its line has to go.
"""
import pathlib, sys

root = pathlib.Path(__file__).resolve().parent.parent
ROOM_LINES, ROOM_FILES, COMMAND_LINES = 5000, 40, 250
EXEMPT = ("testweb", "cmd")  # cmd: a file a command, each with a limit of its own
GENERATED = "made by tools/"

known = {}
for line in (root / "tools/known_sizes").read_text().splitlines():
    if line and line[0] != "#":
        name, *numbers = line.split()
        known[name] = tuple(int(n) for n in numbers)


def lines_of(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return None if any(GENERATED in line for line in lines[:5]) else len(lines)


bad = []


def look_at(name, numbers, limits, units):
    over = any(n > limit for n, limit in zip(numbers, limits))
    if name not in known:
        bad.extend(f"{name}: {n} {u}, more than {limit}" for n, limit, u in zip(numbers, limits, units) if n > limit)
    elif not over:
        bad.append(f"{name}: small enough now, remove its line from tools/known_sizes")
    else:
        bad.extend(f"{name}: {n} {u}, more than the {limit} of tools/known_sizes"
                   for n, limit, u in zip(numbers, (max(*p) for p in zip(known[name], limits)), units) if n > limit)


for room in sorted(p for p in (root / "src").iterdir() if p.is_dir()):
    sizes = [n for n in (lines_of(f) for f in room.glob("*.[ch]")) if n is not None]
    if room.name not in EXEMPT:
        look_at(f"src/{room.name}", (sum(sizes), len(sizes)), (ROOM_LINES, ROOM_FILES), ("lines", "files"))
for f in sorted((root / "src/cmd").glob("*.c")):
    look_at(f"src/cmd/{f.name}", (lines_of(f) or 0,), (COMMAND_LINES,), ("lines",))
bad.extend(f"{name}: in tools/known_sizes, but there is none" for name in known if not (root / name).exists())
for line in bad:
    print(line)
sys.exit(bool(bad))
