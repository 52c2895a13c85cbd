"""Calls of the library, as the Python expressions that make them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from gdr_tools.fuzz import odd_values as odd
from gdr_tools.fuzz.judging import outcome_of
from gdr_tools.fuzz.namespace import names

Draw = random.Random
_NAMES: dict[str, Any] = {}
_KINDS = ("combinatorial", "symmetric", "random-walk", "max-entropy", "directed",
          "directed-normalised", "directed-random-walk")  # fmt: skip
_PRIORS = ("uniform", "projection", "label-propagation", "external")
_SMALL = ("karate", "path", "ring", "star", "grid", "tree", "barbell", "directed-ring")


def prepare() -> None:
    """Import the library and make the records that calls are made on, once."""
    if not _NAMES:
        _NAMES.update(names())


def make(draw: Draw) -> bytes:
    """One call."""
    return draw.choice(_CALLS)(draw).encode()


def attempt(case: bytes) -> str:
    """Evaluate the call; scikit-learn's refusals count where its own interface is called."""
    text = case.decode(errors="replace")
    # What a stranger's object raises is its own affair.
    also = ("sklearn", "pandas", "fuzz") if "Reclassifier" in text else ("fuzz",)
    try:
        code = compile(text, "<call>", "eval")
    except (SyntaxError, ValueError):
        return "refused"
    return outcome_of(lambda: eval(code, dict(_NAMES)), also)


def _call(name: str, draw: Draw, /, *first: str, **rest: Callable[[Draw], str]) -> str:
    """A call with what is needed, and now and then what can be left out."""
    chosen = [f"{key}={value(draw)}" for key, value in rest.items() if draw.random() < 0.35]
    return f"{name}({', '.join([*first, *chosen])})"


def _name(draw: Draw, good: tuple[str, ...]) -> str:
    return repr(draw.choice(good)) if draw.random() < 0.85 else odd.value(draw)


def _laplacian(draw: Draw) -> str:
    if draw.random() < 0.6:
        return draw.choice(("L", "L", "DL", "EMPTY"))
    return odd.value(draw) if draw.random() < 0.2 else _make(draw)


def _make(draw: Draw) -> str:
    made = _call("make_laplacian", draw, _name(draw, _KINDS), odd.matrix(draw),
                 direction=lambda d: _name(d, ("forward", "backward")),
                 alpha=odd.share)  # fmt: skip
    return f"usable({made})"


def _pagerank(draw: Draw) -> str:
    return _call("pagerank", draw, odd.matrix(draw), alpha=odd.share)


def _diffuse(draw: Draw) -> str:
    return _call("diffuse", draw, _laplacian(draw), odd.scores(draw), odd.times(draw),
                 nodes=odd.nodes, tolerance=odd.number,
                 dtype=lambda d: d.choice(("np.float32", "'float64'", "int", "'x'", "None")),
                 progress=lambda d: d.choice(("None", "5", "'x'", "lambda *a: None")))  # fmt: skip


def _operator(draw: Draw) -> str:
    method = draw.choice(("apply", "stationary"))
    made = draw.choice(("L", "DL", "EMPTY", _make(draw)))
    return f"{made}.{method}({odd.scores(draw)})" if draw.random() < 0.7 else (
        f"L.stationary(H, {_name(draw, ('global', 'component'))})"
    )  # fmt: skip


def _options(draw: Draw) -> str:
    return _call("GDROptions", draw, rule=lambda d: _name(d, ("overshoot", "peak", "reference")),
                 stationary=lambda d: _name(d, ("global", "component")), first=odd.number,
                 last=odd.number, count=odd.count,
                 spacing=lambda d: _name(d, ("logarithmic", "linear")),
                 tolerance=odd.number, normalise=odd.value)  # fmt: skip


def _reclassify(draw: Draw) -> str:
    options = _options(draw) if draw.random() < 0.4 else draw.choice(("None", "FEW", "FEW"))
    split = draw.choice(("S", "S", "S", _split(draw), odd.value(draw)))
    given = ", ".join((_laplacian(draw), odd.scores(draw), odd.labels(draw), split, options))
    return f"reclassify({given})"


