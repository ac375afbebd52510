"""Files read in blocks give what whole files give: the same integers, notes and errors; and a run that was stopped gives what a fresh one gives."""

import gzip
import io
import json
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import evaluation_sets, needs_data

from bleu_lit import checkpoint as checkpoint_module
from bleu_lit.checkpoint import CheckpointError
from bleu_lit.core import BleuInputError, EmptyCorpusError, FileInputError, LengthMismatchError, MissingExtraError, MissingReferenceError, SettingsError
from bleu_lit.engine import engine, segment_rows
from bleu_lit.files import read_lines
from bleu_lit.lines import LineReader, RawBytes, block_lines, open_readers, parallel_blocks
from bleu_lit.score import sum_rows
from bleu_lit.scored import in_shell_words, score_files
from bleu_lit.settings import SACREBLEU, Settings
from bleu_lit.sources import total_of_sources
from bleu_lit.stream import stream_stats
from bleu_lit.stream_state import StreamState

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bleu_lit.stream._BLOCK", 1 << 16)  # small files have several blocks
    return tmp_path


def lines_of(path, block: int, most: int) -> tuple[list[str], tuple[str, ...]]:
    reader, lines = LineReader(path, block), []
    while count := min(most, reader.available()):
        lines += block_lines(reader, reader.take(count))
    reader.raw.close()
    return lines, reader.notes


def outcome(call):
    """What a call gives, or the class and words of its error."""
    try:
        return call()
    except BleuInputError as error:
        return type(error), in_shell_words(str(error))


def both_ways(systems, references, chosen: Settings = SACREBLEU):
    """Statistics and notes as score_files and stream_stats give them, in the words of the shell."""

    def plain():
        scored = score_files(systems, references, chosen)
        return [sum_rows(rows) for rows in scored.rows], scored.segments, scored.nrefs, list(scored.shared_notes), [list(notes) for notes in scored.notes]

    def streamed():
        found = stream_stats(systems, references, chosen)
        notes = [[in_shell_words(note) for note in notes] for notes in found.notes]
        return list(found.stats), found.segments, found.nrefs, [in_shell_words(note) for note in found.shared_notes], notes

    return outcome(plain), outcome(streamed)


TEXTS = st.lists(st.sampled_from(["a", "ä", "你", "\n", "\r", "\r\n", "\ufeff", "\u2028", "\x0c", "word " * 9]), max_size=30).map("".join)


@settings(max_examples=150)
@given(TEXTS, st.integers(1, 40), st.integers(1, 9))
def test_lines_are_those_of_the_whole_file(tmp_path_factory, text, block, most):
    path = tmp_path_factory.getbasetemp() / "text.gz"
    path.write_bytes(text.encode())
    plain = read_lines(path)
    assert lines_of(path, block, most) == (plain.lines, plain.notes)
    path.write_bytes(gzip.compress(text.encode()))
    plain = read_lines(path)
    assert lines_of(path, block, most) == (plain.lines, plain.notes)


@settings(max_examples=80)
@given(st.binary(max_size=40).map(lambda data: data.replace(b"\x1f\x8b", b"").replace(b"\x28\xb5", b"")), st.integers(1, 50))
def test_bytes_that_are_no_text_are_refused_in_the_same_words(tmp_path_factory, data, block):
    path = tmp_path_factory.getbasetemp() / "bytes.txt"
    path.write_bytes(b"fine\n" * (len(data) % 3) + data)
    assert outcome(lambda: lines_of(path, block, 3)) == outcome(lambda: (lambda file: (file.lines, file.notes))(read_lines(path)))


FILES = {
    "good": "the cat sat on the mat\na dog barks .\n\nit is so\n",
    "other": "the cat sat on a mat\na dog barks\nwho\nit was so",
    "windows": "\ufeffthe cat\r\na dog\r\nno\r\n\u200bone\r\n",
    "blank": "\n \n\t\n\n",
    "mac": "one\rtwo\nthree\r\n\n\n",
    "tokenized": "a dog , barks .\nyes , it is .\nno , it is .\nwell .\n",
    "nfd": "Ka\u0308se\nU\u0308ber\nO\u0308l\na\n",
    "nfc": "Käse\nÜber\nÖl\na\n",
    "japanese": "これは日本語の文章です\nそれは猫ではありません\nねこがすきです\nはい\n",
    "three": "a\nb\nc\n",
    "empty": "",
    "bom": "\ufeff",
}


