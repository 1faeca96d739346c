// act.js - find an element by its way, bring it into view, and say where to point.
//
// `find` is find.js; `o` = {path, event, tag, text}.  Where another element stands at that place by now, one
// of the same tag and text is looked for; with no tag, any will do.  Answers JSON: {x, y} to point at,
// or {done: true} when the script itself did it, or {why} when it cannot be done.
(function (o) {
  'use strict';
  const short = (s) => (s || '').replace(/thresh\d{4}|Tr3sh!\d{4}/g, '').replace(/\s+/g, ' ').trim().slice(0, 80);
  const name = (e) => short(e.getAttribute('aria-label') || e.innerText || e.value || e.title || e.alt ||
    e.getAttribute('placeholder') || e.name || '');
  const fits = (e) => o.path === '' || o.tag === '' || (e.tagName.toLowerCase() === o.tag && name(e) === o.text);
  let found = find(o.path);
  if (!found || !fits(found.el)) {
    const other = [...document.querySelectorAll(o.tag)].find(fits);
    if (other) found = { el: other, dx: 0, dy: 0 };
  }
  if (!found) return JSON.stringify({ why: 'the element is not there any more' });
  const { el } = found;
  if (o.path === '' && o.event === 'scroll') {
    const doc = document.scrollingElement || document.documentElement;
    doc.scrollTop = doc.scrollHeight;
    return JSON.stringify({ done: true });
  }
  if (o.path === '' && o.event === 'key') return JSON.stringify({ x: 1, y: 1 });
  if (el.tagName === 'FORM' && o.event === 'click') { el.requestSubmit(); return JSON.stringify({ done: true }); }
  if (o.event === 'scroll') { el.scrollTop = el.scrollHeight; return JSON.stringify({ done: true }); }
  if (o.event === 'choose') {
    const options = [...el.options].filter((p) => !p.disabled);
    const at = options.indexOf(el.selectedOptions[0]);
    if (options.length < 2) return JSON.stringify({ why: 'there is nothing else to choose' });
    el.selectedIndex = options[(at + 1) % options.length].index;
    el.dispatchEvent(new Event('input', { bubbles: true }));
    el.dispatchEvent(new Event('change', { bubbles: true }));
    return JSON.stringify({ done: true });
  }
  el.scrollIntoView({ block: 'center', inline: 'center' });
  if (o.event === 'focus' || o.event === 'key') {
    if (document.activeElement && document.activeElement !== el) document.activeElement.blur();
    el.focus();
    if (o.event === 'focus') return JSON.stringify({ done: true });
  }
  const r = el.getBoundingClientRect();
  if (r.width === 0 || r.height === 0) return JSON.stringify({ why: 'it does not show' });
  // Scrolling moved the frames it stands in.
  const again = find(o.path) && find(o.path).el === el ? find(o.path) : found;
  const inner = el.ownerDocument.defaultView;
  // Inline boxes that break over lines have a middle that may lie outside.
  const first = el.getClientRects()[0] || r;
  let x = first.left + first.width / 2, y = first.top + first.height / 2;
  if (x < 0 || y < 0 || x >= inner.innerWidth || y >= inner.innerHeight) return JSON.stringify({ why: 'it cannot be brought into view' });
  let top = el.getRootNode().elementFromPoint(x, y);
  while (top && top.shadowRoot && !top.contains(el) && top !== el) {
    const deeper = top.shadowRoot.elementFromPoint(x, y);
    if (!deeper || deeper === top) break;
    top = deeper;
  }
  const hosts = (n) => { const list = []; for (; n; n = n.parentNode || n.host) list.push(n); return list; };
  if (!top || !(hosts(top).includes(el) || hosts(el).includes(top))) {
    const label = el.labels && [...el.labels].some((l) => hosts(top).includes(l));
    if (!label) return JSON.stringify({ why: 'something else covers it' });
  }
  return JSON.stringify({ x: x + again.dx, y: y + again.dy });
})
