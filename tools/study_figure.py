"""`python -m tools.study_figure`: the figure of the README that comes from a stored study.

The study itself is `gdr study randomise cora --part test --draws 3 --network --out FILE`.
"""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path

import streamlit
from plotly.offline import get_plotlyjs

from gdr_core.figures.structure import randomised_curves
from gdr_core.places import data_folder
from gdr_tools.bench.browser import ROOT, chromium
from gdr_tools.studies.randomising import Point, by_share
from tools.screenshots import store

STUDY = data_folder() / "results" / "studies" / "randomised-cora.json"
TARGET = ROOT / "docs" / "images" / "randomised-cora.png"
WIDTH, HEIGHT = 1280, 640
_TITLE = "Cora: what GDR, a GCN and alignment lose as edges are randomised"
# Not before the letters are there: the legend is as wide as they are.
_DRAWN = """async (figure) => {
  await document.fonts.load("17px 'Source Sans'");
  await Plotly.newPlot("figure", figure.data, figure.layout, { staticPlot: true });
}"""


def main() -> None:
    """Draw the stored numbers and save the picture."""
    stored = json.loads(STUDY.read_text(encoding="utf-8"))
    points = by_share([Point(**each) for each in stored["points"]])
    figure = randomised_curves(points, stored["what"], stored["part"])
    figure.update_layout(
        width=WIDTH,
        height=HEIGHT,
        template="plotly_white",
        font={"size": 17, "family": "Source Sans"},
        margin={"l": 90, "r": 100, "t": 84, "b": 110},
        title={"text": _TITLE, "font": {"size": 22}, "x": 0.5, "xanchor": "center", "y": 0.95},
        legend={"y": 0.02, "x": 0.5, "xanchor": "center"},
    )
    with chromium() as browser:
        tab = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        tab.set_content(f"<style>{_letters()}</style><div id='figure'></div>")
        tab.add_script_tag(content=get_plotlyjs())
        tab.evaluate(_DRAWN, json.loads(figure.to_json()))
        store(tab.screenshot(), TARGET)
    print(TARGET)


def _letters() -> str:
    """The letters of the app, as a style sheet."""
    media = Path(streamlit.__file__).parent / "static" / "static" / "media"
    file = next(media.glob("SourceSansVF-Upright*.woff2"))
    data = b64encode(file.read_bytes()).decode()
    return (
        "body { margin: 0 } @font-face { font-family: 'Source Sans'; font-weight: 200 900; "
        f"src: url(data:font/woff2;base64,{data}) }}"
    )


if __name__ == "__main__":
    main()
