"""The questions that the program answers: all by one mechanism, ask()."""

from __future__ import annotations

import json
import os
import tempfile
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _native, _program
from ._answer import Answer, Picture, Setting
from ._native import Error
from ._options import (
    AuditOptions, BoundOptions, CompareOptions, CrossoverOptions, GuidelinesOptions, LearnOptions, MatrixOptions,
    Names, PlotOptions, RegretOptions, ShowOptions, TraceOptions, TrafficOptions, TuneOptions, flag, joined, named,
    settings, takes, word, words,
)  # fmt: skip
from ._platform import Platform
from ._row import Row

if TYPE_CHECKING:
    from typing_extensions import Unpack


class _Line(NamedTuple):
    """A command line, but for the files that exist only while it runs."""

    command: str
    arguments: Tuple[str, ...]
    options: Dict[str, Any]
    files: Tuple[Answer, ...] = ()  # further arguments: answers, written as CSV

    def run(self, *further: str) -> _program.Said:
        """Runs it with further options."""
        with tempfile.TemporaryDirectory(prefix="collsim-") as folder:
            arguments = [self.command, *_written(self.command, self.options, folder), *further, "--", *self.arguments]
            for i, answer in enumerate(self.files):
                arguments.append(os.path.join(folder, f"answer{i + 1}.csv"))
                answer.to_csv(arguments[-1])
            return _program.call(arguments)


def _written(command: str, options: Dict[str, Any], folder: str) -> List[str]:
    """Returns options as the program takes them. Files that they need are written into the folder."""
    known = _program.options(command)
    found: List[str] = []
    for key, value in options.items():
        name = key[:-1] if key.endswith("_") else key
        if value is None:
            continue
        if name != "format":
            named(f"{command}()", name, set(known) - {"format"})
        option = known[name]
        if option.kind == "flag":
            found += [f"--{option.name}"] * flag(value, key)
        elif isinstance(value, Platform):
            found = value._arguments(folder, option.name) + found  # so that the option set comes after the machine's own
        elif isinstance(value, dict):
            found += [part for x in settings(value, key) for part in (f"--{option.name}", x)]
        elif option.kind in ("words", "files"):
            found += [part for x in words(value, key) for part in (f"--{option.name}", x)]
        else:
            found += [f"--{option.name}", joined(value, key)]
    return found


def ask(command: str, *arguments: Names, draw: bool = False, **options: Any) -> Answer:
    """Asks a question of the program collsim, and returns its rows: any command that has ``--format json``.

        ask("network", topology="torus:4,4")             collsim network --topology torus:4,4
        ask("validate", "osu.txt", platform="lumi")      collsim validate osu.txt --platform lumi

    command    the command: "network"
    arguments  its arguments, lists of them joined by commas
    options    its options, as ``collsim help COMMAND`` lists them, with _ for - and for what is a keyword of Python (from_).
               Flags take True; --param, --set and others of KEY=VALUE a dict; lists what run() takes
    draw       True: with a picture, by its option --draw

    Raises Error with the program's one line if something is not allowed, or if the program is not installed.
    """
    line = _Line(_word(command, "command"), tuple(joined(x, "an argument") for x in arguments), options)
    known = _program.options(line.command)
    if "format" not in known or "format" in options:
        raise Error(f"{line.command} has no rows to ask for; allowed: commands with --format json, without format")
    svg = ""
    with tempfile.TemporaryDirectory(prefix="collsim-") as folder:
        file = os.path.join(folder, "picture.svg")
        if flag(draw, "draw"):
            named(f"{line.command}()", "draw", known)
        said = line.run("--format=json", *([f"--draw={file}"] if draw else []))
        if draw and os.path.exists(file):
            with open(file, encoding="utf-8") as opened:
                svg = opened.read()
    sheets = {name: rows for name, rows in _sheets(said.output, line.command).items() if isinstance(rows, list)}
    notes = [row["note"] for row in sheets.pop("notes", []) if "note" in row]
    rows = sheets.pop("rows", [])
    # The rows of some answers are only in sheets of their own.
    further = {name: Answer([Row(row) for row in of]) for name, of in sheets.items()}
    picture = Picture(lambda path: line.run("--format=json", f"--draw={path}").notes, svg=svg) if svg else None
    table = lambda: line.run("--format=table").output  # noqa: E731
    return Answer([Row(row) for row in rows], [*said.notes, *notes], further, picture, table)


