#!/usr/bin/env python3
"""Turn files into C strings, so that pages and scripts travel inside the binary.

usage: embed.py HEADER OUT NAME=FILE...          OUT defines `const struct str NAME` for each FILE.
       embed.py HEADER OUT --table NAME FILE...  an array NAME of their names and contents, and NAME_n.
A line "/* include OTHER */" in a file stands for the file OTHER beside it.
"""
import os, pathlib, re, sys

header, out, pairs = sys.argv[1], sys.argv[2], sys.argv[3:]
table = None
if pairs[0] == "--table":
    table, pairs = pairs[1], [f"file_{i}={path}" for i, path in enumerate(pairs[2:])]
with open(out, "w", encoding="ascii") as f:
    f.write(f'/* made by tools/embed.py */\n#include "{header}"\n')
    public = "static " if table else ""
    for pair in pairs:
        name, path = pair.split("=", 1)
        data = re.sub(rb"/\* include (\S+) \*/", lambda m: (pathlib.Path(path).parent / m[1].decode()).read_bytes(),
                      open(path, "rb").read())
        f.write(f"\nstatic const unsigned char {name}_bytes[] = {{\n")
        for i in range(0, len(data), 24):
            f.write("\t" + ",".join(str(b) for b in data[i:i + 24]) + ",\n")
        f.write(f"\t0\n}};\n{public}const struct str {name} = {{ (const char *){name}_bytes, {len(data)} }};\n")
    if table:
        rows = "".join(f'\t{{ "{os.path.basename(p.split("=", 1)[1])}", &{p.split("=", 1)[0]} }},\n' for p in pairs)
        f.write(f"\nconst struct shipped_app {table}[] = {{\n{rows}}};\nconst size_t {table}_n = {len(pairs)};\n")
