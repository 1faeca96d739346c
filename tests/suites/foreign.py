"""Read the test programs of other robots.txt parsers and ask ours instead of theirs.

Their tests are straight-line code: strings put together, calls, expectations.  A small translator turns each
test into Python, statement by statement, and runs it with our answers.  Nothing of them is copied here.
"""
import os
import re


# ---- the translator ------------------------------------------------------------------------------------------

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//[^\n]*|/\*.*?\*/|[{};]|[^"\'/{};]+|/', re.S)


def tokens(source):
    """The source in pieces: strings, braces, semicolons, and the rest, without comments."""
    return [t for t in TOKEN.findall(source) if not t.startswith(('//', '/*'))]


def function_bodies(source, head):
    """(match, body) of each function whose head matches, the body without its braces."""
    for match in head.finditer(source):
        depth, start = 0, None
        for token in TOKEN.finditer(source, match.end()):
            if token[0] == '{':
                depth += 1
                start = token.end() if depth == 1 else start
            elif token[0] == '}':
                depth -= 1
                if depth == 0:
                    yield match, source[start:token.start()]
                    break


def to_python(body, translate):
    """Statements and blocks to lines of Python; `translate` knows the language."""
    lines, depth, statement, parens = [], 0, '', 0
    for t in tokens(body):
        if t[0] not in '"\'':
            parens += t.count('(') - t.count(')')
        array = t == '{' and re.search(r'[=,({]\s*$', statement)
        if array or (statement.count('\0[') > statement.count('\0]') and t in '{}'):
            statement += '\0[' if t == '{' else '\0]'
        elif t == '{':
            lines.append('    ' * depth + (translate(statement.strip(), True) or 'if True:'))
            depth, statement = depth + 1, ''
            lines.append('    ' * depth + 'pass')
        elif t == '}':
            depth, statement = depth - 1, ''
        elif t == ';' and parens == 0:
            line = translate(statement.strip().replace('\0[', '[').replace('\0]', ']'), False)
            if line:
                lines.append('    ' * depth + line)
            statement = ''
        else:
            statement += t
    return '\n'.join(lines) + '\n'


def substitute(text, rules):
    """Apply the rules outside of strings only."""
    parts = re.split(r'("(?:\\.|[^"\\])*")', text)
    joined = ''.join(f'\1{i}\1' if i % 2 else p for i, p in enumerate(parts))
    for pattern, to in rules:
        joined = re.sub(pattern, to, joined, flags=re.S)
    return re.sub('\1(\\d+)\1', lambda m: parts[int(m[1])], joined)


# ---- google/robotstxt: C++ -----------------------------------------------------------------------------------

CPP = [
    (r'\s+', ' '),
    (r'absl::string_view\(\)', '""'),
    (r'std::string\(([^()]*)\)\.length\(\)', r'len(\1)'),
    (r'(\w+)\.(?:length|size)\(\)', r'len(\1)'),
    (r'^(?:static |const |absl::string_view |std::string |char |size_t |int )+(\w+)(?:\[\])? = (.*)', r'\1 = (\2)'),
    (r'^std::string (\w+)$', r'\1 = ""'),
    (r'^RobotsStatsReporter (\w+)$', r'\1 = Report()'),
    (r'absl::StrAppend\(&(\w+), (.*)\)$', r'\1 += StrCat(\2)'),
    (r'googlebot::ParseRobotsTxt\((\w+), &(\w+)\)', r'\2.parse(\1)'),
    (r'(?:absl|RobotsMatcher|googlebot)::', ''),
    (r'^while \((.*)\)$', r'while \1:'),
]


def path_of(url):
    """The path as Google's tests hand it over: neither parsed nor encoded."""
    rest = re.sub(r'^\w+://|^//', '', url.split('#')[0])
    at = re.search(r'[/?;]', rest)
    path = rest[at.start():] if at else '/'
    return path if path.startswith('/') else '/' + path


def google_names(driver, suite):
    def ask(verb, *fields):
        return driver.ask(verb, *[f.encode('latin-1') for f in fields])

    class Report:
        def parse(self, text):
            answer = ask('google', text, 'foo', '/')
            self.known, self.unknown, self.last = map(int, answer[6:9])
            self.maps = answer[9].strip()
        valid_directives = lambda self: self.known
        unknown_directives = lambda self: self.unknown
        last_line_seen = lambda self: self.last
        sitemap = lambda self: self.maps

    def allowed(text, agent, url):
        return ask('google', text, agent, path_of(url))[0] == 'allow'

    def test_path(url, expected):
        if '://' not in url and not url.startswith('/') and url:
            url = 'http://' + url
        answer = ask('url', url, 'http://base.example/')
        got = answer[6] + ('?' + answer[7] if answer[7] else '')
        suite.check(got == expected, f'the path of {url!r} is {got!r}')

    def test_escape(pattern, expected):
        answer = ask('google', 'user-agent: *\ndisallow: ' + pattern, '', expected)
        suite.check(answer[2] == expected, f'{pattern!r} is compiled to {answer[2]!r}')

    return {
        'Report': Report, 'IsUserAgentAllowed': allowed, 'TestPath': test_path, 'TestEscape': test_escape,
        'IsValidUserAgentToObey': lambda name: ask('agent', name)[0] == 'valid',
        'StrCat': lambda *parts: ''.join(parts),
    }


