// The table that is shown, as text for other programs. Names are text there too.
const Exports = (() => {
  "use strict";

  const LATEX = {
    "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}",
    "<": "\\textless{}", ">": "\\textgreater{}", "[": "{[}", "]": "{]}", "*": "{*}",
    "\u2212": "$-$",
  };
  const latexText = (text) => text.replace(/[\\~^<>[\]*&%$#_{}\u2212]/g, (char) => LATEX[char] || `\\${char}`);

  // As skcompare.reporting.markdown.escape.
  const markdownText = (text) =>
    text
      .replace(/[\\`*_[\]<>|~#$&]/g, (char) => (char === "&" ? "&amp;" : `\\${char}`))
      .replaceAll("://", "\\://")
      .replaceAll("www.", "www\\.")
      .replaceAll("@", "\\@");

  // A spreadsheet would run text that begins like a formula.
  function csvCell(value) {
    if (typeof value === "number") return Number.isNaN(value) ? "" : String(value);
    const text = /^\s*[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }

  function latex(table) {
    // Numbers are ours, so nothing in them needs to be escaped.
    const math = (text) => (text === "n/a" ? text : `$${text.replaceAll("inf", "\\infty")}$`);
    const cell = (column, text) => (column.numeric ? math(text) : latexText(text));
    const bold = (text) => `$\\mathbf{${text.slice(1, -1)}}$`;
    const lines = table.rows.map((row) =>
      table.columns
        .map((column) => {
          const text = cell(column, row.shown[column.key]);
          return column.key === "estimate" && row.winner !== null ? bold(text) : text;
        })
        .join(" & "),
    );
    return [
      "\\begin{table}",
      "\\centering",
      `\\caption{${latexText(table.legend("in bold"))}}`,
      `\\begin{tabular}{${table.columns.map((column) => (column.numeric ? "r" : "l")).join("")}}`,
      "\\toprule",
      `${table.columns.map((column) => latexText(column.label)).join(" & ")} \\\\`,
      "\\midrule",
      ...lines.map((line) => `${line} \\\\`),
      "\\bottomrule",
      "\\end{tabular}",
      "\\end{table}",
    ].join("\n");
  }

  function markdown(table) {
    const line = (cells) => `| ${cells.join(" | ")} |`;
    return [
      line(table.columns.map((column) => markdownText(column.label))),
      line(table.columns.map((column) => (column.numeric ? "---:" : "---"))),
      ...table.rows.map((row) => line(table.columns.map((column) => markdownText(row.shown[column.key])))),
      "",
      markdownText(table.legend("a difference is significant")),
    ].join("\n");
  }

  // Numbers in full, an interval as two columns.
  function csv(table) {
    const parts = table.columns.flatMap((column) =>
      column.key === "interval" ? [["low", (row) => row.low], ["high", (row) => row.high]] : [[column.label, (row) => row.values[column.key]]],
    );
    const lines = [parts.map(([label]) => label), ...table.rows.map((row) => parts.map(([, value]) => value(row)))];
    return `${lines.map((line) => line.map(csvCell).join(",")).join("\r\n")}\r\n`;
  }

  async function toClipboard(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false; // no such interface, no permission, or no focus
    }
  }

  // The old way; the text stays, selected, where that is refused as well.
  function selectText(area, text) {
    area.hidden = false;
    area.value = text;
    area.select();
    let done = false;
    try {
      done = document.execCommand("copy");
    } catch {
      done = false;
    }
    area.hidden = done;
    return done;
  }

  return { csv, latex, markdown, selectText, toClipboard };
})();
