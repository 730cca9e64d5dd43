"""Predicts how long MPI collectives take without running them.

    >>> import collsim
    >>> runs = collsim.run("allreduce", "ring,rabenseifner", p=[64, 1024], m="64K", platform="lumi")
    >>> for x in runs:
    ...     print(x.algorithm, x.ranks, x.time_s)

Answers are lists of objects, which become a pandas data frame by ``to_frame()``, a list of dicts by ``to_rows()``, and a
CSV file that ``collsim plot`` draws by ``to_csv(FILE)``. Times are in seconds, sizes in bytes. The times are those of the
program collsim, to the last bit; this package calls libcollsim (collsim.h) and needs nothing but Python.

Lists run in one call: p, m and algorithms take one value or several, written as the program's options take them
(``"8..16M:x8"``, ``"96x48"`` for 96 nodes of 48 ranks) or as Python has them (``[8, "64K"]``, ``range(2, 65)``).

Whatever is not allowed raises ``collsim.Error``, a ValueError, with one line that says what is. Functions may be called by
several threads at a time; they run in parallel, and Ctrl-C takes effect when a call returns.
"""

from __future__ import annotations  # so that pydoc prints short names of types

import csv
import itertools
import math
import operator
from dataclasses import dataclass, fields
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union

from . import _native
from ._native import Error

__all__ = [
    "Answer", "Decision", "Error", "Platform", "Run", "Term", "algorithms", "best", "calibrate", "collectives",
    "decide", "rank", "run", "INPUT", "TOO_LARGE", "TOO_MUCH", "BUG",
]  # fmt: skip
__version__: str = _native.string(_native.plain("version"))

INPUT, TOO_LARGE, TOO_MUCH, BUG = 1, 2, 3, 4  # Error.code
MOST_VALUES = 10000  # of a list; the library checks this too

Values = Union[int, str, Iterable[Union[int, str]]]
Names = Union[str, Iterable[str]]
Settings = Mapping[str, Values]
Machines = Union[str, "Platform", Iterable[Union[str, "Platform"]]]


# ---- Answers ---------------------------------------------------------------------------------------------------------


class Term(NamedTuple):
    """A term of a certificate: the critical path pays ``count`` times a cost of ``value_s`` seconds."""

    name: str  #: "alpha", "beta.node"
    count: int
    value_s: float


@dataclass(frozen=True)
class Run:
    """One predicted run. The fields have the names of the columns of ``collsim run -f csv``.

    ``time_s`` is a time of ``algorithm``, never of a fallback that ran in its place; that is ``ran_time_s``.
    """

    collective: str
    algorithm: str  #: as it was asked for: "ring", "ompi-4.1:auto"
    params: str  #: its parameters, "segment=64K;chains=4"; "" if it has none
    ranks: int
    per_node: Optional[int]  #: ranks on each node, if NxK or an option says so
    bytes: int  #: the size that was asked for
    root: int
    platform: str
    time_s: float  #: when the last rank ends; NaN if ``algorithm`` did not run, or in a deadlock
    ran_time_s: float  #: the same of the fallback that ran in its place, because a need was not met; NaN if none did
    ranking: Optional[int]  #: 1 for the fastest of the same ranks, bytes and root; None from run()
    ran: Optional[str]  #: the fallback, with the need that was not met; of LIB:auto what it runs; None if itself ran
    why: Optional[str]  #: the need that was not met, or why nothing ran
    certificate: Optional[str]  #: how the time of what ran came about: "3 alpha + 24 beta"
    terms: Tuple[Term, ...]  #: the same as numbers
    messages: int  #: of all ranks, by what ran
    bytes_sent: int  #: by all ranks
    stuck: Optional[str]  #: who waits for whom, in a deadlock
    setting: Optional[str]  #: what tells the library of ``only`` or LIB:auto to run this
    default_s: float  #: from best() with ``only``: time of what the library runs by default; NaN if it is not known
    saves_low: float  #: if that is longer, the measured ratio of the times is above this in 90 of 100 cases; else NaN
    saves_high: float  #: .. and below this
    sure: float  #: .. and above 1 with this probability
    last_arrival_s: float  #: with ``arrival`` or ``noise``: when the last rank arrives; otherwise NaN
    mean_end_s: float  #: likewise, the mean of the times at which ranks end
    median_s: float  #: with several ``seeds``: the median time of all runs; otherwise NaN
    p99_s: float  #: .. and the time that 99 in 100 of them do not exceed


