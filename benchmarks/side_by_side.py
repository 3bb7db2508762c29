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
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from sklearn import datasets
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, __version__

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "side_by_side.md"
WIDTH, MOST_LINES = 100, 24
SILENT = "import matplotlib; matplotlib.use('Agg')\n"  # no window
VERSIONS = "from importlib.metadata import version; import sys; print(version(sys.argv[1]))"


class Run(NamedTuple):
    """Lines that a user of a package writes, and what is to be said of what they print."""

    package: str
    lines: str
    remark: str


class Question(NamedTuple):
    """One set of data, and who answers."""

    title: str
    data: str  # what every program begins with, not counted
    runs: tuple[Run, ...]


PAIR = """
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X, y = load_breast_cancer(return_X_y=True)
models = {"lr": make_pipeline(StandardScaler(), LogisticRegression()), "nb": GaussianNB()}
"""
QUESTIONS = (
    Question(
        "Two models on one data set",
        PAIR,
        (
            Run(
                "skcompare",
                """
from skcompare import PairedEvaluator
print(PairedEvaluator(cv=10, random_state=0).evaluate(models, X, y))
""",
                "It says which model to use, how far the lead may reach, and how often such a test is wrong. It "
                "takes the most time of all on this page.",
            ),
            Run(
                "scikit-learn",
                """
from sklearn.model_selection import cross_validate
for name, model in models.items():
    scores = cross_validate(model, X, y, cv=10, scoring=["accuracy", "roc_auc"])
    print(name, {key: f"{value.mean():.3f} +- {value.std():.3f}" for key, value in scores.items() if "test" in key})
""",
                "Nothing to install, and the scores of any scorer. There is no difference, no interval and no test. "
                "The deviation over folds is not how sure the mean is.",
            ),
            Run(
                "skore",
                """
import skore
reports = {name: skore.CrossValidationReport(model, X, y, splitter=10) for name, model in models.items()}
print(skore.ComparisonReport(reports).metrics.summarize().frame().round(3).to_string())
""",
                "More metrics at once, by class, with times. Importances and a store of reports are a call away, "
                "which we do not have. It compares no two models by a test, and leaves the choice to the reader.",
            ),
            Run(
                "mlxtend",
                """
from mlxtend.evaluate import paired_ttest_kfold_cv
t, p = paired_ttest_kfold_cv(models["lr"], models["nb"], X, y, cv=10, scoring="accuracy", random_seed=0)
print(f"t = {t:.3f}, p = {p:.4f}")
""",
                "The shortest call for one test, and 5x2 tests, McNemar's and Cochran's beside it. This one takes "
                "the folds for independent: in simulations it called equal models different in about 10% of cases "
                "at 5%.",
            ),
        ),
    ),
    Question(
        "Four models on eight data sets",
        'import pandas as pd\n\ntable = pd.read_csv("scores.csv", index_col=0)\n',
        (
            Run(
                "skcompare",
                """
import skcompare as skc
study = skc.StudyResult.from_frame(table, metric="accuracy")
print(study)
study.plot("critical_difference").figure_.savefig("skcompare.png", dpi=100)
""",
                "The first line says who may be first. Intervals of the differences hold together, and belong to "
                "the test that decides.",
            ),
            Run(
                "autorank",
                """
from autorank import autorank, create_report, plot_stats
from matplotlib import pyplot as plt
found = autorank(table)
create_report(found)
plot_stats(found, allow_insignificant=True)
plt.gcf().savefig("autorank.png", dpi=100, bbox_inches="tight")
""",
                "It writes the paragraph for the paper by itself, with effect sizes, which our print lacks. It "
                "looks at the data to choose the test, which makes an error rate hard to state.",
            ),
            Run(
                "scikit-posthocs",
                """
import scikit_posthocs as sp
from matplotlib import pyplot as plt
pvalues = sp.posthoc_nemenyi_friedman(table)
print(pvalues.round(3))
sp.critical_difference_diagram(table.rank(axis=1, ascending=False).mean(), pvalues)
plt.gcf().savefig("scikit_posthocs.png", dpi=100, bbox_inches="tight")
""",
                "Over twenty post-hoc tests on any table of pandas, also of designs that no model comparison has. "
                "What the p-values mean, and whether ranks and p-values belong together, is up to the reader.",
            ),
        ),
    ),
    Question(
        "Two language models on 300 items",
        "",
        (
            Run(
                "skcompare",
                """
import skcompare as skc
print(skc.read("items.csv"))
""",
                "One line of code for one file. What the file was read as can be asked (`provenance`), and is "
                "printed by `skcompare analyze items.csv`.",
            ),
            Run(
                "evalstats",
                """
import evalstats
found = evalstats.compare_models(evalstats.load_from("items.csv"))
found.summary()
""",
                "Made for prompts and language models: it also compares prompts, separates the variance of seeds, "
                "corrects judges, and draws in the terminal. Both take McNemar's test here, and agree.",
            ),
        ),
    ),
)


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
    exec(PAIR, names)  # the two models of the first question
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


def section(run: Run, text: str) -> list[str]:
    """The lines of the user, what they print below them, and the remark."""
    shown = [part for line in text.splitlines() for part in textwrap.wrap(line, WIDTH, drop_whitespace=False) or [""]]
    if len(shown) > MOST_LINES:
        shown = [*shown[:MOST_LINES], f"... {len(shown) - MOST_LINES} more lines"]
    block = ["```text", *run.lines.strip().splitlines(), "", *(line.rstrip() for line in shown), "```"]
    drawn = re.findall(r'savefig\("([\w.]+)"', run.lines)
    pictures = [part for name in drawn for part in (f"![What {run.package} draws](_static/side_{name})", "")]
    return [f"### {run.package}", "", *block, "", *pictures, textwrap.fill(run.remark, 116), ""]


def main(others: str) -> None:
    """Run all, and write the page."""
    page, versions = list[str](), {"skcompare": __version__}
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder)
        for question in QUESTIONS:
            sections, table = list[str](), list[str]()
            for run in question.runs:
                python = sys.executable if run.package == "skcompare" else others
                text, seconds = printed(python, f"{SILENT}{question.data}{run.lines}", folder)
                if python == others:
                    told = f"import sys; sys.argv.append({run.package!r})\n{VERSIONS}"
                    versions[run.package] = printed(python, told, folder)[0]
                counts = len(run.lines.strip().splitlines()), len(text.splitlines()), len(text.split())
                table.append(f"| {run.package} | {' | '.join(map(str, counts))} | {seconds:.1f} |")
                sections += section(run, text)
            head = ["| | lines of code | printed lines | words | seconds |", "| --- | ---: | ---: | ---: | ---: |"]
            page += [f"## {question.title}", "", *head, *table, "", *sections]
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
