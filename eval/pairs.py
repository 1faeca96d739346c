"""pairs.py - pairs of texts whose truth is known, in many kinds: what eval/verdict.py fits to and measures with.

Every set imitates something that people dispute: real pages of documentation (Debian packages, see
packages/eval.txt) in two versions or in one frame, real contents set into real frames of every length, stories
that are carried on, listings, tables, licences, records, translations.  The truth is the content: blocks that
are not repeated over the package.  From 3/4 of common content on a pair is near, up to 2/5 it is not, between
the two nothing is asked.
"""
import glob, gzip, html, json, os, random, re, subprocess, tempfile

NEAR, FAR = 0.75, 0.4
VERSIONS = [("clang-13-doc", "clang-16-doc"), ("llvm-13-doc", "llvm-16-doc"), ("libstdc++-11-doc", "libstdc++-12-doc"),
            ("libboost1.74-doc", "libboost1.81-doc"), ("lua5.1-doc", "lua5.2-doc")]
BLOCK = re.compile(r"</?(?:p|div|li|ul|ol|dl|dt|dd|td|th|tr|table|h[1-6]|pre|nav|section|main|header|footer|br|title|option|form)\b[^>]*>", re.I)


def words(text):
    return re.findall(r"\w+", text.lower())


def shingles(w, n=5):
    return {tuple(w[i:i + n]) for i in range(len(w) - n + 1)}


def jaccard(a, b):
    return len(a & b) / len(a | b) if a or b else 0.0


def blocks_of(page):
    page = re.sub(r"<(script|style)\b.*?</\1>|<!--.*?-->", " ", page, flags=re.S | re.I)
    parts = (html.unescape(re.sub(r"<[^>]*>", "", p)) for p in BLOCK.split(page))
    return [t for t in (re.sub(r"\s+", " ", p).strip() for p in parts) if t]


class Package:
    """The pages of one package, and which of their blocks are frame."""

    def __init__(self, folder, most=260):
        paths = sorted(p for p in glob.glob(os.path.join(folder, "**", "*.html"), recursive=True) if not os.path.islink(p))
        rng = random.Random(len(paths))
        self.all = {os.path.relpath(p, folder): p for p in paths}
        self.pages, count = {}, {}
        for name in sorted(rng.sample(sorted(self.all), min(most, len(self.all)))):
            self.read(name)
        for page in self.pages.values():
            for b in set(page):
                count[b] = count.get(b, 0) + 1
        self.frame = {b for b, n in count.items() if n >= 4 and n * 8 >= len(self.pages)}

    def read(self, name):
        if name not in self.pages and name in self.all:
            with open(self.all[name], errors="ignore") as f:
                self.pages[name] = blocks_of(f.read(300_000))
        return self.pages.get(name)

    def content(self, name):
        return [b for b in self.read(name) if b not in self.frame]


def packages(folder):
    found = {os.path.basename(p): Package(p) for p in sorted(glob.glob(os.path.join(folder or "", "*-doc*"))) if folder}
    return {n: p for n, p in found.items() if len(p.pages) >= 8}


def graded(a, b):
    """How much of the content two lists of blocks share: the truth of real pages."""
    x, y = shingles(words(" ".join(a)), 3), shingles(words(" ".join(b)), 3)
    return jaccard(x, y) if min(len(x), len(y)) >= 15 else None


def label_of(grade):
    return None if grade is None or FAR < grade < NEAR else int(grade >= NEAR)


