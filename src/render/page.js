// page.js - what the renderer does in a page: measure it, make it grow, try what listens, write it down.
//
// Runs in our own world, whose prototypes no script of the page has touched.  Gives an object of functions, made once
// per document; each gives JSON or text.  Whatever a page does to our reading of it costs that reading only.
globalThis.threshPage ??= (() => {
  'use strict';
  const pressed = new WeakSet();
  const MORE = /(load|show|view|see|read) (more|all)|more (results|items|posts|comments)|mehr (laden|anzeigen)|weitere|afficher plus|voir plus|charger plus|cargar m[aá]s|ver m[aá]s|carica altr|mostra altr|meer (laden|tonen)|carregar mais|ver mais|показать (ещё|еще|больше)|загрузить|もっと|さらに|更多|加载|더 ?보기/i;
  const NEVER = /log ?out|sign ?out|log ?off|delete|remove|unsubscribe|cancel|abmelden|l[oö]schen|d[eé]connexion|supprimer|cerrar sesi|eliminar|borrar|выйти|удалить|削除|ログアウト|删除|退出|注销/i;
  const roots = () => {
    const out = [document];
    for (let i = 0; i < out.length && out.length < 2000; i++)
      for (const el of out[i].querySelectorAll('*')) {
        if (el.shadowRoot) out.push(el.shadowRoot);
        const inner = el.tagName === 'IFRAME' && !el.hasAttribute('src') ? frame(el) : null;
        if (inner) out.push(inner);
      }
    return out;
  };
  const frame = (el) => { try { return el.contentDocument; } catch (e) { return null; } };
  const all = (selector) => roots().flatMap((r) => [...r.querySelectorAll(selector)]);
  const words = (el) => `${el.innerText || el.value || ''} ${el.getAttribute('aria-label') || ''} ${el.title || ''}`.trim().slice(0, 200);
  const shows = (el) => { try { return el.checkVisibility(); } catch (e) { return true; } };
  const harmless = (el) => !NEVER.test(`${words(el)} ${el.getAttribute('class') || ''} ${el.id || ''}`);
  const leads = (el) => { const a = el.closest('a[href]'); return a && !/^(#|javascript:)/i.test(a.getAttribute('href').trim()); };
  function measure() {
    let text = 0, nodes = 0;
    for (const r of roots()) { text += ((r.body || r).textContent || '').length; nodes += r.querySelectorAll('*').length; }
    return JSON.stringify({ text, links: all('a[href]').length, nodes, url: location.href });
  }
  function scroll() {
    let moved = false;
    const to = (el) => { const before = el.scrollTop; el.scrollTop = el.scrollHeight; moved = moved || el.scrollTop > before; if (el.scrollTop > 0) el.dispatchEvent(new Event('scroll')); };
    to(document.scrollingElement || document.documentElement);
    let n = 0;
    for (const el of all('div,ul,ol,main,section,article,table')) {
      if (++n > 3000) break;
      if (el.scrollHeight > el.clientHeight + 40 && el.clientHeight > 100 && /auto|scroll/.test(getComputedStyle(el).overflowY)) to(el);
    }
    for (const r of roots()) r.dispatchEvent(new Event('scroll', { bubbles: true }));
    return JSON.stringify(moved);
  }
  // A little up again: what watches the end of a list sees it leave, and come back with the next scroll.
  function nudge() {
    const el = document.scrollingElement || document.documentElement;
    el.scrollTop -= 500;
    return '';
  }
  function fire(el) {
    pressed.add(el);
    for (const type of ['pointerover', 'mouseover', 'pointerdown', 'mousedown', 'pointerup', 'mouseup'])
      el.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, composed: true, view: window }));
    if (typeof el.click === 'function') el.click();
    else el.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, composed: true, view: window }));
  }
  // The next control that promises more of the page; the same one may be tried again while it brings something.
  function more(again) {
    for (const d of all('details:not([open])')) d.open = true;
    for (const el of all('button,[role=button],summary,a,input[type=button],[aria-expanded=false]')) {
      const expands = el.getAttribute('aria-expanded') === 'false';
      if ((pressed.has(el) && !again) || leads(el) || !shows(el) || el.disabled || !harmless(el)) continue;
      if (!expands && !MORE.test(words(el))) continue;
      if (expands && pressed.has(el)) continue;
      fire(el);
      return words(el) || 'expanded';
    }
    return '';
  }
  function fill(el) {
    if (el.value) return;
    const set = (Object.getOwnPropertyDescriptor(Object.getPrototypeOf(el), 'value') || {}).set;
    if (set) set.call(el, 'search');
    for (const type of ['input', 'change', 'keyup']) el.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
  }
  // A form that only sends its fields leads where the crawl gets without a browser.
  const plain = (el) => { const f = el.form; return f && /^(submit|image)$/.test(el.type) && !f.hasAttribute('onsubmit') && !f.hasAttribute('data-thresh-on') && !el.hasAttribute('onclick') && !el.hasAttribute('data-thresh-on') && /^get$/i.test(f.method); };
  // The next element that listens and was not tried; marked by listeners(), which runs in the page's world.
  function press() {
    for (const el of all('input[type=search],input[type=text],input:not([type])')) if (!pressed.has(el) && shows(el)) { pressed.add(el); fill(el); }
    const found = all('[data-thresh-on],[onclick],[onmousedown],[onmouseup],[onmouseover],button,[role=button],[role=tab],input[type=button],input[type=submit],input[type=image],a[href^="#"],a[href^="javascript:"],a:not([href])');
    for (const el of found) {
      if (pressed.has(el) || el.disabled || !shows(el) || !harmless(el) || el === document.body || el === document.documentElement || plain(el)) continue;
      if (leads(el) && !el.hasAttribute('data-thresh-on') && !el.hasAttribute('onclick')) continue;
      fire(el);
      return words(el).replace(/\s+/g, ' ') || el.tagName;
    }
    return '';
  }
  function hrefs() {
    return JSON.stringify(all('a[href],area[href]').slice(0, 5000).map((a) => String(a.href && a.href.baseVal !== undefined ? new URL(a.href.baseVal, document.baseURI) : a.href)));
  }
  // The next view of this document that a link leads to by its fragment, shown; '' when all were.
  const shown = new Set();
  const isRoute = (u) => u.origin === location.origin && u.pathname === location.pathname && u.search === location.search && /^#!?\/|^#!/.test(u.hash);
  function route() {
    shown.add(location.hash);
    for (const a of all('a[href*="#"]')) {
      let u;
      try { u = new URL(a.href); } catch (e) { continue; }
      if (!isRoute(u) || shown.has(u.hash)) continue;
      shown.add(u.hash);
      location.hash = u.hash;
      return u.hash;
    }
    return '';
  }
  const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
  const esc = (s) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/\u00a0/g, '&nbsp;');
  const quote = (s) => s.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/\u00a0/g, '&nbsp;');
  // The document as HTML: shadow trees stand in place of what they show, programs are left out, links are absolute.
  function dom(limit) { return '<!doctype html>' + (document.documentElement ? html(limit, (node) => node(document.documentElement, 0)) : ''); }
  function view(limit, name) { return document.body ? `<section data-thresh-view="${quote(name)}">` + html(limit, (node, list) => list(document.body.childNodes, 0)) + '</section>' : ''; }
  function html(limit, begin) {
    const out = [];
    let size = 0;
    const put = (s) => { size += s.length; if (size <= limit) out.push(s); };
    const list = (nodes, depth) => { for (const n of nodes) node(n, depth); };
    function open(el, tag) {
      put('<' + tag);
      for (const a of el.attributes) {
        if (a.name === 'data-thresh-on' || a.name === 'id' && a.value === 'thresh-calm') continue;
        const absolute = a.name === 'href' && (tag === 'a' || tag === 'area') && typeof el.href === 'string';
        put(` ${a.name}="${quote(absolute ? el.href : a.value)}"`);
      }
      put('>');
    }
    function inside(el, tag, depth) {
      const inner = (tag === 'iframe' || tag === 'frame') && (el.hasAttribute('srcdoc') || !el.hasAttribute('src')) ? frame(el) : null;
      if (inner && inner.body) list(inner.body.childNodes, depth);
      else if (tag === 'template') list(el.content.childNodes, depth);
      else if (el.shadowRoot) list(el.shadowRoot.childNodes, depth);
      else if (tag === 'slot' && el.assignedNodes().length) list(el.assignedNodes(), depth);
      else list(el.childNodes, depth);
    }
    function node(n, depth) {
      if (size > limit || depth > 400) return;
      if (n.nodeType === 3) { put(esc(n.data)); return; }
      if (n.nodeType !== 1) return;
      const tag = n.localName;
      if (tag === 'noscript' || tag === 'style' && n.id === 'thresh-calm') return;
      if (tag === 'script' || tag === 'style') {
        const data = tag === 'style' || /json/.test(n.type);
        open(n, tag); if (data) put(n.textContent); put(`</${tag}>`);
        return;
      }
      const as = tag === 'iframe' && !n.hasAttribute('src') ? 'div' : tag;
      open(n, as);
      if (VOID.has(tag)) return;
      inside(n, tag, depth + 1);
      put(`</${as}>`);
    }
    begin(node, list);
    return out.join('');
  }
  return { measure, scroll, nudge, more, press, hrefs, route, dom, view };
})()
