// act.js - find an element by its way, bring it into view, and say where to point and what will be hit there.
//
// `dom`, `find` and `facts` are those scripts; `o` = {path, event, tag, text, spot, avoid: [word...]}.  Where another element stands at that
// place by now, one of the same tag and text is looked for; with no tag, any will do.  Answers JSON: {x, y, hit} to point at,
// or {done: true} when the script itself did it, or {why} when it cannot be done.  `hit` is what stands under the
// pointer at this moment, as facts.js tells it, with where it leads.
((o) => {
  'use strict';
  const say = (answer) => JSON.stringify(answer);
  const short = (s) => (s || '').replace(/thresh\d{4}|Tr3sh!\d{4}/g, '').replace(/\s+/g, ' ').trim().slice(0, 80);
  const name = (e) => short(dom.attr(e, 'aria-label') || dom.text(e) || dom.value(e) || dom.attr(e, 'title') || dom.attr(e, 'alt') ||
    dom.attr(e, 'placeholder') || dom.attr(e, 'name') || '');
  const fits = (e) => o.path === '' || o.tag === '' || (dom.tag(e).toLowerCase() === o.tag && name(e) === o.text);
  let found = find(o.path);
  if (!found || !fits(found.el)) {
    const other = o.tag && /^[a-z][\w-]*$/.test(o.tag) ? [...document.getElementsByTagName(o.tag)].find((e) => fits(e) && dom.shows(e)) : null;
    if (other) found = { el: other, dx: 0, dy: 0 };
    else if (o.tag && found && dom.tag(found.el).toLowerCase() !== o.tag) return say({ why: 'another element stands there now' });
  }
  if (!found) return say({ why: 'the element is not there any more' });
  const { el } = found;
  const bad = (text) => { const t = ' ' + (text || '').toLowerCase().replace(/[\s_-]+/g, ' ') + ' '; return o.avoid.some((w) => /[\u3000-\uffff]/.test(w) ? t.includes(w) : t.includes(' ' + w + ' ')); };
  if (o.path === '' && o.event === 'scroll') {
    const doc = dom.scroller(document);
    doc.scrollTop = doc.scrollHeight;
    return say({ done: true });
  }
  if (o.path === '' && o.event === 'key') return say({ x: 1, y: 1 });
  if (dom.tag(el) === 'FORM' && o.event === 'click') { HTMLFormElement.prototype.requestSubmit.call(el); return say({ done: true }); }
  if (o.event === 'scroll') { el.scrollTop = dom.scrollHeight(el); return say({ done: true }); }
  if (o.event === 'choose') {
    const options = [...el.options].filter((p) => !p.disabled && (p.selected || !(bad(p.text) || bad(p.value))));
    const at = options.indexOf(el.selectedOptions[0]);
    if (options.length < 2) return say({ why: 'there is nothing else to choose' });
    el.selectedIndex = options[(at + 1) % options.length].index;
    el.dispatchEvent(new Event('input', { bubbles: true }));
    el.dispatchEvent(new Event('change', { bubbles: true }));
    return say({ done: true });
  }
  const isArea = dom.tag(el) === 'AREA';
  const map = isArea && dom.closest(el, 'map'), called = map && (dom.attr(map, 'name') || dom.id(map));
  const image = called && [...dom.doc(el).images].find((i) => (dom.attr(i, 'usemap') || '').slice(1) === called);
  dom.scroll(image || el, { block: 'center', inline: 'center' });
  if (o.event === 'focus' || o.event === 'key') {
    const before = dom.focused(document);
    if (before && before !== el && before.blur) HTMLElement.prototype.blur.call(before);
    if (el.focus) HTMLElement.prototype.focus.call(el);
    if (o.event === 'focus') return say({ done: true });
  }
  const r = dom.rect(image || el);
  if (r.width === 0 || r.height === 0) return say({ why: 'it does not show' });
  // Scrolling moved the frames it stands in.
  const again = find(o.path) && find(o.path).el === el ? find(o.path) : found;
  const inner = dom.view(dom.doc(el)) || window;
  // Inline boxes that break over lines have a middle that may lie outside.
  const first = dom.rects(el)[0] || r;
  const [fx, fy] = o.spot || [50, 50];
  let x = fx === 50 ? first.left + first.width / 2 : r.left + r.width * fx / 100, y = fx === 50 ? first.top + first.height / 2 : r.top + r.height * fy / 100;
  if (isArea) {
    const c = (dom.attr(el, 'coords') || '').split(/[\s,]+/).map(Number);
    const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
    x = r.left + (c.length === 3 ? c[0] : c.length > 3 ? mean(c.filter((v, i) => i % 2 === 0)) : r.width / 2);
    y = r.top + (c.length === 3 ? c[1] : c.length > 3 ? mean(c.filter((v, i) => i % 2 === 1)) : r.height / 2);
  }
  const hosts = (n) => { const list = []; for (; n; n = dom.parent(n) || n.host) list.push(n); return list; };
  const under = (px, py) => {
    let top = dom.doc(el).elementFromPoint(px, py);
    for (let inside = top && dom.shadow(top); inside; inside = top && dom.shadow(top)) {
      const deeper = inside.elementFromPoint(px, py);
      if (!deeper || deeper === top) break;
      top = deeper;
    }
    return top;
  };
  const isOurs = (top) => top && (hosts(top).includes(el) || hosts(el).includes(top) || top === image || (el.labels && [...el.labels].some((l) => hosts(top).includes(l))));
  let top = x < 0 || y < 0 || x >= inner.innerWidth || y >= inner.innerHeight ? null : under(x, y);
  // Covered in the middle, as under a fixed bar: another place of it may be free.
  if (!isOurs(top) && !isArea)
    for (const [px, py] of [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.1], [0.5, 0.9]]) {
      const tx = r.left + r.width * px, ty = r.top + r.height * py, other = under(tx, ty);
      if (isOurs(other)) { x = tx; y = ty; top = other; break; }
    }
  if (!top) return say({ why: 'it cannot be brought into view' });
  if (!isOurs(top)) return say({ why: 'something else covers it' });
  // What will be hit, and all that hears of it up to the element that is meant.
  const hit = { says: '', marks: '', around: '', href: '', method: '' };
  for (let e = top, n = 0; e && n < 12; e = dom.above(e), n++) {
    const f = facts(e), link = dom.href(e);
    hit.says += ' \u00b7 ' + f.says; hit.marks += ' \u00b7 ' + f.marks; hit.around += ' \u00b7 ' + f.around;
    if (link && !hit.href) hit.href = link;
    if (e === el || (el !== top && dom.contains(e, el) && !dom.contains(el, e))) break;
  }
  return say({ x: x + again.dx, y: y + again.dy, hit });
})
