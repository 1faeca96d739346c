#!/usr/bin/env python3
"""market_templates.py OURS [--virtuoso URL GRAPH] [--oxigraph FILE.nt] [--rounds N] - question shapes of WatDiv.

Lines (L), stars (S), snowflakes (F) and large ones (C) over the graph of gen_market, each
with several values in its place, asked in turns over HTTP with one lasting connection; the
time of a template is the sum over its values of the best of N rounds.  Oxigraph has no
server here: it is asked within this process and is charged our own time for an empty
question, so that both pay for HTTP.  Answers are compared by their number of rows.
"""
import argparse
import http.client
import math
import time
import urllib.parse

P = "PREFIX v: <http://market.example/vocab/> "
TEMPLATES = {
    "L1": ("?a v:subscribes <%s> . ?b v:caption ?c . ?a v:likes ?b", "site", [0, 3, 17, 40]),
    "L2": ("<%s> v:country ?c . ?u v:likes <http://market.example/product/0> . ?u v:nationality ?c", "city", [0, 5, 77, 120]),
    "L3": ("?u v:likes ?p . ?u v:subscribes <%s>", "site", [1, 9, 33, 90]),
    "L4": ("?p v:tag <%s> . ?p v:caption ?c", "topic", [2, 20, 100, 200]),
    "L5": ("?u v:jobTitle ?j . <%s> v:country ?c . ?u v:nationality ?c", "city", [4, 44, 99, 160]),
    "S1": ("?o v:includes ?p . <%s> v:offers ?o . ?o v:price ?a . ?o v:serial ?b . ?o v:validFrom ?c . ?o v:validThrough ?d . ?o v:quantity ?e . ?o v:region ?f . ?o v:priceUntil ?g", "retailer", [0, 3, 10, 50]),
    "S2": ("?u v:location ?l . ?u v:nationality <%s> . ?u v:gender ?g . ?u a <http://market.example/role/2>", "country", [0, 1, 5, 12]),
    "S3": ("?p a <%s> . ?p v:caption ?c . ?p v:genre ?g . ?p v:publisher ?q", "category", [0, 4, 9, 14]),
    "S4": ("?u v:ageGroup <%s> . ?u v:familyName ?f . ?p v:artist ?u . ?u v:nationality <http://market.example/country/1>", "age", [0, 3, 5, 8]),
    "S5": ("?p a <%s> . ?p v:description ?d . ?p v:keywords ?k . ?p v:language <http://market.example/language/0>", "category", [1, 5, 8, 13]),
    "S6": ("?p v:conductor ?c . ?p a ?t . ?p v:genre <%s>", "genre", [0, 7, 50, 140]),
    "S7": ("?p a ?t . ?p v:text ?x . <%s> v:likes ?p", "user", [1307, 2484, 4796, 9292]),
    "F1": ("?g v:tag <%s> . ?g a ?t . ?p v:trailer ?r . ?p v:keywords ?k . ?p v:genre ?g . ?p a <http://market.example/category/2>", "topic", [3, 30, 99, 222]),
    "F2": ("?p v:homepage ?h . ?p v:title ?t . ?p a ?k . ?p v:caption ?c . ?p v:description ?d . ?h v:url ?u . ?h v:hits ?n . ?p v:genre <%s>", "genre", [1, 8, 60, 130]),
    "F3": ("?p v:contentRating ?r . ?p v:contentSize ?s . ?p v:genre <%s> . ?u v:makesPurchase ?b . ?b v:purchaseDate ?d . ?b v:purchaseFor ?p", "genre", [2, 20, 66, 111]),
    "F4": ("?p v:homepage ?h . ?o v:includes ?p . ?p v:tag <%s> . ?p v:description ?d . ?p v:contentSize ?s . ?h v:url ?u . ?h v:hits ?n . ?h v:language <http://market.example/language/0> . ?w v:likes ?p", "topic", [0, 1, 4, 9]),
    "F5": ("?o v:includes ?p . <%s> v:offers ?o . ?o v:price ?c . ?o v:validThrough ?d . ?p v:title ?t . ?p a ?k", "retailer", [1, 4, 20, 80]),
    "C1": ("?p v:caption ?c . ?p v:text ?x . ?p v:contentRating ?r . ?p v:hasReview ?w . ?w v:title ?t . ?w v:reviewer ?u . ?q v:actor ?u . ?q v:language ?l", None, [0]),
    "C2": ("?r v:legalName ?n . ?r v:offers ?o . ?o v:region <http://market.example/country/5> . ?o v:includes ?p . ?u v:jobTitle ?j . ?u v:homepage ?h . ?u v:makesPurchase ?b . ?b v:purchaseFor ?p . ?p v:hasReview ?w . ?w v:votes ?x", None, [0]),
    "C3": ("?u v:likes ?p . ?u v:friendOf ?f . ?u v:location ?l . ?u v:ageGroup ?a . ?u v:gender ?g . ?u v:givenName ?n", None, [0]),
}
EMPTY = "ASK {}"


