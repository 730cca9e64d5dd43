"""What comes back: rows, lists of rows that show themselves, pictures, and settings."""

from __future__ import annotations

import csv
import html
import os
import tempfile
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, overload

from . import _native
from ._native import Error
from ._row import Row, empty, short, shown

MOST_SHOWN = 60  # rows of a table in a notebook


class Answer(Sequence[Row]):
    """A list of rows, in the order of the program. ``pandas.DataFrame(answer)`` is a data frame too.

    A notebook shows it as a table, and as a picture where a line can be drawn. Iterating and indexing give rows, and slicing
    another answer.
    """

    notes: Tuple[str, ...]  #: what the program says of all rows: what they assume, and figures that a machine lacks
    sheets: Dict[str, Answer]  #: further tables by name, such as "ranges" of crossover(): see docs/FORMATS.md
    picture: Optional["Picture"]  #: with draw=True, the picture

    def __init__(
        self, rows: Iterable[Row] = (), notes: Iterable[str] = (), sheets: Optional[Dict[str, Answer]] = None,
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
    def __getitem__(self, i: int) -> Row: ...

    @overload
    def __getitem__(self, i: slice) -> Answer: ...

    def __getitem__(self, i: Any) -> Any:
        """Returns a row, or another answer for a slice."""
        return Answer(self._rows[i], self.notes) if isinstance(i, slice) else self._rows[i]

    def __repr__(self) -> str:
        first = f": {self._rows[0]!r}" if self._rows else ""
        return short(f"<collsim.Answer of {len(self)} row{'' if len(self) == 1 else 's'}{first}", 150) + ">"

    def _repr_html_(self) -> str:
        """Returns a table for notebooks, without empty columns, and the notes below."""
        names = [name for name in self._names() if any(not empty(row.get(name)) for row in self)]
        heads = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        lines = ["<table>", f"<thead><tr>{heads}</tr></thead><tbody>"]
        for row in self._rows[:MOST_SHOWN]:
            cells = "".join(f"<td>{html.escape(shown(row.get(name)))}</td>" for name in names)
            lines.append(f"<tr>{cells}</tr>")
        lines.append("</tbody></table>")
        more = [f".. and {len(self) - MOST_SHOWN} more rows"] if len(self) > MOST_SHOWN else []
        lines += [f"<p>{html.escape(text)}</p>" for text in [*more, *self.notes]]
        return "\n".join(lines)

    def _repr_svg_(self) -> Optional[str]:
        """Returns a picture, or None where there is nothing to draw.

        It is the picture of draw=True. Without that, runs are drawn: the times of several, or the parts of one time.
        """
        if self.picture is None and len(self) > 0 and all("certificate" in row for row in self):
            from ._questions import plot

            try:
                self.picture = plot(self) if len(self) > 1 else plot(self, y="shares")
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
        """Returns the columns of all rows. Those of machines with other models may differ."""
        return list(dict.fromkeys(name for row in self for name in row))

    def to_rows(self) -> List[Dict[str, Any]]:
        """Returns the answer as a list of dicts: the columns of docs/FORMATS.md."""
        return [dict(row) for row in self]

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
            values = (row.get(name) for name in names)
            writer.writerow(["" if empty(value) else value for value in values])
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


for _type in (Answer, Picture, Setting):
    _type.__module__ = "collsim"  # their name for users