@dataclass(frozen=True)
class Decision:
    """What an MPI library runs by default."""

    collective: str
    library: str  #: "ompi-4.1"
    ranks: int
    per_node: Optional[int]
    bytes: int
    id: str  #: the library's own name: "3", "recursive_doubling"
    text: str  #: the whole decision
    algorithm: Optional[str]  #: the algorithm that sends its messages; None if it is not known
    missing: Optional[str]  #: why it is not known
    setting: Optional[str]  #: what tells the library to run it


Row = TypeVar("Row", Run, Decision)


class Answer(Sequence[Row]):
    """A list of runs, or of decisions, in the order of the program. ``pandas.DataFrame(answer)`` is a data frame too.

    notes: what the program says of all runs together, a text each: what they assume, and figures that a machine lacks
    """

    def __init__(self, rows: Iterable[Row] = (), notes: Iterable[str] = ()) -> None:
        self._rows = tuple(rows)
        self.notes = tuple(notes)

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, i: Any) -> Any:
        """Returns a row, or another answer for a slice."""
        return Answer(self._rows[i], self.notes) if isinstance(i, slice) else self._rows[i]

    def __repr__(self) -> str:
        return f"collsim.Answer({list(self._rows)!r})"

    def to_rows(self) -> List[Dict[str, Any]]:
        """Returns the answer as a list of dicts."""
        return [dict(vars(row)) for row in self]

    def to_frame(self) -> Any:
        """Returns the answer as a pandas.DataFrame. Raises ImportError if pandas is not installed."""
        try:
            import pandas
        except ImportError:
            raise ImportError("pandas is not installed; allowed: to_rows(), which needs nothing else") from None
        return pandas.DataFrame(self.to_rows())

    def to_csv(self, file: Any) -> None:
        """Writes the answer as CSV, which ``collsim plot`` draws.

        file: the path of a file, or an object with a method write
        """
        if not hasattr(file, "write"):
            with open(file, "w", newline="", encoding="utf-8") as opened:
                return self.to_csv(opened)
        columns = [field.name for field in fields(self[0])] if self else []
        columns = [name for name in columns if name != "terms"]
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for row in self:
            values = (getattr(row, name) for name in columns)
            writer.writerow(["" if value is None or value != value else value for value in values])
        return None


# ---- Arguments -------------------------------------------------------------------------------------------------------


def _word(value: Any, what: str) -> str:
    """Returns a number or a text as a text. Numbers are integers of any type that has __index__, but not truth values."""
    if isinstance(value, str) or hasattr(value, "__fspath__"):
        return _native.text(value, what).decode("utf-8")
    try:
        if not isinstance(value, bool):
            return str(operator.index(value))
    except (TypeError, ValueError):
        pass
    raise Error(f'{what} is {_native.shown(value)}; allowed: whole numbers, and texts such as "64K"')


def _list(values: Any, what: str) -> str:
    """Returns one or more values as the texts of the program's options: "8,64K"."""
    if isinstance(values, (str, bytes, bytearray, Mapping)) or not hasattr(values, "__iter__"):
        return _word(values, what)
    words = [_word(value, what) for value in itertools.islice(values, MOST_VALUES + 1)]
    if not 1 <= len(words) <= MOST_VALUES:
        raise Error(f"{what} has {len(words) or 'no'} values; allowed: 1 .. {MOST_VALUES}")
    return ",".join(words)


def _settings(settings: Any, what: str) -> List[bytes]:
    """Returns a mapping as texts KEY=VALUE."""
    if settings is None:
        return []
    if not isinstance(settings, Mapping):
        raise Error(f'{what} is {_native.shown(settings)}; allowed: a dict such as {{"alpha": "2us"}}')
    return [
        _native.text(f"{_word(key, what)}={_list(value, f'{what} {_native.shown(key)}')}", what)
        for key, value in settings.items()
    ]