def _word(value: Any, what: str) -> str:
    given = word(value, what)
    if not given or given.startswith("-"):
        raise Error(f"{what} is {_native.shown(given)}; allowed: a command of the program collsim")
    return given


def _sheets(text: str, command: str) -> Dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict) or "answer" not in found:
        raise Error(f"{command} has no rows to ask for; allowed: commands with --format json")
    return found


def _drawn(line: _Line, kinds: Tuple[str, ...]) -> Picture:
    return Picture(lambda path: line.run(f"--output={path}").notes, kinds)


@takes(CrossoverOptions)
def crossover(collective: str, first: str, second: str, **options: Unpack[CrossoverOptions]) -> Answer:
    """Finds, for each number of ranks, the sizes at which the faster of two algorithms changes, to the element.

    A row is a crossover: last_bytes, next_bytes, before, after. sheets["ranges"] has the sizes between crossovers.

    collective, first, second   names: "allreduce", "ring", "rabenseifner"
    OPTIONS

    Raises Error if something is not allowed.
    """
    return ask("crossover", collective, first, second, **options)


@takes(BoundOptions)
def bound(collective: str, algorithms: Optional[Names] = None, **options: Unpack[BoundOptions]) -> Answer:
    """Compares the fastest algorithm, or the fastest of those given, with lower bounds for a fully connected network.

    A row is a point: time_s, bound_s, x_bound.

    OPTIONS

    Raises Error if something is not allowed.
    """
    return ask("bound", collective, *([] if algorithms is None else [algorithms]), **options)


@takes(RegretOptions)
def regret(library: str, collectives: Optional[Names] = None, **options: Unpack[RegretOptions]) -> Answer:
    """Says how much time a library's defaults cost: their time, divided by that of the best it can be told to run.

    library       a version: "ompi-4.1", "ompi-5", "mpich-4.3", "ucc-1.4"
    collectives   all if not given; one for a picture
    OPTIONS

    Raises Error if something is not allowed.
    """
    return ask("regret", library, *([] if collectives is None else [collectives]), **options)


@takes(TuneOptions)
def tune(library: str, collectives: Optional[Names] = None, **options: Unpack[TuneOptions]) -> Setting:
    """Makes the file, or the folder of files, that makes a library run the fastest algorithms where it is sure of a gain.

        collsim.tune("ompi-4.1", "bcast", platform="lumi").save("rules.conf")

    OPTIONS

    Raises Error if something is not allowed.
    """
    names = [joined(x, "an argument") for x in (library, collectives) if x is not None]
    line = _Line("tune", tuple(names), dict(options))
    with tempfile.TemporaryDirectory(prefix="collsim-") as folder:
        path = os.path.join(folder, "setting")
        said = line.run(f"--output={path}")
        several = os.path.isdir(path)
        files = {}
        for name in sorted(os.listdir(path)) if several else [""]:
            with open(os.path.join(path, name) if name else path, encoding="utf-8") as opened:
                files[name] = opened.read()
    # How several files are loaded; the texts of one say it themselves.
    loading = [line for line in said.output.splitlines() if several and line and not line.startswith("wrote ")]
    return Setting(files, [*said.notes, *loading], path)


@takes(GuidelinesOptions)
def guidelines(library_or_log: str, *logs: str, **options: Unpack[GuidelinesOptions]) -> Answer:
    """Finds the collectives of a library, or of measurements, that are slower than others which do the same work.

    OPTIONS

    Raises Error if something is not allowed.
    """
    return ask("guidelines", library_or_log, *logs, **options)


@takes(TrafficOptions)
def traffic(collective: str, algorithm: Names, **options: Unpack[TrafficOptions]) -> Answer:
    """Says what the links between nodes carry: a row for each class of links of each algorithm.

    OPTIONS

    Raises Error if something is not allowed.
    """
    return ask("traffic", collective, algorithm, **options)


