// The forest plot: one line per comparison, drawn from numbers that are all there.
const Forest = (() => {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";
  const MAX_ROWS = 40;
  const COMPARABLE = 8; // metrics whose widest rows differ by more have axes of their own
  const NARROW = 620; // below it a name stands above its line
  const FONT = "13px system-ui, sans-serif";
  const LENGTHS = [60, 45, 34, 26, 20, 16, 13, 11, 9, 7, 5]; // characters of a name, tried until all labels fit

  function element(parent, name, attributes, text) {
    const made = parent.appendChild(document.createElementNS(SVG, name));
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  const finite = (values) => values.filter(Number.isFinite);
  const reach = (row) => Math.max(0, ...finite([Math.abs(row.low), Math.abs(row.high)]));

  // The rows by axis: metrics whose differences are of one size share one; costs have units of their own.
  function panels(rows) {
    const widest = new Map();
    rows.filter((row) => !row.cost).forEach((row) => widest.set(row.m, Math.max(widest.get(row.m) || 0, reach(row))));
    const found = [];
    for (const [m, size] of [...widest].sort((one, other) => one[1] - other[1])) {
      const last = found[found.length - 1];
      if (!last || (last.least && size > COMPARABLE * last.least)) found.push({ least: size, metrics: [m] });
      else Object.assign(last, { least: last.least || size, metrics: [...last.metrics, m] });
    }
    const costs = new Set(rows.filter((row) => row.cost).map((row) => row.m));
    const parts = [...found, ...[...costs].map((m) => ({ metrics: [m] }))].map(({ metrics }) => rows.filter((row) => metrics.includes(row.m)));
    return parts.sort((one, other) => rows.indexOf(one[0]) - rows.indexOf(other[0]));
  }

  // What a row is called, names shortened in the middle.
  function labels(rows, longest) {
    const pairs = new Set(rows.map((row) => row.pair));
    const metrics = new Set(rows.map((row) => row.m));
    return rows.map((row) => {
      const [metric, a, b] = [row.metric, row.a, row.b].map((name) => shortened(name, longest));
      if (pairs.size === 1) return metric;
      return metrics.size === 1 ? `${a} − ${b}` : `${metric}: ${a} − ${b}`;
    });
  }

  function shortened(text, longest) {
    const half = Math.floor((longest - 1) / 2);
    return text.length <= longest ? text : `${text.slice(0, half)}…${text.slice(-half)}`;
  }

  // The longest labels of which none is wider than the room, and the width of the widest.
  function fitted(rows, room) {
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.font = FONT;
    let names = [];
    let widest = 0;
    for (const longest of LENGTHS) {
      names = labels(rows, longest);
      widest = Math.max(0, ...names.map((name) => canvas.measureText(name).width));
      if (widest <= room) break;
    }
    return [names, widest];
  }

  function ticks(low, high, most) {
    const raw = (high - low) / most;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw * (1 - 1e-9));
    const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const found = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) {
      found.push([i * step, places > 9 || Math.abs(high) >= 1e6 ? Words.general(i * step) : (i * step || 0).toFixed(places)]);
    }
    return found;
  }

  function range(rows) {
    const ends = finite(rows.flatMap((row) => [row.low, row.estimate, row.high]));
    const low = Math.min(0, ...ends);
    const high = Math.max(0, ...ends);
    const spread = high - low || 1;
    const widest = Math.min(Math.max(0, ...rows.map((row) => row.width)), 2 * spread);
    const from = Math.min(low, -widest);
    const to = Math.max(high, widest);
    const margin = 0.04 * (to - from || 1);
    return [from - margin, to + margin];
  }

  const MARKS = {
    better: (x, y) => `M${x - 5},${y - 5}L${x + 6},${y}L${x - 5},${y + 5}Z`,
    worse: (x, y) => `M${x + 5},${y - 5}L${x - 6},${y}L${x + 5},${y + 5}Z`,
    open: (x, y) => `M${x - 4.5},${y}a4.5,4.5 0 1,0 9,0a4.5,4.5 0 1,0 -9,0Z`,
  };

  function drawRow(svg, row, y, place, [left, right]) {
    if (Number.isNaN(row.estimate)) return;
    const kind = row.winner !== null ? row.outcome : "open";
    const inside = (value) => Math.min(right, Math.max(left, place(value)));
    const group = element(svg, "g", { class: kind });
    element(group, "title", {}, `${row.metric}, ${row.a} − ${row.b}: ${row.shown.estimate} ${row.shown.interval}`);
    if (Number.isFinite(row.low) || Number.isFinite(row.high)) {
      element(group, "line", { x1: inside(row.low), x2: inside(row.high), y1: y, y2: y, "stroke-width": 2 });
    }
    element(group, "path", { d: MARKS[kind](inside(row.estimate), y) });
  }

  function drawAxis(svg, found, place, top, bottom) {
    for (const [value, text] of found) {
      element(svg, "line", { class: "grid", x1: place(value), x2: place(value), y1: top, y2: bottom });
      element(svg, "text", { x: place(value), y: bottom + 16, "text-anchor": "middle" }, text.replace("-", "−"));
    }
    element(svg, "line", { class: "zero", x1: place(0), x2: place(0), y1: top, y2: bottom });
  }

  // The rows that are drawn: of many those of the leader, and of too many still those with the smallest p-values.
  function chosen(rows, leader) {
    if (rows.length <= MAX_ROWS) return rows;
    const own = rows.filter((row) => (leader === row.i || leader === row.j) && Words.compared(row));
    const kept = own.length ? own : rows;
    const clarity = (row) => (Words.compared(row) ? row.adjusted : 2);
    const clearest = new Set([...kept].sort((one, other) => clarity(one) - clarity(other)).slice(0, MAX_ROWS));
    return kept.filter((row) => clearest.has(row));
  }

  function drawPanel(svg, rows, names, top, { left, right, rowHeight, narrow }) {
    const bottom = top + rowHeight * rows.length;
    const [from, to] = range(rows);
    const place = (value) => left + ((value - from) / (to - from)) * (right - left);
    drawAxis(svg, ticks(from, to, narrow ? 4 : 7), place, top, bottom);
    rows.forEach((row, i) => {
      const y = top + rowHeight * (i + (narrow ? 0.72 : 0.5));
      if (row.width > 0) {
        const x1 = Math.max(left, place(-row.width));
        const x2 = Math.min(right, place(row.width));
        element(svg, "rect", { class: "rope", x: x1, width: x2 - x1, y: top + rowHeight * i, height: rowHeight });
      }
      const label = narrow ? { x: left, y: y - 11 } : { x: left - 10, y: y + 4, "text-anchor": "end" };
      element(element(svg, "text", label, names.get(row)), "title", {}, `${row.metric}: ${row.a} − ${row.b}`);
      drawRow(svg, row, y, place, [left, right]);
    });
    return bottom + 26;
  }

  // Draw the rows; returns what is to be said below.
  function draw(box, rows, alpha, leader) {
    const shown = chosen(rows, leader);
    const width = Math.min(960, Math.max(280, box.clientWidth || 900));
    const narrow = width < NARROW;
    const [texts, widest] = fitted(shown, narrow ? width - 28 : 0.42 * width);
    const names = new Map(shown.map((row, i) => [row, texts[i]]));
    const layout = { left: narrow ? 12 : widest + 20, right: width - 16, rowHeight: narrow ? 38 : 24, narrow };

    const svg = document.createElementNS(SVG, "svg");
    const found = shown.filter((row) => row.winner !== null).length;
    svg.setAttribute("width", width);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `Forest plot of ${shown.length} differences; ${found} of them significant at ${Words.level(alpha)}. The table has the numbers.`);
    let top = 10;
    for (const panel of panels(shown)) top = drawPanel(svg, panel, names, top, layout) + 14;
    svg.setAttribute("viewBox", `0 0 ${width} ${top - 14}`);
    box.replaceChildren(svg);
    const apart = shown.length < rows.length && shown.every((row) => leader === row.i || leader === row.j);
    return { hidden: rows.length - shown.length, ofLeader: apart };
  }

  return { draw };
})();
