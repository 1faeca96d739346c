// fill.js - give every field of a form a value that it accepts.
//
// `dom` and `find` are those scripts; `o` = {path, seed, avoid: [word...], values: {name or id or label: value}, event}; event 'key' fills one field only.  Values fit type, pattern,
// min, max, step, length, required and what the label asks for; what the page says is
// invalid is tried again with what it asks.  Answers JSON: {filled: [[selector, value, check | select | fill]...],
// invalid: [[name, message]...]}.  Words that we make up read "thresh" or "Tr3sh!" and
// four digits, so that observe.js can tell them from the page's content.
((o) => {
  'use strict';
  const start = find(o.path)?.el;
  if (!start) return JSON.stringify({ filled: [], invalid: [] });
  const form = dom.form(start) || dom.closest(start, 'form');
  const within = form ? [...dom.elements(form)] : [...dom.doc(start).querySelectorAll('input, textarea, select')];
  const all = () => o.event === 'key' ? [start] : within.filter((e) => /^(INPUT|TEXTAREA|SELECT)$/.test(dom.tag(e)));
  // What would take something away is never chosen.
  const bad = (text) => { const t = ' ' + (text || '').toLowerCase().replace(/[\s_-]+/g, ' ') + ' '; return o.avoid.some((w) => /[\u3000-\uffff]/.test(w) ? t.includes(w) : t.includes(' ' + w + ' ')); };
  const filled = [];
  // For who does it again by hand or script.
  const quote = (t) => '"' + t.replace(/[\\"]/g, '\\$&') + '"';
  const selector = (el) => dom.id(el) ? '#' + CSS.escape(dom.id(el)) : dom.tag(el).toLowerCase() + (dom.attr(el, 'name') ? '[name=' + quote(dom.attr(el, 'name')) + ']' : '') +
    (dom.type(el) === 'radio' ? '[value=' + quote(dom.value(el)) + ']' : '');
  let salt = o.seed >>> 0;
  const digit = () => { salt = (Math.imul(salt, 1664525) + 1013904223) >>> 0; return (salt >>> 24) % 10; };

  const labelOf = (el) => [el.labels && el.labels[0] && el.labels[0].innerText, el.getAttribute('aria-label'), el.placeholder, el.name, el.id]
    .filter(Boolean).join(' ').toLowerCase();
  const pad = (n, w) => String(n).padStart(w, '0');

  // A word for a regular expression of the simple kinds that forms use.
  function fromPattern(p) {
    let out = '';
    const atom = /\[([^\]]+)\]|\\d|\\w|\\s|\\(.)|\.|\(([^()]*)\)|([^\\[\](){}*+?|^$.])/y;
    for (let i = 0; i < p.length;) {
      if (p[i] === '^' || p[i] === '$') { i++; continue; }
      atom.lastIndex = i;
      const m = atom.exec(p);
      if (!m) return null;
      i = atom.lastIndex;
      let make;
      if (m[1] !== undefined) {
        const c = m[1].startsWith('^') ? 'a' : /0-9|\\d/.test(m[1]) && !/a-z|A-Z|\\w/.test(m[1]) ? null : /a-z|\\w/.test(m[1]) ? 'a' : /A-Z/.test(m[1]) ? 'A' : m[1][0];
        make = () => c === null ? String(digit()) : c;
      } else if (m[0] === '\\d') make = () => String(digit());
      else if (m[0] === '\\w' || m[0] === '.') make = () => 'a';
      else if (m[0] === '\\s') make = () => ' ';
      else if (m[2] !== undefined) make = () => m[2];
      else if (m[3] !== undefined) make = () => fromPattern(m[3].split('|')[0]) || '';
      else make = () => m[4];
      let times = 1;
      const q = /\{(\d+)(,(\d*))?\}|[*+?]/y;
      q.lastIndex = i;
      const r = q.exec(p);
      if (r) { i = q.lastIndex; times = r[1] !== undefined ? Number(r[1]) : r[0] === '+' ? 1 : r[0] === '*' ? 0 : 1; }
      for (let k = 0; k < times; k++) out += make();
    }
    return out;
  }

  function given(el) {
    const label = labelOf(el);
    for (const [key, value] of Object.entries(o.values || {}))
      if (key === el.name || key === el.id || label.includes(key.toLowerCase())) return value;
    return undefined;
  }

  function token() {
    let t = 'thresh';
    for (let i = 0; i < 4; i++) t += digit();
    return t;
  }

  function number(el) {
    const min = el.min === '' ? -Infinity : Number(el.min), max = el.max === '' ? Infinity : Number(el.max);
    const step = el.step === '' || el.step === 'any' ? 1 : Number(el.step);
    let v = min > -Infinity ? min + step : Math.min(max, 7);
    if (v > max) v = max;
    return String(v);
  }

  // What the page asks for in words: "at least 18", "8 or more characters".
  function fromMessage(el) {
    const m = el.validity.customError && /(\d+)/.exec(el.validationMessage);
    if (!m) return null;
    const n = Number(m[1]);
    if (!/char|letter|long|zeichen|caract/i.test(el.validationMessage)) return String(/less|most|max|under|below/i.test(el.validationMessage) ? n - 1 : n);
    return token().padEnd(Math.min(n, 200), 'a');
  }

  function valueOf(el) {
    const type = (el.type || 'text').toLowerCase(), label = labelOf(el);
    const user = given(el);
    if (user !== undefined) return user;
    const asked = fromMessage(el);
    if (asked !== null) return asked;
    if (/confirm|repeat|again|retype/.test(label)) {
      const twin = all().find((e) => e !== el && e.type === el.type && e.value !== '');
      if (twin) return twin.value;
    }
    if (type === 'email') return token() + '@example.org';
    if (type === 'url') return 'https://example.org/' + token();
    if (type === 'tel') return el.pattern ? fromPattern(el.pattern) : '5550100' + digit() + digit() + digit();
    if (type === 'number' || type === 'range') return number(el);
    if (type === 'date') return el.min || (el.max && el.max < '2025-06-15' ? el.max : '2025-06-15');
    if (type === 'month') return el.min || '2025-06';
    if (type === 'week') return el.min || '2025-W24';
    if (type === 'time') return el.min || '12:00';
    if (type === 'datetime-local') return el.min || '2025-06-15T12:00';
    if (type === 'color') return '#336699';
    if (type === 'password') return ('Tr3sh!' + digit() + digit() + digit() + digit()).padEnd(el.minLength, 'a');
    let v = null;
    if (el.pattern) v = fromPattern(el.pattern);
    if (v === null) {
      if (/e-?mail/.test(label)) v = token() + '@example.org';
      else if (/phone|mobile|\btel/.test(label)) v = '555010' + pad(digit() * 100 + digit() * 10 + digit(), 4);
      else if (/zip|postal|post code/.test(label)) v = '12345';
      else if (/date|birth|\bdob\b/.test(label)) v = '2020-06-15';
      else if (/year/.test(label)) v = '2020';
      else if (/age|count|quantity|number|amount|price/.test(label)) v = '7';
      else if (/city|town/.test(label)) v = 'Springfield';
      else if (/street|address/.test(label)) v = '12 Main Street';
      else if (/country/.test(label)) v = 'Portugal';
      else if (/first|given/.test(label)) v = 'Maria';
      else if (/last|family|sur/.test(label)) v = 'Silva';
      else v = token();
    }
    while (el.minLength > 0 && v.length < el.minLength) v += 'a';
    if (el.maxLength > 0) v = v.slice(0, el.maxLength);
    return v;
  }

  function set(el, value) {
    const proto = Object.getPrototypeOf(el);
    const d = Object.getOwnPropertyDescriptor(proto, 'value');
    if (d && d.set) d.set.call(el, value); else el.value = value;
    el.dispatchEvent(new Event('input', { bubbles: true }));
    el.dispatchEvent(new Event('change', { bubbles: true }));
    filled.push([selector(el), value, dom.tag(el) === 'SELECT' ? 'select' : 'fill']);
  }

  const radios = new Set();
  for (const el of all()) {
    const type = (el.type || '').toLowerCase();
    if (el.disabled || el.readOnly || /^(hidden|submit|button|reset|image|file)$/.test(type)) continue;
    if (type === 'checkbox') { if (el.required && !el.checked) { HTMLElement.prototype.click.call(el); filled.push([selector(el), 'on', 'check']); } continue; }
    if (type === 'radio') {
      if (!radios.has(el.name) && !all().some((r) => r.type === 'radio' && r.name === el.name && r.checked)) { HTMLElement.prototype.click.call(el); filled.push([selector(el), 'on', 'check']); }
      radios.add(el.name);
      continue;
    }
    if (el.tagName === 'SELECT') {
      const want = given(el), options = [...el.options].filter((p) => !p.disabled && p.value !== '' && !bad(p.text) && !bad(p.value));
      const pick = options.find((p) => p.value === want || p.text === want) || options[0];
      if (pick && (el.value === '' || want !== undefined)) set(el, pick.value);
      continue;
    }
    if (el.value && el.checkValidity()) continue;
    set(el, valueOf(el));
  }
  const invalid = [];
  for (const el of all())
    if (el.willValidate && !el.checkValidity()) invalid.push([el.name || el.id || el.type, el.validationMessage]);
  return JSON.stringify({ filled, invalid });
})
