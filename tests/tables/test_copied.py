"""Tables as they are copied from papers, consoles and spreadsheets: texts with lines, blanks and merged cells."""

from __future__ import annotations

import io
import json
from collections import OrderedDict, UserDict
from decimal import Decimal
from types import MappingProxyType

import numpy as np
import pandas as pd
import pytest

import skcompare as skc

DATASETS = ["iris", "wine", "kr-vs-kp", "glass"]


@pytest.fixture
def copied(rng):
    """Four data sets, and three models of which two have blanks in their names."""
    return pd.DataFrame(rng.random((4, 3)).round(4), columns=["naive bayes", "our net", "svm"], index=DATASETS)


def in_latex(frame, above, between=r" \\"):
    lines = [" & ".join(map(str, row)) + between for row in frame.reset_index().itertuples(index=False)]
    return "\n".join([above[0], " & ".join(["Dataset", *frame]) + r" \\ \midrule", *lines, above[1]])


def tabular(lines):
    return "\n".join([r"\begin{tabular}{llrr}", *lines, r"\end{tabular}"])


def ruled(frame, rule, edge, sep):
    """A table with lines of a rule, between edges."""
    rows = [["Data set", *frame], *frame.reset_index().astype(str).to_numpy().tolist()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [edge + sep.join(f"{x:<{n}}" for x, n in zip(row, widths, strict=True)) + edge for row in rows]
    line = rule[0] + rule[1].join("-" * n for n in widths) + rule[0]
    return "\n".join([line, lines[0], line.replace("-", rule[2]), *lines[1:], line])


TEXTS = {
    "another environment": lambda f: in_latex(f, (r"\begin{tblr}{lccc}", r"\end{tblr}")),
    "Markdown": lambda f: "\n".join(ruled(f, "||-", "|", "|").splitlines()[1:-1]),
    "a grid": lambda f: ruled(f, "++=", "|", "|"),
    "psql": lambda f: ruled(f, ["", "-+-", "-"], "", " | "),
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
        assert blank == " " or columns is not None or index is not None
    else:
        assert (study.datasets, study.estimators) == (tuple(DATASETS), tuple(frame))


@pytest.mark.parametrize("end", [".csv", ".xlsx"])
@pytest.mark.parametrize("below", ["models", "metrics"])
def test_names_above_merged_cells_are_those_of_all_of_them(end, below, rng, tmp_path, monkeypatch):
    tops, lows = (["acc", "f1"], ["svm", "rf", "knn"])[:: 1 if below == "models" else -1]
    names = [f"{top} {low}" for top in tops for low in lows]
    values = rng.random((4, 6)).round(4)
    blanks = ["Dataset", *(x for top in tops for x in (top, *[""] * (len(lows) - 1)))]
    rows = [blanks, ["", *lows * len(tops)], *([d, *x] for d, x in zip(DATASETS, values.tolist(), strict=True))]
    path = tmp_path / f"merged{end}"
    if end == ".csv":
        path.write_text("\n".join(",".join(map(str, row)) for row in rows), encoding="utf-8")
    else:
        path.write_bytes(b"")  # pandas needs openpyxl to read it
        monkeypatch.setattr(pd, "read_excel", lambda *_, **__: {"Sheet1": pd.DataFrame(rows)})
    study = skc.read(path)
    assert (study.estimators, study.metrics) == (("svm", "rf", "knn"), ("acc", "f1"))
    np.testing.assert_allclose(
        study.scores[2, 1, 0, 1], values[2, names.index("f1 rf" if below == "models" else "rf f1")]
    )


@pytest.fixture
def workbook(tmp_path, monkeypatch):
    """A workbook of some sheets, each of rows; without openpyxl what pandas makes of it."""

    def made(sheets, name="results.xlsx"):
        width = max(len(row) for rows in sheets.values() for row in rows)
        frames = {name: pd.DataFrame([[*row, *[""] * (width - len(row))] for row in x]) for name, x in sheets.items()}
        path = tmp_path / name
        try:
            import openpyxl
        except ImportError:
            path.write_bytes(b"")
            monkeypatch.setattr(pd, "read_excel", lambda _, sheet_name=0, **__: frames if sheet_name is None else {})
            return path
        book = openpyxl.Workbook()
        book.remove(book.active)
        for name, rows in sheets.items():
            sheet = book.create_sheet(name)
            for row in rows:
                sheet.append([None if x == "" else x for x in row])
        book.save(path)
        return path

    return made


def sheet_of(frame):
    return [
        ["dataset", *frame],
        *([name, *row] for name, row in zip(frame.index, frame.to_numpy().tolist(), strict=True)),
    ]


@pytest.mark.parametrize("beside", ["empty", "words", "one cell a row", "none"])
@pytest.mark.parametrize("first", [True, False])
def test_the_one_sheet_with_a_table_is_read_wherever_it_stands(beside, first, copied, workbook):
    other = {"empty": [], "words": [["see the other sheet"]], "one cell a row": [["by"], ["all"], ["2026"]]}.get(beside)
    sheets = {"Results": sheet_of(copied)} | ({} if other is None else {"Notes": other})
    study = skc.read(workbook(dict(reversed(sheets.items())) if first else sheets))
    assert study.estimators == tuple(copied)
    np.testing.assert_allclose(study.scores[:, :, 0, 0], copied.to_numpy())


@pytest.mark.parametrize("names", [("acc", "f1"), ("svm", "rf", "knn"), ("old", "new")])
def test_tables_in_several_sheets_are_asked_about_and_none_is_taken_unsaid(names, copied, workbook, rng):
    """The first was read, whatever it was."""
    path = workbook({name: sheet_of(copied + rng.random()) for name in names})
    with pytest.raises(ValueError, match=rf"tables in {len(names)} sheets, {names[0]!r}") as refused:
        skc.read(path)
    assert f"pandas.read_excel({str(path)!r}, sheet_name={names[0]!r})" in str(refused.value)
    each = {
        name: copied[["svm"]].rename(columns={"svm": "acc"}).rename_axis("dataset") + i for i, name in enumerate(names)
    }
    study = skc.read({name: frame.reset_index() for name, frame in each.items()})  # as of sheet_name=None
    assert study.estimators == names


@pytest.mark.parametrize("right", [0, 1, 3])
@pytest.mark.parametrize("down", [0, 2])
@pytest.mark.parametrize("notes", [(), ("Note: on one machine",), ("* the best", "** ours")])
@pytest.mark.parametrize("title", ["", "Accuracy of three models"])
def test_a_table_in_the_middle_of_a_sheet_has_no_title_or_note_as_a_data_set(
    right, down, notes, title, copied, workbook
):
    blank = [""] * right
    rows = [[*blank, ""]] * down + ([[*blank, title], [*blank, ""]] if title else [])
    rows += [[*blank, *row] for row in sheet_of(copied)] + ([[*blank, ""]] if notes else [])
    study = skc.read(workbook({"Sheet1": rows + [[*blank, note] for note in notes]}))
    assert (study.datasets, study.estimators) == (tuple(DATASETS), tuple(copied))
    np.testing.assert_allclose(study.scores[:, :, 0, 0], copied.to_numpy())
    assert ("Lines beside the table were left out" in study.provenance["read_as"]) == bool(title or notes)


def below_each_other(frame):
    """A header that pandas writes in lines: names of the columns, then those of the levels of the rows."""
    columns, keys = frame.columns, frame.index.names
    if columns.nlevels > 1:
        return frame.to_csv()
    head = ",".join([columns.name or "", *[""] * (len(keys) - 1), *columns])  # as to_excel and to_latex
    return "\n".join([head, ",".join([*keys, *[""] * len(columns)]), frame.to_csv(header=False)])


@pytest.mark.parametrize("keys", [["dataset"], ["dataset", "seed"]])
@pytest.mark.parametrize("form", ["a metric above models", "a row per model"])
def test_levels_of_rows_that_have_a_line_of_their_own_are_named_by_it(form, keys, rng, tmp_path):
    rows = [(d, s, m) for d in DATASETS for s in range(3 if "seed" in keys else 1) for m in ("ours", "base")]
    long = pd.DataFrame(rows, columns=["dataset", "seed", "model"]).assign(acc=rng.random(len(rows)).round(4))
    if form == "a row per model":
        frame = long.groupby([*keys, "model"])[["acc"]].agg(["mean", "std"]).fillna(0.01)
    else:
        frame = long.pivot_table(index=keys, columns="model", values=["acc"] if "metric" in form else "acc")
    path = tmp_path / "levels.csv"
    path.write_text(below_each_other(frame), encoding="utf-8")
    study = skc.read(path)
    assert ({*study.datasets}, {*study.estimators}) == ({*DATASETS}, {"ours", "base"})
    ours = long[(long.dataset == "wine") & (long.model == "ours")].acc.mean()
    at = study.datasets.index("wine"), study.estimators.index("ours")
    assert np.nanmean(study.scores[at[0], at[1]]) == pytest.approx(ours)


def test_a_first_row_without_scores_is_no_line_of_names(tmp_path):
    frame = pd.DataFrame([(d, m, "" if d == "iris" else "0.5") for d in DATASETS for m in ("a", "b")])
    path = tmp_path / "gaps.csv"
    frame.set_axis(["dataset", "model", "acc"], axis=1).to_csv(path, index=False)
    assert set(skc.read(path, missing="keep").datasets) <= {*DATASETS}


@pytest.mark.parametrize("deviation", ["$_{{{}}}$", "_{{{}}}", "$_{{\\pm {}}}$", "<sub>{}</sub>", " $\\pm$ {}"])
@pytest.mark.parametrize("form", ["{}{}", r"\textbf{{{}}}{}", r"$\mathbf{{{}}}$ {}"])
def test_a_number_below_another_one_has_no_digits_of_it(form, deviation, rng):
    scores = rng.uniform(50, 99, (6, 2)).round(1)
    cells = [[form.format(x, deviation.format(rng.integers(1, 9))) for x in row] for row in scores.tolist()]
    frame = pd.DataFrame(cells, columns=["a", "b"]).assign(dataset=[*"uvwxyz"])
    np.testing.assert_allclose(skc.read(frame).scores[:, :, 0, 0], scores)


def test_a_number_above_another_one_is_not_read_as_digits_of_it(rng):
    cells = {m: [f"{x:.1f}<sup>{i}</sup>" for i, x in enumerate(rng.uniform(50, 99, 6))] for m in "ab"}
    with pytest.raises(ValueError, match="write one number in the cell"):
        skc.read(pd.DataFrame({"dataset": [*"uvwxyz"], **cells}))


@pytest.mark.parametrize("arrow", [r"$\{}arrow$", r"($\{}arrow$)", "{}"])
@pytest.mark.parametrize("down", [True, False])
def test_an_arrow_beside_a_metric_says_what_is_better(arrow, down, rng, tmp_path):
    sign = arrow.format(("down" if down else "up") if "arrow" in arrow else "\u2193" if down else "\u2191")
    lines = [f"{d} & {m} & {rng.random():.3f} & 1.5" for d in DATASETS for m in ("a", "b")]
    rows = [rf"Dataset & Model & Gloss~{sign} & Time (s) $\downarrow$", *lines]
    path = tmp_path / "arrow.tex"
    path.write_text(tabular(row + r" \\" for row in rows), encoding="utf-8")
    study = skc.read(path)
    assert study.greater_is_better == (not down,)
    assert study.metrics[0].startswith("Gloss")
    assert any("less is taken" in one for one in study.warnings) == down


@pytest.mark.parametrize("metric", ["rmse", "perplexity"])
def test_percentages_of_one_metric_say_nothing_of_another(metric, rng):
    models = ("svm", "rf")
    frame = pd.DataFrame([(m, f) for m in models for f in range(5)], columns=["model", "fold"])
    frame = frame.assign(accuracy=[f"{x:.1f}%" for x in rng.uniform(50, 99, 10)], **{metric: rng.uniform(2, 9, 10)})
    result = skc.read(frame)
    assert (result.metrics, result.greater_is_better) == (("accuracy", metric), (True, False))
    parts = [(m, name) for m in models for name in ("accuracy", metric)]
    wide = {f"{m}_{name}": frame.loc[frame.model == m, name].to_numpy() for m, name in parts}
    np.testing.assert_allclose(skc.read(pd.DataFrame({"fold": range(5), **wide})).scores, result.scores)
    frame.loc[3, "accuracy"] = "88.1"
    with pytest.raises(ValueError, match="no percent sign"):
        skc.read(frame)


def test_names_that_span_rows_of_latex_are_those_of_all_of_them(rng, tmp_path):
    values = rng.random(8).round(3).tolist()
    lines = [
        rf"{d} & {m} & {values.pop()} \\"
        for d0 in DATASETS
        for d, m in ((rf"\multirow{{2}}{{*}}{{{d0}}}", "a"), ("", "b"))
    ]
    path = tmp_path / "rows.tex"
    path.write_text(tabular([r"Dataset & Model & F1 \\ \hline", *lines]), encoding="utf-8")
    study = skc.read(path)
    assert (study.datasets, study.estimators, study.metrics) == (tuple(DATASETS), ("a", "b"), ("F1",))


@pytest.mark.parametrize("form", ["c", "r|", "|l|"])
@pytest.mark.parametrize("names", [r"\textbf{%s}", "%s", r"\textbf{\emph{%s}}"])
def test_names_that_span_columns_of_latex_are_those_of_all_of_them(form, names, rng, tmp_path):
    """As `DataFrame.to_latex` writes columns of two levels."""
    metrics = ["accuracy", "f1", "auc"][: int(rng.integers(2, 4))]
    values, k = rng.random((4, 2 * len(metrics))).round(3), len(metrics)
    over = [rf"\multicolumn{{{k}}}{{{form}}}{{{names % model}}}" for model in ("svm", "forest")]
    lines = [" & ".join(["", *over]), " & ".join(["Dataset", *metrics, *metrics])]
    lines += [" & ".join([name, *map(str, row)]) for name, row in zip(DATASETS, values.tolist(), strict=True)]
    path = tmp_path / "columns.tex"
    path.write_text(tabular([line + r" \\" for line in lines]), encoding="utf-8")
    study = skc.read(path)
    assert (study.estimators, study.metrics, study.datasets) == (("svm", "forest"), (*metrics,), (*DATASETS,))
    np.testing.assert_array_equal(study.scores[:, :, 0], values.reshape(4, 2, k))


@pytest.mark.parametrize("n_parts", [1, 2, 4])
def test_a_row_of_latex_that_one_cell_spans_is_no_model(n_parts, copied, tmp_path):
    lines = in_latex(copied, (r"\begin{tabular}{lccc}", r"\end{tabular}")).splitlines()
    for i in range(n_parts):
        lines.insert(2 + 2 * i, rf"\midrule \multicolumn{{4}}{{l}}{{\textit{{Group {i}}}}} \\")
    path = tmp_path / "parts.tex"
    path.write_text("\n".join(lines), encoding="utf-8")
    study = skc.read(path)
    assert (study.datasets, study.estimators) == (tuple(DATASETS), tuple(copied))
    assert "'Group 0'" in study.provenance["read_as"]


def test_headings_of_some_rows_are_asked_about(copied, tmp_path):
    lines = copied.rename_axis("dataset").to_csv().splitlines()
    path = tmp_path / "headings.csv"
    path.write_text("\n".join([lines[0], "Binary,,,", *lines[1:3], "Multiclass,,,", *lines[3:]]), encoding="utf-8")
    with pytest.raises(ValueError, match="'svm' on 'Binary'") as refused:
        skc.read(path)
    study = skc.read(path, **refused.value.calls[0][1])
    assert study.datasets == tuple(DATASETS)
    assert "Left out: 2 of 6 data sets" in study.provenance["read_as"]


@pytest.mark.parametrize(
    ("right", "wrong"), [("richtig", "falsch"), ("WAHR", "FALSCH"), ("vrai", "faux"), ("Sí", "No")]
)
def test_right_and_wrong_in_other_languages(right, wrong, rng):
    graded = (rng.random((30, 2)) < 0.8).astype(int)  # more right than wrong: no labels of the rows
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


NOTES = [
    "[1]",
    " [12]",
    "^a",
    "$^{b}$",
    "\u2020",
    "\u2021",
    "\u00b9",
    "#",
    " (c)",
    "<sup>a</sup>",
    "$^*$",
    r"$^\dagger$",
]


@pytest.mark.parametrize("note", NOTES)
@pytest.mark.parametrize("unit", ["", "%"])
def test_marks_of_footnotes_in_cells_are_left_out_and_said(note, unit, rng):
    """0.894[1] was refused, and a dagger left out in silence."""
    values = rng.integers(6000, 9900, (8, 3)) / (100 if unit else 10_000)
    plain = pd.DataFrame(values, columns=["svm", "forest", "knn"])
    cells = plain.map(lambda x: f"{x:.2f}%" if unit else f"{x:.4f}")
    for i, name in rng.choice([(i, name) for i in range(8) for name in plain], 5, replace=False):
        cells.loc[int(i), name] += note
    cells.insert(0, "dataset", [f"set{x}" for x in "abcdefgh"])
    found = skc.read(cells)
    np.testing.assert_allclose(found.scores[:, :, 0, 0], values / (100 if unit else 1), atol=1e-4)
    assert "an interval or a mark, was left out." in found.provenance["read_as"]


@pytest.mark.parametrize("cell", ["1.5b", "0.5h", "7b", "85.3^{1.2}", "12a", "1.2x10^3", "85.3^2"])
def test_units_and_powers_are_no_footnotes(cell, rng):
    table = pd.DataFrame({"dataset": [f"set{x}" for x in "abcdefgh"], "svm": rng.random(8), "knn": rng.random(8)})
    table = table.astype(object)
    table.loc[int(rng.integers(8)), "svm"] = cell
    with pytest.raises(ValueError, match=r"is not read as one number|could|may"):
        skc.read(table)


# ---- frames that are no frames of pandas -------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["columns", "records", "text", "in one of them"])
def test_decimals_are_numbers(form, copied):
    """As data bases and Parquet give them; columns of them were no scores."""
    exact = copied.map(lambda x: Decimal(str(x)))
    if form == "in one of them":
        exact = copied.assign(svm=exact["svm"])
    if form == "text":
        exact = exact.astype({"svm": str})
    table = exact.rename_axis("dataset").reset_index()
    study = skc.read(table.to_dict("records") if form == "records" else table)
    assert study.estimators == tuple(copied)
    np.testing.assert_array_equal(study.scores[:, :, 0, 0], copied.to_numpy())


def test_decimals_that_are_missing_are_missing_scores(copied):
    exact = copied.map(lambda x: Decimal(str(x))).astype(object)
    exact.iloc[1, 2], exact.iloc[2, 0] = Decimal("NaN"), None
    with pytest.raises(ValueError, match="2 scores are missing"):
        skc.read(exact.rename_axis("dataset").reset_index())


@pytest.mark.parametrize("odd", [np.int64(3), np.float32(0.5), {1, 2}, 1j])
@pytest.mark.parametrize(
    "held", [lambda x: [x, 1], lambda x: (x, x), lambda x: {"of": [x]}, lambda x: np.array([x, x])]
)
def test_lists_and_arrays_in_records_may_hold_anything(odd, held, copied):
    """They describe the rows; the errors were those of a JSON writer and of numpy."""
    rows = copied.rename_axis("dataset").reset_index().to_dict("records")
    study = skc.read([{**row, "sizes": held(odd)} for row in rows])
    assert study.estimators == tuple(copied)
    np.testing.assert_array_equal(study.scores[:, :, 0, 0], copied.to_numpy())


@pytest.mark.parametrize("way", ["toPandas", "compute", "df"])
def test_frames_that_are_not_computed_yet_are_computed(way, copied):
    """As those of Spark, dask and DuckDB: they have columns, and no cells until they are asked for."""
    table = copied.rename_axis("dataset").reset_index()
    kind = type("DataFrame", (), {way: lambda _: table, "columns": [*table], "collect": None})
    study = skc.read(kind())
    assert (study.datasets, study.estimators) == (tuple(DATASETS), tuple(copied))
    named = table.rename(columns=dict(zip(copied, ("df", "compute", "collect"), strict=True)))  # names of columns
    assert skc.read(named).estimators == ("df", "compute", "collect")


@pytest.mark.parametrize("form", ["LazyFrame", "Table", "RecordBatch", "decimal", "mapping", "arrays"])
def test_frames_of_polars_and_pyarrow_are_read_as_those_of_pandas(form, copied):
    table = copied.rename_axis("dataset").reset_index()
    if form == "LazyFrame":
        given = pytest.importorskip("polars").DataFrame(table.to_dict("list")).lazy()
    else:
        pa = pytest.importorskip("pyarrow")
        given = {"RecordBatch": pa.RecordBatch}.get(form, pa.Table).from_pandas(table)
        if form == "decimal":
            kinds = pa.schema([("dataset", pa.large_string()), *((name, pa.decimal128(9, 4)) for name in copied)])
            given = given.cast(kinds)
        if form == "mapping":
            given = {name: pa.table({"dataset": table["dataset"], "acc": table[name]}) for name in copied}
        if form == "arrays":
            given = {name: pa.array(table[name]) for name in table}
    study = skc.read(given)
    assert (study.datasets, study.estimators) == (tuple(DATASETS), tuple(copied))
    np.testing.assert_array_equal(study.scores[:, :, 0, 0], copied.to_numpy())
    if form != "mapping":
        other = skc.StudyResult.from_frame(given)
        np.testing.assert_array_equal(other.scores, study.scores)


@pytest.mark.parametrize("several", [list, tuple])
def test_frames_without_names_of_models_are_asked_for_these(several, copied):
    with pytest.raises(ValueError, match="give them in one mapping, by the names of their models"):
        skc.read(several([copied[["svm"]], copied[["our net"]]]))


def same(one, other):
    """Whether two results are of one reading, but for what they were read from."""
    assert (one.estimators, one.metrics, one.greater_is_better) == (
        other.estimators,
        other.metrics,
        other.greater_is_better,
    )
    np.testing.assert_array_equal(one.scores, other.scores)
    assert one.to_frame().equals(other.to_frame())


NO_TABLES = {
    "text in memory": lambda _: io.StringIO("a,b"),
    "bytes": lambda _: b"a,b",
    "a number": lambda _: 3,
    "nothing": lambda _: None,
    "an array": lambda _: np.eye(3),
    "records of numpy": lambda table: table.to_records(),
    "a generator": lambda table: (row for row in table.to_dict("records")),
    "a set": lambda _: {"results.csv"},
    "numbers": lambda _: [[1, 2], [3, 4]],
    "a styled frame": lambda table: table.style,
    "a result": lambda table: skc.read(table.rename_axis("dataset")),
    "an address": lambda _: "https://example.org/results.csv",
    "an address of a bucket": lambda _: "s3://bucket/results.csv",
}


@pytest.mark.parametrize("what", [*NO_TABLES])
def test_what_is_no_table_is_refused_by_its_name_and_in_one_line(what, copied):
    """Styled frames and results ended in the errors of others, and addresses were paths that are not there."""
    if what == "a styled frame":
        pytest.importorskip("jinja2")
    given = NO_TABLES[what](copied)
    with pytest.raises(ValueError, match=r"^source must be .*; got [^\n]*$"):
        skc.read(given)
    if not isinstance(given, str):
        with pytest.raises(ValueError, match=r"^frame must be .*; got \w+$"):
            skc.from_frame(given)
        with pytest.raises(ValueError, match=r"^outcomes must [^\n]*$"):
            skc.from_outcomes(given)


@pytest.mark.parametrize("kind", [dict, OrderedDict, MappingProxyType, UserDict])
@pytest.mark.parametrize("outer", ["models", "data sets", "split", "numbered rows"])
def test_mappings_in_mappings_are_read_as_json_of_them_is(kind, outer, copied, tmp_path):
    rows = copied.rename_axis("dataset").reset_index()
    inner = {
        "models": copied.to_dict(),
        "data sets": copied.T.to_dict(),
        "split": {str(i): rows[name].to_dict() for i, name in enumerate(rows)} and rows.to_dict(),
        "numbered rows": rows.to_dict("index"),
    }[outer]
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(inner), encoding="utf-8")
    found = skc.read(kind({name: kind(x) for name, x in inner.items()}))
    same(found, skc.read(path))
    assert found.estimators == tuple(copied)
    np.testing.assert_array_equal(found.scores[:, :, 0, 0], copied.to_numpy())


@pytest.mark.parametrize("leaf", [list, tuple, np.array, pd.Series])
def test_arrays_in_mappings_in_mappings_are_read_as_lists(leaf, rng):
    own = {name: {data: rng.random(5).round(4).tolist() for data in DATASETS} for name in ("svm", "rf")}
    found = skc.read({name: {x: leaf(y) for x, y in of.items()} for name, of in own.items()}, split="rows")
    same(found, skc.read(own, split="rows"))


@pytest.mark.parametrize("row", [dict, OrderedDict, MappingProxyType])
@pytest.mark.parametrize("rows", [list, tuple])
@pytest.mark.parametrize("empty", [True, False])
def test_records_of_any_kind_are_rows(row, rows, empty, copied):
    """A tuple of them was no table, OrderedDicts were several sources, and empty records named a metric."""
    table = copied.rename_axis("dataset").reset_index().melt("dataset", var_name="model", value_name="f1")
    more = {"metrics": {}} if empty else {}
    same(skc.read(rows([row({**one, **more}) for one in table.to_dict("records")])), skc.read(table))


@pytest.mark.parametrize("name", ["dataset", "fold", "seed", None])
@pytest.mark.parametrize("kind", [dict, MappingProxyType])
def test_series_keep_the_names_of_their_rows(name, kind, copied):
    """The index was left out: rows had no names, and were numbered."""
    own = copied.set_axis([3, 5, 6, 9]) if name in ("fold", "seed") else copied
    own = own.rename_axis(name)
    same(skc.read(kind({x: own[x] for x in own})), skc.read(own))
    if name == "dataset":
        same(skc.StudyResult.from_frame({x: own[x] for x in own}), skc.StudyResult.from_frame(own))


@pytest.mark.parametrize(("case", "door"), [("dataset", "study"), ("fold", "frame"), ("seed", "runs")])
def test_a_series_of_scores_is_read_by_all_functions(case, door, copied):
    named = copied.set_axis(DATASETS if case == "dataset" else range(4)).rename_axis(case).rename_axis("model", axis=1)
    function = skc.StudyResult.from_frame if door == "study" else getattr(skc, f"from_{door}")
    scores = named.stack().rename("f1")
    same(function(scores), skc.read(scores))
    assert skc.read(scores).metrics == ("f1",)


@pytest.mark.parametrize("first", ["metric", "model"])
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("rows", ["reset", "named", "unnamed"])
def test_two_levels_of_columns_are_read_wherever_the_names_of_rows_stand(first, named, rows, rng, tmp_path):
    """With both levels named, a column that reset_index made was taken for scores."""
    levels = [["acc", "rmse"], ["svm", "rf", "knn"]][:: 1 if first == "metric" else -1]
    names = ["metric", "model"][:: 1 if first == "metric" else -1] if named else [None, None]
    columns = pd.MultiIndex.from_product(levels, names=names)
    index = pd.Index(DATASETS, name=None if rows == "unnamed" else "dataset")
    frame = pd.DataFrame(rng.random((4, 6)).round(4), index=index, columns=columns)
    study = skc.read(frame.reset_index() if rows == "reset" else frame)
    assert (study.datasets, study.metrics, {*study.estimators}) == (
        tuple(DATASETS),
        ("acc", "rmse"),
        {"svm", "rf", "knn"},
    )
    frame.to_csv(path := tmp_path / "results.csv")
    from_text = skc.read(path)
    same(study, from_text)
    assert "metric model" not in from_text.provenance["read_as"]  # what the corner of the header names


@pytest.mark.parametrize("foot", ["Mean", "average", "Overall"])
@pytest.mark.parametrize("items", [[f"q{i}" for i in range(30)], [*range(30)]])
@pytest.mark.parametrize("long", [True, False])
def test_the_mean_at_the_foot_of_a_table_of_items_is_no_item(foot, items, long, rng, tmp_path):
    right = pd.DataFrame((rng.random((30, 2)) < [0.6, 0.7]).astype(int), columns=["svm", "rf"], index=items)
    frame = pd.concat([right, right.mean().to_frame(foot).T]).rename_axis("item").reset_index()
    frame = frame.melt("item", var_name="model", value_name="correct") if long else frame
    frame.to_csv(path := tmp_path / "items.csv", index=False)
    found = skc.read(path)
    np.testing.assert_array_equal(found.scores[:, :, 0], right.loc[[*found.details.sample_ids]].T)
    assert f": {foot!r}" in found.provenance["read_as"].partition("Left out as sums of ")[2]


@pytest.mark.parametrize("first", [0, 1, 90])
def test_numbered_items_have_one_order_in_files_and_in_frames(first, rng, tmp_path):
    """As texts 10 came before 2."""
    right = pd.DataFrame((rng.random((30, 2)) < [0.6, 0.7]).astype(int), columns=["svm", "rf"])
    right.insert(0, "item", range(first, first + 30))
    right.to_csv(path := tmp_path / "items.csv", index=False)
    same(skc.read(path), skc.read(right))
    assert skc.read(path).details.sample_ids.tolist() == right["item"].tolist()


@pytest.mark.parametrize("models", [("LogisticRegression", "SVC"), ("Random Forest", "SVM (RBF)"), ("svm", "rf")])
@pytest.mark.parametrize("model_first", [True, False])
def test_columns_of_models_on_data_sets_are_no_models(models, model_first, rng):
    """Names of several words hid the data sets, and each pair was a model."""
    names = [f"{model} {data}" if model_first else f"{data} {model}" for model in models for data in DATASETS]
    frame = pd.DataFrame(rng.random((10, len(names))), columns=names).rename_axis("fold")
    with pytest.raises(ValueError, match="name data sets too, several of one model"):
        skc.read(frame)


@pytest.mark.parametrize("head", ["model", "classifier", "method"])
@pytest.mark.parametrize("n", [2, 5])
def test_folds_of_data_sets_in_the_header_are_no_data_sets(head, n, rng):
    """A study took every fold for a data set of its own, where a column names the models."""
    names = [f"{data} {i}" for data in DATASETS for i in range(n)]
    frame = pd.DataFrame(rng.random((3, len(names))), columns=names, index=pd.Index(["svm", "rf", "knn"], name=head))
    with pytest.raises(ValueError, match="name folds or runs too, several of one"):
        skc.StudyResult.from_frame(frame)
    found = skc.StudyResult.from_frame(frame[[f"{data} 0" for data in DATASETS]])
    assert found.estimators == ("svm", "rf", "knn")


@pytest.mark.parametrize("levels", [("model", "item"), ("sample_id", "Model"), (None, None), ("classifier", None)])
def test_levels_of_rows_are_no_items_of_one_model(levels, rng):
    """The outcomes of all models were those of one, called by the column."""
    right = pd.DataFrame((rng.random((30, 2)) < [0.6, 0.7]).astype(int), columns=["svm", "rf"])
    scores = (right.stack() if levels[1] == "Model" else right.unstack()).rename_axis(levels).to_frame("correct")
    found = skc.from_outcomes(scores)
    assert {*found.estimators} == {"svm", "rf"}
    np.testing.assert_array_equal(found.scores[:, :, 0], right[[*found.estimators]].T)


@pytest.mark.parametrize("name", ["Unnamed: 0", "question_id", "index", "example_id"])
@pytest.mark.parametrize("beside", ["item", None])
def test_numbers_of_rows_beside_outcomes_are_no_model(name, beside, rng):
    right = pd.DataFrame((rng.random((30, 2)) < [0.6, 0.7]).astype(int), columns=["svm", "rf"])
    right.insert(0, name, range(30))
    if beside:
        right.insert(1, beside, [f"q{i}" for i in range(30)])
    found = skc.from_outcomes(right)
    assert found.estimators == ("svm", "rf")
    assert found.details.sample_ids[0] == ("q0" if beside else 0)


@pytest.mark.parametrize("name", ["sample_id", "item", "id"])
def test_a_frame_with_ids_is_not_what_a_model_gave(name, rng):
    """The ids were averaged with the outcomes, and were scores of a class."""
    truth = rng.integers(0, 2, 30)
    given = {x: pd.DataFrame({name: range(30), "prediction": rng.integers(0, 2, 30)}) for x in ("svm", "rf")}
    for function in (skc.from_outcomes, lambda frames: skc.from_predictions(truth, frames, scoring="accuracy")):
        with pytest.raises(ValueError, match=rf"\['svm'\] must hold .* got a column {name!r}"):
            function(given)
    named = {x: frame.set_index(name) for x, frame in given.items()}
    found = skc.from_predictions(truth, named, scoring="accuracy")
    np.testing.assert_array_equal(found.scores[0, :, 0].mean(), (given["svm"]["prediction"] == truth).mean())


@pytest.mark.parametrize("form", ["Table", "LazyFrame"])
@pytest.mark.parametrize("wide", [True, False])
def test_outcomes_of_pyarrow_and_polars_are_read_as_those_of_pandas(form, wide, rng):
    right = pd.DataFrame((rng.random((30, 2)) < [0.6, 0.7]).astype(int), columns=["svm", "rf"])
    right.insert(0, "item", [f"q{i:02}" for i in range(30)])
    right = right if wide else right.melt("item", var_name="model", value_name="correct")
    if form == "LazyFrame":
        given = pytest.importorskip("polars").DataFrame(right.to_dict("list")).lazy()
    else:
        given = pytest.importorskip("pyarrow").Table.from_pandas(right)
    same(skc.from_outcomes(given), skc.from_outcomes(right))


@pytest.mark.parametrize(
    "times", [pd.date_range("2024-01-29", periods=5), pd.period_range("2024-01", periods=5, freq="M")]
)
@pytest.mark.parametrize("name", [None, "when", "window"])
@pytest.mark.parametrize("form", ["frame", "text", "mapping"])
def test_dates_without_a_name_are_asked_about(times, name, form, rng, tmp_path):
    """They were data sets, which would not depend on each other."""
    frame = pd.DataFrame(rng.random((5, 2)).round(4), columns=["svm", "rf"], index=times.rename(name))
    given = {"frame": frame, "text": tmp_path / "times.csv", "mapping": {x: frame[x] for x in frame}}[form]
    frame.to_csv(tmp_path / "times.csv")
    with pytest.raises(ValueError, match=r"nothing says what '[\w ]+' names"):
        skc.read(given)


def test_an_index_and_a_column_of_floats_are_what_they_say(rng):
    scores = pd.DataFrame(rng.random((40, 2)), columns=["svm", "tree"])
    levels = pd.MultiIndex.from_arrays(
        [np.arange(40) // 8, np.arange(40) // 2, np.arange(40)], names=["doc", "par", "sent"]
    )
    assert skc.from_outcomes(scores.set_axis(levels)).estimators == ("svm", "tree")
    name = rng.choice(["index", "idx", "sample", "doc_id"])
    assert skc.from_outcomes({**scores, name: rng.random(40)}).estimators == ("svm", "tree", name)
    study = scores[:9].set_axis(pd.Index([f"d{i}" for i in range(9)], name=rng.choice(["dataset", "task"])))
    found = skc.read({"dataset": study.index, **study})
    assert (found.estimators, found.datasets) == (("svm", "tree"), tuple(study.index))
