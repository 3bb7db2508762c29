"""Words and numbers that the reports share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import floor, isfinite, log10
from typing import Any

from skcompare._core.printable import one_line
from skcompare.comparison.table import ALPHA, ComparisonRow, ComparisonTable, Outcome, plain_row

MAX_DECIMALS = 9
MAX_ROWS = 15


def plain(value: Any) -> Any:
    """A summary whose texts are one line each, of printable characters: names come from anywhere."""
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def decimals(values: Iterable[float]) -> int:
    """Decimals for numbers that stand together, from the largest of them: 4 for a share, more where all are small."""
    size = max((abs(value) for value in values if isfinite(value)), default=0.0)
    if size > 1:
        return 3 if size < 10 else 2 if size < 1000 else 0
    return 4 if size == 0 else min(MAX_DECIMALS, max(4, 2 - floor(log10(size))))


def number(value: float, places: int, *, signed: bool = False) -> str:
    """A number with so many decimals; zero has no sign, and what is far too large or small an exponent."""
    if value != value:
        return "n/a"
    if abs(value) >= 1e12 or (places == MAX_DECIMALS and 0 < abs(value) < 10.0 ** (2 - places)):
        return f"{value:{'+' if signed else ''}.3g}"
    shown = f"{value:z.{places}f}"
    return f"+{shown}" if signed and float(shown) > 0 else shown


def numbers(row: Mapping[str, Any]) -> dict[str, str]:
    """Both means of a row, their difference and its interval, with the same decimals.

    The means decide how many; a difference that these would round to nothing gets its first two digits shown.
    """
    places = decimals((row["mean_a"], row["mean_b"]))
    estimate = abs(row["estimate"])
    if 0 < estimate < 10.0**-places:
        places = min(MAX_DECIMALS, max(places, 1 - floor(log10(estimate))), places + 4)
    return {
        "mean_a": number(row["mean_a"], places),
        "mean_b": number(row["mean_b"], places),
        "estimate": number(row["estimate"], places, signed=True),
        "interval": f"[{number(row['low'], places, signed=True)}, {number(row['high'], places, signed=True)}]"
        if row["low"] == row["low"]
        else "n/a",
    }


def verdict(row: ComparisonRow) -> str:
    """The outcome of a comparison in words."""
    if row.outcome is Outcome.NOT_COMPARABLE:
        return "undecided"
    return "no difference shown" if row.winner is None else f"{row.winner} better"


def shown_row(row: ComparisonRow) -> dict[str, Any]:
    """A row of a comparison as plain values, with its verdict in words."""
    return {**plain_row(row), "outcome": row.outcome.value, "verdict": verdict(row)}


def shown_comparison(table: ComparisonTable) -> dict[str, Any]:
    """A comparison as plain values."""
    head = {name: getattr(table, name) for name in ("procedure", "correction", "n_hypotheses", "alternative")}
    return {**head, "rows": [shown_row(row) for row in table], "alpha": ALPHA}


def is_study(summary: Mapping[str, Any]) -> bool:
    """Whether a summary is about several data sets."""
    return "datasets" in summary


def setting(summary: Mapping[str, Any]) -> str:
    """The data and the design in a few words."""
    if is_study(summary):
        how = f", {listed(summary['designs'])} on each" if summary["designs"] else ""
        return count_datasets(len(summary["datasets"])) + how
    size = "" if summary["n_samples"] is None else f"{summary['n_samples']} samples, "
    return f"{size}{summary['design']}"


def count_datasets(n: int) -> str:
    """A number of data sets."""
    return f"{n} data set" + ("" if n == 1 else "s")


def adjustment(summary: Mapping[str, Any]) -> str:
    """How the p-values of all comparisons were adjusted."""
    if summary["n_hypotheses"] < 2:
        return "p not adjusted"
    return f"p adjusted ({summary['correction']}) over {summary['n_hypotheses']} comparisons"


def pairs_legend(comparison: Mapping[str, Any], marked: str) -> str:
    """What a table of pairs shows: the data, the test, the adjustment, the sign, and which differences are marked."""
    where = f"{setting(comparison)}; " if "estimators" in comparison else ""
    budget = "p" if comparison["n_hypotheses"] < 2 else "p adj."
    adj = ""
    if comparison["n_hypotheses"] > 1:
        adj = f"; p adj.: {comparison['correction']} over {comparison['n_hypotheses']} comparisons"
    side = comparison.get("alternative", "two-sided")
    sided = "" if side == "two-sided" else f" (one-sided: a {'better' if side == 'greater' else 'worse'})"
    return (
        f"{where}{comparison['procedure']}{sided}{adj}. a - b is positive where a is better; {marked} where {budget} "
        f"is below {comparison['alpha']}. Each interval is for its own comparison alone."
    )


def rope_shares(row: Mapping[str, Any]) -> list[str]:
    """The probabilities that b is better, that the two are equivalent, that a is better; empty where not asked for."""
    return ["" if row[name] is None else percent(row[name]) for name in ("left", "rope", "right")]


def size_range(shares: Sequence[float]) -> str:
    """A mean share with the lowest and the highest, in percent."""
    mean, low, high = (f"{100 * share:.0f}" for share in shares)
    return f"{mean}% ({low} to {high}%)"


def pvalue(value: float) -> str:
    """Three decimals, or a bound below 0.001."""
    if value != value:
        return "n/a"
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def percent(probability: float) -> str:
    """A probability in whole percent, without claiming certainty."""
    if probability > 0.995:
        return "more than 99%"
    return "less than 1%" if probability < 0.005 else f"{100 * probability:.0f}%"


def pattern(bits: Sequence[bool], metrics: Sequence[str], a: str, b: str) -> str:
    """A dominance statement in words: who is better on what."""
    if all(bits) or not any(bits):
        winner, loser = (a, b) if all(bits) else (b, a)
        return f"{winner} better than {loser} on {'both metrics' if len(bits) == 2 else f'all {len(bits)} metrics'}"
    better_a, better_b = (
        listed([m for m, bit in zip(metrics, bits, strict=True) if bit == wins]) for wins in (True, False)
    )
    return f"{a} better than {b} on {better_a}, {b} better than {a} on {better_b}"


def listed(names: Sequence[str]) -> str:
    """``x, y and z``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def joint_verdict(joint: Mapping[str, Any], alpha: float) -> str:
    """The dominance test of one pair as one sentence."""
    a, b = joint["a"], joint["b"]
    if joint["statement"] is None:
        return f"no pattern of metrics stands out between {a} and {b} (the two most frequent are tied)"
    words = pattern(joint["statement"], joint["metrics"], a, b)
    settled = "established" if joint["pvalue_adjusted"] < alpha else "not established"
    p = f"p = {pvalue(joint['pvalue_adjusted'])}".replace("= <", "< ")
    return f"{words}: {settled} ({p}; the most probable pattern with probability {percent(joint['probability'])})"


