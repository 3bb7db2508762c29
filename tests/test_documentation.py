"""What is said about the package is true, and importing it costs nothing."""

from __future__ import annotations

import ast
import dataclasses
import doctest
import importlib
import inspect
import pkgutil
import re
import shlex
import subprocess
import sys
from enum import EnumType
from functools import cache
from pathlib import Path

import click
import numpy as np
import numpydoc.docscrape
import numpydoc.validate
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare
from skcompare import calibration, experiments, inference, planning, plotting
from skcompare.cli import main as cli
from tests.trees import tree_of

PACKAGE = Path(skcompare.__file__).parent
README = Path(__file__).parents[1] / "README.md"
DOCTEST_OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
MODULES = sorted(
    info.name
    for info in pkgutil.walk_packages([str(PACKAGE)], prefix="skcompare.")
    if info.name != "skcompare.__main__"
)

# numpydoc's codes. Layout and wording hold for every docstring; the sections for those of more than one line, which
# our style asks for only where there is something to add to the signature. Left out: GL01, GL02 and SS06 (the text
# starts on the line of the quotes), RT02 to RT05 (a value whose type says it all), PR06, PR08 and PR09 and SA03 (the
# wording of descriptions), EX and ES (an example where it helps).
LAYOUT = {"GL03", "GL05", "GL06", "GL07", "GL08", "GL09", "GL10", "SS01", "SS02", "SS03", "SS04"}
SECTIONS = {"PR01", "PR02", "PR03", "PR04", "PR05", "PR07", "PR10", "RT01", "YD01", "SA02", "SA04"}


def public_objects():
    """Public functions and classes by dotted name, and the public methods and properties of the classes."""
    for module in (skcompare, calibration, experiments, inference, planning, plotting):
        for name in module.__all__:
            found = getattr(module, name)
            if name.startswith("__") or inspect.ismodule(found):
                continue
            yield f"{module.__name__}.{name}", found
            if inspect.isclass(found):
                for member, value in vars(found).items():
                    documented = inspect.isfunction(value) or isinstance(value, (property, classmethod, staticmethod))
                    if documented and not member.startswith("_"):
                        yield f"{module.__name__}.{name}.{member}", value


OBJECTS = dict(public_objects())
FUNCTIONS = [name for name in inference.__all__ if inspect.isfunction(getattr(inference, name))]


DATACLASSES = [name for name, found in OBJECTS.items() if dataclasses.is_dataclass(found)]


@cache
def sources(folder=PACKAGE):
    return [(path, tree_of(path)) for path in sorted(folder.rglob("*.py"))]


