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

  // What the tests say of a row, as skcompare.comparison.table.Outcome, and which model they say is better: names may
  // look alike, positions do not.
  function decide(row, alpha) {
    row.found = row.adjusted < alpha;
    row.winner = row.found ? (row.lead > 0 ? row.i : row.j) : null;
    if (Number.isNaN(row.adjusted)) row.outcome = "not comparable";
    else if (row.found) row.outcome = row.lead > 0 ? "better" : "worse";
    else row.outcome = "undecided";
  }

  // The outcome of a row in words.
  function verdict(row) {
    return {
      better: `${row.a} better`,
      worse: `${row.b} better`,
      equivalent: "practically equivalent",
      undecided: "no difference shown",
      "not comparable": "undecided",
    }[row.outcome];
  }

  const compared = (row) => row.outcome !== "not comparable";

  // A statement on all metrics in words: which model is better on what.
  function pattern(joint, pair, page) {
    const { statement } = joint;
    const on = (wanted) => listed(joint.metrics.filter((m, k) => statement[k] === wanted).map((m) => page.metrics[m].name));
    if (statement.every((bit) => bit === statement[0])) {
      const [winner, loser] = statement[0] ? [pair.a, pair.b] : [pair.b, pair.a];
      const all = statement.length === 2 ? "both metrics" : `all ${statement.length} metrics`;
      return `${winner} better than ${loser} on ${all}`;
    }
    return `${pair.a} better on ${on(true)}, ${pair.b} better on ${on(false)}`;
  }

  function pairSentence(rows, a, b) {
    const metrics = (wanted) => rows.filter(wanted).map((row) => row.metric);
    const undecided = metrics((row) => !compared(row));
    const open = metrics((row) => row.outcome === "undecided");
    const parts = [];
    for (const [winner, loser, side] of [[a, b, "i"], [b, a, "j"]]) {
      const won = metrics((row) => row.winner === row[side]);
      if (won.length) parts.push(`${winner} is better than ${loser} on ${named(won)}`);
    }
    const beginsWithName = parts.length > 0;
    if (open.length) {
      const some = parts.length > 0 || rows.length === 1 || undecided.length > 0;
      const where = some ? `on ${named(open)}` : `on any of ${rows.length} metrics`;
      parts.push(`no difference between ${a} and ${b} was shown ${where}`);
    }
    if (undecided.length) parts.push(`nothing can be said of ${named(undecided)}`);
    const text = parts.join("; ");
    return text ? `${beginsWithName ? text : text[0].toUpperCase() + text.slice(1)}.` : "";
  }

  // The other models by what the tests say of them against the best.
  function standings(rows, best) {
    const outcomes = new Map();
    for (const row of rows) {
      for (const [leader, other] of [[row.i, row.j], [row.j, row.i]]) {
        if (!best.includes(leader) || best.includes(other)) continue;
        const said = !compared(row) ? "undecided" : !row.found ? "open" : row.winner === leader ? "beaten" : "contrary";
        outcomes.set(other, (outcomes.get(other) || new Set()).add(said));
      }
    }
    const found = { contrary: [], beaten: [], part: [], open: [], undecided: [] };
    for (const [other, said] of outcomes) {
      if (said.has("contrary")) found.contrary.push(other);
      else if (said.size === 1) found[[...said][0]].push(other);
      else found[said.has("beaten") ? "part" : "open"].push(other);
    }
    return found;
  }

  // Which models the tests call better than one of the best.
  function contrary(rows, best, names) {
    const models = [...new Set(rows.flatMap((row) => [row.i, row.j]))];
    return best.flatMap((loser) => {
      const won = (name) => rows.some((row) => row.winner === name && (row.i === loser || row.j === loser));
      const winners = models.filter((name) => name !== loser && won(name));
      if (!winners.length) return [];
      return [`${named(winners.map(names), "others")} ${winners.length === 1 ? "is" : "are"} better than ${names(loser)}`];
    });
  }

  function leading(rows, best, page) {
    const names = (i) => page.models[i];
    const others = standings(rows, best);
    const shown = (models) => named(models.map(names), "others");
    const nOthers = Object.values(others).reduce((n, models) => n + models.length, 0);
    const [one, first] = [best.length === 1, names(best[0])];
    if (one && others.beaten.length === nOthers) return `${first} is better than all ${nOthers} other models`;
    const against = contrary(rows, best, names);
    const claims = [];
    if (others.beaten.length) claims.push(`${one ? "is" : "are"} better than ${shown(others.beaten)}`);
    if (others.open.length) claims.push(`${one ? "is" : "are"} not significantly different from ${shown(others.open)}`);
    const holding = one ? `${first} has the best ${page.merit}` : `${named(best.map(names), "models")} share the best ${page.merit}`;
    const head = one && claims.length && !against.length ? `${first} leads` : holding;
    const parts = against.length ? [`${head}, but ${listed(against)}`] : [listed([head, ...claims])];
    if (against.length && claims.length) parts.push(`${one ? first : "they"} ${listed(claims)}`);
    if (others.part.length) parts.push(`only some of them are better than ${shown(others.part)}`);
    const silent = silentModels(rows);
    const alone = others.undecided.filter((name) => silent.includes(name));
    const apart = others.undecided.filter((name) => !silent.includes(name));
    if (alone.length) parts.push(`nothing can be said of ${shown(alone)}`);
    if (apart.length) parts.push(`nothing can be said of ${shown(apart)} against ${named(best.map(names), "models")}`);
    const covered = (row) => others.undecided.includes(row.i) || others.undecided.includes(row.j);
    const withBest = (row) => best.includes(row.i) || best.includes(row.j);
    const notMade = rows.filter((row) => !compared(row) && withBest(row) && !covered(row)).length;
    if (notMade) parts.push(`${notMade} of these comparisons could not be made`);
    return parts.join("; ");
  }

  // The models of which all comparisons are undecided.
  function silentModels(rows) {
    const heard = new Set(rows.filter(compared).flatMap((row) => [row.i, row.j]));
    return [...new Set(rows.flatMap((row) => [row.i, row.j]))].filter((name) => !heard.has(name));
  }

  function leaderless(rows, page) {
    if (!rows.some(compared)) return "nothing can be said";
    const silent = silentModels(rows);
    const head = "no data set has scores of all models, so none leads";
    return silent.length ? `${head}; nothing can be said of ${named(silent.map((i) => page.models[i]), "models")}` : head;
  }

  function jointSentence(joint, pair, page, alpha) {
    const heading = page.jointHeading;
    if (joint.statement === null) {
      return `${heading}: no pattern of metrics stands out between ${pair.a} and ${pair.b} (the two most frequent ` +
        "are tied).";
    }
    const settled = joint.adjusted < alpha ? "established" : "not established";
    const p = `p = ${pvalue(joint.adjusted)}`.replace("= <", "< ");
    return `${heading}: ${pattern(joint, pair, page)}: ${settled} (${p}; the most probable pattern with probability ` +
      `${percent(joint.probability)}).`;
  }

  function pairSentences(rows, pair, page, alpha, oneMetric) {
    const lines = [pairSentence(rows, pair.a, pair.b)];
    const joint = page.joint.find((other) => other.i === pair.i && other.j === pair.j);
    return joint && !oneMetric ? [...lines, jointSentence(joint, pair, page, alpha)] : lines;
  }

  function leaderSentences(rows, page) {
    const shown = page.metrics.map((metric, m) => [metric, rows.filter((row) => row.m === m)]).filter(([, own]) => own.length);
    const lines = shown.slice(0, MAX_LEADERS).map(([metric, own]) => {
      return `On ${metric.name}, ${metric.leaders.length ? leading(own, metric.leaders, page) : leaderless(own, page)}.`;
    });
    const more = shown.length - MAX_LEADERS;
    if (more > 0) lines.push(`The comparisons hold ${more} more metric${more === 1 ? "" : "s"}.`);
    const found = rows.filter((row) => row.found).length;
    const undecided = rows.filter((row) => !compared(row)).length;
    const open = undecided ? `; ${undecided} could not be made` : "";
    return [...lines, `A difference was shown in ${found || "none"} of ${rows.length} comparisons of two models${open}.`];
  }

  // What the region of practical equivalence says of the rows that have one; of a single case nothing.
  function ropeSentence(rows, width, alpha, posterior) {
    const asked = rows.filter((row) => row.width > 0);
    const known = asked.filter((row) => row.n > 1);
    if (!asked.length) return "";
    if (!known.length) return "Of practical equivalence nothing can be said.";
    const within = `With differences of up to ${general(width)} taken as none (${posterior})`;
    if (known.length === 1 && rows.length === 1) {
      const [left, middle, right] = known[0].posterior;
      return `${within}: ${known[0].a} is better with probability ${percent(right)}, the two are practically equal with ` +
        `${percent(middle)}, ${known[0].b} is better with ${percent(left)}.`;
    }
    const sure = (part) => known.filter((row) => part(row.posterior) > 1 - alpha).length;
    return `${within}: ${sure(([, middle]) => middle)} of ${known.length} ${known.length === 1 ? "comparison" : "comparisons"} ` +
      `${sure(([, middle]) => middle) === 1 ? "is" : "are"} practically equal and ` +
      `${sure(([left, , right]) => Math.max(left, right))} practically different, with probability above ` +
      `${confidence(alpha)}.`;
  }

  // The warnings of the posteriors, as correlated_t_posterior and sign_posterior have them: codes and sentences.
  function posteriorWarnings(row, study) {
    if (!(row.width > 0) || !row.n) return [];
    if (study) {
      const equal = row.equal ? [["NO_DIFFERENCE", "the scores are equal on all data sets."]] : [];
      return row.n === 1 ? [...equal, ["TOO_FEW", "one data set says nothing about others."]] : equal;
    }
    if (row.n < 2) return [["TOO_FEW", `${row.n} difference(s); a posterior needs at least 2.`]];
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
    const [before, between, after] = page.legend;
    const parts = [`${before} ${marked} ${between} ${state.alpha}${after}`];
    const less = page.metrics.filter((metric, m) => metric.less && rows.some((row) => row.m === m)).map((metric) => metric.name);
    if (less.length) parts.push(`Less is better for ${listed(less)}: there the sign of the difference is turned round.`);
    if (state.rope > 0) {
      const free = page.metrics.filter((metric, m) => rows.some((row) => row.m === m && !row.width)).map((metric) => metric.name);
      const none = free.length ? `; none for ${listed(free)}` : "";
      parts.push(`P(equal): differences of up to ${general(state.rope)} (ROPE half width), ${page.posterior}${none}.`);
    }
    return parts.join(" ");
  }

  return {
    compared, confidence, decide, decimals, fixed, general, leaderSentences, legend, level, listed, number, numbers, pairSentences,
    percent, pvalue, ropeSentence, ropeWarnings, verdict,
  };
})();
