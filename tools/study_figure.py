"""`python -m tools.study_figure`: the figure of the README that comes from a stored study.

The study itself is `gdr study randomise cora --part test --draws 3 --network --out FILE`.
"""

from __future__ import annotations

import json

from gdr_core.figures.structure import randomised_curves
from gdr_core.places import data_folder
from gdr_tools.bench.browser import ROOT, chromium
from gdr_tools.studies.randomising import Point, by_share
from tools.screenshots import store

STUDY = data_folder() / "results" / "studies" / "randomised-cora.json"
TARGET = ROOT / "docs" / "images" / "randomised-cora.png"
WIDTH, HEIGHT = 1280, 640


def main() -> None:
    """Draw the stored numbers and save the picture."""
    stored = json.loads(STUDY.read_text(encoding="utf-8"))
    points = by_share([Point(**each) for each in stored["points"]])
    figure = randomised_curves(points, stored["what"])
    figure.update_layout(
        width=WIDTH, height=HEIGHT, font={"size": 16}, margin={"l": 80, "r": 90, "t": 70, "b": 80}
    )
    figure.update_layout(template="plotly_white")
    with chromium() as browser:
        tab = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        tab.set_content(figure.to_html(include_plotlyjs=True))
        tab.add_style_tag(content="body { margin: 0 }")
        tab.wait_for_selector(".main-svg")
        store(tab.screenshot(), TARGET)
    print(TARGET)


if __name__ == "__main__":
    main()
