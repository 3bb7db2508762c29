// Numbers and verdicts in words: what skcompare.reporting._words and skcompare.reporting.verdict do in Python.
const Words = (() => {
  "use strict";

  const MAX_DECIMALS = 9;
  const MAX_NAMED = 6;
  const MAX_LEADERS = 3;

  // So many decimals, halves to the even digit as in Python.
  function fixed(value, places) {
    const size = Math.abs(value);
    let shown = size.toFixed(places);
    const rest = size.toFixed(places + 20).slice(-20);
    if (/^50*$/.test(rest)) {
      const down = size.toFixed(places + 20).slice(0, -20).replace(/\.$/, "");
      if (Number(down.slice(-1)) % 2 === 0) shown = down;
    }
    return value < 0 && Number(shown) !== 0 ? `-${shown}` : shown;
  }

  // Three significant digits, as Python's "g".
  function general(value) {
    if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
    const [digits, exponent] = value.toExponential(2).split("e");
    const places = Number(exponent);
    if (places >= -4 && places < 3) return String(Number(value.toPrecision(3)));
    return `${Number(digits)}e${places < 0 ? "-" : "+"}${String(Math.abs(places)).padStart(2, "0")}`;
  }

  function decimals(values) {
    const size = Math.max(0, ...values.filter(Number.isFinite).map(Math.abs));
    if (size > 1) return size < 10 ? 3 : size < 1000 ? 2 : 0;
    return size === 0 ? 4 : Math.min(MAX_DECIMALS, Math.max(4, 2 - Math.floor(Math.log10(size))));
  }

  function number(value, places, signed = false) {
    if (Number.isNaN(value)) return "n/a";
    const size = Math.abs(value);
    if (size >= 1e12 || (places === MAX_DECIMALS && size > 0 && size < 10 ** (2 - places))) {
      return (signed && value > 0 ? "+" : "") + general(value);
    }
    const shown = fixed(value, places);
    return signed && Number(shown) > 0 ? `+${shown}` : shown;
  }

  // Both means of a row, their difference and its interval, with the same decimals.
  function numbers(row) {
    let places = decimals([row.meanA, row.meanB]);
    const size = Math.abs(row.estimate);
    if (size > 0 && size < 10 ** -places) {
      places = Math.min(MAX_DECIMALS, Math.max(places, 1 - Math.floor(Math.log10(size))), places + 4);
    }
    const interval = `[${number(row.low, places, true)}, ${number(row.high, places, true)}]`;
    return {
      meanA: number(row.meanA, places),
      meanB: number(row.meanB, places),
      estimate: number(row.estimate, places, true),
      interval: Number.isNaN(row.low) ? "n/a" : interval,
    };
  }

  function pvalue(value) {
    if (Number.isNaN(value)) return "n/a";
    return value < 0.001 ? "<0.001" : fixed(value, 3);
  }

  function percent(probability) {
    if (Number.isNaN(probability)) return "n/a";
    if (probability > 0.995) return "more than 99%";
    return probability < 0.005 ? "less than 1%" : `${fixed(100 * probability, 0)}%`;
  }

  // 0.05 as 5, 0.001 as 0.1: a level in percent.
  const level = (alpha) => `${Number((100 * alpha).toPrecision(6))}%`;
  const confidence = (alpha) => `${Number((100 - 100 * alpha).toPrecision(8))}%`;

  const listed = (names) =>
    names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;

  const named = (names, what = "metrics") => (names.length <= MAX_NAMED ? listed(names) : `${names.length} ${what}`);

  function sentence(text) {
    const first = /^(no|nothing) /.test(text) ? text[0].toUpperCase() : text[0];
    return `${first}${text.slice(1)}.`;
  }

  function verdict(row, alpha) {
    if (Number.isNaN(row.adjusted)) return "undecided";
    return row.adjusted < alpha ? `${row.lead > 0 ? row.a : row.b} better` : "no difference shown";
  }

  function pairSentence(rows, a, b) {
    const metrics = (wanted) => rows.filter((row) => row.verdict === wanted).map((row) => row.metric);
    const undecided = metrics("undecided");
    const open = metrics("no difference shown");
    const parts = [];
    for (const [winner, loser] of [[a, b], [b, a]]) {
      const won = metrics(`${winner} better`);
      if (won.length) parts.push(`${winner} is better than ${loser} on ${named(won)}`);
    }
    if (open.length) {
      const some = parts.length > 0 || rows.length === 1 || undecided.length > 0;
      const where = some ? `on ${named(open)}` : `on any of ${rows.length} metrics`;
      parts.push(`no difference between ${a} and ${b} was shown ${where}`);
    }
    if (undecided.length) parts.push(`nothing can be said of ${named(undecided)}`);
    return sentence(parts.join("; "));
  }

  function leaderSentence(rows, metric, best) {
    const others = rows
      .filter((row) => row.metric === metric && (row.a === best || row.b === best))
      .map((row) => [row.a === best ? row.b : row.a, row.verdict]);
    const beaten = others.filter(([, said]) => said === `${best} better`).map(([name]) => name);
    const rest = others.filter(([, said]) => said === "no difference shown").map(([name]) => name);
    if (!rest.length && beaten.length === others.length) {
      return sentence(`On ${metric}, ${best} is better than all ${others.length} other models`);
    }
    const parts = [`${best} leads`];
    if (beaten.length) parts.push(`is better than ${named(beaten, "others")}`);
    if (rest.length) parts.push(`is not told apart from ${named(rest, "others")}`);
    return sentence(`On ${metric}, ${listed(parts)}`);
  }

  function jointSentence(joint, heading, alpha) {
    if (joint.words === null) {
      return `${heading}: no pattern of metrics stands out between ${joint.a} and ${joint.b} (the two most frequent ` +
        "are tied).";
    }
    const settled = joint.adjusted < alpha ? "established" : "not established";
    const p = `p = ${pvalue(joint.adjusted)}`.replace("= <", "< ");
    return `${heading}: ${joint.words}: ${settled} (${p}; the most probable pattern with probability ` +
      `${joint.probability}).`;
  }

  function pairSentences(rows, pair, page, alpha, oneMetric) {
    const lines = [pairSentence(rows, pair.a, pair.b)];
    const joint = page.joint.find((other) => other.a === pair.a && other.b === pair.b);
    return joint && !oneMetric ? [...lines, jointSentence(joint, page.jointHeading, alpha)] : lines;
  }

  function leaderSentences(rows, page) {
    const metrics = page.metrics.filter((metric) => metric.leader !== null && rows.some((row) => row.metric === metric.name));
    const lines = metrics.slice(0, MAX_LEADERS).map((metric) => leaderSentence(rows, metric.name, metric.leader));
    const found = rows.filter((row) => row.verdict.endsWith(" better")).length;
    return [...lines, `A difference was shown in ${found || "none"} of ${rows.length} comparisons of two models.`];
  }

  // What the region of practical equivalence says of the rows shown.
  function ropeSentence(rows, width, alpha, posterior) {
    if (!width) return "";
    const within = `With differences of up to ${general(width)} taken as none (${posterior})`;
    if (rows.length === 1) {
      const [left, middle, right] = rows[0].posterior;
      return `${within}: ${rows[0].a} is better with probability ${percent(right)}, the two are practically equal with ` +
        `${percent(middle)}, ${rows[0].b} is better with ${percent(left)}.`;
    }
    const sure = (part) => rows.filter((row) => part(row.posterior) > 1 - alpha).length;
    return `${within}: ${sure(([, middle]) => middle)} of ${rows.length} comparisons are practically equal and ` +
      `${sure(([left, , right]) => Math.max(left, right))} practically different, with probability above ` +
      `${confidence(alpha)}.`;
  }

  return {
    confidence, decimals, fixed, general, leaderSentences, level, listed, number, numbers, pairSentences, percent,
    pvalue, ropeSentence, verdict,
  };
})();
