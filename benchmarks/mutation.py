"""Change one operator or number of the package at a time, and see whether the tests notice.

Run from a checkout, with cosmic-ray beside the test tools (``pip install cosmic-ray``; no extra holds it):
``python -m benchmarks.mutation --sample 160 --seed 0 --jobs 2``. The mutants are those of cosmic-ray. Places are drawn,
in each folder as many as its share of the lines, and of each place one mutant. It is put into a copy of the checkout,
where the test files that concern its module run until the first failure. One line per mutant goes to a csv;
``--again FILE`` runs those of its mutants anew that survived.

Left out are strings and what f-strings hold, annotations, decorators, imports, ``__all__`` and what type checkers alone
see; and what any test would notice, or none could: bit operators on numbers and the reverse, ``is`` instead of ``==``.
"""

from __future__ import annotations

import argparse
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
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("inference", "evaluation", "saving", "comparison")
LEAST_PER_FOLDER = 4
MOST_FILES, MOST_SECONDS = 8, 60.0  # of tests per mutant, the latter of CPU, as measured without a mutant
PATIENCE, SLACK = 120.0, 6  # a mutant hangs after so many seconds, or so many times those of its tests
# Decorators are left out, and what is done to a variable needs its name.
NO_OPERATORS = ("RemoveDecorator", "Variable", "NoOp")
ARITHMETIC, BITS = (
    {"Add", "Sub", "Mul", "Div", "FloorDiv", "Mod", "Pow"},
    {"RShift", "LShift", "BitOr", "BitAnd", "BitXor"},
)
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
    "saving": ("tests/test_saved_results", "tests/test_hostile_files"),
    "comparison": (
        *("tests/test_no_contradiction", "tests/test_one_answer", "tests/test_procedures_on_results"),
        *("tests/test_joint", "tests/test_verdict", "tests/test_table", "tests/test_sequential", "tests/test_study"),
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


def left_out(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where no mutant is made: starts and ends, as (line, column)."""
    nodes: list[ast.AST] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.JoinedStr, ast.Import, ast.ImportFrom)):
            nodes.append(node)
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            nodes.append(node.annotation)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            nodes += node.decorator_list
        if isinstance(node, ast.FunctionDef) and node.returns:
            nodes.append(node.returns)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            nodes.append(node)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            nodes.append(node)
    spans: list[Any] = [((n.lineno, n.col_offset), (n.end_lineno, n.end_col_offset)) for n in nodes]  # type: ignore[attr-defined]
    return spans


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


def draw(n: int, seed: int, folders: list[str]) -> tuple[list[Mutant], Counter[str]]:
    """Of each folder places in proportion to its lines, and of each place one mutant; and how many there are."""
    rng = random.Random(seed)
    files = {folder: sorted((ROOT / "skcompare" / folder).rglob("*.py")) for folder in folders}
    lines = {folder: sum(len(path.read_text().splitlines()) for path in files[folder]) for folder in folders}
    chosen, total = [], Counter[str]()
    for folder in folders:
        places: dict[tuple[str, int, int], list[Mutant]] = {}
        for mutant in itertools.chain.from_iterable(map(mutants_of, files[folder])):
            places.setdefault((mutant.path, mutant.line, mutant.column), []).append(mutant)
            total[folder] += 1
        share = max(LEAST_PER_FOLDER, round(n * lines[folder] / sum(lines.values())))
        chosen += [rng.choice(places[place]) for place in rng.sample(sorted(places), min(share, len(places)))]
    rng.shuffle(chosen)
    return chosen, total


def defined(path: Path) -> set[str]:
    """What a module defines for others."""
    tops = ast.parse(path.read_text()).body
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {top.name for top in tops if isinstance(top, kinds) and not top.name.startswith("_")}


def importers(path: Path) -> list[Path]:
    """Modules that import this one, beside the lists of public names."""
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    package, _, name = module.rpartition(".")
    pattern = re.compile(rf"from {re.escape(module)} import|from {re.escape(package)} import .*\b{name}\b")
    found = [other for other in (ROOT / "skcompare").rglob("*.py") if pattern.search(other.read_text())]
    return [other for other in found if other.name != "__init__.py"]


def concerned(path: str) -> list[str]:
    """The test files that concern a module, first those that name most of what it defines, or is defined with it."""
    module = ROOT / path
    own, users = defined(module), importers(module)
    near = set().union(*map(defined, users))
    far = set().union(*(defined(other) for user in users if user.name.startswith("_") for other in importers(user)))
    stem = module.stem.strip("_")
    homes = AT_HOME[path.split("/")[1]]
    scores = {}
    for test in sorted((ROOT / "tests").rglob("test_*.py")):
        name = test.relative_to(ROOT).as_posix()
        if test.stem in NO_TESTS or "browser" in name or "plotting" in name:
            continue
        words = Counter(re.findall(r"\w+", test.read_text()))
        score = sum(words[x] for x in own) + 0.3 * sum(words[x] for x in near) + 0.1 * sum(words[x] for x in far)
        at_home = name.startswith(homes)
        score = score * (3 if at_home else 1) + 0.5 * at_home
        score += 30 * (stem in test.stem or module.parent.name in test.stem)
        if score:
            scores[name] = score
    return sorted(scores, key=lambda name: -scores[name])


def run(folder: Path, files: list[str], timeout: float) -> tuple[str, float]:
    """The tests of a copy: passed, failed, or timeout; and the seconds of CPU they took."""
    flags = ("-n0", "-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider")
    # CI=1: the examples that hypothesis tries are the same every time
    environment = {**os.environ, "PYTHONPATH": str(folder), "SKCOMPARE_SEED": "0", "CI": "1", "OMP_NUM_THREADS": "1"}
    deadline, outcome = time.monotonic() + timeout, "timeout"
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", *flags, *files],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
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
    """Copies of the checkout, one per job, and how long each test file takes without a mutant."""

    def __init__(self, jobs: int) -> None:
        self.base = Path(tempfile.mkdtemp(prefix="mutants"))
        self.copies: Queue[Path] = Queue()
        self.seconds: dict[str, float] = {}
        listed = ("git", "ls-files", "-co", "--exclude-standard")
        files = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
        for job in range(jobs):
            for file in filter(None, files):
                target = self.base / str(job) / file
                target.parent.mkdir(parents=True, exist_ok=True)
                if (ROOT / file).is_file():
                    shutil.copy2(ROOT / file, target)
            self.copies.put(self.base / str(job))

    def tests(self, path: str, copy: Path) -> tuple[list[str], float]:
        """The files to run for a module that pass without a mutant, and their seconds."""
        chosen, total = [], 0.0
        for file in concerned(path)[: 2 * MOST_FILES]:
            if file not in self.seconds:
                outcome, seconds = run(copy, [file], 3 * PATIENCE)
                self.seconds[file] = seconds if outcome == "passed" else float("inf")
                print(f"{file}: {outcome}, {seconds:.0f} s without a mutant", flush=True)
            if len(chosen) < MOST_FILES and total + self.seconds[file] <= MOST_SECONDS:
                chosen.append(file)
                total += self.seconds[file]
        return chosen, total

    def judge(self, mutant: Mutant) -> dict[str, Any]:
        copy = self.copies.get()
        place = copy / mutant.path
        try:
            files, seconds = self.tests(mutant.path, copy)
            place.write_text(mutant.code())
            outcome, took = run(copy, files, max(PATIENCE, SLACK * seconds))
        finally:
            shutil.copy2(ROOT / mutant.path, place)
            for cached in (place.parent / "__pycache__").glob(f"{place.stem}.*.pyc"):
                cached.unlink(missing_ok=True)
            self.copies.put(copy)
        before, after = (text.splitlines() for text in ((ROOT / mutant.path).read_text(), mutant.code()))
        changed = next((line for line, old in zip(after, before, strict=False) if line != old), "")
        row = {**vars(mutant), "outcome": {"passed": "survived", "failed": "killed"}.get(outcome, outcome)}
        return {**row, "seconds": round(took), "tests": " ".join(files), "mutated": changed.strip()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=160)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--folder", choices=FOLDERS, action="append", help="one of the folders; all of them by default")
    parser.add_argument("--again", type=Path, help="a csv of an earlier run, whose survivors are to run anew")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "mutants.csv")
    options = parser.parse_args()
    if options.again:
        with options.again.open(newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["outcome"] == "survived"]
        keys = ("path", "operator")
        mutants = [
            Mutant(**{k: r[k] for k in keys}, **{k: int(r[k]) for k in ("line", "column", "occurrence")}) for r in rows
        ]
    else:
        mutants, total = draw(options.sample, options.seed, options.folder or list(FOLDERS))
        print(f"{len(mutants)} of {dict(total)} mutants", flush=True)
    bench, results = Bench(options.jobs), Counter[tuple[str, str]]()
    try:
        with options.out.open("w", newline="") as file, ThreadPoolExecutor(options.jobs) as pool:
            writer: Any = None
            for row in pool.map(bench.judge, mutants):
                writer = writer or csv.DictWriter(file, list(row))
                if not sum(results.values()):
                    writer.writeheader()
                writer.writerow(row)
                file.flush()
                results[row["path"].split("/")[1], row["outcome"]] += 1
                print(f"{row['outcome']} {row['path']}:{row['line']} {row['mutated']} ({row['seconds']} s)", flush=True)
    finally:
        shutil.rmtree(bench.base, ignore_errors=True)
    for folder in FOLDERS:
        counts = {outcome: n for (where, outcome), n in results.items() if where == folder}
        if counts:
            killed = sum(counts.values()) - counts.get("survived", 0)
            print(f"{folder}: {killed} of {sum(counts.values())} killed, {counts.get('timeout', 0)} of them by time")


if __name__ == "__main__":
    main()