def _explain(draw: Draw) -> str:
    return _call("explain", draw, draw.choice(("L", "L", "DL", _laplacian(draw))),
                 draw.choice(("R", "R", "R", odd.value(draw))), odd.count(draw),
                 label=odd.count, t_min_index=odd.count, time=odd.number,
                 tolerance=odd.number)  # fmt: skip


def _result(draw: Draw) -> str:
    argument = odd.number(draw) if draw.random() < 0.6 else odd.count(draw)
    method = draw.choice(
        ("at", "at_time", "index", "predictions", "changes", "overshoot", "resolve")
    )
    if draw.random() < 0.25:
        return f"R.{draw.choice(('excess', 'peak_times', 'margin'))}(None, {odd.nodes(draw)})"
    return f"R.{method}({argument})"


def _split(draw: Draw) -> str:
    return _call("Split", draw, odd.nodes(draw), odd.nodes(draw), odd.nodes(draw), name=odd.value)


def _dataset(draw: Draw) -> str:
    changed = {"adjacency": odd.matrix, "features": odd.matrix, "labels": odd.labels,
               "class_names": odd.names, "node_names": odd.names, "split": _split,
               "directed": odd.value, "layout": odd.scores, "name": odd.value}  # fmt: skip
    fields = draw.sample(sorted(changed), draw.choice((1, 1, 2, 3)))
    return f"replace(D, {', '.join(f'{name}={changed[name](draw)}' for name in fields)})"


def _from_arrays(draw: Draw) -> str:
    return _call("Dataset.from_arrays", draw, odd.matrix(draw),
                 features=odd.matrix, labels=odd.labels, split=_split_or_parts,
                 node_names=odd.names, directed=odd.value, name=odd.value,
                 seed=odd.count)  # fmt: skip


def _split_or_parts(draw: Draw) -> str:
    return draw.choice((_split(draw), "['train', 'test', '', 'validation']", odd.value(draw)))


def _from_edges(draw: Draw) -> str:
    edges = draw.choice(("[('a', 'b'), ('b', 'c', 2)]", "[(0, 1), (1, 2)]", "[(1,)]",
                         "[(1, 2, 'x')]",
                         "[]", "[None]", "5", "[('a', 'b', nan)]", odd.value(draw)))  # fmt: skip
    return _call("Dataset.from_edges", draw, edges,
                 labels=lambda d: d.choice(("{'a': 'x', 'b': 'y'}", "{0: 1, 1: 2}", odd.value(d))),
                 features=lambda d: d.choice(("{'a': [1], 'b': [2]}", "{'a': [1], 'b': [1, 2]}",
                                              "{0: 'x'}", odd.value(d))),
                 split=lambda d: d.choice(("{'a': 'train'}", odd.value(d))),
                 directed=odd.value, seed=odd.count)  # fmt: skip


def _from_graph(draw: Draw) -> str:
    return _call("Dataset.from_networkx", draw,
                 draw.choice(("nx.path_graph(4)", "nx.DiGraph([(0, 1)])", "nx.Graph()", "GRAPH",
                              "nx.MultiGraph([(0, 1), (0, 1)])", "nx.complete_graph(['a', (1, 2)])",
                              odd.value(draw))),
                 label=lambda d: d.choice(("'kind'", "'none'", odd.value(d))),
                 features=lambda d: d.choice(("'x'", "['x']", "'none'", odd.value(d))),
                 weight=lambda d: d.choice(("'w'", "None", odd.value(d))),
                 split=lambda d: d.choice(("'part'", odd.value(d))))  # fmt: skip


def _from_pandas(draw: Draw) -> str:
    return _call("Dataset.from_pandas", draw, draw.choice(("EDGES", "EDGES", odd.value(draw))),
                 nodes=lambda d: d.choice(("NODES", "NODES", odd.value(d))),
                 source=lambda d: d.choice(("'source'", "'w'", odd.value(d))),
                 weight=lambda d: d.choice(("'w'", "'source'", odd.value(d))),
                 label=lambda d: d.choice(("'kind'", "'x'", odd.value(d))),
                 id=lambda d: d.choice(("'id'", odd.value(d))),
                 features=lambda d: d.choice(("['x']", "['kind']", odd.value(d))))  # fmt: skip


