#!/usr/bin/env python3
"""Run the tokenizer tests of html5lib against ours.

    tests/suites/html5lib.py PROGRAM FOLDER     (FOLDER: .../html5lib-tests/tokenizer)

PROGRAM is build/tests/html_tokens.  Errors are not compared, and of a doctype only its name:
nothing in a crawler depends on either.  Exit 0 when every case agrees.
"""
import glob
import json
import os
import re
import subprocess
import sys

MODES = {'Data state': 0, 'RCDATA state': 1, 'RAWTEXT state': 2, 'Script data state': 3,
         'PLAINTEXT state': 4, 'CDATA section state': 5}


def unescape(value):
    """The tests' own double escaping: \\uXXXX inside the strings of JSON."""
    if isinstance(value, str):
        return re.sub(r'\\u([0-9a-fA-F]{4})', lambda m: chr(int(m[1], 16)), value)
    if isinstance(value, list):
        return [unescape(v) for v in value]
    if isinstance(value, dict):
        return {unescape(k): unescape(v) for k, v in value.items()}
    return value


def simplify(tokens):
    out = []
    for t in tokens:
        if t[0] == 'DOCTYPE':
            words = (t[1] or '').replace('\f', ' ').split()
            t = ['DOCTYPE', words[0].lower() if words else '']
        if t[0] == 'Character' and out and out[-1][0] == 'Character':
            out[-1] = ['Character', out[-1][1] + t[1]]
        else:
            out.append(list(t))
    return out


def has_surrogate(value):
    return bool(re.search('[\ud800-\udfff]', json.dumps(value, ensure_ascii=False)))


def cases(folder):
    for path in sorted(glob.glob(os.path.join(folder, '*.test'))):
        for test in json.load(open(path)).get('tests', []):
            if test.get('doubleEscaped'):
                test = {k: unescape(v) if k in ('input', 'output') else v for k, v in test.items()}
            if has_surrogate(test['input']):
                continue   # not UTF-8, so it cannot reach the tokenizer
            for state in test.get('initialStates', ['Data state']):
                yield os.path.basename(path), test, state


def main():
    program, folder = sys.argv[1:]
    todo = list(cases(folder))
    feed = bytearray()
    for _, test, state in todo:
        text = test['input'].encode()
        if state == 'CDATA section state':
            text = b'<![CDATA[' + text
        feed += f"{MODES[state]} {len(text)} {test.get('lastStartTag', '')}\n".encode() + text
    got = subprocess.run([program], input=bytes(feed), stdout=subprocess.PIPE, check=True).stdout
    lines = got.decode().split('\n')
    assert len(lines) == len(todo) + 1
    files, failed = {}, 0
    for (name, test, state), line in zip(todo, lines):
        want = simplify(test['output'])
        have = simplify(json.loads(line))
        ok = want == have
        n = files.setdefault(name, [0, 0])
        n[0] += 1
        n[1] += ok
        if not ok:
            failed += 1
            if failed <= 20:
                print(f"{name}: {test['description']!r} ({state})\n  input {test['input']!r}\n"
                      f"  want {want}\n  have {have}")
    for name, (n, ok) in sorted(files.items()):
        print(f'{name:34} {ok:5} of {n:5}')
    print(f"{'all':34} {len(todo) - failed:5} of {len(todo):5}")
    return failed > 0


if __name__ == '__main__':
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main())
