#!/usr/bin/env python3
"""verdict.py EVAL_VERDICT THRESH DATA [--docs DIR] [--plot FILE.svg] [--fit] - is the default verdict a probability?

The labelled pairs of pairs.py go through eval_verdict, which prints the terms of the model.  Printed: F1 and
calibration of the model as it is, per set, from the pair alone and where what many texts of the set share is left
out; beside it the Jaccard of 5-word shingles at every single threshold, which is what MinHash estimates.  With --fit also the
weights as src/sketch/near_model.c has to have them, and how each set fares when they are fitted to the others.

The fit: logistic regression (ridge 1) in which a label may be wrong (one in twenty; people contradict each other on equal
pairs), every set with its weight, no weight that would ask less of long or partly replaced texts.  Then base, size and
the price of replaced passages are chosen: of all points where the pairs graded by people keep F1 0.92, from the pair alone
and by content, the one at which the sets with one frame around other content are best.  Nothing is moved by hand.

--docs: a folder with unpacked packages of documentation (packages/eval.txt; tools/fetch_docs DIR makes it).  Without
it the sets of real pages are left out.
"""
import json, math, os, random, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pairs, templates

TERMS = ["base", "resemblance", "size", "replaced", "short"]
SHORT = -1.0  # not fitted: no set has pairs of less than 16 shingles
PEOPLE = ("news", "gov")
FRAMED = ("dressed", "scattered", "licences", "doc pages")
NOT_FITTED = ("edits of 20 %", "translations")
WRONG = 0.05
PEOPLE_LEAST = 0.92


def weight(name):
    return 0 if name in NOT_FITTED else 10 if name in PEOPLE else 3 if name in FRAMED else 1


def option(name):
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else None


def measure(program, labelled):
    lines = "".join(json.dumps({"set": s, "label": y, "a": a, "b": b}) + "\n" for s, y, a, b in labelled)
    out = subprocess.run([program], input=lines, capture_output=True, text=True, check=True).stdout
    rows = {}
    for line in out.splitlines():
        name, label, alone, content, *terms = line.split("\t")
        numbers = [float(t) for t in terms]
        rows.setdefault(name, []).append((int(label), float(alone), float(content), numbers[:len(TERMS)], numbers[len(TERMS):]))
    return rows


def scores(labels, said):
    tp, n, near = sum(y and p for y, p in zip(labels, said)), sum(said), sum(labels)
    return (2 * tp / (n + near) if n + near else 1), (tp / n if n else 1), (tp / near if near else 1)


def f1(rows, probabilities):
    return scores([r[0] for r in rows], [p >= 0.5 for p in probabilities])[0]


def sigmoid(z):
    return 1 / (1 + math.exp(-max(-30, min(30, z))))


def odds(w, terms):
    return sum(a * b for a, b in zip(w, terms))


def predict(w, rows, by_content=False):
    # equal texts and those without content are no question of the model
    return [r[1 + by_content] if r[1 + by_content] in (0, 1) else sigmoid(odds(w, r[3 + by_content])) for r in rows]


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


def newton(data, used, w):
    """The likelihood's maximum over the terms `used`; labels are doubted once the weights are roughly known."""
    for turn in range(60):
        g, h = [0.0] * len(used), [[1e-6 * (i == j) for j in used] for i in used]
        for y, t, share in data:
            p = sigmoid(odds(w, t))
            if turn >= 6:
                right = p if y else 1 - p
                sure = (1 - WRONG) * right / ((1 - WRONG) * right + WRONG * (1 - right))
                y = sure if y else 1 - sure
            slope, curve = share * (y - p), share * max(p * (1 - p), 1e-6)
            for i, k in enumerate(used):
                g[i] += slope * t[k]
                for j, o in enumerate(used):
                    h[i][j] += curve * t[k] * t[o]
        for i, k in enumerate(used):
            if k:
                g[i] -= w[k]
                h[i][i] += 1
        step = solve(h, g)
        scale = min(1, 3 / max(map(abs, step)))
        for i, k in enumerate(used):
            w[k] += scale * step[i]
        if turn > 10 and max(map(abs, step)) < 1e-3:
            break
    return w


def fit(rows, left_out=None, start=None):
    data = [(y, t, 100 * weight(s) / len(v)) for s, v in rows.items() if weight(s) and s != left_out
            for y, alone, _, t, _ in v if alone not in (0, 1)]
    used, w = [0, 1, 2, 3], list(start or [0.0, 0.0, 0.0, 0.0, SHORT])
    while True:
        w = newton(data, used, w)
        wrong = [k for k in used if k >= 2 and w[k] > 0]
        if not wrong:
            return operating_point(rows, w, left_out)
        for k in wrong:
            w[k] = 0.0
            used.remove(k)


