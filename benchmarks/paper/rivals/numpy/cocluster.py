#!/usr/bin/env python3
"""Co-clustering by information divergence as CGC does it with NumPy: the rival of examples/cocluster/cocluster.cu.

  cocluster.py ROWS COLUMNS ITERATIONS   prints the seconds per iteration (the best of three runs; one beyond 10 GB) and the final error

The matrix is the one of kernels/block_element.h, clusters begin as in the other programs.
"""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

SEED, ROW_CLUSTERS, COLUMN_CLUSTERS, EPSILON, WHOLE = 11, 8, 6, 1e-8, 0.5


def numbers(places, seed):
    """benchmarks/kernels/number.h for an array of places."""
    i = places.astype(np.uint64)
    h = i.astype(np.uint32) * np.uint32(2654435761) + (i >> np.uint64(32)).astype(np.uint32) * np.uint32(2246822519)
    h += np.uint32((seed * 3266489917) & 0xFFFFFFFF)
    h = (h ^ (h >> np.uint32(15))) * np.uint32(2246822519)
    h = (h ^ (h >> np.uint32(13))) * np.uint32(3266489917)
    h ^= h >> np.uint32(16)
    return (h >> np.uint32(8)).astype(np.float32) / np.float32(16777216.0)


def matrix(rows, columns):
    r = (numbers(np.arange(rows), SEED + 5) * np.float32(8)).astype(np.int64)
    c = (numbers(np.arange(columns), SEED + 6) * np.float32(6)).astype(np.int64)
    blocks = [numbers(6 * k + c, SEED + 7) for k in range(ROW_CLUSTERS)]
    z = np.empty((rows, columns), np.float32)

    def fill(i):  # row by row: places take eight bytes each
        places = np.arange(i * columns, (i + 1) * columns, dtype=np.uint64)
        z[i] = np.float32(0.75) * blocks[r[i]] + np.float32(0.25) * numbers(places, SEED)

    with ThreadPoolExecutor() as threads:
        for _ in threads.map(fill, range(rows), chunksize=64):
            pass
    return z


def first_clusters(count, seed, clusters):
    labels = (numbers(np.arange(count), seed) * np.float32(clusters)).astype(np.int64)
    return np.minimum(labels, clusters - 1)


def cocluster(z, rows, columns, iterations):
    """What it costs in the end; `rows` and `columns` are the labels to begin with."""
    one_row, one_column = np.eye(ROW_CLUSTERS, dtype=np.float32), np.eye(COLUMN_CLUSTERS, dtype=np.float32)
    error = 0.0
    for _ in range(iterations):
        r, c = one_row[rows], one_column[columns]
        elements = np.outer(r.sum(0, dtype=np.float64), c.sum(0, dtype=np.float64))
        averages = (r.T.astype(np.float64) @ (z @ c) + WHOLE * EPSILON) / (elements + EPSILON)
        averages = averages.astype(np.float32) + np.float32(EPSILON)
        costs = c.sum(0) @ averages.T - (z @ c) @ np.log(averages).T
        rows = costs.argmin(1)
        r = one_row[rows]
        costs = r.sum(0) @ averages - (z.T @ r) @ np.log(averages)
        columns = costs.argmin(1)
        error = float(costs.min(1).sum(dtype=np.float64))
    return error


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    row_count, column_count, iterations = map(int, sys.argv[1:])
    z = matrix(row_count, column_count)
    rows = first_clusters(row_count, SEED + 1, ROW_CLUSTERS)
    columns = first_clusters(column_count, SEED + 2, COLUMN_CLUSTERS)
    best, error = float("inf"), 0.0
    for _ in range(3 if z.nbytes < 10e9 else 1):
        begin = time.perf_counter()
        error = cocluster(z, rows, columns, iterations)
        best = min(best, time.perf_counter() - begin)
    print(best / iterations, error)


if __name__ == "__main__":
    main()
