"""The questions that libcollsim answers: run, rank, best, decide and calibrate."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Optional, Tuple

from . import _native
from ._answer import Answer
from ._native import Error
from ._options import BestOptions, DecideOptions, Names, RunOptions, flag, joined, settings, takes, word
from ._platform import Platform, platforms
from ._row import Row, Term

if TYPE_CHECKING:
    from typing_extensions import Unpack

FLAGS = ("non_commutative", "no_han", "full")


def _ask(function: str, kind: Any, collective: str, arguments: Tuple[Any, ...], algorithms: Names, asked: Any) -> Answer:
    """Makes a request for each platform, calls a function of the library, and returns the rows that `kind` makes of it."""
    call, plain = _native.call, _native.plain
    rows: List[Row] = []
    notes: Dict[str, None] = {}
    options: Dict[str, Any] = dict(asked)
    p, m, set = (options.pop(key, None) for key in ("p", "m", "set"))
    given = options.pop("platform", None)
    params = [_native.text(x, "param") for x in settings(options.pop("param", None), "param")]
    name = _native.text(collective, "collective")
    if p is None:
        raise Error('p is missing; allowed: numbers of ranks, such as 64, "96x48" or a list of them')
    if m is None and not collective.lower().endswith("barrier"):
        raise Error('m is missing; allowed: sizes in bytes, such as 8, "64K" or a list of them')
    ranks, sizes = joined(p, "p").encode(), None if m is None else joined(m, "m").encode()
    names = _native.text(algorithms if isinstance(algorithms, str) else joined(algorithms, "algorithms"), "algorithms")
    for key in FLAGS:
        if key in options:
            options[key] = "yes" if flag(options[key], key) else None
    told = {key.replace("_", "-"): word(x, key).encode() for key, x in options.items() if x is not None}
    for machine in platforms("generic-100g" if given is None else given, set):
        request = call("request_new", machine._handle, name)
        try:
            call("request_ranks_list", request, ranks)
            if sizes is not None:
                call("request_sizes_list", request, sizes)
            for key, value in told.items():
                call("request_option", request, key.encode(), value)
            for value in params:
                call("request_option", request, b"param", value)
            call("request_algorithms", request, names)
            ask: Any = call if function == "decide" else _native.run
            handle = ask(function, request, *arguments)
            try:
                rows.extend(kind(handle, _own_name(collective), machine))
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
    ran: str = _native.string(x.ran)
    return f"{ran} ({_native.string(x.why)})" if x.why else ran


def _runs(handle: int, collective: str, platform: Platform) -> Iterable[Row]:
    """Yields the rows of runs, with the columns of ``collsim run`` in the program's order, and then those of Python alone."""
    string, name, sets = _native.string, platform.name, ";".join(platform._sets) or None
    for i in range(_native.plain("runs_count", handle)):
        x = _native.plain("runs_at", handle, i).contents
        fallback = bool(x.ran and x.why)
        columns: Dict[str, Any] = {
            "collective": collective,
            "algorithm": string(x.algorithm),
            "params": string(x.params),
            "ranks": x.p,
            "bytes": x.bytes,
            "root": x.root,
            "platform": name,
            "model": string(x.model),
            "transfer": string(x.transfer),
            "time_s": math.nan if fallback else x.time_s,
            "messages": x.messages,
            "bytes_sent": x.bytes_sent,
            "max_messages_sent": x.max_messages_sent,
            "max_messages_received": x.max_messages_received,
            "max_bytes_sent": x.max_bytes_sent,
            "max_bytes_received": x.max_bytes_received,
            "max_bytes_reduced": x.max_bytes_reduced,
            "certificate": string(x.certificate),
            "costs": string(x.costs),
            "ran": _ran(x),
            "parts_ran": string(x.parts_ran),
            "counts": string(x.counts),
            "displs": string(x.displs),
            "per_node": x.per_node or None,
            "nodes": x.nodes or None,
            "map": string(x.map),
            "element": x.element,
            "time_is": "predicted",
            "sets": sets,
        }
        for column in x.columns[: x.n_columns]:
            known = None if math.isnan(column.value) else column.value
            columns[string(column.name)] = known if column.count < 0 else column.count
        columns.update(
            ranking=x.place or None,
            x_best=x.x_best,
            x_bound=x.x_bound,
            end_min_s=x.end_min_s,
            end_mean_s=x.mean_end_s if math.isnan(x.end_mean_s) else x.end_mean_s,
            end_max_s=x.end_max_s,
            ran_time_s=x.time_s if fallback else math.nan,
            why=string(x.why),
            stuck=string(x.stuck),
            setting=string(x.setting),
            default_s=x.default_s,
            saves_low=x.saves_low,
            saves_high=x.saves_high,
            sure=x.sure,
            last_arrival_s=x.last_arrival_s,
            after_s=x.time_s - x.last_arrival_s,
            seeds_median_s=x.median_s,
            seeds_p99_s=x.p99_s,
        )
        yield Row(columns, [Term(string(t.name), t.count, t.value_s) for t in x.terms[: x.n_terms]])


