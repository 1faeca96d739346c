// dom.js - the document as the standard has it, whatever a page calls its fields.
//
// A form answers to the names of its fields before its own properties (form.type, form.action ...), a document to
// those of its images and frames.  So every property that a page can cover is read by the getter of its
// prototype, which in our world no script of the page has touched.  Gives an object of functions.
(() => {
  'use strict';
  const find = (proto, name) => {
    for (let p = proto; p; p = Object.getPrototypeOf(p)) {
      const d = Object.getOwnPropertyDescriptor(p, name);
      if (d) return d;
    }
    return {};
  };
  const get = (proto, name) => { const g = find(proto, name).get; return (o) => g.call(o); };
  const call = (proto, name) => { const f = find(proto, name).value; return (o, ...a) => f.apply(o, a); };
  const E = Element.prototype, N = Node.prototype, H = HTMLElement.prototype, D = Document.prototype;
  const tagName = get(E, 'tagName'), getAttribute = call(E, 'getAttribute'), innerText = get(H, 'innerText');
  const textContent = get(N, 'textContent'), parentNode = get(N, 'parentNode'), kind = get(N, 'nodeType');
  const typed = { INPUT: HTMLInputElement, BUTTON: HTMLButtonElement, SELECT: HTMLSelectElement, TEXTAREA: HTMLTextAreaElement };
  const types = {}, values = {}, forms = {};
  for (const [tag, kind] of Object.entries(typed)) {
    types[tag] = get(kind.prototype, 'type');
    values[tag] = get(kind.prototype, 'value');
    forms[tag] = get(kind.prototype, 'form');
  }
  const hrefs = { A: get(HTMLAnchorElement.prototype, 'href'), AREA: get(HTMLAreaElement.prototype, 'href') };
  const tag = (el) => { const t = tagName(el); return typeof t === 'string' ? t.toUpperCase() : ''; };
  const of = (table, el, none) => { const g = table[tag(el)]; try { return g ? g(el) : none; } catch (e) { return none; } };
  const dom = {
    tag,
    attr: (el, name) => getAttribute(el, name),
    has: call(E, 'hasAttribute'),
    attributes: get(E, 'attributes'),
    nodes: get(N, 'childNodes'),
    children: get(E, 'children'),
    parent: parentNode,
    kind,
    before: get(E, 'previousElementSibling'),
    // The element around it, also out of a shadow root.
    above: (el) => { const p = parentNode(el), k = p ? kind(p) : 0; return k === 1 ? p : k === 11 && p.host ? p.host : null; },
    root: call(N, 'getRootNode'),
    shadow: get(E, 'shadowRoot'),
    rect: call(E, 'getBoundingClientRect'),
    rects: call(E, 'getClientRects'),
    shows: call(E, 'checkVisibility'),
    closest: call(E, 'closest'),
    matches: call(E, 'matches'),
    all: call(E, 'querySelectorAll'),
    contains: call(N, 'contains'),
    doc: get(N, 'ownerDocument'),
    scroll: call(E, 'scrollIntoView'),
    clientLeft: get(E, 'clientLeft'), clientTop: get(E, 'clientTop'),
    clientHeight: get(E, 'clientHeight'), scrollHeight: get(E, 'scrollHeight'),
    top: get(D, 'documentElement'),
    body: get(D, 'body'),
    scroller: (d) => get(D, 'scrollingElement')(d) || get(D, 'documentElement')(d),
    title: get(D, 'title'),
    view: get(D, 'defaultView'),
    focused: get(D, 'activeElement'),
    elements: get(HTMLFormElement.prototype, 'elements'),
    type: (el) => String(of(types, el, '') || '').toLowerCase(),
    value: (el) => String(of(values, el, '') || ''),
    form: (el) => of(forms, el, null) || (tag(el) === 'FORM' ? el : null),
    href: (el) => String(of(hrefs, el, '') || ''),
    id: (el) => getAttribute(el, 'id') || '',
    text: (el) => { try { return innerText(el) || ''; } catch (e) { return textContent(el) || ''; } },
    disabled: (el) => typed[tag(el)] ? call(E, 'matches')(el, ':disabled') : false,
  };
  return dom;
})()
