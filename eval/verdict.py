#!/usr/bin/env python3
"""verdict.py EVAL_VERDICT THRESH DATA [--plot FILE.svg] - is the default verdict's probability one?

Labelled pairs of several kinds, graded by people or made here, go through eval_verdict, which prints the terms of
the model.  Printed: F1 and calibration of the model as it is, per set, from the pair alone and where what many
texts of the set share is left out; then the weights fitted to all sets, and how each set fares when they are
fitted to the others.  The weights themselves stand in src/sketch/near_model.c; this changes nothing.
"""
import glob, gzip, importlib.util, json, math, os, random, re, subprocess, sys, tempfile

EVAL, THRESH, DATA = sys.argv[1:4]
PLOT = sys.argv[sys.argv.index("--plot") + 1] if "--plot" in sys.argv else None
TERMS = ["base", "resemblance", "size", "short", "replaced"]
# Sets whose pairs cannot be told apart without knowing what the others share are not fitted to.
FIT = {"news": 1, "gov": 1, "html-edits": 0.5, "edits": 0.5, "short edits": 0.5, "other frame": 0.2, "quotes": 0.3,
       "numbers": 0.3, "listings": 0.3, "records": 0.3}


def sentences():
    spec = importlib.util.spec_from_file_location("templates", os.path.join(os.path.dirname(__file__), "templates.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.sentences(), module.records(20000)


def graded():
    for path in sorted(glob.glob(os.path.join(DATA, "pairs", "*.jsonl.gz"))):
        name = os.path.basename(path).split(".")[0]
        for line in gzip.open(path, "rt"):
            pair = json.loads(line)
            yield name, int(pair["label"] >= 1), pair["a"], pair["b"]


def page_edits():
    path = os.path.join(DATA, "html-edits", "pages.jsonl.gz")
    if not os.path.exists(path):
        return
    with tempfile.TemporaryDirectory() as tmp:
        for line in gzip.open(path, "rt"):
            page = json.loads(line)
            with open(os.path.join(tmp, page["file"]), "w") as f:
                f.write(page["html"])
        lines = subprocess.run([THRESH, "dedup", "-q", "-m", "payload-digest", tmp], capture_output=True, text=True).stdout
    text = {os.path.basename(d["url"]): d["text"] for d in map(json.loads, lines.splitlines())}
    for line in gzip.open(os.path.join(DATA, "html-edits", "pairs.jsonl.gz"), "rt"):
        pair = json.loads(line)
        if pair["a"] in text and pair["b"] in text:
            yield "html-edits", pair["label"], text[pair["a"]], text[pair["b"]]


def made(all_sentences, records):
    rng = random.Random(5)
    words = [w for s in all_sentences[:8000] for w in s.split()]

    def text(n):
        out = []
        while len(out) < n:
            out += rng.choice(all_sentences).split()
        return out[:n]

    def edited(t, rate):
        out = []
        for w in t:
            kind = rng.random() / rate
            out += [] if kind < 1 / 3 else [rng.choice(words)] if kind < 2 / 3 else [w, rng.choice(words)] if kind < 1 else [w]
        return out

    def pair(name, label, a, b):
        return name, label, " ".join(a), " ".join(b)

    licence = text(250)
    frames = [text(rng.choice([50, 100, 200, 400])) for _ in range(12)]
    for _ in range(250):
        n = rng.choice([60, 120, 250, 500, 1500])
        t = text(n)
        yield pair("edits", 1, t, edited(t, rng.choice([0.005, 0.01, 0.02, 0.05, 0.08])))
        yield pair("edits", 0, t, text(n))
        yield pair("edits of 20 %", 1, t, edited(t, 0.2))
        short = text(rng.randint(20, 40))
        yield pair("short edits", 1, short, edited(short, 0.03))
        yield pair("short edits", 0, short, text(len(short)))
        front, back = text(max(5, n // rng.randint(4, 15))), text(max(5, n // rng.randint(4, 15)))
        yield pair("other frame", 1, front + t, t + back)
        half = text(n // 2)
        yield pair("quotes", 0, half + text(n), text(n // 3) + half + text(n))
        yield pair("quotes", 1, t, t + text(max(3, n // 12)))
        items = [" ".join(text(rng.randint(2, 8))) for _ in range(80)]
        yield pair("listings", 0, rng.sample(items, 30), rng.sample(items, 30))
        first = rng.sample(items, 30)
        yield pair("listings", 1, first, first[1:] + [" ".join(text(5))])
        labels = [" ".join(text(rng.randint(1, 4))) for _ in range(rng.randint(10, 60))]
        values = [str(rng.randint(0, 99999)) for _ in labels]
        other = [str(rng.randint(0, 99999)) for _ in labels]
        few = [v if rng.random() > 0.02 else o for v, o in zip(values, other)]
        yield pair("numbers", 0, [f"{a} {b}" for a, b in zip(labels, values)], [f"{a} {b}" for a, b in zip(labels, other)])
        yield pair("numbers", 1, [f"{a} {b}" for a, b in zip(labels, values)], [f"{a} {b}" for a, b in zip(labels, few)])
        frame, own = rng.choice(frames), text(rng.choice([20, 40, 80]))
        cut = rng.randrange(len(frame))
        yield pair("templates", 0, frame[:cut] + own + frame[cut:], frame[:cut] + text(len(own)) + frame[cut:])
        yield pair("templates", 1, frame[:cut] + own + frame[cut:], frame[:cut] + edited(own, 0.03) + frame[cut:])
        body = text(rng.choice([60, 150, 400]))
        yield pair("licences", 0, body + licence, text(len(body)) + licence)
        yield pair("licences", 1, body + licence, edited(body, 0.03) + licence)
        a, b = rng.sample(records, 2)
        yield pair("records", 1, (a + " " + b).split(), edited((a + " " + b).split(), 0.04))
    yield from (("records", 0, a, b) for a, b in likest(records))
    for path in sorted(glob.glob("/usr/share/man/*/man[1-8]/*.gz"))[:200]:
        name = os.path.join("/usr/share/man", *path.split("/")[-2:])
        if os.path.exists(name) and not path.startswith("/usr/share/man/man"):
            read = lambda p: gzip.open(p, "rt", errors="ignore").read()
            a, b = (set(read(p).split("\n")) for p in (path, name))
            if min(map(os.path.getsize, (path, name))) > 1000 and len(a & b) * 3 < len(a):  # else it is another name, or still English
                yield "translations", 0, read(path), read(name)


def likest(records):
    """Different records that share most: the hardest short pairs there are."""
    shingles, holders = [], {}
    for i, r in enumerate(records):
        words = re.findall(r"\w+", r.lower())
        shingles.append({tuple(words[k:k + 5]) for k in range(len(words) - 4)})
        for s in shingles[-1]:
            holders.setdefault(s, []).append(i)
    for i, mine in enumerate(shingles):
        met = {}
        for s in mine:
            for k in holders[s]:
                if k < i:
                    met[k] = met.get(k, 0) + 1
        if met:
            best = max(met, key=met.get)
            if met[best] * 5 >= len(mine | shingles[best]):
                yield records[i], records[best]


def measure(pairs):
    lines = "".join(json.dumps({"set": s, "label": y, "a": a, "b": b}) + "\n" for s, y, a, b in pairs)
    out = subprocess.run([EVAL], input=lines, capture_output=True, text=True, check=True).stdout
    rows = {}
    for line in out.splitlines():
        name, label, alone, content, *terms = line.split("\t")
        rows.setdefault(name, []).append((int(label), float(alone), float(content), [float(t) for t in terms]))
    return rows


def quality(labels, probabilities):
    tp = sum(y and p >= 0.5 for y, p in zip(labels, probabilities))
    said, near = sum(p >= 0.5 for p in probabilities), sum(labels)
    sure = [y for y, p in zip(labels, probabilities) if p >= 0.9]
    f1 = 2 * tp / (said + near) if said + near else 1
    return f"{f1:.3f}" if near else f"{said} said near", f"{sum(sure)} of {len(sure)}"


def solve(a, b):
    n = len(b)
    m = [row[:] + [x] for row, x in zip(a, b)]
    for i in range(n):
        p = max(range(i, n), key=lambda k: abs(m[k][i]))
        m[i], m[p] = m[p], m[i]
        for k in range(n):
            if k != i:
                f = m[k][i] / m[i][i]
                m[k] = [x - f * y for x, y in zip(m[k], m[i])]
    return [m[i][n] / m[i][i] for i in range(n)]


def fit(rows, left_out=None):
    """Logistic regression by Newton's method, every set with its weight, a little ridge."""
    data = [(y, t, 100 * w / len(rows[s])) for s, w in FIT.items() if s in rows and s != left_out for y, _, _, t in rows[s]]
    w = [0.0] * len(TERMS)
    for _ in range(40):
        g, h = [0.0] * len(w), [[1e-6 * (i == j) for j in range(len(w))] for i in range(len(w))]
        for y, t, weight in data:
            p = 1 / (1 + math.exp(-max(-30, min(30, sum(a * b for a, b in zip(w, t))))))
            for i in range(len(w)):
                g[i] += weight * (y - p) * t[i]
                for j in range(len(w)):
                    h[i][j] += weight * max(p * (1 - p), 1e-6) * t[i] * t[j]
        for i in range(1, len(w)):
            g[i] -= w[i]
            h[i][i] += 1
        step = solve(h, g)
        scale = min(1, 3 / max(map(abs, step)))
        w = [a + scale * b for a, b in zip(w, step)]
        if max(map(abs, step)) < 1e-5:
            break
    return w


def predict(w, rows):
    # equal texts are no question of the model
    return [alone if alone == 1 else 1 / (1 + math.exp(-max(-30, min(30, sum(a * b for a, b in zip(w, t)))))) for _, alone, _, t in rows]


def plot(rows, path):
    """Observed share of near-duplicates over the probability, all sets together and the graded ones."""
    def curve(sets):
        bins = [[0, 0, 0.0] for _ in range(10)]
        for s in sets:
            for y, alone, content, _ in rows.get(s, []):
                b = bins[min(int(content * 10), 9)]
                b[0] += y
                b[1] += 1
                b[2] += content
        return [(b[2] / b[1], b[0] / b[1], b[1]) for b in bins if b[1]]

    x, y = lambda v: 50 + 300 * v, lambda v: 330 - 300 * v
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 520 380" font-family="sans-serif" font-size="11">',
           '<rect width="520" height="380" fill="white"/>']
    for i in range(11):
        v = i / 10
        out.append(f'<path d="M{x(v)} {y(0)}V{y(1)}M{x(0)} {y(v)}H{x(1)}" stroke="#ddd"/>')
        if i % 2 == 0:
            out.append(f'<text x="{x(v)}" y="346" text-anchor="middle">{v:.1f}</text><text x="44" y="{y(v) + 4}" text-anchor="end">{v:.1f}</text>')
    out.append(f'<path d="M{x(0)} {y(0)}L{x(1)} {y(1)}" stroke="#999" stroke-dasharray="4"/>')
    graded_sets = [s for s in rows if s in ("news", "gov")]
    for k, (name, sets, colour) in enumerate((("all sets", list(rows), "#1b6ca8"), ("graded by people", graded_sets, "#c0392b"))):
        points = curve(sets)
        out.append(f'<path d="M{" L".join(f"{x(a):.1f} {y(b):.1f}" for a, b, _ in points)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="{2 + math.log10(n + 1):.1f}" fill="{colour}"><title>{n} pairs</title></circle>' for a, b, n in points]
        out.append(f'<text x="370" y="{60 + 18 * k}" fill="{colour}">{name}</text>')
    out.append('<text x="200" y="368" text-anchor="middle">probability given</text><text transform="translate(14 180) rotate(-90)" text-anchor="middle">share that is near</text></svg>')
    with open(path, "w") as f:
        f.write("\n".join(out) + "\n")


def main():
    random.seed(5)
    all_sentences, records = sentences()
    rows = measure([*graded(), *page_edits(), *made(all_sentences, records)])
    print("| set | pairs | near | F1, pair alone | F1, content | sure (0.9 to 1.0) and near | F1 left out of the fit |\n|---|---|---|---|---|---|---|")
    for name, v in rows.items():
        labels = [r[0] for r in v]
        alone, content = (quality(labels, [r[k] for r in v]) for k in (1, 2))
        held = quality(labels, predict(fit(rows, name), v))[0] if name in FIT else ""
        print(f"| {name} | {len(v)} | {sum(labels)} | {alone[0]} | {content[0]} | {content[1]} | {held} |", flush=True)
    both = [r for s in ("news", "gov") for r in rows.get(s, [])]
    if both:
        f1 = [quality([r[0] for r in both], [r[k] for r in both])[0] for k in (1, 2)]
        print(f"\ngraded pairs together: F1 {f1[0]} from the pair alone, {f1[1]} by content")
    spread = [fit(rows, s) for s in FIT if s in rows]
    print("\nfitted to all: " + ", ".join(f"{n} {w:.2f} ({min(s[i] for s in spread):.2f} to {max(s[i] for s in spread):.2f})"
                                          for i, (n, w) in enumerate(zip(TERMS, fit(rows)))))
    if PLOT:
        plot(rows, PLOT)


main()
