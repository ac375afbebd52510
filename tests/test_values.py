"""Classes of values: what they do is held against the data classes of the standard library."""

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from typing import ClassVar

import pytest

from bleu_lit import BleuStats, Settings, corpus_bleu
from bleu_lit.values import field, fields, frozen, replace, unfailing


@frozen
class Ours:
    """A value."""

    x: int
    y: tuple = (1,)
    made: list = field(default_factory=list)
    note: str = field(default="", repr=False, compare=False)

    def __post_init__(self):
        object.__setattr__(self, "x", self.x + 1)

    @property
    def double(self):
        return 2 * self.x


@dataclasses.dataclass(frozen=True)
class Theirs:
    """A value."""

    x: int
    y: tuple = (1,)
    made: list = dataclasses.field(default_factory=list)
    note: str = dataclasses.field(default="", repr=False, compare=False)

    def __post_init__(self):
        object.__setattr__(self, "x", self.x + 1)


@frozen
class Hashed:
    a: int
    b: str = "b"


@frozen
class Below(Hashed):
    b: str = "c"
    d: int = 4


@frozen
class OwnMethods:
    a: int

    def __repr__(self):
        return "mine"

    def __eq__(self, other):
        return True


@dataclasses.dataclass(frozen=True)
class TheirOwnMethods:
    a: int

    def __repr__(self):
        return "mine"

    def __eq__(self, other):
        return True


CALLS = [
    lambda c: c(1),
    lambda c: c(1, (2,)),
    lambda c: c(x=3, note="n"),
    lambda c: c(1, made=[5]),
    lambda c: c(1) == c(1, note="other"),
    lambda c: c(1) == c(2),
    lambda c: c(1) != c(1, (3,)),
    lambda c: c(1) == (2, (1,), []),
    lambda c: c(1).made is c(1).made,
    lambda c: c.y,
    lambda c: hasattr(c, "made"),
    lambda c: c.__match_args__,
    lambda c: [f.name for f in dataclasses.fields(c)],
    lambda c: [(f.name, f.type, f.default, f.repr, f.compare) for f in dataclasses.fields(c(1))],
    lambda c: dataclasses.asdict(c(1)),
    lambda c: dataclasses.astuple(c(1)),
    lambda c: dataclasses.is_dataclass(c),
    lambda c: copy.deepcopy(c(1)),
    lambda c: [str(p).split("=")[0] for p in inspect.signature(c).parameters.values()],
    lambda c: inspect.signature(c).return_annotation,
    lambda c: vars(c(7)),
]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_a_value_does_what_a_data_class_does(number):
    assert repr(CALLS[number](Ours)).replace("Ours", "Theirs") == repr(CALLS[number](Theirs))


