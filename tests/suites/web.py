#!/usr/bin/env python3
"""Run public test suites of URLs, IDNA, robots.txt and public suffixes against src/web.

    tests/suites/web.py PROGRAM FOLDER [SUITE...]

PROGRAM is build/tests/web_driver; FOLDER has the layout of doc/suites.md.  Prints a line a suite and the
cases that differ; exit 1 when a suite falls below its bar, and none is found in FOLDER.
"""
import json
import os
import re
import subprocess
import sys

import foreign

MAX_SHOWN = 20


class Driver:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, verb, *fields):
        words = [verb] + [(f if isinstance(f, bytes) else scalar(f)).hex() or '.' for f in fields]
        self.process.stdin.write(' '.join(words).encode() + b'\n')
        self.process.stdin.flush()
        return self.process.stdout.readline().decode('utf-8', 'replace').rstrip('\n').split('\t')


def scalar(text):
    """UTF-8, with a lone surrogate as U+FFFD: the web's USVString."""
    return text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace').encode()


class Suite:
    def __init__(self, name, bar):
        self.name, self.bar = name, bar
        self.passed = self.total = 0
        self.skipped = {}
        self.different = []

    def check(self, holds, what):
        self.total += 1
        self.passed += bool(holds)
        if not holds:
            self.different.append(what)

    def skip(self, reason, n=1):
        self.skipped[reason] = self.skipped.get(reason, 0) + n

    def report(self):
        share = 100 * self.passed / self.total if self.total else 0
        good = self.total and share >= self.bar
        print(f'{self.name}: {self.passed} of {self.total} ({share:.2f} %), bar {self.bar} %: '
              f'{"met" if good else "MISSED"}')
        for what in self.different[:MAX_SHOWN]:
            print('  differs:', what)
        for reason, n in sorted(self.skipped.items()):
            print(f'  left out: {n}, {reason}')
        return good


def url_parts(answer):
    href, scheme, user, password, host, port, path, query, fragment = answer
    return {'href': href, 'protocol': scheme + ':', 'username': user, 'password': password,
            'hostname': host, 'host': host + (':' + port if port else ''), 'port': port,
            'pathname': path, 'search': '?' + query if query else '',
            'hash': '#' + fragment if fragment else ''}


def cases(path):
    return [c for c in json.load(open(path, encoding='utf-8')) if isinstance(c, dict)]


def has_punycode(text):
    return text.isascii() and 'xn--' in text.lower()


def wpt_urls(driver, folder):
    suite = Suite('WPT urltestdata.json', 99.5)
    for case in cases(os.path.join(folder, 'wpt', 'urltestdata.json')):
        fields = [case['input']] + ([case['base']] if case.get('base') is not None else [])
        if case.get('failure') and has_punycode(case['input']):
            suite.skip('wrong Punycode in an ASCII host, which the standard accepts since June 2026')
            continue
        answer = driver.ask('url', *fields)
        if case.get('failure'):
            suite.check(answer == ['failure'], f'{fields!a} is {answer[0]}, should fail')
            continue
        got = url_parts(answer) if len(answer) == 9 else {}
        wrong = [k for k in got if k in case and got[k] != case[k]]
        suite.check(got and not wrong, f'{fields!a}: {wrong or "fails"}')
    return suite


def wpt_hosts(driver, folder, name):
    """Copies from before June 2026 expect the parser to judge Punycode in names that are all ASCII; since then
    the standard takes those as they are, and ToASCII alone is asked for older copies."""
    suite = Suite(f'WPT {name}', 99.5)
    all_cases = cases(os.path.join(folder, 'wpt', name))
    old = any(c['input'] in ('xn--a', 'xn--a.pt') and c['output'] is None for c in all_cases)
    if old:
        suite.name += ' (before June 2026: ToASCII)'
    for case in all_cases:
        text = case['input']
        if not text:
            suite.skip('the empty host, which no URL has')
            continue
        if old and has_punycode(text):
            got = driver.ask('idna', text)[0]
            got = None if got == 'failure' else got
        else:
            encoded = ''.join(f'%{ord(c):02X}' if c in '/?#\\:@\t\n\r' else c for c in text)
            answer = driver.ask('url', f'https://{encoded}/x')
            got = answer[4] if len(answer) == 9 else None
        suite.check(got == case['output'], f'{text!a} is {got}, should be {case["output"]}')
    return suite


def psl_vectors(path):
    for line in open(path, encoding='utf-8'):
        quoted = re.match(r"\s*checkPublicSuffix\((null|'.*?'), *(null|'.*?')\)", line)
        words = [w.strip("'") for w in quoted.groups()] if quoted else line.split()
        if not line.startswith('//') and len(words) == 2:
            yield [None if w == 'null' else w for w in words]


def public_suffixes(driver, folder):
    suite = Suite('public suffix vectors', 100)
    for name in ('test_psl.txt', 'tests.txt'):
        path = os.path.join(folder, 'publicsuffix', name)
        if not os.path.exists(path):
            continue
        for host, expected in psl_vectors(path):
            if host is None:
                suite.skip('no host at all')
                continue
            parsed = driver.ask('url', f'http://{host}/')
            got = driver.ask('site', parsed[4])[0] if len(parsed) == 9 else ''
            want = driver.ask('url', f'http://{expected}/')[4] if expected else ''
            suite.check(got == want, f'{host!a} is in {got!a}, should be {want!a}')
    return suite


def google_robots(driver, folder):
    suite = Suite('google/robotstxt robots_test.cc', 100)
    foreign.run_google(os.path.join(folder, 'robotstxt', 'robots_test.cc'), driver, suite)
    return suite


def crawler_commons(driver, folder):
    suite = Suite('crawler-commons robots', 100)
    root = os.path.join(folder, 'crawler-commons', 'src', 'test')
    for name in ('SimpleRobotRulesParserTest.java', 'GoogleRobotsTxtTest.java'):
        foreign.run_crawler_commons(os.path.join(root, 'java', 'crawlercommons', 'robots', name),
                                    os.path.join(root, 'resources'), driver, suite)
    return suite


SUITES = {
    'urls': ('wpt/urltestdata.json', wpt_urls),
    'idna': ('wpt/IdnaTestV2.json', lambda d, f: wpt_hosts(d, f, 'IdnaTestV2.json')),
    'toascii': ('wpt/toascii.json', lambda d, f: wpt_hosts(d, f, 'toascii.json')),
    'robots': ('robotstxt/robots_test.cc', google_robots),
    'crawler-commons': ('crawler-commons/src/test', crawler_commons),
    'suffixes': ('publicsuffix', public_suffixes),
}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    driver, folder, wanted = Driver(sys.argv[1]), sys.argv[2], sys.argv[3:] or list(SUITES)
    good = found = 0
    for name in wanted:
        needs, run = SUITES[name]
        if not os.path.exists(os.path.join(folder, needs)):
            print(f'{name}: no {needs} in {folder}, passed over')
            continue
        found += 1
        good += bool(run(driver, folder).report())
    sys.exit(0 if found and good == found else 1)


if __name__ == '__main__':
    main()
