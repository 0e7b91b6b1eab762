"""The papers' own numbers, as far as their text gives them (figures as bars give none)."""

# X. Yang, S. Parthasarathy, P. Sadayappan, PVLDB 4 (2011), NVIDIA Tesla C1060; the CPU is one core of an Opteron X2 2218.
# Tables 1, 4, 5: seconds on CPU, COO, HYB, TILE-COO, TILE-Composite.
PVLDB_COLUMNS = ["CPU", "COO", "HYB", "TILE-COO", "TILE-Comp"]
PVLDB_TIMES = {
    "pagerank": ("Table 1: PageRank", {
        "flickr": [23.99, 1.67, 1.60, 0.90, 0.83], "livejournal": [82.23, 6.19, 5.57, 3.75, 3.44],
        "wikipedia": [52.12, 2.99, 2.83, 1.76, 1.63], "youtube": [11.81, 0.72, 0.66, 0.68, 0.65]}),
    "hits": ("Table 4: HITS", {
        "flickr": [4.97, 0.40, 0.38, 0.23, 0.21], "livejournal": [44.88, 3.82, 3.33, 2.41, 2.24],
        "wikipedia": [39.36, 2.73, 2.45, 1.52, 1.37], "youtube": [4.35, 0.33, 0.30, 0.26, 0.25]}),
    "rwr": ("Table 5: random walk with restart, a query", {
        "flickr": [8.25, 0.59, 0.56, 0.33, 0.29], "livejournal": [36.99, 2.85, 2.60, 1.73, 1.52],
        "wikipedia": [23.23, 1.46, 1.35, 0.71, 0.62], "youtube": [2.32, 0.14, 0.13, 0.14, 0.13]}),
}
# Section 4.1: TILE-Composite over HYB, single precision; the mean of the first three is 1.95.
PVLDB_OVER_HYB = {"flickr": 1.95, "livejournal": 1.95, "wikipedia": 1.95, "webbase": 1.13, "youtube": 1.36}

# K. Li, W. Yang, K. Li, IEEE TPDS 26 (2015), Table 3: estimated against tested, percent, of COO, CSR, ELL; single and double.
TPDS_TABLE_3 = {
    "bbmat": [-6.93, -12.40, 24.59, 18.71, -3.95, -11.34], "Chebyshev4": [-8.32, -12.50, 18.00, -2.80, -15.78, -6.02],
    "twotone": [-25.35, -35.83, -21.62, -10.38, -10.04, -11.52],
    "scircuit": [-38.22, -21.06, -39.05, -27.88, -37.28, -18.82], "PR02R": [-9.75, -12.56, 11.29, 14.85, -7.25, -16.62],
    "pwtk": [-2.93, -5.50, -2.74, 9.78, -11.22, -17.73], "raefsky3": [-9.40, -14.07, -5.92, -2.53, -14.49, -14.10],
    "raefsky5": [28.46, 15.88, -3.40, 34.29, -5.22, -8.40], "rma10": [-6.52, -10.10, 13.78, 14.33, -11.99, -10.46],
    "TSOPF_RS_b300_c3": [-10.69, -13.81, -11.44, -11.34, None, None],
}
TPDS_WITHIN_20 = (47, 58)

# T. Wu and others (2010), Radeon 5870 and Phenom II 965, Table II: milliseconds of a PageRank round on the CPU, of its SpMV by
# the hybrid method on the GPU.
AMD_TABLE_2 = {"su": (16.67, 2.74), "su-ucb": (25.54, 4.74), "wikipedia-20051105": (234.31, 18.08),
               "wikipedia-20070206": (701.54, 43.91), "edu-2001": (289.92, 28.99)}

# "Efficient SpMM using Dynamic-CSR on GPUs", NVIDIA Tesla K20c. Table 2: HYB's bytes; DCSR of 2, 3, 4 segments and CSR as parts of it.
# Table 3: CSR → DCSR and CSR → HYB in units of copying the CSR.
DCSR_TABLES = {
    "amazon-2008": (54e6, [0.924, 1.026, 1.128, 0.77], 1.06, 9.25), "cnr-2000": (47e6, [0.626, 0.679, 0.732, 0.547], 1.04, 13.62),
    "dblp-2010": (12e6, [0.86, 1.052, 1.245, 0.572], 1.17, 16.83), "enron": (4e6, [0.653, 0.762, 0.871, 0.489], 1.29, 26.95),
    "eu-2005": (236e6, [0.675, 0.703, 0.731, 0.633], 1.06, 15.67),
    "flickr-820k": (160e6, [0.546, 0.585, 0.624, 0.487], 1.06, 19.74),
    "hollywood-2009": (859e6, [0.531, 0.541, 0.551, 0.516], 1.01, 20.3),
    "in-2004": (229e6, [0.654, 0.7, 0.746, 0.585], 1.06, 18.15),
    "indochina-2004": (2791e6, [0.571, 0.591, 0.612, 0.541], 1.03, None),
    "internet": (4e6, [0.761, 0.969, 1.177, 0.449], 1.3, 15.12), "kron-18": (171e6, [0.493, 0.505, 0.516, 0.475], 1.0, 20.14),
    "ljjournal-2008": (1152e6, [0.594, 0.63, 0.665, 0.541], 1.02, 19.97),
    "rail4284": (149e6, [0.577, 0.577, 0.577, 0.576], 1.0, 17.97),
    "soc-livejournal1": (1009e6, [0.595, 0.631, 0.668, 0.54], 1.06, 20.41),
    "webbase-1m": (40e6, [0.966, 1.155, 1.344, 0.682], 1.16, 11.56),
    "wikipedia-2005": (276e6, [0.635, 0.68, 0.725, 0.567], 1.07, 20.11),
}
