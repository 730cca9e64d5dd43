"""The options of all questions: the type of each, for type checkers and editors, and what it means, each said once."""

from __future__ import annotations

import difflib
import functools
import inspect
import itertools
import operator
from typing import TYPE_CHECKING, Any, Callable, Iterable, List, Mapping, Optional, TypedDict, TypeVar, Union

from . import _native
from ._native import Error

if TYPE_CHECKING:
    from typing_extensions import Required

    from ._platform import Platform

MOST_VALUES = 10000  # of a list; the library checks this too

Word = Union[int, str]
Values = Union[Word, Iterable[Word]]
Names = Union[str, Iterable[str]]
Settings = Mapping[str, Values]
Machine = Union[str, "Platform"]
Machines = Union[Machine, Iterable[Machine]]

# ---- Types -----------------------------------------------------------------------------------------------------------
# Keywords of Python end in '_' here: as_, from_.


class _Nodes(TypedDict, total=False):
    per_node: Optional[int]
    map: Optional[str]


class _Network(TypedDict, total=False):
    topology: Optional[str]
    routing: Optional[str]
    nodes: Optional[str]


class _Model(TypedDict, total=False):
    platform: Machine
    set: Optional[Settings]
    model: Optional[str]
    transfer: Optional[str]


class _Grid(_Nodes, _Model, total=False):
    p: Values
    m: Values
    element: Optional[Word]


class _Blocks(TypedDict, total=False):
    root: Optional[Word]
    counts: Optional[str]
    displs: Optional[str]
    param: Optional[Settings]


class _Han(TypedDict, total=False):
    han: Optional[str]
    no_han: bool


class _Style(TypedDict, total=False):
    title: Optional[str]
    size: Optional[str]
    font: Optional[Word]


class _Picture(_Style, total=False):
    draw: bool


class _Log(TypedDict, total=False):
    names: Optional[str]
    where: Optional[Settings]
    points: bool


class _Calls(_Nodes, _Han, total=False):
    element: Optional[Word]
    counts: Optional[str]
    displs: Optional[str]
    non_commutative: bool


class _Points(_Calls, total=False):
    p: Required[Values]
    m: Values


class _Predicted(_Points, _Network, total=False):
    platform: Machines
    set: Optional[Settings]
    param: Optional[Settings]
    model: Optional[str]
    transfer: Optional[str]
    only: Optional[str]
    full: bool
    arrival: Optional[str]
    noise: Optional[str]
    seeds: Optional[int]
    by: Optional[str]


class DecideOptions(_Points, total=False):
    root: Optional[Word]


class RunOptions(_Predicted, total=False):
    root: Optional[Word]


class BestOptions(_Predicted, total=False):
    root: Optional[Word]
    without: Optional[Names]
    within: Optional[str]


class CrossoverOptions(_Nodes, _Model, _Network, total=False):
    p: Values
    element: Optional[Word]
    only: Optional[str]
    param: Optional[Settings]
    root: Optional[Word]
    best: bool


class BoundOptions(_Grid, _Picture, total=False):
    root: Optional[Word]
    only: Optional[str]
    ports: Optional[int]


class RegretOptions(_Grid, _Network, _Han, _Picture, total=False):
    root: Optional[Word]
    non_commutative: bool
    of_all: bool
    top: Optional[int]


class TuneOptions(_Grid, _Network, _Han, total=False):
    of_all: bool
    within: Optional[Word]
    sure: Optional[Word]
    verify: Optional[int]
    commutative_only: bool
    format: Optional[str]
    prefix: Optional[str]


class GuidelinesOptions(_Grid, _Network, _Han, _Log, _Picture, total=False):
    rules: Optional[str]
    list: Optional[str]
    add: Optional[Names]
    of: Optional[Names]
    tolerance: Optional[Word]
    best: bool
    means: bool
    bytes_are: Optional[str]
    strict: bool
    top: Optional[int]


class TrafficOptions(_Blocks, _Nodes, _Network, _Picture, total=False):
    p: Word
    m: Word
    element: Optional[Word]
    platform: Machine
    transfer: Optional[str]
    by: Optional[str]
    rounds: bool


class CompareOptions(_Nodes, _Network, _Log, _Picture, total=False):
    p: Word
    platform: Machine
    model: Optional[str]
    set: Optional[Settings]
    only: Optional[str]
    bytes: Optional[str]
    element: Optional[Word]
    tie: Optional[Word]