class Platform:
    """A machine: the figures that cost models need, each with its source. It does not change.

        Platform("lumi")                                 an installed platform
        Platform("./mine.ini")                           a file; it has a '/' or ends in .ini
        Platform("lumi", set={"alpha": "2us"})           with other figures, as the option --set has them
    """

    def __init__(self, name_or_file: str, *, set: Optional[Settings] = None) -> None:
        self._own(_native.call("platform_open", _native.text(name_or_file, "platform")), set)

    @classmethod
    def parse(cls, name: str, text: str, *, set: Optional[Settings] = None) -> "Platform":
        """Reads a platform from the text of an .ini file."""
        given = _native.text(text, "text")
        self = cls.__new__(cls)
        self._own(_native.call("platform_parse", _native.text(name, "name"), given, len(given)), set)
        return self

    def _own(self, handle: int, set: Optional[Settings] = None) -> None:
        self._handle = handle
        for assignment in _settings(set, "set"):
            _native.call("platform_set", handle, assignment)

    @property
    def name(self) -> str:
        """The name: that of the file without the folder and ".ini"."""
        return _native.string(_native.plain("platform_name", self._handle))

    def text(self) -> str:
        """Returns the platform as the text of an .ini file, but without a topology."""
        text = _native.call("platform_text", self._handle)
        try:
            return _native.ctypes.string_at(text).decode("utf-8")
        finally:
            _native.plain("free", text)

    def __repr__(self) -> str:
        return f"collsim.Platform({self.name!r})"

    def __reduce__(self) -> Any:
        raise Error("a Platform cannot be copied or pickled; allowed: its name, or its text()")

    def __del__(self) -> None:
        handle, self._handle = getattr(self, "_handle", None), None
        if handle and _native and _native.plain:  # which are None when Python ends
            _native.plain("platform_free", handle)


def _platforms(platform: Any, set: Optional[Settings]) -> List[Platform]:
    if isinstance(platform, Platform):
        if set:
            raise Error("set changes a platform that is named; allowed: Platform(NAME, set=..) or Platform.parse")
        return [platform]
    if isinstance(platform, str) or not hasattr(platform, "__iter__"):
        return [Platform(platform, set=set)]
    given = list(itertools.islice(platform, MOST_VALUES + 1))
    if not 1 <= len(given) <= MOST_VALUES:
        raise Error(f"platform has {len(given) or 'no'} values; allowed: 1 .. {MOST_VALUES}")
    return [one for item in given for one in ([item] if isinstance(item, Platform) and not set else [Platform(item, set=set)])]


def _ask(
    function: str, kind: Any, collective: str, arguments: Tuple[Any, ...], algorithms: Names, p: Values, m: Optional[Values],
    platform: Any, set: Optional[Settings], param: Optional[Settings], options: Dict[str, Any],
) -> Answer[Any]:  # fmt: skip
    """Makes a request for each platform, calls a function of the library, and returns what `kind` makes of it."""
    call, plain = _native.call, _native.plain
    rows: List[Any] = []
    notes: Dict[str, None] = {}
    name, ranks = _native.text(collective, "collective"), _list(p, "p").encode()
    sizes = None if m is None else _list(m, "m").encode()
    if sizes is None and not collective.lower().endswith("barrier"):
        raise Error('m is missing; allowed: sizes in bytes, such as 8, "64K" or a list of them')
    names = _native.text(algorithms if isinstance(algorithms, str) else _list(algorithms, "algorithms"), "algorithms")
    params = _settings(param, "param")
    if "non_commutative" in options:
        for flag in ("non_commutative", "no_han", "full"):
            if not isinstance(options[flag], bool):
                raise Error(f"{flag} is {_native.shown(options[flag])}; allowed: True or False")
            options[flag] = "yes" if options[flag] else None
    words = {key.replace("_", "-"): _word(x, key).encode() for key, x in options.items() if x is not None}
    for machine in _platforms(platform, set):
        request = call("request_new", machine._handle, name)
        try:
            call("request_ranks_list", request, ranks)
            if sizes is not None:
                call("request_sizes_list", request, sizes)
            for key, value in words.items():
                call("request_option", request, key.encode(), value)
            for value in params:
                call("request_option", request, b"param", value)
            call("request_algorithms", request, names)
            handle = call(function, request, *arguments)
            try:
                rows.extend(kind(handle, _own_name(collective), machine.name))
                if function != "decide":
                    notes.update(dict.fromkeys(_notes(handle)))
            finally:
                plain("decisions_free" if function == "decide" else "runs_free", handle)
        finally:
            plain("request_free", request)
    return Answer(rows, notes)


def _own_name(collective: str) -> str:
    """Returns our name of a collective that the library knows, also by MPI's name."""
    name = collective.lower()
    return name[len("mpi_") :] if name.startswith("mpi_") else name


