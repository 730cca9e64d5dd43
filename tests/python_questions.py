"""Asks the module collsim what the program answers, and looks at how answers show themselves. test_python.sh runs tests by
their names, and scripts of its own: python_questions.py NAME|FILE.py... To start Python and read the module takes longer
than most of them, so one process runs many, and prints "NAME is right" for each that ends without an error.
COLLSIM_PROGRAM names the program."""

import csv
import inspect
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
import traceback
import xml.dom.minidom

import collsim
import processes
from collsim import _options, _program

QUESTIONS = ["crossover", "bound", "regret", "tune", "guidelines", "traffic", "compare", "audit", "learn", "show", "trace", "plot",
             "matrix"]  # fmt: skip
GRID = dict(p=[8, 16], m=[8, "64K"], platform="lumi")


def program(*arguments):
    """Returns what the program itself prints."""
    command = [os.environ["COLLSIM_PROGRAM"], *arguments]
    return subprocess.run(command, capture_output=True, check=False).stdout.decode()


def refused(text, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except collsim.Error as why:
        assert text in str(why) and "\n" not in str(why), why
        return
    raise SystemExit(f"not refused: {text}")


def svg(text):
    assert xml.dom.minidom.parseString(text).documentElement.tagName == "svg"


def numbers(lines):
    """Returns the rows of a CSV, with numbers as such, because Python writes as few digits as it can."""
    return [{k: float(x) if re.match(r"[0-9.]+(e[-+]?[0-9]+)?$", x) else x for k, x in row.items() if k != "schema"}
            for row in csv.DictReader(lines)]  # fmt: skip


def shows():
    """An answer is one line, a table in a notebook, and a picture where a line can be drawn."""
    runs = collsim.run("allreduce", "ring,rabenseifner", p=64, m="8K..64K:x2", platform="lumi")
    one = collsim.decide("bcast", "ompi-4.1", p=8, m=8)
    cross = collsim.crossover("allreduce", "ring", "rabenseifner", p=[8, 9])
    for answer in (runs, runs[:1], one, cross, collsim.Answer()):
        assert "\n" not in repr(answer) and len(repr(answer)) <= 151 and "Answer" in repr(answer), repr(answer)
        page = xml.dom.minidom.parseString(f"<html>{answer._repr_html_()}</html>")
        assert len(page.getElementsByTagName("tr")) == 1 + len(answer), answer
    for row in (runs[0], one[0], cross[0], collsim.ask("run", "bcast", "binomial", p=8, m=8)[0]):
        assert "\n" not in repr(row) and len(repr(row)) <= 200 and repr(row).startswith("Row("), repr(row)
        xml.dom.minidom.parseString(row._repr_html_())
        turned = collsim.Row(dict(reversed(list(row.items()))))
        assert hash(row) == hash(turned) == hash(pickle.loads(pickle.dumps(row))) and row == turned, row
    assert hash(collsim.Row({"a": 1, "b": [1]})) == hash(collsim.Row({"b": [1.0], "a": 1.0}))
    assert len({hash(row) for row in runs}) == len(runs)
    assert "ring" in repr(runs[0]) and "time_s" in runs[0]._repr_html_() and "stuck" not in runs[0]._repr_html_()
    assert pickle.loads(pickle.dumps(runs[0])).terms == runs[0].terms and runs[0].terms
    heads = re.findall("<th>(.*?)</th>", runs._repr_html_())
    assert "time_s" in heads and "stuck" not in heads and "terms" not in heads, heads
    long = collsim.run("bcast", "binomial", p=range(2, 80), m=8)
    assert long._repr_html_().count("<tr>") == 61 and "and 18 more rows" in long._repr_html_()
    wild = collsim.Answer([collsim.Row({"a": "<b>&"})], ["<i>"])
    assert "&lt;b&gt;&amp;" in wild._repr_html_() and "<i>" not in wild._repr_html_()
    svg(runs._repr_svg_())
    svg(runs[:1]._repr_svg_())
    svg(runs[0]._repr_svg_())
    assert "alpha" in runs[0]._repr_svg_() and runs[0]._repr_svg_() == collsim.plot(runs[0], y="shares").svg
    assert one._repr_svg_() is None and cross._repr_svg_() is None and collsim.Answer()._repr_svg_() is None
    assert one[0]._repr_svg_() is None and cross[0]._repr_svg_() is None
    assert collsim.plot(*runs).svg == collsim.plot(runs).svg
    assert all(x in dir(collsim) for x in collsim.__all__)
    assert [x for x in dir(collsim) if not x.startswith("__")] == sorted(collsim.__all__), dir(collsim)


def rows():
    """The rows are those of the program's JSON, and its CSV."""
    for due, got in (
        (("bound", "allreduce", "-p", "8,16", "-m", "8,64K", "--platform", "lumi"), collsim.bound("allreduce", **GRID)),
        (("crossover", "allreduce", "ring", "rabenseifner", "-p", "8"),
         collsim.crossover("allreduce", "ring", "rabenseifner", p=8)),
        (("regret", "ompi-4.1", "bcast", "-p", "8,16", "-m", "8,64K", "--platform", "lumi"),
         collsim.regret("ompi-4.1", "bcast", **GRID)),
        (("guidelines", "ompi-4.1", "-p", "8,16", "-m", "8,64K", "--platform", "lumi"),
         collsim.guidelines("ompi-4.1", **GRID)),
        (("traffic", "allreduce", "ring", "-p", "4x8", "-m", "1K", "--topology", "torus:2,2"),
         collsim.traffic("allreduce", "ring", p="4x8", m="1K", topology="torus:2,2")),
        (("audit", "bcast", "binomial", "--claim", "p*alpha"), collsim.audit("bcast", "binomial", claim="p*alpha")),
        (("audit", "--source", "004", "--collective", "reduce"), collsim.audit("reduce", source="004")),
        (("learn", "ompi-4.1", "bcast", "-p", "2..16:x2", "-m", "8..64K:x8"),
         collsim.learn("ompi-4.1", "bcast", p="2..16:x2", m="8..64K:x8")),
        (("show", "bcast", "pipeline", "-p", "5", "-m", "64", "--param", "segment=16"),
         collsim.show("bcast", "pipeline", p=5, m=64, param={"segment": 16})),
        (("matrix", "bcast", "smp", "-p", "4x8", "-m", "64K"), collsim.matrix("bcast", "smp", p="4x8", m="64K")),
        (("network", "--topology", "torus:4,4"), collsim.ask("network", topology="torus:4,4")),
        (("network", "lumi"), collsim.ask("network", "lumi")),
    ):  # fmt: skip
        sheets = json.loads(program(*due, "-f", "json"))
        assert got.to_rows() == sheets["rows"] and got.to_rows(), due
        assert {k: x.to_rows() for k, x in got.sheets.items()} == {
            k: x for k, x in sheets.items() if isinstance(x, list) and k not in ("rows", "notes")
        }, due
        got.to_csv("module.csv")
        with open("module.csv", encoding="utf-8") as file:
            assert numbers(file) == numbers(program(*due, "-f", "csv").splitlines()), due
        assert got.table() == program(*due, "-f", "table"), due
    row = collsim.crossover("allreduce", "ring", "rabenseifner", p=8)[0]
    assert row.ranks == row["ranks"] == 8 and "ranks" in dir(row) and pickle.loads(pickle.dumps(row)) == row
    for wrong, text in ((lambda: row.rank, "did you mean ranks?"), (lambda: setattr(row, "ranks", 9), "does not change")):
        try:
            wrong()
            raise SystemExit(text)
        except AttributeError as why:
            assert text in str(why), why
    notes = collsim.bound("allreduce", **GRID).notes
    assert any(x.startswith("left out: ") for x in notes), notes


def columns():
    """Rows of run() have every column of the program, under its name, in its order, with its values."""
    asked = ("allreduce", "ring,rabenseifner,recursive_doubling,han")
    for more in (GRID, dict(p="4x16", m=[64, "64K"], platform="leonardo", set={"alpha": "2us", "beta": "x0.5"}),
                 dict(p="4x16", m="64K", platform="archer2"), dict(p=16, m=64, platform="loggopsim", model="loggops", set={"gamma": "1ns/B"}),
                 dict(p=16, m=64, platform="lumi", arrival="random:20us:1", seeds=5)):  # fmt: skip
        ours, theirs = collsim.run(*asked, element=8, **more), collsim.ask("run", *asked, element=8, **more)
        assert len(ours) == len(theirs) > 0
        ours = [x for x in ours if x.ranking or x.ran]  # the program leaves out what cannot run
        skewed = {"arrival", "noise", "seed_runs", "judged_by", "shown_run", "mean_after_s", "seeds_min_s", "seeds_max_s"}
        for x, y in zip(ours, theirs):
            due = [name for name in y if name not in skewed]
            assert [name for name in x if name in due] == due or "arrival" in more, (list(x), due)
            for name in due:
                mine = x[name]
                # The program has the fallback's time in time_s, which Python keeps apart.
                fallback = name in ("time_s", "x_bound", "after_s") and x.ran is not None
                assert mine == y[name] or ((mine in (None, "") or mine != mine) and (y[name] is None or fallback)), name
            paid = {(t.name, t.count) for t in x.terms if t.count}
            assert paid == {(t.name, t.count) for t in y.terms}, (x, y)
            value = {t.name: t.value_s for t in y.terms}
            assert all(abs(t.value_s / value[t.name] - 1) < 1e-12 for t in x.terms if t.count and value[t.name] == value[t.name])
        assert {x.x_best for x in ours if x.ranking == 1} == {1}
    counted = collsim.run("allgatherv", "ring", p=4, m=64, counts="linear", displs="gaps")[0]
    assert (counted.counts, counted.displs, counted.time_is) == ("linear", "gaps", "predicted"), counted
    late = collsim.run("bcast", "binomial", p=8, m=8, arrival="random:20us:1", seeds=3)[0]
    assert late.mean_end_s == late.end_mean_s > 0 and late.median_s == late.seeds_median_s and late.p99_s == late["seeds_p99_s"]
    told = collsim.decide("bcast", "ompi-4.1", p=8, m=8)[0]
    assert (told.id, told.text, told.missing) == (told.library_id, told.decided, None), told
    assert isinstance(told, collsim.Decision) and isinstance(late, collsim.Run) and collsim.Run is collsim.Row
    mixed = collsim.run("bcast", "binomial", p=8, m=8, platform="lumi", model="hockney")
    mixed = collsim.Answer([*mixed, *collsim.run("bcast", "binomial", p=8, m=8, platform="loggopsim", model="loggops")])
    assert mixed._names().index("L_count") > mixed._names().index("alpha_count"), mixed._names()
    refused("p is missing", collsim.run, "bcast", m=8)
    refused("m is missing", collsim.best, "bcast", p=8)
    best = [x for x in collsim.best("bcast", p=12, m="1M", top=3) if x.ranking]
    bound = collsim.bound("bcast", p=12, m="1M")[0].bound_s
    assert [x.ranking for x in best] == [1, 2, 3] and best[2].x_best == best[2].time_s / best[0].time_s > 1
    for x in best:
        assert abs(x.x_bound * bound / x.time_s - 1) < 1e-12, (x, bound)
    there = dict(p=10, m="4K", map="block:4", root=9, platform="lumi")
    best, usual = collsim.best("gather", **there)[0], collsim.rank("gather", "all", **there)[0]
    assert best.root == 9 and best.time_s <= usual.time_s, (best, usual)
    refused("allowed: 0 .. p-1", collsim.best, "gather", **{**there, "root": "all"})


def logs():
    """compare finds the algorithm whose times a log has."""
    with open("log.txt", "w", encoding="utf-8") as file:
        file.write("# OSU MPI Broadcast Latency Test v7.0\n# Size       Avg Latency(us)\n")
        for run in collsim.run("bcast", "binomial", p=8, m="8..1M:x4", platform="lumi"):
            file.write(f"{run.bytes} {run.time_s * 1e6:.3f}\n")
    answer = collsim.compare("bcast=log.txt", p=8, platform="lumi")
    assert answer[0].nearest == answer.sheets["candidates"][0].candidate == "binomial", answer[0]
    assert collsim.compare("bcast=log.txt", p=8, platform="lumi", points=True).sheets["points"]
    figures = collsim.ask("calibrate", "bcast:binomial:8=log.txt")
    assert figures.to_rows() == json.loads(program("calibrate", "bcast:binomial:8=log.txt", "-f", "json"))["rows"] and len(figures)


def pictures():
    """Pictures are SVG for notebooks, and are saved as the program draws them."""
    runs = collsim.run("bcast", "binomial,pipeline", p=64, m="8..1M:x8", platform="lumi")
    runs.to_csv("runs.csv")
    for data, only in ((runs, None), ("runs.csv", ["binomial", "pipeline"])):
        picture = collsim.plot(data, title="A title", only=only)
        svg(picture._repr_svg_())
        assert "A title" in picture.svg and "\n" not in repr(picture)
    chain = collsim.run("bcast", "chain", p=64, m="8..1M:x8", platform="lumi")
    collsim.plot(runs, chain, y="bandwidth").save("two.png")
    with open("two.png", "rb") as file:
        assert file.read(4) == b"\x89PNG"
    answers = [
        collsim.matrix("bcast", "smp", p="4x8", m="64K"), collsim.regret("ompi-4.1", "bcast", draw=True, **GRID),
        collsim.bound("bcast", p=8, m="8..1M:x8", draw=True),
        collsim.traffic("bcast", "binomial", p=16, m=8, topology="torus:4,4", draw=True),
    ]  # fmt: skip
    for answer in answers:
        svg(answer._repr_svg_())
        assert len(answer)
    program("matrix", "bcast", "smp", "-p", "4x8", "-m", "64K", "--draw", "due.svg")
    answers[0].picture.save("got.svg")
    with open("due.svg", encoding="utf-8") as due, open("got.svg", encoding="utf-8") as got:
        assert due.read() == got.read()
    assert collsim.matrix("bcast", "smp", p="4x8", m="64K", draw=False).picture is None
    trace = collsim.trace("allreduce", "ring", p=4, m=8, ranks="0..1", from_=0)
    svg(trace.svg)
    assert "2 ranks" in trace.notes[0] and "4 ranks" in trace.notes[0], trace.notes
    trace.save("trace.json")
    with open("trace.json", encoding="utf-8") as file:
        assert json.load(file)
    refused("file is 'trace.png'; allowed: names that end in .svg, .json", trace.save, "trace.png")
    refused("plot() has no option 'titel', did you mean title?", collsim.plot, runs, titel="x")
    refused("plot has no data", collsim.plot)


def settings():
    """tune makes the files that the program writes."""
    one = collsim.tune("ompi-4.1", "bcast", p=[4, 8], m=[8, "4K"], platform="lumi")
    due = program("tune", "ompi-4.1", "bcast", "-p", "4,8", "-m", "8,4K", "--platform", "lumi")
    assert str(one) == due and len(one.files) == 1
    one.save("rules.conf")
    with open("rules.conf", encoding="utf-8") as file:
        assert file.read() == str(one)
    two = collsim.tune("mpich-4.3", "bcast", p="4x4", m=8, platform="lumi")
    assert sorted(two.files) == ["ch4.json", "mpir.json"] and any("PATH/ch4.json" in x for x in two.notes), two.notes
    two.save("folder")
    program("tune", "mpich-4.3", "bcast", "-p", "4x4", "-m", "8", "--platform", "lumi", "-o", "due")
    for name in two.files:
        with open(f"folder/{name}", encoding="utf-8") as got, open(f"due/{name}", encoding="utf-8") as due:
            assert got.read() == due.read().replace(os.path.abspath("due"), os.path.abspath("folder")), name
    assert collsim.tune("ompi-4.1", "bcast", p=8, m=8, format="c", prefix="mine").files[""].count("mine_algorithm")


def machines():
    """A Platform is the same machine for the program, with its network."""
    lumi = collsim.Platform("lumi", set={"alpha": "x0.5"})
    ask = dict(p=8, m=[8, "64K"])
    half = [x.time_s for x in collsim.bound("bcast", platform="lumi", set={"alpha": "x0.5"}, **ask)]
    assert [x.time_s for x in collsim.bound("bcast", platform=lumi, **ask)] == half
    assert [x.time_s for x in collsim.bound("bcast", platform=collsim.Platform.parse("a b", lumi.text()), **ask)] == half
    assert half[0] < collsim.bound("bcast", platform="lumi", **ask)[0].time_s
    assert collsim.bound("bcast", platform=lumi, set={"alpha": "1s"}, **ask)[0].time_s > 1
    with open("ring.ini", "w", encoding="utf-8") as file:
        file.write("[hockney]\nalpha = 1us\nalpha.source = test\nbeta = 1ns/B\nbeta.source = test\ngamma = 1ns/B\n")
        file.write("gamma.source = test\n[topology]\nkind = torus\nshape = 8\nshape.source = test\n")
    with open("ring.ini", encoding="utf-8") as file:
        ring = collsim.Platform.parse("ring", file.read())
    named = collsim.traffic("allreduce", "recursive_doubling", p=8, m=1000, platform="./ring.ini").to_rows()
    assert collsim.traffic("allreduce", "recursive_doubling", p=8, m=1000, platform=ring).to_rows() == named
    assert named[0]["topology"] == "torus 8" and named[0]["platform"] == "ring", named


def options():
    """Each option of the program has a type and a meaning here, and is checked by its name."""
    for name in QUESTIONS:
        given = set(inspect.signature(getattr(collsim, name)).parameters)
        typed = set(getattr(_options, name.capitalize() + "Options").__annotations__)
        own = {x[:-1] if x.endswith("_") else x for x in typed} | ({"collective"} if name == "audit" else set())
        due = set(_program.options(name)) - (set() if name == "tune" else {"format"})
        assert own == due, (name, own ^ due)
        assert typed <= given, (name, typed - given)
    order = list(_options._meanings())
    assert len(order) == len(set(order))
    for name in [*QUESTIONS, "run", "rank", "best", "decide"]:
        function = getattr(collsim, name)
        assert function.__module__ == "collsim" and "OPTIONS" not in function.__doc__, name
        assert name == "rank" or "Raises Error" in function.__doc__, name
        for option in getattr(_options, ("run" if name == "rank" else name).capitalize() + "Options").__annotations__:
            assert name == "rank" or re.search(rf"^    {option} ", function.__doc__, re.M), (name, option)
        refused(f"{name}() has no option 'platfrom'", function, "bcast", "ring", platfrom="lumi")
    refused("did you mean element? allowed: ", collsim.run, "bcast", p=8, m=8, elment=8)
    refused("network() has no option 'topologie', did you mean topology?", collsim.ask, "network", topologie="x")
    refused("best is 1; allowed: True or False", collsim.crossover, "bcast", "chain", "binomial", p=8, best=1)


def errors():
    """The program's one line is the error's, and no program is one too."""
    refused("unknown platform 'lumy', did you mean lumi?", collsim.bound, "bcast", p=8, m=8, platform="lumy")
    refused("unknown command 'boundd'", collsim.ask, "boundd")
    refused("allowed: a command of the program collsim", collsim.ask, "--version")
    refused("has no rows to ask for", collsim.ask, "plot", "x.csv")
    refused("has no rows to ask for", collsim.ask, "bound", "bcast", p=8, m=8, format="csv")
    refused("allowed", collsim.bound, "--help", p=8, m=8)
    refused("allowed", collsim.bound, "bcast", p="--help", m=8)
    refused("this answer has no table", collsim.run("bcast", "binomial", p=8, m=8).table)
    refused("cannot be run with these arguments", collsim.bound, "bcast", p=["1" * 8] * 9999, m=["1" * 15] * 9999)
    os.environ["COLLSIM_PROGRAM"] = "/bin/echo"
    refused("'/bin/echo' is not collsim", collsim.bound, "bcast", p=8, m=8)
    os.environ["COLLSIM_PROGRAM"] = "/nowhere"
    refused("'/nowhere' cannot be run", collsim.bound, "bcast", p=8, m=8)
    assert collsim.run("bcast", "binomial", p=8, m=8)[0].time_s > 0  # which needs no program
    assert collsim.run("bcast", "binomial", p=8, m=[8, 64])._repr_svg_() is None


def stops():
    """Ctrl-C ends the program too."""
    code = "import collsim; print('begun', flush=True); collsim.regret('ompi-4.1', p='64..4K:x2', m='8..16M:x2', of_all=True)"
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    child.stdout.readline()
    below = []
    while not any(map(processes.used, below)):  # until the program has run for a while, and the module waits for it
        time.sleep(0.01)
        below = processes.children(child.pid)
    child.send_signal(signal.SIGINT)
    errors = child.communicate()[1]
    assert b"KeyboardInterrupt" in errors, errors
    while any(os.path.exists(f"/proc/{pid}") for pid in below):  # a program that does not end is stopped with this test
        time.sleep(0.01)


def ended():
    """A process that has ended is no error for what reads /proc, also where it ends between two lines of a test."""
    child = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    while processes.words(child.pid) != ["cat"]:
        time.sleep(0.01)
    assert str(child.pid) in processes.children(os.getpid())
    opened = open
    processes.open = lambda *arguments, **named: (opened(*arguments, **named), child.stdin.close(), child.wait())[0]
    assert processes.used(child.pid) == 0 and child.returncode == 0  # it ended when its file was open
    del processes.open
    assert processes.used(child.pid) == 0 and processes.children(child.pid) == [] and processes.words(child.pid) == []


def stops_library():
    """Ctrl-C ends a long list of the library, which runs no further point; then the module works as before."""
    code = """
import collsim, os, signal, sys, threading, time
from collsim import _native
asked, told = [], []
native = _native.call
def call(name, *arguments):  # what the thread that waits for the library is told
    asked.append(name)
    try:
        return native(name, *arguments)
    except collsim.Error as error:
        told.append(error.code)
        raise
_native.call = call
def press():
    while "predict" not in asked:
        pass
    time.sleep(0.2 if sys.argv[1:] else 0)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press).start()
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT} if sys.argv[1:] else {})
try:
    collsim.run("allreduce", p="6001..6400", m=[8, "1M"], platform="lumi")
    print("it ran to its end")
except KeyboardInterrupt:
    print(*told, len(collsim.run("bcast", "binomial", p=8, m=8)))
"""
    # Where the waiting thread blocks the signal, it arrives without ending that thread's wait. So does one that comes just
    # before the wait begins.
    for blocked in [], ["blocked"]:
        done = subprocess.run([sys.executable, "-c", code, *blocked], capture_output=True, check=False)
        # The call failed with COLLSIM_STOPPED, so some points did not run, and a further question has its run.
        assert done.stdout == b"5 1\n" and done.returncode == 0, done


def parallel():
    """A long list leaves Python's lock to other threads, and takes as many threads as there are cores."""
    ended, most, turns = threading.Event(), [0], [0]

    def count():
        while not ended.is_set():
            turns[0] += 1
            if turns[0] % 100 == 0:
                most[0] = max(most[0], len(os.listdir("/proc/self/task")))

    other = threading.Thread(target=count)
    other.start()
    # The main thread, the one that counts, the one that waits for the library, and those of the library.
    cores, during = len(os.sched_getaffinity(0)), 0
    for _ in range(100):  # on a busy machine the thread that counts may not get its turn during one list
        before = turns[0]
        collsim.run("allreduce", "ring,rabenseifner,recursive_doubling", p="2001..2020", m=[8, "1M"], platform="lumi")
        during = max(during, turns[0] - before)
        if during > 1000 and (cores == 1 or most[0] >= 3 + cores):
            break
    ended.set()
    other.join()
    assert during > 1000, during
    assert cores == 1 or most[0] >= 3 + cores, (most, cores)


for test in sys.argv[1:]:
    try:
        if test.endswith(".py"):
            with open(test, encoding="utf-8") as script:
                exec(compile(script.read(), test, "exec"), {"__name__": "__main__"})
        else:
            globals()[test]()
        print(f"{test} is right", flush=True)
    except BaseException:  # a test that ends the process, too
        print(f"{test} failed:", flush=True)
        traceback.print_exc(file=sys.stdout)
