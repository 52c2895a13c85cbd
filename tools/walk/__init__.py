"""Walks through the app at random and compares control, page and link after every step.

    python -m tools.walk --steps 2000 --seed 0
    python -m tools.walk --stories --root ../before     # a fixed few steps on another checkout

The walker knows what should hold from a model of its own (`model`), which shares no code with the
app: what a visitor has chosen, what the browser's history holds, and what each page shows of it.
After each step it waits until the page agrees with the model (`sight`); a page that comes to rest
without agreeing is a disagreement. Steps that led to one are replayed with parts left out, until
none can be spared.
"""
