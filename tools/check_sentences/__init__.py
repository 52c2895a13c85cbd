"""Every sentence that is made from numbers, read back from its text and compared with arithmetic.

    python -m tools.check_sentences              all small graphs, all rules, all t_min; minutes
    python -m tools.check_sentences --citations  and Cora and Citeseer: samples of nodes, by dense
                                                 eigenvectors of the whole graph
    python -m tools.check_sentences --only structure karate path

A sentence is read back by regular expressions that share nothing with the code which wrote it. What
it says is compared with NumPy and SciPy on dense matrices, NetworkX, or counting. One module for
each subject: `curves` (why a node has its label), `edges` (of the time window), `prior`, `regions`
(of the prior's mistakes), `structure`, `directed`, `trust` (does the graph help, the report, table
6), `pairs` (Compare), `layers` (Train), `home`, `own_data`.
"""