def joint_lines(summary: Mapping[str, Any]) -> list[str]:
    """The joint verdict of every pair; where there are many pairs, of those with an established one."""
    joints = summary["joint"]
    if len(joints) <= MAX_ROWS:
        return [joint_verdict(joint, summary["alpha"]) for joint in joints]
    settled = [joint for joint in joints if joint["pvalue_adjusted"] < summary["alpha"]]
    lines = [joint_verdict(joint, summary["alpha"]) for joint in settled[:MAX_ROWS]]
    if len(settled) > MAX_ROWS:
        lines.append(f"established for {len(settled) - MAX_ROWS} more pairs: see dominance()")
    if len(settled) < len(joints):
        lines.append(f"not established for {'the other ' if settled else 'any of '}{len(joints) - len(settled)} pairs")
    return lines


def joint_heading(summary: Mapping[str, Any]) -> str:
    """What the joint verdicts are about, and over how many pairs their p-values are adjusted."""
    n_pairs = len(summary["joint"])
    heading = "All metrics together"
    if any(len(joint["metrics"]) < len(summary["metrics"]) for joint in summary["joint"]):
        heading = "All metrics that are defined together"
    return heading if n_pairs == 1 else f"{heading} (p adjusted ({summary['correction']}) over {n_pairs} pairs)"
