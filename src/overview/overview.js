// overview.js - the graph, the slider, the states.  Needs simulate.js before it.
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const distance = makeDistance(data);
const $ = (id) => document.getElementById(id);
const el = (tag, attrs, ...kids) => {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attrs || {})) {
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v); else e.setAttribute(k, v);
  }
  e.append(...kids.map((k) => k instanceof Node ? k : document.createTextNode(String(k))));
  return e;
};
const thumb = (n) => data.pictures ? 'screenshots/' + n + '.png' : '';
const label = (n) => n === 0 ? 'start' : 'state ' + n;
let current = null, chosen = null, images = new Map();
let view = { x: 0, y: 0, zoom: 1 };

// ---- the slider ----
function thresholds() { return [Number($('template').value), Number($('content').value) >= data.contentMax ? 128 : Number($('content').value)]; }
function redraw() {
  const [t, c] = thresholds();
  $('template-value').textContent = t.toFixed(2);
  $('content-value').textContent = c >= data.contentMax ? 'ignored' : c.toFixed(2);
  const before = current;
  current = simulate(data, t, c, distance);
  const merged = current.by.filter((b, i) => b !== -1 && b !== i).length;
  $('counts').textContent = current.kept.length + ' states, ' + merged + ' merged, ' + current.edges.length + ' edges, ' +
    current.by.filter((b) => b === -1).length + ' not reached';
  makeGroups();
  showMerges(before);
  if (location.hash === '#statistics') showStatistics();
  if (location.hash === '#list') showList();
  draw();
  window.graph = current; // what a test reads
}

function featureDiff(a, b) {
  const x = new Set(data.paths[a]), y = new Set(data.paths[b]);
  const gone = data.paths[a].filter((p) => !y.has(p)).map((p) => '- ' + data.features[p]);
  const added = data.paths[b].filter((p) => !x.has(p)).map((p) => '+ ' + data.features[p]);
  return gone.concat(added);
}

function pairCard(a, b, kids) {
  const d = [distance.ofTemplate(a, b), distance.ofContent(a, b)], diff = featureDiff(a, b);
  // Pictures are taken of states that count, not of what counted as another one.
  const none = (e) => e.target.replaceWith(el('p', { class: 'mut' }, 'no picture'));
  const side = (n) => el('div', {}, data.pictures ? el('img', { src: thumb(n), alt: 'picture of ' + label(n), loading: 'lazy', onerror: none }) : '',
    el('a', { href: '#state=' + n }, label(n)));
  return el('div', { class: 'pair' }, side(a), side(b),
    el('pre', {}, 'template ' + d[0].toFixed(4) + ', content ' + (+d[1]).toFixed(4) + '\n' +
      (diff.length ? diff.slice(0, 30).join('\n') + (diff.length > 30 ? '\n… ' + (diff.length - 30) + ' more' : '') : 'the same template')), ...(kids || []));
}

// What is merged at this tick, and was not at the one before.
function showMerges(before) {
  const box = $('merges');
  box.replaceChildren();
  const fresh = current.by.map((b, i) => [b, i]).filter(([b, i]) => b !== -1 && b !== i && (!before || before.by[i] !== b));
  const all = current.by.map((b, i) => [b, i]).filter(([b, i]) => b !== -1 && b !== i);
  const list = fresh.length ? fresh : all;
  box.append(el('h2', {}, fresh.length && before ? 'Merged at this step: ' + fresh.length : 'Merged: ' + all.length));
  list.sort((p, q) => current.mergeDistance[q[1]] - current.mergeDistance[p[1]]);
  for (const [b, i] of list.slice(0, 40)) box.append(pairCard(b, i));
  if (list.length > 40) box.append(el('p', { class: 'mut' }, list.length - 40 + ' more'));
}

