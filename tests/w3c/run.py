#!/usr/bin/env python3
"""Run the W3C suites of SPARQL 1.1, SPARQL 1.0, N-Triples and N-Quads against thresh.

usage: run.py THRESH DIR [--suite NAME]... [--only TEXT] [--verbose]

DIR is a copy of the rdf-tests repository.  Manifests and data are read by thresh
itself; only RDF/XML, which thresh does not read, is turned into N-Triples here.
Results are compared up to the names of blank nodes.
"""
import argparse
import concurrent.futures
import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree as ET

MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
QT = "http://www.w3.org/2001/sw/DataAccess/tests/test-query#"
UT = "http://www.w3.org/2009/sparql/tests/test-update#"
RS = "http://www.w3.org/2001/sw/DataAccess/tests/result-set#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
RDFT = "http://www.w3.org/ns/rdftest#"
XSD = "http://www.w3.org/2001/XMLSchema#"

SUITES = {
    "sparql11-query": "sparql/sparql11/manifest-sparql11-query.ttl",
    "sparql11-update": "sparql/sparql11/manifest-sparql11-update.ttl",
    "sparql11-results": "sparql/sparql11/manifest-sparql11-results.ttl",
    "sparql10-evaluation": "sparql/sparql10/manifest-evaluation.ttl",
    "sparql10-syntax": "sparql/sparql10/manifest-syntax.ttl",
    "n-triples": "rdf/rdf11/rdf-n-triples/manifest.ttl",
    "n-quads": "rdf/rdf11/rdf-n-quads/manifest.ttl",
    "turtle": "rdf/rdf11/rdf-turtle/manifest.ttl",
    "trig": "rdf/rdf11/rdf-trig/manifest.ttl",
}
DEFAULT = ["sparql11-query", "sparql11-update", "sparql11-results", "sparql10-evaluation",
           "sparql10-syntax", "n-triples", "n-quads"]
# RDF 1.1 made simple literals and xsd:string one; these two predate it and may answer either way.
REDUCED = {"reduced-1", "reduced-2"}


def run(*args, timeout=60):
    return subprocess.run(args, capture_output=True, timeout=timeout)


def file_of(iri):
    return urllib.parse.unquote(iri[len("file://"):]) if iri.startswith("file://") else iri


# --- terms: ("iri", x), ("bnode", x), ("lit", text, datatype, lang) ---

def literal(text, datatype=None, lang=None):
    if lang:
        return ("lit", text, RDF + "langString", lang.lower())
    return ("lit", text, datatype or XSD + "string", "")


UNESCAPE = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}


def unescape(s):
    if "\\" not in s:
        return s
    out, i = [], 0
    while i < len(s):
        if s[i] != "\\":
            out.append(s[i])
            i += 1
        elif s[i + 1] in "uU":
            n = 4 if s[i + 1] == "u" else 8
            out.append(chr(int(s[i + 2:i + 2 + n], 16)))
            i += 2 + n
        else:
            out.append(UNESCAPE[s[i + 1]])
            i += 2
    return "".join(out)


def parse_term(s, i):
    """A term of N-Quads at s[i:]; gives the term and what follows."""
    if s[i] == "<":
        e = s.index(">", i)
        return ("iri", unescape(s[i + 1:e])), e + 1
    if s.startswith("_:", i):
        e = i
        while e < len(s) and s[e] not in " \t":
            e += 1
        return ("bnode", s[i + 2:e]), e
    e = i + 1
    while s[e] != '"':
        e += 2 if s[e] == "\\" else 1
    text = unescape(s[i + 1:e])
    e += 1
    if s.startswith("^^<", e):
        end = s.index(">", e)
        return literal(text, unescape(s[e + 3:end])), end + 1
    if e < len(s) and s[e] == "@":
        end = e
        while end < len(s) and s[end] not in " \t":
            end += 1
        return literal(text, lang=s[e + 1:end]), end
    return literal(text), e


