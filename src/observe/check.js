// check.js - what of a state shuts people out: rules of our own after WCAG 2.2, each decided by the document alone.
//
// `dom` is dom.js.  Gives a JSON list of lines "rule: selector", bounded; what does not show is not judged.  A contrast is only told where the
// background is one plain colour.
(() => {
  'use strict';
  const out = [], counts = new Map(), all = [...document.getElementsByTagName('*')].slice(0, 20000);
  const shown = (el) => dom.shows(el, { checkVisibilityCSS: true });
  const hidden = (el) => dom.closest(el, '[aria-hidden=true], [hidden]') !== null;
  const where = (el) => {
    const id = dom.id(el), parts = [];
    if (id) return dom.tag(el).toLowerCase() + '#' + id;
    for (let e = el, n = 0; e && n < 3; e = dom.above(e), n++)
      parts.unshift(dom.tag(e).toLowerCase() + ((dom.attr(e, 'class') || '').trim() ? '.' + (dom.attr(e, 'class') || '').trim().split(/\s+/)[0] : ''));
    return parts.join(' > ');
  };
  // Five of a kind tell enough.
  const bad = (rule, el) => {
    const n = (counts.get(rule) || 0) + 1;
    counts.set(rule, n);
    if (n <= 5) out.push(rule + (el ? ': ' + where(el) : ''));
  };
  const byIds = (el, name) => (dom.attr(el, name) || '').split(/\s+/).filter(Boolean);
  const named = (el) => {
    const root = dom.root(el);
    const text = (e) => (e.textContent || '').trim() || [...dom.all(e, 'img[alt], [aria-label], [title], svg title')].some((i) => (dom.attr(i, 'alt') || dom.attr(i, 'aria-label') || dom.attr(i, 'title') || i.textContent || '').trim());
    return (dom.attr(el, 'aria-label') || '').trim() || (dom.attr(el, 'title') || '').trim() || byIds(el, 'aria-labelledby').some((id) => root.getElementById && root.getElementById(id) && text(root.getElementById(id))) || text(el);
  };
  const labelled = (el) => named(el) || (el.labels && [...el.labels].some((l) => (l.textContent || '').trim())) || (dom.attr(el, 'placeholder') || '').trim();

  if (!(dom.attr(dom.top(document), 'lang') || '').trim()) bad('the page names no language');
  if (!dom.title(document).trim()) bad('the page has no title');
  const viewport = document.querySelector('meta[name=viewport]');
  if (viewport && /user-scalable\s*=\s*(no|0)|maximum-scale\s*=\s*(0|1)(\.0*)?\b/i.test(dom.attr(viewport, 'content') || '')) bad('the page cannot be enlarged');
  const ids = new Map();
  let level = 0;
  for (const el of all) {
    const tag = dom.tag(el), type = dom.type(el), role = dom.attr(el, 'role') || '', id = dom.id(el);
    if (id) { if (ids.has(id)) bad('two elements have one id', el); ids.set(id, el); }
    if (!shown(el) || hidden(el)) continue;
    if (tag === 'IMG' && !dom.has(el, 'alt') && !/^(presentation|none)$/.test(role) && !named(el)) bad('a picture has no text in its place', el);
    if ((tag === 'BUTTON' || role === 'button') && !named(el)) bad('a button has no name', el);
    if (tag === 'INPUT' && /^(submit|button|reset)$/.test(type) && !dom.value(el) && type === 'button' && !named(el)) bad('a button has no name', el);
    if (tag === 'A' && dom.has(el, 'href') && !named(el)) bad('a link has no name', el);
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(tag) && !/^(hidden|submit|button|reset|image)$/.test(type) && !labelled(el)) bad('a field has no label', el);
    if (/^(IFRAME|FRAME)$/.test(tag) && !(dom.attr(el, 'title') || dom.attr(el, 'aria-label') || '').trim()) bad('a frame has no title', el);
    if (Number(dom.attr(el, 'tabindex')) > 0) bad('a tabindex above 0 changes the order of the keyboard', el);
    for (const name of ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for'])
      if ((name !== 'for' || tag === 'LABEL') && name !== 'aria-controls') for (const ref of byIds(el, name)) if (!dom.root(el).getElementById || !dom.root(el).getElementById(ref)) bad(name + ' names an element that is not there', el);
    const heading = /^H([1-6])$/.exec(tag);
    if (heading) { const n = Number(heading[1]); if (level && n > level + 1) bad('a heading skips a level', el); level = n; }
  }
  // Text and its background, WCAG 1.4.3.
  const colour = (s) => { const m = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(s); return m ? [Number(m[1]), Number(m[2]), Number(m[3]), m[4] === undefined ? 1 : Number(m[4])] : null; };
  const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (el) => {
    for (let e = el; e; e = dom.above(e)) {
      const s = getComputedStyle(e), c = colour(s.backgroundColor);
      if (s.backgroundImage !== 'none' || !c || Number(s.opacity) < 1) return null;
      if (c[3] === 1) return c;
      if (c[3] > 0) return null;
    }
    return [255, 255, 255, 1];
  };
  let judged = 0;
  for (const el of all) {
    if (![...dom.nodes(el)].some((n) => dom.kind(n) === 3 && n.data.trim()) || dom.disabled(el) || !shown(el) || hidden(el) || /^(SCRIPT|STYLE|OPTION|TITLE|NOSCRIPT)$/.test(dom.tag(el))) continue;
    if (++judged > 2000) break;
    const s = getComputedStyle(el), front = colour(s.color), back = behind(el), size = parseFloat(s.fontSize), r = dom.rect(el);
    if (!front || front[3] < 1 || !back || r.width < 2 || r.height < 2) continue;
    const a = light(front.slice(0, 3)), b = light(back.slice(0, 3)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const large = size >= 24 || (size >= 18.66 && Number(s.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5) - 0.005) bad('text has too little contrast', el);
  }
  return JSON.stringify(out);
})()