@pytest.mark.parametrize("chosen", [SACREBLEU, Settings(tokenize="none"), Settings(blank_references="absent"), Settings(reference_length="average")], ids=str)
@pytest.mark.parametrize("first", FILES)
def test_notes_and_errors_are_those_of_whole_files(here, first, chosen):
    for name, text in FILES.items():
        Path(name).write_bytes(text.encode())
    for second in FILES:
        for systems, references in (([first], [second]), ([first, second], ["other", second]), ([second], [first, "good", first])):
            plain, streamed = both_ways(systems, references, chosen)
            if isinstance(plain[0], type) and issubclass(plain[0], LengthMismatchError) and "empty" in str(streamed):
                continue
            assert streamed == plain


def test_notes_on_longer_files(here):
    draw = random.Random(5)
    words = "one two three four five six . , seven".split()
    for name in ("a", "b"):
        Path(name).write_text("".join(" ".join(draw.choices(words, k=draw.randrange(9))) + "\n" for _ in range(900)))
    Path("long").write_text("".join(" ".join(draw.choices(words, k=30)) + "\n" for _ in range(900)))
    for systems, references in ((["a"], ["b"]), (["long", "a"], ["b", "a"])):
        plain, streamed = both_ways(systems, references)
        assert streamed == plain


def test_errors_of_files(here):
    Path("one.txt").write_text("a\nb\n")
    for path in ("on.txt", ".", "", "no-folder/x", "\0", "\x1b[2Jone.txt"):
        plain, streamed = both_ways(["one.txt"], [path])
        assert isinstance(plain[0], type)
        assert streamed == plain
    plain, streamed = both_ways(["-"], ["-"])
    assert streamed == plain
    Path("packed.gz").write_bytes(gzip.compress(b"a\nb\n"))
    whole = Path("packed.gz").read_bytes()
    for data in (whole[:-3], whole[:12], whole[:-8] + b"12345678", whole + b"junk", whole + b"\0\0"):
        Path("packed.gz").write_bytes(data)
        plain, streamed = both_ways(["one.txt"], ["packed.gz"])
        assert streamed == plain
    with pytest.raises(SettingsError, match="given"):
        stream_stats("one.txt", "one.txt", tokenize="given")
    for wrong in (b"one.txt", None, [], [None], 3):
        with pytest.raises(SettingsError, match="a path, or a list"):
            stream_stats("one.txt", wrong)


def test_counts_of_every_file_when_they_differ(here):
    Path("many").write_text("a\n" * 100_000)
    Path("few").write_text("b b b\n" * 9)
    with pytest.raises(LengthMismatchError, match="100000 in many, 9 in few"):
        stream_stats("many", ["few"])
    Path("many").write_bytes(b"a\n" * 100_000 + b"\xff\n")
    with pytest.raises(FileInputError, match="many, line 100001: expected UTF-8"):
        stream_stats("many", ["few"])
    Path("none").write_text("")
    with pytest.raises(EmptyCorpusError, match="none"):
        stream_stats("many", ["none"])
    Path("many").write_text("a\n" * 100_001)
    Path("blank").write_text("a\n" * 99_998 + "\n\n\n")
    with pytest.raises(MissingReferenceError, match="line 99999 of"):
        stream_stats("many", "blank", blank_references="absent")


def test_one_very_long_line(here):
    Path("long").write_text("word " * 300_000 + "\nshort\n")
    Path("short").write_text("word\nshort\n")
    found = stream_stats("long", "short", progress=lambda done, whole: None)
    assert found.stats[0].candidate_length == 300_001
    assert (found.segments, found.read) == (2, Path("long").stat().st_size + Path("short").stat().st_size)


def test_the_same_lines_are_the_same_with_other_line_ends(here):
    lines = [f"line {i} of ü" for i in range(60_000)]
    for name, end in (("unix", "\n"), ("windows", "\r\n")):
        Path(name).write_bytes("".join(line + end for line in lines).encode())
    Path("mixed").write_bytes("".join(line + ("\r\n" if 20_000 < i < 20_010 else "\n") for i, line in enumerate(lines)).encode())
    Path("other").write_bytes("".join(line + "\r\n" for line in [*lines[:-1], "another end"]).encode())
    for one, two in (("unix", "windows"), ("windows", "unix"), ("mixed", "unix"), ("unix", "mixed"), ("mixed", "windows")):
        assert f"the same lines as the reference {two}" in stream_stats([one], [two]).notes[0]
        assert any("the same lines as" in note for note in stream_stats(["other"], [one, two]).shared_notes)
    for one, two in (("unix", "other"), ("other", "mixed")):
        assert not any("the same lines" in note for note in stream_stats([one], [two]).notes[0])


