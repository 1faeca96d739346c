// simulate.js - the graph at a chosen threshold: states/simulate.c again, in JavaScript.
//
// `data` = {paths: [[id...]...] ascending, content: [lower triangle of the matrix], transitions: [[from, to, action]...]}.
// A test runs both over all thresholds and compares.
'use strict';

// How many ways two states have in common.
function inCommon(a, b) {
  let i = 0, j = 0, both = 0;
  while (i < a.length && j < b.length) {
    const x = a[i], y = b[j];
    if (x === y) both++;
    if (x <= y) i++;
    if (y <= x) j++;
  }
  return both;
}

// Distances of two raw states: of their templates, and of their contents in the measure of the crawl's method.
// What two templates have in common is counted once and kept: `prepare(ms)` counts for so long, and says whether all is counted.
function makeDistance(data) {
  const n = data.paths.length, paths = data.paths.map((p) => Uint32Array.from(p));
  const content = Float64Array.from(data.content);
  const common = new Int32Array(n * (n - 1) / 2).fill(-1);
  let next = 0, row = 1, column = 0;
  const place = (a, b) => a < b ? b * (b - 1) / 2 + a : a * (a - 1) / 2 + b;
  const distance = {
    ofTemplate(a, b) {
      if (a === b) return 0;
      const at = place(a, b);
      let both = common[at];
      if (both < 0) both = common[at] = inCommon(paths[a], paths[b]);
      const either = paths[a].length + paths[b].length - both;
      return either ? 1 - both / either : 0;
    },
    ofContent: (a, b) => a === b ? 0 : content[place(a, b)],
    prepare(ms) {
      const end = performance.now() + ms;
      while (next < common.length) {
        for (let k = 0; k < 500 && next < common.length; k++, next++) {
          if (common[next] < 0) common[next] = inCommon(paths[row], paths[column]);
          if (++column === row) { row++; column = 0; }
        }
        if (performance.now() > end) break;
      }
      return next === common.length;
    },
  };
  return distance;
}

// The four invariants of states/simulate.h, in order.
function simulate(data, ofTemplate, ofContent, distance) {
  const by = new Array(data.paths.length).fill(-1), mergeDistance = new Array(data.paths.length).fill(0);
  const kept = [0], edges = [], seen = new Set();
  by[0] = 0;
  for (const [from, to, action] of data.transitions) {
    if (by[from] === -1) continue;
    if (by[to] === -1) {
      let best = -1, near = 0, nearContent = 0;
      for (const k of kept) {
        const d = distance.ofTemplate(k, to);
        if (d > ofTemplate || (best !== -1 && d > near)) continue;
        const c = distance.ofContent(k, to);
        if (c > ofContent) continue;
        if (best === -1 || d < near || c < nearContent) { best = k; near = d; nearContent = c; }
      }
      if (best === -1) { by[to] = to; kept.push(to); } else { by[to] = best; mergeDistance[to] = near; }
    }
    const key = by[from] + ' ' + by[to] + ' ' + action;
    if (!seen.has(key)) { seen.add(key); edges.push([by[from], by[to], action]); }
  }
  return { by, kept, edges, mergeDistance };
}
