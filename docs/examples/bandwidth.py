#!/usr/bin/env python3
"""Draws the second picture of a survey of allreduce: the bandwidths of five algorithms at 32 KB on 2 to 64 ranks.

    docs/examples/bandwidth.py [FOLDER]

Expect peaks of halving and doubling (rabenseifner) at powers of two, and binary blocks between them;
the page 001 of `make experiments` says more. The script writes bandwidth.csv and bandwidth.svg. It draws with matplotlib if that is
installed, and otherwise with `collsim plot`, which needs gnuplot; COLLSIM names the program.
"""

import os
import subprocess
import sys

import collsim

ALGORITHMS = ["recursive_doubling", "ring", "rabenseifner", "binary_blocks", "reduce_bcast"]


def draw(runs, file):
    from matplotlib import pyplot  # not needed before

    figure, axes = pyplot.subplots(figsize=(9, 5))
    for name in ALGORITHMS:
        line = [run for run in runs if run.algorithm == name and run.ran is None]
        axes.plot([run.ranks for run in line], [run.bytes / run.time_s / 1e6 for run in line], label=name)
    axes.set_xscale("log", base=2)
    axes.set(xlabel="ranks", ylabel="bandwidth (MB/s)", title="allreduce of 32 KiB, generic-100g")
    axes.legend()
    figure.savefig(file)


def plot(table, file):
    program = os.environ.get("COLLSIM", "collsim")
    try:
        subprocess.run([program, "plot", table, "--x", "p", "--y", "bandwidth", "-o", file], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"{file} is not drawn: {error}; allowed: with matplotlib, or with collsim and gnuplot")


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else "."
    table, picture = os.path.join(folder, "bandwidth.csv"), os.path.join(folder, "bandwidth.svg")
    runs = collsim.run("allreduce", ALGORITHMS, p=range(2, 65), m="32K", element=8)
    runs.to_csv(table)
    try:
        draw(runs, picture)
    except ImportError:
        plot(table, picture)
    for p in (48, 64):
        fastest = min((run for run in runs if run.ranks == p and run.ran is None), key=lambda run: run.time_s)
        print(f"{p} ranks: {fastest.algorithm} is the fastest, {fastest.bytes / fastest.time_s / 1e6:.0f} MB/s")


if __name__ == "__main__":
    main()