# ---- zstd


def test_zstd(here):
    zstandard = pytest.importorskip("zstandard")
    text = "".join(f"line {i} of it\n" for i in range(5000)).encode()
    Path("plain").write_bytes(text)
    pack = zstandard.ZstdCompressor().compress
    skippable = b"\x50\x2a\x4d\x18\x04\0\0\0abcd"
    for data in (pack(text), pack(text[:3000]) + pack(text[3000:]), skippable + pack(text), pack(b"") + pack(text)):
        Path("packed").write_bytes(data)
        found = stream_stats("packed", "plain")
        assert found.scores[0].percent == 100
        assert found.notes == (("the same lines as the reference plain",),)
    for data in (pack(text)[:-4], pack(text)[:50], pack(text[:3000]) + pack(text[3000:])[:-1]):
        Path("packed").write_bytes(data)
        with pytest.raises(FileInputError, match=r"packed: expected zstd data that are whole, got .* bytes without an end"):
            stream_stats("packed", "plain")
    checked = zstandard.ZstdCompressor(write_checksum=True).compress(text)
    for data in (pack(text) + b"junk", checked[:60] + b"XXXX" + checked[64:], checked[:-1] + b"X"):
        Path("packed").write_bytes(data)
        with pytest.raises(FileInputError, match="packed: expected zstd data"):
            stream_stats("packed", "plain")


def test_zstd_that_needs_more_than_the_file(here):
    zstandard = pytest.importorskip("zstandard")
    text = b"the cat sat on the mat\n" * 200
    wide = zstandard.ZstdCompressor(compression_params=zstandard.ZstdCompressionParameters.from_level(3, window_log=29)).compressobj()
    words = zstandard.train_dictionary(2000, [b"the cat %d sat on the mat %d\n" % (i, i * i) for i in range(3000)])
    whole = {
        "a longer window": (wide.compress(text) + wide.flush(), "zstd -d --long=31 packed"),
        "data packed with a dictionary": (zstandard.ZstdCompressor(dict_data=words).compress(text), "-D DICTIONARY"),
    }
    assert zstandard.get_frame_parameters(whole["a longer window"][0]).window_size == 2**29
    for got, (data, fix) in whole.items():
        Path("packed").write_bytes(data)
        with pytest.raises(FileInputError) as told:
            stream_stats("packed", "packed")
        assert told.value.where == "packed" and told.value.got.startswith(got) and fix in told.value.fix
        assert "damaged" not in str(told.value) and "Copy or download" not in str(told.value)


@pytest.mark.parametrize("what", ["systems", "references"])
@pytest.mark.parametrize("kind", [set, frozenset, dict.fromkeys])
def test_paths_in_no_order(what, kind, here):
    files = {"systems": "a", "references": "b"} | {what: kind(["a", "b"])}
    with pytest.raises(SettingsError) as told:
        stream_stats(**files)
    assert (told.value.where, told.value.fix) == (what, "Give a list, which has an order")


def test_zstd_without_its_package(here, monkeypatch):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    Path("packed").write_bytes(bytes.fromhex("28b52ffd0458"))
    with pytest.raises(MissingExtraError, match=r"'\.\[zstd\]'"):
        stream_stats("packed", "packed")


# ---- Files that change, and reading that fails


@pytest.mark.parametrize(("change", "word"), [(b"x" * 400_000, "shrank"), (b"x\n" * 500_000, "grew")])
def test_a_file_that_changes_while_it_is_read(here, change, word):
    Path("moving").write_bytes(b"a b c\n" * 100_000)
    Path("still").write_bytes(b"a b c\n" * 100_000)
    blocks = []

    def look(rows):
        blocks.append(rows)
        if len(blocks) == 3:
            Path("moving").write_bytes(change.replace(b"x", b"a b c\n") if word == "grew" else b"a b c\n" * 50_000)

    with pytest.raises(FileInputError, match=rf"moving: expected a file that stays as it is, got one that {word}"):
        stream_stats("moving", "still", on_rows=look, checkpoint="run.ckpt")
    assert json.loads(Path("run.ckpt").read_text())["state"]["segments"] > 0