class AuditOptions(TypedDict, total=False):
    claim: Optional[str]
    as_: Optional[str]
    let: Optional[str]
    where: Optional[str]
    without: Optional[str]
    param: Optional[Settings]
    claims: Optional[Names]
    source: Optional[str]
    expect: Optional[str]
    transfer: Optional[str]
    platform: Machine
    model: Optional[str]
    grid: Optional[int]
    report: Optional[str]


class LearnOptions(_Nodes, _Network, _Han, _Picture, total=False):
    p: Values
    m: Values
    element: Optional[Word]
    platform: Machines
    model: Optional[str]
    transfer: Optional[str]
    set: Optional[Settings]
    choices: Optional[str]
    leave_out: Optional[str]
    from_: Optional[Names]
    test: Optional[Names]
    apart: bool
    share: bool
    seeds: Optional[int]
    next: Optional[int]
    names: Optional[str]
    bytes_are: Optional[str]
    where: Optional[Settings]
    depth: Optional[int]
    leaf: Optional[int]
    prune: Optional[Word]
    data: Optional[str]
    rules: Optional[str]


class ShowOptions(_Blocks, _Nodes, total=False):
    p: Word
    m: Word


class TraceOptions(_Blocks, _Nodes, _Network, _Model, total=False):
    p: Word
    m: Word
    element: Optional[Word]
    arrival: Optional[str]
    noise: Optional[str]
    seeds: Optional[int]
    by: Optional[str]
    goal: Optional[str]
    ranks: Optional[Values]
    from_: Optional[Word]
    to: Optional[Word]


class PlotOptions(_Style, total=False):
    x: Optional[str]
    y: Optional[str]
    baseline: Optional[str]
    only: Optional[Names]
    all: bool
    map: bool


class MatrixOptions(_Blocks, _Nodes, _Picture, total=False):
    p: Word
    m: Word
    element: Optional[Word]
    platform: Machine
    goal: Optional[str]
    messages: bool
    cells: Optional[int]


# ---- Meanings --------------------------------------------------------------------------------------------------------
# NAME, or QUESTION.NAME where the option means something else there. Lines of further meaning begin with spaces.

