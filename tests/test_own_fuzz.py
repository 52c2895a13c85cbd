"""Any bytes give a dataset or one clear sentence: a short fuzz, and what longer ones have found."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gdr_core.datasets.own.fuzz import attempt, run, seeds

NAMES = sorted(seeds())
# Inputs that once crashed a reader.
CORPUS = {
    "array header that is no Python": (
        "features.npy",
        b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': ,3, 3), }"
        + b" " * 60,
    ),
    "lone carriage return": ("split.csv", b"id,part\na,train\nb\rst\n"),
    "lone carriage return beside quotes": ("quoted.csv", b'"a","b"\n<?xml version="1.0\rphml>,c\n'),
    "header that ends in a carriage return": ("edges.csv", b"\rurce,4arget,\nb,c,2.5\nc,a,1\n"),
    "GML without a node": ("g.gml", b'graph [ directed id\tclass\na\tX\nb\tYel "a" ]'),
}  # fmt: skip


@pytest.mark.parametrize("case", CORPUS)
def test_what_once_crashed_does_not(case):
    assert attempt(*CORPUS[case]) in ("read", "refused")


@pytest.mark.parametrize("name", NAMES)
def test_the_files_that_are_damaged_are_whole_before(name):
    outcome = attempt(name, seeds()[name])
    alone = ("labels.tsv", "split.csv", "probabilities.csv")
    assert outcome == ("refused" if name in alone else "read")


@pytest.mark.parametrize("name", ["all.zip", "bench.npz"])
def test_an_archive_whose_directory_forgets_a_name_is_refused(name):
    whole = seeds()[name]
    entry = whole.rindex(b"PK\x01\x02")
    broken = whole[: entry + 28] + b"\0\0" + whole[entry + 30 :]
    assert attempt(name, broken) == "refused"


def test_a_short_fuzz_finds_nothing():
    outcomes, wrong = run(inputs=400, seed=11)
    assert wrong == []
    assert outcomes["read"] > 20
    assert outcomes["refused"] > 100


@settings(max_examples=100)
@given(st.sampled_from(NAMES), st.binary(max_size=200))
def test_any_bytes_give_a_dataset_or_one_sentence(name, content):
    assert attempt(name, content) in ("read", "refused")


def test_parquet_with_a_text_that_is_no_utf8_is_refused():
    whole = seeds()["edges.parquet"]
    broken = whole.replace(b"\x01\x00\x00\x00a", b"\x01\x00\x00\x00\xe1", 1)
    assert broken != whole
    assert attempt("edges.parquet", broken) == "refused"