class Failing(io.RawIOBase):
    """A disk that fails after some bytes."""

    def __init__(self, stream, after):
        super().__init__()
        self.stream, self.after = stream, after

    def read(self, size=-1):
        if self.after <= 0:
            raise OSError(5, "Input/output error")
        piece = self.stream.read(size)
        self.after -= len(piece)
        return piece

    def fileno(self):
        return self.stream.fileno()


@pytest.mark.parametrize("packed", [False, True])
def test_a_disk_that_fails_in_the_middle(here, monkeypatch, packed):
    draw = random.Random(1)
    text = "".join(" ".join(draw.choices("abcdefgh", k=8)) + "\n" for _ in range(30_000)).encode()
    Path("system").write_bytes(gzip.compress(text) if packed else text)
    Path("reference").write_bytes(text[::-1].lstrip(b"\n") + b"\n")
    fresh = stream_stats("system", "reference")
    real = checkpoint_module.os.replace

    def failing(self, path, init=RawBytes.__init__):
        init(self, path)
        if path == "system":
            self.stream = Failing(self.stream, Path("system").stat().st_size * 2 // 3)

    with monkeypatch.context() as patch:
        patch.setattr(RawBytes, "__init__", failing)
        with pytest.raises(FileInputError, match=r"system: expected a file that can be read, got Input/output error, after \d+ bytes"):
            stream_stats("system", "reference", checkpoint="run.ckpt")
    done = json.loads(Path("run.ckpt").read_text())["state"]["segments"]
    assert 0 < done < 30_000
    assert os.replace is real
    rest = []
    assert stream_stats("system", "reference", checkpoint="run.ckpt", on_rows=lambda rows: rest.extend(rows[0])) == fresh
    assert len(rest) == 30_000 - done


# ---- Checkpoints


def corpus(lines: int) -> None:
    draw = random.Random(7)
    for name in ("s1", "s2", "r1", "r2"):
        text = "".join(" ".join(draw.choices("the cat sat on a mat , Käse .".split(), k=draw.randrange(12))) + "\n" for _ in range(lines))
        Path(name).write_text(text, encoding="utf-8")


class Stop(Exception):
    """What stops a run in a test."""


@pytest.mark.parametrize("chosen", [SACREBLEU, Settings(reference_length="average", lowercase=True), Settings(blank_references="absent")], ids=str)
def test_stopped_at_any_block_and_taken_up(here, chosen):
    corpus(5000)
    if chosen.blank_references == "absent":
        for name in ("r1", "r2"):
            Path(name).write_text(Path(name).read_text().replace("\n\n", "\nno\n").replace("\n\n", "\nno\n"))
    fresh = stream_stats(["s1", "s2", "s1"], ["r1", "r2"], chosen)
    stop_at = 0
    while True:
        stop_at, seen = stop_at + 1, []

        def look(rows, seen=seen, stop_at=stop_at):
            seen.append(len(rows[0]))
            if len(seen) == stop_at:
                raise Stop

        try:
            assert stream_stats(["s1", "s2", "s1"], ["r1", "r2"], chosen, checkpoint="c", on_rows=look) == fresh
            break
        except Stop:
            assert stream_stats(["s1", "s2", "s1"], ["r1", "r2"], chosen, checkpoint="c", on_rows=lambda rows, seen=seen: seen.append(len(rows[0]))) == fresh
            assert sum(seen) - seen[stop_at - 1] == 5000
        assert not Path("c").exists()
    assert stop_at > 2


def stopped_run() -> dict:
    """A checkpoint `c` of a run that was stopped, and what it holds."""
    corpus(9_000)

    def stop(rows):
        stop.left -= 1
        if not stop.left:
            raise Stop

    stop.left = 3
    with pytest.raises(Stop):
        stream_stats("s1", "r1", checkpoint="c", on_rows=stop)
    return json.loads(Path("c").read_text())


def test_what_a_checkpoint_guards_against(here):
    assert stopped_run()["state"]["segments"] > 0
    kept, text = Path("c").read_text(), Path("s1").read_text()
    times = os.stat("s1").st_atime_ns, os.stat("s1").st_mtime_ns
    Path("s1").write_text(text.replace("cat", "dog", 1))
    os.utime("s1", ns=times)
    with pytest.raises(CheckpointError, match=r"s1: expected the .* bytes that were counted before, got other text"):
        stream_stats("s1", "r1", checkpoint="c")
    Path("s1").write_text(text[:2000])
    with pytest.raises(CheckpointError, match=r"only 20\d\d bytes"):
        stream_stats("s1", "r1", checkpoint="c")
    Path("s1").write_text(text)
    with pytest.raises(CheckpointError, match="other settings"):
        stream_stats("s1", "r1", checkpoint="c", lowercase=True)
    with pytest.raises(CheckpointError, match="other text"):
        stream_stats("r1", "s1", checkpoint="c")
    with pytest.raises(CheckpointError, match="number and order"):
        stream_stats("s1", ["r1", "r2"], checkpoint="c")
    for other in ("s1", "folder"):
        Path("folder").mkdir(exist_ok=True)
        with pytest.raises(CheckpointError, match="a checkpoint of bleu_lit"):
            stream_stats("s1", "r1", checkpoint=other)
    assert Path("c").read_text() == kept
    assert Path("s1").read_text() == text
    Path("s1").write_text(text[:-1] + " and more\n" + "new line\n")
    Path("r1").write_text(Path("r1").read_text() + "new line\n")
    Path("packed").write_bytes(gzip.compress(Path("s1").read_bytes()))
    assert stream_stats("packed", "r1", checkpoint="c").stats == stream_stats("s1", "r1").stats


def test_a_checkpoint_is_replaced_as_a_whole(here, monkeypatch):
    checkpoint_module.write_whole("c", {"n": 1})

    def breaks(*arguments):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(checkpoint_module.os, "fsync", breaks)
        with pytest.raises(CheckpointError, match="c: expected a checkpoint that can be written, got No space left"):
            checkpoint_module.write_whole("c", {"n": 2})
    assert json.loads(Path("c").read_text()) == {"n": 1}
    assert os.listdir() == ["c"]
    corpus(10)
    with pytest.raises(CheckpointError, match="No such file"):
        stream_stats("s1", "r1", checkpoint="nowhere/c")


PROGRAM = """
import sys
import threading
from bleu_lit.stream import stream_stats
def slow(rows):
    print(len(rows[0]), flush=True)
    import time; time.sleep(0.02)
print(stream_stats("s1", "r1", checkpoint="c", on_rows=slow).stats[0].row)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c(here):
    corpus(20_000)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    for _ in range(3):
        process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert 0 < json.loads(Path("c").read_text())["state"]["segments"] < 20_000
    assert stream_stats("s1", "r1", checkpoint="c") == stream_stats("s1", "r1")


def test_a_kill_leaves_the_last_checkpoint(here):
    corpus(20_000)
    program = PROGRAM.replace('checkpoint="c"', 'checkpoint="c", every=0')
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    for _ in range(3):
        process.stdout.readline()
    process.kill()
    process.communicate(timeout=60)
    assert json.loads(Path("c").read_text())["state"]["segments"] > 0
    assert stream_stats("s1", "r1", checkpoint="c") == stream_stats("s1", "r1")


# ---- Standard input, memory, real data


def test_standard_input(here):
    corpus(3000)
    program = 'from bleu_lit.stream import stream_stats; print(stream_stats("-", "r1", progress=lambda done, whole: print(whole)).stats[0].row)'
    for data in (Path("s1").read_bytes(), gzip.compress(Path("s1").read_bytes())):
        command = [sys.executable, "-c", program]
        run = subprocess.run(command, input=data, capture_output=True, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True)
        said = run.stdout.decode().splitlines()
        assert set(said[:-1]) == {"None"}
        assert said[-1] == str(stream_stats("s1", "r1").stats[0].row)


PEAK = """
import resource, sys
from bleu_lit.stream import stream_stats
stream_stats(sys.argv[1], sys.argv[2], tokenize=sys.argv[3])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="resource is of POSIX")
def test_memory_does_not_grow_with_the_file(here):
    draw = random.Random(3)
    words = [f"{draw.choice('abcdefghij')}{draw.randrange(40_000)}" for _ in range(30_000)]
    for size in (8000, 80_000):
        for name in "sr":
            with open(f"{name}{size}", "w") as stream:
                stream.writelines(" ".join(draw.choices(words, k=12)) + "\n" for _ in range(size))
    peaks = []
    for size in (8000, 80_000):
        command = [sys.executable, "-c", PEAK, f"s{size}", f"r{size}", "none"]
        peaks.append(int(subprocess.run(command, capture_output=True, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True).stdout))
    assert peaks[1] <= 1.05 * peaks[0], peaks


