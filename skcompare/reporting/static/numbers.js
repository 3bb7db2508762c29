// The arithmetic of the page: the same definitions as skcompare.inference, so that a control needs no Python.
const Numbers = (() => {
  "use strict";

  const ROUNDING = 1e-12; // as skcompare.inference._records.ROUNDING
  const TINY = 1e-300;
  const EPSILON = 1e-16;
  const MOST = 1 - Number.EPSILON / 2; // as skcompare.inference.fold_scores.equivalence.MOST
  const MAX_STEPS = 100000;
  // Lanczos (1964), g = 7
  const LANCZOS = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ];

  function logGamma(x) {
    if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
    const base = x + 6.5;
    let sum = LANCZOS[0];
    for (let i = 1; i < LANCZOS.length; i++) sum += LANCZOS[i] / (x - 1 + i);
    return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(sum);
  }

  const keep = (value) => (Math.abs(value) < TINY ? TINY : value);

  // Continued fraction of the incomplete beta function, by Lentz's method.
  function betaFraction(a, b, x) {
    let c = 1;
    let d = 1 / keep(1 - ((a + b) * x) / (a + 1));
    let fraction = d;
    for (let m = 1; m <= MAX_STEPS; m++) {
      const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
      d = 1 / keep(1 + even * d);
      c = keep(1 + even / c);
      fraction *= d * c;
      const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
      d = 1 / keep(1 + odd * d);
      c = keep(1 + odd / c);
      fraction *= d * c;
      if (Math.abs(d * c - 1) < EPSILON * 4) break;
    }
    return fraction;
  }

  // P(T > t) for t >= 0: half of the incomplete beta function at 1 / (1 + t^2 / df) with df / 2 and 1 / 2.
  function upperTail(df, t) {
    const ratio = (t / df) * t;
    if (ratio === 0) return 0.5;
    if (ratio === Infinity) return 0;
    const a = df / 2;
    const x = 1 / (1 + ratio);
    const logBeta = logGamma(a) + logGamma(0.5) - logGamma(a + 0.5);
    const front = Math.exp(-a * Math.log1p(ratio) + 0.5 * (Math.log(ratio) - Math.log1p(ratio)) - logBeta);
    if (x < (a + 1) / (a + 2.5)) return (front * betaFraction(a, 0.5, x)) / a / 2;
    return (1 - front * betaFraction(0.5, a, ratio * x) * 2) / 2;
  }

  const tCdf = (df, t) => (t < 0 ? upperTail(df, -t) : 1 - upperTail(df, t));

  // Probabilities that b is better, that both are equivalent, that a is better (correlated_t_posterior).
  function tPosterior(mean, scale, df, width) {
    if (Number.isNaN(scale) || Number.isNaN(mean)) return [NaN, NaN, NaN];
    let left = Number(mean < -width);
    let right = Number(mean > width);
    if (scale === 0 && width === 0 && mean === 0) left = right = 0.5;
    if (scale > 0) {
      left = tCdf(df, (-width - mean) / scale);
      right = tCdf(df, (mean - width) / scale);
      const middle = Math.max(width > 0 ? TINY : 0, 1 - left - right);
      return [left, middle, right].map((share) => Math.min(share, MOST));
    }
    return [left, 1 - left - right, right];
  }

  // Losses, ties and wins of a over data sets; scores of which larger is better, NaN where there is none.
  function signCounts(a, b, width) {
    const counts = [0, 0, 0];
    a.forEach((score, i) => {
      if (!Number.isFinite(score) || !Number.isFinite(b[i])) return;
      const noise = ROUNDING * Math.max(Math.abs(score), Math.abs(b[i]));
      const difference = score - b[i];
      const tied = Math.abs(difference) <= noise || Math.abs(difference) <= width * (1 + ROUNDING) + noise;
      counts[tied ? 1 : difference < 0 ? 0 : 2] += 1;
    });
    return counts;
  }

  // The regularised lower incomplete gamma function, by series or by continued fraction.
  function gammaCdf(a, x) {
    const front = Math.exp(a * Math.log(x) - x - logGamma(a));
    if (x < a + 1) {
      let term = 1 / a;
      let sum = term;
      for (let i = 1; term > sum * EPSILON; i++) {
        term *= x / (a + i);
        sum += term;
      }
      return front * sum;
    }
    let b = x + 1 - a;
    let c = 1 / TINY;
    let d = 1 / b;
    let fraction = d;
    for (let i = 1; i <= MAX_STEPS; i++) {
      b += 2;
      d = 1 / keep(i * (a - i) * d + b);
      c = keep(b + (i * (a - i)) / c);
      fraction *= d * c;
      if (Math.abs(d * c - 1) < EPSILON * 4) break;
    }
    return 1 - front * fraction;
  }

  // Probability of each component of a Dirichlet vector to be the largest: gamma variates x = exp(t), trapezoid rule.
  function probabilityLargest(parameters) {
    const largest = Math.max(...parameters);
    const width = 1 / Math.sqrt(largest + 1);
    const low = Math.max(-40, Math.log(largest) - 40 / largest - 9 / Math.sqrt(largest));
    const high = Math.log(largest) + Math.log1p((12 / width + 40) / largest);
    const step = Math.min(0.1, 0.2 * width);
    const totals = parameters.map(() => 0);
    for (let t = low; t <= high; t += step) {
      const x = Math.exp(t);
      const below = parameters.map((a) => (a > 0 ? gammaCdf(a, x) : 1));
      parameters.forEach((a, i) => {
        if (a === 0) return;
        const density = Math.exp(a * t - x - logGamma(a));
        totals[i] += below.reduce((product, value, j) => (j === i ? product : product * value), density);
      });
    }
    const sum = totals.reduce((one, other) => one + other, 0);
    return totals.map((total) => total / sum);
  }

  const posteriors = new Map();

  // The Bayesian sign test with a prior of one tied data set (sign_posterior).
  function signPosterior(counts) {
    const key = counts.join(" ");
    const parameters = [counts[0], counts[1] + 1, counts[2]];
    if (!posteriors.has(key)) posteriors.set(key, probabilityLargest(parameters));
    return posteriors.get(key);
  }

  return { signCounts, signPosterior, tCdf, tPosterior };
})();
