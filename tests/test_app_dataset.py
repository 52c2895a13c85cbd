"""Home and the Dataset page, run without a browser, over every dataset."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from gdr_app.computing.kept import forget_everything
from gdr_core import datasets
from gdr_core.datasets.hiding import hide_test
from gdr_core.graphs.homophily import homophily
from tests.visiting import assert_fine, assert_warns, open_app

WITHOUT_DOWNLOAD = [name for name in datasets.names() if not datasets.spec_of(name).download]


def tiles(app: AppTest) -> dict[str, str]:
    return {tile.label: tile.value for tile in app.metric}


def node_table(app: AppTest) -> pd.DataFrame:
    """The table of all nodes."""
    return next(frame.value for frame in app.dataframe if "Part of split" in frame.value)


def assert_shows(app: AppTest, name: str) -> None:
    assert_fine(app)
    expected = datasets.counts(datasets.load_dataset(name))
    shown = tiles(app)
    assert shown["Nodes"] == f"{expected['nodes']:,}"
    assert shown["Edges"] == f"{expected['edges']:,}"
    assert shown["Classes"] == f"{expected['classes']:,}"
    assert shown["Features"] == f"{expected['features']:,}"
    assert len(node_table(app)) == expected["nodes"]
    found = homophily(hide_test(datasets.load_dataset(name)))
    drawn = {chart.key for chart in app.get("plotly_chart")}
    assert {"chart-classes", "chart-degrees"} <= drawn
    assert drawn <= {"chart-classes", "chart-degrees", "chart-components", "gains", "triangle"}
    assert ("gains" in drawn) == (not np.isnan(found.edge))
    if np.isnan(found.edge):
        assert any("no homophily to tell" in info.value for info in app.info)
    else:
        assert shown["Edge"] == f"{found.edge:.1%}"


@pytest.mark.parametrize("name", WITHOUT_DOWNLOAD)
def test_dataset_page_shows(name):
    assert_shows(open_app("1_Dataset", dataset=name), name)


@pytest.mark.parametrize("name", ["wikipedia", "texas", "squirrel-filtered"])
def test_dataset_page_shows_what_was_fetched(name):
    if not datasets.available(name):
        pytest.skip(f"the files are not here: set GDR_DATA_DIR or run `data fetch {name}`")
    assert_shows(open_app("1_Dataset", dataset=name), name)


@pytest.fixture
def without_downloads(monkeypatch, tmp_path):
    monkeypatch.delenv("GDR_DATA_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    forget_everything()
    yield
    forget_everything()


@pytest.mark.parametrize(("name", "size"), [("wikipedia", "8 MB"), ("texas", "30 kB")])
def test_a_missing_graph_explains_itself_and_the_rest_works_on(without_downloads, name, size):
    app = open_app("1_Dataset", dataset=name)
    assert_fine(app)
    assert "not on this machine" in app.warning[0].value
    assert f"about {size} are downloaded" in app.warning[0].value
    assert app.code[0].value == f"python -m gdr_core data fetch {name}"
    assert [button.label for button in app.button] == [f"Download {name.capitalize()}"]
    app.sidebar.selectbox(key="dataset").set_value("karate").run()
    assert_shows(app, "karate")


def test_a_download_that_fails_says_so(without_downloads, monkeypatch):
    def offline(*_args, **_kwargs):
        raise OSError("no route to host")

    monkeypatch.setattr("pooch.retrieve", offline)
    app = open_app("1_Dataset", dataset="wikipedia")
    app.button[0].click().run()
    assert not app.exception
    assert "no route to host" in app.error[0].value


@pytest.fixture
def elsewhere(monkeypatch, tmp_path):
    """A folder of data with a name that no pattern would find."""
    folder = tmp_path / "in a folder" / "heterophilous"
    folder.mkdir(parents=True)
    monkeypatch.setenv("GDR_DATA_DIR", str(folder.parent))
    forget_everything()
    yield folder
    forget_everything()


def test_a_damaged_file_is_told_by_its_name_and_where_it_is_by_the_log(elsewhere, caplog):
    (elsewhere / "texas.npz").write_bytes(b"damaged")
    app = open_app("1_Dataset", dataset="texas")
    assert not app.exception
    said = app.error[0].value.replace("\\", "")
    assert "cannot be shown: texas.npz is damaged" in said
    assert "a folder" not in said
    assert str(elsewhere / "texas.npz") in caplog.text


def test_a_folder_that_cannot_be_written_is_not_told(without_downloads, monkeypatch, caplog):
    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied", "/srv/in a room/cache")

    monkeypatch.setattr("pooch.retrieve", refuse)
    app = open_app("1_Dataset", dataset="wikipedia")
    app.button[0].click().run()
    said = app.error[0].value.replace("\\", "")
    assert "Permission denied" in said
    assert "a room" not in said
    assert "in a room" in caplog.text


def test_home_works_when_the_chosen_graph_is_missing_and_says_so(without_downloads):
    app = open_app(dataset="wikipedia")
    assert_fine(app)
    assert "not on this machine" in app.warning[0].value
    assert "The paper" in [header.value for header in app.header]


def test_home_says_why_a_graph_cannot_be_made():
    app = open_app(dataset="sbm", **{"sbm-nodes": "10", "sbm-classes": "20"})
    assert not app.exception
    assert "cannot be shown" in app.error[0].value
    assert "The paper" in [header.value for header in app.header]


@pytest.mark.parametrize(
    ("query", "asked"),
    [({"dataset": "atlantis"}, "atlantis"), ({"dataset": "cora", "split": "odd"}, "odd")],
)
def test_an_unknown_name_in_a_link_opens_the_default_and_says_so(query, asked):
    app = open_app("1_Dataset", **query)
    assert_fine(app)
    assert any(asked in warning.value for warning in app.sidebar.warning)
    assert app.sidebar.selectbox(key="dataset").value == "cora"
    assert app.sidebar.selectbox(key="split").value == "public"


@pytest.mark.parametrize("asked", ["1.5", "-1", "much"])
def test_a_number_outside_its_range_opens_the_default_and_says_so(asked):
    app = open_app("1_Dataset", **{"dataset": "sbm", "sbm-homophily": asked})
    assert_fine(app)
    assert any("from 0 to 1" in warning.value for warning in app.sidebar.warning)
    assert app.sidebar.slider(key="sbm-homophily").value == 0.8


def test_a_good_number_in_a_link_is_taken_without_a_word():
    app = open_app("1_Dataset", **{"dataset": "sbm", "sbm-homophily": "0.35", "seed": "4"})
    assert_fine(app)
    assert not app.warning
    assert app.sidebar.slider(key="sbm-homophily").value == 0.35
    assert app.sidebar.number_input(key="seed").value == 4


def test_an_unknown_node_in_a_link_is_reported():
    app = open_app("1_Dataset", dataset="karate", node="nobody")
    assert_warns(app, "nobody")


def test_choosing_a_node_tells_its_class_and_neighbours():
    app = open_app("1_Dataset", dataset="star")
    app.session_state["visit"].put("node", "0")
    app.run()
    assert_fine(app)
    text = " ".join(block.value for block in app.markdown)
    assert "**Node 0**" in text
    assert "**12 neighbours**" in text
    app.sidebar.selectbox(key="dataset").set_value("karate").run()
    assert_fine(app)
    assert app.session_state["visit"].get("node") is None


def test_the_block_model_follows_its_sliders():
    app = open_app("1_Dataset", dataset="sbm")
    before = tiles(app)["Homophily"]
    app.sidebar.slider(key="sbm-homophily").set_value(0.2).run()
    assert_fine(app)
    after = tiles(app)["Homophily"]
    assert float(after.rstrip("%")) < 35 < float(before.rstrip("%"))
    app.sidebar.number_input(key="seed").set_value(3).run()
    assert_fine(app)


def test_splits_change_the_table_but_not_the_graph():
    app = open_app("1_Dataset", dataset="cora")
    public = node_table(app)["Part of split"].value_counts()
    assert public["train"] == 140
    app.sidebar.selectbox(key="split").set_value("random").run()
    assert_fine(app)
    drawn = node_table(app)["Part of split"]
    assert (drawn == "train").sum() == 140
    assert tiles(app)["Edges"] == "5,278"


def test_pages_stay_thin():
    root = Path(__file__).parents[1]
    for page in [root / "app.py", *(root / "pages").glob("[0-9]*.py")]:
        assert len(page.read_text(encoding="utf-8").splitlines()) <= 80, page.name