def _prior(draw: Draw) -> str:
    name = _name(draw, _PRIORS)
    data = draw.choice(("D", "D", "D", odd.value(draw)))
    options = {"probabilities": odd.scores, "normalise": odd.value} if "external" in name else {
        "tolerance": odd.number, "mass_normalisation": odd.value,
        "features": odd.value}  # fmt: skip
    return _call(
        "compute_prior", draw, name, data, seed=odd.count, cache=lambda d: "False", **options
    )


def _load(draw: Draw) -> str:
    return _call("load_dataset", draw, _name(draw, _SMALL),
                 split=lambda d: _name(d, ("random", "teaching")), seed=odd.count,
                 size=odd.count, feature_signal=odd.number, per_class=odd.count,
                 validation=odd.count, test=odd.count)  # fmt: skip


def _method(draw: Draw) -> str:
    made = _call("Method.on", draw, draw.choice((_name(draw, _SMALL), "D")),
                 split=lambda d: _name(d, ("random", "teaching", "custom")), seed=odd.count,
                 options=odd.mapping, prior=lambda d: _name(d, _PRIORS), prior_options=odd.mapping,
                 laplacian=lambda d: _name(d, _KINDS), alpha=odd.share,
                 direction=lambda d: _name(d, ("forward", "backward")),
                 rule=lambda d: _name(d, ("overshoot", "peak")), tolerance=odd.number,
                 first=odd.number, last=odd.number, count=odd.count, prior_seed=odd.count,
                 normalise=odd.value, auto=odd.value)  # fmt: skip
    after = draw.choice(("", "", ".to_link()", ".to_arguments()", ".diffusion_key",
                         f".python({odd.number(draw)})", ".run()"))  # fmt: skip
    return made + after


def _training(draw: Draw) -> str:
    return _call("TrainingOptions", draw, model=lambda d: _name(d, ("mlp", "gcn", "diff-gcn")),
                 direction=lambda d: _name(d, ("undirected", "forward", "augmented")),
                 laplacian=lambda d: _name(d, _KINDS), hidden=odd.count, dropout=odd.share,
                 learning_rate=odd.number, weight_decay=odd.number, epochs=odd.count,
                 patience=odd.count, initial_time=odd.number, alpha=odd.share,
                 tolerance=odd.number)  # fmt: skip


def _estimator(draw: Draw) -> str:
    made = _call("GraphDiffusionReclassifier", draw,
                 laplacian=lambda d: _name(d, _KINDS), rule=lambda d: _name(d, ("overshoot",
                 "peak")),
                 stationary=lambda d: _name(d, ("global", "component")), t_min=odd.number,
                 alpha=odd.share, validation_fraction=odd.share, tolerance=odd.number,
                 neighbours=odd.count, metric=lambda d: _name(d, ("euclidean", "cosine")),
                 seed=odd.count)  # fmt: skip
    x = draw.choice(("X", "X", "sp.csr_array(X)", odd.matrix(draw), odd.value(draw)))
    y = draw.choice(("Y", "Y", odd.labels(draw)))
    graph = draw.choice(("None", "A", "A", odd.matrix(draw), "NodeGraph(A)"))
    after = draw.choice(("", ".predict()", f".predict({odd.matrix(draw)})",
                         f".predict_proba(X, {odd.matrix(draw)})",
                         f".score(X, {odd.labels(draw)})"))  # fmt: skip
    return f"{made}.fit({x}, {y}, adjacency={graph}){after}"


def _option(draw: Draw) -> str:
    made = draw.choice(("Option('a', 1, 'm', 0, 9)", "Option('a', 0.5, 'm', 0.0, 1.0)",
                        "Option('a', True, 'm')", "Option('a', 'x', 'm', choices=('x', 'y'))",
                        "Option('a', None, 'm', kind=int)"))  # fmt: skip
    if draw.random() < 0.5:
        return f"{made}.checked({odd.value(draw)})"
    return f"{made}.read({odd.word(draw)!r})"


def _walk(draw: Draw) -> str:
    return _call("Walk", draw, odd.matrix(draw), alpha=odd.share,
                 dangling=lambda d: _name(d, ("jump", "stay", "vanish")))  # fmt: skip


_CALLS = (_make, _make, _pagerank, _diffuse, _operator, _options, _reclassify, _explain, _result,
         _split, _dataset, _from_arrays, _from_edges, _from_graph, _from_pandas, _prior, _load,
         _method, _training, _estimator, _option, _walk)  # fmt: skip