def operating_point(rows, w, left_out):
    """Base, size (only people graded long texts) and the price of replaced passages."""
    people = [r for s in PEOPLE if s != left_out for r in rows.get(s, [])]
    framed = [rows[s] for s in FRAMED if s in rows and s != left_out]
    best = None
    for step in range(-10, 11):
        for size in [w[2]] + [-k / 10 for k in range(5, 21)]:
            for replaced in (w[3], -4.0, -6.0):
                at = [w[0] + step / 20, w[1], size, replaced, SHORT]
                graded = min(min(f1(people, predict(at, people, c)) for c in (False, True)), PEOPLE_LEAST) if people else 1
                if best is None or graded >= best[0][0]:
                    rank = (graded, round(sum(f1(v, predict(at, v)) for v in framed), 2), -abs(step), -abs(size - w[2]), replaced)
                    best = max(best or (rank, at), (rank, at))
    return best[1]


def best_jaccard(rows, names):
    """F1 of each set at the single threshold of the Jaccard that is best for the worst of them, and at each set's own best."""
    j = {s: [sigmoid(t[1]) if 0 < alone < 1 else alone for _, alone, _, t, _ in rows[s]] for s in names}
    at = lambda s, x: scores([r[0] for r in rows[s]], [v >= x for v in j[s]])[0]
    steps = [k / 50 for k in range(10, 50)]
    one = max(steps, key=lambda x: min(at(s, x) for s in names))
    return one, {s: at(s, one) for s in names}, {s: max(at(s, x) for x in steps) for s in names}


def plot(rows, path):
    """Observed share of near-duplicates over the probability, all sets together and the graded ones."""
    def curve(sets):
        bins = [[0, 0, 0.0] for _ in range(10)]
        for s in sets:
            for y, _, content, *_ in rows.get(s, []):
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


def cell(rows, k):
    q = scores([r[0] for r in rows], [r[k] >= 0.5 for r in rows])
    return f"{q[0]:.3f} ({q[1]:.2f}, {q[2]:.2f})" if any(r[0] for r in rows) else f"{sum(r[k] >= 0.5 for r in rows)} said near"


def report(rows):
    judged = [s for s in rows if s not in NOT_FITTED]
    threshold, single, hindsight = best_jaccard(rows, judged)
    print(f"| set | pairs | near | F1 (P, R), pair alone | content | sure (0.9 to 1.0) and near | J5 at {threshold:.2f} | J5 at its best |\n|---|---|---|---|---|---|---|---|")
    for name, v in rows.items():
        sure = [r[0] for r in v if r[2] >= 0.9]
        doubt = " <- below 85 %" if sure and sum(sure) < 0.85 * len(sure) else ""
        other = f"{single[name]:.3f} | {hindsight[name]:.3f}" if name in single else " | "
        print(f"| {name} | {len(v)} | {sum(r[0] for r in v)} | {cell(v, 1)} | {cell(v, 2)} | {sum(sure)} of {len(sure)}{doubt} | {other} |", flush=True)
    alone = {s: scores([r[0] for r in rows[s]], [r[1] >= 0.5 for r in rows[s]])[0] for s in judged}
    people = [r for s in PEOPLE for r in rows.get(s, [])]
    if people:
        graded = [scores([r[0] for r in people], [r[k] >= 0.5 for r in people])[0] for k in (1, 2)]
        print(f"\ngraded pairs together: F1 {graded[0]:.3f} from the pair alone, {graded[1]:.3f} by content; bar 0.92: "
              f"{'met' if min(graded) >= 0.92 else 'NOT MET'}")
    mean = lambda d: sum(d.values()) / len(d)
    print(f"over the sets: worst {min(alone.values()):.3f} ({min(alone, key=alone.get)}), mean {mean(alone):.3f}, best {max(alone.values()):.3f}; "
          f"the Jaccard at its best single threshold {threshold:.2f}: worst {min(single.values()):.3f} ({min(single, key=single.get)}), mean {mean(single):.3f}")


def report_fit(rows):
    w = fit(rows)
    people = [r for s in PEOPLE for r in rows.get(s, [])]
    print(f"\nthe graded pairs with the weights fitted: F1 {f1(people, predict(w, people)):.3f}" if people else "")
    print("fitted: " + ", ".join(f"{n} {x:.2f}" for n, x in zip(TERMS, w)))
    print("| left out | F1 fitted to all | F1 left out | weights |\n|---|---|---|---|")
    for name in rows:
        if weight(name):
            other = fit(rows, name, w)
            print(f"| {name} | {f1(rows[name], predict(w, rows[name])):.3f} | {f1(rows[name], predict(other, rows[name])):.3f} | "
                  f"{' '.join(f'{x:.2f}' for x in other)} |", flush=True)


def main():
    random.seed(5)
    program, thresh, data = sys.argv[1:4]
    docs = option("--docs")
    # --keep FILE writes the pairs, --pairs FILE takes them from there
    if option("--pairs"):
        labelled = json.load(open(option("--pairs")))
    else:
        labelled = [*pairs.people(data), *pairs.page_edits(data, thresh), *pairs.made(templates.sentences(), templates.records(20000), docs)]
    if option("--keep"):
        json.dump(labelled, open(option("--keep"), "w"))
    rows = measure(program, labelled)
    report(rows)
    if "--fit" in sys.argv:
        report_fit(rows)
    if option("--plot"):
        plot(rows, option("--plot"))


main()
