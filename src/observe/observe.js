// observe.js - what a page shows and offers, as one JSON text.
//
// Runs in a world apart from the page's own scripts, and changes nothing; `dom` is dom.js, `facts` facts.js.  What the page
// listens for is told by listeners.js.  An element is named
// by its way from the document: child indexes, 's' into a shadow root, 'f' into a
// frame's document, 'F' into that of another origin.  There this script cannot look: such a frame
// is named in `opaque`, is observed by the same script in its own world, and what that said comes back
// in o.frames.  `o` = {volatile: [class...], max: candidates, scroll: offer it always,
// addresses: offer those that only stand in the document, named: [address that its files name...], listeners: {way: [type...]}, frames: {way: observation}, include, exclude: [CSS selector or XPath...],
// strip: [CSS selector of what is part of no fingerprint...]}.
// What does not show is written with the attribute x-unseen and is part of no template.
((o) => {
  'use strict';
  const volatile = new Set(o.volatile);
  const silent = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'LINK', 'META']);
  const listened = new Map(Object.entries(o.listeners).map(([way, types]) => [way, new Set(types)]));
  const listens = (way, type) => listened.has(way) && listened.get(way).has(type);
  const clickRoles = /^(button|link|tab|menuitem|menuitemcheckbox|menuitemradio|option|checkbox|switch|radio|treeitem|combobox|gridcell)$/;
  const clickInputs = /^(submit|button|image|reset|checkbox|radio|file|color)$/;
  const html = [], candidates = [], opaque = [], texts = [], stripped = [];
  let stripping = false;
  let frames = 0, shadows = 0, unseen = 0, cut = 0, nodes = 0;

  const escape = (s) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
  // The words that fill.js makes up are no content of the page.
  const clean = (s) => s.replace(/thresh\d{4}|Tr3sh!\d{4}/g, '');
  const short = (s) => clean(s || '').replace(/\s+/g, ' ').trim().slice(0, 80);

  function name(el) {
    return short(dom.attr(el, 'aria-label') || dom.text(el) || dom.value(el) || dom.attr(el, 'title') || dom.attr(el, 'alt') ||
      dom.attr(el, 'placeholder') || dom.attr(el, 'name') || '');
  }

  // An area of an image map has no box of its own: its shape lies over the image.
  function areaBox(el) {
    const map = dom.closest(el, 'map'), called = map && (dom.attr(map, 'name') || dom.id(map));
    const image = called && [...dom.doc(el).images].find((i) => (dom.attr(i, 'usemap') || '').slice(1) === called);
    if (!image) return null;
    const r = dom.rect(image), c = (dom.attr(el, 'coords') || '').split(/[\s,]+/).map(Number), xs = c.filter((v, i) => i % 2 === 0), ys = c.filter((v, i) => i % 2 === 1);
    if (c.length === 3) return new DOMRect(r.left + c[0] - c[2] / 2, r.top + c[1] - c[2] / 2, c[2], c[2]);
    if (c.length < 4 || c.some(Number.isNaN)) return r;
    const left = Math.min(...xs), top = Math.min(...ys);
    return new DOMRect(r.left + left, r.top + top, Math.max(...xs) - left, Math.max(...ys) - top);
  }

  function visible(el, view) {
    const r = dom.tag(el) === 'AREA' ? areaBox(el) : dom.rect(el);
    if (!r || r.width < 2 || r.height < 2) return null;
    if (dom.tag(el) !== 'AREA' && !dom.shows(el, { checkOpacity: true, checkVisibilityCSS: true })) return null;
    // Left or above of where scrolling can lead is nowhere.
    const doc = dom.scroller(view.document);
    if (r.right + doc.scrollLeft <= 0 || r.bottom + doc.scrollTop <= 0) return null;
    return r;
  }

  const isText = (tag, type) => tag === 'TEXTAREA' || (tag === 'INPUT' && /^(text|search|email|url|tel|number|password)$/.test(type));
  const fieldsOf = (form) => [...dom.elements(form)];
  // A button that sends a form with something to fill in; clicking it without is another event.
  function sends(el, tag, type) {
    const form = dom.form(el);
    if (!form || !/^(BUTTON|INPUT)$/.test(tag) || !/^(submit|image)$/.test(type)) return false;
    return fieldsOf(form).some((f) => /^(SELECT|TEXTAREA)$/.test(dom.tag(f)) ||
      (dom.tag(f) === 'INPUT' && !/^(hidden|submit|image|button|reset|file)$/.test(dom.type(f))));
  }

  // A form that no button sends: its page does, or the Enter key.
  function lacksButton(form) {
    const all = fieldsOf(form);
    return all.some((f) => /^(INPUT|SELECT|TEXTAREA)$/.test(dom.tag(f)) && dom.type(f) !== 'hidden') && !all.some((f) => /^(submit|image|button)$/.test(dom.type(f)));
  }

  // Its events, and whether anything but a listener says that it is a control.
  function eventsOf(el, path, view) {
    const tag = dom.tag(el), type = dom.type(el);
    const has = new Set();
    if ((tag === 'A' || tag === 'AREA') && dom.has(el, 'href')) has.add('click');
    if (tag === 'BUTTON' || tag === 'SUMMARY') has.add('click');
    if (tag === 'INPUT' && clickInputs.test(type)) has.add('click');
    if (tag === 'SELECT' && [...el.options].filter((p) => !p.disabled).length > 1) has.add('choose');
    if (sends(el, tag, type) || (tag === 'FORM' && lacksButton(el))) has.add('submit');
    const rich = /^(|true|plaintext-only)$/.test(dom.has(el, 'contenteditable') ? dom.attr(el, 'contenteditable') : 'false');
    if ((isText(tag, type) && !dom.form(el)) || rich) has.add('key');
    if (clickRoles.test(dom.attr(el, 'role') || '')) has.add('click');
    const own = has.size > 0 || dom.has(el, 'onclick') || (dom.has(el, 'tabindex') && dom.attr(el, 'tabindex') !== '-1');
    const on = (n) => listens(path, n) || dom.has(el, 'on' + n);
    if (on('click')) has.add('click');
    if (on('mousedown') || on('mouseup') || on('pointerdown') || on('touchstart')) { has.add('click'); has.add('longpress'); }
    if (on('dblclick')) has.add('dblclick');
    if (on('contextmenu')) has.add('contextmenu');
    if (on('mouseover') || on('mouseenter') || on('pointerover') || on('pointerenter')) has.add('hover');
    if (on('keydown') || on('keyup') || on('keypress')) has.add('key');
    if (on('focus') || on('focusin')) has.add('focus');
    if (on('scroll') && dom.scrollHeight(el) > dom.clientHeight(el) + 4) has.add('scroll');
    let hand = false;
    if (!own) {
      const up = dom.above(el);
      // A hand where the parent has none: somebody up there listens for this one.
      hand = up !== null && view.getComputedStyle(el).cursor === 'pointer' && view.getComputedStyle(up).cursor !== 'pointer';
      if (hand && has.size === 0) has.add('click');
    }
    return { events: has, own: own || hand };
  }

  // Does a CSS selector or XPath of the list name the element, or one around it?  What is neither is text, which is not decided here.
  const found = new Map();
  function named(list, el) {
    return list.some((what) => {
      try {
        if (!/^\.?\/|^\(/.test(what)) return dom.closest(el, what) !== null;
        const doc = dom.doc(el), key = what + '\n' + doc.URL;
        if (!found.has(key)) {
          const hits = doc.evaluate(what, doc, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null), set = new Set();
          for (let i = 0; i < hits.snapshotLength; i++) set.add(hits.snapshotItem(i));
          found.set(key, set);
        }
        for (let e = el; e; e = dom.above(e)) if (found.get(key).has(e)) return true;
        return false;
      } catch (e) { return false; }
    });
  }

  // How the server would be asked: frameworks write other methods than a form can have into attributes or a hidden field.
  function methodOf(el, form) {
    for (const key of ['data-method', 'data-turbo-method', 'formmethod', 'data-http-method'])
      if (dom.has(el, key)) return dom.attr(el, key).toLowerCase();
    for (const key of ['delete', 'put', 'patch', 'post']) if (dom.has(el, 'hx-' + key) || dom.has(el, 'data-hx-' + key)) return key;
    if (!form) return '';
    const hidden = fieldsOf(form).find((f) => dom.type(f) === 'hidden' && dom.attr(f, 'name') === '_method');
    return (hidden ? dom.value(hidden) : dom.attr(form, 'method') || 'get').toLowerCase();
  }

  // Where a form goes; one that does not say goes to the page's own address.
  function actionOf(el, form) {
    for (const key of ['hx-delete', 'hx-post', 'hx-put', 'hx-patch', 'hx-get', 'data-url']) if (dom.has(el, key)) return dom.attr(el, key);
    if (!form || !(el === form || /^(submit|image)$/.test(dom.type(el)))) return '';
    return dom.attr(el, 'formaction') || dom.attr(form, 'action') || (methodOf(el, form) === 'get' ? '' : dom.doc(el).URL);
  }

  function selector(el) {
    const root = dom.root(el), id = dom.id(el);
    if (id && /^[A-Za-z][\w-]*$/.test(id) && root.querySelectorAll('#' + id).length === 1) return '#' + id;
    const parts = [];
    for (let e = el; e && dom.kind(e) === 1; e = dom.parent(e)) {
      let n = 1;
      for (let s = dom.before(e); s; s = dom.before(s)) if (dom.tag(s) === dom.tag(e)) n++;
      parts.unshift(dom.tag(e).toLowerCase() + ':nth-of-type(' + n + ')');
    }
    return parts.join(' > ');
  }

  function xpath(el) {
    const parts = [];
    for (let e = el; e && dom.kind(e) === 1; e = dom.parent(e)) {
      let n = 1;
      for (let s = dom.before(e); s; s = dom.before(s)) if (dom.tag(s) === dom.tag(e)) n++;
      parts.unshift(dom.tag(e) + '[' + n + ']');
    }
    return '/' + parts.join('/');
  }

  // Style rules that show something while something is pointed at: {on, shows}, two selectors.
  const hoverRules = new Map();
  function rulesOf(root) {
    if (hoverRules.has(root)) return hoverRules.get(root);
    const rules = [];
    const walk = (list) => {
      for (const rule of list) {
        const s = rule.style, all = rule.selectorText || '';
        const shows = s && { display: s.display && s.display !== 'none', visibility: s.visibility === 'visible', opacity: Number(s.opacity) > 0 };
        for (const one of shows && (shows.display || shows.visibility || shows.opacity) && all.includes(':hover') ? all.split(',') : []) {
          const at = one.indexOf(':hover');
          if (at > 0 && rules.length < 500) rules.push({ on: one.slice(0, at), shows: one.replaceAll(':hover', ''), by: shows });
        }
        if (rule.cssRules) walk(rule.cssRules);
      }
    };
    for (const sheet of root.styleSheets || []) try { walk(sheet.cssRules); } catch (e) { /* of another origin: closed to us */ }
    hoverRules.set(root, rules);
    return rules;
  }

  // What must be pointed at before the element shows, and its way; null when nothing helps.
  function hoverFor(el, path, view) {
    for (const rule of rulesOf(dom.root(el))) {
      let on = null;
      try {
        const shown = dom.closest(el, rule.shows), up = shown && dom.above(shown);
        // What something else around it hides as well is not shown by pointing.
        const now = up && view.getComputedStyle(shown);
        // And only what this very property hides, of some size.
        const own = dom.rect(el);
        if (up && dom.shows(up) && ((rule.by.display && now.display === 'none') || (own.width > 1 && own.height > 1 && ((rule.by.visibility && now.visibility !== 'visible') || (rule.by.opacity && Number(now.opacity) === 0)))))
          on = dom.closest(shown, rule.on);
      } catch (e) { on = null; }
      const r = on && on !== el && visible(on, view);
      if (!r) continue;
      let up = 0;
      for (let e = el; e !== on; e = dom.parent(e)) up++;
      return { path: path.split('/').slice(0, -up).join('/'), css: selector(on), box: r };
    }
    return null;
  }

  const round = (r, dx, dy) => [Math.round(r.left + dx), Math.round(r.top + dy), Math.round(r.width), Math.round(r.height)];

  function offer(el, path, view, dx, dy) {
    const { events, own } = eventsOf(el, path, view);
    if (events.size === 0) return;
    let r = visible(el, view);
    const hover = r ? null : hoverFor(el, path, view);
    if (hover && hover.path) r = hover.box;
    if (!r || dom.disabled(el) || dom.attr(el, 'aria-disabled') === 'true') return;
    if (candidates.length >= o.max) { cut++; return; }
    const form = dom.form(el) || dom.closest(el, 'form'), link = dom.href(el);
    candidates.push({
      path, tag: dom.tag(el).toLowerCase(), text: name(el), id: dom.id(el), type: dom.type(el), href: link,
      target: dom.attr(el, 'target') || '', action: actionOf(el, form),
      method: methodOf(el, form), included: named(o.include, el), excluded: named(o.exclude, el), form: form ? true : false,
      events: [...events], css: selector(el), xpath: xpath(el), hover: hover ? hover.path : '', hover_css: hover ? hover.css : '',
      role: dom.attr(el, 'role') || '', spot: [50, 50], ...facts(el), box: round(r, dx, dy), el, own, r,
    });
  }

  // A class that a program made up for one element: a hash of at least 16 digits.
  const made = (c) => /(^|[^0-9A-Za-z])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{16,}$/.test(c);

  function attributes(el) {
    let out = '';
    for (const a of dom.attributes(el)) {
      let value = a.value;
      if (a.name === 'class') value = value.split(/\s+/).filter((c) => c && !volatile.has(c) && !made(c)).join(' ');
      if (a.name === 'x-unseen' || !/^[\w:.@()[\]#-]+$/.test(a.name)) continue;
      out += ' ' + a.name + '="' + escape(clean(value)) + '"';
    }
    return out;
  }

  // True when anything in it shows.
  function children(node, path, view, dx, dy, hidden) {
    let i = 0, any = false;
    for (const child of dom.nodes(node)) {
      if (dom.kind(child) === 3) html.push(escape(clean(child.data)));
      else if (dom.kind(child) === 1) { any = element(child, path + (path ? '/' : '') + i, view, dx, dy, hidden) || any; i++; }
    }
    return any;
  }

  function frame(el, path, view, dx, dy, hidden) {
    let doc = null;
    try { doc = el.contentDocument; } catch (e) { doc = null; }
    const top = doc && dom.top(doc);
    const shows = !hidden && dom.shows(el);
    // A frame would swallow its contents as raw text, so it is written by another name.
    html.push('<x-frame' + attributes(el) + (shows ? '' : ' x-unseen') + '>');
    if (top) {
      const r = dom.rect(el);
      frames++;
      element(top, path + '/f', dom.view(doc) || view, dx + r.left + dom.clientLeft(el), dy + r.top + dom.clientTop(el), !shows);
    } else foreign(el, path, dx, dy);
    html.push('</x-frame>');
    return shows;
  }

  // What a frame of another origin said of itself, at its place here.
  function foreign(el, path, dx, dy) {
    const seen = o.frames[path];
    if (!seen) { opaque.push(path); return; }
    const r = dom.rect(el), x = dx + r.left + dom.clientLeft(el), y = dy + r.top + dom.clientTop(el);
    if (seen.why) { unseen++; return; }
    frames += 1 + seen.frames; shadows += seen.shadows; unseen += seen.unseen; cut += seen.cut;
    html.push(seen.html.replace(/^<!doctype html>/, ''));
    texts.push(seen.text);
    const shown = visible(el, dom.view(dom.doc(el)));
    for (const c of shown ? seen.candidates : []) {
      if (candidates.length >= o.max) { cut++; continue; }
      candidates.push(Object.assign(c, { path: path + '/F' + (c.path ? '/' + c.path : ''), origin: c.origin || seen.origin,
        hover: c.hover ? path + '/F/' + c.hover : '', hover_css: c.hover ? selector(el) + ' >>> ' + c.hover_css : '',
        css: selector(el) + ' >>> ' + c.css, box: [c.box[0] + Math.round(x), c.box[1] + Math.round(y), c.box[2], c.box[3]] }));
    }
  }

  // Something with no height that hides what overflows hides all of it.
  function clips(el, view) {
    const r = dom.rect(el);
    if (r.height >= 1 && r.width >= 1) return false;
    const s = view.getComputedStyle(el);
    return s.display !== 'contents' && s.display !== 'inline' && /hidden|clip|scroll|auto/.test(r.height < 1 ? s.overflowY : s.overflowX);
  }

  // True when it, or something in it, shows.
  function element(el, path, view, dx, dy, hidden) {
    const tag = dom.tag(el), low = tag.toLowerCase();
    if (silent.has(tag) || dom.id(el) === 'thresh-calm') return false;
    if (++nodes > o.nodes) { if (nodes === o.nodes + 1) cut++; return false; }
    if (tag === 'IFRAME' || tag === 'FRAME') return frame(el, path, view, dx, dy, hidden);
    const bare = !stripping && strips(el), begin = html.length;
    if (bare) { stripping = true; stripped.push(clean(dom.text(el))); }
    // What is placed by itself may leave the box that clips the rest.
    const gone = (hidden && !/^(fixed|absolute)$/.test(view.getComputedStyle(el).position)) || clips(el, view);
    let shows = !gone && (dom.shows(el, { checkVisibilityCSS: true }) || tag === 'HTML' || tag === 'BODY' || tag === 'AREA');
    html.push('<' + low + attributes(el) + '>');
    if (!gone || tag === 'A') offer(el, path, view, dx, dy);
    const root = dom.shadow(el);
    if (root) {
      shadows++;
      // The visible text of a page ends at its shadow roots.
      if (visible(el, view)) texts.push(...[...root.children].map((c) => clean(dom.text(c))));
      html.push('<x-shadow>');
      shows = children(root, path + '/s', view, dx, dy, gone) || shows;
      html.push('</x-shadow>');
    }
    if (tag !== 'TEXTAREA') shows = children(el, path, view, dx, dy, gone) || shows;
    if (!shows) html[begin] = html[begin].slice(0, -1) + ' x-unseen>';
    if (!/^(area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/.test(low)) html.push('</' + low + '>');
    if (bare) { html.length = begin; stripping = false; }
    return shows;
  }

  // Elements that the user wants out of the fingerprints stay what they are: their controls are offered.
  function strips(el) {
    return o.strip.some((s) => { try { return dom.matches(el, s); } catch (e) { return false; } });
  }
  const shown = (text) => stripped.reduce((all, part) => part ? all.replace(part, '') : all, text);

  // One event per hit target.  A box that only listens for what happens in it is no control; one around a single control of the same
  // name is that control; otherwise it is clicked where none of those in it stands, or not at all.
  const pointed = ['click', 'dblclick', 'contextmenu', 'hover', 'longpress', 'focus'];
  function without(c, kinds) { c.events = c.events.filter((e) => !kinds.includes(e)); }
  const inside = (outer, inner) => outer !== inner && (outer.path === '' || inner.path.startsWith(outer.path + '/'));
  // `all` is in document order: what is inside follows at once.
  function settle(c, all, at) {
    const within = [];
    for (let i = at + 1; i < all.length && inside(c, all[i]); i++)
      if (!all[i].hover && all[i].events.some((e) => c.events.includes(e))) within.push(all[i]);
    const b = c.box, large = b[2] * b[3] > 0.4 * window.innerWidth * window.innerHeight;
    if (!c.own && (within.length > 3 || (large && within.length > 0))) { without(c, pointed); return; }
    if (within.length === 0) return;
    if (within.length === 1 && within[0].text === c.text && !c.href) { without(c, within[0].events); return; }
    for (const [fx, fy] of [[50, 50], [25, 50], [75, 50]]) {
      const x = b[0] + b[2] * fx / 100, y = b[1] + b[3] * fy / 100;
      if (!within.some((d) => x >= d.box[0] && x <= d.box[0] + d.box[2] && y >= d.box[1] && y <= d.box[1] + d.box[3])) { c.spot = [fx, fy]; return; }
    }
    without(c, pointed);
  }
  // A list that listens for its items: each of them is a control.
  function spread(c, next) {
    const kids = [...dom.children(c.el)];
    if (c.own || !c.events.includes('click') || !listens(c.path, 'click') || kids.length < 2 || kids.length > 50 || kids.some((k) => dom.tag(k) !== dom.tag(kids[0]))) return;
    if (!/^(LI|TR|TD|DT|DD|DIV|SPAN|OPTION|ARTICLE)$/.test(dom.tag(kids[0]))) return;
    if ((next && inside(c, next)) || candidates.length + kids.length > o.max) return;
    kids.forEach((el, i) => {
      const r = visible(el, window), path = c.path + '/' + i;
      if (r) candidates.push(Object.assign({}, c, { path, tag: dom.tag(el).toLowerCase(), text: name(el), id: dom.id(el), events: ['click'], css: selector(el), xpath: xpath(el),
        ...facts(el), box: [c.box[0] + Math.round(r.left - c.r.left), c.box[1] + Math.round(r.top - c.r.top), Math.round(r.width), Math.round(r.height)], el, own: true }));
    });
    without(c, ['click']);
  }

  // Does something else lie over it?  Only what is in the window can be asked; null: it is not.
  function covered(c) {
    const view = dom.view(dom.doc(c.el)) || window, r = c.r, label = c.el.labels ? [...c.el.labels] : [];
    let asked = false;
    for (const [fx, fy] of [c.spot, [50, 50], [10, 50], [90, 50], [50, 10], [50, 90]]) {
      const x = r.left + r.width * fx / 100, y = r.top + r.height * fy / 100;
      if (x < 0 || y < 0 || x >= view.innerWidth || y >= view.innerHeight) continue;
      asked = true;
      let top = dom.doc(c.el).elementFromPoint(x, y);
      for (let root = top && dom.shadow(top); root; root = top && dom.shadow(top)) {
        const deeper = root.elementFromPoint(x, y);
        if (!deeper || deeper === top) break;
        top = deeper;
      }
      for (let e = top; e; e = dom.above(e)) if (e === c.el || label.includes(e)) return false;
      for (let e = c.el; e; e = dom.above(e)) if (e === top) return false;
    }
    return asked ? true : null;
  }
  // Nobody can click what is covered.  Where a dialog covers nearly all that is in the window, it covers the rest of the page, too.
  function dropCovered(list) {
    const pointer = list.filter((c) => !c.hover && c.tag !== 'area' && c.events.some((e) => pointed.includes(e)));
    const state = new Map(pointer.map((c) => [c, covered(c)]));
    const asked = pointer.filter((c) => state.get(c) !== null), under = asked.filter((c) => state.get(c));
    const modal = under.length >= 3 && under.length >= 0.6 * asked.length;
    const over = asked.filter((c) => !state.get(c)).map((c) => c.path.split('/').slice(0, 2).join('/'));
    for (const c of pointer)
      if (state.get(c) || (modal && state.get(c) === null && !over.includes(c.path.split('/').slice(0, 2).join('/')))) without(c, [...pointed, 'choose', 'submit', 'key']);
  }

  // Addresses of this site that the document names without showing a link: in attributes, comments, scripts and plain text.
  const named_in = ['href', 'src', 'action', 'formaction', 'cite', 'longdesc', 'data', 'poster', 'background', 'archive', 'codebase', 'manifest', 'ping', 'lowsrc', 'dynsrc', 'value', 'data-href', 'data-url', 'data-src', 'implementation'];
  const plain = /\.(css|js|mjs|map|png|jpe?g|gif|svg|ico|webp|avif|woff2?|ttf|eot|mp[34]|webm|ogg|wasm)([?#]|$)/i;
  function addresses(linked) {
    const out = new Set(), all = document.getElementsByTagName('*');
    const add = (text, guess) => {
      if (out.size >= 80 || !text || text.length > 500 || /^(#|data:|javascript:|mailto:|tel:|blob:|about:)/i.test(text.trim())) return;
      let url = null;
      try { url = new URL(text.trim(), guess ? location.href : document.baseURI); } catch (e) { return; }
      url.hash = '';
      if (url.origin !== location.origin || plain.test(url.pathname) || url.href === location.href.split('#')[0]) return;
      if (!linked.has(url.href)) out.add(url.href);
    };
    const guesses = (text, most) => {
      const strings = /(?:https?:)?\/\/[^\s"'`<>\\(){}|^]+|(?<=["'`(=\s]|^)\.{0,2}\/[A-Za-z0-9_][\w\-.\/]*(?:\?[\w\-=&%.]*)?(?=["'`)\s]|$)/g;
      let n = 0;
      for (const m of text.slice(0, 100000).matchAll(strings)) { if (n++ >= most) break; add(m[0].replace(/[.,;:!?]+$/, ''), true); }
    };
    let i = 0;
    for (const el of all) {
      if (++i > 20000) break;
      const tag = dom.tag(el);
      if (tag === 'LINK' && !/^(alternate|next|prev|canonical|help|search|author|license|import|manifest|start|up|index)$/i.test(dom.attr(el, 'rel') || '')) continue;
      // How a form that posts is sent is known to its own event only.
      const posts = tag === 'FORM' && /^post$/i.test(dom.attr(el, 'method') || '');
      for (const a of named_in) if (dom.has(el, a) && !(posts && a === 'action') && !(a === 'value' && tag !== 'PARAM') && !(a === 'src' && /^(SCRIPT|IFRAME|FRAME|IMG|EMBED)$/.test(tag))) (a === 'archive' || a === 'ping' ? dom.attr(el, a).split(/[\s,]+/) : [dom.attr(el, a)]).forEach((t) => add(t));
      if (dom.has(el, 'srcset')) dom.attr(el, 'srcset').split(',').forEach((t) => add(t.trim().split(/\s+/)[0]));
      if (tag === 'META') (dom.attr(el, 'content') || '').split(/[;\s]+/).forEach((t) => { const m = /^(?:[\w-]+=)?((?:https?:\/\/|\/).+)$/i.exec(t.replace(/^['"]|['"]$/g, '')); if (m) add(m[1]); });
      if (tag === 'SCRIPT' && !dom.has(el, 'src')) guesses(el.textContent, 40);
    }
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT | NodeFilter.SHOW_TEXT);
    for (let n = walker.nextNode(), k = 0; n && k < 5000; n = walker.nextNode(), k++)
      if (n.data.includes('/') && !(n.parentNode && /^(SCRIPT|STYLE)$/.test(n.parentNode.nodeName))) guesses(n.data.replace(/(href|src)=/g, '$1= '), 5);
    for (const t of o.named) add(t, true);
    return [...out];
  }

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

  // A moment of time is no content: two looks at one state would differ.
  const timeless = (s) => s.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?([.,]\d+)?(Z|[+-]\d\d:?\d\d)?/g, '#').replace(/\b\d{1,2}:\d\d:\d\d\b( ?[AaPp][Mm])?/g, '#');
  const top = dom.top(document), body = dom.body(document);
  // Between two documents there is none: a page without anything.
  if (top) element(top, '', window, 0, 0, false);
  const mine = candidates.filter((c) => c.el);
  const before = mine.map((c) => Object.assign({}, c));
  mine.forEach((c, i) => settle(c, before, i));
  dropCovered(mine);
  mine.forEach((c, i) => spread(c, before[i + 1]));
  const offered = candidates.filter((c) => c.events.length > 0);
  for (const c of offered) { delete c.el; delete c.own; delete c.r; }
  const linked = new Set(offered.filter((c) => c.href).map((c) => c.href.split('#')[0]));
  const whole = (text, event) => ({ path: '', tag: 'html', text, id: '', type: '', href: '', target: '', action: '', method: '',
    form: false, events: [event], css: 'html', xpath: '/HTML[1]', spot: [50, 50], says: '', marks: '', around: '', role: '', box: [0, 0, window.innerWidth, window.innerHeight] });
  // A page that goes on below is a candidate itself.
  const doc = top && dom.scroller(document);
  if (doc && doc.scrollHeight > window.innerHeight + 4 && doc.scrollTop + window.innerHeight < doc.scrollHeight - 4 &&
    (o.scroll || listens('document', 'scroll') || listens('window', 'scroll') || listens('window', 'intersection')))
    offered.push(whole('the page', 'scroll'));
  if (['keydown', 'keyup', 'keypress'].some((k) => listens('document', k) || listens('window', k)))
    offered.push(whole('the keyboard', 'key'));
  // Of the page itself: an address that a frame names would lead the page away.
  if (o.addresses && window.top === window && /^https?:$/.test(location.protocol))
    for (const href of addresses(linked)) {
      const where = new URL(href);
      if (offered.length < o.max) offered.push(Object.assign(whole(short(where.pathname + where.search), 'open'), { tag: 'a', href, says: '', marks: '' }));
    }
  return JSON.stringify({ url: location.href, origin: location.origin, title: top ? dom.title(document) : '', html: '<!doctype html>' + html.join(''),
    candidates: offered, frames, shadows, opaque, unseen, cut, stored: stored(),
    text: [shown(clean(body ? dom.text(body) : '')), ...texts].map(timeless).join('\n') });
})
