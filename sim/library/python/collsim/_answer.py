"""What comes back: rows, lists of rows that show themselves, pictures, and settings."""

from __future__ import annotations

import csv
import difflib
import html
import math
import os
import tempfile
from dataclasses import dataclass, fields
from typing import (
    Any, Callable, Dict, Generic, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, TypeVar,
    overload,
)  # fmt: skip

from . import _native
from ._native import Error

MOST_SHOWN = 60  # rows of a table in a notebook


class Term(NamedTuple):
    """A term of a certificate: the critical path pays ``count`` times a cost of ``value_s`` seconds."""

    name: str  #: "alpha", "beta.node"
    count: int  # type: ignore[assignment]
    value_s: float


@dataclass(frozen=True, repr=False)
class Run:
    """One predicted run. The fields have the names of the columns of ``collsim run -f csv``, which docs/FORMATS.md
    describes; `terms` has what the columns ``alpha_count``, ``alpha_s``, .. have.

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
    model: str  #: "hockney"
    transfer: Optional[str]  #: "rendezvous", "eager" or "eager-port"
    nodes: Optional[int]  #: if ranks are on nodes
    map: Optional[str]  #: how they are placed, "block:48"
    element: int  #: bytes
    time_s: float  #: when the last rank ends; NaN if ``algorithm`` did not run, or in a deadlock
    ran_time_s: float  #: the same of the fallback that ran in its place, because a need was not met; NaN if none did
    ranking: Optional[int]  #: 1 for the fastest of the same ranks, bytes and root; None without a time_s
    x_best: float  #: time_s divided by that of the fastest of the same ranks, bytes and root; NaN without a ranking
    x_bound: float  #: time_s divided by what no algorithm can be faster than; NaN if that is not known
    ran: Optional[str]  #: the fallback, with the need that was not met; of LIB:auto what it runs; None if itself ran
    why: Optional[str]  #: the need that was not met, or why nothing ran
    certificate: Optional[str]  #: how the time of what ran came about: "3 alpha + 24 beta"
    terms: Tuple[Term, ...]  #: the same as numbers
    messages: int  #: of all ranks, by what ran
    bytes_sent: int  #: by all ranks
    max_messages_sent: int  #: by one rank, as the four below
    max_messages_received: int
    max_bytes_sent: int
    max_bytes_received: int
    max_bytes_reduced: int
    costs: Optional[str]  #: what the time is made of, as ``collsim plot --y shares`` reads it
    parts_ran: Optional[str]  #: the fallbacks of its parts, with the needs that were not met; None if there are none
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

    def __repr__(self) -> str:
        name = self.algorithm + (f" {self.params}" if self.params else "")
        time = self.why or "did not run" if math.isnan(self.time_s) else f"{self.time_s:.6g} s = {self.certificate}"
        call = f"{self.collective} {name}, ranks={self.ranks}, bytes={self.bytes}, {self.platform}"
        return _short(f"Run({call}: {time})", 200)


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


class Row(Mapping[str, Any]):
    """A row of an answer of the program. Its columns, which docs/FORMATS.md describes, are attributes, and keys as well.

    Times are in seconds, and sizes in bytes. What is not known or does not apply is None.
    """

    __slots__ = ("_columns",)
    _columns: Dict[str, Any]

    def __init__(self, columns: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_columns", dict(columns))

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_columns" or name not in self._columns:
            near = [] if name.startswith("_") else difflib.get_close_matches(name, self._columns, 1, 0.5)
            raise AttributeError(f"no column {name!r}" + (f", did you mean {near[0]}?" if near else ""))
        return self._columns[name]

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a row does not change; allowed: dict(row)")

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __dir__(self) -> List[str]:
        return [*object.__dir__(self), *self._columns]

    def __reduce__(self) -> Any:
        return (Row, (self._columns,))

    def __repr__(self) -> str:
        known = (f"{name}={value!r}" for name, value in self.items() if value is not None)
        return _short(f"Row({', '.join(known)})", 200)


One = TypeVar("One", bound=Any)


class Answer(Sequence[One], Generic[One]):
    """A list of rows, in the order of the program. ``pandas.DataFrame(answer)`` is a data frame too.

    A notebook shows it as a table. Iterating, indexing and slicing give rows: Run, Decision or Row.
    """

    notes: Tuple[str, ...]  #: what the program says of all rows: what they assume, and figures that a machine lacks
    sheets: Dict[str, "Answer[Row]"]  #: further tables by name, such as "ranges" of crossover(): see docs/FORMATS.md
    picture: Optional["Picture"]  #: with draw=True, the picture

    def __init__(
        self, rows: Iterable[One] = (), notes: Iterable[str] = (), sheets: Optional[Dict[str, "Answer[Row]"]] = None,
        picture: Optional["Picture"] = None, table: Optional[Callable[[], str]] = None,
    ) -> None:  # fmt: skip
        self._rows = tuple(rows)
        self.notes = tuple(notes)
        self.sheets = sheets or {}
        self.picture = picture
        self._table = table

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, i: int) -> One: ...

    @overload
    def __getitem__(self, i: slice) -> Answer[One]: ...

    def __getitem__(self, i: Any) -> Any:
        """Returns a row, or another answer for a slice."""
        return Answer(self._rows[i], self.notes) if isinstance(i, slice) else self._rows[i]

    def __repr__(self) -> str:
        first = f": {self._rows[0]!r}" if self._rows else ""
        return _short(f"<collsim.Answer of {len(self)} row{'' if len(self) == 1 else 's'}{first}", 150) + ">"

    def _repr_html_(self) -> str:
        """Returns a table for notebooks, without empty columns, and the notes below."""
        names = [name for name in self._names() if any(not _empty(_value(row, name)) for row in self)]
        heads = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        lines = ["<table>", f"<thead><tr>{heads}</tr></thead><tbody>"]
        for row in self._rows[:MOST_SHOWN]:
            cells = "".join(f"<td>{html.escape(_shown(_value(row, name)))}</td>" for name in names)
            lines.append(f"<tr>{cells}</tr>")
        lines.append("</tbody></table>")
        more = [f".. and {len(self) - MOST_SHOWN} more rows"] if len(self) > MOST_SHOWN else []
        lines += [f"<p>{html.escape(text)}</p>" for text in [*more, *self.notes]]
        return "\n".join(lines)

    def _repr_svg_(self) -> Optional[str]:
        """Returns the picture of draw=True, or a plot of runs; None where there is nothing to draw."""
        if self.picture is None and len(self) > 1 and all(isinstance(row, Run) for row in self):
            from ._questions import plot

            try:
                self.picture = plot(self)
            except Error:  # such as runs that draw no line; a notebook shows the table
                return None
        return self.picture._repr_svg_() if self.picture else None

    def table(self) -> str:
        """Returns what the program prints for people: ``print(answer.table())``. It asks the program once more.

        Raises Error for answers of functions that do not ask the program: run, rank, best, decide.
        """
        if not self._table:
            raise Error("this answer has no table of the program; allowed: to_rows(), to_frame(), to_csv(FILE)")
        return self._table()

    def _names(self) -> List[str]:
        if not self._rows:
            return []
        row = self._rows[0]
        if isinstance(row, Row):
            return list(row)
        return [field.name for field in fields(row) if field.name != "terms"]

    def to_rows(self) -> List[Dict[str, Any]]:
        """Returns the answer as a list of dicts."""
        return [dict(row) if isinstance(row, Row) else dict(vars(row)) for row in self]

    def to_frame(self) -> Any:
        """Returns the answer as a pandas.DataFrame. Raises ImportError if pandas is not installed."""
        try:
            import pandas  # type: ignore
        except ImportError:
            raise ImportError("pandas is not installed; allowed: to_rows(), which needs nothing else") from None
        return pandas.DataFrame(self.to_rows())

    def to_csv(self, file: Any) -> None:
        """Writes the answer as CSV; that of run, rank and best is what ``collsim plot`` draws.

        file: the path of a file, or an object with a method write
        """
        if not hasattr(file, "write"):
            with open(file, "w", newline="", encoding="utf-8") as opened:
                return self.to_csv(opened)
        names = self._names()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        for row in self:
            values = (_value(row, name) for name in names)
            writer.writerow(["" if _empty(value) else value for value in values])
        return None


class Picture:
    """A picture, which a notebook shows. It does not change."""

    def __init__(
        self, draw: Callable[[str], Tuple[str, ...]], kinds: Tuple[str, ...] = (".svg", ".png", ".pdf"), svg: str = ""
    ) -> None:
        """draw: writes a file, of the kind that its name ends in, and returns notes"""
        self._draw, self._kinds = draw, kinds
        self.notes: Tuple[str, ...] = ()  #: what the program says of the picture
        self.svg = svg or self._drawn()  #: the picture as SVG

    def _drawn(self) -> str:
        with tempfile.TemporaryDirectory(prefix="collsim-") as folder:
            file = os.path.join(folder, "picture.svg")
            self.notes = self._draw(file)
            if not os.path.exists(file):  # such as a schedule that does not end
                raise Error(f"there is no picture; {'; '.join(self.notes)}; allowed: what has one")
            with open(file, encoding="utf-8") as opened:
                return opened.read()

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<collsim.Picture: {len(self.svg)} bytes of SVG; save(FILE) writes {', '.join(self._kinds)}>"

    def save(self, file: Any) -> None:
        """Writes the picture. The program draws it anew unless it is SVG.

        file: ends in .svg, .png or .pdf; for trace() in .svg, or in .json for Perfetto

        Raises Error if it ends otherwise, and OSError if it cannot be written.
        """
        path = _native.text(file, "file").decode("utf-8")
        kind = os.path.splitext(path)[1]
        if kind not in self._kinds:
            raise Error(f"file is {_native.shown(path)}; allowed: names that end in {', '.join(self._kinds)}")
        if kind != ".svg":
            self._draw(path)
            return
        with open(path, "w", encoding="utf-8") as opened:
            opened.write(self.svg)


class Setting:
    """What makes a library choose well: the files that tune() writes. ``str(setting)`` is their text."""

    files: Dict[str, str]  #: texts by name; one, called "", where the setting is a single file
    notes: Tuple[str, ...]  #: what the program says of it, and how the files are loaded if there are several

    def __init__(self, files: Dict[str, str], notes: Iterable[str], path: str) -> None:
        """path: where the program wrote them, which texts may name; it is PATH in `files` and `notes`"""
        self._written, self._path = files, path
        self.files = {name: text.replace(path, "PATH") for name, text in files.items()}
        self.notes = tuple(note.replace(path, "PATH") for note in notes)

    def __str__(self) -> str:
        return "".join(self.files.values())

    def __repr__(self) -> str:
        lines = str(self).count("\n")
        names = ", ".join(name for name in self.files if name)
        return f"<collsim.Setting: {lines} lines{' in ' + names if names else ''}; save(PATH) writes it>"

    def save(self, path: Any) -> None:
        """Writes the file, or the files into a folder of this name, which is made. Raises OSError if it cannot."""
        whole = os.path.abspath(path)
        for name, text in self._written.items():
            if name:
                os.makedirs(whole, exist_ok=True)
            with open(os.path.join(whole, name) if name else whole, "w", encoding="utf-8") as opened:
                opened.write(text.replace(self._path, whole))


def _short(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 3] + "..."


def _value(row: Any, name: str) -> Any:
    return row.get(name) if isinstance(row, Row) else getattr(row, name)


def _empty(value: Any) -> bool:
    return value is None or value != value


def _shown(value: Any) -> str:
    if _empty(value):
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


for _type in (Term, Run, Decision, Row, Answer, Picture, Setting):
    _type.__module__ = "collsim"  # their name for users
