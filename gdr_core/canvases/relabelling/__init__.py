"""A graph whose labels follow t_min: one view for notebooks, saved pages and reports.

`payload` packs a dataset and a result for it, `view.js` draws them.
"""
