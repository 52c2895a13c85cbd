"""Work on many machines: the jobs of `gdr_tools.jobs.kinds` on a Dask cluster.

    with joined("local", workers=3) as cluster:
        for key, result in cluster.each("cell", requests, Parts(folder)):
            ...

The same functions run as in a local process, on the same plain arguments. Nothing here imports
Dask before a cluster is asked for.
"""

from gdr_tools.cluster.joining import Cluster, ClusterError, joined
from gdr_tools.cluster.parts import Parts

__all__ = ["Cluster", "ClusterError", "Parts", "joined"]