def _notes(handle: int) -> Iterable[str]:
    for i in itertools.count():
        note = _native.string(_native.plain("runs_note", handle, i))
        if note is None:
            return
        yield note


def _decisions(handle: int, collective: str, _platform: Platform) -> Iterable[Row]:
    string = _native.string
    for i in range(_native.plain("decisions_count", handle)):
        x = _native.plain("decisions_at", handle, i).contents
        yield Row(
            {
                "collective": collective,
                "library": string(x.library),
                "ranks": x.p,
                "per_node": x.per_node or None,
                "bytes": x.bytes,
                "library_id": string(x.id),
                "decided": string(x.text),
                "algorithm": string(x.algorithm),
                "not_in_data": string(x.missing),
                "setting": string(x.setting),
            }
        )


# ---- Questions -------------------------------------------------------------------------------------------------------


@takes(RunOptions)
def run(collective: str, algorithms: Names = "all", **options: Unpack[RunOptions]) -> Answer:
    """Predicts every point: each platform, number of ranks, size, root, algorithm and value of its parameters.

    collective       "allreduce", also "MPI_Allreduce"; collectives() lists them
    algorithms       "all", names joined by commas or in a list; also LIB:NAME, LIB:all and LIB:auto of an MPI library,
                     such as "ompi-4.1:auto" for what it runs by default. Files with algorithms are refused; the program
                     `collsim` takes them
    OPTIONS

    Raises Error if something is not allowed, or if no algorithm can run at any point. In a list of several algorithms,
    one that cannot run has the time NaN. A deadlock is a run too, with the time NaN. Where a need of an algorithm is not
    met and its fallback runs, time_s is NaN and ran_time_s has the fallback's time.
    """
    return _ask("predict", _runs, collective, (), algorithms, options)


@takes(RunOptions)
def rank(collective: str, algorithms: Names = "all", **options: Unpack[RunOptions]) -> Answer:
    """Does what run() does, with its arguments and options, and orders the runs of the same ranks, size and root.

    The fastest is the first. Raises Error as run() does.
    """
    return _ask("rank", _runs, collective, (), algorithms, options)


@takes(BestOptions)
def best(collective: str, *, top: int = 1, **options: Unpack[BestOptions]) -> Answer:
    """Finds the fastest algorithms for each platform, number of ranks and size, each with its best parameters.

    OPTIONS

    Raises Error if something is not allowed.
    """
    most = word(top, "top")
    if not (most.isdigit() and len(most) <= 4 and 1 <= int(most) <= 1000):
        raise Error(f"top is {_native.shown(top)}; allowed: 1 .. 1000")
    given: Dict[str, Any] = dict(options)
    if given.get("without") is not None:
        given["without"] = joined(given["without"], "without")
    return _ask("best", _runs, collective, (int(most),), "all", given)


@takes(DecideOptions)
def decide(collective: str, library: str, **options: Unpack[DecideOptions]) -> Answer:
    """Says what an MPI library runs by default, for each number of ranks and each size.

    A row has library_id, decided (the whole decision in the library's words), and algorithm, what sends its messages.

    library          a version: "ompi-4.1", "ompi-5", "ompi-main", "mpich-4.0", "mpich-4.3"
    OPTIONS

    Raises Error if something is not allowed.
    """
    return _ask("decide", _decisions, collective, (_native.text(library, "library"),), "all", options)


def calibrate(model: str, files: Names, *, name: str = "measured", base: Optional[Platform] = None) -> Platform:
    """Computes the figures of a machine from measurements. ``ask("calibrate", FILE)`` has them as rows, with errors.

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
    machine = base and base._handle
    arguments = (_native.text(model, "model"), _native.texts(texts), len(texts), machine, _native.text(name, "name"))
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
