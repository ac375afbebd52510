"""The project's own tools. They read the notebooks; the package does not know them."""
