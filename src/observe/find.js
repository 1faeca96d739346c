// find.js - an element by its way, as observe.js names it; `dom` is dom.js.
//
// Gives null, or {el, dx, dy, show, place}: dx and dy are where the documents begin that it stands in, `place` says where
// the inside of the element (a frame) begins, `show` brings it into view before.
((path) => {
  'use strict';
  let el = dom.top(document), dx = 0, dy = 0;
  for (const step of path === '' ? [] : path.split('/')) {
    if (!el) return null;
    if (step === '') continue;
    if (step === 's') el = { inner: dom.shadow(el) ? dom.shadow(el).children : [] };
    else if (step === 'f') {
      const r = dom.rect(el), doc = el.contentDocument;
      dx += r.left + dom.clientLeft(el); dy += r.top + dom.clientTop(el);
      el = doc ? dom.top(doc) : null;
    } else el = (Object.hasOwn(el, 'inner') ? el.inner : dom.children(el))[Number(step)];
  }
  if (!el || Object.hasOwn(el, 'inner') || dom.kind(el) !== 1) return null;
  const place = () => { const r = dom.rect(el); return [dx + r.left + dom.clientLeft(el), dy + r.top + dom.clientTop(el)]; };
  return { el, dx, dy, place, show: () => { dom.scroll(el, { block: 'center', inline: 'center' }); return place(); } };
})