def parse_nquads(text):
    quads = set()
    for line in text.split("\n"):
        line = line.strip(" \t\r")
        if not line or line.startswith("#"):
            continue
        terms, i = [], 0
        while line[i] != ".":
            term, i = parse_term(line, i)
            terms.append(term)
            while line[i] in " \t":
                i += 1
        quads.add((terms[3] if len(terms) == 4 else None, terms[0], terms[1], terms[2]))
    return quads


# --- RDF/XML, as much as the suite's data and results use ---

def rdfxml(path):
    base = "file://" + path
    out, count = set(), [0]
    W = "{" + RDF + "}"
    XML = "{http://www.w3.org/XML/1998/namespace}"

    def fresh():
        count[0] += 1
        return ("bnode", "x%d" % count[0])

    def iri(tag):
        return ("iri", tag[1:].replace("}", "", 1))

    def ref(x):
        return ("iri", urllib.parse.urljoin(base, x))

    def node(e):
        if W + "about" in e.attrib:
            me = ref(e.attrib[W + "about"])
        elif W + "ID" in e.attrib:
            me = ref("#" + e.attrib[W + "ID"])
        elif W + "nodeID" in e.attrib:
            me = ("bnode", "n" + e.attrib[W + "nodeID"])
        else:
            me = fresh()
        if e.tag != W + "Description":
            out.add((None, me, ("iri", RDF + "type"), iri(e.tag)))
        for a, v in e.attrib.items():
            if not a.startswith(W) and not a.startswith(XML):
                out.add((None, me, iri(a), literal(v)))
        for p in e:
            prop(me, p)
        return me

    def prop(me, p):
        name = iri(p.tag)
        kind = p.attrib.get(W + "parseType")
        if kind == "Resource":
            value = fresh()
            for q in p:
                prop(value, q)
        elif kind == "Collection":
            items = [node(c) for c in p]
            value = ("iri", RDF + "nil")
            for item in reversed(items):
                cell = fresh()
                out.add((None, cell, ("iri", RDF + "first"), item))
                out.add((None, cell, ("iri", RDF + "rest"), value))
                value = cell
        elif W + "resource" in p.attrib:
            value = ref(p.attrib[W + "resource"])
        elif W + "nodeID" in p.attrib:
            value = ("bnode", "n" + p.attrib[W + "nodeID"])
        elif len(p):
            value = node(p[0])
        else:
            value = literal(p.text or "", p.attrib.get(W + "datatype"), p.attrib.get(XML + "lang"))
        out.add((None, me, name, value))

    root = ET.parse(path).getroot()
    if root.tag == W + "RDF":
        for e in root:
            node(e)
    else:
        node(root)
    return out


def to_ntriples(term):
    if term[0] == "iri":
        return "<%s>" % term[1]
    if term[0] == "bnode":
        return "_:" + term[1]
    text = '"' + term[1].replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r") + '"'
    if term[3]:
        return text + "@" + term[3]
    return text if term[2] == XSD + "string" else text + "^^<%s>" % term[2]


# --- isomorphism ---

def isomorphic(a, b):
    """Equal up to a renaming of blank nodes: rows are tuples of terms (or None)."""
    a, b = list(a), list(b)
    if len(a) != len(b):
        return False

    def colours(rows):
        colour = {}
        for row in rows:
            for t in row:
                if t and t[0] == "bnode":
                    colour[t] = 0
        for _ in range(4):
            nxt = {}
            for t in colour:
                sig = sorted(repr([("me" if u == t else colour[u]) if u and u[0] == "bnode" else u
                                   for u in row]) for row in rows if t in row)
                nxt[t] = hash(tuple(sig))
            colour = nxt
        return colour

    ca, cb = colours(a), colours(b)
    if sorted(ca.values()) != sorted(cb.values()):
        return False

    def count(rows):
        c = {}
        for r in rows:
            c[r] = c.get(r, 0) + 1
        return c

    target = count(b)
    names = sorted(ca, key=lambda t: ca[t])

    def attempt(i, mapping, used):
        if i == len(names):
            mapped = [tuple(mapping.get(t, t) if t and t[0] == "bnode" else t for t in row) for row in a]
            return count(mapped) == target
        for t in cb:
            if t not in used and cb[t] == ca[names[i]]:
                mapping[names[i]] = t
                if attempt(i + 1, mapping, used | {t}):
                    return True
                del mapping[names[i]]
        return False

    return attempt(0, {}, frozenset())


