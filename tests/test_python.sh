#!/bin/sh
# The Python module: the examples of docs/PYTHON.md, absurd arguments, the example that draws a figure, and the module where
# `make install` and pip put it.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
build=$(dirname "$COLLSIM")
unset PYTHONPATH COLLSIM_LIBRARY MAKEFLAGS MAKELEVEL
# The module is compiled once, to a folder of the test's own.
export LC_ALL=C.UTF-8 PYTHONPYCACHEPREFIX="$dir/.bytecode"

if [ "${SANITIZED-}" ]; then # Python would need the sanitizer too; test_library.c and fuzz/interface.c are sanitized
    echo "1..0 # SKIP sanitized"
    exit
fi
python3=$(interpreter ctypes doctest)
if [ -z "$python3" ]; then
    echo "1..0 # SKIP python3 (3.8 or later) is missing"
    exit
fi

python() { "$python3" "$@" >out 2>err && [ ! -s err ]; }
tree() { PYTHONPATH=$root/sim/library/python COLLSIM_LIBRARY=$build/libcollsim.so.0 python "$@"; }
ok 'the examples of docs/PYTHON.md' tree -m doctest -o ELLIPSIS "$root/docs/PYTHON.md"
ok 'absurd arguments' tree "$root/tests/python_fuzz.py"
reference() { tree -m pydoc collsim && says out 'collective       "allreduce"'; }
ok 'pydoc prints the reference' reference
echo 'import sys, collsim; assert not {"numpy", "pandas", "matplotlib"} & set(sys.modules)' >small.py

cat >file.py <<'PY'
import collsim
for algorithms, param in (("./mine.c", None), ("reduce_bcast", {"bcast": "./mine.so"})):
    try:
        collsim.run("allreduce", algorithms, p=8, m=64, param=param)
        raise SystemExit("a file was loaded")
    except collsim.Error as why:
        assert "algorithms of files are not loaded here" in str(why), why
PY

# What a type checker sees: the module without a fault, the rows of an answer, and a caller's mistakes.
if command -v mypy >/dev/null; then
    cat >typed.py <<'PY'
import collsim

reveal_type(collsim.run("bcast", p=8, m=8)[0])
reveal_type(collsim.crossover("bcast", "chain", "binomial", p=8)[0])
collsim.run("bcast", p=8, m=8, elment=3)
collsim.best("bcast", p=8, m=8, top="three")
collsim.rank("bcast", m=8)
reveal_type(collsim.best("bcast", p=8, m=8)[0].time_s)
PY
    # One run reads both, since to start it takes most of its time.
    MYPYPATH=$root/sim/library/python mypy --cache-dir="$dir/mypy" --enable-incomplete-feature=Unpack --strict "$root/sim/library/python/collsim" typed.py >out 2>err
    module() { [ ! -s err ] && grep -q '^Found .* (checked [0-9]* source files)$' out && ! grep -v '^typed.py:' out | grep -q error:; }
    ok 'types: the module' module
    wrong() { [ "$(grep -c 'is "collsim._row.Row"' out)" = 2 ] && grep -q ':8: .*"builtins.float"' out &&
        grep -q ':5: .*"elment"' out && grep -q ':6: .*"top"' out && grep -q ':7: .*"p"' out && [ "$(grep -c '^typed.py:.*error:' out)" = 3 ]; }
    ok 'types: rows, and mistakes of a caller' wrong
else
    echo "ok $((n = n + 1)) - types # SKIP mypy is missing"
fi

# How sure a gain against a library's default is, as the program says it.
c best allreduce -p 48 -m 120,128 --element 8 --only ompi-4.1 --top 3 --platform lumi -f csv && cp out sure.csv
cat >sure.py <<'PY'
import collsim, csv, math
names = ("time_s", "default_s", "saves_low", "saves_high", "sure")
due = [[row[n] for n in names] for row in csv.DictReader(open("sure.csv")) if row["ranking"]]
answer = collsim.best("allreduce", p=48, m=[120, 128], element=8, only="ompi-4.1", top=3, platform="lumi")
got = [[getattr(x, n) for n in names] for x in answer if x.ranking]
assert len(got) == len(due) == 6, got
for one, two in zip(got, due):
    assert ["" if math.isnan(v) else "%.17g" % v for v in one] == two, (one, two)
