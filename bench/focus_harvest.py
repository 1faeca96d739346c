#!/usr/bin/env python3
"""focus_harvest.py THRESH [--seeds N...] - how soon focused crawls find the pages of a topic, on test webs with known topics.

Each test web (5,000 pages, 24 hosts, a topic of about 5 % of them) is crawled from 8 front pages in the order of finding, by the weighted
average of the modules, and by learnt weights, with the same URL rules and budgets, for a fifth of as many requests as it has pages. Counted by
the truth of the test web: distinct pages of the topic per request. What follows -- goes to the crawls.
"""
import argparse, json, os, re, shutil, signal, subprocess, sys, tempfile, time

FAST = ("--allow-private --delay 0 --delay-factor 0 --per-host 2 --per-domain 2 --domain-delay 0 --address-delay 0 --concurrency 8 "
        "--per-address 64 --backoff 50ms --crawl-delay-max 0 --retry-after-max 0 -q --no-soft-404 --no-report").split()
WAYS = {"breadth-first": ["--order", "breadth-first"], "average": [], "learnt": ["--focus", "learn"]}


def serve(args, seed, folder):
    server = subprocess.Popen(
        [args.thresh, "testweb", "serve", "--port", str(args.port), "--seed", str(seed), "--pages", str(args.pages), "--hosts", str(args.hosts),
         "--traps", "none", "--alias-share", str(args.alias_share), "--no-crawl-delays", "--no-sizes", "--ca", "ca.pem", "--manifest", "truth.tsv", "--seeds-file", "seeds.txt",
         "--hosts-file", "hosts.raw"], cwd=folder, stdout=open(folder + "/server.txt", "w"), stderr=subprocess.STDOUT)
    for _ in range(300):
        found = re.search(r"port (\d+)", open(folder + "/server.txt").read())
        if found and os.path.exists(folder + "/hosts.raw"):
            break
        time.sleep(0.1)
    text = open(folder + "/hosts.raw").read()
    open(folder + "/hosts.txt", "w").write(re.sub(r"(?m)^([0-9.]+) ", r"\1:%s " % found.group(1), text))
    return server


def read_truth(folder):
    pages, words = {}, {}
    for line in open(folder + "/truth.tsv", encoding="utf-8"):
        f = line.rstrip("\n").split("\t")
        if f[0] == "#topic":
            words[f[1]] = f[2].split()
        elif not line.startswith("#"):
            pages[f[0]] = (f[1], f[2], f[5] == "keep", f[8], f[9])
    return pages, words


def choose_topic(pages, share):
    """The topic nearest to the share that is wanted; four of five of its pages in English, for its words are."""
    kept = {page: (topic, lang) for page, _, keep, topic, lang in pages.values() if keep}
    counts, english = {}, {}
    for topic, lang in kept.values():
        counts[topic] = counts.get(topic, 0) + 1
        english[topic] = english.get(topic, 0) + (lang == "en")
    fit = [t for t in counts if english[t] >= 0.8 * counts[t]] or list(counts)
    return min(fit, key=lambda t: abs(counts[t] / len(kept) - share)), counts, len(kept)


def harvest(args, folder, name, topic):
    """Distinct pages of the topic after so many requests, by the truth of the test web: every URL is judged, whatever its session."""
    done = subprocess.run([args.thresh, "testweb", "score", name, "--manifest", "truth.tsv", "--topic", topic, "--json"], cwd=folder,
                          stdout=subprocess.PIPE, check=False)
    curve = [(0, 0)] + json.loads(done.stdout)["curve"]

    def at(requests):
        for (x0, y0), (x1, y1) in zip(curve, curve[1:]):
            if requests <= x1:
                return y0 + (y1 - y0) * (requests - x0) / (x1 - x0)
        return curve[-1][1]
    return at


def crawl(args, folder, name, words, budget):
    """Through one connection per host, so that what was learnt counts for what comes next."""
    out = f"{folder}/{name}"
    shutil.rmtree(out, ignore_errors=True)
    begin = open(folder + "/seeds.txt").read().split()[:args.starts]
    command = [args.thresh, "crawl", *begin, "-o", out, "--scope", "any", "--hosts", "hosts.txt", "--ca-file", "ca.pem", "-n", str(budget), *FAST,
               *WAYS[name], *args.options]
    for w in words:
        command += ["--want", w]
    with open(out + ".txt", "w") as said:
        subprocess.run(command, cwd=folder, stdout=said, stderr=said)


def measure(args, seed, folder):
    server = serve(args, seed, folder)
    try:
        pages, words = read_truth(folder)
        topic, counts, kept = choose_topic(pages, args.share)
        topic = args.topic or topic
        marks = [m for m in (250, 500, 1000, 2000, 4000, 8000) if m < args.requests] + [args.requests]
        warm = args.requests // 4
        print(f"seed {seed}: {topic}, {counts[topic]} of {kept} pages ({100 * counts[topic] / kept:.1f} %); after {marks} requests", flush=True)
        rates = {}
        for name in args.ways:
            crawl(args, folder, name, words[topic], args.requests)
            at = harvest(args, folder, name, topic)
            rates[name] = at(args.requests) / args.requests, (at(args.requests) - at(warm)) / (args.requests - warm)
            print(f"  {name:14} {[round(at(m)) for m in marks]}  per request {rates[name][0]:.4f}, after {warm} requests {rates[name][1]:.4f}", flush=True)
        return rates
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("thresh"), p.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    p.add_argument("--topic"), p.add_argument("--share", type=float, default=0.05), p.add_argument("--requests", type=int, default=1000)
    p.add_argument("--pages", type=int, default=5000), p.add_argument("--hosts", type=int, default=24), p.add_argument("--port", type=int, default=0)
    p.add_argument("--alias-share", type=float, default=0.3), p.add_argument("--starts", type=int, default=8), p.add_argument("--keep")
    p.add_argument("--ways", nargs="+", default=list(WAYS))
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    args = p.parse_args(sys.argv[1:split])
    args.options = sys.argv[split + 1:]
    args.thresh = os.path.abspath(args.thresh)
    base = os.path.abspath(args.keep) if args.keep else tempfile.mkdtemp()
    all_rates = []
    for seed in args.seeds:
        folder = f"{base}/{seed}"
        os.makedirs(folder, exist_ok=True)
        all_rates.append(measure(args, seed, folder))
        ratios(f"seed {seed}", all_rates[-1:])
    ratios("all", all_rates)
    if not args.keep:
        shutil.rmtree(base)


def ratios(what, rates):
    mean = {n: [sum(r[n][k] for r in rates) / len(rates) for k in (0, 1)] for n in rates[0]}
    text = []
    for first, second in (("average", "breadth-first"), ("learnt", "average")):
        if first in mean and second in mean:
            a, b = mean[first], mean[second]
            text.append(f"{first} / {second} {a[0] / max(b[0], 1e-9):.2f}, after warm-up {a[1] / max(b[1], 1e-9):.2f}")
    print(f"{what}: " + "; ".join(text), flush=True)


main()
