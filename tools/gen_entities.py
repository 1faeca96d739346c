#!/usr/bin/env python3
"""Write src/html/entity_table.c from Python's copy of the HTML standard's named references.

One blob holds, for each reference, [name length][text length][name without '&'][UTF-8 text];
`entity_slots` is an open-addressing hash table of offsets + 1 into it.  Run from the root:
    tools/gen_entities.py && clang-format -i src/html/entity_table.c
"""
import html.entities

BITS = 12


def name_hash(name):
    h = 0
    for c in name.encode():
        h = (h * 31 + c) & 0xffffffff
    return ((h * 0x9e3779b1) & 0xffffffff) >> (32 - BITS)


def main():
    blob, slots = bytearray(), [0] * (1 << BITS)
    for name, text in sorted(html.entities.html5.items()):
        utf8 = text.encode()
        at = name_hash(name)
        while slots[at]:
            at = (at + 1) % len(slots)
        slots[at] = len(blob) + 1
        blob += bytes([len(name), len(utf8)]) + name.encode() + utf8
    assert len(blob) < 0xffff
    out = ['/* Table made by tools/gen_entities.py. */', '#include "page/entity_table.h"', '',
           f'const uint8_t entity_blob[{len(blob)}] = {{']
    out += ['\t' + ' '.join(f'{b},' for b in blob[i:i + 20]) for i in range(0, len(blob), 20)]
    out += ['};', '', f'const uint16_t entity_slots[{len(slots)}] = {{']
    out += ['\t' + ' '.join(f'{s},' for s in slots[i:i + 14]) for i in range(0, len(slots), 14)]
    out += ['};', '']
    open('src/html/entity_table.c', 'w').write('\n'.join(out))


main()