assert sum(x.sure > 0.99 for x in answer) >= 1, got
assert all(math.isnan(x.sure) for x in collsim.run("allreduce", "ring", p=48, m=8192)), "nothing is compared"
PY

# What the search for the best passes over, and how near the bound it ends, as the program does it.
c best allreduce -p 96 -m 16K --element 8 --platform lumi --without grid,hybrid_overlap,reduce/hybrid -f csv && cp out without.csv
cat >search.py <<'PY'
import collsim, csv
ask = dict(p=96, m="16K", element=8, platform="lumi", top=5)
due = [row["time_s"] for row in csv.DictReader(open("without.csv")) if row["ranking"]]
for without in ("grid,hybrid_overlap,reduce/hybrid", ["grid", "hybrid_overlap", "reduce/hybrid"]):
    answer = collsim.best("allreduce", without=without, **ask)
    assert ["%.17g" % x.time_s for x in answer if x.ranking] == due, answer
    assert "left out: grid,hybrid_overlap,reduce/hybrid (without)" in answer.notes, answer.notes
assert collsim.best("allreduce", **ask)[0].time_s < float(due[0])
some, every = (collsim.best("bcast", p=64, m=8, top=1000, within=share) for share in ("1%", None))
assert len(some) < len(every) and some[0].time_s <= 1.01 * every[0].time_s
try:
    collsim.best("allreduce", within=5, **ask)
    raise SystemExit("a share without %")
except collsim.Error as why:
    assert "within '5'; allowed: at least 0% and below 100%, such as 5%" in str(why), why
PY

# The times of the program.
c run allreduce all -p 4x8,13 -m 8,64K --element 8 --platform lumi -f csv && cp out program.csv
cat >same.py <<'PY'
import csv, collsim
runs = collsim.run("allreduce", p=["4x8", 13], m="8,64K", element=8, platform="lumi")
rows = list(csv.DictReader(open("program.csv")))
runs.to_csv("module.csv")
rows2 = list(csv.DictReader(open("module.csv")))
same = [k for k in rows2[0] if k in rows[0] and k not in ("time_s", "x_best", "x_bound")]
assert set(rows[0]) - set(rows2[0]) == {"schema"} and len(rows) == len(rows2)
# Python writes a number that is not an integer with fewer digits.
def equal(k, one, two):
    return one == two or (k.endswith(("_s", "_per_byte")) and "" not in (one, two) and float(one) == float(two))
key = lambda row: (row["algorithm"], row["params"], row["ranks"], row["bytes"])
for x, y in zip(sorted(rows, key=key), sorted(rows2, key=key)):
    assert all(equal(k, x[k], y[k]) for k in same), (x, y)
    for k in ("x_best", "x_bound"):  # which the program has of a fallback's time too
        assert (y[k] == "") if x["ran"] or not x[k] else float(x[k]) == float(y[k]), (k, x, y)
    own, other = ("ran_time_s", "time_s") if x["ran"] else ("time_s", "ran_time_s")
    assert y[other] == "" and (x["time_s"] or "nan") == (y[own] or "nan") or float(x["time_s"]) == float(y[own]), (x, y)
