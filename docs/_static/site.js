// On a narrow screen a table of words that is wider than it becomes cards, one per row, with the headings beside the cells.
"use strict";
addEventListener("DOMContentLoaded", () => {
  const narrow = matchMedia("(max-width: 40em)");
  const tables = [...document.querySelectorAll(".table-wrapper table.docutils")].filter((table) => table.tHead);
  for (const table of tables) {
    const headings = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
    for (const row of table.tBodies[0].rows)
      [...row.cells].forEach((cell, i) => { cell.dataset.label = headings[i] ?? ""; });
  }
  const wordy = (table) => {
    const rows = [...table.tBodies[0].rows];
    return table.textContent.length > 20 * rows.length * table.tHead.rows[0].cells.length;
  };
  const lay = () => {
    for (const table of tables) {
      table.classList.remove("cards");
      const wide = table.scrollWidth > table.parentElement.clientWidth + 1;
      table.classList.toggle("cards", narrow.matches && wide && wordy(table));
    }
  };
  lay();
  narrow.addEventListener("change", lay);
});
