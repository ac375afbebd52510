"""Scoring on a real cluster of processes that talk over TCP: the same integers as one machine, whatever happens to the workers."""

import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

from bleu_lit.core import BleuInputError, EmptyCorpusError, FileInputError, LengthMismatchError, MissingExtraError, MissingReferenceError
from bleu_lit.files import read_lines
from bleu_lit.score import corpus_stats
from bleu_lit.settings import Settings

pytest.importorskip("distributed", reason="the extra `distributed` is not installed")
from distributed import Client, LocalCluster

from bleu_lit.distributed import ClusterError, arrow_schema, cluster, distributed_stats, on_cluster, stats_in_arrow
from bleu_lit.spans import FileIndex, lines_of

WORDS = ["the", "cat", "sat", "naïve", "日本", "𝕏", "end.", "3,5", "a-b", "don't", "…", ""]


@pytest.fixture(scope="module")
def client():
    with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None, silence_logs=50, protocol="tcp://") as local, Client(local) as opened:
        assert opened.scheduler.address.startswith("tcp://") and len(opened.scheduler_info()["workers"]) == 3
        yield opened


def made(folder, count=400, references=2, seed=1, ending="\n", last=True, bom=False):
    """Files of random lines whose lengths differ from file to file."""
    draw, paths = random.Random(seed), []
    for i in range(references + 1):
        lines = [" ".join(draw.choices(WORDS, k=draw.randrange(1, 4 + 20 * i))) for _ in range(count)]
        text = ending.join(lines) + (ending if last else "!")
        paths.append(folder / f"file{i}.txt")
        paths[-1].write_bytes(("\ufeff" if bom else "").encode() + text.encode())
    return paths


def on_one_machine(paths, **changes):
    candidates, *streams = (read_lines(path).lines for path in paths)
    return corpus_stats(candidates, list(zip(*streams, strict=True)), **changes)


@pytest.mark.parametrize("block", [97, 1000, 1 << 24])
@pytest.mark.parametrize("form", [{}, {"ending": "\r\n"}, {"bom": True, "last": False}])
def test_files_give_the_integers_of_one_machine(client, tmp_path, block, form):
    paths = made(tmp_path, 60 if block < 100 else 400, **form)
    assert distributed_stats(paths[0], paths[1:], client=client, block=block) == on_one_machine(paths)


def test_settings_travel(client, tmp_path):
    paths = made(tmp_path)
    changes = {"tokenize": str.split, "lowercase": True, "max_order": 2, "reference_length": "average"}
    assert distributed_stats(paths[0], paths[1:], client=client, block=999, **changes) == on_one_machine(paths, **changes)
    assert distributed_stats(paths[0], paths[1:], Settings(tokenize="char"), client) == on_one_machine(paths, tokenize="char")
    assert distributed_stats(paths[0], paths[1:], "mteval", client) == on_one_machine(paths, settings="mteval")


@pytest.mark.parametrize("seed", range(20))
def test_lines_are_found_in_blocks_of_any_size(tmp_path, seed):
    draw = random.Random(seed)
    data = "".join(draw.choice(["", "a", "b" * 30, "é", "\n", "\n\n"]) for _ in range(60)).encode() or b"x"
    path, block = tmp_path / "f", draw.randrange(1, 40)
    path.write_bytes(data)
    feeds = [data[:start].count(b"\n") for start in [*range(0, len(data), block), len(data)]]
    index = FileIndex(str(path), len(data), block, tuple(feeds), not data.endswith(b"\n"))
    lines = read_lines(path).lines
    assert index.lines == len(lines)
    for first in range(len(lines)):
        for last in range(first + 1, len(lines) + 1):
            assert lines_of(index, first, last) == lines[first:last]
            start, end, _ = index.span(first, last)
            assert end - start <= len("\n".join(lines[first:last]).encode()) + 2 * block + 1  # no more is read than must be


def test_by_address(client, tmp_path):
    paths = made(tmp_path)
    assert distributed_stats(paths[0], paths[1:], client=client.scheduler.address) == on_one_machine(paths)