# --- results ---

def results_json(text):
    doc = json.loads(text)
    if "boolean" in doc:
        return doc["boolean"]
    rows = []
    for b in doc["results"]["bindings"]:
        row = {}
        for name, v in b.items():
            if v["type"] == "uri":
                row[name] = ("iri", v["value"])
            elif v["type"] == "bnode":
                row[name] = ("bnode", v["value"])
            else:
                row[name] = literal(v["value"], v.get("datatype"), v.get("xml:lang"))
        rows.append(row)
    return doc["head"].get("vars", []), rows


def results_xml(text):
    S = "{http://www.w3.org/2005/sparql-results#}"
    root = ET.fromstring(text)
    boolean = root.find(S + "boolean")
    if boolean is not None:
        return boolean.text.strip() == "true"
    names = [v.attrib["name"] for v in root.iter(S + "variable")]
    rows = []
    for r in root.iter(S + "result"):
        row = {}
        for b in r.findall(S + "binding"):
            v = b[0]
            kind = v.tag[len(S):]
            if kind == "uri":
                row[b.attrib["name"]] = ("iri", v.text or "")
            elif kind == "bnode":
                row[b.attrib["name"]] = ("bnode", v.text or "")
            else:
                row[b.attrib["name"]] = literal(v.text or "", v.attrib.get("datatype"),
                                                v.attrib.get("{http://www.w3.org/XML/1998/namespace}lang"))
        rows.append(row)
    return names, rows


def results_tsv(text):
    lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
    names = [n.lstrip("?") for n in lines[0].split("\t")] if lines[0] else []
    rows = []
    for line in lines[1:]:
        row = {}
        for name, cell in zip(names, line.split("\t")):
            if not cell:
                continue
            if cell[0] in '<"_':
                row[name] = parse_term(cell + " ", 0)[0]
            elif "e" in cell.lower():
                row[name] = literal(cell, XSD + "double")
            else:
                row[name] = literal(cell, XSD + ("decimal" if "." in cell else "integer"))
        rows.append(row)
    return names, rows


def results_graph(quads):
    """A result set written as RDF (rs:ResultSet), or None when it is a plain graph."""
    by = {}
    for _, s, p, o in quads:
        by.setdefault((s, p[1]), []).append(o)
    for _, s, p, o in quads:
        if p[1] == RS + "boolean":
            return o[1] == "true"
    sets = [s for _, s, p, o in quads if p[1] == RDF + "type" and o[1] == RS + "ResultSet"]
    if not sets:
        return None
    names = [v[1] for v in by.get((sets[0], RS + "resultVariable"), [])]
    rows = []
    for solution in by.get((sets[0], RS + "solution"), []):
        row = {}
        for b in by.get((solution, RS + "binding"), []):
            row[by[(b, RS + "variable")][0][1]] = by[(b, RS + "value")][0]
        index = by.get((solution, RS + "index"))
        rows.append((int(index[0][1]) if index else 0, row))
    ordered = any(i for i, _ in rows)
    rows.sort(key=lambda x: x[0])
    return names, [r for _, r in rows], ordered


def number_value(t):
    """Literals of numeric types as (type, value), so that 1.0 and 1.00 of a type agree."""
    if t and t[0] == "lit" and t[2].startswith(XSD):
        name = t[2][len(XSD):]
        try:
            if name in ("decimal", "double", "float"):
                return ("num", name, float(t[1]))
            if name == "integer":
                return ("num", name, int(t[1]))
        except ValueError:
            pass
    return t


def tuples(names, rows):
    return [tuple(number_value(r.get(n)) for n in names) for r in rows]