def run_google(path, driver, suite):
    """Bytes are read as Latin-1, so that a character of Python's is a byte of C's."""
    source = open(path, encoding='latin-1').read()
    for match, body in function_bodies(source, re.compile(r'TEST\(\w+, (\w+)\) ')):
        names = google_names(driver, suite)
        test = match[1]
        names['EXPECT_TRUE'] = lambda v: suite.check(v is True, f'{test}: not allowed')
        names['EXPECT_FALSE'] = lambda v: suite.check(v is False, f'{test}: not disallowed')
        names['EXPECT_EQ'] = lambda a, b: suite.check(a == b, f'{test}: {b!r}, should be {a!r}')
        exec(to_python(body, lambda s, _: substitute(s, CPP)), names)


# ---- crawler-commons: Java -----------------------------------------------------------------------------------

JAVA = [
    (r'\s+', ' '),
    (r'\(\(SimpleRobotRules\) (\w+)\)', r'\1'),
    (r'\.getBytes\((?:StandardCharsets\.)?(UTF_8|US_ASCII|ISO_8859_1)\)', r".encode(\1)"),
    (r'new String\[(\d+)\]', r'[None] * \1'),
    (r'new SimpleRobotRulesParser\(\)', 'Parser()'),
    (r'\b(Set|List)\.of\(', r'list_of('),
    (r'Map\.of\(', 'map_of('),
    (r'(\w+)\.entrySet\(\)', r'entries(\1)'),
    (r'(\d)L\b', r'\1'),
    (r'\btrue\b', 'True'), (r'\bfalse\b', 'False'), (r'\bnull\b', 'None'),
    (r'BaseRobotRules\.UNSET_CRAWL_DELAY|Long\.MIN_VALUE', '0'),
    (r'HttpURLConnection\.\w+', '0'),
    (r'^for \((?:final )?[\w<>, ]+ (\w+) : (.*)\)$', r'for \1 in \2:'),
    (r'^(?:final )?[A-Z][\w.]*(?:<[\w, ]+>)?(?:\[\])? (\w+(?:, \w+)*)$',
     lambda m: m[1].replace(', ', ' = ') + ' = None'),
    (r'\((\w+) \? ([^():?]*) : ([^():?]*)\)', r'(\2 if \1 else \3)'),
    (r'SimpleRobotRulesParserTest\.', ''),
    (r'(\w+)\.equals\((\w+)\.toLowerCase\(Locale\.ROOT\)\)', r'(\1 == \2.lower())'),
    (r'^(?:final )?(?:[A-Z][\w.]*(?:<[\w, \[\]]+>)?|byte|long|boolean|int)(?:\[\])? (\w+) = (.*)', r'\1 = (\2)'),
    (r'!(\w)', r'not \1'),
]

# What is not about robots.txt but about that library, or what RFC 9309 has otherwise.
LEFT_OUT = {
    'testOverrideUserAgentMatcher': 'a subclass of the parser',
    'testMatchingUserAgentNamesHttpHeader': 'partial matching of user-agents, which RFC 9309 has not',
    'testStatusCodeCreation': 'fetch policy: see robots_policy() and its own test',
    'testBigCrawlDelay': "a delay over 300 s disallows everything: that library's policy",
    'testAPIsanitizeUserAgentList': 'exceptions for names in upper case',
    'testGetNumWarningsBeforeParse': 'threads of that library',
    'testExtensionAsMap': 'objects of that library',
    'testExtensionEqualsAndHashCode': 'objects of that library',
    'testAcapFields': 'counts of warnings',
    'testExtendedStandard': 'counts of warnings',
    'GoogleOnly_LineTooLong': 'expects lines not to be cut, against robots_test.cc, which it translates',
}



class Unknown:
    """What we do not have, and whatever is asked of it: checks of it are left out."""
    def __getattr__(self, _):
        return self

    def __call__(self, *_):
        return self


class Number(int):
    """Java's, which may be added to a string."""
    def __radd__(self, text):
        return text + str(int(self)) if isinstance(text, str) else int(self) + text


class Strings(list):
    size = lambda self: len(self)
    get = lambda self, i: self[i]


