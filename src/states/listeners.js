// listeners.js - which events each element listens for.
//
// Runs in the page's own world: DevTools' getEventListeners() tells only of listeners
// of the world that asks.  Answers JSON: {way: [type...]}, the ways as in observe.js; the
// document is "document", the window "window".
(function () {
  'use strict';
  const out = {};
  const types = (node) => { try { return Object.keys(getEventListeners(node)); } catch (e) { return []; } };
  const add = (way, node) => { const t = types(node); if (t.length) out[way] = t; };
  function children(node, way) {
    let i = 0;
    for (const child of node.children) { element(child, way + (way ? '/' : '') + i); i++; }
  }
  function element(el, way) {
    add(way, el);
    if (el.shadowRoot) children(el.shadowRoot, way + '/s');
    if (el.tagName === 'IFRAME' || el.tagName === 'FRAME') {
      let doc = null;
      try { doc = el.contentDocument; } catch (e) { doc = null; }
      if (doc && doc.documentElement) element(doc.documentElement, way + '/f');
    } else children(el, way);
  }
  add('document', document);
  add('window', window);
  element(document.documentElement, '');
  return JSON.stringify(out);
})()