class Runner:
    def __init__(self, thresh, root):
        self.thresh, self.root = thresh, root

    def nquads(self, path, base=None):
        """Any RDF file as quads."""
        if path.endswith((".rdf", ".xml")):
            return rdfxml(path)
        tmp = tempfile.mkdtemp(prefix="thresh-w3c-")
        try:
            store = os.path.join(tmp, "kb")
            r = run(self.thresh, "kb", "load", "--strict", "-q", "--base", base or "file://" + path,
                    store, path)
            if r.returncode:
                raise RuntimeError(r.stderr.decode())
            return parse_nquads(run(self.thresh, "kb", "dump", store).stdout.decode())
        finally:
            shutil.rmtree(tmp)

    def data_file(self, path, tmp):
        """A file that thresh reads."""
        if not path.endswith((".rdf", ".xml")):
            return path
        copy = os.path.join(tmp, os.path.basename(path) + ".nt")
        with open(copy, "w") as f:
            for _, s, p, o in rdfxml(path):
                f.write("%s %s %s .\n" % (to_ntriples(s), to_ntriples(p), to_ntriples(o)))
        return copy

    def tests(self, manifest):
        quads = self.nquads(manifest)
        by = {}
        for _, s, p, o in quads:
            by.setdefault((s, p[1]), []).append(o)

        def items(cell):
            while cell != ("iri", RDF + "nil"):
                yield by[(cell, RDF + "first")][0]
                cell = by[(cell, RDF + "rest")][0]

        found = []
        for _, s, p, o in quads:
            if p[1] == MF + "include":
                for m in items(o):
                    found += self.tests(file_of(m[1]))
        for _, s, p, o in quads:
            if p[1] == MF + "entries":
                for t in items(o):
                    found.append(Test(self, t, by, manifest))
        return found