def test_readers_share_a_path(here):
    Path("x").write_text("a\nb\n")
    one, two, three = open_readers(["x", Path("x"), "./x"])
    assert one is two is not three
    assert list(parallel_blocks([one, two, three])) == [[b"a\nb\n"] * 3]


@needs_data
def test_real_data():
    for found in evaluation_sets():
        systems = [str(path) for path in list(found.systems.values())[:2]]
        references = [str(path) for path in found.references]
        if sum(map(os.path.getsize, map(str, systems))) > 350_000 or not references:
            continue
        plain, streamed = both_ways(systems, references)
        assert streamed[:3] == plain[:3], found.name
        if plain[1] <= 1000:
            assert streamed == plain, found.name


def test_progress_counts_the_bytes_on_the_disk(here):
    corpus(5000)
    Path("packed").write_bytes(gzip.compress(Path("s1").read_bytes()))
    heard = []
    stream_stats("packed", "r1", progress=lambda done, whole: heard.append((done, whole)))
    whole = Path("packed").stat().st_size + Path("r1").stat().st_size
    assert heard == sorted(heard)
    assert heard[-1] == (whole, whole)


# ---- Input without end, and what can be read only once


def both(call_on):
    """The words of the error of both ways to read files, which must be the same."""
    said = []
    for way in (lambda: score_files(*call_on), lambda: stream_stats(*call_on)):
        with pytest.raises(BleuInputError) as caught:
            way()
        said.append(str(caught.value))
    assert said[0] == said[1]
    return said[0]


