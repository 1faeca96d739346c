// observe.js - what a page shows and offers, as one JSON text.
//
// Runs in a world apart from the page's own scripts, and changes nothing; what the page
// listens for is told by listeners.js.  An element is named
// by its way from the document: child indexes, 's' into a shadow root, 'f' into a
// frame's document, 'F' into that of another origin.  There this script cannot look: such a frame
// is named in `opaque`, is observed by the same script in its own world, and what that said comes back
// in o.frames.  `o` = {volatile: [class...], max: candidates, scroll: offer it always,
// listeners: {way: [type...]}, frames: {way: observation}, include, exclude: [CSS selector or XPath...],
// strip: [CSS selector of what is part of no fingerprint...]}.
(function (o) {
  'use strict';
  const volatile = new Set(o.volatile);
  const silent = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'LINK', 'META']);
  const listens = (way, type) => (o.listeners[way] || []).includes(type);
  const clickRoles = /^(button|link|tab|menuitem|menuitemcheckbox|menuitemradio|option|checkbox|switch|radio|treeitem|combobox|gridcell)$/;
  const clickInputs = /^(submit|button|image|reset|checkbox|radio|file|color)$/;
  const html = [];
  const candidates = [];
  const fields = [];
  const opaque = [], texts = [], stripped = [];
  let stripping = false;
  let frames = 0, shadows = 0, unseen = 0, cut = 0;

  const escape = (s) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
  // The words that fill.js makes up are no content of the page.
  const clean = (s) => s.replace(/thresh\d{4}|Tr3sh!\d{4}/g, '');
  const short = (s) => clean(s || '').replace(/\s+/g, ' ').trim().slice(0, 80);

  function name(el) {
    return short(el.getAttribute('aria-label') || el.innerText || el.value || el.title || el.alt ||
      el.getAttribute('placeholder') || el.name || '');
  }

  function visible(el, view) {
    const r = el.getBoundingClientRect();
    if (r.width < 2 || r.height < 2) return null;
    if (el.checkVisibility && !el.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return null;
    // Left or above of where scrolling can lead is nowhere.
    const doc = view.document.scrollingElement || view.document.documentElement;
    if (r.right + doc.scrollLeft <= 0 || r.bottom + doc.scrollTop <= 0) return null;
    return r;
  }

  const isText = (el, type) => el.tagName === 'TEXTAREA' || (el.tagName === 'INPUT' && /^(text|search|email|url|tel|number|password)$/.test(type));
  // A button that sends a form with something to fill in; clicking it without is another event.
  function sends(el, type) {
    if (!el.form || !/^(BUTTON|INPUT)$/.test(el.tagName) || !/^(submit|image)$/.test(type)) return false;
    return [...el.form.elements].some((f) => /^(SELECT|TEXTAREA)$/.test(f.tagName) ||
      (f.tagName === 'INPUT' && !/^(hidden|submit|image|button|reset|file)$/.test(f.type)));
  }

  // A form that no button sends: its page does, or the Enter key.
  function lacksButton(form) {
    const all = [...form.elements];
    return all.some((f) => /^(INPUT|SELECT|TEXTAREA)$/.test(f.tagName) && f.type !== 'hidden') && !all.some((f) => /^(submit|image|button)$/.test(f.type));
  }

  function eventsOf(el, path, view) {
    const tag = el.tagName, type = (el.type || '').toLowerCase();
    const has = new Set();
    if ((tag === 'A' || tag === 'AREA') && el.hasAttribute('href')) has.add('click');
    if (tag === 'BUTTON' || tag === 'SUMMARY') has.add('click');
    if (tag === 'INPUT' && clickInputs.test(type)) has.add('click');
    if (tag === 'SELECT') has.add('choose');
    if (sends(el, type) || (tag === 'FORM' && lacksButton(el))) has.add('submit');
    if (isText(el, type) && !el.form) has.add('key');
    if (clickRoles.test(el.getAttribute('role') || '')) has.add('click');
    const on = (n) => listens(path, n) || el.hasAttribute('on' + n);
    if (on('click')) has.add('click');
    if (on('mousedown') || on('mouseup') || on('pointerdown') || on('touchstart')) { has.add('click'); has.add('longpress'); }
    if (on('dblclick')) has.add('dblclick');
    if (on('contextmenu')) has.add('contextmenu');
    if (on('mouseover') || on('mouseenter') || on('pointerover') || on('pointerenter')) has.add('hover');
    if (on('keydown') || on('keyup') || on('keypress')) has.add('key');
    if (on('focus') || on('focusin')) has.add('focus');
    if (on('scroll') && el.scrollHeight > el.clientHeight + 4) has.add('scroll');
    if (has.size === 0 && el.parentElement) {
      // A hand where the parent has none: somebody up there listens for this one.
      if (view.getComputedStyle(el).cursor === 'pointer' && view.getComputedStyle(el.parentElement).cursor !== 'pointer')
        has.add('click');
    }
    return [...has];
  }

  // Does a CSS selector or XPath of the list name the element, or one around it?  What is neither is text, which is not decided here.
  const nodes = new Map();
  function named(list, el) {
    return list.some((what) => {
      try {
        if (!/^\.?\/|^\(/.test(what)) return el.closest(what) !== null;
        const doc = el.ownerDocument, key = what + '\n' + doc.URL;
        if (!nodes.has(key)) {
          const found = doc.evaluate(what, doc, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null), set = new Set();
          for (let i = 0; i < found.snapshotLength; i++) set.add(found.snapshotItem(i));
          nodes.set(key, set);
        }
        for (let e = el; e; e = e.parentElement) if (nodes.get(key).has(e)) return true;
        return false;
      } catch (e) { return false; }
    });
  }

  // How the server would be asked: frameworks write other methods than a form can have into attributes or a hidden field.
  function methodOf(el, form) {
    for (const name of ['data-method', 'data-turbo-method', 'formmethod', 'data-http-method'])
      if (el.hasAttribute(name)) return el.getAttribute(name).toLowerCase();
    for (const name of ['delete', 'put', 'patch', 'post']) if (el.hasAttribute('hx-' + name) || el.hasAttribute('data-hx-' + name)) return name;
    if (!form) return '';
    const hidden = form.querySelector('input[type=hidden][name=_method]');
    return (hidden ? hidden.value : form.getAttribute('method') || 'get').toLowerCase();
  }

  function selector(el) {
    const root = el.getRootNode();
    if (el.id && /^[A-Za-z][\w-]*$/.test(el.id) && root.querySelectorAll('#' + el.id).length === 1) return '#' + el.id;
    const parts = [];
    for (let e = el; e && e.nodeType === 1; e = e.parentElement) {
      let n = 1;
      for (let s = e.previousElementSibling; s; s = s.previousElementSibling) if (s.tagName === e.tagName) n++;
      parts.unshift(e.tagName.toLowerCase() + ':nth-of-type(' + n + ')');
    }
    return parts.join(' > ');
  }

  function xpath(el) {
    const parts = [];
    for (let e = el; e && e.nodeType === 1; e = e.parentElement) {
      let n = 1;
      for (let s = e.previousElementSibling; s; s = s.previousElementSibling) if (s.tagName === e.tagName) n++;
      parts.unshift(e.tagName.toUpperCase() + '[' + n + ']');
    }
    return '/' + parts.join('/');
  }

  // Style rules that show something while something is pointed at: {on, shows}, two selectors.
  const hoverRules = new Map();
  function rulesOf(root) {
    if (hoverRules.has(root)) return hoverRules.get(root);
    const found = [];
    const walk = (rules) => {
      for (const rule of rules) {
        const s = rule.style, all = rule.selectorText || '';
        const shows = s && ((s.display && s.display !== 'none') || s.visibility === 'visible' || Number(s.opacity) > 0);
        for (const one of shows && all.includes(':hover') ? all.split(',') : []) {
          const at = one.indexOf(':hover');
          if (at > 0 && found.length < 500) found.push({ on: one.slice(0, at), shows: one.replaceAll(':hover', '') });
        }
        if (rule.cssRules) walk(rule.cssRules);
      }
    };
    for (const sheet of root.styleSheets || []) try { walk(sheet.cssRules); } catch (e) { /* of another origin: closed to us */ }
    hoverRules.set(root, found);
    return found;
  }

  // What must be pointed at before the element shows, and its way; null when nothing helps.
  function hoverFor(el, path, view) {
    for (const rule of rulesOf(el.getRootNode())) {
      let on = null;
      try {
        const shown = el.closest(rule.shows);
        // What something else around it hides as well is not shown by pointing.
        if (shown && shown.parentElement && shown.parentElement.checkVisibility()) on = shown.closest(rule.on);
      } catch (e) { on = null; }
      const r = on && on !== el && visible(on, view);
      if (!r) continue;
      let up = 0;
      for (let e = el; e !== on; e = e.parentElement) up++;
      return { path: path.split('/').slice(0, -up).join('/'), css: selector(on), box: r };
    }
    return null;
  }

  function offer(el, path, view, dx, dy) {
    const events = eventsOf(el, path, view);
    if (events.length === 0) return;
    let r = visible(el, view);
    const hover = r ? null : hoverFor(el, path, view);
    if (hover && hover.path) r = hover.box;
    if (!r || el.disabled || el.getAttribute('aria-disabled') === 'true') return;
    if (candidates.length >= o.max) { cut++; return; }
    const form = el.form || el.closest('form');
    candidates.push({
      path, tag: el.tagName.toLowerCase(), text: name(el), id: el.id || '', type: (el.type || '').toLowerCase(),
      href: el.href && el.href.baseVal === undefined ? String(el.href) : '',
      target: el.getAttribute('target') || '',
      action: form && (el === form || /^(submit|image)$/.test(el.type)) ? String(el.getAttribute('formaction') || form.getAttribute('action') || '') : '',
      method: methodOf(el, form), included: named(o.include, el), excluded: named(o.exclude, el), form: form ? true : false,
      events, css: selector(el), xpath: xpath(el), hover: hover ? hover.path : '', hover_css: hover ? hover.css : '',
      box: [Math.round(r.left + dx), Math.round(r.top + dy), Math.round(r.width), Math.round(r.height)],
    });
  }

  // A class that a program made up for one element: a hash of at least 16 digits.
  const made = (c) => /(^|[^0-9A-Za-z])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{16,}$/.test(c);

  function attributes(el) {
    let out = '';
    for (const a of el.attributes) {
      let value = a.value;
      if (a.name === 'class') value = value.split(/\s+/).filter((c) => c && !volatile.has(c) && !made(c)).join(' ');
      if (a.name.startsWith('data-thresh')) continue;
      out += ' ' + a.name + '="' + escape(clean(value)) + '"';
    }
    return out;
  }

  function children(node, path, view, dx, dy) {
    let i = 0;
    for (const child of node.childNodes) {
      if (child.nodeType === 3) html.push(escape(clean(child.data)));
      else if (child.nodeType === 1) { element(child, path + (path ? '/' : '') + i, view, dx, dy); i++; }
    }
  }

  function frame(el, path, view, dx, dy) {
    let doc = null;
    try { doc = el.contentDocument; } catch (e) { doc = null; }
    // A frame would swallow its contents as raw text, so it is written by another name.
    html.push('<x-frame' + attributes(el) + '>');
    if (doc && doc.documentElement) {
      const r = el.getBoundingClientRect();
      frames++;
      element(doc.documentElement, path + '/f', doc.defaultView || view, dx + r.left + el.clientLeft, dy + r.top + el.clientTop);
    } else foreign(el, path, dx, dy);
    html.push('</x-frame>');
  }

  // What a frame of another origin said of itself, at its place here.
  function foreign(el, path, dx, dy) {
    const seen = o.frames[path];
    if (!seen) { opaque.push(path); return; }
    const r = el.getBoundingClientRect(), x = dx + r.left + el.clientLeft, y = dy + r.top + el.clientTop;
    if (seen.why) { unseen++; return; }
    frames += 1 + seen.frames; shadows += seen.shadows; unseen += seen.unseen; cut += seen.cut;
    html.push(seen.html.replace(/^<!doctype html>/, ''));
    texts.push(seen.text);
    const shown = visible(el, el.ownerDocument.defaultView);
    for (const c of shown ? seen.candidates : []) {
      if (candidates.length >= o.max) { cut++; continue; }
      candidates.push(Object.assign(c, { path: path + '/F' + (c.path ? '/' + c.path : ''), origin: c.origin || seen.origin,
        hover: c.hover ? path + '/F/' + c.hover : '', hover_css: c.hover ? selector(el) + ' >>> ' + c.hover_css : '',
        css: selector(el) + ' >>> ' + c.css, box: [c.box[0] + Math.round(x), c.box[1] + Math.round(y), c.box[2], c.box[3]] }));
    }
  }

  function element(el, path, view, dx, dy) {
    const tag = el.tagName.toLowerCase();
    if (silent.has(el.tagName) || el.id === 'thresh-calm') return;
    if (el.tagName === 'IFRAME' || el.tagName === 'FRAME') { frame(el, path, view, dx, dy); return; }
    const bare = !stripping && strips(el), begin = html.length;
    if (bare) { stripping = true; stripped.push(clean(el.innerText || '')); }
    html.push('<' + tag + attributes(el) + '>');
    offer(el, path, view, dx, dy);
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(el.tagName)) fields.push(path);
    if (el.shadowRoot) {
      shadows++;
      // The visible text of a page ends at its shadow roots.
      if (visible(el, view)) texts.push(...[...el.shadowRoot.children].map((c) => clean(c.innerText || '')));
      html.push('<x-shadow>');
      children(el.shadowRoot, path + '/s', view, dx, dy);
      html.push('</x-shadow>');
    }
    if (tag !== 'textarea') children(el, path, view, dx, dy);
    if (!/^(area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/.test(tag)) html.push('</' + tag + '>');
    if (bare) { html.length = begin; stripping = false; }
  }

  // Elements that the user wants out of the fingerprints stay what they are: their controls are offered.
  function strips(el) {
    return o.strip.some((s) => { try { return el.matches(s); } catch (e) { return false; } });
  }
  const shown = (text) => stripped.reduce((all, part) => part ? all.replace(part, '') : all, text);

  // What the page keeps in the browser, as a number; moments of time are no part of it, or no two would be alike.
  function stored() {
    let a = 0x811c9dc5, b = 0x9e3779b9, any = false;
    const add = (s) => {
      for (let i = 0; i < s.length; i++) { a = Math.imul(a ^ s.charCodeAt(i), 0x01000193); b = Math.imul(b ^ s.charCodeAt(i), 0x85ebca6b) ^ b >>> 13; }
    };
    for (const kind of ['localStorage', 'sessionStorage']) {
      let kept = [];
      try { kept = Object.entries(window[kind]).sort((x, y) => (x[0] < y[0] ? -1 : 1)); } catch (e) { kept = []; }
      for (const [key, value] of kept) {
        any = true;
        add(kind + '\n' + key + '\n' + value.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?|\d{10,}/g, '#') + '\n');
      }
    }
    return any ? [a, b].map((n) => (n >>> 0).toString(16).padStart(8, '0')).join('') : '';
  }

  element(document.documentElement, '', window, 0, 0);
  const doc = document.scrollingElement || document.documentElement;
  // A page that goes on below is a candidate itself.
  if (doc.scrollHeight > window.innerHeight + 4 && doc.scrollTop + window.innerHeight < doc.scrollHeight - 4) {
    if (o.scroll || listens('document', 'scroll') || listens('window', 'scroll'))
      candidates.push({ path: '', tag: 'html', text: 'the page', id: '', type: '', href: '', target: '', action: '', method: '',
        form: false, events: ['scroll'], css: 'html', xpath: '/HTML[1]', box: [0, 0, window.innerWidth, window.innerHeight] });
  }
  const keys = ['keydown', 'keyup', 'keypress'];
  if (keys.some((k) => listens('document', k) || listens('window', k)))
    candidates.push({ path: '', tag: 'html', text: 'the keyboard', id: '', type: '', href: '', target: '', action: '', method: '',
      form: false, events: ['key'], css: 'html', xpath: '/HTML[1]', box: [0, 0, window.innerWidth, window.innerHeight] });
  return JSON.stringify({ url: location.href, origin: location.origin, title: document.title, html: '<!doctype html>' + html.join(''),
    candidates, fields: fields.length, frames, shadows, opaque, unseen, cut, stored: stored(),
    text: [shown(clean(document.body ? document.body.innerText : '')), ...texts].join('\n') });
})
