// simulate.js - the graph at a chosen threshold: states/simulate.c again, in JavaScript.
//
// `data` = {paths: [[id...]...] ascending, content: [lower triangle of the matrix], transitions: [[from, to, action]...]}.
// A test runs both over all thresholds and compares.
'use strict';

function pathDistance(a, b) {
  let i = 0, j = 0, both = 0;
  while (i < a.length && j < b.length) {
    const x = a[i], y = b[j];
    if (x === y) both++;
    if (x <= y) i++;
    if (y <= x) j++;
  }
  const either = a.length + b.length - both;
  return either ? 1 - both / either : 0;
}

// How far the contents of raw states a and b are, in the measure of the crawl's method.
function contentDistance(matrix, a, b) {
  if (a === b) return 0;
  const [low, high] = a < b ? [a, b] : [b, a];
  return matrix[high * (high - 1) / 2 + low];
}

function makeDistance(data) {
  const known = new Map(), n = data.paths.length;
  return function (a, b) {
    const key = a < b ? a * n + b : b * n + a;
    let d = known.get(key);
    if (d === undefined) {
      d = [pathDistance(data.paths[a], data.paths[b]), contentDistance(data.content, a, b)];
      known.set(key, d);
    }
    return d;
  };
}

// The four invariants of states/simulate.h, in order.
function simulate(data, ofTemplate, ofContent, distance) {
  const by = new Array(data.paths.length).fill(-1), mergeDistance = new Array(data.paths.length).fill(0);
  const kept = [0], edges = [], seen = new Set();
  by[0] = 0;
  for (const [from, to, action] of data.transitions) {
    if (by[from] !== from) continue;
    if (by[to] === -1) {
      let best = -1, near = null;
      for (const k of kept) {
        const d = distance(k, to);
        if (d[0] > ofTemplate || d[1] > ofContent) continue;
        if (best === -1 || d[0] < near[0] || (d[0] === near[0] && d[1] < near[1])) { best = k; near = d; }
      }
      if (best === -1) { by[to] = to; kept.push(to); } else { by[to] = best; mergeDistance[to] = near[0]; }
    }
    const key = from + ' ' + by[to] + ' ' + action;
    if (!seen.has(key)) { seen.add(key); edges.push([from, by[to], action]); }
  }
  return { by, kept, edges, mergeDistance };
}
