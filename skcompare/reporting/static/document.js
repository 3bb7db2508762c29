// What a reader may do with a page that is there as a whole: choose and find rows, sort tables, copy what is shown.
(() => {
  "use strict";

  const number = (text) => {
    const found = text.replace(/[^\d.eE+-].*$/, "");
    return found && Number.isFinite(Number(found)) ? Number(found) : NaN;
  };

  // Numbers by size, texts by alphabet; what is not known comes last either way.
  function compare(one, other, sign) {
    const [a, b] = [number(one), number(other)];
    if (Number.isNaN(a) && Number.isNaN(b)) return sign * one.localeCompare(other);
    return Number.isNaN(a) || Number.isNaN(b) ? Number.isNaN(a) - Number.isNaN(b) : sign * (a - b);
  }

  function makeSortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, i) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        const rows = [...table.tBodies[0].rows];
        rows.sort((one, other) => compare(one.cells[i].textContent, other.cells[i].textContent, sign));
        table.tBodies[0].replaceChildren(...rows);
        heads.forEach((one) => one.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      });
    });
  }

  // A spreadsheet would run text that begins like a formula.
  function csvCell(text) {
    const safe = /^\s*[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
    return /[",\r\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }

  const markdownText = (text) => text.replace(/[\\`*_[\]<>|~#$&]/g, (char) => (char === "&" ? "&amp;" : `\\${char}`));

  const forms = {
    csv: (rows) => `${rows.map((row) => row.map(csvCell).join(",")).join("\r\n")}\r\n`,
    markdown: ([head, ...rows]) =>
      [head, head.map(() => "---"), ...rows].map((row, i) => `| ${row.map((cell) => (i === 1 ? cell : markdownText(cell))).join(" | ")} |`).join("\n"),
  };

  function control(box, table) {
    const lines = [...table.tBodies[0].rows];
    const selects = [...box.querySelectorAll("select")];
    const [search, status] = [box.querySelector("input"), box.querySelector("[role=status]")];
    function update() {
      const wanted = search.value.trim().toLowerCase();
      for (const line of lines) {
        const chosen = selects.every((select) => !select.value || line.cells[select.dataset.column].textContent === select.value);
        line.hidden = !chosen || !line.textContent.toLowerCase().includes(wanted);
      }
      const n = lines.filter((line) => !line.hidden).length;
      status.textContent = n === lines.length ? "" : `${n} of ${lines.length} rows.`;
    }
    for (const one of [...selects, search]) one.addEventListener("input", update);
    for (const button of box.querySelectorAll("[data-copy]")) {
      button.addEventListener("click", async () => {
        const shown = [table.tHead.rows[0], ...[...table.tBodies[0].rows].filter((line) => !line.hidden)];
        const rows = shown.map((line) => [...line.cells].map((cell) => cell.textContent));
        try {
          await navigator.clipboard.writeText(forms[button.dataset.copy](rows));
          status.textContent = `Copied ${rows.length - 1} rows.`;
        } catch {
          status.textContent = "The browser refused to copy.";
        }
      });
    }
  }

  document.querySelectorAll("main table").forEach(makeSortable);
  const box = document.querySelector(".controls");
  if (box) control(box, box.parentElement.querySelector("table"));
  window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => (one.open = true)));
  document.documentElement.classList.add("live");
})();