// ---- twenty questions ----
const answers = [];
function undecided() {
  // The pair nearest to the border between "same" and "different" so far tells most.
  const pairs = [], asked = new Set(answers.map((a) => a.key));
  for (let i = 0; i < current.kept.length && pairs.length < 4000; i++)
    for (let j = 0; j < i; j++) {
      const key = current.kept[j] + '-' + current.kept[i];
      if (!asked.has(key)) pairs.push({ key, a: current.kept[j], b: current.kept[i], d: distance.ofTemplate(current.kept[j], current.kept[i]) });
    }
  const border = suggestion() ? suggestion().threshold : 0.2;
  pairs.sort((p, q) => Math.abs(p.d - border) - Math.abs(q.d - border) || (p.key < q.key ? -1 : 1));
  return pairs[0];
}
// The threshold that contradicts the fewest answers, and the Wilson interval of its being right.
function suggestion() {
  if (answers.length === 0) return null;
  const cuts = [0, ...answers.map((a) => a.d), 1].sort((x, y) => x - y);
  let best = null;
  for (let i = 0; i + 1 < cuts.length; i++) {
    const t = (cuts[i] + cuts[i + 1]) / 2;
    const right = answers.filter((a) => (a.d <= t) === a.same).length;
    if (!best || right > best.right || (right === best.right && cuts[i + 1] - cuts[i] > best.width))
      best = { threshold: t, right, width: cuts[i + 1] - cuts[i] };
  }
  const n = answers.length, p = best.right / n, z = 1.96;
  const middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const half = z * Math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
  return { threshold: best.threshold, low: Math.max(0, middle - half), high: Math.min(1, middle + half), n };
}
function ask() {
  const box = $('questions');
  box.replaceChildren(el('h2', {}, 'Are these the same state? (' + answers.length + ' of 20)'));
  const s = suggestion();
  if (s) box.append(el('p', { id: 'suggestion' }, 'Suggested threshold ' + s.threshold.toFixed(3) + '; agrees with your answers ' +
    Math.round(s.low * 100) + '–' + Math.round(s.high * 100) + ' % of the time (95 % interval, ' + s.n + ' answers) '),
    el('button', { onclick: () => { $('template').value = s.threshold; redraw(); } }, 'Use it'));
  const p = answers.length < 20 ? undecided() : null;
  if (!p) { box.append(el('p', { class: 'mut' }, answers.length < 20 ? 'No pair is left to ask about.' : 'Enough: thank you.')); return; }
  const say = (same) => () => { answers.push({ key: p.key, d: p.d, same }); ask(); };
  box.append(pairCard(p.a, p.b), el('button', { id: 'yes', onclick: say(true) }, 'Yes, the same'), ' ', el('button', { id: 'no', onclick: say(false) }, 'No, different'));
}

