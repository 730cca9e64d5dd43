"""Predicts how long MPI collectives take without running them.

    >>> import collsim
    >>> runs = collsim.run("allreduce", "ring,rabenseifner", p=[64, 1024], m="64K", platform="lumi")
    >>> for x in runs:
    ...     print(x.algorithm, x.ranks, x.time_s)

Answers are lists of rows, which a notebook shows as tables; a row has the columns of docs/FORMATS.md as attributes. Answers
become a pandas data frame by ``to_frame()``, a list of dicts by ``to_rows()``, and a CSV file that ``collsim plot`` draws by
``to_csv(FILE)``. Times are in seconds, sizes in bytes. The times are those of the program collsim, to the last bit; this
package needs nothing but Python.

run, rank, best, decide and calibrate call libcollsim (collsim.h). The other questions run the program collsim: crossover,
bound, regret, tune, guidelines, traffic, compare, audit, learn, show, trace, plot, matrix, and ask() for all else.

Lists run in one call: p, m and algorithms take one value or several, written as the program's options take them
(``"8..16M:x8"``, ``"96x48"`` for 96 nodes of 48 ranks) or as Python has them (``[8, "64K"]``, ``range(2, 65)``).

Whatever is not allowed raises ``collsim.Error``, a ValueError, with one line that says what is. Functions may be called by
several threads at a time, and run in parallel: the library uses all cores and does not hold Python's lock. Ctrl-C ends a
question in the main thread as soon as the points that are being simulated are done.
"""

from . import _native
from ._answer import Answer, Picture, Setting
from ._native import Error
from ._platform import Platform
from ._questions import (
    ask, audit, bound, compare, crossover, guidelines, learn, matrix, plot, regret, show, trace, traffic, tune,
)  # fmt: skip
from ._requests import algorithms, best, calibrate, collectives, decide, rank, run
from ._row import Row, Term

__all__ = [
    "Answer", "Error", "Picture", "Platform", "Row", "Setting", "Term", "algorithms", "ask", "audit",
    "best", "bound", "calibrate", "collectives", "compare", "crossover", "decide", "guidelines", "learn", "matrix", "plot",
    "rank", "regret", "run", "show", "trace", "traffic", "tune", "INPUT", "TOO_LARGE", "TOO_MUCH", "BUG",
]  # fmt: skip
__version__: str = _native.string(_native.plain("version"))

INPUT, TOO_LARGE, TOO_MUCH, BUG = 1, 2, 3, 4  # Error.code
Run = Decision = Row  # their names when each question had rows of its own type


def __dir__() -> "list[str]":
    return [*__all__, "__all__", "__doc__", "__file__", "__name__", "__version__"]
