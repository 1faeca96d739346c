#!/usr/bin/env python3
"""templates.py THRESH - different documents inside one template must be kept, copies found.

Package records (from apt-cache) and pages of documentation sentences (from /usr/share/doc)
are set into a template of every size, as text and in two kinds of markup.  In each run
copies are planted whose content was edited (up to 5 % of the words, at least one).
Printed: how many different documents were merged, and the share of the copies found.
"""
import glob, gzip, html, json, os, random, re, subprocess, sys, tempfile

THRESH = sys.argv[1] if len(sys.argv) > 1 else "thresh"
EXTRA = sys.argv[2:]
PLANTED = 20  # one copy in so many documents


def records(n):
    """One record per source package, as apt knows it."""
    text = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, text=True).stdout
    seen, out = set(), []
    for stanza in text.split("\n\n"):
        field = dict(re.findall(r"^([A-Za-z-]+): (.*(?:\n .*)*)", stanza, re.M))
        source = field.get("Source", field.get("Package", "")).split(" ")[0]
        if not source or source in seen or "Description" not in field:
            continue
        seen.add(source)
        out.append(" ".join(field.get(k, "").split("<")[0] for k in ("Package", "Version", "Description", "Homepage", "Maintainer", "Section")))
    random.shuffle(out)
    return out[:n]


def sentences():
    """Distinct sentences of the documentation on this machine."""
    out, words = {}, 0
    for path in sorted(glob.glob("/usr/share/doc/*/*") + glob.glob("/usr/share/doc/*/html/*.html") +
                       glob.glob("/usr/share/perl/5*/pod/*.pod") + glob.glob("/usr/share/man/man[1-8]/*.gz")):
        if words > 600_000 or not os.path.isfile(path) or os.path.basename(path) in ("copyright",) or "changelog" in path:
            continue
        try:
            raw = (gzip.open if path.endswith(".gz") else open)(path, "rb").read(200_000).decode("utf-8", "ignore")
        except OSError:
            continue
        raw = html.unescape(re.sub(r"<[^>]*>", " ", raw)) if path.endswith(".html") else re.sub(r"\\f.|\\-|^\.\w+|\\", " ", raw, flags=re.M)
        for s in re.split(r"(?<=[.!?])\s+", re.sub(r"\s+", " ", raw)):
            if 8 <= len(s.split()) <= 40 and s[0].isupper() and s not in out:
                out[s] = 1
                words += len(s.split())
    out = list(out)
    random.shuffle(out)
    return out


class Stream:
    """Words of distinct sentences, none given out twice."""

    def __init__(self, sentences):
        self.left = list(sentences)

    def take(self, n):
        out = []
        while len(out) < n:
            out += self.left.pop().split()
        return " ".join(out[:n])


def edited(text, vocabulary, rate=0.05):
    """Up to so many of its words, at least one, replaced; a word is letters and digits, as for the sketches."""
    parts = re.split(r"(\w+)", text)
    words = range(1, len(parts), 2)
    for i in random.sample(words, max(1, int(len(words) * random.uniform(0.005, rate)))):
        parts[i] = random.choice(vocabulary)
    return "".join(parts)


def dressed(content, front, back, form):
    if form == "text":
        return f"{front}\n{content}\n{back}"
    one, two, three = ("nav", "main", "footer") if form == "regions" else ("div class=\"nav\"", "div class=\"content\"", "div class=\"foot\"")
    name = lambda tag: tag.split(" ")[0]
    put = lambda tag, s: f"<{tag}><p>{html.escape(s)}</p></{name(tag)}>"
    return f"<!doctype html><title>x</title><body>{put(one, front)}{put(two, content)}{put(three, back)}</body>"


def measure(contents, template, form, vocabulary):
    half = len(template) // 2
    front, back = " ".join(template[:half]), " ".join(template[half:])
    docs = [(str(i), c) for i, c in enumerate(contents)]
    # of fewer than 20 words one is more than 5 %
    long = [i for i, c in enumerate(contents) if len(re.findall(r"\w+", c)) >= 20]
    docs += [(f"{i}+", edited(contents[i], vocabulary)) for i in random.sample(long, min(len(long), len(contents) // PLANTED))]
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "docs.jsonl")
        with open(path, "w") as f:
            for name, c in docs:
                f.write(json.dumps({"id": name, "text": dressed(c, front, back, form)}) + "\n")
        args = [THRESH, "dedup", "-q", "-w", "all", *EXTRA, path] + (["--html"] if form != "text" else [])
        lines = [json.loads(x) for x in subprocess.run(args, capture_output=True, text=True).stdout.splitlines()]
    cluster = {d["name"]: d["cluster"] for d in lines}
    wrong = sum(1 for d in lines if d["verdict"] != "kept" and d["representative"].rstrip("+") != d["name"].rstrip("+"))
    planted = [name for name, _ in docs if name.endswith("+")]
    found = sum(cluster.get(p) == cluster.get(p[:-1]) for p in planted)
    return wrong, found / len(planted)


def main():
    random.seed(20)
    all_sentences = sentences()
    vocabulary = [w for s in all_sentences[:5000] for w in re.findall(r"\w+", s)]
    recs = records(5000)
    lengths = sorted(len(re.findall(r"\w+", r)) for r in recs)
    print(f"{len(recs)} records of {lengths[len(recs) // 2]} words (median), {len(all_sentences)} sentences")
    missing = (len(recs) < 5000) * "apt-cache knows too few packages; " + (len(all_sentences) < 20000) * "too little documentation"
    if missing:
        print(f"templates: {missing}")
    bad = 0
    print("| documents | template words | form | different ones merged | copies found |\n|---|---|---|---|---|")

    def row(name, contents, size, form, allowed):
        nonlocal bad
        template = Stream(random.sample(all_sentences, min(400, len(all_sentences)))).take(size).split() if size else []
        wrong, found = measure(contents, template, form, vocabulary)
        ok = wrong <= allowed and found >= 0.95
        bad += not ok
        print(f"| {name} | {size} | {form} | {wrong} of {len(contents)} | {100 * found:.1f} % |{'' if ok else '  <- bar missed'}", flush=True)

    forms = ("text", "regions", "div")
    for size in (0, 50, 100, 200, 400):
        for form in forms:
            row("package records", recs, size, form, 5)
    for words, size in ((60, 120), (150, 300), (30, 300), (300, 60)):
        stream = Stream(all_sentences)
        random.shuffle(stream.left)
        count = min(1000, sum(len(s.split()) for s in all_sentences) // (words + 20))
        contents = [stream.take(words) for _ in range(count)]
        for form in forms:
            row(f"pages of {words} words", contents, size, form, 1)
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