MEANINGS = """
p                numbers of ranks, from 1 to 134217728: 64, [64, 128], range(2, 9), "8..1K:x2", or "96x48" for 96 nodes of 48
                 ranks; for a picture or a schedule of one run, one number
m                sizes in bytes, from 0 to 2**50: 8, "64K", [8, "1M"], "8..16M:x8". A barrier needs none. A size is that of
                 the whole vector (bcast, reduce, allreduce, reduce_scatter, scan, exscan) or of one rank's block (the others)
platform         a name, a file, or a Platform: the machine; if not given, "generic-100g"
run.platform     a name, a file, or a Platform, or a list of them: the machines; if not given, "generic-100g"
best.platform    a name, a file, or a Platform, or a list of them: the machines; if not given, "generic-100g"
set              other figures of the platform: {"alpha": "2us", "beta.node": "x0.5"}
param            parameters of the algorithms: {"segment": ["8K", "64K"]}
root             a rank, or "all"; 0 if not given
best.root        a rank; 0 if not given
crossover.root   a rank; 0 if not given
bound.root       a rank; 0 if not given
regret.root      a rank; 0 if not given
element          bytes of an element; if not given 1, but up to 8 in reductions where a library decides
per_node         consecutive ranks on each node
map              "block:K", "cyclic:K", or a file with a line for each rank
counts           the lengths of the blocks of a v-collective: "linear", "one-big", "random:7" .., or a file
displs           where its blocks lie: "gaps", or a file; one after the other if not given
model            "hockney", "measured", "loggops", "loggp", "logp", "shared"; if not given, the platform decides
audit.model      "hockney", the only one that claims are about
transfer         under hockney: "rendezvous" (if not given), "eager", "eager-port"
only             an MPI library, such as "ompi-4.1": only what it can be told to run
plot.only        draw only these algorithms
non_commutative  True: the operation of a reduction must not be reordered
han              how Open MPI's component HAN works: "segsize=512K", "algorithm=simple", "priority=40", joined by commas
no_han           True: HAN is switched off
full             True: simulate each rank even if a few can stand for all
arrival          when ranks arrive: "one-late:20us" (the last one), "ascending:20us", "random:20us:1" (up to 20 us, with the
                 seed 1), or a file with a time for each rank
noise            what makes messages longer: "message:exp:200ns", "rank:uniform:1us", "message:spike:50us:99" (50 us, once in
                 99 messages) and "seed:1", joined by commas
seeds            with random arrivals or noise: how many runs, 1 .. 10000, with this seed and those above it
learn.seeds      random orders of share (20)
by               with seeds: which run's time counts, "median" (if not given) or "p99"
traffic.by       the class of links by which algorithms are ranked
topology         another network: "torus:16,16,16"; for times, the platform's links need rates
routing          "minimal" or "spread"
nodes            where the nodes are in the network: "order", "random:SEED", "fragment:C:SEED", or a file
without          algorithms to pass over, as parts of others too, such as "hybrid,reduce/hybrid"; of other collectives than
                 this one as COLLECTIVE/NAME
audit.without    costs that the claim omits on purpose, such as "gamma"
within           a share such as "5%": the search ends once the fastest so far takes at most so much longer than the lower
                 bound, which no algorithm can beat
tune.within      how much longer than the best is allowed, such as "3%"
best             True: each with its best parameters and parts at every size
guidelines.best  True: the fastest algorithm in a log, not only the default
ports            ports of each rank in each direction (1); with more, no algorithm is compared
draw             True: with a picture (picture, _repr_svg_)
title            replaces the title of the picture; "" for none
size             of the picture: "7x4" inches, a width, "column" (3.4) or "page" (7)
font             points of the text of the picture
of_all           True: also find the best of all algorithms, which takes longer
best.top         how many algorithms to return for each, 1 .. 1000
top              how many of the worst table() prints
sure             percent by which to be sure of a gain (90)
verify           time so many random calls off the grid, and say the worst
commutative_only True: for operations that commute only
format           "rules" (if not given): the library's file; "c": a header in C
prefix           what the names of a header begin with ("pick")
rules            a rules file by which the library runs, or a folder of two
learn.rules      a file to write: the tree as a rules file of the library
list             a CSV file of guidelines, in place of the program's own
add              further guidelines
of               only guidelines with these collectives on the left
tolerance        what a violation is above, such as "10%"
means            True: times of a CSV are means over the ranks
strict           True: a violation ends the program with status 1; the rows are the same
names            names that a CSV has for algorithms: a file, or "auto"
where            only these rows of a CSV: {"ranks": 64}
audit.where      points that the claim is meant for: "popcount(p)>1"
points           True: also each point, in sheets["points"] where there is a sheet of them
bytes            what bytes of a CSV are: "total", "block" or "vector"
bytes_are        what bytes of a CSV are: "total", "block" or "vector"
tie              candidates so close are tied ("1%")
rounds           True: also the largest loads of every round
claim            a formula to judge: "2*(p-1)*alpha"
as_              what the formula claims: "equality" (if not given), "upper", "lower" or "order"
let              letters of the claim: "n=p*m;c=ceil(log2(p))"
claims           CSV files of claims, in place of those that the program has
source           only claims of this source: "001", an author, a title
expect           "exact": a claim that is not ends the program with status 1; the rows are the same
grid             2: twice as many points, twice as far
report           a folder to write a report into: Markdown, HTML and pictures
choices          a CSV file of ids and parameters to choose from
leave_out        what the tree is tested on: "p" (if not given), "m", "per_node", "octave", "platform"
from_            for learn: files of measurements to learn from; for trace: show what ends at this time or later
test             files to test on, in place of rows of from_
apart            True: learn each group of the rows by itself
share            True: what measuring a share of the points is worth
next             which so many points of p and m to measure next
depth            at most so many questions to a leaf (32)
leaf             at least so many points in a leaf (1)
prune            doublings of time that each leaf saves
data             a CSV file to write: all times
goal             the file of a GOAL schedule, in place of a collective
ranks            the ranks to show: "0..15,64"
to               show what begins at this time or before
x                horizontal axis: "size", "p" or "per-node"
y                what is drawn: "time" (if not given), "bandwidth", "speedup", "x-bound", "x-predicted", "shares", "parts"
baseline         for "speedup": the algorithm to compare with
all              True: every algorithm, up to 40 lines
plot.map         True: a map of who is the fastest where
messages         True: draw messages instead of bytes
cells            at most so many cells a side, up to 256 (64)
"""