class Rules:
    def __init__(self, driver, names, content):
        self.driver, self.content = driver, content if isinstance(content, bytes) else content.encode()
        self.names = '\n'.join(n for n in names if n)
        self.answer = self.ask('http://example.com/')

    def ask(self, url):
        return self.driver.ask('robots', self.content, self.names, url)

    def isAllowed(self, url):
        return self.ask(url)[0] == 'allow'

    def getCrawlDelay(self):
        return int(self.answer[3])

    def getRobotRules(self):
        return Strings([None] * int(self.answer[4]))

    def isMatchedWildcard(self):
        return self.answer[5] == '0'

    def isDeferVisits(self):
        return False

    def getSitemaps(self):
        return Strings(self.answer[9].split())

    def __getattr__(self, name):
        return Unknown()


class Entry:
    def __init__(self, key, value):
        self.key, self.value = key, Number(value)
    getKey = lambda self: self.key
    getValue = lambda self: self.value


class Parser:
    def __init__(self, driver):
        self.driver = driver

    def parseContent(self, _url, content, _type, names):
        return Rules(self.driver, split_names(names), content)

    def __getattr__(self, name):
        return Unknown()


def split_names(names):
    """One string may hold several names, with versions and words around them."""
    if not isinstance(names, str):
        return list(names)
    whole = names.lower()
    words = [re.sub('/.*', '', w) for w in re.split(r'[,\s]+', whole)]
    return [whole] + [w for w in words if w != whole]


def java_names(driver, suite, test, resources):
    def check(holds, why):
        suite.check(holds, f'{test}: {why}')

    def if_known(check_it):
        def maybe(*arguments):
            if any(isinstance(a, Unknown) for a in arguments):
                suite.skip('extensions and warnings of that library')
            else:
                check_it(*arguments)
        return maybe

    def read_file(name):
        return open(os.path.join(resources, name.lstrip('/')), 'rb').read()

    return {
        'createRobotRules': lambda names, content, exact=True: Rules(driver, split_names(names), content),
        'isUserAgentAllowed': lambda text, name, url: Rules(driver, [name], text).isAllowed(url),
        'isValidUserAgentToObey': lambda name: name is not None and driver.ask('agent', name)[0] == 'valid',
        'assertTrue': if_known(lambda v, why='not allowed': check(v is True, why)),
        'assertFalse': if_known(lambda v, why='not disallowed': check(v is False, why)),
        'assertEquals': if_known(lambda a, b, why='': check(a == b, f'{b!r}, should be {a!r} {why}')),
        'assertNull': if_known(lambda v, why='': check(v is None, f'should be null {why}')),
        'assertNotNull': if_known(lambda v, why='': check(v is not None, f'should not be null {why}')),
        'assertNotEquals': if_known(lambda a, b: check(a != b, 'should differ')),
        'readFile': read_file, 'Parser': lambda: Parser(driver),
        'list_of': lambda *v: Strings(v),
        'map_of': lambda *v: dict(zip(v[::2], v[1::2])),
        'entries': lambda m: [Entry(*pair) for pair in m.items()],
        'LF': '\n', 'CR': '\r', 'CRLF': '\r\n', 'FAKE_ROBOTS_URL': 'http://domain.com',
        'UTF_8': 'utf-8', 'US_ASCII': 'ascii', 'ISO_8859_1': 'latin-1', 'RobotsExtension': Unknown(),
    }


def csv_rows(annotations):
    """The strings of a @CsvSource, each split at its commas; [()] without one."""
    source = re.search(r'@CsvSource\((.*)\)', annotations, re.S)
    if not source:
        return [()]
    strings = [eval(t) for t in tokens(source[1]) if t.startswith('"')]
    return [tuple(part.strip() for part in s.split(',')) for s in strings]


def run_crawler_commons(path, resources, driver, suite):
    source = open(path, encoding='utf-8').read()
    head = re.compile(r'((?:@(?:Parameterized)?Test)\b(?:(?!@Test|@Parameterized|void ).)*)'
                      r'void (\w+)\(([^)]*)\)[^{]*', re.S)
    for match, body in function_bodies(source, head):
        annotations, test, params = match[1], match[2], re.findall(r'(\w+) (\w+)(?:,|$)', match[3])
        if LEFT_OUT.get(test):
            suite.skip(LEFT_OUT[test])
            continue
        try:
            code = compile(to_python(body, lambda s, _: substitute(s, JAVA)), test, 'exec')
        except SyntaxError as error:
            suite.skip(f'not translated: {test}: {error.text or error}')
            continue
        for row in csv_rows(annotations):
            names = java_names(driver, suite, test, resources)
            for (kind, name), value in zip(params, row):
                names[name] = value == 'True' if kind == 'boolean' else value
            try:
                exec(code, names)
            except Exception as error:
                suite.skip(f'not translated: {test}: {error!r}')