class Endpoint:
    def __init__(self, url, graph=None):
        u = urllib.parse.urlsplit(url)
        self.path, self.graph = u.path, graph
        self.connection = http.client.HTTPConnection(u.hostname, u.port, timeout=600)

    def ask(self, query):
        params = {"query": query}
        if self.graph:
            params["default-graph-uri"] = self.graph
        body = urllib.parse.urlencode(params)
        start = time.perf_counter()
        self.connection.request("POST", self.path, body, {"Content-Type": "application/x-www-form-urlencoded",
                                                          "Accept": "text/csv"})
        r = self.connection.getresponse()
        text = r.read()
        took = time.perf_counter() - start
        if r.status != 200:
            raise RuntimeError("%d %s: %s" % (r.status, text[:300], query))
        return took, max(0, text.count(b"\n") - 1)


class Oxigraph:
    def __init__(self, file, floor):
        import pyoxigraph
        self.store, self.floor, self.csv = pyoxigraph.Store(), floor, pyoxigraph.QueryResultsFormat.CSV
        self.store.bulk_load(path=file, format=pyoxigraph.RdfFormat.N_TRIPLES)
        self.store.optimize()

    def ask(self, query):
        start = time.perf_counter()
        text = self.store.query(query).serialize(format=self.csv)
        return time.perf_counter() - start + self.floor, max(0, text.count(b"\n") - 1)


def questions(name):
    text, kind, values = TEMPLATES[name]
    for v in values:
        yield P + "SELECT * { %s }" % (text % ("http://market.example/%s/%d" % (kind, v)) if kind else text)


def time_template(engines, name, rounds):
    """Sum over the values of the best of some rounds, for each engine; and the rows."""
    sums, rows = {e: 0.0 for e in engines}, {e: 0 for e in engines}
    for q in questions(name):
        best = {e: math.inf for e in engines}
        found = {}
        for _ in range(rounds):
            for e, engine in engines.items():
                took, found[e] = engine.ask(q)
                best[e] = min(best[e], took)
        for e in engines:
            sums[e] += best[e] * 1000
            rows[e] += found[e]
    return sums, rows


def main():
    a = argparse.ArgumentParser(usage=__doc__)
    a.add_argument("ours")
    a.add_argument("--virtuoso", nargs=2)
    a.add_argument("--oxigraph")
    a.add_argument("--rounds", type=int, default=7)
    a.add_argument("--only")
    args = a.parse_args()
    engines = {"thresh": Endpoint(args.ours)}
    floor = min(engines["thresh"].ask(EMPTY)[0] for _ in range(50))
    if args.virtuoso:
        engines["virtuoso"] = Endpoint(*args.virtuoso)
    if args.oxigraph:
        engines["oxigraph"] = Oxigraph(args.oxigraph, floor)
    print("an empty question takes %.2f ms" % (floor * 1000))
    print("%-4s %9s" % ("", "rows") + "".join("%12s" % ("%s ms" % e) for e in engines) + "   ratio to the better")
    ratios = []
    for name in TEMPLATES:
        if args.only and name not in args.only.split(","):
            continue
        sums, rows = time_template(engines, name, args.rounds)
        peers = [sums[e] for e in engines if e != "thresh"]
        line = "%-4s %9d" % (name, rows["thresh"]) + "".join("%12.2f" % sums[e] for e in engines)
        if peers:
            ratios.append(sums["thresh"] / min(peers))
            line += "   %6.2f%s" % (ratios[-1], "  ABOVE 1.2" if ratios[-1] > 1.2 else "")
        if len(set(rows.values())) > 1:
            line += "  ROWS DIFFER %s" % rows
        print(line, flush=True)
    if ratios:
        print("geometric mean %.2f, worst %.2f" % (math.exp(sum(map(math.log, ratios)) / len(ratios)), max(ratios)))


if __name__ == "__main__":
    main()
