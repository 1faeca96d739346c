#!/usr/bin/env python3
"""kb_oracle.py THRESH GEN_GRAPH [RANDOM_QUERIES [SEED]] - answers of `thresh kb` against rdflib's.

Asks the questions of the benchmark and random ones of the generated crawl and shop
graphs, of a few thousand triples each, and compares the answers as multisets (numbers by value).
Exits with 1 when any differ.  Needs python3-rdflib, run by the system's Python.
"""
import csv
import io
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
from compare_endpoints import QUERIES, V  # noqa: E402

TRIPLES = 9000
PREDICATES = {
    "crawl": ["title", "crawled", "host", "size", "application", "mentions", "linksTo"],
    "shop": ["label", "producer", "price", "feature", "reviewFor", "rating", "reviewer", "date"],
}
# Predicates whose objects are subjects of others: paths and chains lead somewhere.
CHAINS = {"crawl": [("linksTo", "mentions"), ("host", "host")], "shop": [("reviewFor", "feature"), ("reviewFor", "producer")]}


def number(text):
    try:
        return "%.9g" % float(text)
    except ValueError:
        return text


def ours(thresh, store, query):
    r = subprocess.run([thresh, "kb", "query", store, query, "--format", "csv"], capture_output=True, text=True, timeout=120)
    if r.returncode:
        raise RuntimeError(r.stderr.strip())
    rows = list(csv.reader(io.StringIO(r.stdout)))
    if query.split("{")[0].strip().endswith("ASK"):
        return [(r.stdout.strip().lower(),)]
    return sorted(tuple(number(c) for c in row) for row in rows[1:] if row)


def theirs(graph, query):
    r = graph.query(query)
    if r.type == "ASK":
        return [(str(bool(r.askAnswer)).lower(),)]
    return sorted(tuple(number("" if c is None else str(c)) for c in row) for row in r)


class Maker:
    """Random queries over terms that the graph has."""

    def __init__(self, kind, graph, seed):
        self.r = random.Random(seed)
        self.kind = kind
        self.graph = graph
        self.objects = {p: sorted(set(o.n3() for o in graph.objects(None, self.iri(p)))) for p in PREDICATES[kind]}
        self.subjects = sorted(set(s.n3() for s in graph.subjects()))

    def iri(self, p):
        import rdflib
        return rdflib.URIRef("http://thresh.example/vocab/" + p)

    def predicate(self):
        return self.r.choice(PREDICATES[self.kind])

    def triple(self, subject, out):
        p = self.predicate()
        roll = self.r.random()
        o = self.r.choice(self.objects[p]) if roll < 0.35 else "?o%d" % self.r.randrange(3)
        if roll > 0.93:
            subject = self.r.choice(self.subjects)
        out.append("%s v:%s %s ." % (subject, p, o))

    def star(self, n, subject="?s"):
        out = []
        for _ in range(n):
            self.triple(subject, out)
        return " ".join(out)

    def chain(self):
        a, b = self.r.choice(CHAINS[self.kind])
        return "?s v:%s ?m . ?m v:%s ?o0 ." % (a, b)

    def filter(self):
        v = "?o%d" % self.r.randrange(3)
        return self.r.choice([
            "FILTER(%s > %d)" % (v, self.r.choice([3, 5, 50000, 100000])),
            "FILTER(%s != 7)" % v,
            "FILTER(BOUND(%s))" % v,
            "FILTER(ISIRI(%s))" % v,
            "FILTER(REGEX(STR(%s), \"[a-e]r\"))" % v,
            "FILTER(STRLEN(STR(%s)) < 30 || %s < 10)" % (v, v),
            "FILTER(%s IN (1, 2, 3, \"phpBB\"))" % v,
            "FILTER EXISTS { ?s v:%s ?e }" % self.predicate(),
            "FILTER NOT EXISTS { ?s v:%s ?e }" % self.predicate(),
        ])

    def pattern(self):
        kind = self.r.randrange(8)
        first = self.star(self.r.randint(1, 3))
        if kind == 0:
            return "%s OPTIONAL { %s }" % (first, self.star(1))
        if kind == 1:
            return "{ %s } UNION { %s }" % (first, self.star(1))
        if kind == 2:
            return "%s MINUS { %s }" % (first, self.star(1))
        if kind == 3:
            return "%s %s" % (first, self.filter())
        if kind == 4:
            return self.chain() + (" " + self.filter() if self.r.random() < 0.4 else "")
        if kind == 5:
            return "?r v:%s ?s . %s" % (CHAINS[self.kind][0][0], first)
        if kind == 6:
            return "%s VALUES ?o1 { 1 2 \"phpBB\" %s }" % (first, self.r.choice(self.subjects))
        return first

    def query(self):
        body = self.pattern()
        names = sorted(set(w.strip("(),") for w in body.replace("(", " ").replace(")", " ").split() if w.startswith("?")) - {"?e"})
        a, b = self.r.choice(names), self.r.choice(names)
        kind = self.r.randrange(7)
        if kind == 0:
            return "SELECT (COUNT(*) AS ?n) { %s }" % body
        if kind == 1:
            return "SELECT %s (COUNT(%s) AS ?n) { %s } GROUP BY %s" % (a, b, body, a)
        if kind == 2:
            return "SELECT DISTINCT %s { %s }" % (a, body)
        if kind == 3:
            return "SELECT %s (COUNT(DISTINCT %s) AS ?n) (MIN(%s) AS ?low) { %s } GROUP BY %s" % (a, b, b, body, a)
        if kind == 4:
            return "ASK { %s }" % body
        if kind == 5:
            return "SELECT (COUNT(%s) AS ?n) (SAMPLE(1) AS ?x) { %s }" % (a, body)
        return "SELECT %s { %s }" % (" ".join(names), body)