def _ran(x: Any) -> Optional[str]:
    """Returns the column ``ran`` of the program's CSV."""
    if not x.ran or x.ran == x.algorithm:
        return None
    return _native.string(x.ran) + (f" ({_native.string(x.why)})" if x.why else "")


def _runs(handle: int, collective: str, platform: str) -> Iterable[Run]:
    string = _native.string
    for i in range(_native.plain("runs_count", handle)):
        x = _native.plain("runs_at", handle, i).contents
        fallback = bool(x.ran and x.why)
        yield Run(
            collective=collective,
            algorithm=string(x.algorithm),
            params=string(x.params),
            ranks=x.p,
            per_node=x.per_node or None,
            bytes=x.bytes,
            root=x.root,
            platform=platform,
            time_s=math.nan if fallback else x.time_s,
            ran_time_s=x.time_s if fallback else math.nan,
            ranking=x.place or None,
            ran=_ran(x),
            why=string(x.why),
            certificate=string(x.certificate),
            terms=tuple(Term(string(t.name), t.count, t.value_s) for t in x.terms[: x.n_terms]),
            messages=x.messages,
            bytes_sent=x.bytes_sent,
            stuck=string(x.stuck),
            setting=string(x.setting),
            default_s=x.default_s,
            saves_low=x.saves_low,
            saves_high=x.saves_high,
            sure=x.sure,
            last_arrival_s=x.last_arrival_s,
            mean_end_s=x.mean_end_s,
            median_s=x.median_s,
            p99_s=x.p99_s,
        )


def _notes(handle: int) -> Iterable[str]:
    for i in itertools.count():
        note = _native.string(_native.plain("runs_note", handle, i))
        if note is None:
            return
        yield note


def _decisions(handle: int, collective: str, _platform: str) -> Iterable[Decision]:
    string = _native.string
    for i in range(_native.plain("decisions_count", handle)):
        x = _native.plain("decisions_at", handle, i).contents
        texts = {key: string(getattr(x, key)) for key in ("library", "id", "text", "algorithm", "missing", "setting")}
        yield Decision(collective=collective, ranks=x.p, per_node=x.per_node or None, bytes=x.bytes, **texts)


# ---- Questions -------------------------------------------------------------------------------------------------------


def run(
    collective: str,
    algorithms: Names = "all",
    *,
    p: Values,
    m: Optional[Values] = None,
    platform: Machines = "generic-100g",
    set: Optional[Settings] = None,
    param: Optional[Settings] = None,
    root: Union[int, str, None] = None,
    element: Union[int, str, None] = None,
    per_node: Optional[int] = None,
    map: Optional[str] = None,
    counts: Optional[str] = None,
    displs: Optional[str] = None,
    model: Optional[str] = None,
    transfer: Optional[str] = None,
    only: Optional[str] = None,
    non_commutative: bool = False,
    han: Optional[str] = None,
    no_han: bool = False,
    full: bool = False,
    arrival: Optional[str] = None,
    noise: Optional[str] = None,
    seeds: Optional[int] = None,
    by: Optional[str] = None,
    topology: Optional[str] = None,
    routing: Optional[str] = None,
    nodes: Optional[str] = None,
) -> Answer[Run]:
    """Predicts every point: each platform, number of ranks, size, root, algorithm and value of its parameters.

    collective       "allreduce", also "MPI_Allreduce"; collectives() lists them
    algorithms       "all", names joined by commas or in a list; also LIB:NAME, LIB:all and LIB:auto of an MPI library,
                     such as "ompi-4.1:auto" for what it runs by default. Files with algorithms are refused; the program
                     `collsim` takes them
    p                numbers of ranks, from 1 to 134217728: 64, [64, 128], range(2, 9), "8..1K:x2", or "96x48" for 96
                     nodes of 48 ranks
    m                sizes in bytes, from 0 to 2**50: 8, "64K", [8, "1M"], "8..16M:x8". A barrier needs none. A size is that
                     of the whole vector (bcast, reduce, allreduce, reduce_scatter, scan, exscan) or of one rank's block
                     (the others)
    platform         a name, a file, a Platform, or a list of these
    set              other figures of the platform: {"alpha": "2us", "beta.node": "x0.5"}
    param            parameters of the algorithms: {"segment": ["8K", "64K"]}
    root             a rank, or "all"; 0 if not given
    element          bytes of an element; if not given 1, but up to 8 in reductions where a library decides
    per_node         consecutive ranks on each node; map: "block:K", "cyclic:K", or a file with a line for each rank
    counts, displs   the blocks of a v-collective: "linear", "one-big", "random:7" .., or a file
    model            "hockney", "measured", "loggops", "loggp", "logp", "shared"; if not given, the platform decides
    transfer         under hockney: "rendezvous" (if not given), "eager", "eager-port"
    only             an MPI library, such as "ompi-4.1": only what it can be told to run
    non_commutative  the operation of a reduction must not be reordered
    han              how Open MPI's component HAN works: "segsize=512K", "algorithm=simple", "priority=40", joined by commas
    no_han           HAN is switched off
    full             simulate each rank even if a few can stand for all
    arrival          when ranks arrive: "one-late:20us" (the last one), "ascending:20us", "random:20us:1" (up to 20 us, with
                     the seed 1), or a file with a time for each rank
    noise            what makes messages longer: "message:exp:200ns", "rank:uniform:1us", "message:spike:50us:99" (50 us,
                     once in 99 messages) and "seed:1", joined by commas
    seeds            with random arrivals or noise: how many runs, 1 .. 10000, with this seed and those above it
    by               with seeds: which run's time counts, "median" (if not given) or "p99"
    topology         on a platform whose links have rates, another network of as many classes: "torus:16,16,16"; routing:
                     "minimal" or "spread"; nodes, where the nodes are: "order", "random:SEED", "fragment:C:SEED", or a file

    Raises Error if something is not allowed, or if no algorithm can run at any point. In a list of several algorithms,
    one that cannot run has the time NaN. A deadlock is a run too, with the time NaN. Where a need of an algorithm is not
    met and its fallback runs, time_s is NaN and ran_time_s has the fallback's time.
    """
    return _ask("predict", _runs, collective, (), algorithms, p, m, platform, set, param, {
        "root": root, "element": element, "per_node": per_node, "map": map, "counts": counts, "displs": displs,
        "model": model, "transfer": transfer, "only": only, "non_commutative": non_commutative, "han": han,
        "no_han": no_han, "full": full, "arrival": arrival, "noise": noise, "seeds": seeds, "by": by,
        "topology": topology, "routing": routing, "nodes": nodes,
    })  # fmt: skip