@pytest.fixture
def few_bytes(monkeypatch):
    """Bounds that are reached soon."""
    monkeypatch.setattr("bleu_lit.files.LONGEST", 1 << 20)
    monkeypatch.setattr("bleu_lit.lines.LONGEST", 1 << 20)


def fed(path: str, data: bytes) -> threading.Thread:
    """A FIFO into which data are written again and again, until nobody reads."""

    def write():
        try:
            with open(path, "wb", buffering=0) as stream:
                while True:
                    stream.write(data)
        except BrokenPipeError:
            pass

    os.mkfifo(path)
    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"y\n" * 30_000, "equally many lines in each file, got at least "),
        (b"y " * 30_000, ", line 1: expected a line of at most 1 MiB, got a longer one"),
        (b"\0" * 30_000, ", line 1: expected UTF-8 text, got a NUL byte at byte 1 of the line"),
    ],
)
def test_an_end_that_never_comes(here, few_bytes, data, told):
    Path("r").write_text("a\nb\n")
    for way in (score_files, stream_stats):
        thread = fed(f"endless-{way.__name__}", data)
        with pytest.raises(BleuInputError, match=told):
            way([f"endless-{way.__name__}"], ["r"])
        thread.join(timeout=20)
        assert not thread.is_alive()  # the pipe was closed
    packed = gzip.compress(data * 100)
    Path("packed").write_bytes(packed)
    assert told in both((["packed"], ["r"]))


@pytest.mark.parametrize("packed", ["gzip", "zstd"])
def test_old_bytes_in_a_packed_file(here, packed):
    """The advice converts what is in the file, and not the file; the command that it names does what it says."""
    old = "naïve\n".encode("latin-1") * 3
    Path("plain.txt").write_text("a\n" * 3)
    data = gzip.compress(old) if packed == "gzip" else pytest.importorskip("zstandard").compress(old)
    Path("old text").write_bytes(data)
    for read in (lambda: stream_stats("plain.txt", "old text"), *([lambda: read_lines("old text")] if packed == "gzip" else [])):
        with pytest.raises(FileInputError, match=rf"{packed} -dc 'old text' \| iconv -f WINDOWS-1252 -t UTF-8; {packed} -t 'old text' tells") as found:
            read()
    if packed == "gzip" and sys.platform == "linux":
        converts = str(found.value).split("convert it: ")[1].split(";")[0]
        assert subprocess.run(converts, shell=True, capture_output=True, check=True).stdout.decode() == "naïve\n" * 3


def test_a_pipe_under_two_names(here):
    os.mkfifo("pipe")
    Path("link").symlink_to("pipe")
    for other in ("./pipe", "link"):
        assert "each pipe once" in both((["pipe"], [other]))
    Path("two").write_text("a\nb\n")
    os.symlink("two", "again")
    assert stream_stats("two", "again").segments == 2  # a file can be read twice


