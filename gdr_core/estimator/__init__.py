"""A scikit-learn face: any classifier with `predict_proba`, corrected by a graph."""

from gdr_core.estimator.classifier import GraphDiffusionReclassifier
from gdr_core.estimator.labels import hold_out
from gdr_core.estimator.nodes import NodeGraph

__all__ = ["GraphDiffusionReclassifier", "NodeGraph", "hold_out"]
