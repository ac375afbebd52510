"""The site: `python -m tools.site build` makes `_docs/` from the notebooks, `python -m tools.site serve` shows it."""
