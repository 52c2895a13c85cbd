"""Stored priors: asked twice, computed once, and never trusted when damaged."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from test_priors_contract import small, with_labels

import gdr_core
from gdr_core.datasets import Split
from gdr_core.priors import PRIORS, cache, cache_folder, clear_cache, compute_prior
from gdr_core.priors.cache import fingerprint

FOREST = "random-forest"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("GDR_CACHE_DIR", str(tmp_path))
    return tmp_path / "priors"


@pytest.fixture
def calls(monkeypatch) -> list[int]:
    """The seeds for which a forest was grown."""
    seen: list[int] = []
    spec = PRIORS[FOREST]

    def counted(dataset, *, seed, progress, **options):
        seen.append(seed)
        return spec.function(dataset, seed=seed, progress=progress, **options)

    monkeypatch.setitem(PRIORS, FOREST, replace(spec, function=counted))
    return seen


def test_the_second_answer_comes_from_disk_and_is_the_same(calls, folder):
    first = compute_prior(FOREST, small(), trees=5)
    second = compute_prior(FOREST, small(), trees=5)
    assert calls == [0]
    np.testing.assert_array_equal(first, second)
    assert len(list(folder.iterdir())) == 1


def test_without_cache_nothing_is_read_or_written(calls, folder):
    for _ in range(2):
        compute_prior(FOREST, small(), trees=5, cache=False)
    assert calls == [0, 0]
    assert not folder.exists()


def test_instant_priors_are_not_stored(folder):
    compute_prior("projection", small())
    assert not folder.exists()


@pytest.mark.parametrize(
    "changed",
    [
        lambda d: replace(d, features=2 * d.features),
        lambda d: replace(d, adjacency=2 * d.adjacency),
        lambda d: replace(d, adjacency=sp.csr_array(sp.triu(d.adjacency)), directed=True),
        lambda d: with_labels(d, d.split.train),
        lambda d: replace(d, class_names=(*d.class_names, "z")),
        lambda d: d.with_split(Split(np.arange(9), d.split.validation, d.split.test)),
        lambda d: d.with_split(Split(d.split.train, d.split.validation[1:], d.split.test)),
        lambda d: with_labels(d, d.split.validation),
    ],
)
def test_another_content_has_another_fingerprint(changed):
    assert fingerprint(small()) != fingerprint(changed(small()))


def test_names_layout_and_index_width_do_not_change_the_fingerprint():
    dataset = small()
    wide = dataset.adjacency.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    same = replace(
        dataset, name="else", layout=np.ones((30, 2)), adjacency=wide, class_names=("x", "y", "z")
    )
    assert fingerprint(dataset) == fingerprint(same)


def test_only_what_matters_asks_for_a_new_computation(calls, monkeypatch):
    dataset = small()
    compute_prior(FOREST, dataset, trees=5)
    compute_prior(FOREST, with_labels(dataset, dataset.split.test), trees=5)
    compute_prior(FOREST, with_labels(dataset, dataset.split.validation), trees=5)
    assert len(calls) == 1
    compute_prior(FOREST, dataset, trees=6)
    compute_prior(FOREST, dataset, trees=5, seed=1)
    compute_prior(FOREST, with_labels(dataset, np.array([0, 1])), trees=5)
    assert len(calls) == 4
    monkeypatch.setattr(gdr_core, "__version__", "another")
    compute_prior(FOREST, dataset, trees=5)
    assert len(calls) == 5
    monkeypatch.setitem(PRIORS, FOREST, replace(PRIORS[FOREST], revision=99))
    compute_prior(FOREST, dataset, trees=5)
    assert len(calls) == 6


def test_priors_that_are_not_random_are_stored_once_for_all_seeds(folder):
    for seed in range(3):
        compute_prior("label-propagation", small(), seed=seed)
    assert len(list(folder.iterdir())) == 1


def test_another_recommendation_is_another_result(folder, monkeypatch):
    from gdr_core.neural import options

    compute_prior("gcn", small(), epochs=2)
    monkeypatch.setitem(options.SETTINGS, ("gcn", "undirected"), {"hidden": 3})
    compute_prior("gcn", small(), epochs=2)
    assert len(list(folder.iterdir())) == 2


def garbage(path: Path) -> None:
    path.write_bytes(b"this is no archive")


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:100])


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def other_name(path: Path) -> None:
    np.savez(path, something=np.eye(3))


def other_shape(path: Path) -> None:
    np.savez(path, probabilities=np.full((3, 3), 1 / 3))


def no_probabilities(path: Path) -> None:
    np.savez(path, probabilities=np.full((30, 3), 2.0))


def not_numbers(path: Path) -> None:
    np.savez(path, probabilities=np.full((30, 3), np.nan))


def a_pickle(path: Path) -> None:
    np.savez(path, probabilities=np.array([{"a": 1}], dtype=object))


def not_an_archive(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, np.full((30, 3), 1 / 3))


@pytest.mark.parametrize(
    "damage",
    [
        garbage,
        truncated,
        flipped,
        empty,
        other_name,
        other_shape,
        no_probabilities,
        not_numbers,
        a_pickle,
        not_an_archive,
    ],
)
def test_a_damaged_file_is_computed_anew_and_replaced(damage, calls, folder):
    first = compute_prior(FOREST, small(), trees=5)
    (file,) = folder.iterdir()
    damage(file)
    np.testing.assert_array_equal(compute_prior(FOREST, small(), trees=5), first)
    np.testing.assert_array_equal(compute_prior(FOREST, small(), trees=5), first)
    assert len(calls) == 2


def test_a_folder_that_cannot_be_made_only_costs_the_cache(tmp_path, monkeypatch, caplog):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("GDR_CACHE_DIR", str(tmp_path / "file"))
    prior = compute_prior(FOREST, small(), trees=5)
    np.testing.assert_allclose(prior.sum(axis=1), 1.0)
    assert "could not be stored" in caplog.text


def test_a_failed_write_leaves_nothing_behind(folder, monkeypatch):
    def fail(*arguments, **more):
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez_compressed", fail)
    compute_prior(FOREST, small(), trees=5)
    assert list(folder.iterdir()) == []


def test_clearing_deletes_the_stored_priors(folder):
    compute_prior(FOREST, small(), trees=5)
    compute_prior(FOREST, small(), trees=6)
    assert clear_cache() == 2
    assert clear_cache() == 0


def test_the_folder_is_the_users_own_unless_chosen(monkeypatch):
    monkeypatch.delenv("GDR_CACHE_DIR")
    assert "gdr-explorer" in str(cache_folder())


def test_importing_priors_stays_light():
    code = (
        "import sys, gdr_core.priors; "
        "heavy = {'torch', 'sklearn', 'plotly', 'networkx', 'pandas'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    root = Path(gdr_core.__file__).resolve().parents[1]
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root
    )
    assert done.stdout.strip() == "[]"


def stored(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_stored_priors_keep_to_their_budget(folder, monkeypatch):
    """What was not read for longest goes; what is being written and old counts as garbage."""
    halves = np.random.default_rng(0).random((20_000, 1))
    large = np.hstack([halves, 1 - halves])  # some 300 kB each
    monkeypatch.setenv("GDR_CACHE_MEGABYTES", "1")
    for number, name in enumerate(["a.npz", "b.npz", "c.npz"]):
        cache.write(name, large)
        os.utime(folder / name, (1e9 + number,) * 2)
    assert cache.read("a.npz", large.shape) is not None  # now the one that was read last
    (folder / ".writing-x").write_bytes(b"")
    os.utime(folder / ".writing-x", (1e9, 1e9))
    cache.write("d.npz", large)
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 1_000_000
    assert {"a.npz", "d.npz"} <= stored(folder)
    assert not {"b.npz", ".writing-x"} & stored(folder)


def test_a_prior_larger_than_the_budget_is_stored_alone(folder, monkeypatch):
    monkeypatch.setenv("GDR_CACHE_MEGABYTES", "0")
    for name in ("a.npz", "b.npz"):
        cache.write(name, np.full((10, 2), 0.5))
    assert stored(folder) == {"b.npz"}


def test_files_from_the_future_go_first(folder, monkeypatch):
    """The clock has been set back since they were written."""
    monkeypatch.setenv("GDR_CACHE_MEGABYTES", "1")
    halves = np.random.default_rng(0).random((24_000, 1))
    large = np.hstack([halves, 1 - halves])
    for name, time_of_use in (("future.npz", 9e9), ("past.npz", 1e9)):
        cache.write(name, large)
        os.utime(folder / name, (time_of_use,) * 2)
    cache.write("now.npz", large)
    assert stored(folder) == {"past.npz", "now.npz"}


def test_two_versions_share_a_folder_without_reading_each_other(calls, folder, monkeypatch):
    compute_prior(FOREST, small(), trees=5)
    monkeypatch.setattr(gdr_core, "__version__", "0.0.1")
    compute_prior(FOREST, small(), trees=5)
    assert calls == [0, 0]
    assert len(stored(folder)) == 2


def test_a_folder_that_vanishes_between_two_questions_is_made_anew(calls, folder):
    compute_prior(FOREST, small(), trees=5)
    shutil.rmtree(folder)
    compute_prior(FOREST, small(), trees=5)
    assert calls == [0, 0]
    assert len(stored(folder)) == 1
