#!/usr/bin/env python3
"""Write src/page/html_names.[ch]: the element and attribute names that mean something to us.

A name becomes a number by one multiplication: its first eight bytes, lower case, times a
constant found here by trial so that no two names share a slot.  Run from the project's root:
    tools/gen_html_names.py && clang-format -i src/page/html_names.[ch]
"""
import random

TAGS = """a abbr address annotation-xml applet area article aside audio b base basefont bdi bdo
bgsound big blockquote body br button canvas caption center cite code col colgroup data datalist
dd del desc details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer
foreignobject form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image
img input ins isindex kbd keygen label legend li link listing main map mark marquee math menu menuitem
meta meter mi mn mo ms mtext nav nobr noembed noframes noscript object ol optgroup option output
p param picture plaintext pre progress q rb rp rt rtc ruby s samp script search section select
slot small source span strike strong style sub summary sup svg table tbody td template textarea
tfoot th thead time title tr track tt u ul use var video wbr xmp""".split()

ATTRS = """action alt archive aria-hidden background charset cite class codebase color content data data-bg
data-background data-href data-lazy data-lazy-src data-lazy-srcset data-original data-src
data-srcset data-url dynsrc encoding face formaction formmethod hidden href hreflang http-equiv
id imagesrcset implementation itemprop itemtype lang longdesc lowsrc manifest media method name onclick ping poster
property rel role size src srcdoc srcset style title type value xlink:href xml:lang""".split()

SLOTS_BITS = 10


def key(name):
    return int.from_bytes(bytes(c | 0x20 for c in name.encode()[:8]), 'little')


def slot(name, mul):
    return (((key(name) + len(name)) * mul) & (2**64 - 1)) >> (64 - SLOTS_BITS)


def find(names):
    rng = random.Random(1)
    while True:
        mul = rng.getrandbits(64) | 1
        seen = set()
        for n in names:
            s = slot(n, mul)
            if s in seen:
                break
            seen.add(s)
        else:
            return mul


def ident(prefix, name):
    return prefix + name.upper().replace('-', '_').replace(':', '_')


def table(what, names, mul):
    slots = [0] * (1 << SLOTS_BITS)
    for i, n in enumerate(names):
        slots[slot(n, mul)] = i + 1
    res = [f'const struct html_name html_{what}_names[] = {{', '\t{ "", 0, 0 },']
    res += [f'\t{{ "{n}", {len(n)}, 0x{key(n):x} }},' for n in names]
    res += ['};', '', f'const uint8_t html_{what}_slots[{1 << SLOTS_BITS}] = {{']
    res += ['\t' + ' '.join(f'{v},' for v in slots[i:i + 24]) for i in range(0, len(slots), 24)]
    return res + ['};', '']


def main():
    tag_mul, attr_mul = find(TAGS), find(ATTRS)
    h = ['/* html_names.h - names as numbers.  Tables made by tools/gen_html_names.py. */',
         '#ifndef PAGE_HTML_NAMES_H', '#define PAGE_HTML_NAMES_H', '', '#include "base/str.h"', '',
         'struct html_name {', '\tconst char *text;', '\tsize_t n;',
         '\tuint64_t key; /* the first eight bytes, each | 0x20 */', '};', '']
    for prefix, what, names in (('TAG_', 'tag', TAGS), ('ATTR_', 'attr', ATTRS)):
        h += [f'enum html_{what}{"_id" if what == "attr" else ""} {{', f'\t{prefix}OTHER,']
        h += [f'\t{ident(prefix, n)},' for n in names]
        h += [f'\t{prefix}COUNT', '};', '']
    h += [f'#define HTML_NAME_BITS {SLOTS_BITS}', f'#define HTML_TAG_MULTIPLIER 0x{tag_mul:x}u',
          f'#define HTML_ATTR_MULTIPLIER 0x{attr_mul:x}u',
          'extern const struct html_name html_tag_names[], html_attr_names[];',
          'extern const uint8_t html_tag_slots[], html_attr_slots[];', '#endif', '']
    c = ['/* Tables made by tools/gen_html_names.py. */', '#include "page/html_names.h"', '']
    c += table('tag', TAGS, tag_mul) + table('attr', ATTRS, attr_mul)
    open('src/html/html_names.h', 'w').write('\n'.join(h))
    open('src/html/html_names.c', 'w').write('\n'.join(c).rstrip('\n') + '\n')


main()