@takes(CompareOptions)
def compare(*logs: str, **options: Unpack[CompareOptions]) -> Answer:
    """Finds the algorithm that a measured curve is most likely of: a row for each curve, with the nearest candidate.

    sheets["candidates"] has all of them, the nearest first; with points=True, sheets["points"] has each size with its error.

    logs   files of OSU, IMB, nccl-tests or CSV: "osu_allreduce.txt", "allreduce=log.txt"
    OPTIONS

    Raises Error if something is not allowed.
    """
    return ask("compare", *logs, **options)


@takes(AuditOptions)
def audit(
    collective: Optional[str] = None, algorithm: Optional[str] = None, **options: Unpack[AuditOptions]
) -> Answer:
    """Finds out which formulas for costs hold: those of papers, about one collective or all, or a claim of your own.

        collsim.audit("bcast", "binomial", claim="ceil(log2(p))*(alpha + m*beta)")

    A row is a claim: verdict, at (the smallest counterexample), right (the formula that fits).

    OPTIONS

    Raises Error if something is not allowed.
    """
    if algorithm is None:
        return ask("audit", collective=collective, **options)
    return ask("audit", "" if collective is None else collective, algorithm, **options)


@takes(LearnOptions)
def learn(
    library: Optional[str] = None, collectives: Optional[Names] = None, **options: Unpack[LearnOptions]
) -> Answer:
    """Grows a decision tree that chooses algorithms, and says what it is worth on ranks that it has not seen.

    OPTIONS

    Raises Error if something is not allowed.
    """
    return ask("learn", *[x for x in (library, collectives) if x is not None], **options)


@takes(ShowOptions)
def show(collective: str, algorithm: str, **options: Unpack[ShowOptions]) -> Answer:
    """Lists the messages of an algorithm, round by round.

    ``print(answer.table())`` draws them, and says what the algorithm needs and costs.

    OPTIONS

    Raises Error if something is not allowed.
    """
    return ask("show", collective, algorithm, **options)


@takes(TraceOptions)
def trace(
    collective: Optional[str] = None, algorithm: Optional[str] = None, **options: Unpack[TraceOptions]
) -> Picture:
    """Draws what every rank of a run does when. ``save("run.json")`` writes a file for Perfetto (ui.perfetto.dev).

    OPTIONS

    Raises Error if something is not allowed.
    """
    names = tuple(word(x, "an argument") for x in (collective, algorithm) if x is not None)
    return _drawn(_Line("trace", names, dict(options)), (".svg", ".json"))


@takes(PlotOptions)
def plot(*data: Union[Answer, Row, str, Sequence[Any]], **options: Unpack[PlotOptions]) -> Picture:
    """Draws time, or another figure, over message size or ranks: a line for each algorithm.

        collsim.plot(collsim.run("bcast", p=64, m="8..1M:x4")).save("bcast.svg")

    data   answers of run(), rank() and best(), rows of these, and files: CSV of the program, or logs of OSU, IMB and
           nccl-tests
    OPTIONS

    Raises Error if something is not allowed, or gnuplot is not installed.
    """
    rows = [x for x in data if isinstance(x, Row)]
    answers = [x for x in data if isinstance(x, Answer)] + ([Answer(rows)] if rows else [])
    files = [word(x, "data") for x in data if not isinstance(x, (Answer, Row))]
    if not data:
        raise Error("plot has no data; allowed: answers of run(), rank() and best(), and files")
    return _drawn(_Line("plot", tuple(files), dict(options), tuple(answers)), (".svg", ".png", ".pdf"))


@takes(MatrixOptions)
def matrix(
    collective: Optional[str] = None, algorithm: Optional[str] = None, **options: Unpack[MatrixOptions]
) -> Answer:
    """Says how many bytes and messages ranks send to each other: a row for each cell that is not empty, and a picture.

    OPTIONS

    Raises Error if something is not allowed.
    """
    names = [x for x in (collective, algorithm) if x is not None]
    given: Dict[str, Any] = {"draw": True, **options}
    return ask("matrix", *names, **given)
