// The answer: who leads, as skcompare.comparison.answer decides, and the first line, as skcompare.reporting.answer says.
const Answer = (() => {
  "use strict";

  const ROUNDING = 1e-12; // as skcompare.inference._records.ROUNDING
  const MAX_NAMED = 6;
  const MAX_CLAUSES = 3;
  const { listed, named } = Words;

  const are = (some) => (some.length === 1 ? "is" : "are");
  const alike = (one, other) => Math.abs(one - other) <= ROUNDING * Math.max(Math.abs(one), Math.abs(other));

  // The best of the models that none is significantly better than, of several alike the one with the most wins; none
  // where one with a better mean, or mean rank, is not significantly worse than it. A model that could be compared with
  // none leads only where no other could, and the baseline only where no other is left.
  function leaderOf(models, merits, rows, baseline) {
    const wins = new Map(models.map((i) => [i, rows.filter((row) => row.winner === i).length]));
    const compared = new Set(rows.filter(Words.compared).flatMap((row) => [row.i, row.j]));
    const beaten = new Set(rows.filter((row) => row.winner !== null).map((row) => (row.winner === row.i ? row.j : row.i)));
    const standing = models
      .map((i) => [i, merits[i]])
      .filter(([i, merit]) => Number.isFinite(merit) && (compared.has(i) || !compared.size));
    const unbeaten = standing.filter(([i]) => !beaten.has(i));
    const others = unbeaten.filter(([i]) => i !== baseline);
    const left = others.length ? others : unbeaten;
    const best = Math.max(...left.map(([, merit]) => merit));
    const leading = left.filter(([, merit]) => alike(merit, best)).map(([i]) => i);
    if (!leading.length) return null;
    const leader = leading.reduce((one, other) => (wins.get(other) > wins.get(one) ? other : one));
    const worse = (i) => rows.some((row) => row.winner === leader && (row.i === i || row.j === i));
    const better = standing.filter(([i, merit]) => merit > best && i !== baseline && !leading.includes(i));
    return better.every(([i]) => worse(i)) ? leader : null;
  }

  // The models that the leader is behind by a number that is shown: mean rank, mean, or estimated difference.
  function aheadOf(leader, facing, metric) {
    const sign = metric.less ? -1 : 1;
    const [merits, means] = [metric.merits, metric.means];
    const found = facing.filter((row) => Number.isFinite(row.estimate)).map((row) => {
      const [side, other] = row.i === leader ? [1, row.j] : [-1, row.i];
      const noise = ROUNDING * Math.max(Math.abs(row.meanA), Math.abs(row.meanB));
      const leads = [side * row.estimate, side * sign * (row.meanA - row.meanB)];
      if (means) leads.push(means[leader] === null || means[other] === null ? NaN : sign * (means[leader] - means[other]));
      const known = merits[leader] !== null && merits[other] !== null;
      const behind = known && merits[leader] < merits[other] && !alike(merits[leader], merits[other]);
      return behind || leads.some((lead) => lead < -noise) ? other : null;
    });
    return found.filter((other) => other !== null).sort((one, other) => one - other);
  }

  const open = (row) => row.winner === null && Words.compared(row) && !Words.sized(row);

  // Whether of two models the one is smaller by a number that is the same on all cases.
  const smaller = (row, one, other) => (row.outcome === "smaller" && row.i === one && row.j === other) ||
    (row.outcome === "larger" && row.j === one && row.i === other);

  // What is known of the other models against the leader of a metric.
  function onMetric(rows, models, metric, baseline) {
    const leader = leaderOf(models, metric.merits, rows, baseline);
    const facing = rows.filter((row) => leader === row.i || leader === row.j);
    const others = (wanted) => facing.filter(wanted).map((row) => (row.i === leader ? row.j : row.i));
    const close = facing.filter((row) => open(row) && (row.i === leader ? row.j : row.i) !== baseline);
    // without reaches -Infinity, which is no bound
    const most = Math.max(...close.flatMap((row) => [Math.abs(row.low), Math.abs(row.high)])); // NaN where one of them has no interval
    const differ = metric.gaps || close.some((row) => row.equal === false);
    const bound = Number.isFinite(most) && (most > 0 || !differ) ? most : NaN;
    return {
      leader,
      worse: others((row) => row.winner !== null),
      open: others(open),
      smaller: others((row) => smaller(row, row.i === leader ? row.j : row.i, leader)),
      larger: others((row) => smaller(row, leader, row.i === leader ? row.j : row.i)),
      unknown: others((row) => !Words.compared(row)),
      still: facing.some((row) => row.still && !Words.compared(row)),
      ahead: leader === null ? [] : aheadOf(leader, facing, metric),
      same: bound === 0,
      bound: bound < (metric.span ?? Infinity) ? ` (difference at most ${size(bound)})` : "",
    };
  }

  // A difference with two digits, zeros at the end too.
  function size(value) {
    if (value >= 1e-4 && value < 1) return Words.number(value, 1 - Math.floor(Math.log10(value) + 1e-9));
    return value < 1 ? Words.general(value, 2) : Words.number(value, Words.decimals([value]));
  }

  // The rows say who wins where; `models` and `metrics` are the positions that are asked about.
  function firstLine(rows, models, metrics, page) {
    const asked = models;
    const name = (i) => page.models[i];
    const some = (who) => named(who.map(name), "models");
    const where = (which) => named(which.map((m) => page.metrics[m].name));
    const between = (a, b) => rows.filter((row) => (row.i === a && row.j === b) || (row.i === b && row.j === a));

    const cases = page.cases;
    const together = (group) =>
      group.length > MAX_NAMED ? `${name(group[0])} and ${group.length - 1} other models` : listed(group.map(name));

    // The metrics on which a is significantly better than b, worse, neither, and those without scores.
    function pair(a, b) {
      const own = between(a, b);
      const of = (wanted) => own.filter(wanted).map((row) => row.m);
      return {
        better: of((row) => row.winner === a),
        worse: of((row) => row.winner === b),
        open: of(open),
        smaller: of((row) => smaller(row, a, b)),
        larger: of((row) => smaller(row, b, a)),
        unknown: of((row) => !Words.compared(row)),
      };
    }

    const every = `on every ${cases.replace(/s$/, "")}`;
    // Whether anything is known of another model against the leader.
    const known = (on) => [on.worse, on.open, on.smaller, on.larger].some((group) => group.length);

    function whyNothing() {
      const on = ` on ${where(metrics.slice(0, 1))}`;
      const own = rows.filter((row) => row.m === metrics[0] && Words.compared(row) && !Words.sized(row));
      const won = own.filter((row) => row.winner !== null);
      if (won.length) {
        const worse = new Set(won.map((row) => (row.winner === row.i ? row.j : row.i)));
        if (own.every((row) => worse.has(row.i) && worse.has(row.j))) {
          return `every model is significantly worse than another one${on}, or lacks scores`;
        }
        return `the model with the best mean${page.study ? " rank" : ""}${on} is significantly worse than another one`;
      }
      if (own.some(open)) {
        return `no difference${on} is significant, and too few scores are shared by all models to name a leading one`;
      }
      if (first.still) {
        const same = models.length === 2 ? "the difference is" : "differences are";
        return `${on.slice(1)} ${same} the same on all ${cases}, so that no test is possible`;
      }
      return `no two models can be compared${on}`;
    }

    // Why a later metric than the first one speaks.
    function passedOver() {
      const before = (page.untested ?? []).filter((m) => m !== metrics[0] && metrics.includes(m));
      return before.length ? [`No two models have a comparable ${where(before)}; ${page.metrics[metrics[0]].name} decides.`] : [];
    }

    function ahead() {
      if (!first.ahead.length) return [];
      const by = page.study ? "By mean rank, mean or median difference" : "By mean or tested difference";
      return [`${by} ${some(first.ahead)} ${are(first.ahead)} ahead of ${name(first.leader)}.`];
    }

    function twoModels() {
      const [leader, other] = [first.leader, models.find((i) => i !== first.leader)];
      const [a, b] = [name(leader), name(other)];
      const found = pair(leader, other);
      const sameOn = `${a} and ${b} have the same scores on all ${cases}`;
      const sizes = [[a, found.smaller], [b, found.larger]]
        .filter(([, on]) => on.length)
        .map(([who, on]) => ` ${who} is smaller on ${where(on)}, ${every}.`)
        .join("");
      if (metrics.length === 1 && sizes) return sizes.trim();
      if (metrics.length === 1 && first.same) return `${sameOn}.`;
      if (metrics.length === 1) {
        return first.worse.length
          ? `${use(a)} ${b} is significantly worse.`
          : `${a} and ${b} are not significantly different${first.bound}.`;
      }
      const unknown = found.unknown.length ? ` Nothing can be said of ${where(found.unknown)}.` : "";
      const alikeOn = found.open.length ? ` They are not significantly different on ${where(found.open)}.` : "";
      if (found.better.length && found.worse.length) {
        return `${a} is significantly better on ${where(found.better)}, ${b} on ${where(found.worse)}.${alikeOn}${unknown}${sizes}`;
      }
      if (first.worse.length) {
        return `${use(a)} ${b} is significantly worse on ${where(found.better)}.${alikeOn}${unknown}${sizes}`;
      }
      const bothSame = () => {
        const on = (m) => onMetric(rows.filter((row) => row.m === m), asked, page.metrics[m], baseline);
        const same = found.open.filter((m) => on(m).same);
        const others = found.open.filter((m) => !same.includes(m));
        const differ = others.length ? [`They are not significantly different on ${where(others)}.`] : [];
        return [`${sameOn} on ${where(same)}.`, ...differ];
      };
      const rest = found.open.filter((m) => m !== metrics[0]);
      const also = rest.length ? `, nor on ${where(rest)}` : "";
      const on = where(metrics.slice(0, 1));
      const sized = first.smaller.length + first.larger.length > 0;
      const parts = sized ? [sizes.trim() + alikeOn] : first.same ? bothSame() : [`${a} and ${b} are not significantly different on ${on}${first.bound}${also}.`];
      if (found.better.length) parts.push(`${a} is significantly better on ${where(found.better)}.`);
      if (found.worse.length) parts.push(`${b} is significantly better on ${where(found.worse)}.`);
      return parts.join(" ") + unknown + (sized ? "" : sizes);
    }

    function onFirst() {
      const leader = name(first.leader);
      const on = metrics.length > 1 ? ` on ${where(metrics.slice(0, 1))}` : "";
      const parts = [];
      const group = [first.leader, ...first.open];
      if (first.open.length) {
        const among = rows.filter((row) => row.m === metrics[0] && group.includes(row.i) && group.includes(row.j));
        parts.push(
          among.every(open)
            ? `${together(group)} ${first.same ? `have the same scores on all ${cases}${on}` : `are not significantly different${on}${first.bound}`}`
            : `${leader} leads${on}; ${some(first.open)} ${are(first.open)} not significantly different from it${first.bound}`,
        );
      }
      if (first.worse.length) {
        const all = first.worse.length === models.length - 1 && first.worse.length > MAX_NAMED;
        const worse = `${all ? `All ${first.worse.length} others` : some(first.worse)} ${are(first.worse)} significantly worse`;
        const traded = metrics.length > 1 && first.worse.some((other) => pair(first.leader, other).worse.length);
        const forIt = traded && recommended ? ` for ${where(metrics.slice(0, 1))}` : "";
        parts.push(parts.length ? `${worse} than ${leader}` : `${use(leader + forIt)} ${worse}${on}`);
      }
      for (const which of ["smaller", "larger"]) {
        if (!first[which].length) continue;
        const said = `${some(first[which])} ${are(first[which])} ${which} ${every}`;
        parts.push(parts.length ? said : `${leader} leads${on}; ${said}`);
      }
      const groups = new Map();
      for (const other of first.unknown) {
        const winner = first.open.find((i) => pair(i, other).better.includes(metrics[0]));
        if (winner !== undefined) groups.set(winner, [...(groups.get(winner) || []), other]);
      }
      groups.forEach((who, winner) => parts.push(`${some(who)} ${are(who)} significantly worse than ${name(winner)}`));
      const unknown = first.unknown.filter((i) => ![...groups.values()].some((who) => who.includes(i)));
      if (unknown.length) parts.push(`nothing can be said of ${some(unknown)}`);
      return `${parts.join("; ")}.`;
    }

    // Where other metrics say something else of the leader and another model than the first one.
    function onOthers() {
      const [better, worse, less] = [new Map(), new Map(), new Map()];
      const add = (groups, which, other) => groups.set(String(which), [which, [...(groups.get(String(which))?.[1] || []), other]]);
      for (const other of metrics.length > 1 ? models : []) {
        if (other === first.leader) continue;
        const found = pair(first.leader, other);
        if (found.worse.length) add(better, found.worse, other);
        if (found.better.length && first.open.includes(other)) add(worse, found.better, other);
        const on = found.larger.filter((m) => m !== metrics[0]);
        if (on.length) add(less, on, other);
      }
      const leader = name(first.leader);
      const clauses = [
        ...[...better.values()].map(([on, who]) => `${some(who)} ${are(who)} significantly better than ${leader} on ${where(on)}.`),
        ...[...worse.values()].map(([on, who]) => `On ${where(on)} ${leader} is significantly better than ${some(who)}.`),
        ...[...less.values()].map(([on, who]) => `${some(who)} ${are(who)} smaller than ${leader} on ${where(on)}, ${every}.`),
      ];
      return clauses.length <= MAX_CLAUSES ? clauses : [...clauses.slice(0, MAX_CLAUSES), "Other metrics say more."];
    }

    // That models differ on the first metric of a study, where it is not shown which.
    function notAllEqual() {
      const { omnibus, name: metric } = page.metrics[metrics[0]];
      const won = rows.some((row) => row.m === metrics[0] && row.winner !== null);
      if (!omnibus || !(omnibus.pvalue < page.alpha) || won || models.length < page.models.length) return "";
      return `hat all are equal${metrics.length > 1 ? ` on ${metric}` : ""} is rejected (${omnibus.test}, ${omnibus.said})`;
    }

    // Which models are significantly better than the baseline on the first metric, and which are not.
    function againstBaseline() {
      const on = metrics.length > 1 ? ` on ${where(metrics.slice(0, 1))}` : "";
      const others = models.filter((i) => i !== baseline);
      const facing = new Map(others.map((i) => [i, between(i, baseline).filter((row) => row.m === metrics[0])]));
      const of = (wanted) => others.filter((i) => facing.get(i).some((row) => wanted(row, i)));
      const better = of((row, i) => row.winner === i);
      const worse = of((row) => row.winner === baseline);
      const notBetter = of((row, i) => row.winner !== i && Words.compared(row));
      const unknown = others.filter((i) => !better.includes(i) && !notBetter.includes(i));
      const parts = [];
      const one = others.length === 1;
      if (better.length === others.length) {
        const who = one ? name(others[0]) : others.length === 2 ? "Both" : `All ${others.length}`;
        parts.push(`${who} ${are(others)} significantly better than ${page.over}${on}`);
      } else if (better.length) {
        parts.push(`Not significantly better than ${page.over}${on}: ${some([...notBetter, ...unknown])}`);
      } else {
        parts.push(`${one ? name(others[0]) : "No model"} is ${one ? "not " : ""}significantly better than ${page.over}${on}`);
      }
      if (worse.length) parts.push(`${one ? "it" : some(worse)} ${are(worse)} significantly worse${one ? "" : " than it"}`);
      if (unknown.length && !better.length) parts.push(`nothing can be said of ${some(unknown)}`);
      return { said: `${parts.join("; ")}.`, recommends: better.includes(first.leader) };
    }

    function among(though) {
      if (!known(first)) {
        return [`${name(first.leader)} leads; nothing can be said of the others.`, ...though].join(" ");
      }
      return (models.length === 2 ? [twoModels(), ...though] : [onFirst(), ...though, ...onOthers()]).join(" ");
    }

    const use = (leader) => (recommended ? `Use ${leader}.` : `${leader} leads;`);
    const baseline = models.includes(page.baseline) ? page.baseline : null;
    let recommended = page.metrics[metrics[0]].oneUnit !== false;
    const unequal = notAllEqual();
    const own = rows.filter((row) => row.m === metrics[0]);
    let first = onMetric(own, models, page.metrics[metrics[0]], baseline);
    const whole = (said) => [...passedOver(), said, ...ahead()].join(" ");
    if (!metrics.some((i) => page.metrics[i].withinReach)) {
      const n = page.metrics[metrics[0]].comparisons;
      if (unequal) {
        const on = page.metrics[metrics[0]].omnibus.n;
        return whole(`No pair can be significant among ${n} comparison${n === 1 ? "" : "s"} on ${on} ${on === 1 ? page.cases.slice(0, -1) : page.cases}; t${unequal}.`);
      }
      return whole(
        `Nothing can be concluded: with so little data no difference can be significant among ${n} comparison${n === 1 ? "" : "s"}.`,
      );
    }
    if (first.leader === null || !known(first)) return whole(`Nothing can be concluded: ${whyNothing()}.`);
    const though = unequal ? [`T${unequal}, though no pair differs significantly.`] : [];
    if (baseline === null) return whole(among(though));
    const { said, recommends } = againstBaseline();
    const others = (group) => group.filter((i) => i !== baseline);
    if (models.length === 2 || first.leader === baseline) return whole([said, ...though].join(" "));
    models = others(models);
    for (const group of ["worse", "open", "smaller", "larger", "unknown"]) first = { ...first, [group]: others(first[group]) };
    recommended &&= recommends;
    return whole(recommended ? `${among(though)} ${said}` : `${said} ${among(though)}`);
  }

  return { firstLine, leaderOf };
})();
