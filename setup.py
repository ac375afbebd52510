"""Install bleu_lit from settings.ini, the one source of metadata."""

from configparser import ConfigParser
from pathlib import Path

from setuptools import find_packages, setup

HERE = Path(__file__).parent
PARSER = ConfigParser(delimiters=["="], interpolation=None)
PARSER.read(HERE / "settings.ini", encoding="utf-8")
CONFIG = PARSER["DEFAULT"]
EXTRAS = {key.removesuffix("_requirements"): value.split() for key, value in CONFIG.items() if key.endswith("_requirements")}
EXTRAS["dev"] = sorted({requirement for name in ("notebooks", "test", "tokenizers", "distributed", "neighbours") for requirement in EXTRAS[name]})

setup(
    name=CONFIG["lib_name"],
    version=CONFIG["version"],
    description=CONFIG["description"],
    long_description=(HERE / "README.md").read_text(encoding="utf-8") if (HERE / "README.md").exists() else "",
    long_description_content_type=CONFIG["long_description_content_type"],
    author=CONFIG["author"],
    url=CONFIG["git_url"],
    license="MIT",
    keywords=CONFIG["keywords"],
    python_requires=f">={CONFIG['min_python']}",
    packages=find_packages(include=["bleu_lit", "bleu_lit.*"]),
    package_data={"bleu_lit": ["data/**/*", "vectors/**/*.json", "vectors/**/*.md"]},
    include_package_data=False,
    install_requires=CONFIG["requirements"].split(),
    extras_require=EXTRAS,
    entry_points={"console_scripts": CONFIG["console_scripts"].split(), "pytest11": ["bleu_lit = bleu_lit.pytest_plugin"]},
    zip_safe=False,
    classifiers=[
        "Development Status :: 3 - Alpha",
        "Intended Audience :: Science/Research",
        "Programming Language :: Python :: 3",
        "Programming Language :: Python :: 3.11",
        "Programming Language :: Python :: 3.12",
        "Programming Language :: Python :: 3.13",
        "Topic :: Text Processing :: Linguistic",
    ],
)
