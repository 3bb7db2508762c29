"""Tables as they are copied from papers, consoles and spreadsheets: texts with lines, blanks and merged cells."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import skcompare as skc

DATASETS = ["iris", "wine", "kr-vs-kp", "glass"]


@pytest.fixture
def copied(rng):
    """Four data sets, and three models of which two have blanks in their names."""
    return pd.DataFrame(rng.random((4, 3)).round(4), columns=["naive bayes", "our net", "svm"], index=DATASETS)


def in_latex(frame, above=("", ""), between=r" \\"):
    lines = [" & ".join(map(str, row)) + between for row in frame.reset_index().itertuples(index=False)]
    return "\n".join([above[0], " & ".join(["Dataset", *frame]) + r" \\ \midrule", *lines, above[1]])


def ruled(frame, rule, edge, sep):
    """A table with lines of a rule, between edges."""
    rows = [["Data set", *frame], *frame.reset_index().astype(str).to_numpy().tolist()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [edge + sep.join(f"{x:<{n}}" for x, n in zip(row, widths, strict=True)) + edge for row in rows]
    line = rule[0] + rule[1].join("-" * n for n in widths) + rule[0]
    return "\n".join([line, lines[0], line.replace("-", rule[2]), *lines[1:], line])


TEXTS = {
    "rows of LaTeX": in_latex,
    "another environment": lambda f: in_latex(f, (r"\begin{tblr}{lccc}", r"\end{tblr}")),
    "Markdown": lambda f: "\n".join(ruled(f, "||-", "|", "|").splitlines()[1:-1]),
    "a grid": lambda f: ruled(f, "++=", "|", "|"),
    "psql": lambda f: ruled(f, ["", "-+-", "-"], "", " | "),
    "rst": lambda f: ruled(f, ["", "  ", "="], "", "  ").replace("-  ", "=  "),
    "blanks": lambda f: "\n".join(map("   ".join, [["Data set", *f], *f.reset_index().astype(str).to_numpy()])),
}


@pytest.mark.parametrize("form", TEXTS)
def test_tables_are_read_as_they_are_copied(form, copied, tmp_path):
    path = tmp_path / "copied.txt"
    path.write_text(TEXTS[form](copied), encoding="utf-8")
    study = skc.read(path)
    assert (study.datasets, study.estimators) == (tuple(DATASETS), tuple(copied))
    np.testing.assert_allclose(study.scores[:, :, 0, 0], copied.to_numpy())


@pytest.mark.parametrize("index", ["dataset", None])
@pytest.mark.parametrize("columns", ["model", None])
@pytest.mark.parametrize("blank", ["_", " "])
def test_a_printed_frame_is_read_or_refused(index, columns, blank, copied, tmp_path):
    frame = copied.rename(columns=lambda name: name.replace(" ", blank)).rename_axis(index=index, columns=columns)
    path = tmp_path / "printed.txt"
    path.write_text(str(frame), encoding="utf-8")
    try:
        study = skc.read(path)
    except ValueError:
        assert blank == " " or columns is not None
    else:
        assert (study.datasets, study.estimators) == (tuple(DATASETS), tuple(frame))


@pytest.mark.parametrize("end", [".csv", ".xlsx", ".tex"])
@pytest.mark.parametrize("below", ["models", "metrics"])
def test_names_above_merged_cells_are_those_of_all_of_them(end, below, rng, tmp_path, monkeypatch):
    tops, lows = (["acc", "f1"], ["svm", "rf", "knn"])[:: 1 if below == "models" else -1]
    names = [f"{top} {low}" for top in tops for low in lows]
    values = rng.random((4, 6)).round(4)
    blanks = ["Dataset", *(x for top in tops for x in (top, *[""] * (len(lows) - 1)))]
    rows = [blanks, ["", *lows * len(tops)], *([d, *x] for d, x in zip(DATASETS, values.tolist(), strict=True))]
    path = tmp_path / f"merged{end}"
    if end == ".tex":
        heads = [rf"\multicolumn{{{len(lows)}}}{{c|}}{{{top}}}" for top in tops]
        rows[:2] = [[r"\multirow{2}{*}{Dataset}", *heads], ["", *lows * len(tops)]]
        lines = [" & ".join(map(str, row)) + r" \\" for row in rows]
        path.write_text("\n".join([r"\begin{tabular}{lcccccc}", *lines, r"\end{tabular}"]), encoding="utf-8")
    elif end == ".csv":
        path.write_text("\n".join(",".join(map(str, row)) for row in rows), encoding="utf-8")
    else:
        path.write_bytes(b"")  # pandas needs openpyxl to read it
        monkeypatch.setattr(pd, "read_excel", lambda *_, **__: pd.DataFrame(rows))
    study = skc.read(path)
    assert (study.estimators, study.metrics) == (("svm", "rf", "knn"), ("acc", "f1"))
    np.testing.assert_allclose(
        study.scores[2, 1, 0, 1], values[2, names.index("f1 rf" if below == "models" else "rf f1")]
    )


def test_names_that_span_rows_of_latex_are_those_of_all_of_them(rng, tmp_path):
    values = rng.random(8).round(3).tolist()
    lines = [
        rf"{d} & {m} & {values.pop()} \\"
        for d0 in DATASETS
        for d, m in ((rf"\multirow{{2}}{{*}}{{{d0}}}", "a"), ("", "b"))
    ]
    path = tmp_path / "rows.tex"
    path.write_text("\n".join([r"Dataset & Model & F1 \\ \hline", *lines]), encoding="utf-8")
    study = skc.read(path)
    assert (study.datasets, study.estimators, study.metrics) == (tuple(DATASETS), ("a", "b"), ("F1",))


def test_headings_of_some_rows_are_left_out_and_said(copied, tmp_path):
    lines = copied.rename_axis("dataset").to_csv().splitlines()
    path = tmp_path / "headings.csv"
    path.write_text("\n".join([lines[0], "Binary,,,", *lines[1:3], "Multiclass,,,", *lines[3:]]), encoding="utf-8")
    study = skc.read(path)
    assert study.datasets == tuple(DATASETS)
    assert "left out: 'Binary', 'Multiclass'" in study.provenance["read_as"]


@pytest.mark.parametrize(
    ("right", "wrong"), [("richtig", "falsch"), ("WAHR", "FALSCH"), ("vrai", "faux"), ("Sí", "No")]
)
def test_right_and_wrong_in_other_languages(right, wrong, rng):
    graded = rng.integers(0, 2, (30, 2))
    cells = np.where(graded == 1, right, wrong)
    frame = pd.DataFrame({"Item": [f"f{i:02d}" for i in range(30)], "a": cells[:, 0], "b": cells[:, 1]})
    np.testing.assert_array_equal(skc.read(frame).scores[:, :, 0].T, graded)


def test_columns_with_accents_and_bullets_at_scores_are_read(rng, tmp_path):
    rows = [(d, m, s) for d in ("a", "b", "c") for m in ("svm", "foret") for s in range(3)]
    frame = pd.DataFrame(rows, columns=["Jeu de données", "Modèle", "Graine"])
    frame = frame.assign(
        Exactitude=[f"{x:.3f}{mark}" for x, mark in zip(rng.random(18), "\u2022\u25e6 " * 6, strict=True)]
    )
    path = tmp_path / "export.csv"
    frame.to_csv(path, index=False, sep=";")
    study = skc.read(path)
    assert (study.datasets, study.estimators, study.metrics) == (("a", "b", "c"), ("svm", "foret"), ("Exactitude",))


def test_pages_are_refused_as_such(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("<table><tr><th>a</th></tr></table>", encoding="utf-8")
    with pytest.raises(ValueError, match="HTML: give its table as CSV"):
        skc.read(path)
