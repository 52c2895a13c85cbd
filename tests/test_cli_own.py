"""Own data on the command line: one line from files to predictions and a report."""

import csv
import gzip
import io
import json
from base64 import b64decode
from html.parser import HTMLParser

import networkx as nx
import pytest

from gdr_core.report.numbers import interval
from gdr_core.spreadsheets import safe_cell
from gdr_tools.cli import main

STRANGE = ["<script>alert(1)</script>", "=1+1", "שלום", "👩‍🔬", 'say "hi", now', "x" * 10_000]


@pytest.fixture
def files(tmp_path):
    """Two cliques with a bridge; probabilities that err on one node; strange names."""
    graph = nx.barbell_graph(6, 0)
    names = [*STRANGE, *(f"n{i}" for i in range(6))]
    rows = {
        "edges": [["source", "target"], *([names[u], names[v]] for u, v in graph.edges)],
        "labels": [["id", "class"], *([names[i], "=A" if i < 6 else "B"] for i in range(12))],
        "split": [["id", "part"], [names[1], "train"], [names[7], "train"]],
        "probabilities": [
            ["id", "=A", "B"],
            *(
                [names[i], *("0.6 0.4" if (i < 6) != (i == 3) else "0.4 0.6").split()]
                for i in range(12)
            ),
        ],
    }
    rows["split"] += [[names[i], "validation" if i % 2 else "test"] for i in (0, 2, 3, 4, 6, 9, 10)]
    for stem, table in rows.items():
        with (tmp_path / f"{stem}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(table)
    return {stem: str(tmp_path / f"{stem}.csv") for stem in rows}


def options(files, *names):
    return [word for name in names for word in (f"--{name}", files[name])]


class Page(HTMLParser):
    """Tags, attributes that could ask for something, and the data of a report."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.outside, self.data = [], [], b""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.outside += [v for k, v in attrs if k in ("src", "href", "action")]

    def handle_data(self, text):
        if self.tags[-1] == "script" and not self.data:
            self.data = gzip.decompress(b64decode(text))


def test_probabilities_without_features_are_corrected_by_the_graph(files, tmp_path, capsys):
    out, report = tmp_path / "predictions.csv", tmp_path / "report.html"
    arguments = options(files, "edges", "labels", "split", "probabilities")
    arguments += ["--out", str(out), "--report", str(report), "--json"]
    assert main(["classify", *arguments]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["prior"], printed["fixed"], printed["broken"]) == ("external", 1, 0)
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"))))
    assert (
        sorted(row["name"] for row in rows)[:3]
        == sorted(map(safe_cell, [r["name"] for r in rows]))[:3]
    )
    assert {row["predicted"] for row in rows} == {"'=A", "B"}
    assert all(row["predicted"] == row["truth"] for row in rows)
    page = Page(report.read_text(encoding="utf-8"))
    assert page.tags.count("script") == 3, "a name must not become a script"
    assert page.outside == []
    for name in STRANGE:
        assert json.dumps(name, ensure_ascii=False).encode() in page.data
    assert "default-src 'none'" in report.read_text(encoding="utf-8")


def test_edges_and_labels_alone_will_do(files, capsys):
    assert main(["classify", *options(files, "edges", "labels"), "--t-min", "0.5"]) == 0
    out, err = capsys.readouterr()
    assert "as asked for" in out
    assert "the prior is uniform" in err
    assert "there is no split" in err


def test_columns_and_treatments_can_be_said(files, tmp_path, capsys):
    table = tmp_path / "t.csv"
    table.write_text("kind,a,b\nx,1,2\nx,2,1\ny,2,3\nz,3,3\n")
    edges = ["--edges", str(table), "--column", "edges.source=a", "--column", "edges.target=3"]
    labels = ["--labels", str(tmp_path / "l.csv")]
    (tmp_path / "l.csv").write_text("1,P\n2,Q\n3,P\n")
    assert main(["classify", *edges, *labels, "--treat", "duplicate-edges=sum"]) == 0
    assert "merged, weights added up" in capsys.readouterr().err
    assert main(["classify", *edges, *labels, "--treat", "self-loops=refuse"]) == 1
    assert "line 5" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ([], 2, "name a dataset, or give --edges"),
        (["cora", "--edges", "x.csv"], 2, "not both"),
        (["--edges", "nowhere.csv"], 1, "no such file"),
        (["--edges", "E", "--column", "nonsense"], 2, "ROLE.KEY=NAME"),
        (["--edges", "E", "--treat", "nonsense"], 2, "FINDING=HOW"),
    ],
)
def test_bad_use_gets_one_sentence(files, capsys, arguments, code, words):
    said = [files["edges"] if word == "E" else word for word in arguments]
    assert main(["classify", *said]) == code
    err = capsys.readouterr().err
    assert words in err
    assert len(err.strip().splitlines()) == 1


def test_a_prior_beside_a_mean_of_priors_is_refused_as_on_named_datasets(files, capsys):
    more = ["--prior", "svm", "--mean-of", "uniform", "label-propagation"]
    for data in (["sbm"], options(files, "edges", "labels")):
        assert main(["classify", *data, *more]) == 2
        assert "leave out --prior" in capsys.readouterr().err.splitlines()[-1]
    assert main(["classify", *data, "--t-min", "0.5", *more[2:]]) == 0


def test_check_tells_what_is_recognised_and_what_is_odd(files, capsys):
    assert main(["data", "check", files["edges"], files["labels"], files["probabilities"]]) == 0
    out = capsys.readouterr().out
    assert "12 nodes, 31 undirected edges, 0 features, 2 classes" in out
    assert "probabilities.csv: text table (CSV, TSV, …): probabilities, 3 columns" in out
    assert main(["data", "check", files["edges"] + ".none"]) == 1


@pytest.mark.parametrize(("right", "total"), [(0, 10), (7, 10), (50, 100), (100, 100)])
def test_the_interval_solves_wilson_s_equation(right, total):
    for bound in interval(right, total):
        gap = abs(right / total - bound)
        assert gap**2 == pytest.approx(1.96**2 * bound * (1 - bound) / total, abs=1e-12)


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\tx", " =1", "＝1"])
def test_cells_that_a_spreadsheet_would_run_are_quoted(text):
    assert safe_cell(text) == f"'{text}"
    assert safe_cell(f"a{text}") == f"a{text}"
