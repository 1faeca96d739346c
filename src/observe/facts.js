// facts.js - what an element says of itself, for the guard: before it is offered, and of what is hit by the click.
//
// `dom` is dom.js.  Gives a function of an element and how much text counts; it answers {says, marks, around}, lower case:
// says: what people read (name, title, label, picture's title), marks: what programs call it (id, class, icon,
// handler, link, action) in words, around: what the dialog or form it stands in is about.
((dom) => {
  'use strict';
  const flat = (s) => (s || '').replace(/\s+/g, ' ').trim();
  // btnDeleteAll, btn-delete_all and /btn/delete/all are the words btn delete all.
  const words = (s) => flat((s || '').slice(0, 400).replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2').replace(/[^A-Za-z0-9\u0080-\uffff]+/g, ' '));
  const naming = ['aria-label', 'title', 'alt', 'value', 'placeholder', 'label', 'data-title', 'data-original-title', 'data-bs-original-title',
    'data-tooltip', 'data-tip', 'data-label', 'data-confirm', 'data-turbo-confirm', 'hx-confirm', 'aria-description', 'data-content', 'aria-roledescription'];
  const marking = ['id', 'name', 'class', 'data-action', 'data-icon', 'data-testid', 'data-test', 'data-cy', 'data-qa', 'data-method', 'data-command', 'data-cmd',
    'data-op', 'data-target', 'data-bs-target', 'ng-click', 'v-on:click', '@click', 'x-on:click', 'on-click', '(click)', 'wire:click', 'data-event', 'jsaction',
    'aria-controls', 'aria-keyshortcuts', 'formaction', 'icon', 'data-lucide', 'data-feather', 'phx-click', 'data-ga', 'data-track', 'data-behavior'];
  const pictures = 'svg, use, i, img, span[class*=icon], span[class*=Icon], mat-icon, ion-icon, fa-icon, iconify-icon, sl-icon, md-icon, wa-icon, [data-icon], [data-lucide]';

  function labelledBy(el, name) {
    const root = dom.root(el);
    return (dom.attr(el, name) || '').split(/\s+/).filter(Boolean).slice(0, 8).map((id) => {
      const other = root.getElementById ? root.getElementById(id) : null;
      return other ? dom.text(other).slice(0, 200) : '';
    });
  }
  // Text of its own: what stands in controls inside it is theirs.
  function ownText(el, most) {
    const inner = dom.all(el, 'a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=menuitem], [role=tab], [onclick]');
    if (inner.length === 0) return dom.text(el).slice(0, most);
    let out = '';
    for (const n of dom.nodes(el)) {
      if (dom.kind(n) === 3) out += ' ' + n.data;
      else if (dom.kind(n) === 1 && ![...inner].some((i) => i === n || dom.contains(n, i))) out += ' ' + dom.text(n);
      if (out.length > most) break;
    }
    return out.slice(0, most);
  }
  function names(el, most) {
    const out = [ownText(el, most)];
    for (const a of naming) if (dom.has(el, a) && !(a === 'value' && /^(checkbox|radio|text|search|email|password|hidden|number|date)$/.test(dom.type(el)))) out.push(dom.attr(el, a).slice(0, 200));
    if (/^(submit|button|reset|image)$/.test(dom.type(el))) out.push(dom.value(el));
    out.push(...labelledBy(el, 'aria-labelledby'), ...labelledBy(el, 'aria-describedby'));
    for (const t of [...dom.all(el, 'svg title, svg desc, img[alt], [aria-label], [title]')].slice(0, 8))
      out.push((dom.attr(t, 'alt') || dom.attr(t, 'aria-label') || dom.attr(t, 'title') || (/^(TITLE|DESC)$/i.test(t.tagName) ? t.textContent : '')).slice(0, 100));
    return out;
  }
  function pictureWords(el) {
    const out = [];
    for (const p of [...dom.all(el, pictures)].slice(0, 8)) {
      out.push(words(dom.attr(p, 'class')), words(dom.attr(p, 'data-icon')), words(dom.attr(p, 'data-lucide')), words(dom.attr(p, 'name')), words(dom.id(p)), words(dom.attr(p, 'icon')));
      const link = dom.attr(p, 'href') || dom.attr(p, 'xlink:href') || dom.attr(p, 'src') || '';
      if (!/^data:/.test(link)) out.push(words(link.split(/[?]/)[0].split(/[/#]/).slice(-1)[0]));
      // A ligature of an icon font: <i class=material-icons>delete</i>.
      if (/material|symbol|icon/i.test((dom.attr(p, 'class') || '') + dom.tag(p))) out.push(words(p.textContent.slice(0, 40)));
    }
    return out;
  }
  function dialogOf(el) {
    for (let e = el, n = 0; e && n < 60; e = dom.above(e), n++)
      if (dom.tag(e) === 'DIALOG' || /^(dialog|alertdialog)$/.test(dom.attr(e, 'role') || '') || dom.attr(e, 'aria-modal') === 'true' || /(^|[\s_-])(modal|dialog|popconfirm|confirm|swal2-popup)([\s_-]|$)/i.test(dom.attr(e, 'class') || '')) return e;
    return null;
  }
  function around(el) {
    const out = [], form = dom.form(el) || dom.closest(el, 'form'), dialog = dialogOf(el);
    if (dialog && dialog !== el) out.push(flat([dom.attr(dialog, 'aria-label') || '', ...labelledBy(dialog, 'aria-labelledby'), dom.text(dialog)].join(' ')).slice(0, 300));
    if (form && (form === el || /^(submit|image)$/.test(dom.type(el)))) {
      for (const f of dom.elements(form)) {
        if (dom.tag(f) === 'SELECT' && f.selectedOptions[0]) out.push(flat(f.selectedOptions[0].text));
        if (dom.type(f) === 'radio' && f.checked && f.labels && f.labels[0]) out.push(flat(dom.text(f.labels[0])).slice(0, 80));
        if (dom.type(f) === 'hidden' && /^(_?action|op|operation|do|cmd|command|task|mode|act)$/i.test(dom.attr(f, 'name') || '')) out.push(words(dom.value(f)));
      }
    }
    // A group that says what its only control is for: a table cell with a title, a list item with a label.
    for (let e = dom.above(el), n = 0; e && n < 3; e = dom.above(e), n++) {
      if (dom.all(e, 'a[href], button, input, select').length > 1) break;
      out.push(dom.attr(e, 'aria-label') || '', dom.attr(e, 'title') || '', dom.attr(e, 'data-tooltip') || '', n === 0 ? words(dom.attr(e, 'class')) : '');
    }
    return out;
  }
  const join = (list) => flat(list.filter(Boolean).join(' \u00b7 ')).toLowerCase().normalize('NFC');
  return (el, most) => ({
    says: join(names(el, most || 200)).slice(0, 600),
    marks: join([...marking.map((a) => words(dom.attr(el, a))), words(dom.attr(el, 'onclick')), ...pictureWords(el)]).slice(0, 600),
    around: join(around(el)).slice(0, 600),
  });
})
