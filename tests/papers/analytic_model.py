"""The analytic model of SpMV, written from the text of the paper alone: no line of cuGrB's own version is used.

K. Li, W. Yang, K. Li, "Performance Analysis and Optimization for SpMV on GPU Using Probabilistic Modeling", IEEE TPDS
26(1), 2015. Names and equation numbers are the paper's. Where its text leaves room, it is read as src/selector/analytic.h
says: brackets of Eq. 28, 46 and 49 are ceilings, K - BS is never negative, Eq. 24 counts N elements of either vector.
"""
import bisect
import dataclasses
import math


@dataclasses.dataclass
class Parameters:
    """Table 1."""
    B: float
    F: float    # F_s, F_d or F_i, by the values
    F_i: float
    BW: int     # bytes
    CR: float
    C: float
    S: int      # S_s, S_d, or the size of an integer value
    W: int = 32
    BS: int = 256
    S_i: int = 4


class Lengths:
    """X of section 4.1: {length: rows}."""

    def __init__(self, histogram):
        self.lengths = sorted(length for length, rows in histogram.items() if rows)
        self.rows, self.entries, n, nnz = [], [], 0, 0  # N P(X <= length), NNZ(X <= length)
        for length in self.lengths:
            n += histogram[length]
            nnz += length * histogram[length]
            self.rows.append(n)
            self.entries.append(nnz)
        self.N, self.NNZ = n, nnz
        self.N_e = n - histogram.get(0, 0)  # P(X > 0) N
        self.longest = self.lengths[-1] if self.lengths else 0

    def E(self):
        return self.NNZ / self.N  # Eq. 6, 12

    def up_to(self, K):
        """N P(X <= K) and NNZ(X <= K): Eq. 2, 13."""
        n = bisect.bisect_right(self.lengths, K)
        return (self.rows[n - 1], self.entries[n - 1]) if n else (0, 0)

    def fractile(self, i, W):
        """The least length a with P(X <= a) >= i / W: Eq. 11."""
        for length, rows in zip(self.lengths, self.rows):
            if rows * W >= i * self.N:
                return length
        raise ValueError(f"fractile {i} of {W}")

    def E_Q(self, W, break_points):
        """Eq. 32: of W fractiles, the last being the longest row, or of the W - 1 break points before it."""
        Q = [self.fractile(i, W) for i in range(1, W if break_points else W + 1)]
        return sum(Q) / len(Q)


@dataclasses.dataclass
class Estimate:
    storage: float
    DTT: float
    AM: float
    CTC_m: float
    CTC_a: float

    def CT(self):
        return self.AM + self.CTC_m + self.CTC_a

    def T(self):
        return self.DTT + self.CT()  # Eq. 21


def coo(X, p):
    storage = p.S * X.NNZ + 2 * p.S_i * X.NNZ                                             # Eq. 15
    return Estimate(storage, (storage + 2 * p.S * X.N) / p.B,                             # Eq. 24
                    X.NNZ / p.C * (2 * p.S_i / (p.CR * p.S_i) + 2 * p.S / (p.CR * p.S)),  # Eq. 26
                    X.NNZ / (p.C * p.F),                                                  # Eq. 27
                    X.N * p.W / p.C * math.ceil(X.E() / p.W) / p.F)                       # Eq. 28


def csr(X, p, break_points=False):
    storage = p.S * X.NNZ + p.S_i * X.NNZ + p.S_i * (X.N + 1)                             # Eq. 16
    E_Q = X.E_Q(p.W, break_points)
    arrays = (math.ceil(p.S * E_Q / p.BW) + math.ceil(p.S_i * E_Q / p.BW)) / p.CR
    return Estimate(storage, (storage + 2 * p.S * X.N) / p.B,                             # Eq. 30
                    X.N / p.C * (arrays + 1 / p.CR + 1 / p.CR + E_Q / p.CR),              # Eq. 35
                    X.N / p.C * E_Q / p.F,                                                # Eq. 33
                    X.N / p.C * (E_Q / p.F + E_Q / p.F_i))                                # Eq. 34


def ell(X, p, break_points=False):
    K = X.longest
    storage = p.S * X.N_e * K + p.S_i * X.N_e * K + p.S_i * X.N_e                         # Eq. 18
    E_Q = X.E_Q(p.W, break_points)
    arrays = (math.ceil(p.S_i * K / p.BW) + math.ceil(p.S * K / p.BW)) / p.CR
    return Estimate(storage, (storage + 2 * p.S * X.N) / p.B,                             # Eq. 37
                    X.N_e / p.C * (arrays + max(0, K - p.BS) / p.CR + 2 / p.CR),          # Eq. 39
                    X.N_e / p.C * E_Q / p.F,                                              # Eq. 40
                    X.N_e / p.C * E_Q / p.F)                                              # Eq. 41


def hyb(X, K, p):
    rows, entries = X.up_to(K)
    above, beyond = X.N - rows, X.NNZ - entries - K * (X.N - rows)                        # Eq. 3, 14, 19
    storage = beyond * (p.S + 2 * p.S_i) + X.N_e * K * (p.S + p.S_i) + p.S_i * X.N_e      # Eq. 20
    e = Estimate(storage, (storage + 2 * p.S * X.N) / p.B,                                # Eq. 43
                 beyond / p.C * 4 / p.CR, beyond / p.C / p.F, 0)                          # Eq. 46
    if above:
        mean = (X.NNZ - entries) / above                                                  # Eq. 8
        e.CTC_a += above * p.W / p.C * math.ceil((mean - K) / p.W) / p.F                  # Eq. 46
    arrays = (math.ceil(p.S_i * K / p.BW) + math.ceil(p.S * K / p.BW)) / p.CR
    vector = math.ceil(p.S * max(0, K - p.BS) / p.BW) / p.CR
    e.AM += X.N_e / p.C * (arrays + vector + 2 / p.CR)                                    # Eq. 47
    mean = entries / rows if rows else 0                                                  # Eq. 7
    e.CTC_m += X.N_e / p.C * mean / p.F
    e.CTC_a += X.N_e / p.C * mean / p.F
    return e


def best_hyb(X, p, time):
    """Algorithm 2: (K, time) of the least time over all K from E(X) to the longest row, all of them tried."""
    return min((time(hyb(X, K, p)), K) for K in range(math.ceil(X.E()), X.longest + 1))[::-1]


def choice(X, p, time, break_points=False):
    """Algorithm 1."""
    estimates = {"COO": coo(X, p), "CSR": csr(X, p, break_points), "ELL": ell(X, p, break_points)}
    return min(estimates, key=lambda name: time(estimates[name]))