def in_fresh_interpreter(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


# ---- examples -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_run(module):
    outcome = doctest.testmod(importlib.import_module(module), optionflags=DOCTEST_OPTIONS)
    assert outcome.failed == 0


def test_there_are_examples_to_run():
    examples = [
        len(test.examples) for name in MODULES for test in doctest.DocTestFinder().find(importlib.import_module(name))
    ]
    assert sum(examples) > 20


PAGES = [
    README,
    *(
        README.parent / "docs" / f"{name}.md"
        for name in (
            "start",
            "choosing",
            "checks",
            "learning_curves",
            "predictions",
            "runs",
            "tasks",
            "adding",
            "calibration",
            "dominance",
            "studies",
            "selection",
            "sequential",
            "one_by_one",
            "leaderboards",
            "elsewhere",
            "migration",
            "running",
            "reports",
            "json",
            "planning",
            "experiments",
        )
    ),
]


@pytest.mark.sampled
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_examples_of_the_pages_run(page):
    outcome = doctest.testfile(str(page), module_relative=False, optionflags=DOCTEST_OPTIONS)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_the_first_page_has_the_examples_of_the_readme():
    pages = README, README.parent / "docs" / "index.md"
    readme, index = ([(one.source, one.want) for one in examples_of(page)] for page in pages)
    assert readme == index
    assert max(len(line) for source, _ in readme for line in source.splitlines()) <= 90  # more is cut on the site


def test_the_picture_of_the_first_page_is_of_its_example(tmp_path):
    compare = pytest.importorskip("matplotlib.testing.compare")
    made, drawn = {}, tmp_path / "differences.png"
    exec("".join(one.source for one in examples_of(README)), made)
    made["result"].plot().figure_.savefig(drawn)
    assert compare.compare_images(str(README.parent / "docs" / "_static" / drawn.name), str(drawn), tol=6) is None


def examples_of(page):
    return doctest.DocTestParser().get_examples(page.read_text(encoding="utf-8"))


def shown_commands():
    """What the pages tell the reader to type, in blocks and in sentences."""
    pages = [README, *sorted((README.parent / "docs").rglob("*.md"))]
    texts = [page.read_text(encoding="utf-8").replace("\\\n", " ") for page in pages]
    found = [re.findall(r"(?m)^(?:\$ |    )skcompare (.*)$|`skcompare ([a-z-][^`]*)`", text) for text in texts]
    return sorted({block or sentence for pairs in found for block, sentence in pairs})


@pytest.mark.sampled
@pytest.mark.parametrize("line", shown_commands())
def test_the_commands_of_the_pages_exist(line):
    command, words = cli.command, shlex.split(line)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        command = command.commands[words.pop(0)]
    context = click.Context(command, **cli.command.context_settings)  # click keeps the help it meets first
    command.make_parser(context).parse_args(words)  # an unknown option is an error


def test_there_are_commands_to_check_and_an_unknown_option_is_found():
    assert len(shown_commands()) >= 10
    with pytest.raises(click.NoSuchOption):
        test_the_commands_of_the_pages_exist("compare --nothing")


# ---- sentences ------------------------------------------------------------------------------------------------

LONG = 25  # words of a sentence
N_LONG = 0  # sentences with more, in the README and the pages


def prose(page):
    """Paragraphs and list items, without code, tables, headings and the targets of links."""
    text = re.sub(r"(?ms)^ *(```|:::).*?^ *\1[ \t]*$|<!--.*?-->|\$\$.*?\$\$", "", page)
    text = re.sub(r"(?m)^( {4}|[|#:(+=]).*$", "", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`]*`|\$[^$]*\$", "Code", text))
    return [" ".join(block.split()) for block in re.split(r"\n\s*\n|\n\s*(?=(?:[-*]|\d+\.) )", text)]


def long_sentences(page):
    """Number of words, and the sentence."""
    sentences = [one for block in prose(page) for one in re.split(r"(?<=[.!?:;])[*\")]*\s+(?=[A-Z(*\[\"\d])", block)]
    counted = [(len(one.removeprefix("- ").split()), one) for one in sentences]
    return [(n_words, one) for n_words, one in counted if n_words > LONG]


def page_of(script):
    """What a tutorial says: its docstring and the comments of its cells, with code and titles as a page has them."""
    comments = [line[2:] if re.match("# (?!%%)", line) else "" for line in script.splitlines()]
    said = "\n".join([ast.get_docstring(ast.parse(script)), "", *comments])
    return re.sub(r"(?s)``.*?``|:[\w:]+:`.*?`", "`code`", re.sub(r"(?m)^.*\n(?:={4,}|-{4,})$", "", said))


def test_few_sentences_of_the_pages_are_long():
    docs = README.parent / "docs"
    pages = {page.name: page.read_text(encoding="utf-8") for page in (README, *sorted(docs.glob("*.md")))}
    scripts = {script.name: page_of(script.read_text(encoding="utf-8")) for script in docs.glob("tutorials/*.py")}
    found = [(n, name, one) for name, text in (pages | scripts).items() for n, one in long_sentences(text)]
    worst = "\n".join(f"{n} words, {name}: {one}" for n, name, one in sorted(found, reverse=True)[:20])
    assert len(found) <= N_LONG, f"{len(found)} sentences have more than {LONG} words; the longest:\n{worst}"


def test_a_long_sentence_is_found_and_code_is_none():
    words = " ".join(["Word"] * LONG)
    assert [n for n, _ in long_sentences(f"- **One.** {words}\n  more.\n\n| {words} more |\n")] == [LONG + 1]
    code = f"    {words} more\n\n```\n{words} more\n```\n"
    assert long_sentences(f"{words}. {words}: Then\n`{words} more`.\n\n{code}") == []
    told, code = f'"""\nTitle\n=====\n\n{words} ``a b`` more.\n"""\n', f'print("{words} more")  # code\n'
    assert [n for n, _ in long_sentences(page_of(f"{told}# %%\n# {words}\n# more.\n\n{code}"))] == [LONG + 2, LONG + 1]


def announced_in_vain(page):
    """Lines that end with a colon, after which nothing comes but a title or the end."""
    text = re.sub(r"(?ms)^ *(```|:::+).*?^ *\1[ \t]*$|<!--.*?-->", "    code", page)
    return re.findall(r"(?m)^(?! {4})(.*:)\s*(?:^#.*|\Z)", text)


def test_what_a_page_announces_follows():
    docs = README.parent / "docs"
    found = {page.name: announced_in_vain(page.read_text(encoding="utf-8")) for page in (README, *docs.rglob("*.md"))}
    assert not {name: lines for name, lines in found.items() if lines}
    assert announced_in_vain("# A\n\nThese:\n\n- one\n\nNo counterpart:\n") == ["No counterpart:"]
    assert announced_in_vain("So:\n\n```python\n>>> 1\n```\n\nThese:\n\n## B\n") == ["These:"]


MOST_LINES = 5000  # of the pages that are written by hand
MADE = {"refused_input.md", "side_by_side.md"}  # by tests/test_refused_input.py and benchmarks/side_by_side.py


def lines_beside_tables(text):
    return [line for line in text.splitlines() if not line.lstrip().startswith("|")]


def test_the_pages_stay_short():
    pages = [page for page in sorted((README.parent / "docs").glob("*.md")) if page.name not in MADE]
    assert all((README.parent / "docs" / name).is_file() for name in MADE)
    lines = {page.name: len(lines_beside_tables(page.read_text(encoding="utf-8"))) for page in pages}
    longest = sorted(lines, key=lines.get, reverse=True)[:5]
    assert sum(lines.values()) <= MOST_LINES, f"{sum(lines.values()):,} lines; the longest pages are {longest}"


def test_lines_of_tables_do_not_count_and_blank_ones_do():
    assert len(lines_beside_tables("# A\n\nText.\n\n| a |\n| --- |\n| 1 |\n  | 2 |\n")) == 4


# ---- the page on reading --------------------------------------------------------------------------------------


def read_together():
    """Results whose first lines are of the kinds that the page on reading explains."""
    X, y = load_breast_cancer(return_X_y=True)
    two = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    small, other = 0.001 * np.tile([1, -1], 5), 0.001 * np.tile([1, 1, -1, -1, 0], 2)
    fits = skcompare.PairedEvaluator(cv=5, scoring=["accuracy", "f1"], random_state=0, error_score=np.nan)
    scores = {"lr": [0.9, 0.8, 0.7, 0.85], "nb": [0.89, 0.77, 0.69, 0.84], "tree": [0.87, 0.76, 0.68, 0.8]}
    return [
        on_ten_folds(lr=0.97 + small, nb=0.93 + other, tree=0.92 - small),
        on_ten_folds(lr=0.9703 + small, nb=0.97 + other, tree=0.92 - small),
        on_ten_folds(lr=0.97 + small, nb=0.97 + small),
        on_ten_folds(a=0.97 + small, b=0.87 + small),
        on_ten_folds(a=0.95 + 38 * other, b=0.9 + 38 * small, c=0.5 - other),
        on_ten_folds(lr=0.97 + small, nb=0.95 + small, tree=0.92 + other),
        on_ten_folds("neg_root_mean_squared_error", ridge=-10 - other, lasso=-14.2 - 500 * small),
        skcompare.PairedEvaluator(
            "10x5", scoring="accuracy", stop=skcompare.StopRule(margin=0.1), random_state=0
        ).evaluate({"lr": GaussianNB(), "nb": GaussianNB(var_smoothing=1e-8)}, X, y),
        skcompare.compare(
            {"nb": GaussianNB()}, np.insert(X, 0, 1.0, axis=1), y, cv=5, scoring="accuracy", return_train_score=True
        ),
        fits.evaluate(two, X, y),
        fits.evaluate(two, np.concatenate([X, X]), np.concatenate([y, y])),
        fits.evaluate({"nb": GaussianNB(), "fails": DummyClassifier(strategy="constant", constant=7)}, X, y),
        fits.set_params(baseline="dummy").evaluate(two, X, np.random.default_rng(0).permutation(y)),
        skcompare.StudyResult.from_frame({"dataset": list("abcd"), **scores}, metric="accuracy"),
        skcompare.read({"model": list("aabb"), "split": [0, 1, 0, 1], "accuracy": [0.6, 0.9, 0.8, 0.5]}),
    ]


def on_ten_folds(metric="accuracy", **models):
    table = {"model": np.repeat([*models], 10), "fold": np.tile(np.arange(10), len(models))}
    return skcompare.from_frame({**table, "metric": [metric] * 10 * len(models), "score": np.r_[*models.values()]})


def without_numbers(text):
    return re.sub(r"[+-]?\d[\d,.]*\d|\d", "#", " ".join(text.split()))


@pytest.mark.filterwarnings("ignore:.*fits failed:sklearn.exceptions.FitFailedWarning")
def test_the_page_on_reading_quotes_what_is_printed():
    """Each first line that it explains is printed of some result, numbers aside; so are all sections, and no other."""
    page = (README.parent / "docs" / "reading.md").read_text(encoding="utf-8")
    results = read_together()
    quoted = re.findall(r'(?m)^\| "([^"]+)" \|', page)
    opened = [without_numbers(result.summary().split("\n\n")[0]) for result in results]
    assert len(quoted) >= 10
    assert [line for line in quoted if not any(without_numbers(line) in text for text in opened)] == []
    explained = re.findall(r"(?m)^\| ([^|]+) \|", page.split("| section |")[1])[1:]
    blocks = [block for result in results for block in result.explain().blocks]
    assert {*explained} == {block.title for block in blocks if hasattr(block, "blocks")}


# ---- docstrings -----------------------------------------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.parametrize("name", OBJECTS)
def test_public_docstrings_follow_numpydoc(name):
    docstring = inspect.getdoc(OBJECTS[name])
    assert docstring, f"{name} has no docstring"
    codes = LAYOUT
    if "\n" in docstring:
        codes = LAYOUT | SECTIONS
    # the parameters of a dataclass are its attributes, which the next test holds; those of an Enum are not for users
    if dataclasses.is_dataclass(OBJECTS[name]) or isinstance(OBJECTS[name], EnumType):
        codes = codes - {"PR01"}
    found = [f"{code}: {message}" for code, message in numpydoc.validate.validate(name)["errors"] if code in codes]
    assert found == []


@pytest.mark.sampled
@pytest.mark.parametrize("name", DATACLASSES)
def test_every_field_of_a_record_is_documented(name):
    fields = {field.name for field in dataclasses.fields(OBJECTS[name]) if not field.name.startswith("_")}
    attributes = numpydoc.docscrape.ClassDoc(OBJECTS[name], config={"show_class_members": False})["Attributes"]
    documented = [part.strip() for attribute in attributes for part in attribute.name.split(",")]
    assert sorted(documented) == sorted(fields)


@pytest.mark.sampled
@pytest.mark.parametrize("name", FUNCTIONS)
def test_inference_functions_tell_returns_errors_and_an_example(name):
    parsed = numpydoc.docscrape.FunctionDoc(getattr(inference, name))
    for section in ("Parameters", "Returns", "Raises", "Examples"):
        assert parsed[section], f"{name} has no section {section}"


def test_files_that_are_named_are_there():
    root = Path(__file__).parents[1]
    known = [path.as_posix() for path in root.glob("*/**/*.*")]
    lacking = []
    for text in (path for form in ("docs/*.md", "skcompare/**/*.py", "skcompare/**/*.md") for path in root.glob(form)):
        named = re.findall(r"`([\w.-]+/[\w./-]+\.(?:py|js|toml|md))`", text.read_text(encoding="utf-8"))
        named = [name for name in named if Path(name).stem.strip("_") != "name"]  # which stands for any
        lacking += [(text.name, name) for name in named if not any(path.endswith(f"/{name}") for path in known)]
    assert lacking == []


def test_every_module_says_what_it_is_for():
    missing = [path.name for path, tree in sources() if not ast.get_docstring(tree)]
    assert missing == []


# ---- names ----------------------------------------------------------------------------------------------------


def test_every_public_name_resolves():
    for module in (skcompare, calibration, experiments, inference, planning, plotting):
        assert len(set(module.__all__)) == len(module.__all__)
        for name in module.__all__:
            assert getattr(module, name) is not None


def test_dir_lists_the_public_names():
    assert dir(skcompare) == sorted(skcompare.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"skcompare.*nothing"):
        skcompare.nothing  # noqa: B018


def test_nothing_is_named_so_that_pytest_would_collect_it():
    for module in MODULES:
        names = vars(importlib.import_module(module))
        assert [name for name in names if name.lower().startswith("test")] == []


def test_the_only_methods_called_test_are_those_of_results():
    methods = [
        f"{path.stem}.{node.name}.{member.name}"
        for path, tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for member in node.body
        if isinstance(member, ast.FunctionDef) and not member.decorator_list and member.name.startswith("test")
    ]
    assert methods == ["_comparable.Comparable.test"]


def test_there_is_no_drawer_for_everything():
    assert [path.name for path, _ in sources() if path.stem in ("utils", "helpers", "common", "misc")] == []


# ---- imports --------------------------------------------------------------------------------------------------


def test_importing_loads_nothing_heavy_and_inference_no_scikit_learn():
    code = "import sys, skcompare; print(*sys.modules); import skcompare.inference; print('then', *sys.modules)"
    loaded, then = " ".join(in_fresh_interpreter(code)).split(" then ")
    heavy = {"sklearn", "scipy", "numpy", "pandas", "matplotlib", "joblib", "click", "tqdm"}
    assert heavy.isdisjoint(name.split(".")[0] for name in loaded.split())
    assert "skcompare.inference" in then.split()
    assert {"sklearn", "pandas", "matplotlib", "joblib"}.isdisjoint(then.split())


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["compare", "PairedEvaluator"])
def test_the_evaluator_loads_what_runs_fits_and_no_answers(name):
    """The rest takes longer than all of this; other libraries are those of `sklearn.model_selection`."""
    code = (
        "import sys, sklearn.model_selection; before = set(sys.modules); import skcompare; skcompare.{}; "
        "print(*set(sys.modules) - before)"
    )
    loaded = in_fresh_interpreter(code.format(name))
    assert "skcompare.evaluator" in loaded
    above = {
        f"skcompare.{part}"
        for part in ("comparison", "inference", "reporting", "plotting", "saving", "tables", "results")
    }
    assert above.isdisjoint(loaded)
    libraries = {"numpy", "scipy", "pandas", "matplotlib", "tqdm", "jinja2", "click", "joblib"}
    assert libraries.isdisjoint(one.split(".")[0] for one in loaded)
    assert {"sklearn.linear_model", "sklearn.ensemble", "sklearn.compose"}.isdisjoint(loaded)


def test_an_answer_loads_no_pictures_and_only_procedures_that_it_takes():
    code = (
        "import sys, warnings, numpy as np, skcompare, sklearn.model_selection, sklearn.naive_bayes; "
        "before = set(sys.modules); rng = np.random.default_rng(0); models = [sklearn.naive_bayes.GaussianNB()] * 2; "
        "warnings.simplefilter('ignore'); X, y = rng.normal(size=(60, 3)), np.arange(60) % 2; "
        "str(skcompare.compare(models, X, y, cv=5)); print(*set(sys.modules) - before); "
        "import skcompare.inference._guide as g; print(g.guides.cache_info().currsize)"
    )
    *loaded, guides = in_fresh_interpreter(code)
    assert "skcompare.reporting.short" in loaded
    assert {"matplotlib", "tqdm", "jinja2", "click"}.isdisjoint(one.split(".")[0] for one in loaded)
    unasked = {f"inference.datasets.{name}" for name in ("hierarchical", "plackett_luce", "posteriors", "rank_tests")}
    unasked |= {f"plotting._{name}" for name in ("curves", "matrix", "posterior", "scores", "search")}
    assert {f"skcompare.{name}" for name in (*unasked, "tables", "selection", "study")}.isdisjoint(loaded)
    assert guides == "0"


def test_no_public_name_and_no_run_needs_frames_plots_or_terminal():
    """Subpackages too are there after one import."""
    code = (
        "import sys, numpy as np\n"
        "class Absent:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        absent = {'pandas', 'matplotlib', 'click', 'tqdm', 'jinja2', 'mlflow'}\n"
        "        if name in absent: raise ImportError(name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "import skcompare\n"
        "print(*(name for name in skcompare.__all__ if getattr(skcompare, name) is not None))\n"
        "from sklearn.naive_bayes import GaussianNB\n"
        "X = np.random.default_rng(0).normal(size=(40, 2))\n"
        "evaluator = skcompare.PairedEvaluator(cv=2, random_state=0)\n"
        "result = evaluator.evaluate([GaussianNB(), GaussianNB()], X, X[:, 0] > 0)\n"
        "print(len(result.summary()) > 0, len(result.to_markdown()) > 0, len(result.to_latex()) > 0)\n"
    )
    *names, summary, markdown, latex = in_fresh_interpreter(code)
    assert names == skcompare.__all__
    assert {"calibration", "experiments", "inference", "planning", "plotting", "selection"} < set(names)
    assert (summary, markdown, latex) == ("True",) * 3


def test_inference_imports_the_standard_library_numpy_scipy_and_itself_only():
    allowed = {*sys.stdlib_module_names, "lazy_loader", "numpy", "scipy", "skcompare"}
    own = ("skcompare.inference", "skcompare._core")
    for path, tree in sources(PACKAGE / "inference"):
        for node in ast.walk(tree):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            for name in names:
                assert name.split(".")[0] in allowed, f"{path.name} imports {name}"
                assert not name.startswith("skcompare") or name.startswith(own), f"{path.name} imports {name}"


# ---- extras ---------------------------------------------------------------------------------------------------


@pytest.fixture
def result():
    from sklearn.datasets import make_classification

    X, y = make_classification(40, random_state=0)
    return skcompare.PairedEvaluator(cv=2, random_state=0).evaluate([GaussianNB(), GaussianNB()], X, y)


def test_a_frame_without_pandas_names_the_extra(result, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    for frame in (result.to_frame, result.compare().to_frame):
        with pytest.raises(ImportError, match=r"pip install 'skcompare\[frames\]'"):
            frame()


def test_progress_without_tqdm_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)

    evaluator = skcompare.PairedEvaluator(cv=2, progress=True)
    with pytest.raises(ImportError, match=r"pip install 'skcompare\[progress\]'"):
        evaluator.evaluate([GaussianNB(), GaussianNB()], [[0.0], [1.0]] * 4, [0, 1] * 4)


def test_the_command_without_click_names_the_extra(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "click", None)
    monkeypatch.delitem(sys.modules, "skcompare.cli.main", raising=False)
    import skcompare.cli
    from skcompare.__main__ import main

    monkeypatch.delattr(skcompare.cli, "main", raising=False)

    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 3  # no answer of check
    assert re.match(r"skcompare: error: .*pip install 'skcompare\[cli\]'", capsys.readouterr().err)


def test_a_table_without_pandas_names_the_extra(tmp_path, monkeypatch):
    from skcompare.cli.data import read_csv

    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"pip install 'skcompare\[frames\]'"):
        read_csv(tmp_path / "data.csv", target=["y"], categorical=[], drop=[], regression=False)
