// Numbers and outcomes in words: what skcompare._core.numbers and skcompare.reporting.words do in Python.
const Words = (() => {
  "use strict";

  const MAX_DECIMALS = 9;
  const ROUNDING = 1e-12; // of a mean: what is smaller is left over from rounding
  const ALPHA = 0.05;
  const SMALLEST_P = 0.001;
  const MORE = 3; // decimals more than usual, before less or more is said
  const MAX_NAMED = 6;
  const MAX_ROWS = 15;

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

  // So many significant digits, as Python's "g".
  function general(value, precision = 3) {
    if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
    const [digits, exponent] = value.toExponential(precision - 1).split("e");
    const places = Number(exponent);
    if (places >= -4 && places < precision) return String(Number(value.toPrecision(precision)));
    return `${Number(digits)}e${places < 0 ? "-" : "+"}${String(Math.abs(places)).padStart(2, "0")}`;
  }

  function decimals(values) {
    const size = Math.max(0, ...values.filter(Number.isFinite).map(Math.abs));
    if (size > 1) return size < 10 ? 3 : size < 1000 ? 2 : 0;
    return size === 0 ? 4 : Math.min(MAX_DECIMALS, Math.max(4, 2 - Math.floor(Math.log10(size) + 1e-9)));
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

  const side = (value, edge) => (value > edge) - (value < edge);

  // The end of an interval, on its own side of the difference under the null hypothesis.
  function bound(value, places, null_ = 0) {
    for (let more = places; more <= Math.max(places, MAX_DECIMALS); more++) {
      const shown = number(value, more, true);
      if (!Number.isFinite(value) || side(Number(shown), null_) === side(value, null_)) return shown;
    }
    return (value > 0 ? "+" : "") + general(value, 17);
  }

  // A number with so many decimals, or as many more as tell on which side of an edge it is.
  function beside(value, places, edge) {
    for (let more = places; more <= places + MORE; more++) {
      const shown = fixed(value, more);
      if (side(Number(shown), edge) === side(value, edge)) return shown;
    }
    return `${value < edge ? "<" : ">"}${fixed(edge, places)}`;
  }

  // Both means of a row, their difference and its interval, with the same decimals.
  function numbers(row) {
    let places = decimals([row.meanA, row.meanB]);
    const size = Math.abs(row.estimate);
    const noise = ROUNDING * Math.max(0, ...[row.meanA, row.meanB].filter(Number.isFinite).map(Math.abs));
    if (size > noise && size < 10 ** -places) {
      places = Math.min(MAX_DECIMALS, Math.max(places, 1 - Math.floor(Math.log10(size) + 1e-9)), places + 4);
    }
    const end = (at) => (row.cut && at === 0 ? "0" : bound(at, places));
    const [opening, closing] = [row.cut && row.low === 0 ? "(" : "[", row.cut && row.high === 0 ? ")" : "]"];
    const interval = `${opening}${end(row.low)}, ${end(row.high)}${closing}`;
    return {
      meanA: number(row.meanA, places),
      meanB: number(row.meanB, places),
      estimate: number(row.estimate, places, true),
      interval: Number.isFinite(row.low) || Number.isFinite(row.high) ? interval : "n/a",
    };
  }

  function pvalue(value, alpha = ALPHA) {
    if (Number.isNaN(value)) return "n/a";
    const least = Math.min(SMALLEST_P, alpha);
    return value < least ? `<${general(least, 6)}` : beside(value, 3, alpha);
  }

  const equalTo = (name, value, alpha) => `${name} = ${pvalue(value, alpha)}`.replace("= <", "< ").replace("= >", "> ");

  // A probability in percent, on its own side of the one that decided a claim.
  function percent(probability, decided = null) {
    if (Number.isNaN(probability)) return "not known";
    const shown = fixed(100 * probability, 0);
    if (probability !== 0 && Number(shown) === 0) return "less than 1%";
    if (probability < 1 && Number(shown) >= 100) return "more than 99%";
    return `${decided === null ? shown : beside(100 * probability, 0, 100 * decided)}%`;
  }

  // The same as a number; 0 and 1 only where it is exactly so.
  function probability(value, places = 3) {
    if (Number.isNaN(value)) return "n/a";
    const least = 10 ** -places;
    if (value === 0 || value === 1) return String(value);
    return value < least ? `<${general(least, 6)}` : value > 1 - least ? `>${general(1 - least, 6)}` : fixed(value, places);
  }

  // 0.05 as 5, 0.001 as 0.1: a level in percent.
  const level = (alpha) => `${Number((100 * alpha).toPrecision(8))}%`;
  const confidence = (alpha) => `${Number((100 - 100 * alpha).toPrecision(8))}%`;

  const listed = (names) =>
    names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;

  const named = (names, what = "metrics") => (names.length <= MAX_NAMED ? listed(names) : `${names.length} ${what}`);

  // What a row says with a region of practical equivalence: the interval decides, or the posterior where there is none.
  function outcome(row, alpha) {
    if (row.decided !== "undecided" || Number.isNaN(row.posterior[1])) return row.decided;
    const inside = Number.isNaN(row.low) ? row.posterior[1] > 1 - alpha : -row.width < row.low && row.high < row.width;
    return inside ? "equivalent" : "undecided";
  }

  // The outcome of a row in words.
  function verdict(row) {
    return {
      better: `${row.a} significantly better`,
      worse: `${row.b} significantly better`,
      equivalent: "practically equivalent",
      undecided: "not significantly different",
      smaller: `${row.a} smaller`,
      larger: `${row.b} smaller`,
      "not comparable": "not comparable",
      "not tested": "not tested",
    }[row.outcome];
  }

  const compared = (row) => row.outcome !== "not comparable";
  const sized = (row) => row.outcome === "smaller" || row.outcome === "larger";

  // A statement on all metrics: which model is better on what.
  function pattern(joint, page) {
    const { statement } = joint;
    const [a, b] = [page.models[joint.i], page.models[joint.j]];
    const on = (wanted) => listed(joint.metrics.filter((m, k) => statement[k] === wanted).map((m) => page.metrics[m].name));
    if (statement.every((bit) => bit === statement[0])) {
      const all = statement.length === 2 ? "both metrics" : `all ${statement.length} metrics`;
      return `${statement[0] ? a : b} better than ${statement[0] ? b : a} on ${all}`;
    }
    return `${a} better on ${on(true)}, ${b} better on ${on(false)}`;
  }

  // What the dominance test says, so that it can stand beside a probability.
  function tested(joint, alpha) {
    if (!(joint.smallest < alpha)) return "too few cases for a significant dominance test";
    const p = equalTo("p", joint.adjusted, alpha);
    return `dominance test ${joint.adjusted < alpha ? "" : "not significant, "}${p}`;
  }

  // The dominance test of one pair; whether each part of its statement is significant is what the rows say.
  function jointVerdict(joint, rows, page) {
    if (joint.statement === null || joint.probable === null) {
      return `${page.models[joint.i]} and ${page.models[joint.j]}: no pattern is more frequent than all others`;
    }
    const p = tested(joint, page.alpha);
    const same = String(joint.probable) === String(joint.statement);
    const said = `${pattern(joint, page)} (${same ? `posterior ${percent(joint.probability)}, ` : ""}${p})`;
    const own = rows.filter((row) => row.i === joint.i && row.j === joint.j);
    const won = (m, k) => own.find((row) => row.m === m).winner === (joint.statement[k] ? joint.i : joint.j);
    const established = joint.metrics.every(won);
    if (established === joint.adjusted < page.alpha) return said;
    const differ = established ? "each part is" : "not each part is";
    return `${said}; ${differ} significant above: there the size of wins counts, here their number`;
  }

  // The pairs that are shown; where there are many, the clearest.
  function jointLines(joint, rows, page) {
    const order = (one) => (one.adjusted === null ? 2 : one.adjusted);
    const kept = new Set([...joint].sort((one, other) => order(one) - order(other)).slice(0, MAX_ROWS));
    const lines = joint.filter((one) => kept.has(one)).map((one) => jointVerdict(one, rows, page));
    return joint.length > kept.size ? [...lines, `${joint.length - kept.size} more pairs: dominance_table()`] : lines;
  }

  // What the region of practical equivalence says of the rows that have one; of a single case, or without spread, nothing.
  function ropeSentence(rows, width, alpha, posterior) {
    const asked = rows.filter((row) => row.width > 0);
    const known = asked.filter((row) => row.n > 1 && !Number.isNaN(row.posterior[1]));
    if (!asked.length) return "";
    if (!known.length) return "Of practical equivalence nothing can be said.";
    const within = `With differences of up to ${general(width)} taken as none (${posterior})`;
    if (known.length === 1 && rows.length === 1) {
      const [left, middle, right] = known[0].posterior;
      return `${within}: ${known[0].a} is better with probability ${percent(right, 1 - ALPHA)}, the two are practically equivalent with ` +
        `${percent(middle, 1 - ALPHA)}, ${known[0].b} is better with ${percent(left, 1 - ALPHA)}.`;
    }
    const sure = (part) => known.filter((row) => part(row.posterior) > 1 - alpha).length;
    return `${within}: practical equivalence has a probability above ${confidence(alpha)} in ` +
      `${sure(([, middle]) => middle)} of ${known.length} ${known.length === 1 ? "comparison" : "comparisons"}, ` +
      `a practical difference in ${sure(([left, , right]) => Math.max(left, right))}.`;
  }

  // The warnings of the posteriors, as correlated_t_posterior and sign_posterior have them: codes and sentences.
  function posteriorWarnings(row, study) {
    if (!(row.width > 0) || !row.n) return [];
    if (study) {
      const equal = row.equal ? [["NO_DIFFERENCE", "the scores are equal on all data sets."]] : [];
      return row.n === 1 ? [...equal, ["TOO_FEW", "one data set says nothing about others."]] : equal;
    }
    if (row.n < 2) return [["TOO_FEW", `${row.n} difference${row.n === 1 ? "" : "s"}; a posterior needs at least 2.`]];
    return row.scale === 0 ? [["ZERO_VARIANCE", "all differences are equal, so the posterior is a point."]] : [];
  }

  // Each different warning once, with how many of the rows it is about.
  function ropeWarnings(rows, study) {
    const counts = new Map();
    for (const [code, sentence] of rows.flatMap((row) => posteriorWarnings(row, study))) {
      const found = counts.get(sentence) || { code, n: 0 };
      counts.set(sentence, { code, n: found.n + 1 });
    }
    const where = (n) => (rows.length > 1 ? ` (${n} of ${rows.length} comparisons)` : "");
    return [...counts].map(([sentence, { code, n }]) => `${code}${where(n)}: ${sentence}`);
  }

  // The legend of a copied table: its state, and what is marked how.
  function legend(page, rows, state, marked) {
    const parts = [`${page.legend[0]} ${marked} ${page.legend[1]}`];
    const less = page.metrics.filter((metric, m) => metric.less && rows.some((row) => row.m === m)).map((metric) => metric.name);
    if (less.length) parts.push(`Less is better for ${listed(less)}: there the sign of the difference is reversed.`);
    if (state.rope > 0) {
      const free = page.metrics.filter((metric, m) => rows.some((row) => row.m === m && !row.width)).map((metric) => metric.name);
      const none = free.length ? `; none for ${listed(free)}` : "";
      parts.push(`P(equivalent): differences of up to ${general(state.rope)} (ROPE half width), ${page.posterior}${none}.`);
    }
    return parts.join(" ");
  }

  return {
    bound, compared, confidence, decimals, general, jointLines, legend, level, listed, named, number, numbers, outcome, percent,
    probability, pvalue, ropeSentence, ropeWarnings, sized, verdict,
  };
})();
