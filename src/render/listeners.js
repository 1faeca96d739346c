// listeners.js - marks the elements that wait for the pointer, in the page's own world, whose listeners alone DevTools tells.
(() => {
  const kinds = ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'touchstart', 'mouseover', 'mouseenter', 'submit'];
  let n = 0;
  const waits = (el) => {
    const found = getEventListeners(el);
    if (Object.keys(found).length > 20) return false;
    if (kinds.some((k) => found[k])) return true;
    for (const key of Object.keys(el))
      if (key.startsWith('__reactProps$') || key.startsWith('__reactEventHandlers$')) return typeof el[key].onClick === 'function';
    return false;
  };
  const walk = (root) => {
    for (const el of root.querySelectorAll('*')) {
      if (++n > 20000) return;
      try { if (!el.hasAttribute('data-thresh-on') && waits(el)) el.setAttribute('data-thresh-on', ''); } catch (e) { /* not told */ }
      if (el.shadowRoot) walk(el.shadowRoot);
    }
  };
  walk(document);
  return n;
})()
