"""`streamlit run app.py`: the server around the pages, and the page Home.

Streamlit imports this file for its server, and runs it again for everyone who comes to Home.
"""

from __future__ import annotations

import streamlit as st

if __name__ == "__main__":
    from gdr_app.home.page import show_home

    show_home()
else:
    from gdr_app.serving import surroundings

    app = st.App(__file__, **surroundings())
