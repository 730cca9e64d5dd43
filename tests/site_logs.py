#!/usr/bin/env python3
"""The logs of a cluster whose figures are known: site_logs.py DIR SEED.

DIR/logs gets job logs, DIR/levels what --levels takes, and DIR/truth.csv the lines NAME,VALUE in SI units: figures, and
one.LEVEL:BYTES and gap.LEVEL:BYTES for the entries of tables. The figures are drawn by the seed. Windows are summed up, and not
simulated: k pairs that send windows of W messages take what the slowest of three takes, the ranks' own issue, what they
share, and one message's way."""
import os
import random
import sys

folder, draw = sys.argv[1], random.Random(int(sys.argv[2]))
SIZES = [1 << k for k in range(23)]
CORES = draw.choice((32, 48, 56))
SOCKET = CORES // 2
NICS = draw.choice((1, 2, 4))
RATE, MESSAGES = NICS * draw.uniform(13e9, 22e9), NICS * draw.uniform(7e6, 12e6)
MEMORY, CACHE, GAP = SOCKET * draw.uniform(2.5e9, 5e9), draw.choice((8192, 16384, 32768)), draw.uniform(0.18e-6, 0.3e-6)
LEVELS = {
    "socket": (draw.uniform(0.2e-6, 0.3e-6), 1 / draw.uniform(11e9, 14e9), 4096, draw.uniform(0.5e-6, 0.9e-6)),
    "node": (draw.uniform(0.45e-6, 0.7e-6), 1 / draw.uniform(7e9, 9e9), 4096, draw.uniform(0.7e-6, 1.1e-6)),
    "far": (draw.uniform(1.3e-6, 2.2e-6), 1 / draw.uniform(10e9, 12e9), draw.choice((8192, 32768)), draw.uniform(2e-6, 4e-6)),
}


def way(level, n):
    alpha, beta, eager, jump = LEVELS[level]
    return alpha + n * beta + (jump if n > eager else 0)


def gap(level, n):
    return max(GAP if level == "far" else GAP / 2, n * LEVELS[level][1])


def window(level, n, pairs):
    """The time from one message of a pair to its next."""
    shared = max(n / RATE, 1 / MESSAGES) if level == "far" else n / MEMORY if n >= CACHE else 0
    return max(63 * gap(level, n) + way(level, n) + way(level, 4), 64 * pairs * shared) / 64


def noisy(time):
    return time * draw.lognormvariate(0, 0.01) * (draw.uniform(1.15, 1.6) if draw.random() < 0.02 else 1)


def write(name, *texts):
    os.makedirs(os.path.join(folder, "logs"), exist_ok=True)
    with open(os.path.join(folder, "logs", name), "w") as to:
        to.write("Loading openmpi/5.0.3\n  %s\nreal 0m3.1s\nuser\t0m0.1s\n" % "\n".join(texts))


def latency(level):
    return ("# OSU MPI Latency Test v7.3\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n"
            + "".join("%-10d %.2f\n" % (n, 1e6 * noisy(way(level, n))) for n in SIZES))


def rates(level, pairs):
    rows = [(n, pairs / noisy(window(level, n, pairs))) for n in SIZES]
    return ("# OSU MPI Multiple Bandwidth / Message Rate Test v7.3\n# [ pairs: %d ] [ window size: 64 ]\n"
            "# Datatype: MPI_CHAR.\n# Size                  MB/s        Messages/s\n" % pairs
            + "".join("%-10d %.2f %.2f\n" % (n, n * r / 1e6, r) for n, r in rows))


def imb():
    head = ("#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n# MPI_Datatype : MPI_BYTE\n# Benchmarking %s\n# #processes = 2\n"
            "# ( %d additional processes waiting in MPI_Barrier)\n%s\n")
    times = [(n, noisy(way("far", n))) for n in [0] + SIZES]
    bands = [(n, 1 / noisy(window("far", n, 1))) for n in SIZES]
    return (head % ("PingPong", 2 * CORES - 2, "#bytes #repetitions t[usec] Mbytes/sec")
            + "".join("%d 1000 %.2f %.2f\n" % (n, 1e6 * t, n / t / 1e6) for n, t in times)
            + head % ("Uniband", 0, "#bytes #repetitions Mbytes/sec Msg/sec")
            + "".join("%d 1000 %.2f %.0f\n" % (n, n * r / 1e6, r) for n, r in bands))


MPIRUN, SRUN = "$ mpirun -np %d --map-by ppr:%d:node ./%s\n", "+ srun -N %d -n %d --ntasks-per-node=%d%s ./%s\n"
write("pp0.txt", SRUN % (1, 2, 2, " --cpu-bind=map_cpu:0,1", "osu_latency"), latency("socket"))
write("pp1.txt", SRUN % (1, 2, 2, " --cpu-bind=map_cpu:0,%d" % SOCKET, "osu_latency"), latency("node"))
write("pp2.txt", MPIRUN % (2, 1, "osu_latency"), latency("far"))
write("imb.txt", SRUN % (2, 2 * CORES, CORES, "", "IMB-MPI1 PingPong Uniband"), imb())
write("rate-far.txt", *[MPIRUN % (2 * k, k, "osu_mbw_mr") + rates("far", k) for k in (1, 4, SOCKET, CORES)])
write("rate-in.txt", *[SRUN % (1, 2 * k, 2 * k, " -m block:block", "osu_mbw_mr") + rates(level, k)
                       for k, level in ((1, "socket"), (SOCKET // 2, "socket"), (SOCKET, "node"))])
write("reduce.txt", SRUN % (2, 2 * CORES, CORES, "", "osu_reduce"),
      "# OSU MPI Reduce Latency Test v7.3\n# Datatype: MPI_FLOAT.\n# Size Avg Latency(us) Min Latency(us) Max Latency(us) Iterations\n"
      "1024 3.10 0.60 9.50 1000\n")
HEAD = "# Benchmarking %s\n# #processes = %d\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n"
IMB = "#    Intel(R) MPI Benchmarks 2019 Update 6, MPI-1 part\n"
write("multi.txt", SRUN % (2, 4, 2, "", "osu_multi_lat"), "# OSU MPI Multi Latency Test v7.3\n# Size Avg Latency(us)\n"
      + "".join("%d %.2f\n" % (n, 1e6 * max(way("far", n), 2 * n / RATE, 2 / MESSAGES)) for n in SIZES[:12]))
write("rings.txt", SRUN % (4, 4, 1, "", "IMB-MPI1"), IMB + "".join(
    HEAD % (name, 4) + "".join("%d 1000 %.2f %.2f %.2f\n" % (n, *3 * (1e6 * way("far", n),)) for n in SIZES[:12])
    for name in ("Sendrecv", "Exchange")))
with open(os.path.join(folder, "levels"), "w") as to:
    to.write("socket=%d,node=%d\n" % (SOCKET, CORES))
with open(os.path.join(folder, "truth.csv"), "w") as to:
    for name, value in (("nic.rate", RATE), ("nic.messages", MESSAGES), ("memory", MEMORY), ("gap.far", GAP)):
        to.write("%s,%.9g\n" % (name, value))
    for level, (alpha, beta, eager, jump) in LEVELS.items():
        to.write("alpha.%s,%.9g\nbeta.%s,%.9g\neager.%s,%d\njump.%s,%.9g\n" % (level, alpha, level, beta, level, eager, level, jump))
        for n in SIZES:
            to.write("one.%s:%d,%.9g\ngap.%s:%d,%.9g\n" % (level, n, way(level, n), level, n, gap(level, n)))