assert any(y["ran"] for y in rows2) and any(y["time_s"] for y in rows2)
PY
# A network whose links have rates: the module has its options and terms, and says what it assumes.
{
    printf '[hockney]\nalpha = 1us\nalpha.source = test\nbeta = 1ns/B\nbeta.source = test\ngamma = 1ns/B\ngamma.source = test\n'
    printf '[topology]\nkind = torus\nshape = 8\nshape.source = test\nrate = 0.5GB/s\nrate.source = test\n'
} >ring8.ini
c run allreduce recursive_doubling -p 8 -m 1000 --platform ./ring8.ini --nodes random:3 -f csv && cp out ring8.csv
cat >network.py <<'PY'
import csv, collsim
due = next(csv.DictReader(open("ring8.csv")))
ask = dict(p=8, m=1000, platform="./ring8.ini")
got = collsim.run("allreduce", "recursive_doubling", nodes="random:3", **ask)
assert got[0].certificate == due["certificate"] and "%.17g" % got[0].time_s == due["time_s"], (got, due)
assert "network: torus 8, minimal routing; nodes random:3" in got.notes, got.notes
assert any(t.name == "link.dim1" and t.count > 0 for t in got[0].terms), got
order = collsim.run("allreduce", "recursive_doubling", **ask)[0].certificate
assert order != due["certificate"]
assert collsim.best("allreduce", routing="spread", **ask).notes[-1].startswith("network: torus 8, spread routing")
several = collsim.run("allreduce", "ring", **ask, nodes="random:1..3")[0]
assert abs(several.median_s - several.time_s) < 1e-12 * several.time_s, several
for wrong, text in ((dict(nodes="random:3..1"), "random:3..1"), (dict(topology="torus:4"), "8 are needed"), (dict(model="loggp"), "rates of links")):
    try:
        collsim.run("allreduce", "ring", **ask, **wrong)
        raise SystemExit(text)
    except collsim.Error as why:
        assert text in str(why), why
PY
cat >own.py <<'PY'
import math, collsim
for ask in (collsim.run, collsim.rank):
    for x in ask("allreduce", ["ring", "rabenseifner", "ompi-4.1:auto"], p=16, m=[8, 1024]):
        fallback = x.bytes == 8 and x.algorithm in ("ring", "rabenseifner")
        assert math.isnan(x.time_s) == fallback and math.isnan(x.ran_time_s) != fallback, x
        assert not fallback or x.ran and x.why in x.ran and x.ranking is None, x
assert collsim.decide("bcast", "ompi-4.1", p="4x4", m="1M", han="priority=40")[0].algorithm == "han"
assert all(x.ran is None and (x.time_s > 0 if x.ranking else x.why) for x in collsim.best("allreduce", p=16, m=8, top=50))
PY
if command -v gnuplot >/dev/null; then
    cat >plotted.py <<'PY'
import collsim
collsim.run("allreduce", ["ring", "recursive_doubling"], p=16, m="4..64K:x4").to_csv("plotted.csv")
collsim.run("barrier", ["two_procs", "linear"], p=[2, 4]).to_csv("unrun.csv")
PY
    plotted() { tree plotted.py && c plot plotted.csv -o plotted.svg && says plotted.svg '1 point omitted: another algorithm ran'; }
    ok 'plot leaves out the points of fallbacks' plotted
    ok '.. and what did not run' c plot unrun.csv -o unrun.svg
    figure() {
        COLLSIM=$COLLSIM PYTHONPATH=$root/sim/library/python COLLSIM_LIBRARY=$build/libcollsim.so.0 \
            "$python3" "$root/docs/examples/bandwidth.py" . >out 2>err &&
            says out '48 ranks: binary_blocks is the fastest' && [ "$(wc -l <bandwidth.csv)" = 316 ] && grep -q '<svg' bandwidth.svg
    }
    ok 'docs/examples/bandwidth.py draws its figure' figure
fi

# What messages of measured pay beyond their tables.
cat >further.py <<'PY'
import collsim
text = """[measured]
one = 0:2us 64M:2us
one.source = x
gap = 0:0.5us 64M:0.5us
gap.source = x
take = 0:0.25us 8K:0.25us
take.source = x
far = 0.75us
far.source = x
swap = 1.5
swap.source = x
"""
machine = collsim.Platform.parse("three", text)
for collective, algorithm, m, term, count, value_us, time_us in (
        ("allgather", "recursive_doubling", 8, "far", 1, 0.75, 4.75),
        ("allgather", "recursive_doubling", "4M", "swap(8M)", 1, 3, 6),
        ("gather", "linear", 8, "take(8)", 2, 0.25, 2.5)):
    run = collsim.run(collective, algorithm, p=4, m=m, platform=machine, model="measured")[0]
    assert abs(run.time_s - time_us * 1e-6) < 1e-15, run
    paid = {x.name: x for x in run.terms}
    assert (paid[term].count, round(paid[term].value_s * 1e6, 9)) == (count, value_us), run.terms
PY