def test_a_cluster_of_its_own_is_closed(tmp_path):
    paths = made(tmp_path)
    with cluster(workers=2) as opened:
        pids = list(opened.run(os.getpid).values())
        assert distributed_stats(paths[0], paths[1:], client=opened) == on_one_machine(paths)
    deadline = time.monotonic() + 30
    while any(alive(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(pids) == 2 and not any(alive(pid) for pid in pids)


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# ---- Bags, data frames, Arrow, Spark


def test_bag(client, tmp_path):
    bag = pytest.importorskip("dask.bag")
    paths = made(tmp_path)
    candidates, *streams = (read_lines(path).lines for path in paths)
    groups = list(map(list, zip(*streams, strict=True)))
    pairs = bag.from_sequence(list(zip(candidates, groups, strict=True)), npartitions=7)
    assert distributed_stats(pairs, client=client) == on_one_machine(paths)
    assert distributed_stats(pairs.filter(lambda pair: pair[0] == candidates[0]), client=client).candidate_length > 0  # most partitions are empty
    with pytest.raises(EmptyCorpusError):
        distributed_stats(pairs.filter(lambda pair: False), client=client)
    with pytest.raises(ClusterError, match="item 0 of partition 2"):
        distributed_stats(bag.from_sequence([("a", ["b"]), ("a", ["b"]), "ab c"], npartitions=3), client=client)
    with pytest.raises(MissingReferenceError, match=r"\[0\] in partition 1"):
        distributed_stats(bag.from_sequence([("a", ["b"]), ("a", [])], npartitions=2), client=client)


def test_data_frame(client, tmp_path):
    pandas, frames = pytest.importorskip("pandas"), pytest.importorskip("dask.dataframe")
    paths = made(tmp_path)
    table = pandas.DataFrame({name: read_lines(path).lines for name, path in zip(("candidate", "a", "b"), paths, strict=True)})
    frame = frames.from_pandas(table, npartitions=4)
    assert distributed_stats(frame, ["a", "b"], client=client) == on_one_machine(paths)
    with pytest.raises(ClusterError, match="no 'c' among 'candidate', 'a', 'b'"):
        distributed_stats(frame, ["a", "c"], client=client)
    with pytest.raises(ClusterError, match="columns"):
        distributed_stats(frame, client=client)


def test_arrow_batches(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    paths = made(tmp_path)
    table = pyarrow.table({name: read_lines(path).lines for name, path in zip(("candidate", "a", "b"), paths, strict=True)})
    (batch,) = stats_in_arrow(table.to_batches(max_chunksize=33), references=["a", "b"])
    assert tuple(column[0].as_py() for column in batch.columns) == on_one_machine(paths).row
    assert [f"{field.name} long" for field in batch.schema] == arrow_schema().split(", ")
    assert not list(stats_in_arrow(table.slice(0, 0).to_batches(), references=["a", "b"]))


def test_spark(tmp_path):
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    if not shutil.which("java"):
        pytest.skip("Spark needs Java, and there is none")
    from functools import partial

    os.environ["PYSPARK_PYTHON"] = sys.executable
    paths = made(tmp_path)
    rows = list(zip(*(read_lines(path).lines for path in paths), strict=True))
    session = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        frame = session.createDataFrame(rows, "system string, ref_a string, ref_b string").repartition(5)
        take = partial(stats_in_arrow, candidate="system", references=["ref_a", "ref_b"])
        sums = frame.mapInArrow(take, arrow_schema()).groupBy().sum().collect()[0]
    finally:
        session.stop()
    assert tuple(sums) == on_one_machine(paths).row


# ---- What goes wrong


def slow_split(text):
    """Words, after a while: time enough to kill a worker."""
    time.sleep(0.002)
    return text.split()


def test_a_worker_killed_in_the_middle(tmp_path):
    paths = made(tmp_path)
    with cluster(workers=3) as opened:
        victims = list(opened.run(os.getpid).values())
        killed = []

        def progress(done, total):
            if done == total // 4 and not killed:
                killed.append(victims[0])
                os.kill(victims[0], signal.SIGKILL)

        stats = distributed_stats(paths[0], paths[1:], client=opened, block=500, progress=progress, tokenize=slow_split)
        assert killed and victims[0] not in opened.run(os.getpid).values()
    assert stats == on_one_machine(paths, tokenize=str.split)


def greedy_split(text):
    """Words, and more memory than a worker may have."""
    held = []
    if "naïve" in text:
        while True:
            held.append(bytearray(1 << 24))
            time.sleep(0.01)
    return text.split()


def test_a_worker_that_runs_out_of_memory(tmp_path):
    paths = made(tmp_path, 5, references=1)
    local = LocalCluster(n_workers=2, threads_per_worker=1, memory_limit="400MB", dashboard_address=None, silence_logs=60)
    with local, Client(local) as opened, pytest.raises(ClusterError, match=r"ended \d workers.*smaller blocks"):
        distributed_stats(paths[0], paths[1:], client=opened, tokenize=greedy_split)


def test_a_file_missing_on_one_worker(client, tmp_path):
    paths = made(tmp_path)
    blind = next(iter(client.scheduler_info()["workers"]))

    def hide(path):
        import builtins

        usual = builtins.usual_open = builtins.open

        def opener(name, *rest, **named):
            if name == path:
                raise FileNotFoundError(2, "No such file or directory", name)
            return usual(name, *rest, **named)

        builtins.open = opener

    def show():
        import builtins

        builtins.open = builtins.usual_open

    client.run(hide, str(paths[1]), workers=[blind])
    try:
        with pytest.raises(FileInputError) as caught:
            distributed_stats(paths[0], paths[1:], client=client)
    finally:
        client.run(show, workers=[blind])
    assert str(paths[1]) in str(caught.value) and blind in str(caught.value) and "No such file" in str(caught.value)


def test_files_that_cannot_be_scored(client, tmp_path):
    paths = made(tmp_path)
    lines = paths[1].read_bytes().split(b"\n")
    short = tmp_path / "short.txt"
    short.write_bytes(b"\n".join(lines[:200] + lines[201:]))
    with pytest.raises(LengthMismatchError, match=r"400 in .*file0.txt, 399 in .*short.txt"):
        distributed_stats(paths[0], [short], client=client, block=500)
    broken = tmp_path / "broken.txt"
    broken.write_bytes(b"\n".join([*lines[:200], b"caf\xe9", *lines[201:]]))
    with pytest.raises(FileInputError, match=r"broken.txt, line 201 .*0xE9|0xE9.*broken.txt, line 201|broken.txt, line 201"):
        distributed_stats(paths[0], [broken], client=client, block=500)
    packed = tmp_path / "packed.gz"
    packed.write_bytes(b"\x1f\x8b rest")
    with pytest.raises(FileInputError, match="gzip"):
        distributed_stats(paths[0], [packed], client=client)
    empty = tmp_path / "empty.txt"
    empty.touch()
    with pytest.raises(EmptyCorpusError, match=r"empty.txt"):
        distributed_stats(paths[0], [empty], client=client)
    for wrong in (paths[1], str(paths[1]), [], None):
        with pytest.raises(FileInputError, match="a list of reference files"):
            distributed_stats(paths[0], wrong, client=client)
    with pytest.raises(FileInputError, match=r"nowhere.txt on the worker tcp://"):
        distributed_stats(paths[0], [tmp_path / "nowhere.txt"], client=client)


def test_a_file_that_changes_while_it_is_read(tmp_path):
    path = tmp_path / "f"
    path.write_bytes(b"one\ntwo\nthree\n")
    index = FileIndex(str(path), 14, 5, (0, 1, 2, 3), False)
    assert lines_of(index, 1, 3) == ["two", "three"]
    path.write_bytes(b"one two\nthree ")
    with pytest.raises(FileInputError, match="changed while it was read"):
        lines_of(index, 1, 3)
    path.write_bytes(b"one\n")
    with pytest.raises(FileInputError, match="became shorter"):
        lines_of(index, 1, 3)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense"])
def test_a_cluster_that_cannot_be_reached(tmp_path, address):
    paths = made(tmp_path, 3)
    with pytest.raises(ClusterError, match=address), cluster(address, timeout=1):
        pass
    assert paths


SCRIPT = """
import sys
sys.path.insert(0, {root!r})
from bleu_lit.distributed import distributed_stats
{guard}print(*distributed_stats({paths[0]!r}, {paths!r}[1:], workers=2).row)
"""


@pytest.mark.parametrize("guard", ["", 'if __name__ == "__main__": '])
def test_a_script_without_a_guard_is_told_so_in_one_error(guard, tmp_path):
    paths = list(map(str, made(tmp_path, count=3)))
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(root=str(Path(__file__).resolve().parent.parent), guard=guard, paths=paths), encoding="utf-8")
    run = subprocess.run([sys.executable, str(script)], capture_output=True, encoding="utf-8", timeout=120, check=False)
    if guard:
        lines = [read_lines(path).lines for path in paths]
        assert run.stdout.split() == list(map(str, corpus_stats(lines[0], list(zip(*lines[1:], strict=True))).row))
    else:
        assert run.returncode == 1
        assert run.stderr.count("Traceback") == 1
        assert run.stderr.splitlines()[-1].startswith("bleu_lit.cluster.ClusterError: client: expected a cluster that starts on this machine")
        assert 'if __name__ == "__main__":' in run.stderr.splitlines()[-1]


def test_arguments(client):
    with pytest.raises(ClusterError, match=r"a path, a dask\.bag"):
        distributed_stats(["a"], [["b"]], client=client)
    for block in (0, -1, True, 1.5, "1MB"):
        with pytest.raises(ClusterError, match="block"):
            distributed_stats("x", ["y"], client=client, block=block)
    for workers in (0, -2, True, 1.5):
        with pytest.raises(ClusterError, match="workers"), cluster(workers=workers):
            pass
    with pytest.raises(ClusterError, match="a int"), cluster(5):
        pass
    with pytest.raises(ZeroDivisionError):
        on_cluster(lambda x: 1 / x, [1, 0], client)


def test_without_dask(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtraError, match=r"'\.\[distributed\]'"), cluster():
        pass


def test_errors_travel():
    error = ClusterError("a", "b", "c", "d")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


# ---- Resampling and pairs


def test_bootstrap_on_a_cluster(client, tmp_path):
    from bleu_lit.clustered import cluster_bootstrap
    from bleu_lit.score import segment_stats
    from bleu_lit.sums import bootstrap_sums

    candidates, *streams = (read_lines(path).lines for path in made(tmp_path))
    rows = segment_stats(candidates, list(zip(*streams, strict=True)))
    told = []
    drawn = cluster_bootstrap(rows, 100, 7, client, piece=30, progress=lambda done, total: told.append((done, total)))
    assert drawn == [sums for seed, count in ((7, 30), (8, 30), (9, 30), (10, 10)) for sums in bootstrap_sums(rows, count, seed)]
    assert told[-1] == (4, 4)


def test_pairs_on_a_cluster(client, tmp_path):
    from bleu_lit.clustered import cluster_pairwise
    from bleu_lit.core import BleuInputError, OrderError
    from bleu_lit.pairwise import pairwise_bleu

    candidates, references = (read_lines(path).lines for path in made(tmp_path, 50, references=1))
    assert cluster_pairwise(candidates, references, client=client, block=7, lowercase=True) == pairwise_bleu(candidates, references, lowercase=True)
    for block in (0, True, 1.5):
        with pytest.raises(OrderError, match="block"):
            cluster_pairwise(candidates, references, client=client, block=block)
    with pytest.raises(BleuInputError):
        cluster_pairwise([None], references, client=client)
    with pytest.raises(BleuInputError):
        cluster_pairwise([], references, client=client)


@pytest.mark.parametrize(
    ("name", "odd"),
    [("block", odd) for odd in (0, None, "x", True, 1.5, -(10**5000))] + [("workers", odd) for odd in (0, "x", -1)] + [("progress", odd) for odd in ("x", 5)],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_arguments_that_are_none(name, odd, tmp_path):
    with pytest.raises(BleuInputError, match=f"^{name}: expected a "):
        distributed_stats("no-such-file", ["none"], **{name: odd})


def test_a_second_cluster_beside_the_first_is_no_reason_to_warn():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with cluster(workers=1) as first, cluster(workers=1) as second:
            assert on_cluster(abs, [-3], first) == on_cluster(abs, [-3], second) == [3]
    assert not [one for one in said if "already in use" in str(one.message)]
