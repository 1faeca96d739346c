// client.js - runs first in every replayed page: what its scripts request goes to the archive, not to the web.
//
// Addresses that are written in the page were rewritten on their way; here are those that scripts make.  What is missed
// is refused by the policy that every page is sent with.
(() => {
  const { port, time } = JSON.parse(document.currentScript.dataset.replay);
  const own = new RegExp(`(^|\\.)localhost:${port}$`);
  const local = (u) => {
    const host = u.hostname.startsWith('[') ? 'v6-' + u.hostname.slice(1, -1).replace(/:/g, '-') : u.hostname;
    const p = u.port || (u.protocol === 'https:' ? '443' : '80');
    return `http://${host}.p${p}.${u.protocol.slice(0, -1)}${time ? '.' + time : ''}.localhost:${port}${u.pathname}${u.search}${u.hash}`;
  };
  const map = (x) => {
    try {
      const u = new URL(String(x), document.baseURI);
      return /^https?:$/.test(u.protocol) && !own.test(u.host) ? local(u) : x;
    } catch (e) { return x; }
  };
  const fetchNow = window.fetch;
  window.fetch = (x, o) => fetchNow.call(window, x instanceof Request ? new Request(map(x.url), x) : map(x), o);
  const open = XMLHttpRequest.prototype.open;
  XMLHttpRequest.prototype.open = function (m, u, ...rest) { return open.call(this, m, map(u), ...rest); };
  const setters = [[HTMLImageElement, 'src'], [HTMLScriptElement, 'src'], [HTMLIFrameElement, 'src'], [HTMLLinkElement, 'href'],
    [HTMLAnchorElement, 'href'], [HTMLFormElement, 'action'], [HTMLMediaElement, 'src'], [HTMLSourceElement, 'src']];
  for (const [kind, name] of setters) {
    const d = Object.getOwnPropertyDescriptor(kind.prototype, name);
    if (d && d.set) Object.defineProperty(kind.prototype, name, { ...d, set(v) { d.set.call(this, map(v)); } });
  }
  const setAttribute = Element.prototype.setAttribute;
  Element.prototype.setAttribute = function (name, v) {
    return setAttribute.call(this, name, /^(src|href|action|poster)$/i.test(name) ? map(v) : v);
  };
  window.open = (u) => { location.href = map(u); return null; };
  const tell = () => parent !== window && parent.postMessage({ replay: location.href, title: document.title }, `http://localhost:${port}`);
  addEventListener('load', tell);
  addEventListener('popstate', tell);
})();
