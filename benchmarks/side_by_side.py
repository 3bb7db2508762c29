"""What other packages print of the same data, beside skcompare: the page ``docs/side_by_side.md``.

``python -m benchmarks.side_by_side PYTHON`` writes the page. PYTHON is the interpreter of an environment with skore,
autorank, scikit-posthocs, mlxtend and evalstats, where the lines of the others are run; ours are run by this one. Each
is a process of its own, whose seconds of processor time are counted with its imports.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import textwrap
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from sklearn import datasets
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from benchmarks import ROOT, line
from skcompare import PairedEvaluator, __version__

PAGE = ROOT / "docs" / "side_by_side.md"
WIDTH, MOST_LINES = 100, 24
SILENT = "import matplotlib; matplotlib.use('Agg')\n"  # no window
VERSIONS = "from importlib.metadata import version; import sys; print(version(sys.argv[1]))"
with (Path(__file__).parent / "side_by_side.toml").open("rb") as _asked:
    QUESTIONS: list[dict[str, Any]] = tomllib.load(_asked)["question"]


def write_data(folder: Path) -> None:
    """The mean scores of four models on eight data sets, and the outcomes of two models on items."""
    sets = {name: getattr(datasets, f"load_{name}")(return_X_y=True) for name in ("breast_cancer", "digits", "wine")}
    sets |= {
        "iris": datasets.load_iris(return_X_y=True),
        "circles": datasets.make_circles(300, noise=0.2, factor=0.5, random_state=0),
        "linear": datasets.make_classification(300, random_state=0),
        "moons": datasets.make_moons(300, noise=0.3, random_state=0),
        "quantiles": datasets.make_gaussian_quantiles(n_samples=300, n_features=5, random_state=0),
    }
    names: dict[str, object] = {}
    exec(QUESTIONS[0]["data"], names)  # the two models of the first question
    models = names["models"] | {
        "knn": make_pipeline(StandardScaler(), KNeighborsClassifier()),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    study = PairedEvaluator(cv=10, scoring=["accuracy"], random_state=0).evaluate_datasets(models, sets)
    frame = study.to_frame().groupby(["dataset", "estimator"], sort=False)["score"].mean().unstack(sort=False)
    frame.to_csv(folder / "scores.csv")
    rng = np.random.default_rng(0)
    skill = rng.normal(size=300)
    rows = ["item,model,score"]
    for name, level in {"large": 0.9, "small": 0.5}.items():
        passed = skill + rng.normal(size=300) + level > 0
        rows += [f"q{i},{name},{int(one)}" for i, one in enumerate(passed)]
    (folder / "items.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


def printed(python: str, program: str, folder: Path) -> tuple[str, float]:
    """What a program prints, and its seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [python, "-W", "ignore", "-c", program], cwd=folder, capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(f"{program}\n{done.stderr}")
    return done.stdout.strip("\n"), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def section(package: str, lines: str, remark: str, text: str) -> list[str]:
    """The lines of the user, what they print below them, and the remark."""
    shown = [part for row in text.splitlines() for part in textwrap.wrap(row, WIDTH, drop_whitespace=False) or [""]]
    if len(shown) > MOST_LINES:
        shown = [*shown[:MOST_LINES], f"... {len(shown) - MOST_LINES} more lines"]
    block = ["```text", *lines.splitlines(), "", *(row.rstrip() for row in shown), "```"]
    drawn = re.findall(r'savefig\("([\w.]+)"', lines)
    pictures = [part for name in drawn for part in (f"![What {package} draws](_static/side_{name})", "")]
    return [f"### {package}", "", *block, "", *pictures, textwrap.fill(remark, 116), ""]


def main(others: str) -> None:
    """Run all, and write the page."""
    page, versions = list[str](), {"skcompare": __version__}
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder)
        for question in QUESTIONS:
            sections, table = list[str](), list[str]()
            for run in question["run"]:
                package, lines = run["package"], run["lines"].strip()
                python = sys.executable if package == "skcompare" else others
                text, seconds = printed(python, f"{SILENT}{question['data']}{lines}", folder)
                if python == others:
                    told = f"import sys; sys.argv.append({package!r})\n{VERSIONS}"
                    versions[package] = printed(python, told, folder)[0]
                counts = len(lines.splitlines()), len(text.splitlines()), len(text.split())
                table.append(line(package, *counts, f"{seconds:.1f}"))
                sections += section(package, lines, run["remark"], text)
            head = ["| | lines of code | printed lines | words | seconds |", "| --- | ---: | ---: | ---: | ---: |"]
            page += [f"## {question['title']}", "", *head, *table, "", *sections]
        for picture in folder.glob("*.png"):
            (ROOT / "docs" / "_static" / f"side_{picture.name}").write_bytes(picture.read_bytes())
    told = ", ".join(f"{package} {number}" for package, number in versions.items())
    intro = (
        "The same data, as several packages report them. Here are the lines that a user writes, what they print, and "
        "what each says that the others do not. Lines of code are those after the data and the models are there. "
        "Seconds are processor time of the whole program, imports included."
    )
    made = f"Made by `python -m benchmarks.side_by_side` on {datetime.now(UTC):%Y-%m-%d} with {told}."
    start = ["# Side by side", "", textwrap.fill(intro, 116), "", textwrap.fill(made, 116), ""]
    PAGE.write_text("\n".join([*start, *page]).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