// ---- the graph ----
const canvas = $('canvas'), pen = canvas.getContext('2d');
const W = 160, H = 100;
function colours() { const s = getComputedStyle(document.documentElement); return (n) => s.getPropertyValue(n).trim(); }
function picture(n) {
  if (!data.pictures) return null;
  if (!images.has(n)) { const i = new Image(); i.onload = () => draw(); i.src = thumb(n); images.set(n, i); }
  const i = images.get(n);
  return i.complete && i.naturalWidth ? i : null;
}
// Columns stand so far apart that a tall graph is about as wide as it is high.
const extent = (i) => data.places.reduce((m, p) => Math.max(m, p[i]), 0) - data.places.reduce((m, p) => Math.min(m, p[i]), 0);
const columnGap = Math.min(2000, Math.max(260, extent(1) * 150 * 1.1 / Math.max(1, extent(0))));
function place(n) { return grouped && grouped.places.has(n) ? grouped.places.get(n) : [data.places[n][0] * columnGap, data.places[n][1] * 150]; }
// ---- groups: more states than a person can tell apart stand as one box for each part of the application ----
const GROUPS_FROM = 50;
let grouped = null, openGroup = null, shown = [];
// The first two steps of the address, with its route; numbers and long names made up by programs are one.
function partOf(n) {
  const url = new URL(data.states[n].url, 'http://x/'), way = url.pathname.split('/').filter(Boolean), route = url.hash.startsWith('#/') ? url.hash.slice(2).split('/').filter(Boolean) : [];
  return '/' + [...way, ...route].slice(0, 2).map((s) => s.split('?')[0].replace(/\d+/g, 'N')).join('/');
}
function groupsOf(key) {
  const all = new Map();
  for (const n of current.kept) { const k = key(n); if (!all.has(k)) all.set(k, []); all.get(k).push(n); }
  return all;
}
function makeGroups() {
  drawnEdges = null;
  grouped = null;
  shown = current.kept;
  const wanted = $('grouping');
  $('group-box').style.display = current.kept.length > GROUPS_FROM ? '' : 'none';
  if (current.kept.length <= GROUPS_FROM || !wanted.checked) { openGroup = null; return; }
  let all = groupsOf(partOf);
  // One address for everything: by title, then by how far from the start.
  if (all.size < 3) all = groupsOf((n) => data.states[n].title || label(n));
  if (all.size < 3) all = groupsOf((n) => data.places[n][0] + ' events from the start');
  const head = new Map(), names = new Map();
  for (const [key, list] of all) { names.set(list[0], (list.length > 1 ? list.length + ' × ' : '') + key); for (const n of list) head.set(n, list[0]); }
  if (openGroup !== null && all.has(openGroup)) { shown = all.get(openGroup); grouped = { all, places: new Map(), names: new Map(), head: null, inside: new Set(shown) }; return; }
  openGroup = null;
  const places = new Map(), rows = new Map();
  for (const [, list] of all) {
    const column = data.places[list[0]][0], row = rows.get(column) || 0;
    rows.set(column, row + 1);
    places.set(list[0], [column * 420, row * 170]);
  }
  shown = [...places.keys()];
  grouped = { all, places, names, head, inside: null };
}
function openGroupOf(n) {
  for (const [key, list] of grouped ? grouped.all : []) if (list[0] === n && list.length > 1) { openGroup = key; makeGroups(); showGroupBar(); fit(); return true; }
  return false;
}
function showGroupBar() {
  $('group-name').replaceChildren(...(openGroup === null ? [] : [openGroup + ' ', el('button', { onclick: () => { openGroup = null; makeGroups(); showGroupBar(); fit(); } }, 'All groups')]));
}
// Forward from the right side to the left one; back below, from left to right; within a
// column around the right; to itself a loop at the upper corner.
function trace(from, to) {
  const [x, y] = place(from), [u, v] = place(to), a = 5;
  let tip, sign = 1;
  if (from === to) {
    pen.moveTo(x + W - 20, y);
    pen.bezierCurveTo(x + W - 20, y - 26, x + W + 26, y - 4, x + W, y + 16);
    tip = [x + W, y + 16]; sign = -1;
  } else if (u > x) {
    pen.moveTo(x + W, y + H / 2);
    pen.bezierCurveTo(x + W + 60, y + H / 2, u - 60, v + H / 2, u, v + H / 2);
    tip = [u, v + H / 2];
  } else if (u === x) {
    pen.moveTo(x + W, y + H * 0.6);
    pen.bezierCurveTo(x + W + 40, y + H * 0.6, u + W + 40, v + H * 0.4, u + W, v + H * 0.4);
    tip = [u + W, v + H * 0.4]; sign = -1;
  } else {
    pen.moveTo(x, y + H * 0.8);
    pen.bezierCurveTo(x - 60, y + H * 0.8, u + W + 60, v + H * 0.8, u + W, v + H * 0.8);
    tip = [u + W, v + H * 0.8]; sign = -1;
  }
  if (view.zoom < 0.3) return;
  pen.moveTo(tip[0] - sign * a * 1.6, tip[1] - a); pen.lineTo(tip[0], tip[1]); pen.lineTo(tip[0] - sign * a * 1.6, tip[1] + a);
}
// `text` in `width` pixels, with an ellipsis where it does not fit.
function fitText(text, width) {
  if (pen.measureText(text).width <= width) return text;
  let n = text.length;
  while (n > 0 && pen.measureText(text.slice(0, n) + '…').width > width) n--;
  return text.slice(0, n).trimEnd() + '…';
}
// One line for all events between two states; from where it starts to where it ends, and the room it takes.
let drawnEdges = null;
function edgesToDraw() {
  if (drawnEdges) return drawnEdges;
  const seen = new Map();
  drawnEdges = [];
  for (const [a, b, action] of current.edges) {
    if (grouped && grouped.inside && !(grouped.inside.has(a) && grouped.inside.has(b))) continue;
    const from = grouped && grouped.head ? grouped.head.get(a) : a, to = grouped && grouped.head ? grouped.head.get(b) : b;
    const key = from * data.states.length + to;
    if (seen.has(key)) { seen.get(key).more++; continue; }
    const [x, y] = place(from), [u, v] = place(to);
    drawnEdges.push({ from, to, action, more: 0, left: Math.min(x, u) - 60, right: Math.max(x, u) + W + 60, top: Math.min(y, v) - 30, bottom: Math.max(y, v) + H });
    seen.set(key, drawnEdges[drawnEdges.length - 1]);
  }
  return drawnEdges;
}
// From far away a curve cannot be told from a straight line, which costs a tenth.
function traceFar(from, to) {
  const [x, y] = place(from), [u, v] = place(to);
  pen.moveTo(x + W / 2, y + H / 2);
  pen.lineTo(u + W / 2, v + H / 2);
}
function drawEdges(c, box) {
  const far = view.zoom < 0.3, one = far ? traceFar : trace;
  const visible = (e) => e.right > box.left && e.left < box.right && e.bottom > box.top && e.top < box.bottom;
  const all = edgesToDraw().filter(visible);
  pen.lineWidth = 1 / view.zoom;
  pen.strokeStyle = c('--edge');
  pen.globalAlpha = far ? Math.max(0.08, Math.min(0.7, 400 / all.length)) : 1; // far away, many lines would be a grey wall
  pen.beginPath();
  for (const e of all) one(e.from, e.to);
  pen.stroke();
  pen.globalAlpha = 1;
  const own = chosen === null ? [] : all.filter((e) => e.from === chosen || e.to === chosen);
  if (own.length) {
    pen.strokeStyle = c('--acc');
    pen.beginPath();
    for (const e of own) one(e.from, e.to);
    pen.stroke();
  }
  // What leads there: of the chosen state's edges, and of all when they are few.
  if (view.zoom >= 0.35) for (const e of own.length ? own : all.length <= 80 ? all : []) drawEdgeLabel(c, e);
}
// In the middle of its curve.
function drawEdgeLabel(c, e) {
  const [x, y] = place(e.from), [u, v] = place(e.to);
  const [mx, my] = e.from === e.to ? [x + W + 4, y - 8] : u > x ? [(x + W + u) / 2, (y + v + H) / 2] : u === x ? [x + W + 30, (y + v + H) / 2] : [(x + u + W) / 2, (y + v) / 2 + H * 0.8];
  pen.font = '11px system-ui,sans-serif';
  const text = fitText(describe(e.action), 130) + (e.more ? ' +' + e.more : ''), w = pen.measureText(text).width;
  pen.fillStyle = c('--bg');
  pen.globalAlpha = 0.85;
  pen.fillRect(mx - w / 2 - 2, my - 8, w + 4, 13);
  pen.globalAlpha = 1;
  pen.fillStyle = c('--mut');
  pen.fillText(text, mx - w / 2, my + 2);
  pen.font = '13px system-ui,sans-serif';
}
function drawState(c, n) {
  const [x, y] = place(n);
  pen.fillStyle = c('--card');
  pen.fillRect(x, y, W, H);
  const i = view.zoom > 0.25 ? picture(n) : null;
  if (i) pen.drawImage(i, 0, 0, i.naturalWidth, Math.min(i.naturalHeight, i.naturalWidth * H / W), x, y, W, H);
  pen.strokeStyle = n === chosen ? c('--acc') : data.states[n].problems ? c('--warn') : c('--line');
  pen.lineWidth = (n === chosen ? 3 : 1) / view.zoom;
  pen.strokeRect(x, y, W, H);
  if (view.zoom > 0.3) { pen.fillStyle = c('--fg'); pen.fillText(fitText(grouped && grouped.names.has(n) ? grouped.names.get(n) : label(n) + '  ' + data.states[n].title, W), x, y + H + 15); }
}
// A drawing that takes longer than a frame is kept: while the view moves it is only shifted and scaled, and drawn anew at rest.
const kept = { canvas: document.createElement('canvas'), view: null, cost: 0 };
let due = 0, rest = 0;
function drawNow(moving) {
  cancelAnimationFrame(due);
  due = 0;
  const r = canvas.getBoundingClientRect(), k = devicePixelRatio || 1;
  const same = canvas.width === Math.round(r.width * k) && canvas.height === Math.round(r.height * k);
  if (!same) { canvas.width = Math.round(r.width * k); canvas.height = Math.round(r.height * k); }
  if (moving && same && kept.cost > 12 && kept.view) { drawKept(k); clearTimeout(rest); rest = setTimeout(drawNow, 120); return; }
  const begin = performance.now(), read = colours(), known = new Map();
  const c = (name) => { if (!known.has(name)) known.set(name, read(name)); return known.get(name); };
  const box = { left: -view.x / view.zoom, top: -view.y / view.zoom, right: (r.width - view.x) / view.zoom, bottom: (r.height - view.y) / view.zoom };
  pen.setTransform(k, 0, 0, k, 0, 0);
  pen.clearRect(0, 0, r.width, r.height);
  pen.translate(view.x, view.y);
  pen.scale(view.zoom, view.zoom);
  pen.font = '13px system-ui,sans-serif';
  drawEdges(c, box);
  for (const n of shown) {
    const [x, y] = place(n);
    if (x < box.right && y < box.bottom && x + W > box.left && y + H > box.top) drawState(c, n);
  }
  keepDrawing(begin);
}
function keepDrawing(begin) {
  if (performance.now() - begin < 4 && edgesToDraw().length < 500) { kept.cost = 0; return; }
  kept.canvas.width = canvas.width;
  kept.canvas.height = canvas.height;
  kept.canvas.getContext('2d').drawImage(canvas, 0, 0);
  kept.view = Object.assign({}, view);
  kept.cost = edgesToDraw().length > 500 ? Infinity : performance.now() - begin;
}
function drawKept(k) {
  const z = view.zoom / kept.view.zoom;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(kept.canvas, (view.x - kept.view.x * z) * k, (view.y - kept.view.y * z) * k, canvas.width * z, canvas.height * z);
}
// However often the graph changes within a frame, it is drawn once.
function draw(moving) { if (!due) due = requestAnimationFrame(() => drawNow(moving === true)); }
function at(px, py) {
  const x = (px - view.x) / view.zoom, y = (py - view.y) / view.zoom;
  return shown.find((n) => { const [u, v] = place(n); return x >= u && y >= v && x <= u + W && y <= v + H; });
}
function zoomBy(f, px, py) {
  const z = Math.min(4, Math.max(0.02, view.zoom * f));
  view.x = px - (px - view.x) * z / view.zoom;
  view.y = py - (py - view.y) * z / view.zoom;
  view.zoom = z;
  draw(true);
}
function fit() {
  const r = canvas.getBoundingClientRect();
  const xs = shown.map((n) => place(n)[0]), ys = shown.map((n) => place(n)[1]);
  const w = Math.max(...xs) - Math.min(...xs) + W + 80, h = Math.max(...ys) - Math.min(...ys) + H + 80;
  view.zoom = Math.min(1.4, r.width / w, r.height / h);
  view.x = (r.width - w * view.zoom) / 2 + (40 - Math.min(...xs)) * view.zoom;
  view.y = Math.min(60, (r.height - h * view.zoom) / 2) + (40 - Math.min(...ys)) * view.zoom;
  draw();
}
let drag = null;
canvas.addEventListener('pointerdown', (e) => { drag = [e.offsetX, e.offsetY, view.x, view.y, false]; canvas.setPointerCapture(e.pointerId); });
canvas.addEventListener('pointermove', (e) => {
  if (!drag) return;
  if (Math.abs(e.offsetX - drag[0]) + Math.abs(e.offsetY - drag[1]) > 4) drag[4] = true;
  view.x = drag[2] + e.offsetX - drag[0]; view.y = drag[3] + e.offsetY - drag[1];
  draw(true);
});
canvas.addEventListener('pointerup', (e) => { if (drag && !drag[4]) { const n = at(e.offsetX, e.offsetY); if (n !== undefined) choose(n); } drag = null; });
canvas.addEventListener('dblclick', (e) => { const n = at(e.offsetX, e.offsetY); if (n !== undefined && !(openGroup === null && openGroupOf(n))) location.hash = 'state=' + n; });
canvas.addEventListener('wheel', (e) => { e.preventDefault(); zoomBy(Math.exp(-e.deltaY / 400), e.offsetX, e.offsetY); }, { passive: false });
canvas.addEventListener('keydown', (e) => {
  const r = canvas.getBoundingClientRect();
  const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  if (moves[e.key]) { view.x += moves[e.key][0]; view.y += moves[e.key][1]; draw(true); }
  else if (e.key === '+' || e.key === '=') zoomBy(1.25, r.width / 2, r.height / 2);
  else if (e.key === '-') zoomBy(0.8, r.width / 2, r.height / 2);
  else if (e.key === '0') fit();
  else if (e.key === 'n' || e.key === 'p') {
    const i = shown.indexOf(chosen), step = e.key === 'n' ? 1 : shown.length - 1;
    choose(shown[(i + step + shown.length) % shown.length]);
  } else if (e.key === 'Enter' && chosen !== null) { if (!(openGroup === null && openGroupOf(chosen))) location.hash = 'state=' + chosen; }
  else if (e.key === 'Escape' && openGroup !== null) { openGroup = null; makeGroups(); showGroupBar(); fit(); }
  else return;
  e.preventDefault();
});

