"""Every sentence that is made from numbers, read back from its text and compared with arithmetic.

    python -m tools.check_sentences              all small graphs, all rules; minutes
    python -m tools.check_sentences --full       every t_min by every method, too; hours
    python -m tools.check_sentences --citations  and Cora and Citeseer: samples of nodes, by dense
                                                 eigenvectors of the whole graph
    python -m tools.check_sentences --only structure --full -- karate path

Without `--full` the sentences about curves are checked at every t_min by the app's own method and
at every tenth by the others; of graphs of more than 100 nodes at every tenth of these. The first,
the last and the chosen t_min are always among them.

A sentence is read back by regular expressions that share nothing with the code which wrote it. What
it says is compared with NumPy and SciPy on dense matrices, NetworkX, or counting. One module for
each subject: `curves` (why a node has its label), `edges` (of the time window), `examples` (which
node a page begins with), `prior`, `regions` (of the prior's mistakes), `structure`, `directed`,
`trust` (does the graph help, the report, table 6), `pairs` (Compare), `layers` (Train), `sureness`
(of labels), `auto` (the method that is chosen by itself), `home`.
"""
