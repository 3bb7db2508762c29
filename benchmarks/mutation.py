"""Change one operator or number of the package at a time, and see whether the tests notice.

Run from a checkout, with cosmic-ray beside the test tools (``pip install cosmic-ray``; no extra holds it):
``python -m benchmarks.mutation --sample 160 --seed 0 --jobs 2``. The mutants are those of cosmic-ray. Places are drawn,
in each folder as many as its share of the lines, and of each place one mutant. It is put into a copy of the checkout,
where the test files that concern its line run until the first failure. One line per mutant goes to the csv ``--out``,
and what stands there is not run anew.

Left out are strings and what f-strings hold, annotations, decorators, imports, ``__all__`` and what type checkers alone
see; and what any test would notice, or none could: bit operators on numbers and the reverse, ``is`` instead of ``==``.
"""

from __future__ import annotations

import ast
import csv
import importlib
import itertools
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from queue import Queue
from typing import Any

from benchmarks import ROOT, options

FOLDERS = ("inference", "evaluation", "saving", "comparison")
LEAST_PER_FOLDER = 4
MOST_FILES, MOST_SECONDS = 6, 20.0  # tests of a mutant, and CPU after which no file of them begins
PATIENCE = 150.0  # of the clock: a test file that takes longer with a mutant, and not without, has noticed it
# Decorators are left out, and what is done to a variable needs its name.
NO_OPERATORS = ("RemoveDecorator", "Variable", "NoOp")
ARITHMETIC = {"Add", "Sub", "Mul", "Div", "FloorDiv", "Mod", "Pow"}
IDENTITY = {"Is", "IsNot"}
BARE = re.compile(r"[*/](,|\*)")  # of a signature
# What tests the house rather than the numbers, or takes minutes.
NO_TESTS = {
    *("test_site", "test_documentation", "test_house", "test_words", "test_phrases", "test_suite", "test_packaging"),
    *("test_notebook", "test_html", "test_fuzz", "test_error_rates", "test_calibration_study", "test_procedure_pages"),
}
# The tests that concern a folder beside those that name what a module defines.
AT_HOME = {
    "inference": ("tests/inference/",),
    "evaluation": ("tests/evaluation/",),
    "saving": ("tests/saving/", "tests/test_hostile_files"),
    "comparison": (
        *("tests/test_no_contradiction", "tests/test_one_answer", "tests/test_procedures_on_results"),
        *("tests/comparison/", "tests/test_joint", "tests/test_table", "tests/test_sequential", "tests/test_study"),
    ),
}


@dataclass(frozen=True)
class Mutant:
    """The mutation that an operator of cosmic-ray makes at its so-many-th position of a file."""

    path: str
    line: int
    column: int
    operator: str
    occurrence: int

    @property
    def folder(self) -> str:
        return self.path.split("/")[1]

    def code(self) -> str:
        operator = importlib.import_module("cosmic_ray.plugins").get_operator(self.operator)()
        mutate: Any = importlib.import_module("cosmic_ray.mutating").mutate_code
        return str(mutate((ROOT / self.path).read_text(), operator, self.occurrence))


COLUMNS = (*(x.name for x in fields(Mutant)), "outcome", "seconds", "tests", "mutated")