// ---- states ----
function nearest(n) {
  let best = null;
  for (const k of current.kept) if (k !== n) { const d = distance.ofTemplate(k, n); if (!best || d < best[1]) best = [k, d]; }
  return best;
}
function choose(n) {
  chosen = n;
  $('told').textContent = label(n) + ', ' + (data.states[n].title || 'no title');
  const s = data.states[n], near = nearest(n), box = $('side');
  const out = current.edges.filter((e) => e[0] === n), into = current.edges.filter((e) => e[1] === n);
  box.replaceChildren(el('h2', {}, label(n)), el('p', {}, s.title || el('span', { class: 'mut' }, 'no title')),
    el('p', { class: 'mut' }, s.url),
    data.pictures ? el('a', { href: '#state=' + n }, el('img', { src: thumb(n), alt: 'picture of ' + label(n), style: 'max-width:100%' })) : '',
    el('p', {}, into.length + ' ways in, ' + out.length + ' ways out' + (near ? '; nearest is ' + label(near[0]) + ' at ' + near[1].toFixed(3) : '')),
    el('p', {}, el('a', { href: '#state=' + n }, 'All about this state')));
  const members = grouped && grouped.names.has(n) ? [...grouped.all.values()].find((l) => l[0] === n) : [];
  if (members.length > 1) box.append(el('p', {}, el('button', { onclick: () => openGroupOf(n) }, 'Show the ' + members.length + ' states of this group')), stateList(members.slice(0, 100)));
  draw();
}
function describe(action) {
  const a = data.actions[action];
  return a[2] + ' ' + (a[3] || a[4]);
}
function showState(n) {
  const s = data.states[n], box = $('view-state'), near = nearest(n);
  const shot = el('div', { class: 'shot' }, data.pictures ? el('img', { src: thumb(n), alt: 'picture of ' + label(n) }) : '');
  box.replaceChildren(el('p', {}, el('a', { href: '#' }, '← graph')), el('h2', {}, label(n) + ': ' + s.title), el('p', { class: 'mut' }, s.url),
    el('p', {}, near ? 'Nearest: ' : '', near ? el('a', { href: '#state=' + near[0] }, label(near[0])) : '', near ? ' at ' + near[1].toFixed(4) : '',
      ' · ', el('a', { href: 'doms/' + n + '.html' }, 'captured DOM')),
    s.problems ? el('pre', { class: 'warn' }, s.problems) : '', shot, el('h2', {}, 'Interactions'));
  const rows = [];
  data.actions.forEach((a, i) => {
    if (a[0] !== n) return;
    const edge = current.edges.find((e) => e[2] === i && e[0] === n);
    rows.push(el('tr', {}, el('td', {}, a[2]), el('td', {}, a[3]), el('td', { class: 'mut' }, a[4]),
      el('td', {}, edge && a[6] ? el('pre', { class: 'warn' }, a[6]) : '', edge ? el('a', { href: '#state=' + edge[1] }, label(edge[1])) : el('span', { class: a[5] === 'done' ? 'mut' : 'warn' }, a[5] + (a[6] ? ': ' + a[6] : '')))));
    if (edge && a[7]) shot.append(el('a', { href: '#state=' + edge[1], title: describe(i) + ' → ' + label(edge[1]),
      style: 'left:' + a[7][0] / data.width * 100 + '%;top:' + a[7][1] / data.height * 100 + '%;width:' + a[7][2] / data.width * 100 + '%;height:' + a[7][3] / data.height * 100 + '%' }));
  });
  box.append(el('table', {}, el('tr', {}, ...['event', 'text', 'element', 'leads to'].map((h) => el('th', {}, h))), ...rows));
}
// ---- the list: the same, for who prefers to read ----
const stateList = (list) => el('ul', {}, ...list.map((n) => el('li', {}, el('a', { href: '#state=' + n }, label(n)), ' ' + data.states[n].title)));
let sortBy = 0, sortUp = true;
function listRows() {
  const out = new Map(), into = new Map(), merged = new Map();
  for (const [f, t] of current.edges) { out.set(f, (out.get(f) || 0) + 1); into.set(t, (into.get(t) || 0) + 1); }
  current.by.forEach((b, i) => { if (b !== -1 && b !== i) merged.set(b, (merged.get(b) || []).concat(i)); });
  return current.kept.map((n) => ({ n, cells: [n, data.states[n].title, data.states[n].url, into.get(n) || 0, out.get(n) || 0, (merged.get(n) || []).length, data.states[n].problems ? data.states[n].problems.trim().split('\n').length : 0], merged: merged.get(n) || [] }));
}
function showList() {
  const box = $('view-list'), heads = ['state', 'title', 'address', 'ways in', 'ways out', 'merged', 'problems'], q = $('search').value.toLowerCase();
  const rows = listRows().filter((r) => !q || r.cells.join(' ').toLowerCase().includes(q));
  rows.sort((a, b) => { const x = a.cells[sortBy], y = b.cells[sortBy]; return (x < y ? -1 : x > y ? 1 : a.n - b.n) * (sortUp ? 1 : -1); });
  const head = (h, i) => el('th', { scope: 'col', 'aria-sort': i === sortBy ? (sortUp ? 'ascending' : 'descending') : 'none' },
    el('button', { onclick: () => { sortUp = i === sortBy ? !sortUp : true; sortBy = i; showList(); } }, h));
  const none = (e) => e.target.remove();
  const row = (r) => el('tr', {}, el('td', {}, el('a', { href: '#state=' + r.n }, data.pictures ? el('img', { src: thumb(r.n), alt: '', loading: 'lazy', width: 200, onerror: none }) : '', ' ' + label(r.n))),
    el('td', {}, r.cells[1]), el('td', { class: 'mut' }, r.cells[2]), ...r.cells.slice(3, 5).map((c) => el('td', { class: 'num' }, c)),
    el('td', { class: 'num' }, r.merged.length ? el('details', {}, el('summary', {}, r.merged.length), ...r.merged.slice(0, 30).map((n) => el('div', {}, el('a', { href: '#state=' + n }, label(n)), ' ', el('a', { href: 'doms/' + n + '.html' }, 'DOM')))) : 0),
    el('td', { class: r.cells[6] ? 'num warn' : 'num' }, r.cells[6]));
  box.replaceChildren(el('h2', {}, rows.length + ' states'), el('table', {}, el('thead', {}, el('tr', {}, ...heads.map(head))), el('tbody', {}, ...rows.map(row))));
}
function showStatistics() {
  const box = $('view-statistics'), outs = new Map(), urls = new Map();
  for (const [f] of current.edges) outs.set(f, (outs.get(f) || 0) + 1);
  for (const n of current.kept) urls.set(data.states[n].url, (urls.get(data.states[n].url) || []).concat(n));
  const refused = data.actions.filter((a) => a[5] !== 'done');
  const reasons = new Map();
  for (const a of refused) reasons.set(a[5] + ': ' + a[6], (reasons.get(a[5] + ': ' + a[6]) || 0) + 1);
  const row = (k, v) => el('tr', {}, el('td', {}, k), el('td', { class: 'num' }, v));
  box.replaceChildren(el('h2', {}, 'Statistics'), el('table', {}, row('states', current.kept.length), row('edges', current.edges.length),
    row('observations', data.paths.length), row('events fired', data.transitions.length), row('URLs', urls.size),
    row('how it ended', data.end)),
    el('h2', {}, 'Not done, and why'), el('table', {}, ...[...reasons].sort((a, b) => b[1] - a[1]).map(([k, v]) => row(k, v))),
    el('h2', {}, 'URLs'), el('table', {}, ...[...urls].map(([u, list]) => el('tr', {}, el('td', {}, u), el('td', {}, ...list.flatMap((n) => [el('a', { href: '#state=' + n }, label(n)), ' ']))))),
    el('h2', {}, 'Configuration'), el('pre', {}, data.settings));
}