def test_cr_alone(here):
    Path("mac").write_bytes(b"one\rtwo\rthree\r")
    Path("three").write_bytes(b"one\ntwo\nthree\n")
    assert "The lines of mac end in CR alone, as on old Macs" in both((["mac"], ["three"]))
    plain, streamed = both_ways(["mac"], ["mac"])
    assert streamed == plain
    assert any("one line only, with CR in it" in note for note in plain[3])


def test_the_first_fault_is_told(here):
    Path("bad").write_bytes(b"one\ntw\0o\nthree\xff\n")
    Path("three").write_bytes(b"one\ntwo\nthree\n")
    assert "bad, line 2: expected UTF-8 text, got a NUL byte at byte 3 of the line (offset 6" in both((["bad"], ["three"]))


# ---- Checkpoints that were edited, and arguments that are none


def test_an_edited_checkpoint_is_refused(here):
    kept = stopped_run()
    damaged = {}
    for name in kept["state"]:
        damaged[f"without {name}"] = kept | {"state": {other: value for other, value in kept["state"].items() if other != name}}
        for odd in (None, 5, "x", [5], {}, [[[]]], "9" * 5000):
            damaged[f"{name} {odd!r:.9}"] = kept | {"state": kept["state"] | {name: odd}}
    sums = [[str(int(number) + 1) for number in row] for row in kept["state"]["sums"]]
    damaged["one more"] = kept | {"state": kept["state"] | {"sums": sums}}
    damaged["no state"] = {name: value for name, value in kept.items() if name != "state"}
    damaged["no digest"] = {name: value for name, value in kept.items() if name != "digest"}
    for document in damaged.values():
        text = json.dumps(document)
        Path("c").write_text(text)
        with pytest.raises(CheckpointError, match=r"^c: expected a checkpoint .*(delete it to start afresh|name a file for the checkpoint alone)$"):
            stream_stats("s1", "r1", checkpoint="c")
        assert Path("c").read_text() == text  # and it is left alone
    for text in ("", "[]", "5", "[" * 100_000, '{"format": "bleu_lit checkpoint 2"', '{"format": "bleu_lit checkpoint 2", "state": ' + '{"a": ' * 100_000):
        Path("c").write_text(text)
        with pytest.raises(CheckpointError, match="another file, or one that cannot be read"):
            stream_stats("s1", "r1", checkpoint="c")
    Path("c").write_text('{"format": "bleu_lit checkpoint 2", "state": {"n": ' + "9" * 5000 + "}}")
    with pytest.raises(CheckpointError, match=r"^c: expected a checkpoint"):
        stream_stats("s1", "r1", checkpoint="c")
    Path("c").write_text(json.dumps(kept))
    assert stream_stats("s1", "r1", checkpoint="c") == stream_stats("s1", "r1")


def test_a_checkpoint_is_a_regular_file(here):
    corpus(10)
    os.mkfifo("fifo")
    os.mkdir("folder")
    os.symlink("nowhere", "dangling")
    for path in ("/dev/full", "/dev/null", "/dev/zero", "fifo", "folder", "dangling", "s1"):
        with pytest.raises(CheckpointError, match="expected a checkpoint of bleu_lit, got another file"):
            stream_stats("s1", "r1", checkpoint=path)
    assert stream_stats("s1", "r1", checkpoint="c", every=0).segments == 10


