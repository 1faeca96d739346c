// listeners.js - which events each element listens for.
//
// Runs in the page's own world: DevTools' getEventListeners() tells only of listeners
// of the world that asks.  Gives {way: [type...]}, the ways as in observe.js; the
// document is "document", the window "window".  A framework that listens at the root for all its elements keeps
// what they want beside them: React in their properties, jQuery in its data; both are told for the elements.
// The page may have replaced anything here: what fails is left out, and the reader takes nothing for granted.
(function () {
  'use strict';
  const out = {};
  let n = 0;
  const put = (way, type) => {
    const list = out[way] || (out[way] = []);
    for (let i = 0; i < list.length; i++) if (list[i] === type) return;
    list[list.length] = type;
  };
  const delegated = [];
  // Many kinds at once: it listens for all that is in it, not for itself.
  const isRoot = (found) => { let k = 0; for (const t in found) k++; return k > 20; };
  function listeners(way, node) {
    try {
      const found = getEventListeners(node);
      if (!isRoot(found)) for (const type in found) put(way, type);
    } catch (e) { /* not told */ }
  }
  const kinds = { onClick: 'click', onDoubleClick: 'dblclick', onContextMenu: 'contextmenu', onMouseEnter: 'mouseenter', onMouseOver: 'mouseover',
    onMouseDown: 'mousedown', onMouseUp: 'mouseup', onPointerDown: 'pointerdown', onTouchStart: 'touchstart', onFocus: 'focus',
    onKeyDown: 'keydown', onKeyUp: 'keyup', onKeyPress: 'keypress', onScroll: 'scroll' };
  function properties(way, node) {
    try {
      for (const key in node) {
        if (key[0] !== '_' || (key.slice(0, 13) !== '__reactProps$' && key.slice(0, 21) !== '__reactEventHandlers$')) continue;
        for (const name in kinds) if (typeof node[key][name] === 'function') put(way, kinds[name]);
      }
    } catch (e) { /* not told */ }
  }
  function jquery(node) {
    try {
      const events = window.jQuery && window.jQuery._data && window.jQuery._data(node, 'events');
      for (const type in events || {})
        for (let i = 0; i < events[type].length && delegated.length < 200; i++)
          if (events[type][i].selector) delegated[delegated.length] = [node, type, events[type][i].selector];
    } catch (e) { /* not told */ }
  }
  const ways = new Map();
  function children(node, way) {
    let i = 0;
    for (let child = node.firstElementChild; child; child = child.nextElementSibling) { element(child, way + (way ? '/' : '') + i); i++; }
  }
  function element(el, way) {
    if (++n > 50000) return;
    ways.set(el, way);
    listeners(way, el);
    properties(way, el);
    if (window.jQuery) jquery(el);
    if (el.shadowRoot) children(el.shadowRoot, way + '/s');
    if (el.tagName === 'IFRAME' || el.tagName === 'FRAME') {
      let doc = null;
      try { doc = el.contentDocument; } catch (e) { doc = null; }
      if (doc && doc.documentElement) element(doc.documentElement, way + '/f');
    } else children(el, way);
  }
  listeners('document', document);
  listeners('window', window);
  if (window.jQuery) { jquery(document); jquery(window); }
  try { if (window[Symbol.for('thresh.intersection')]) put('window', 'intersection'); } catch (e) { /* not told */ }
  try { element(document.documentElement, ''); } catch (e) { /* what was found until here */ }
  for (const [node, type, selector] of delegated)
    try { for (const el of (node.querySelectorAll ? node : document).querySelectorAll(selector)) if (ways.has(el)) put(ways.get(el), type); } catch (e) { /* no selector */ }
  return out;
})()
