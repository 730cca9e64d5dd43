"""A row of an answer."""

from __future__ import annotations

import difflib
import html
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

# Names that columns had before they were those of docs/FORMATS.md.
OLD = {
    "mean_end_s": "end_mean_s", "median_s": "seeds_median_s", "p99_s": "seeds_p99_s",  # of runs
    "id": "library_id", "text": "decided", "missing": "not_in_data",  # of decisions
}  # fmt: skip


class Term(NamedTuple):
    """A term of a certificate: the critical path pays ``count`` times a cost of ``value_s`` seconds."""

    name: str  #: "alpha", "beta.node"
    count: int  # type: ignore[assignment]
    value_s: float


class Row(Mapping[str, Any]):
    """A row of an answer. Its columns, which docs/FORMATS.md describes, are attributes, and keys as well.

    Times are in seconds, sizes in bytes, ratios without a unit. What is not known or does not apply is None; a time or a
    ratio of run(), rank() and best() is NaN then, so that numbers stay numbers in a sum and in a picture. A column that the
    answer does not have raises AttributeError, or KeyError for ``row["name"]``. A row does not change, and ``dict(row)`` is
    a copy that may.

    Rows of run(), rank() and best() have the columns of ``collsim run``, those of `alpha_s` and `alpha_count` as far as the
    model has them, and some more. There, ``time_s`` is a time of ``algorithm``, never of a fallback that ran in its place;
    that is ``ran_time_s``. `terms` is the certificate as numbers.
    """

    if TYPE_CHECKING:  # what an editor knows of run(), rank(), best() and decide(); other columns are Any
        collective: str
        algorithm: str  #: as it was asked for: "ring", "ompi-4.1:auto"; of decide(), what sends the library's messages
        params: str  #: its parameters, "segment=64K;chains=4"; "" if it has none
        ranks: int
        bytes: int  #: the size that was asked for
        root: int
        platform: str
        model: str  #: "hockney"
        transfer: Optional[str]  #: "rendezvous", "eager" or "eager-port"
        time_s: float  #: when the last rank ends; NaN if ``algorithm`` did not run, or in a deadlock
        messages: int  #: of all ranks, by what ran
        bytes_sent: int  #: by all ranks
        max_messages_sent: int  #: by one rank, as the four below
        max_messages_received: int
        max_bytes_sent: int
        max_bytes_received: int
        max_bytes_reduced: int
        certificate: Optional[str]  #: how the time of what ran came about: "3 alpha + 24 beta"
        costs: Optional[str]  #: what the time is made of, as ``collsim plot --y shares`` reads it
        ran: Optional[str]  #: the fallback, with the need that was not met; of LIB:auto what it runs; None if itself ran
        parts_ran: Optional[str]  #: the fallbacks of its parts, with the needs that were not met; None if there are none
        counts: Optional[str]  #: how the lengths of blocks vary; None if they always have one length
        displs: Optional[str]  #: where the blocks lie; None likewise
        per_node: Optional[int]  #: ranks on each node, if NxK or an option says so
        nodes: Optional[int]  #: if ranks are on nodes
        map: Optional[str]  #: how they are placed, "block:48"
        element: int  #: bytes
        time_is: str  #: "predicted"
        sets: Optional[str]  #: every figure that was set, "alpha=2us;beta=0s/B"
        ranking: Optional[int]  #: 1 for the fastest of the same ranks, bytes and root; None without a time_s
        x_best: float  #: time_s divided by that of the fastest of the same ranks, bytes and root; NaN without a ranking
        x_bound: float  #: time_s divided by what no algorithm can be faster than; NaN if that is not known
        end_min_s: float  #: from run() and rank(): when the first rank of what ran ends; NaN on more than 2^18 ranks
        end_mean_s: float  #: .. the mean over all ranks
        end_max_s: float  #: .. when the last rank ends
        ran_time_s: float  #: the time of the fallback that ran in place of ``algorithm``; NaN if none did
        why: Optional[str]  #: the need that was not met, or why nothing ran
        stuck: Optional[str]  #: who waits for whom, in a deadlock
        setting: Optional[str]  #: what tells the library of ``only``, LIB:auto or decide() to run this
        default_s: float  #: from best() with ``only``: time of what the library runs by default; NaN if it is not known
        saves_low: float  #: if that is longer, the measured ratio of the times is above this in 90 of 100 cases; else NaN
        saves_high: float  #: .. and below this
        sure: float  #: .. and above 1 with this probability
        last_arrival_s: float  #: with ``arrival`` or ``noise``: when the last rank arrives; otherwise NaN
        after_s: float  #: likewise, time_s less last_arrival_s
        seeds_median_s: float  #: with several ``seeds``: the median time of all runs; otherwise NaN
        seeds_p99_s: float  #: .. and the time that 99 in 100 of them do not exceed
        library: str  #: of decide(): "ompi-4.1"
        library_id: str  #: the library's own name: "3", "recursive_doubling"
        decided: str  #: the whole decision
        not_in_data: Optional[str]  #: why its algorithm is not known

    __slots__ = ("_columns", "_terms")
    _columns: Dict[str, Any]
    _terms: Optional[Tuple[Term, ...]]

    def __init__(self, columns: Mapping[str, Any], terms: Optional[Sequence[Term]] = None) -> None:
        """terms: those of the certificate; without them, they are made of the columns certificate and costs"""
        object.__setattr__(self, "_columns", dict(columns))
        object.__setattr__(self, "_terms", None if terms is None else tuple(terms))

    @property
    def terms(self) -> Tuple[Term, ...]:
        """The certificate as numbers, () if there is none. In answers of the program, a value_s is NaN if `costs` lacks it."""
        return _parsed(self) if self._terms is None else self._terms

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def __getattr__(self, name: str) -> Any:
        columns = {} if name.startswith("_") else self._columns
        name = name if name in columns else OLD.get(name, name)
        if name in columns:
            return columns[name]
        near = difflib.get_close_matches(name, columns, 1, 0.5)
        raise AttributeError(f"no column {name!r}" + (f", did you mean {near[0]}?" if near else ""))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a row does not change; allowed: dict(row)")

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __hash__(self) -> int:
        # Rows are equal whatever order their columns have, and so are 1 and 1.0.
        return hash(frozenset((name, _hashable(value)) for name, value in self._columns.items()))

    def __dir__(self) -> List[str]:
        return [*object.__dir__(self), *self._columns]

    def __reduce__(self) -> Any:
        return (Row, (self._columns, self._terms))

    def __repr__(self) -> str:
        x = self._columns
        if {"collective", "algorithm", "ranks", "bytes", "platform", "certificate"} <= set(x):  # a run
            name = x["algorithm"] + (f" {x['params']}" if x["params"] else "")
            time = x.get("why") or "did not run" if empty(x["time_s"]) else f"{x['time_s']:.6g} s = {x['certificate']}"
            text = f"{x['collective']} {name}, ranks={x['ranks']}, bytes={x['bytes']}, {x['platform']}: {time}"
        else:
            text = ", ".join(f"{name}={value!r}" for name, value in x.items() if value is not None)
        return short(f"Row({text})", 200)

    def _repr_html_(self) -> str:
        """Returns a table for notebooks: a line for each column that is not empty."""
        lines = (
            f"<tr><th>{html.escape(name)}</th><td>{html.escape(shown(value))}</td></tr>"
            for name, value in self._columns.items()
            if not empty(value) and value != ""
        )
        return "\n".join(["<table>", *lines, "</table>"])

    def _repr_svg_(self) -> Optional[str]:
        """Returns a picture of what the time of a run consists of; None for other rows."""
        from ._answer import Answer

        return Answer([self])._repr_svg_()


def _hashable(value: Any) -> Any:
    """Returns a value that has a hash, and the same one for equal values: that of a NaN differs from object to object."""
    return value if isinstance(value, (str, int, float)) and value == value else None


def _parsed(row: Row) -> Tuple[Term, ...]:
    """Returns the terms of a certificate as docs/FORMATS.md describes it, "3 alpha + 24 beta"."""
    certificate, costs = row.get("certificate"), row.get("costs")
    if not certificate or certificate == "0":
        return ()
    paid = dict(x.split("=", 1) for x in (costs or "").split(";") if "=" in x)
    found = []
    for text in certificate.split(" + "):
        count, name = text.split(" ", 1)
        found.append(Term(name, int(count), float(paid.get(name, "nan")) / int(count)))
    return tuple(found)


def empty(value: Any) -> bool:
    """Returns True for None and NaN."""
    return value is None or value != value


def shown(value: Any) -> str:
    """Returns a cell of a table: numbers with six digits, nothing for what is not known."""
    if empty(value):
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def short(text: str, most: int) -> str:
    """Returns a text as one line of at most so many letters."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 3] + "..."


for _type in (Term, Row):
    _type.__module__ = "collsim"  # their name for users