@pytest.mark.parametrize(
    ("name", "odd"),
    [(name, odd) for name in ("checkpoint", "progress", "on_rows") for odd in (5, 1.5, [], True, 10**5000)]
    + [("progress", "x"), ("on_rows", "x")]
    + [("every", odd) for odd in (None, -1, "x", True, float("nan"), float("inf"), [], -(10**5000))],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_arguments_of_a_run_that_are_none(here, name, odd):
    corpus(10)
    with pytest.raises(SettingsError, match=f"^{name}: expected"):
        stream_stats("s1", "r1", **{"checkpoint": "c"} | {name: odd})
    with pytest.raises(SettingsError, match=r"^references: expected a path"):
        stream_stats("s1", 10**5000)


def counting(path: str, count: int, seed: int) -> str:
    """A file of so many lines of numbers."""
    draw = random.Random(seed)
    Path(path).write_text("".join(f"{' '.join(str(draw.randrange(40)) for _ in range(draw.randrange(1, 30)))}\n" for _ in range(count)))
    return path


@pytest.mark.parametrize("threads", ["2", "3", "7"])
@pytest.mark.parametrize("chosen", [SACREBLEU, Settings(max_order=2, blank_references="absent")])
def test_several_threads_count_what_one_does(here, monkeypatch, threads, chosen):
    """Many blocks, two systems, and a file as its own reference; the plain engine's rows are the other side."""
    files = [counting("a", 9000, 1), counting("b", 9000, 2)], [counting("r", 9000, 3), "a"]
    before = threading.active_count()
    monkeypatch.setenv("BLEU_LIT_THREADS", threads)
    found = stream_stats(*files, chosen)
    assert threading.active_count() == before
    lines = {name: Path(name).read_text().splitlines() for name in "abr"}
    groups, used = list(map(list, zip(lines["r"], lines["a"], strict=True))), engine()
    try:
        engine("python")
        assert list(found.stats) == [sum_rows(segment_rows(lines[name], groups, chosen)) for name in "ab"]
    finally:
        engine(used)


def test_what_stops_the_work_of_a_thread_stops_the_run(here, monkeypatch):
    """An error in a thread, an error while it works, and a function of the user that fails: each is told, and no thread stays."""
    if engine() != "native":
        pytest.skip("the compiled engine was not built: blocks are counted where they are read")
    monkeypatch.setenv("BLEU_LIT_THREADS", "3")
    files = counting("a", 9000, 1), [counting("r", 9000, 2)]
    before, calls, helped = threading.active_count(), [], threading.Event()

    def refused(*given):
        if threading.current_thread() is not threading.main_thread():
            helped.set()
        elif calls:
            assert helped.wait(timeout=20)  # however busy the machine is, another thread has its turn
        calls.append(threading.current_thread())
        if len(calls) > 3:
            raise MemoryError
        return total_of_sources(*given)

    with monkeypatch.context() as patched:
        patched.setattr("bleu_lit.stream_state.total_of_sources", refused)
        with pytest.raises(MemoryError):
            stream_stats(*files)
    assert threading.active_count() == before and threading.main_thread() in calls and len(set(calls)) > 1

    def interrupted(read, whole):
        if read > 200_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stream_stats(*files, progress=interrupted)
    assert threading.active_count() == before
    with open("r", "a") as more:
        more.write("one line more\n")
    with pytest.raises(LengthMismatchError, match="9001"):
        stream_stats(*files)
    assert threading.active_count() == before


@pytest.mark.parametrize("at", [1, 2, 3])
@pytest.mark.parametrize("when", ["before", "after"])
def test_ctrl_c_while_the_threads_start(here, monkeypatch, at, when):
    """A Ctrl-C just before or just after the start of one of them: the run ends, and so do all that were started."""
    if engine() != "native":
        pytest.skip("the compiled engine was not built: blocks are counted where they are read")
    files = counting("a", 9000, 1), [counting("r", 9000, 2)]
    monkeypatch.setenv("BLEU_LIT_THREADS", "5")
    start, started, calls = threading.Thread.start, [], []

    def interrupted(self):
        calls.append(self)
        if len(calls) == at and when == "before":
            raise KeyboardInterrupt
        start(self)
        started.append(self)
        if len(calls) == at:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", interrupted)
        with pytest.raises(KeyboardInterrupt):
            stream_stats(*files)
    for thread in started:
        thread.join(timeout=20)
    assert not any(thread.is_alive() for thread in started) and len(started) == at - (when == "before")


def test_threads_that_cannot_be_had(here, monkeypatch):
    files = counting("a", 9000, 1), [counting("r", 9000, 2)]
    monkeypatch.setenv("BLEU_LIT_THREADS", "1")
    alone = stream_stats(*files).stats
    monkeypatch.setenv("BLEU_LIT_THREADS", "4")

    def none_left(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", none_left)
    assert stream_stats(*files).stats == alone


def test_nothing_of_a_refused_block_is_kept():
    """What is known afterwards is what a state knows that never saw the block."""
    absent = Settings(blank_references="absent")
    good, bad = [["the cat sat", ""], ["the cat sat", "a dog"]], [["the cat", "x\u00a0y"], ["the cat", " "]]

    def known(blocks):
        state = StreamState(1, 1, 4)
        for block in blocks:
            if block is bad:
                with pytest.raises(MissingReferenceError):
                    state.add(block, absent)
            else:
                state.add(block, absent)
        return state.sums, state.segments, state.counts, state.equal, [tally.to_dict() for tally in state.tallies]

    assert known([good, bad, good]) == known([good, good])
