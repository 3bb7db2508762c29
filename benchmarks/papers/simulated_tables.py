"""The tables of the simulated experiments, from docs/data/papers_simulated.csv."""

from __future__ import annotations

import csv
from functools import cache

from benchmarks.papers import published
from benchmarks.papers.forms import DATA, Line, table

STUDIES = ("Dietterich 1998", "Bouckaert 2003", "Bouckaert and Frank 2004", "Nadeau and Bengio 2003")
Key = tuple[str, str, str, str, str]


@cache
def rows() -> dict[Key, tuple[int, float, float]]:
    """(data sets, value, standard error) by study, setting, design, procedure and quantity."""
    with (DATA / "papers_simulated.csv").open(encoding="utf-8") as stream:
        return {
            tuple(row[:5]): (int(row[5]), float(row[6]), float(row[7]))  # type: ignore[misc]
            for row in list(csv.reader(stream))[1:]
        }


def of_study(study: str) -> dict[Key, tuple[int, float, float]]:
    return {key: own for key, own in rows().items() if key[0] == study}


def percent(value: float, error: float) -> str:
    return f"{100 * value:.1f} ({100 * error:.1f})"


def words(name: str) -> str:
    """A procedure as code, other tests as they are."""
    return f"`{name}`" if "_" in name else name


def settings(study: str) -> list[str]:
    return list(dict.fromkeys(key[1] for key in of_study(study)))


def n_datasets(study: str) -> str:
    counts = sorted({n for n, _, _ in of_study(study).values()})
    return f"Data sets per row: {' or '.join(f'{n:,}' for n in counts)}; in brackets the standard error."


def by_setting(study: str, chosen: list[str], heads: Line, *, quantity: str = "rejected at 5%") -> str:
    """A row per design and procedure, a column per setting."""
    found = of_study(study)
    pairs = dict.fromkeys(key[2:4] for key in found if key[4] == quantity and key[1] in chosen)
    lines = [
        (design, words(name), *(percent(*found[study, setting, design, name, quantity][1:]) for setting in chosen))
        for design, name in pairs
    ]
    return f"{table(('design', 'test', *heads), 2, lines)}\n\n{n_datasets(study)}"


def simulated_learners() -> str:
    """Sizes in % beside the heights of Dietterich's bars."""
    study = STUDIES[0]
    found, anew = of_study(study), [name for name in settings(study) if name.endswith("anew")]
    lines: list[Line] = []
    for design, name in dict.fromkeys(key[2:4] for key in found):
        bars = published.BARS.get((design, name))
        line: Line = (design, words(name))
        for i, setting in enumerate(anew):
            own = percent(*found[study, setting, design, name, "rejected at 5%"][1:])
            line = (*line, f"{100 * bars[i]:.1f}" if bars else "", own)
        lines.append(line)
    heads = tuple(head for setting in anew for head in ("paper", setting.split(",")[0]))
    return f"{table(('design', 'test', *heads), 2, lines)}\n\n{n_datasets(study)}"


def errors_kept() -> str:
    kept = [name for name in settings(STUDIES[0]) if name.endswith("kept")]
    return by_setting(STUDIES[0], kept, tuple(name.split(",")[0] for name in kept))


def schemes() -> str:
    return by_setting(STUDIES[1], settings(STUDIES[1]), ("rejected, %",))


def degrees_of_freedom() -> str:
    study = STUDIES[1]
    found = of_study(study)
    quantities = [f"df at {alpha}%" for alpha in (1, 5, 10)]
    setting = settings(study)[0]
    lines = [
        (f"`{name}`", *(f"{value:.2f} ({error:.2f})" for _, value, error in own))
        for name in dict.fromkeys(key[3] for key in found if key[4] == quantities[0])
        for own in [[found[study, setting, "10x10", name, quantity] for quantity in quantities]]
    ]
    return table(("10x10", *quantities), 1, lines)


def replicability() -> str:
    study = STUDIES[2]
    found, lines = of_study(study), []
    quantities = ("rejected at 5%", "replicability", "consistency")
    for design, name in dict.fromkeys(key[2:4] for key in found if key[4] == quantities[0]):
        line: Line = (design, f"`{name}`")
        for setting in settings(study):
            own = [found[study, setting, design, name, quantity][1:] for quantity in quantities]
            line = (*line, *(percent(*one) for one in own))
        lines.append(line)
    heads = tuple(
        f"{setting.split(',')[0]}: {what}" for setting in settings(study) for what in ("rejected", "R", "consistent")
    )
    ahead = (percent(*found[study, name, "10x10", "naive Bayes - tree", "difference"][1:]) for name in settings(study))
    ends = f"{n_datasets(study)} Naive Bayes is ahead by {' and '.join(ahead)} points."
    return f"{table(('design', 'test', *heads), 2, lines)}\n\n{ends}"


def generalization_error() -> str:
    chosen = settings(STUDIES[3])
    heads = tuple(name.removeprefix("2 classes, n = 200, ") for name in chosen)
    return by_setting(STUDIES[3], chosen, heads)
