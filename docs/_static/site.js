// Names in tables break behind "_" and "(". On a narrow screen a table of words that is still wider becomes cards, one per
// row, with the headings beside the cells. The keyboard reaches what scrolls in itself.
"use strict";
addEventListener("DOMContentLoaded", () => {
  const narrow = matchMedia("(max-width: 40em)");
  const tables = [...document.querySelectorAll(".table-wrapper table.docutils")].filter((table) => table.tHead);
  const scrolling = [...document.querySelectorAll(".table-wrapper, article pre, div.math")];
  for (const table of tables) {
    const headings = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
    for (const row of table.tBodies[0].rows)
      [...row.cells].forEach((cell, i) => { cell.dataset.label = headings[i] ?? ""; });
    const walker = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts)
      text.replaceWith(...text.data.split(/(?<=[_(])/).flatMap((part, i) => i ? [document.createElement("wbr"), part] : [part]));
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
    for (const box of scrolling) {
      const scrolls = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
      scrolls ? box.setAttribute("tabindex", "0") : box.removeAttribute("tabindex");
    }
  };
  lay();
  narrow.addEventListener("change", lay);
});
