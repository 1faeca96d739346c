// watch.js - before the page's own scripts: notes whether anything of the page waits for being scrolled or seen.
(() => {
  let waits = false;
  const yes = () => { waits = true; };
  Object.defineProperty(window, Symbol.for('thresh.waits'), { get: () => waits });
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (/^(scroll|scrollend|wheel|touchmove)$/.test(type)) yes();
    return add.call(this, type, ...rest);
  };
  for (const owner of [window, Document.prototype, HTMLElement.prototype]) {
    const was = Object.getOwnPropertyDescriptor(owner, 'onscroll');
    if (was && was.set && was.configurable) Object.defineProperty(owner, 'onscroll', { ...was, set(f) { yes(); was.set.call(this, f); } });
  }
  if (window.IntersectionObserver)
    window.IntersectionObserver = new Proxy(window.IntersectionObserver, { construct(of, args, as) { yes(); return Reflect.construct(of, args, as); } });
})();