const tabs = ['graph', 'list', 'statistics'];
function route() {
  const m = /^#state=(\d+)$/.exec(location.hash);
  const tab = m ? 'state' : tabs.includes(location.hash.slice(1)) ? location.hash.slice(1) : 'graph';
  for (const name of [...tabs, 'state']) {
    const on = name === tab;
    const v = name === 'graph' ? [$('graph'), $('aside')] : [$('view-' + name)];
    for (const e of v) e.style.display = on ? 'block' : 'none';
    const b = $('tab-' + name);
    if (b) { b.setAttribute('aria-selected', String(on)); b.tabIndex = on || (tab === 'state' && name === 'graph') ? 0 : -1; }
  }
  if (m && Number(m[1]) < data.states.length) showState(Number(m[1]));
  if (tab === 'statistics') showStatistics();
  if (tab === 'list') showList();
  if (tab === 'graph') draw();
}
for (const name of tabs) $('tab-' + name).onclick = () => { location.hash = name === 'graph' ? '' : name; };
// As the pattern of tabs has it: arrows move among them, Home and End to the ends.
$('tabs').addEventListener('keydown', (e) => {
  const i = tabs.findIndex((t) => $('tab-' + t) === document.activeElement), last = tabs.length - 1;
  const to = { ArrowRight: i === last ? 0 : i + 1, ArrowLeft: i === 0 ? last : i - 1, Home: 0, End: last }[e.key];
  if (i < 0 || to === undefined) return;
  e.preventDefault();
  $('tab-' + tabs[to]).focus();
  $('tab-' + tabs[to]).click();
});
$('grouping').addEventListener('change', () => { makeGroups(); showGroupBar(); fit(); });
for (const id of ['template', 'content']) $(id).addEventListener('input', redraw);
$('search').addEventListener('input', (e) => {
  const q = e.target.value.toLowerCase();
  if (location.hash === '#list') { showList(); return; }
  const hit = q && current.kept.find((n) => (data.states[n].url + ' ' + data.states[n].title + ' ' + label(n)).toLowerCase().includes(q));
  if (hit !== undefined && hit !== '') { if (grouped && !shown.includes(hit)) for (const [key, list] of grouped.all) if (list.includes(hit)) { openGroup = key; makeGroups(); showGroupBar(); } choose(hit); const r = canvas.getBoundingClientRect(), [x, y] = place(hit); view.x = r.width / 2 - (x + W / 2) * view.zoom; view.y = r.height / 2 - (y + H / 2) * view.zoom; draw(); }
});
document.addEventListener('keydown', (e) => { if (e.key === '/' && e.target.tagName !== 'INPUT') { e.preventDefault(); $('search').focus(); } });
window.addEventListener('hashchange', route);
window.addEventListener('resize', () => draw());
$('template').value = $('template').min = data.thresholds[0];
$('content').max = data.contentMax;
// The crawl's own threshold is where it starts; below it the graph would be incomplete.
$('content').min = 0;
$('content').value = Math.min(data.thresholds[1], data.contentMax);
$('title').textContent = data.url;
redraw();
ask();
route();
fit();
// What the slider needs is counted while nobody waits.
const idle = window.requestIdleCallback || ((f) => setTimeout(f, 50));
(function prepare() { if (!distance.prepare(12)) idle(prepare); })();