def left_out(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where no mutant is made: starts and ends, as (line, column)."""

    def of_node(node: ast.AST) -> list[ast.AST | None]:
        match node:
            case ast.JoinedStr() | ast.Import() | ast.ImportFrom():
                return [node]
            case ast.arg() | ast.AnnAssign():
                return [node.annotation]
            case ast.FunctionDef():
                return [*node.decorator_list, node.returns]
            case ast.ClassDef():
                return [*node.decorator_list]
            case ast.If() if "TYPE_CHECKING" in ast.unparse(node.test):
                return [node]
            case ast.Assign() if ast.unparse(node.targets[0]) == "__all__":
                return [node]
        return []

    nodes: list[Any] = [found for node in ast.walk(ast.parse(source)) for found in of_node(node) if found]
    return [((n.lineno, n.col_offset), (n.end_lineno, n.end_col_offset)) for n in nodes]


def usable(operator: str) -> bool:
    """Whether the mutants of an operator run at all, and may differ from the original."""
    if any(word in operator for word in NO_OPERATORS):
        return False
    kind, _, replaced = operator.partition("/")[2].partition("_")
    before, _, after = replaced.partition("_")
    if "BinaryOperator" in kind:
        return (before in ARITHMETIC) == (after in ARITHMETIC)
    return "Comparison" not in kind or (before in IDENTITY) == (after in IDENTITY)


def mutants_of(path: Path) -> Iterator[Mutant]:
    plugins: Any = importlib.import_module("cosmic_ray.plugins")
    tree: Any = importlib.import_module("cosmic_ray.ast")
    source = path.read_text()
    nodes, skipped, lines = list(tree.ast_nodes(tree.get_ast(source))), left_out(source), source.splitlines()
    for name in sorted(plugins.operator_names()):
        if not usable(name):
            continue
        operator = plugins.get_operator(name)()
        positions = (position for node in nodes for position in operator.mutation_positions(node))
        for occurrence, (start, _) in enumerate(positions):
            bare = BARE.match(lines[start[0] - 1], start[1])
            if not bare and not any(low <= start < high for low, high in skipped):
                yield Mutant(path.relative_to(ROOT).as_posix(), *start, name, occurrence)


def draw(n: int, seed: int) -> tuple[list[Mutant], Counter[str]]:
    """Of each folder places in proportion to its lines, and of each place one mutant; and how many there are."""
    rng = random.Random(seed)
    files = {folder: sorted((ROOT / "skcompare" / folder).rglob("*.py")) for folder in FOLDERS}
    lines = {folder: sum(len(path.read_text().splitlines()) for path in files[folder]) for folder in FOLDERS}
    chosen, total = [], Counter[str]()
    for folder in FOLDERS:
        places: dict[tuple[str, int, int], list[Mutant]] = {}
        for mutant in itertools.chain.from_iterable(map(mutants_of, files[folder])):
            places.setdefault((mutant.path, mutant.line, mutant.column), []).append(mutant)
            total[folder] += 1
        share = max(LEAST_PER_FOLDER, round(n * lines[folder] / sum(lines.values())))
        chosen += [rng.choice(places[place]) for place in rng.sample(sorted(places), min(share, len(places)))]
    rng.shuffle(chosen)
    return chosen, total


@cache
def words_of(file: Path) -> Counter[str]:
    return Counter(re.findall(r"\w+", file.read_text()))


@cache
def definitions() -> dict[str, set[str]]:
    """What the modules define at their top, and the words of each definition."""
    found: dict[str, set[str]] = {}
    for path in (ROOT / "skcompare").rglob("*.py"):
        source = path.read_text()
        lines = source.splitlines()
        for top in ast.parse(source).body:
            for name in names_of(top):
                words = re.findall(r"\w+", "\n".join(lines[top.lineno - 1 : top.end_lineno]))
                found.setdefault(name, set()).update(words)
    return found


def names_of(top: ast.stmt) -> list[str]:
    if isinstance(top, (ast.FunctionDef, ast.ClassDef)):
        return [top.name]
    targets = top.targets if isinstance(top, ast.Assign) else [top.target] if isinstance(top, ast.AnnAssign) else []
    return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]


@cache
def concerned(path: str, line: int) -> list[str]:
    """The test files that concern a line: those that name most of what is defined there, or by means of it."""
    module = ROOT / path
    top = next(x for x in ast.parse(module.read_text()).body if x.lineno <= line <= (x.end_lineno or 0))
    methods = [x for x in ast.walk(top) if isinstance(x, ast.FunctionDef) and x.lineno <= line <= (x.end_lineno or 0)]
    public = not any(name.startswith("_") for name in names_of(top))
    weights = {method.name: 3.0 for method in methods if public and not method.name.startswith("_")}
    level, reached, weight = set(names_of(top)), set(names_of(top)), 3.0
    while level and weight > 0.1:
        weights |= {name: weight for name in level - set(weights) if not name.startswith("_")}
        if any(not name.startswith("_") for name in level):
            weight /= 3
        level = {name for name, words in definitions().items() if words & level} - reached
        reached |= level
    stem, homes, scores = module.stem.strip("_"), AT_HOME[path.split("/")[1]], {}
    for test in sorted((ROOT / "tests").rglob("test_*.py")):
        name, words = test.relative_to(ROOT).as_posix(), words_of(test)
        if test.stem in NO_TESTS or "browser" in name or "plotting" in name:
            continue
        score = sum(weight * words[word] for word, weight in weights.items())
        score = (score + 0.1) * (3 if name.startswith(homes) else 1)
        scores[name] = score / words.total() ** 0.5 + (
            stem in test.stem or module.parent.name in test.stem or test.stem.removeprefix("test_") in stem
        )
    return sorted(scores, key=lambda name: -scores[name])


def run(folder: Path, file: str) -> tuple[str, float]:
    """A test file of a copy: passed, failed, or timeout; and the seconds of CPU it took."""
    flags = ("-n0", "-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider")
    # CI=1: the examples that hypothesis tries are the same every time
    environment = {**os.environ, "PYTHONPATH": str(folder), "SKCOMPARE_SEED": "0", "CI": "1", "OMP_NUM_THREADS": "1"}
    deadline, outcome = time.monotonic() + PATIENCE, "timeout"
    command = [sys.executable, "-m", "pytest", *flags, file]
    quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
    process = subprocess.Popen(command, cwd=folder, env=environment, **quiet)
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        if time.monotonic() > deadline:
            os.killpg(process.pid, signal.SIGKILL)
            _, status, usage = os.wait4(process.pid, 0)
            return outcome, usage.ru_utime + usage.ru_stime
        time.sleep(0.05)
    process.returncode = os.waitstatus_to_exitcode(status)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # workers that outlive their test
    return "passed" if process.returncode == 0 else "failed", usage.ru_utime + usage.ru_stime


class Bench:
    """Copies of the checkout, one per job and one without mutants, and what the test files do without a mutant."""

    def __init__(self, jobs: int) -> None:
        self.base = Path(tempfile.mkdtemp(prefix="mutants"))
        self.copies: Queue[Path] = Queue()
        self.seconds: dict[str, float] = {}
        self.sound: dict[str, bool] = {}
        listed = ("git", "ls-files", "-co", "--exclude-standard")
        checkout = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
        for job in ("sound", *map(str, range(jobs))):
            for file in checkout:
                target = self.base / job / file
                target.parent.mkdir(parents=True, exist_ok=True)
                if (ROOT / file).is_file():
                    shutil.copy2(ROOT / file, target)
            if job != "sound":
                self.copies.put(self.base / job)

    def passes(self, file: str) -> bool:
        """Whether a test file passes without a mutant, in the time that a mutant has."""
        if file not in self.sound:
            self.sound[file] = run(self.base / "sound", file)[0] == "passed"
            if not self.sound[file]:
                print(f"{file} does not pass without a mutant and is left out", flush=True)
        return self.sound[file]

    def tested(self, mutant: Mutant, copy: Path) -> tuple[str, float, list[str]]:
        """What became of the mutant in its copy, the seconds of CPU, and the test files that ran, the killer last."""
        ran, total = [], 0.0
        for file in concerned(mutant.path, mutant.line):
            if len(ran) == MOST_FILES or total > MOST_SECONDS:
                break
            if total + self.seconds.get(file, 0.0) > 2 * MOST_SECONDS or not self.sound.get(file, True):
                continue
            outcome, seconds = run(copy, file)
            ran.append(file)
            total += seconds
            if outcome == "passed":
                self.seconds[file] = seconds
            elif self.passes(file):
                return {"failed": "killed"}.get(outcome, outcome), total, ran
        return "survived", total, ran

    def judge(self, mutant: Mutant) -> dict[str, Any]:
        copy = self.copies.get()
        source, place = ROOT / mutant.path, copy / mutant.path
        code = mutant.code()
        try:
            place.write_text(code)
            outcome, seconds, ran = self.tested(mutant, copy)
        finally:
            shutil.copy2(source, place)
            for cached in (place.parent / "__pycache__").glob(f"{place.stem}.*.pyc"):
                cached.unlink(missing_ok=True)
            self.copies.put(copy)
        lines = zip(code.splitlines(), source.read_text().splitlines(), strict=False)
        row = {**vars(mutant), "outcome": outcome, "seconds": round(seconds), "tests": " ".join(ran)}
        return {**row, "mutated": next((line.strip() for line, old in lines if line != old), "")}


def main() -> None:
    given = options(__doc__, sample=160, seed=0, jobs=1, out=Path(tempfile.gettempdir()) / "mutants.csv")
    mutants, total = draw(given.sample, given.seed)
    print(f"{len(mutants)} of {dict(total)} mutants", flush=True)
    rows: list[dict[str, Any]] = []
    if given.out.exists():
        with given.out.open(newline="") as file:
            rows = list(csv.DictReader(file))
    done = {tuple(row[x.name] for x in fields(Mutant)) for row in rows}
    left = [mutant for mutant in mutants if tuple(map(str, vars(mutant).values())) not in done]
    bench = Bench(given.jobs)
    try:
        with given.out.open("w", newline="") as file, ThreadPoolExecutor(given.jobs) as pool:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
            for result in as_completed([pool.submit(bench.judge, mutant) for mutant in left]):
                row = result.result()
                rows.append(row)
                writer.writerow(row)
                file.flush()
                print(f"{row['outcome']} {row['path']}:{row['line']} {row['mutated']} ({row['seconds']} s)", flush=True)
    finally:
        shutil.rmtree(bench.base, ignore_errors=True)
    for folder in FOLDERS:
        counts = Counter(row["outcome"] for row in rows if row["path"].split("/")[1] == folder)
        noticed = counts.total() - counts["survived"]
        print(f"{folder}: {noticed} of {counts.total()} killed, {counts['timeout']} of them by time")


if __name__ == "__main__":
    main()
