"""Means and ratios of what may be missing."""
import math


def geometric_mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else None


def ratio(a, b):
    """a / b, None when one is missing."""
    return a / b if a is not None and b else None
