// The controls: what is chosen goes through numbers.js, words.js and answer.js into the answer, the table and the plot.
(() => {
  "use strict";

  const PAGE_ROWS = window.matchMedia("(max-width: 40rem)").matches ? 15 : 50;
  const page = JSON.parse(document.getElementById("data").textContent);
  const find = (id) => document.getElementById(id);
  const names = ["metric", "pair", "rope"].filter(find); // no region without posteriors
  const controls = Object.fromEntries(names.map((name) => [name, find(name)]));
  const initial = { metric: "", pair: "", rope: 0 };
  const state = { ...initial, filter: "", sort: null, descending: false, page: 0, all: false };

  // ---- rows ---------------------------------------------------------------------------------------------------

  const value = (stored) => (stored === null ? NaN : Number(stored));

  function readRow(stored, position) {
    const row = Object.fromEntries(page.fields.map((name, i) => [name, stored[i]]));
    for (const name of ["meanA", "meanB", "estimate", "scale"]) {
      if (name in row) row[name] = value(row[name]);
    }
    const metric = page.metrics[row.metric];
    Object.assign(row, { m: row.metric, i: row.a, j: row.b, metric: metric.name, cost: metric.cost });
    row.a = page.models[row.i];
    row.b = page.models[row.j];
    if (page.study) {
      row.scores = [row.i, row.j].map((model) => page.scores[row.m].map((means) => value(means[model])));
      [row.losses, row.ties, row.wins] = Numbers.signCounts(row.scores[0], row.scores[1], 0);
    }
    row.equal = row.wins + row.losses === 0;
    const [low, high, cut] = page.selected.limits[position];
    Object.assign(row, { low: value(low), high: value(high), cut, adjusted: value(page.selected.adjusted[position]) });
    [row.decided, row.winner] = page.decided[position];
    row.outcome = row.decided;
    row.pair = `${row.i},${row.j}`;
    row.text = `${row.metric}\n${row.a}\n${row.b}`.toLowerCase();
    return row;
  }

  const rows = page.rows.map(readRow);

  // One width is not meant for seconds and bytes too.
  const ropeOf = (row) => (page.metrics[row.m].cost && page.metrics.length > 1 && !state.metric ? 0 : state.rope);

  function follow(row) {
    row.width = ropeOf(row);
    if (page.study) {
      row.counts = Numbers.signCounts(row.scores[0], row.scores[1], row.width);
      [row.losses, row.ties, row.wins] = row.counts;
    }
    row.n = row.wins + row.ties + row.losses;
    row.posterior = row.width > 0 ? posterior(row) : [NaN, NaN, NaN];
    row.outcome = Words.outcome(row, page.alpha);
  }

  function posterior(row) {
    if (!page.study) return Numbers.tPosterior(row.estimate, row.scale, row.n - 1, row.width);
    return row.counts.some((n) => n > 0) ? Numbers.signPosterior(row.counts) : [NaN, NaN, NaN];
  }

  // The numbers of a row, and how they are shown.
  function present(row) {
    const [left, middle, right] = row.posterior;
    const { metric, a, b, meanA, meanB, estimate, low, adjusted: adjustedP } = row;
    const record = row.n ? `${row.wins}/${row.ties}/${row.losses}` : "n/a";
    row.values = { metric, a, b, meanA, meanB, estimate, interval: low, adjusted: adjustedP, record, left, rope: middle, right, outcome: Words.verdict(row) };
    row.shown = {
      ...row.values, ...Words.numbers(row), adjusted: Words.pvalue(adjustedP, page.alpha),
      left: share(left), rope: share(middle), right: share(right),
    };
  }

  const share = (probability) => Words.probability(probability);

  const chosen = () => rows.filter((row) => (!state.metric || row.m === Number(state.metric)) && (!state.pair || row.pair === state.pair));

  // ---- answer -------------------------------------------------------------------------------------------------

  const spoken = (m) => Number(rows.some((row) => row.m === m && !Number.isNaN(row.adjusted)));

  // What looks have decided holds whatever is chosen, and of many models the page has the leading ones only; of the rows that are chosen everything else is said anew.
  function answer(selected) {
    if (page.sequential || page.leading) return page.said;
    const models = state.pair ? state.pair.split(",").map(Number) : page.models.map((_, i) => i);
    const all = page.metrics.map((_, m) => m);
    all.sort((one, other) => spoken(other) - spoken(one)); // which keeps their order
    const metrics = state.metric ? [Number(state.metric)] : all;
    return [Answer.firstLine(selected, models, metrics, page), ...page.said.slice(1)];
  }

  function tellAnswer(selected) {
    const rope = Words.ropeSentence(selected, state.rope, page.alpha, page.posterior);
    tellWarnings(Words.ropeWarnings(selected, page.study));
    fill(find("verdict"), "p", [...answer(selected), ...(rope ? [rope] : [])]);
    if (!find("joint") || page.leading) return;
    const joint = page.joint.filter((one) => !state.pair || `${one.i},${one.j}` === state.pair);
    fill(find("joint"), "li", Words.jointLines(joint, rows, page));
  }

  // One element per line; what is there already is left alone, so that it is not read out again.
  function fill(box, tag, lines) {
    if (lines.join("\n") === [...box.children].map((line) => line.textContent).join("\n")) return;
    box.replaceChildren(
      ...lines.map((line) => {
        const made = document.createElement(tag);
        made.textContent = line;
        return made;
      }),
    );
  }

  function tellWarnings(warnings) {
    const box = find("rope-warnings");
    box.hidden = warnings.length === 0;
    fill(box.querySelector("ul"), "li", warnings);
  }

  // ---- table --------------------------------------------------------------------------------------------------

  const columns = () => page.columns.filter((column) => !column.rope || state.rope > 0);

  function filtered(selected) {
    const wanted = state.filter.trim().toLowerCase();
    const kept = wanted ? selected.filter((row) => row.text.includes(wanted) || Words.verdict(row).toLowerCase().includes(wanted)) : [...selected];
    if (!state.sort) return kept;
    const key = (row) => ({ interval: row.low, record: row.wins - row.losses, left: row.posterior[0], rope: row.posterior[1], right: row.posterior[2], outcome: Words.verdict(row) })[state.sort] ?? row[state.sort];
    return kept.sort((one, other) => compare(key(one), key(other), state.descending));
  }

  // Numbers by size, texts by alphabet; what is not known comes last either way.
  function compare(one, other, descending) {
    const sign = descending ? -1 : 1;
    if (typeof one === "string") return sign * one.localeCompare(other);
    if (Number.isNaN(one) || Number.isNaN(other)) return Number.isNaN(one) - Number.isNaN(other);
    return sign * (one - other);
  }

  function fillTable(listed) {
    forgetCopy();
    const last = Math.max(0, Math.ceil(listed.length / PAGE_ROWS) - 1);
    state.page = Math.min(state.page, last);
    const start = state.all ? 0 : state.page * PAGE_ROWS;
    const shown = state.all ? listed : listed.slice(start, start + PAGE_ROWS);
    const body = document.createDocumentFragment();
    const wanted = columns();
    for (const row of shown) {
      present(row);
      const line = body.appendChild(document.createElement("tr"));
      if (row.winner !== null) line.className = row.outcome;
      wanted.forEach((column, i) => {
        const cell = line.appendChild(document.createElement(i ? "td" : "th"));
        if (!i) cell.scope = "row";
        cell.className = column.style;
        cell.dataset.label = column.label;
        cell.textContent = row.shown[column.key];
      });
    }
    find("rows").replaceChildren(body);
    for (const column of page.columns) {
      find(`column-${column.key}`).hidden = column.rope && !state.rope;
    }
    tellPages(listed.length, start, shown.length, last);
    fit(find("comparison").parentElement, state.rope > 0);
  }

  // A table that is wider than its box is shown as cards, one per row: nothing of it is cut off.
  function fit(box, columns) {
    const known = `${box.clientWidth} ${columns}`;
    if (box.dataset.fitted !== known) box.classList.remove("cards");
    box.dataset.fitted = known;
    if (box.scrollWidth > box.clientWidth) box.classList.add("cards");
  }

  const boxes = [...document.querySelectorAll("table")].map((table) => table.parentElement);

  // What a cell of a card is called; the comparison is filled anew each time and says it there.
  function label(table) {
    const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent);
    for (const line of table.tBodies[0].rows) [...line.cells].forEach((cell, i) => (cell.dataset.label = heads[i]));
  }

  function tellPages(total, start, shown, last) {
    find("pages").hidden = last === 0 || state.all;
    find("previous").disabled = state.page === 0;
    find("next").disabled = state.page === last;
    find("count").textContent = total ? `Rows ${start + 1} to ${start + shown} of ${total}` : "No row matches.";
  }

  // ---- everything ---------------------------------------------------------------------------------------------

  function tellBelow(forest, leader) {
    const parts = [];
    if (forest.hidden) parts.push(`${forest.ofLeader ? `Shown is ${page.models[leader]} against each other model; ` : ""}${forest.hidden} more comparisons are in the table.`);
    find("forest-note").textContent = parts.join(" ");
    find("forest-rope").hidden = !current.some((row) => row.width > 0);
  }

  let current = [];

  function update() {
    current = chosen();
    current.forEach(follow);
    tellAnswer(current);
    const listed = filtered(current);
    fillTable(listed);
    drawForest();
  }

  function drawForest() {
    current.forEach((row) => row.shown || present(row));
    const m = Number(state.metric);
    const leader = Answer.leaderOf(page.models.map((_, i) => i), page.metrics[m].merits, rows.filter((row) => row.m === m), page.baseline);
    tellBelow(Forest.draw(find("forest"), current, page.alpha, leader), leader);
  }

  // ---- controls -----------------------------------------------------------------------------------------------

  // The width in the field, or the last one where that is no number.
  function readRope(control) {
    const number = control.value.trim() === "" ? NaN : Number(control.value);
    const valid = Number.isFinite(number) && number >= 0;
    control.setAttribute("aria-invalid", String(!valid));
    find("rope-error").hidden = valid;
    return valid ? number : state.rope;
  }

  function readControls() {
    state.metric = controls.metric.value;
    state.pair = controls.pair.value;
    if (controls.rope) state.rope = readRope(controls.rope);
    state.page = 0;
    update();
  }

  function reset() {
    for (const [name, control] of Object.entries(controls)) control.value = String(initial[name]);
    find("filter").value = state.filter = "";
    setSort(null, false);
    readControls();
  }

  function setSort(key, descending) {
    Object.assign(state, { sort: key, descending, page: 0 });
    for (const column of page.columns) markSorted(find(`column-${column.key}`), column.key === key, descending);
  }

  function markSorted(head, sorted, descending) {
    if (sorted) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  }

  // Put a button into each heading of a table; `sort` is told the heading and the direction.
  function makeSortable(table, sort) {
    for (const head of table.tHead.rows[0].cells) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => sort(head, head.getAttribute("aria-sort") === "ascending"));
    }
  }

  function sortStatic(table) {
    makeSortable(table, (head, descending) => {
      const key = (line) => {
        const cell = line.cells[head.cellIndex];
        return cell.dataset.value === undefined ? cell.textContent : value(cell.dataset.value || null);
      };
      const lines = [...table.tBodies[0].rows].sort((one, other) => compare(key(one), key(other), descending));
      table.tBodies[0].replaceChildren(...lines);
      for (const other of table.tHead.rows[0].cells) markSorted(other, other === head, descending);
    });
  }

  // Of a table that is there as a whole the rows without the words are hidden.
  function filterStatic(input) {
    const lines = [...find(input.dataset.filters).tBodies[0].rows].map((line) => [line, line.textContent.toLowerCase()]);
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase();
      for (const [line, text] of lines) line.hidden = !text.includes(wanted);
      const n = lines.filter(([line]) => !line.hidden).length;
      find(`${input.dataset.filters}-count`).textContent = wanted ? `${n} of ${lines.length} rows match.` : "";
    });
  }

  // ---- copying ------------------------------------------------------------------------------------------------

  function tableForCopy() {
    const listed = filtered(current);
    listed.forEach(present);
    const legend = (marked) => Words.legend(page, listed, state, marked);
    return { rows: listed, columns: columns(), legend };
  }

  async function copy(format, name) {
    const table = tableForCopy();
    const text = Exports[format](table);
    const done = (await Exports.toClipboard(text)) || Exports.selectText(find("copy-text"), text);
    const n = table.rows.length;
    find("copied").textContent = done
      ? `Copied ${n} ${n === 1 ? "row" : "rows"} as ${name}.`
      : `The browser refused. The ${name} text is selected below: press Ctrl+C.`;
  }

  // What was copied is not what is shown any more.
  function forgetCopy() {
    find("copied").textContent = "";
    find("copy-text").hidden = true;
    find("copy-text").value = "";
  }

  // ---- start --------------------------------------------------------------------------------------------------

  function printed(all) {
    state.all = all;
    update();
  }

  for (const control of Object.values(controls)) {
    for (const event of ["input", "change"]) control.addEventListener(event, readControls);
  }
  find("reset").addEventListener("click", reset);
  find("filter").addEventListener("input", (event) => {
    Object.assign(state, { filter: event.target.value, page: 0 });
    fillTable(filtered(current));
  });
  for (const [id, step] of [["previous", -1], ["next", 1]]) {
    find(id).addEventListener("click", () => {
      state.page += step;
      fillTable(filtered(current));
    });
  }
  for (const [format, name] of [["latex", "LaTeX"], ["markdown", "Markdown"], ["csv", "CSV"]]) {
    find(`copy-${format}`).addEventListener("click", () => copy(format, name));
  }
  makeSortable(find("comparison"), (head, descending) => {
    setSort(head.id.replace("column-", ""), descending);
    fillTable(filtered(current));
  });
  document.querySelectorAll("table.sortable").forEach(sortStatic);
  document.querySelectorAll("input[data-filters]").forEach(filterStatic);
  window.addEventListener("beforeprint", () => printed(true));
  window.addEventListener("afterprint", () => printed(false));
  let width = find("forest").clientWidth;
  window.addEventListener("resize", () => {
    if (find("forest").clientWidth === width) return;
    width = find("forest").clientWidth;
    boxes.forEach((box) => fit(box, state.rope > 0));
    drawForest();
  });
  document.documentElement.classList.add("live");
  update();
  document.querySelectorAll("table:not(#comparison)").forEach(label);
  boxes.forEach((box) => fit(box, state.rope > 0));
})();