def rank(
    collective: str,
    algorithms: Names = "all",
    *,
    p: Values,
    m: Optional[Values] = None,
    platform: Machines = "generic-100g",
    set: Optional[Settings] = None,
    param: Optional[Settings] = None,
    root: Union[int, str, None] = None,
    element: Union[int, str, None] = None,
    per_node: Optional[int] = None,
    map: Optional[str] = None,
    counts: Optional[str] = None,
    displs: Optional[str] = None,
    model: Optional[str] = None,
    transfer: Optional[str] = None,
    only: Optional[str] = None,
    non_commutative: bool = False,
    han: Optional[str] = None,
    no_han: bool = False,
    full: bool = False,
    arrival: Optional[str] = None,
    noise: Optional[str] = None,
    seeds: Optional[int] = None,
    by: Optional[str] = None,
    topology: Optional[str] = None,
    routing: Optional[str] = None,
    nodes: Optional[str] = None,
) -> Answer[Run]:
    """Does what run() does, and orders the runs of the same ranks, size and root: the fastest first."""
    return _ask("rank", _runs, collective, (), algorithms, p, m, platform, set, param, {
        "root": root, "element": element, "per_node": per_node, "map": map, "counts": counts, "displs": displs,
        "model": model, "transfer": transfer, "only": only, "non_commutative": non_commutative, "han": han,
        "no_han": no_han, "full": full, "arrival": arrival, "noise": noise, "seeds": seeds, "by": by,
        "topology": topology, "routing": routing, "nodes": nodes,
    })  # fmt: skip