def versions(found, rng, most=250):
    """One page in two versions of a package: near where its content stayed."""
    for old, new in VERSIONS:
        if old not in found or new not in found:
            continue
        a, b = found[old], found[new]
        plain = lambda n: re.sub(r"[\d.]+", "", n)
        other = {plain(n): n for n in b.all}
        names = [n for n in a.pages if plain(n) in other]
        for name in rng.sample(names, min(len(names), most // len(VERSIONS))):
            x, y = a.read(name), b.read(other[plain(name)])
            label = label_of(graded(a.content(name), b.content(other[plain(name)])))
            if label is not None and x != y:
                yield "doc versions", label, " ".join(x), " ".join(y)


def siblings(found, rng, most=40):
    """Different pages of one package that share most, frames included."""
    for package in found.values():
        names = [n for n in package.pages if len(words(" ".join(package.content(n)))) >= 30]
        sets = {n: shingles(words(" ".join(package.pages[n]))) for n in names}
        near = []
        for i, n in enumerate(names):
            for m in rng.sample(names[:i], min(i, 60)):
                j = jaccard(sets[n], sets[m])
                if j >= 0.3:
                    near.append((rng.random() - j, n, m))
        for _, n, m in sorted(near)[:most]:
            label = label_of(graded(package.content(n), package.content(m)))
            if label is not None:
                yield "doc pages", label, " ".join(package.pages[n]), " ".join(package.pages[m])


class Maker:
    """Texts out of real sentences and real pages, and edits of them."""

    def __init__(self, sentences, found, rng):
        self.rng, self.sentences = rng, sentences
        self.vocabulary = [w for s in sentences[:8000] for w in s.split()]
        self.frames, self.contents = [], []
        for p in found.values():
            for name in sorted(p.pages)[::3]:
                frame = " ".join(b for b in p.pages[name] if b in p.frame).split()
                content = p.content(name)
                if len(frame) >= 60:
                    self.frames.append(frame)
                if len(" ".join(content).split()) >= 60:
                    self.contents.append(content)

    def text(self, n):
        out = []
        while len(out) < n:
            out += self.rng.choice(self.sentences).split()
        return out[:n]

    def size(self, least=60, most=2500):
        return int(least * (most / least) ** self.rng.random())

    def paragraphs(self, n):
        out = []
        while n > 0:
            out.append(self.text(min(max(n, 8), self.rng.randint(20, 90))))
            n -= len(out[-1])
        return out

    def article(self, n):
        """The content of a real page, cut to length; sentences where there is none so long."""
        if self.contents and self.rng.random() < 0.7:
            w = " ".join(self.rng.choice(self.contents)).split()
            if len(w) >= n:
                at = self.rng.randrange(len(w) - n + 1)
                return w[at:at + n]
        return self.text(n)

    def frame(self, n):
        """The frame of a real page, carried on with short entries like those of menus."""
        out = list(self.rng.choice(self.frames)) if self.frames and self.rng.random() < 0.7 else []
        while len(out) < n:
            out += [w.capitalize() for w in self.text(self.rng.randint(1, 4))] if self.rng.random() < 0.7 else self.text(12)
        return out[:n]

    def edited(self, t, rate):
        out = []
        for w in t:
            kind = self.rng.random() / rate if rate else 9
            new = self.rng.choice(self.vocabulary)
            out += [] if kind < 1 / 3 else [new] if kind < 2 / 3 else [w, new] if kind < 1 else [w]
        return out


def flat(parts):
    return [w for p in parts for w in p]


def dressed(m):
    """One frame around other content, and around the same with edits; content from a tenth to all of the page."""
    rng = m.rng
    total = m.size(100, 3000)
    share = rng.uniform(0.08, 0.6)  # of the page that is content
    n = max(12, int(total * share))
    frame = m.frame(max(20, total - n))
    cut = int(len(frame) * rng.choice([0, 0.2, 0.5, 0.7, 0.9, 1]))
    dress = lambda c, title: title + frame[:cut] + c + frame[cut:]
    one, title = m.article(n), m.text(rng.randint(2, 8))
    other = m.article(max(12, int(n * rng.uniform(0.7, 1.4))))
    yield "dressed", 0, dress(one, title), dress(other, m.text(len(title)))
    pieces = rng.choice([2, 3, 5])  # content in several places
    cuts = [int(len(frame) * (i + 1) / (pieces + 1)) for i in range(pieces)]

    def scattered(c):
        out, at = [], 0
        for i, k in enumerate(cuts):
            out += frame[at:k] + c[len(c) * i // pieces:len(c) * (i + 1) // pieces]
            at = k
        return out + frame[at:]
    yield "scattered", 0, scattered(one), scattered(other)
    again = m.edited(one, rng.choice([0.005, 0.01, 0.02, 0.05]))
    yield "scattered", 1, scattered(one), scattered(again)
    if rng.random() < 0.3:  # a notice in between
        k = rng.randrange(len(again))
        again = again[:k] + m.text(rng.randint(3, 10 + n // 10)) + again[k:]
    yield "dressed", 1, dress(one, title), dress(again, title)
    body = m.article(m.size(150, 2500))  # content is most of it, and the frame another one
    few = max(8, len(body) // rng.randint(5, 20))
    f, g = m.frame(few), m.frame(few)
    k = rng.randrange(few)
    yield "other frame", 1, f[:k] + body + f[k:], g[:k] + m.edited(body, 0.01) + g[k:]
    yield "other frame", 0, f[:k] + body + f[k:], f[:k] + m.article(len(body)) + f[k:]


def stories(m):
    """News that are carried on: paragraphs go, come, are written anew."""
    rng = m.rng
    parts = m.paragraphs(m.size(200, 2000))
    total = len(flat(parts))

    def carried_on(parts, drop, new, touch):
        out = []
        for p in parts:
            r = rng.random()
            if r < drop:
                continue
            out.append(m.edited(p, 0.3) if r < drop + touch else m.edited(p, 0.01))
        for _ in range(int(new * len(parts) + rng.random())):
            out.insert(rng.randrange(len(out) + 1), m.text(rng.randint(20, 90)))
        return out

    kept = carried_on(parts, 0.06, 0.06, 0.06)
    yield "stories", 1, flat(parts), flat(kept)
    yield "stories", 0, flat(parts), flat(carried_on(parts, 0.45, 0.45, 0.15))
    longer = parts + m.paragraphs(int(total * rng.uniform(0.05, 0.25)))
    yield "stories", 1, flat(parts), flat(longer)


def lists(m):
    rng = m.rng
    n = rng.choice([10, 30, 60, 120])
    items = [m.text(rng.randint(2, 12)) for _ in range(3 * n)]
    first = items[:n]
    yield "listings", 1, flat(first), flat(items[n:n + max(1, n // 15)] + first[:n - n // 15])
    keep = int(n * rng.uniform(0, 0.6))
    other = rng.sample(first, keep) + items[n:2 * n - keep]
    if rng.random() < 0.5:  # in the order of the first: what is new stands in between
        other.sort(key=lambda x: (first.index(x) if x in first else rng.randrange(n)))
    yield "listings", 0, flat(first), flat(other)
    labels = [m.text(rng.randint(1, 4)) for _ in range(rng.randint(10, 120))]
    values = [[str(rng.randint(0, 99999)) for _ in range(rng.randint(1, 3))] for _ in labels]
    changed = lambda share: [[str(rng.randint(0, 99999)) if rng.random() < share else x for x in v] for v in values]
    table = lambda v: flat(a + b for a, b in zip(labels, v))
    yield "numbers", 0, table(values), table(changed(rng.uniform(0.5, 1)))
    yield "numbers", 1, table(values), table(changed(0.03))


def edits(m, licence):
    rng = m.rng
    t = m.article(m.size(60, 2000))
    yield "edits", 1, t, m.edited(t, rng.choice([0.005, 0.01, 0.02, 0.05, 0.08]))
    yield "edits", 0, t, m.article(len(t))
    short = m.text(rng.randint(20, 40))
    yield "short edits", 1, short, m.edited(short, 0.03)
    yield "short edits", 0, short, m.text(len(short))
    half, n = m.text(m.size(60, 800)), m.size(60, 800)
    yield "quotes", 0, half + m.text(2 * len(half)), m.text(n) + half + m.text(2 * len(half))
    yield "quotes", 1, t, t + m.text(max(3, len(t) // 12))
    body = m.article(m.size(60, 600))
    yield "licences", 0, body + licence, m.article(len(body)) + licence
    yield "licences", 1, body + licence, m.edited(body, 0.03) + licence
    yield "edits of 20 %", 1, t, m.edited(t, 0.2)


def records_of(records, m):
    for _ in range(250):
        a, b = m.rng.sample(records, 2)
        both = (a + " " + b).split()
        yield "records", 1, both, m.edited(both, 0.04)
    yield from (("records", 0, a.split(), b.split()) for a, b in likest(records))


def likest(records):
    """Different records that share most: the hardest short pairs there are."""
    sets, holders = [], {}
    for i, r in enumerate(records):
        sets.append(shingles(words(r)))
        for s in sets[-1]:
            holders.setdefault(s, []).append(i)
    for i, mine in enumerate(sets):
        met = {}
        for s in mine:
            for k in holders[s]:
                if k < i:
                    met[k] = met.get(k, 0) + 1
        if met:
            best = max(met, key=met.get)
            if met[best] * 5 >= len(mine | sets[best]):
                yield records[i], records[best]


def translations():
    read = lambda p: gzip.open(p, "rt", errors="ignore").read()
    for path in sorted(glob.glob("/usr/share/man/*/man[1-8]/*.gz"))[:200]:
        name = os.path.join("/usr/share/man", *path.split("/")[-2:])
        if os.path.exists(name) and not path.startswith("/usr/share/man/man"):
            a, b = (set(read(p).split("\n")) for p in (path, name))
            if min(map(os.path.getsize, (path, name))) > 1000 and len(a & b) * 3 < len(a):  # else it is another name, or still English
                yield "translations", 0, read(path), read(name)


def people(data):
    """The pairs that people graded."""
    for path in sorted(glob.glob(os.path.join(data, "pairs", "*.jsonl.gz"))):
        name = os.path.basename(path).split(".")[0]
        for line in gzip.open(path, "rt"):
            pair = json.loads(line)
            yield name, int(pair["label"] >= 1), pair["a"], pair["b"]


def page_edits(data, thresh):
    path = os.path.join(data, "html-edits", "pages.jsonl.gz")
    if not os.path.exists(path):
        return
    with tempfile.TemporaryDirectory() as tmp:
        for line in gzip.open(path, "rt"):
            page = json.loads(line)
            with open(os.path.join(tmp, page["file"]), "w") as f:
                f.write(page["html"])
        lines = subprocess.run([thresh, "dedup", "-q", "-m", "payload-digest", tmp], capture_output=True, text=True).stdout
    text = {os.path.basename(d["url"]): d["text"] for d in map(json.loads, lines.splitlines())}
    for line in gzip.open(os.path.join(data, "html-edits", "pairs.jsonl.gz"), "rt"):
        pair = json.loads(line)
        if pair["a"] in text and pair["b"] in text:
            yield "html-edits", pair["label"], text[pair["a"]], text[pair["b"]]


def made(sentences, records, docs, count=250, seed=5):
    rng = random.Random(seed)
    found = packages(docs)
    m = Maker(sentences, found, rng)
    licence = m.text(250)
    yield from versions(found, rng)
    yield from siblings(found, rng)
    out = []
    for _ in range(count):
        for make in (dressed, stories, lists):
            out += make(m)
        out += edits(m, licence)
    out += records_of(records, m)
    for name, label, a, b in out:
        yield name, label, " ".join(a), " ".join(b)
    yield from translations()