WRONG = [
    lambda c: c(),
    lambda c: c(1, 2, 3, 4, 5),
    lambda c: c(1, z=2),
    lambda c: setattr(c(1), "x", 2),
    lambda c: setattr(c(1), "new", 2),
    lambda c: delattr(c(1), "x"),
    lambda c: hash(c(1)),  # a list is no part of a hash
    lambda c: dataclasses.replace(c(1), z=2),
    lambda c: c(1) < c(2),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_a_value_refuses_what_a_data_class_refuses(number):
    with pytest.raises((TypeError, AttributeError)) as theirs:
        WRONG[number](Theirs)
    with pytest.raises(theirs.type) as ours:
        WRONG[number](Ours)
    assert str(ours.value).replace("Ours", "Theirs") == str(theirs.value)


def test_hash_and_pickle():
    assert hash(Hashed(1)) == hash(Hashed(1, "b")) and len({Hashed(1), Hashed(1, "b"), Hashed(2)}) == 2
    assert pickle.loads(pickle.dumps(Hashed(3, "x"))) == Hashed(3, "x")


def test_fields_are_inherited_in_their_order():
    assert [(f.name, f.default) for f in fields(Below)][1:] == [("b", "c"), ("d", 4)] and fields(Below)[0].required
    assert repr(Below(1)) == "Below(a=1, b='c', d=4)" and Below(1) != Hashed(1, "c")


def test_methods_of_the_class_stay():
    for c in (OwnMethods, TheirOwnMethods):
        assert repr(c(1)) == "mine" and c(1) == 5
        assert hash(c(1)) == hash(c(1)) != hash(c(2))


def test_replace_makes_another_and_checks_it():
    assert replace(Hashed(1), b="z") == Hashed(1, "z") == dataclasses.replace(Hashed(1), b="z")
    assert replace(Theirs(1), note="n").note == "n"  # a data class too
    assert replace(Ours(1), x=1) == Ours(1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'c'"):
        replace(Hashed(1), c=1)


def test_a_class_that_cannot_be_is_refused():
    with pytest.raises(TypeError, match="'b' has no default"):
        frozen(type("Late", (), {"__annotations__": {"a": int, "b": int}, "a": 1}))
    with pytest.raises(TypeError, match="default_factory"):
        frozen(type("Shared", (), {"__annotations__": {"a": list}, "a": []}))


def test_fields_of_every_kind_of_subclass():
    @dataclasses.dataclass(frozen=True)
    class Data(Hashed):
        extra: int = 7

    class Plain(Hashed):
        pass

    assert [f.name for f in fields(Data)] == ["a", "b", "extra"] and replace(Data(1, extra=9), b="z") == Data(1, "z", 9)
    assert replace(Plain(1), b="z") == Plain(1, "z") and type(replace(Plain(1), a=2)) is Plain
    with pytest.raises(AttributeError, match="int has no fields"):
        fields(3)


def test_settings_of_ones_own_stay_of_their_kind():
    @frozen
    class More(Settings):
        extra: int = 3

    @dataclasses.dataclass(frozen=True)
    class Data(Settings):
        extra: int = 3

    class Plain(Settings):
        pass

    for kind in (More, Data):
        assert kind(extra=9).replace(max_order=3) == kind(max_order=3, extra=9) != kind(max_order=3)
    assert type(Plain().replace(lowercase=True)) is Plain
    for kind in (More, Data, Plain):
        assert corpus_bleu([["a", "b"]], [[["a", "b"]]], kind(), max_order=2).value == 1


def test_names_and_annotations_that_could_be_taken_wrongly():
    @frozen
    class Odd:
        self: int
        cls: int = 1
        _set: int = 2
        _none: list = field(default_factory=list)
        shared: ClassVar[int] = 5
        said: "ClassVar[int]" = 6

    assert [f.name for f in fields(Odd)] == ["self", "cls", "_set", "_none"] and Odd(1).self == 1 and Odd(1, 2, 3, [4])._none == [4]
    assert Odd.shared + Odd.said == 11 and Odd(self=3) == Odd(3)
    with pytest.raises(TypeError, match="InitVar"):
        frozen(type("Init", (), {"__annotations__": {"a": dataclasses.InitVar[int]}}))


def test_a_repr_never_raises():
    class Bad:
        def __repr__(self):
            raise RuntimeError("no")

    assert repr(Hashed(Bad())) == "Hashed(a=<Bad>, b='b')"
    assert repr(Hashed(10**5000)) == "Hashed(a=<int>, b='b')"  # Python writes no number of so many digits
    assert repr(object.__new__(Hashed)) == "Hashed(a=<not set>, b='b')"  # the class has the default
    assert repr(BleuStats(10**5000, 1, (0,), (10**5000,))).startswith("BleuStats(candidate_length=<int>, reference_length=1, ")

    class Named:
        @unfailing
        def __repr__(self):
            return f"Named({self.name})"

    named = Named()
    assert repr(named) == "<Named: not made in full>"
    named.name = "x"
    assert repr(named) == str(named) == "Named(x)"


def test_every_repr_that_is_written_here_takes_an_object_that_is_half_made():
    """Every class of the package whose `__repr__` is its own; the data classes of the standard library have the one of their kind."""
    import importlib
    import pkgutil

    import bleu_lit

    tried = 0
    for found in pkgutil.walk_packages(bleu_lit.__path__, "bleu_lit."):
        if found.name in ("bleu_lit.__main__", "bleu_lit.pytest_plugin"):
            continue
        module = importlib.import_module(found.name)
        for kind in [value for value in vars(module).values() if inspect.isclass(value) and value.__module__ == found.name]:
            written = next((base.__dict__["__repr__"] for base in kind.__mro__ if "__repr__" in base.__dict__), None)
            if getattr(written, "__module__", "").startswith("bleu_lit") and not hasattr(written, "__wrapped__"):
                assert isinstance(repr(object.__new__(kind)), str), kind
                tried += 1
    assert tried > 30


SLOW = set("dataclasses inspect typing html hashlib shutil threading csv difflib bz2 lzma tempfile subprocess logging random".split())


def test_the_way_from_the_shell_to_a_score_imports_nothing_slow(tmp_path):
    """What takes longer to import than the scoring of some thousand sentences."""
    (tmp_path / "c.txt").write_text("the cat sat on the mat\n" * 5)
    (tmp_path / "r.txt").write_text("the cat sat on a mat today\n" * 5)
    code = (
        "import sys; before = set(sys.modules); sys.argv = ['bleu-lit', 'score', 'c.txt', '-r', 'r.txt', '--quiet']\n"
        "from bleu_lit.__main__ import run\n"
        "status = run()\n"
        f"print(sorted((set(sys.modules) - before) & {SLOW!r}), status or 0)"
    )
    ended = subprocess.run([sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{code}"], cwd=tmp_path, capture_output=True, text=True)
    assert ended.stdout.splitlines()[-1:] == ["[] 0"], ended.stdout + ended.stderr
