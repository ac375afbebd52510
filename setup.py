"""Install bleu_lit from settings.ini, the one source of metadata."""

import os
import shutil
import sys
import sysconfig
from configparser import ConfigParser
from pathlib import Path

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).parent
PARSER = ConfigParser(delimiters=["="], interpolation=None)
PARSER.read(HERE / "settings.ini", encoding="utf-8")
CONFIG = PARSER["DEFAULT"]
EXTRAS = {key.removesuffix("_requirements"): value.split() for key, value in CONFIG.items() if key.endswith("_requirements")}
EXTRAS["dev"] = sorted({requirement for name in ("notebooks", "test", "tokenizers", "distributed", "neighbours") for requirement in EXTRAS[name]})


class BuildKernel(build_ext):
    """The compiled engine, where it can be compiled; the package works without it, and is then one for every machine."""

    def run(self):
        self.failed = []
        try:
            super().run()
        except Exception as error:  # before any was tried
            self.failed += [error] * len(KERNEL)
        if self.failed:
            print(f"bleu_lit: without its compiled engine ({self.reason()}); plain Python gives the same numbers, more slowly", file=sys.stderr)
        if len(self.failed) >= len(KERNEL):
            self.distribution.ext_modules = []
            if wheel := self.distribution.get_command_obj("bdist_wheel", create=False):
                wheel.root_is_pure = True

    def build_extension(self, extension):
        try:
            super().build_extension(extension)
        except Exception as error:
            self.failed.append(error)

    def reason(self) -> str:
        compiler = (getattr(self.compiler, "compiler_so", None) or [""])[0]
        if compiler:
            return f"{compiler} failed" if shutil.which(compiler) else f"there is no {compiler}"
        return " ".join(str(self.failed[0]).split())[:200] or type(self.failed[0]).__name__


def kernel() -> list[Extension]:
    """The compiled engine; left out where BLEU_LIT_PURE is set, and on Pythons that have no stable ABI."""
    if os.environ.get("BLEU_LIT_PURE", "") not in ("", "0") or sysconfig.get_config_var("Py_GIL_DISABLED") or sys.implementation.name != "cpython":
        return []
    gnu = [] if os.name == "nt" else ["-std=c11", "-O3", "-ffp-contract=off", "-fvisibility=hidden", "-pthread"]
    options = {"extra_compile_args": gnu, "extra_link_args": [] if os.name == "nt" else ["-pthread"]}
    depends = sorted(str(path.relative_to(HERE)) for path in HERE.glob("bleu_lit/_kernel*.h"))
    names = ("_kernel", "_kernel_pairs", "_kernel_draws")
    return [Extension(f"bleu_lit.{name}", [f"bleu_lit/{name}.c"], depends=depends, py_limited_api=True, optional=True, **options) for name in names]


KERNEL = kernel()

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
    ext_modules=KERNEL,
    cmdclass={"build_ext": BuildKernel},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if KERNEL else {},
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