def best(
    collective: str,
    *,
    p: Values,
    m: Optional[Values] = None,
    top: int = 1,
    platform: Machines = "generic-100g",
    set: Optional[Settings] = None,
    param: Optional[Settings] = None,
    element: Union[int, str, None] = None,
    per_node: Optional[int] = None,
    map: Optional[str] = None,
    counts: Optional[str] = None,
    displs: Optional[str] = None,
    model: Optional[str] = None,
    transfer: Optional[str] = None,
    only: Optional[str] = None,
    without: Optional[Names] = None,
    within: Optional[str] = None,
    non_commutative: bool = False,
    han: Optional[str] = None,
    no_han: bool = False,
    full: bool = False,
    arrival: Optional[str] = None,
    noise: Optional[str] = None,
    seeds: Optional[int] = None,
    by: Optional[str] = None,
    topology: Optional[str] = None,
    routing: Optional[str] = None,
    nodes: Optional[str] = None,
) -> Answer[Run]:
    """Finds the fastest algorithms for each platform, number of ranks and size, each with its best parameters.

    top      how many algorithms to return for each, 1 .. 1000
    model    "hockney", "measured" or "shared"
    without  algorithms to pass over, as parts of others too, such as "hybrid,reduce/hybrid"; of other collectives than
             this one as COLLECTIVE/NAME
    within   a share such as "5%": the search ends once the fastest so far takes at most so much longer than the lower
             bound, which no algorithm can beat

    The others are those of run().
    """
    most = _word(top, "top")
    if not (most.isdigit() and len(most) <= 4 and 1 <= int(most) <= 1000):
        raise Error(f"top is {_native.shown(top)}; allowed: 1 .. 1000")
    return _ask("best", _runs, collective, (int(most),), "all", p, m, platform, set, param, {
        "element": element, "per_node": per_node, "map": map, "counts": counts, "displs": displs, "model": model,
        "transfer": transfer, "only": only, "without": without if without is None else _list(without, "without"),
        "within": within, "non_commutative": non_commutative, "han": han, "no_han": no_han,
        "full": full, "arrival": arrival, "noise": noise, "seeds": seeds, "by": by,
        "topology": topology, "routing": routing, "nodes": nodes,
    })  # fmt: skip


def decide(
    collective: str,
    library: str,
    *,
    p: Values,
    m: Optional[Values] = None,
    root: Union[int, str, None] = None,
    element: Union[int, str, None] = None,
    per_node: Optional[int] = None,
    map: Optional[str] = None,
    counts: Optional[str] = None,
    displs: Optional[str] = None,
    non_commutative: bool = False,
    han: Optional[str] = None,
    no_han: bool = False,
) -> Answer[Decision]:
    """Says what an MPI library runs by default, for each number of ranks and each size.

    library  a version: "ompi-4.1", "ompi-5", "ompi-main", "mpich-4.0", "mpich-4.3"

    The others are those of run().
    """
    return _ask("decide", _decisions, collective, (_native.text(library, "library"),), "all", p, m, "generic-100g", None, None, {
        "root": root, "element": element, "per_node": per_node, "map": map, "counts": counts, "displs": displs,
        "non_commutative": non_commutative, "han": han, "no_han": no_han, "full": False,
    })  # fmt: skip


def calibrate(model: str, files: Names, *, name: str = "measured", base: Optional[Platform] = None) -> Platform:
    """Computes the figures of a machine from measurements.

    model  "hockney", "measured", "loggops", "loggp", "logp" or "shared"
    files  one or more files of the OSU or Intel benchmarks, netgauge or CSV, each as the program takes it:
           "osu_latency.txt", "allreduce:ring:8=osu_allreduce.txt"
    name   the name of the new platform
    base   the machine that is calibrated: it has the levels that labels may name, as in "one@node=osu_latency.txt", and
           figures that stay unless the files determine them
    """
    if base is not None and not isinstance(base, Platform):
        raise Error(f"base is {_native.shown(base)}; allowed: a Platform")
    single = isinstance(files, (str, bytes)) or not hasattr(files, "__iter__")
    given: Iterable[Any] = [files] if single else itertools.islice(files, 1001)
    texts = [_native.text(file, "files") for file in given]
    arguments = (_native.text(model, "model"), _native.texts(texts), len(texts), base and base._handle, _native.text(name, "name"))
    platform = Platform.__new__(Platform)
    platform._own(_native.call("calibrate", *arguments))
    return platform


def collectives() -> List[str]:
    """Returns the names of the collectives."""
    return [_native.string(_native.plain("collective_name", i)) for i in range(_native.plain("collective_count"))]


def algorithms(collective: str) -> List[str]:
    """Returns the names of the algorithms of a collective, one of collectives()."""
    name = _native.text(collective, "collective")
    if collective not in collectives():
        _native.call("request_new", Platform("generic-100g")._handle, name)  # whose error names the nearest
        raise Error(f"collective {_native.shown(collective)}; allowed: a name of collectives()")
    count = _native.plain("algorithm_count", name)
    return [_native.string(_native.plain("algorithm_name", name, i)) for i in range(count)]
