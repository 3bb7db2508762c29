// What a reader may do with a page that is there as a whole: choose and find rows, sort tables, copy what is shown.
(() => {
  "use strict";

  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // ---- sorting --------------------------------------------------------------------------------------------------

  // The first number of a cell, such as the lower end of an interval or the wins of a record.
  function number(text) {
    const found = text.replace(/(\d),(?=\d{3})/g, "$1").match(/[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?/i);
    return found ? Number(found[0]) : NaN;
  }

  // Numbers by size, texts by alphabet; what is not known comes last either way.
  function compare(one, other, sign, numeric) {
    const [a, b] = numeric ? [number(one), number(other)] : [NaN, NaN];
    if (numeric && !(Number.isNaN(a) && Number.isNaN(b))) {
      return Number.isNaN(a) || Number.isNaN(b) ? Number.isNaN(a) - Number.isNaN(b) : sign * (a - b);
    }
    return (one === "") - (other === "") || sign * one.localeCompare(other, "en", { numeric: true });
  }

  function makeSortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, i) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.dataset.head;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        const numeric = head.classList.contains("number");
        const rows = [...table.tBodies[0].rows];
        rows.sort((one, other) => compare(one.cells[i].textContent, other.cells[i].textContent, sign, numeric));
        table.tBodies[0].replaceChildren(...rows);
        heads.forEach((one) => one.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      });
    });
  }

  // ---- copying --------------------------------------------------------------------------------------------------

  // A spreadsheet would run text that begins like a formula.
  function csvCell(text) {
    const safe = /^\s*[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
    return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }

  const markdownText = (text) => text.replace(/[\\`*_[\]<>|~#$&]/g, (char) => (char === "&" ? "&amp;" : `\\${char}`));
  const markdownLine = (cells) => `| ${cells.join(" | ")} |`;

  const forms = {
    // One table: the titles of several are a column.
    csv(tables) {
      const titled = tables.length > 1 ? (title, row) => [title, ...row] : (_, row) => row;
      const rows = [titled("table", tables[0].head), ...tables.flatMap(({ title, rows }) => rows.map((row) => titled(title, row)))];
      return `${rows.map((row) => row.map(csvCell).join(",")).join("\r\n")}\r\n`;
    },
    markdown(tables) {
      return tables
        .map(({ title, head, rows, notes }) => {
          const lines = [head.map(markdownText), head.map(() => "---"), ...rows.map((row) => row.map(markdownText))];
          const texts = [title, ...notes].map(markdownText);
          return [texts[0], lines.map(markdownLine).join("\n"), ...texts.slice(1)].filter(Boolean).join("\n\n");
        })
        .join("\n\n");
    },
  };

  // What is to be seen of a table.
  function read(grid) {
    const rows = all("tbody tr", grid).filter((line) => !line.hidden);
    return {
      title: all("h3", grid).map((title) => title.textContent)[0] ?? "",
      head: all("thead th", grid).map((head) => head.dataset.head),
      rows: rows.map((line) => [...line.cells].map((cell) => cell.textContent)),
      notes: all(".note", grid).map((note) => note.textContent),
    };
  }

  async function copy(grids, form, status) {
    const tables = grids.filter((grid) => !grid.hidden).map(read);
    const n = tables.reduce((sum, table) => sum + table.rows.length, 0);
    if (!n) return;
    try {
      await navigator.clipboard.writeText(forms[form](tables));
      status.textContent = `Copied ${n} rows.`;
    } catch {
      // No clipboard here: the tables are selected instead, the reader copies them.
      const range = document.createRange();
      range.setStartBefore(grids.find((grid) => !grid.hidden));
      range.setEndAfter(grids.findLast((grid) => !grid.hidden));
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      status.textContent = "Selected: press Ctrl+C to copy.";
    }
  }

  // ---- choosing and finding -------------------------------------------------------------------------------------

  function control(box) {
    const grids = all(".grid", box.closest(".scope"));
    const [table, model, find] = ["[name=table]", "[name=model]", "[type=search]"].map((one) => box.querySelector(one));
    const status = box.querySelector("[role=status]");

    function fits(line, words) {
      const cells = [...line.cells];
      const text = cells.map((cell) => cell.textContent).join(" ").toLowerCase();
      const named = (cell) => ["a", "b"].includes(cell.dataset.head) && cell.textContent === model.value;
      return words.every((word) => text.includes(word)) && (!model?.value || cells.some(named));
    }

    function update() {
      const words = (find?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
      let [shown, known] = [0, 0];
      grids.forEach((grid, i) => {
        const lines = all("tbody tr", grid);
        const chosen = !table?.value || Number(table.value) === i;
        for (const line of lines) line.hidden = !chosen || !fits(line, words);
        const left = lines.filter((line) => !line.hidden).length;
        grid.hidden = left === 0 && lines.length > 0;
        shown += left;
        known += lines.length;
      });
      status.textContent = shown === known ? "" : `${shown} of ${known} rows.`;
    }

    for (const one of [table, model, find]) one?.addEventListener("input", update);
    for (const button of all("[data-copy]", box)) {
      button.addEventListener("click", () => copy(grids, button.dataset.copy, status));
    }
    // A browser that goes back keeps what was chosen.
    if ([table, model, find].some((one) => one?.value)) update();
  }

  // ---- the page -------------------------------------------------------------------------------------------------

  all("main table").forEach(makeSortable);
  all(".controls").forEach(control);

  // On paper everything is unfolded.
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    folded.forEach((one) => (one.open = true));
  });
  window.addEventListener("afterprint", () => folded.forEach((one) => (one.open = false)));
  document.documentElement.classList.add("live");
})();