def compare(thresh, store, graph, name, query):
    """True when the answers agree; a query that would give millions of rows is left out."""
    full = V + query
    a = ours(thresh, store, full)
    if len(a) > 200000:
        return None
    try:
        b = theirs(graph, full)
    except Exception as e:  # COUNT(DISTINCT ?x) of an unbound ?x ends rdflib 6.1
        print("rdflib fails in %s: %s" % (name, repr(e)[:100]))
        return None
    if a == b:
        return True
    print("DIFFER %s: %s\n  thresh %d rows, rdflib %d; only thresh %s; only rdflib %s" % (
        name, query, len(a), len(b), [x for x in a if x not in b][:3], [x for x in b if x not in a][:3]))
    return False


def main():
    thresh, gen = sys.argv[1:3]
    n = int(sys.argv[3]) if len(sys.argv) > 3 else 150
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    import rdflib
    rdflib.NORMALIZE_LITERALS = False  # else "...Z" becomes "...+00:00", another term
    bad = asked = 0
    for kind in ("crawl", "shop"):
        with tempfile.TemporaryDirectory() as d:
            text = subprocess.run([gen, kind, str(TRIPLES)], capture_output=True, check=True).stdout
            path = os.path.join(d, "g.nt")
            with open(path, "wb") as f:
                f.write(text)
            store = os.path.join(d, "kb")
            subprocess.run([thresh, "kb", "load", "-q", store, path], check=True)
            graph = rdflib.Graph().parse(path, format="nt")
            maker = Maker(kind, graph, seed)
            queries = QUERIES[kind] + [("random %d" % i, maker.query()) for i in range(n)]
            for name, query in queries:
                try:
                    same = compare(thresh, store, graph, name, query)
                except (RuntimeError, subprocess.TimeoutExpired) as e:
                    print("FAILED %s: %s\n  %s" % (name, query, e))
                    same = False
                asked += same is not None
                bad += same is False
    print("%d questions asked of thresh kb and rdflib, %d answered differently" % (asked, bad))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