# ---- What the program answers ------------------------------------------------------------------------------------------
question() { COLLSIM_PROGRAM=$COLLSIM tree "$root/tests/python_questions.py" "$@"; }
drawn=
command -v gnuplot >/dev/null && drawn='shows pictures'
# shellcheck disable=SC2086
question small.py file.py sure.py search.py same.py network.py own.py further.py rows columns logs settings machines options stops_library ended \
    stops $drawn errors
mv out answers && mv err warnings
answered() { # answered TEST: this one of them ended well
    [ ! -s warnings ] && grep -qx "$1 is right" answers && return
    sed -n "/^$1 failed/,/ is right\$/p" answers >out
    cp warnings err
    return 1
}
ok 'it imports no large module' answered small.py
ok 'it loads no files with algorithms' answered file.py
ok 'how sure a gain is, as the program says' answered sure.py
ok 'best without algorithms, and within a share of the bound' answered search.py
ok 'the values of the program, those of a fallback in a column of their own' answered same.py
ok 'links of a network' answered network.py
ok 'a time is never that of a fallback' answered own.py
ok 'far, take and swap' answered further.py
ok 'rows, sheets and tables are those of the program' answered rows
ok 'run, rank and best have the columns of the program' answered columns
ok 'logs: compare and calibrate' answered logs
ok 'tune makes the files that the program writes' answered settings
ok 'a Platform is the same machine for the program' answered machines
ok 'each option of the program has a type and a meaning' answered options
ok 'Ctrl-C ends a long list of the library' answered stops_library
ok 'errors: one line, also without the program' answered errors
ok 'a process that ends while a test reads of it' answered ended
ok 'Ctrl-C ends the program too' answered stops
if [ "$drawn" ]; then
    ok 'answers show themselves in a line, a table and a picture' answered shows
    ok 'pictures' answered pictures
fi
parallel() { question parallel && says out 'parallel is right'; } # alone, since it counts threads
ok 'a long list frees the lock, and takes all cores' parallel

# ---- Where the module is, and which library it takes --------------------------------------------------------------------
cat >where.py <<'PY'
import collsim, os
machine = collsim.bound("bcast", p=8, m=8, platform="lumi")[0].platform
print(os.path.normpath(collsim._program.program()), machine, len(collsim.audit("reduce", source="004")) > 0)
print(collsim.__file__, collsim._native.load()._name, collsim.run("bcast", "binomial", p=8, m=8, platform="lumi")[0].platform)
PY
make -s --no-print-directory -C "$root" install-files BUILD="$build" PREFIX="$dir/usr" >out 2>err
installed() {
    PYTHONPATH=$dir/usr/lib/python3/dist-packages python where.py && says out "$dir/usr/lib/libcollsim.so.0 lumi" &&
        says out "$dir/usr/bin/collsim lumi True" &&
        says out "$dir/usr/lib/python3/dist-packages/collsim"
}
ok 'installed: it takes the library and the program of its installation' installed
wheel() { # builds the wheel, and unpacks it as pip would
    BUILD=$build PYTHONPATH=$root/sim/library/python python -c 'import wheel; print(wheel.build_wheel("."))' &&
        python -m zipfile -e collsim-*.whl site && chmod +x site/collsim/bin/collsim && [ "$(cut -d, -f1 site/collsim-*.dist-info/RECORD | sort)" = "$(cd site && find . -type f | cut -c3- | sort)" ]
}
ok 'the wheel of `pip install .`' wheel
alone() { PYTHONPATH=$dir/site python where.py && says out "$dir/site/collsim/lib/libcollsim.so.0 lumi" && says out "$dir/site/collsim/bin/collsim lumi True"; }
ok 'the wheel has the library, the program and the machines' alone
no_library() {
    ! COLLSIM_LIBRARY=/nowhere PYTHONPATH=$dir/site "$python3" where.py >out 2>err &&
        tail -n 1 err | grep -q "^ImportError: '/nowhere' cannot be used as libcollsim: .*allowed: COLLSIM_LIBRARY=FILE"
}
ok 'COLLSIM_LIBRARY comes first, and one line says what is allowed' no_library
echo "1..$n"
