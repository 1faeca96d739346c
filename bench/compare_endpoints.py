#!/usr/bin/env python3
"""compare_endpoints.py KIND OURS THEIRS THEIR_GRAPH - the same questions, timed and compared.

Best of five over HTTP, of up to forty where that is short, asked in turns, so that what
else the machine does hits both; answers as CSV, compared as sorted rows (numbers by value).
"""
import csv
import http.client
import io
import math
import sys
import time
import urllib.parse

V = "PREFIX v: <http://thresh.example/vocab/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
QUERIES = {
    "crawl": [
        ("mentions + app", "SELECT ?p { ?p v:mentions <http://thresh.example/entity/7> ; v:application \"phpBB\" }"),
        ("star of six", "SELECT ?p ?t ?d ?h ?s { ?p v:mentions <http://thresh.example/entity/77> ; v:title ?t ; v:crawled ?d ; v:host ?h ; v:size ?s ; v:application \"MediaWiki\" }"),
        ("count join + filter", "SELECT (COUNT(*) AS ?n) { ?p v:application \"phpBB\" ; v:size ?s FILTER(?s > 100000) }"),
        ("count all of one", "SELECT (COUNT(*) AS ?n) { ?p v:linksTo ?q }"),
        ("group by app", "SELECT ?a (COUNT(*) AS ?n) { ?p v:application ?a } GROUP BY ?a"),
        ("top hosts", "SELECT ?h (COUNT(*) AS ?n) { ?p v:host ?h } GROUP BY ?h ORDER BY DESC(?n) ?h LIMIT 10"),
        ("co-mentions", "SELECT ?e (COUNT(*) AS ?n) { ?p v:mentions <http://thresh.example/entity/50> ; v:mentions ?e } GROUP BY ?e ORDER BY DESC(?n) ?e LIMIT 10"),
        ("optional", "SELECT ?p ?a { ?p v:host <http://host33.example/> OPTIONAL { ?p v:application ?a } }"),
        ("date range", "SELECT (COUNT(*) AS ?n) { ?p v:crawled ?d FILTER(?d >= \"2020-01-01T00:00:00Z\"^^xsd:dateTime && ?d < \"2020-02-01T00:00:00Z\"^^xsd:dateTime) }"),
        ("describe one page", "SELECT ?p ?x ?y { { SELECT ?p { ?p v:mentions <http://thresh.example/entity/77> } ORDER BY ?p LIMIT 1 } ?p ?x ?y }"),
        ("regex on titles", "SELECT (COUNT(*) AS ?n) { ?p v:title ?t FILTER(REGEX(?t, \"^archive.*water\")) }"),
        ("average size by app", "SELECT ?a (AVG(?s) AS ?m) { ?p v:application ?a ; v:size ?s } GROUP BY ?a"),
    ],
    "shop": [
        ("features + price", "SELECT ?p ?l { ?p v:feature <http://shop.example/feature/3> ; v:feature <http://shop.example/feature/20> ; v:label ?l ; v:price ?c FILTER(?c < 500) }"),
        ("reviews of a producer", "SELECT ?r ?n { ?p v:producer <http://shop.example/producer/9> . ?r v:reviewFor ?p ; v:rating ?n }"),
        ("average rating", "SELECT ?p (AVG(?n) AS ?m) { ?p v:producer <http://shop.example/producer/3> . ?r v:reviewFor ?p ; v:rating ?n } GROUP BY ?p ORDER BY DESC(?m) ?p LIMIT 10"),
        ("people who agree", "SELECT (COUNT(*) AS ?c) { ?a v:reviewer <http://shop.example/person/5> ; v:reviewFor ?p . ?b v:reviewFor ?p ; v:reviewer ?o }"),
        ("rating histogram", "SELECT ?n (COUNT(*) AS ?c) { ?r v:rating ?n } GROUP BY ?n"),
        ("cheap ones", "SELECT ?p ?c { ?p v:price ?c } ORDER BY ?c ?p LIMIT 10"),
        ("products without review", "SELECT (COUNT(*) AS ?n) { ?p a v:Product FILTER NOT EXISTS { ?r v:reviewFor ?p } }"),
        ("union", "SELECT ?p { { ?p v:feature <http://shop.example/feature/1> } UNION { ?p v:feature <http://shop.example/feature/2> } ?p v:producer <http://shop.example/producer/2> }"),
        ("producers by reviews", "SELECT ?m (COUNT(?r) AS ?n) { ?p v:producer ?m . ?r v:reviewFor ?p } GROUP BY ?m ORDER BY DESC(?n) ?m LIMIT 10"),
    ],
}


def ask(url, query, graph):
    u = urllib.parse.urlsplit(url)
    params = {"query": V + query}
    if graph:
        params["default-graph-uri"] = graph
    body = urllib.parse.urlencode(params)
    c = http.client.HTTPConnection(u.hostname, u.port, timeout=300)
    start = time.perf_counter()
    c.request("POST", u.path, body, {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/csv"})
    r = c.getresponse()
    text = r.read().decode("utf-8", "replace")
    took = time.perf_counter() - start
    c.close()
    if r.status != 200:
        raise RuntimeError("%d %s" % (r.status, text[:200]))
    return took, text


def normal(text):
    def cell(x):
        try:
            return "%.6g" % float(x)
        except ValueError:
            return x
    rows = list(csv.reader(io.StringIO(text)))[1:]
    return sorted(tuple(cell(c) for c in r) for r in rows)


def best_in_turns(query, endpoints):
    """For each (url, graph) its best time and its answer."""
    best, spent = [(math.inf, "")] * len(endpoints), 0
    for turn in range(40):
        for i, (url, graph) in enumerate(endpoints):
            took, text = ask(url, query, graph)
            best[i] = min(best[i], (took, text))
            spent += took
        if spent > 40 or (turn >= 4 and spent > 2):
            break
    return best


def main():
    kind, ours, theirs, graph = sys.argv[1:5]
    print("\n%-26s %10s %10s %8s %8s  %s" % (kind, "thresh ms", "peer ms", "ratio", "rows", "answers"))
    logs = []
    for name, query in QUERIES[kind]:
        try:
            (a, mine), (b, other) = best_in_turns(query, [(ours, None), (theirs, graph)])
        except RuntimeError as e:
            print("%-26s failed: %s" % (name, str(e)[:80]))
            continue
        same = normal(mine) == normal(other)
        logs.append(math.log(a / b))
        print("%-26s %10.1f %10.1f %8.2f %8d  %s" % (name, a * 1e3, b * 1e3, a / b, len(normal(mine)),
                                                     "same" if same else "DIFFER"))
    if logs:
        print("geometric mean of the ratios: %.2f" % math.exp(sum(logs) / len(logs)))


if __name__ == "__main__":
    main()
