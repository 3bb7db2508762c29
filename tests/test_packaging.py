"""What is said twice about the package is said alike: versions of tools, versions of Python, its own version."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import jinja2
import yaml

import skcompare

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]


def read(name):
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_pre_commit_checks_with_the_versions_of_ci():
    exact = {needed for needed in PROJECT["optional-dependencies"]["dev"] if "==" in needed}
    hooks = [hook for repo in read(".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]]
    installed = {needed for hook in hooks for needed in hook.get("additional_dependencies", ())}
    assert installed == {needed for needed in exact if needed.startswith(("ruff", "import-linter"))}
    assert any(needed.startswith("mypy==") for needed in exact)
    commands = {hook["entry"].removesuffix(" --force-exclude").removeprefix(".venv/bin/") for hook in hooks}
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert commands == {"ruff check", "ruff format", "mypy", "lint-imports"}
    for command in commands:
        assert any(line.lstrip().startswith(f".venv/bin/{command}") for line in lines), command


def test_ci_runs_on_the_versions_of_python_that_are_promised():
    job = read(".github/workflows/ci.yml")["jobs"]["ci"]
    versions = job["strategy"]["matrix"]["python"]
    classifier = "Programming Language :: Python :: "
    assert [f"{classifier}{version}" for version in versions] == [
        line for line in PROJECT["classifiers"] if line.startswith(f"{classifier}3.")
    ]
    assert read(".github/workflows/release.yml")["jobs"]["alone"]["strategy"]["matrix"]["python"] == versions
    assert PROJECT["requires-python"] == f">={versions[0]}"
    assert {"run": ".ci/run"} in job["steps"]


def test_ci_runs_with_the_least_versions_that_are_promised():
    job = read(".github/workflows/ci.yml")["jobs"]["least"]
    assert {"run": ".ci/least"} in job["steps"]
    assert job["container"]["image"].startswith(f"python:{PROJECT['requires-python'].removeprefix('>=')}-")
    done = subprocess.run([ROOT / ".ci" / "least", "constraints"], capture_output=True, text=True, check=True)
    extras = PROJECT["optional-dependencies"]
    promised = {
        one for group in (PROJECT["dependencies"], *map(extras.get, ("frames", "plot", "cli", "dask"))) for one in group
    }
    assert promised <= {line.replace("==", ">=") for line in done.stdout.split()}
    everything = [*PROJECT["dependencies"], *(one for group in extras.values() for one in group)]
    assert [one for one in everything if not re.search(r"[>=]=|^skcompare\[", one)] == []


def test_every_claim_about_security_has_its_tests():
    told = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in told.splitlines() if line.startswith("| ") and "---" not in line][1:]
    suite = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    assert len(rows) > 15
    for *_, held, _ in rows:
        for file, name in (one.split("::") for one in re.findall(r"`(\S+)`", held)):
            assert f"def {name}(" in suite[Path(file).name], name
        assert "::" in held


def test_the_citation_is_of_this_version():
    citation = read("CITATION.cff")
    assert str(citation["version"]) == skcompare.__version__
    assert citation["license"] == PROJECT["license"]
    assert citation["keywords"] == PROJECT["keywords"]


def test_the_recipe_needs_what_the_package_needs():
    text = jinja2.Template((ROOT / "recipe" / "meta.yaml").read_text(encoding="utf-8")).render(PYTHON="python")
    recipe = yaml.safe_load(text)
    assert recipe["package"] == {"name": PROJECT["name"], "version": skcompare.__version__}
    needs = {one.replace(" ", "") for one in recipe["requirements"]["run"]}
    assert needs == {f"python{PROJECT['requires-python']}", *PROJECT["dependencies"]}
    extras = {one for group in PROJECT["optional-dependencies"].values() for one in group}
    optional = {one.replace(" ", "").replace("-base", "") for one in recipe["requirements"]["run_constrained"]}
    assert optional <= extras
    assert recipe["build"]["entry_points"] == [f"{name} = {target}" for name, target in PROJECT["scripts"].items()]
    backend = {one.replace(" ", "") for one in recipe["requirements"]["host"]} - {"pip"}
    assert backend == {f"python{PROJECT['requires-python']}", *PYPROJECT["build-system"]["requires"]}
    assert recipe["about"]["license"] == PROJECT["license"]
    assert [recipe["about"]["license_file"]] == PROJECT["license-files"]
    assert recipe["about"]["summary"] == PROJECT["description"]


def test_nothing_is_published_that_was_not_checked():
    jobs = read(".github/workflows/release.yml")["jobs"]
    assert {*jobs["publish"]["needs"]} == {"alone", "recipe"}
    assert jobs["alone"]["needs"] == "build"
    steps = " ".join(step.get("run", "") for step in jobs["build"]["steps"])
    assert [one for one in ("python -m build", "twine check --strict", "1400000") if one not in steps] == []


def test_the_changelog_begins_with_this_version():
    first = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert first[1] == skcompare.__version__
