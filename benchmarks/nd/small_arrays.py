"""Operations on few elements beside NumPy, by turns:  small_arrays.py [ROUNDS]

  PYTHONPATH=build/dev/python TESSERA_DEVICES=cpu build/python/bin/python benchmarks/nd/small_arrays.py

A line per operation: nanoseconds of a call, the least of all rounds, and the median of the rounds' ratios (NumPy's time over ours).
"""

import statistics
import sys
import time

import numpy as np

import tessera as ts


def rows(xp):
    """Names and calls."""
    a, b = xp.asarray([0.0, 1.0, 2.0, 3.0, 4.0]), xp.ones(1024)
    sums = [xp.zeros(1024)]

    def write():
        a[0] = 0

    def accumulate():
        sums[0] += 2 * b
    return {"a + 1": lambda: a + 1, "a + a": lambda: a + a, "a[0]": lambda: a[0], "a[0] = 0": write,
            "x += 2 * y, 1024 elements": accumulate, "float(x.sum()), 5 elements": lambda: float(a.sum()),
            "float(x.sum()), 1024 elements": lambda: float(b.sum()), "sqrt": lambda: xp.sqrt(a), "a[1:3]": lambda: a[1:3],
            "float(a[1])": lambda: float(a[1]), "a.max()": lambda: a.max(), "where": lambda: xp.where(a > 1, a, 0)}


def nanoseconds(call, times=5000):
    begin = time.perf_counter_ns()
    for _ in range(times):
        call()
    return (time.perf_counter_ns() - begin) / times


def main(rounds):
    ours, numpys = rows(ts), rows(np)
    print(f"NumPy {np.__version__}, tessera {ts.__version__} on {ts.default_device()}")
    for name, call in ours.items():
        pairs = [(nanoseconds(numpys[name]), nanoseconds(call)) for _ in range(rounds)]
        least = [min(side) for side in zip(*pairs)]
        ratio = statistics.median(theirs / own for theirs, own in pairs)
        print(f"{name:32}  NumPy {least[0]:6.0f} ns  ours {least[1]:6.0f} ns  ratio {ratio:.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
