#!/usr/bin/env python3
"""Print src/base/unicode_table.c: class and folding of every code point, from Python's unicodedata.

Run by hand when Unicode moves on:  tools/make_unicode.py > src/base/unicode_table.c
"""
import sys
import unicodedata as ud

SEPARATOR, WORD, MARK, IGNORED, ALONE = range(5)
BLOCK = 128

# Scripts that put no space between words: each letter is a piece of its own.
ALONE_RANGES = [
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x19E0, 0x19FF), (0x1A20, 0x1AAF),
    (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3021, 0x3029), (0x3040, 0x30FF), (0x3105, 0x312F),
    (0x31A0, 0x31BF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA9E0, 0xA9FF),
    (0xAA60, 0xAA7F), (0xF900, 0xFAFF), (0xFF66, 0xFF9F), (0x1AFF0, 0x1B16F), (0x20000, 0x3FFFF),
]
# Written or left out at will: vowel points, the elongating tatweel, joiners, selectors, accents.
IGNORED_RANGES = [
    (0x00AD, 0x00AD), (0x0300, 0x036F), (0x0591, 0x05BD), (0x05BF, 0x05BF), (0x05C1, 0x05C2),
    (0x05C4, 0x05C5), (0x05C7, 0x05C7), (0x0610, 0x061A), (0x0640, 0x0640), (0x064B, 0x065F),
    (0x0670, 0x0670), (0x06D6, 0x06DC), (0x06DF, 0x06E8), (0x06EA, 0x06ED), (0x200B, 0x200F),
    (0x202A, 0x202E), (0x2060, 0x2064), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xE0100, 0xE01EF),
]


def within(cp, ranges):
    return any(a <= cp <= b for a, b in ranges)


def fold(cp):
    c = chr(cp)
    if ud.decimal(c, None) is not None:
        return ord('0') + ud.decimal(c)
    plain = ud.normalize('NFKD', c)
    latin_or_greek = ord(plain[0]) < 0x400 # in Cyrillic an accent makes another letter
    if len(plain) > 1 and latin_or_greek and all(0x300 <= ord(x) <= 0x36F for x in plain[1:]):
        c = plain[0]
    elif len(plain) == 1:
        c = plain
    low = c.casefold()
    return ord(low) if len(low) == 1 else ord(c)


def classify(cp):
    if within(cp, IGNORED_RANGES):
        return IGNORED
    kind = ud.category(chr(cp))
    if kind[0] == 'M':
        return MARK
    if kind[0] in 'LN':
        return ALONE if within(cp, ALONE_RANGES) else WORD
    return SEPARATOR


def main():
    blocks, index = {}, []
    for start in range(0, 0x110000, BLOCK):
        block = []
        for cp in range(start, start + BLOCK):
            kind = SEPARATOR if 0xD800 <= cp <= 0xDFFF else classify(cp)
            block.append((fold(cp) - cp if kind in (WORD, ALONE) else 0) * 8 + kind)
        index.append(blocks.setdefault(tuple(block), len(blocks)))
    out = sys.stdout.write
    out(f'/* Made by tools/make_unicode.py from Unicode {ud.unidata_version}; not edited by hand. */\n')
    out('#include "base/unicode.h"\n\n/* clang-format off */\n')
    out(f'const uint8_t unicode_blocks[{len(index)}] = {{\n')
    for i in range(0, len(index), 32):
        out('\t' + ','.join(map(str, index[i:i + 32])) + ',\n')
    out(f'}};\n\nconst int32_t unicode_entries[][{BLOCK}] = {{\n')
    for block in blocks:
        out('\t{')
        out(','.join(map(str, block)))
        out('},\n')
    out('};\n/* clang-format on */\n')
    assert len(blocks) <= 256, len(blocks)


main()
