#!/usr/bin/env python3
"""mix_sentences.py MB FOLDER [EVERY] - JSON lines of real sentences, the same at every run.

The sentences of every EVERY-th HTML file under the folder are dealt anew into documents of 2 to 9 kB;
one document in twenty repeats the one before with a few sentences changed.  What is measured on it is
real language (its words, its letters beyond ASCII, its punctuation) without the structure of the files.
"""
import html, json, pathlib, random, re, sys

TAGS = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^>]*>", re.S | re.I)
ENDS = re.compile(r"(?<=[.!?])\s+(?=\S)")


def sentences_of(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read()
    text = html.unescape(TAGS.sub(" ", text))
    for s in ENDS.split(" ".join(text.split())):
        if 20 <= len(s) <= 600:
            yield s


def main():
    target = int(sys.argv[1]) * 1000000
    files = sorted(p for p in pathlib.Path(sys.argv[2]).rglob("*.html") if p.is_file() and not p.is_symlink())
    files = files[:: int(sys.argv[3]) if len(sys.argv) > 3 else 1]
    # Many files open every page with the same words: each sentence counts once.
    pool = list(dict.fromkeys(s for path in files for s in sentences_of(path)))
    if len(pool) < 1000:
        sys.exit("mix_sentences.py: fewer than 1,000 sentences in these files")
    deal, made, nr, parts = random.Random(4), 0, 0, []
    while made < target:
        if nr % 20 == 1:
            for _ in range(max(1, len(parts) // 40)):
                parts[deal.randrange(len(parts))] = deal.choice(pool)
        else:
            length, parts = deal.randrange(2000, 9000), []
            while length > 0:
                parts.append(deal.choice(pool))
                length -= len(parts[-1])
        line = json.dumps({"id": nr, "url": f"http://mix.example/{nr}", "text": " ".join(parts)}, ensure_ascii=False)
        print(line)
        made += len(line.encode()) + 1
        nr += 1
    print(f"{nr} documents of {len(pool)} sentences, {made / 1e6:.1f} MB", file=sys.stderr)


main()
