#!/usr/bin/env python3
"""Every room is described, every test and fuzz target is registered, every fuzz target has a corpus, and documents
name only files that exist."""
import pathlib, re, sys

root = pathlib.Path(__file__).resolve().parent.parent
bad = []
architecture = (root / "doc/ARCHITECTURE.md").read_text()
meson = "\n".join(p.read_text() for p in root.glob("src/*/meson.build"))
layers = [line.split(":")[0] for line in (root / "src/LAYERS").read_text().splitlines() if line and line[0] != "#"]

for room in sorted(p.name for p in (root / "src").iterdir() if p.is_dir()):
    if room not in layers:
        bad.append(f"src/{room} is not in src/LAYERS")
    if f"`{room}/`" not in architecture:
        bad.append(f"doc/ARCHITECTURE.md does not describe `{room}/`")
    listed = set(re.findall(r"'([\w/]+\.(?:c|cc))'", (root / "src" / room / "meson.build").read_text()))
    for f in (root / "src" / room).glob("*.c"):
        if f.name not in listed and f.name != "main.c":
            bad.append(f"{f.relative_to(root)} is in no build")
described = re.findall(r"^- `(\w+)/`", architecture, re.M)
if described != [room for room in layers if room in described]:
    bad.append("doc/ARCHITECTURE.md does not describe the rooms in the order of src/LAYERS")
for kind, pattern in (("tests/unit", "test_*.c"), ("fuzz", "fuzz_*.c")):
    for f in sorted((root / kind).glob(pattern)):
        name = f.stem.split("_", 1)[1]
        if f"'{name}'" not in meson:
            bad.append(f"{f.relative_to(root)} is registered in no room")
for f in sorted((root / "fuzz").glob("fuzz_*.c")):
    corpus = root / "fuzz/corpus" / f.stem.split("_", 1)[1]
    if not corpus.is_dir() or not any(corpus.iterdir()):
        bad.append(f"{f.relative_to(root)} has no corpus")
rooms = {p.name for p in (root / "src").iterdir() if p.is_dir()}
for page in [*root.glob("doc/*.md"), root / "CONTRIBUTING.md", root / "README.md"]:
    if page.name == "HACKING.md":  # its examples make files that are not there
        continue
    for name in re.findall(r"`([\w./-]+)`", page.read_text()):
        m = re.fullmatch(r"(?:src/)?(\w+)/(\w+)(?:\.[ch])?", name)
        if m and m[1] in rooms and not any((root / "src" / m[1]).glob(m[2] + ".*")):
            bad.append(f"{page.relative_to(root)}: there is no {name}")
for line in bad:
    print(line)
sys.exit(bool(bad))