class Test:
    def __init__(self, runner, node, by, manifest):
        self.runner, self.node, self.by = runner, node, by
        self.folder = os.path.basename(os.path.dirname(manifest))
        self.kind = self.one(node, RDF + "type")[1].split("#")[-1]
        self.name = (self.one(node, MF + "name") or ("lit", node[1]))[1]
        self.id = node[1].split("#")[-1]

    def one(self, node, p):
        v = self.by.get((node, p))
        return v[0] if v else None

    def all(self, node, p):
        return self.by.get((node, p), [])

    def check(self):
        """None when it passes, else what is wrong."""
        try:
            return self.dispatch()
        except Exception as e:
            return "%s: %s" % (type(e).__name__, e)

    def dispatch(self):
        action = self.one(self.node, MF + "action")
        k = self.kind
        if "Syntax" in k and "Update" in k:
            return self.syntax(action, "update", k.startswith("Negative"))
        if "Syntax" in k and k.startswith("TestN"):
            return self.lines(action)
        if "Syntax" in k and k.startswith("Test"):
            return self.document(action, "Negative" in k, None)
        if k.startswith("Test"):
            return self.document(action, "Negative" in k, self.one(self.node, MF + "result"))
        if "Syntax" in k:
            query = self.one(action, QT + "query") if action[0] == "bnode" else action
            return self.syntax(query or action, "query", k.startswith("Negative"))
        if k == "UpdateEvaluationTest":
            return self.update(action)
        if k in ("QueryEvaluationTest", "CSVResultFormatTest"):
            return self.query(action)
        return "unknown kind of test " + k

    def syntax(self, iri, what, negative):
        path = file_of(iri[1])
        tmp = tempfile.mkdtemp(prefix="thresh-w3c-")
        try:
            empty = os.path.join(tmp, "empty.nt")
            open(empty, "w").close()
            if what == "query":
                r = run(self.runner.thresh, "kb", "query", "--data", empty, "--format", "json", "-f", path,
                        "--base", iri[1])
                said = r.stderr.decode()
                failed = r.returncode != 0 and "SERVICE" not in said
            else:
                r = run(self.runner.thresh, "kb", "update", os.path.join(tmp, "kb"), "-f", path, "--base", iri[1])
                said = r.stderr.decode()
                failed = r.returncode != 0 and (": line " in said or ": byte " in said)
            return None if failed == negative else ("accepted" if negative else said.strip())
        finally:
            shutil.rmtree(tmp)

    def lines(self, action):
        negative = "Negative" in self.kind
        tmp = tempfile.mkdtemp(prefix="thresh-w3c-")
        try:
            r = run(self.runner.thresh, "kb", "load", "--strict", "-q", os.path.join(tmp, "kb"),
                    file_of(action[1]))
            return None if (r.returncode != 0) == negative else (r.stderr.decode().strip() or "accepted")
        finally:
            shutil.rmtree(tmp)

    def document(self, action, negative, result):
        path = file_of(action[1])
        base = "http://www.w3.org/2013/%sTests/%s" % (
            "Trig" if path.endswith(".trig") else "Turtle", os.path.basename(path))
        try:
            got = self.runner.nquads(path, base)
        except RuntimeError as e:
            return None if negative else str(e).strip()
        if negative:
            return "accepted"
        if result is None:
            return None
        want = self.runner.nquads(file_of(result[1]))
        return None if isomorphic(got, want) else "another graph"

    def query(self, action):
        tmp = tempfile.mkdtemp(prefix="thresh-w3c-")
        try:
            return self.query_in(action, tmp)
        finally:
            shutil.rmtree(tmp)

    def dataset_of_query(self, text):
        """FROM and FROM NAMED name files of the suite where the test names no data."""
        import re
        found = []
        for named, iri in re.findall(r"(?i)\bFROM\s+(NAMED\s+)?<([^>]*)>", text):
            found.append((bool(named), iri))
        return found

    def query_in(self, action, tmp):
        query = self.one(action, QT + "query")
        result = self.one(self.node, MF + "result")
        suffix = os.path.splitext(file_of(result[1]))[1]
        fmt = {".csv": "csv", ".tsv": "tsv", ".srj": "json", ".srx": "xml"}.get(suffix, "json")
        text = open(file_of(query[1]), encoding="utf-8").read()
        args = [self.runner.thresh, "kb", "query", "-f", file_of(query[1]), "--base", query[1],
                "--format", fmt]
        data = self.all(action, QT + "data")
        named = self.all(action, QT + "graphData")
        store = os.path.join(tmp, "kb")
        load = []
        for d in data:
            load.append((file_of(d[1]), d[1], None))
        for d in named:
            label = self.one(d, RDFS + "label")
            graph = self.one(d, QT + "graph") or d
            load.append((file_of(graph[1]), graph[1], label[1] if label else graph[1]))
        if not data and not named:
            for _, ref in self.dataset_of_query(text):
                iri = urllib.parse.urljoin(query[1], ref)
                load.append((file_of(iri), iri, iri))
        empty = os.path.join(tmp, "empty.nt")
        open(empty, "w").close()
        load.append((empty, "file://" + empty, None))
        for path, base, graph in load:
            opts = ["--graph", graph] if graph else []
            r = run(self.runner.thresh, "kb", "load", "--strict", "-q", "--base", base, *opts, store,
                    self.runner.data_file(path, tmp))
            if r.returncode:
                return "load: " + r.stderr.decode().strip()
        r = run(args[0], *args[1:3], store, *args[3:])
        if r.returncode:
            return r.stderr.decode().strip()
        return self.compare(r.stdout.decode(), file_of(result[1]), suffix, fmt, text)

    def compare(self, got_text, path, suffix, fmt, query):
        if suffix in (".srx", ".srj", ".tsv"):
            want_text = open(path, encoding="utf-8").read()
            reader = {".srx": results_xml, ".srj": results_json, ".tsv": results_tsv}[suffix]
            want = reader(want_text)
        elif suffix == ".csv":
            want_text = open(path, encoding="utf-8", newline="").read()
            return self.compare_csv(got_text, want_text)
        else:
            quads = self.runner.nquads(path)
            want = results_graph(quads)
            if want is None:
                got = parse_nquads(got_text)
                return None if isomorphic(got, quads) else "another graph:\n" + got_text
        got = {"xml": results_xml, "json": results_json, "tsv": results_tsv}[fmt](got_text)
        if isinstance(want, bool) or isinstance(got, bool):
            return None if want == got else "answers %s" % (got,)
        if sorted(got[0]) != sorted(want[0]) and want[1]:
            return "variables %s, not %s" % (got[0], want[0])
        a, b = tuples(want[0], got[1]), tuples(want[0], want[1])
        lax = self.one(self.node, MF + "resultCardinality")
        if lax and lax[1].endswith("LaxCardinality"):
            a, b = sorted(set(a), key=repr), sorted(set(b), key=repr)
        if not isomorphic(a, b):
            return "rows differ:\n  got  %s\n  want %s" % (sorted(a, key=repr), sorted(b, key=repr))
        if len(want) == 3 and want[2] and not any(t and t[0] == "bnode" for r in a for t in r):
            if a != b:
                return "order differs"
        return None

    def compare_csv(self, got, want):
        a = list(csv.reader(io.StringIO(got)))
        b = list(csv.reader(io.StringIO(want)))

        def norm(rows):
            out = []
            for row in rows[1:]:
                cells = []
                for c in row:
                    if c.startswith("_:"):
                        cells.append(("bnode", c))
                    else:
                        try:
                            cells.append(("num", float(c)))
                        except ValueError:
                            cells.append(("text", c))
                out.append(tuple(cells))
            return out
        if a[:1] != b[:1]:
            return "head %s, not %s" % (a[:1], b[:1])
        return None if isomorphic(norm(a), norm(b)) else "rows differ:\n%s\n%s" % (got, want)

    def update(self, action):
        tmp = tempfile.mkdtemp(prefix="thresh-w3c-")
        try:
            return self.update_in(action, tmp)
        finally:
            shutil.rmtree(tmp)

    def graphs(self, node):
        out = []
        for d in self.all(node, UT + "data"):
            out.append((file_of(d[1]), d[1], None))
        for g in self.all(node, UT + "graphData"):
            graph = self.one(g, UT + "graph")
            out.append((file_of(graph[1]), graph[1], self.one(g, RDFS + "label")[1]))
        return out

    def update_in(self, action, tmp):
        request = self.one(action, UT + "request")
        store = os.path.join(tmp, "kb")
        for path, base, graph in self.graphs(action):
            opts = ["--graph", graph] if graph else []
            r = run(self.runner.thresh, "kb", "load", "--strict", "-q", "--base", base, *opts, store, path)
            if r.returncode:
                return "load: " + r.stderr.decode().strip()
        r = run(self.runner.thresh, "kb", "update", store, "-f", file_of(request[1]), "--base", request[1])
        if r.returncode:
            return r.stderr.decode().strip()
        got = parse_nquads(run(self.runner.thresh, "kb", "dump", store).stdout.decode())
        want = set()
        for i, (path, base, graph) in enumerate(self.graphs(self.one(self.node, MF + "result"))):
            for _, s, p, o in self.runner.nquads(path, base):
                rename = [("bnode", "%d.%s" % (i, t[1])) if t[0] == "bnode" else t for t in (s, p, o)]
                want.add((("iri", graph) if graph else None, *rename))
        return None if isomorphic(got, want) else "another dataset:\n  got  %s\n  want %s" % (
            sorted(map(repr, got)), sorted(map(repr, want)))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("thresh")
    ap.add_argument("dir")
    ap.add_argument("--suite", action="append")
    ap.add_argument("--only")
    ap.add_argument("--verbose", action="store_true")
    a = ap.parse_args()
    runner = Runner(os.path.abspath(a.thresh), os.path.abspath(a.dir))
    failed = 0
    for suite in a.suite or DEFAULT:
        tests = runner.tests(os.path.join(runner.root, SUITES[suite]))
        if a.only:
            tests = [t for t in tests if a.only in t.name or a.only in t.id or a.only == t.folder]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda t: t.check(), tests))
        bad = [(t, r) for t, r in zip(tests, results) if r]
        for t, r in bad:
            print("not ok %s/%s (%s): %s" % (t.folder, t.id, t.name, r if a.verbose else r.split("\n")[0][:200]))
        tolerated = [t for t, _ in bad if t.id in REDUCED]
        failed += len(bad) - len(tolerated)
        print("%-20s %d/%d" % (suite, len(tests) - len(bad), len(tests)))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
