// find.js - an element by its way, as observe.js names it.
//
// Gives null, or {el, dx, dy, show, place}: dx and dy are where the documents begin that it stands in, `place` says where
// the inside of the element (a frame) begins, `show` brings it into view before.
(function (path) {
  'use strict';
  let el = document.documentElement, dx = 0, dy = 0;
  for (const step of path === '' ? [] : path.split('/')) {
    if (!el) return null;
    if (step === '') continue;
    if (step === 's') el = { children: el.shadowRoot ? el.shadowRoot.children : [] };
    else if (step === 'f') {
      const r = el.getBoundingClientRect();
      dx += r.left + el.clientLeft; dy += r.top + el.clientTop;
      el = el.contentDocument ? el.contentDocument.documentElement : null;
    } else el = el.children[Number(step)];
  }
  if (!el || el.nodeType !== 1) return null;
  const place = () => { const r = el.getBoundingClientRect(); return [dx + r.left + el.clientLeft, dy + r.top + el.clientTop]; };
  return { el, dx, dy, place, show: () => { el.scrollIntoView({ block: 'center', inline: 'center' }); return place(); } };
})