@functools.lru_cache(maxsize=None)
def _meanings() -> Mapping[str, str]:
    """Returns the lines about each option, by its name."""
    found: dict[str, str] = {}
    name = ""
    for line in MEANINGS.strip("\n").splitlines():
        if line[0] != " ":
            name, rest = line.split(None, 1)
            line = f"{name.split('.')[-1]:<16} {rest}"
            found[name] = line
        else:
            found[name] += "\n" + line
    return found


# ---- Checks ----------------------------------------------------------------------------------------------------------

Question = TypeVar("Question", bound=Callable[..., Any])


def named(what: str, name: str, allowed: Iterable[str]) -> None:
    """Raises Error if a name is not among those that are allowed."""
    names = sorted(allowed)
    if name in names:
        return
    near = difflib.get_close_matches(name, names, 1, 0.5)
    mean = f", did you mean {near[0]}?" if near else ";"
    raise Error(f"{what} has no option {_native.shown(name)}{mean} allowed: {', '.join(names)}")


def takes(table: Any) -> Callable[[Question], Question]:
    """Lets a function take the options of a TypedDict: they are checked by name, and are in its signature and help."""

    def of(function: Question) -> Question:
        own = [x for x in inspect.signature(function).parameters.values() if x.kind is not x.VAR_KEYWORD]
        keyword = inspect.Parameter.KEYWORD_ONLY
        order = [name.split(".")[-1] for name in _meanings()]  # rather than that of types, which depends on what they share
        rest = [
            inspect.Parameter(name, keyword, default=False if "bool" in str(table.__annotations__[name]) else None)
            for name in sorted(table.__annotations__, key=order.index)
        ]
        names = [x.name for x in (*own, *rest)]

        @functools.wraps(function)
        def checked(*arguments: Any, **options: Any) -> Any:
            for name in options:
                named(function.__name__ + "()", name, names)
            return function(*arguments, **options)

        # Only names and what holds without them: types are in the TypedDict, and would make help() unreadable.
        shown = [x.replace(annotation=inspect.Parameter.empty) for x in own]
        setattr(checked, "__signature__", inspect.Signature([*shown, *rest]))
        told = sorted((x.name for x in (*own, *rest) if x.kind is keyword), key=order.index)
        lines = (_meanings().get(f"{function.__name__}.{name}") or _meanings()[name] for name in told)
        text = "\n".join("    " + line for block in lines for line in block.splitlines())
        checked.__module__ = "collsim"  # its name for users
        checked.__doc__ = (function.__doc__ or "").replace("OPTIONS\n", text.lstrip() + "\n")
        return checked  # type: ignore[return-value]

    return of


def flag(value: Any, what: str) -> bool:
    """Returns a truth value. Raises Error for whatever else."""
    if not isinstance(value, bool):
        raise Error(f"{what} is {_native.shown(value)}; allowed: True or False")
    return value


def word(value: Any, what: str) -> str:
    """Returns a number or a text as a text. Numbers are integers of any type that has __index__, but not truth values."""
    if isinstance(value, str) or hasattr(value, "__fspath__"):
        return _native.text(value, what).decode("utf-8")
    try:
        if not isinstance(value, bool):
            return str(operator.index(value))
    except (TypeError, ValueError):
        pass
    raise Error(f'{what} is {_native.shown(value)}; allowed: whole numbers, and texts such as "64K"')


def words(values: Any, what: str) -> List[str]:
    """Returns one or more values as texts."""
    if isinstance(values, (str, bytes, bytearray, Mapping)) or not hasattr(values, "__iter__"):
        return [word(values, what)]
    found = [word(value, what) for value in itertools.islice(values, MOST_VALUES + 1)]
    if not 1 <= len(found) <= MOST_VALUES:
        raise Error(f"{what} has {len(found) or 'no'} values; allowed: 1 .. {MOST_VALUES}")
    return found


def joined(values: Any, what: str) -> str:
    """Returns one or more values as the program's options take them: "8,64K"."""
    return ",".join(words(values, what))


def settings(given: Any, what: str) -> List[str]:
    """Returns a mapping as texts KEY=VALUE."""
    if given is None:
        return []
    if not isinstance(given, Mapping):
        raise Error(f'{what} is {_native.shown(given)}; allowed: a dict such as {{"alpha": "2us"}}')
    return [f"{word(key, what)}={joined(value, f'{what} {_native.shown(key)}')}" for key, value in given.items()]
