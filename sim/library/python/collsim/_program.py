"""Finds the program collsim, and asks it what libcollsim has no function for."""

import functools
import os
import shutil
import subprocess
from typing import Dict, Iterator, List, NamedTuple, Sequence, Tuple

from . import _native
from ._native import Error


class Option(NamedTuple):
    """What the program says of one of its options."""

    name: str  #: the long name, "per-node"
    kind: str  #: "flag", "word", "file", "words" (may be repeated)


class Said(NamedTuple):
    """What a command wrote."""

    output: str
    notes: Tuple[str, ...]  #: what it says beside the answer


def candidates() -> Iterator[str]:
    """Yields the files that may be the program, in the order in which they are tried."""
    here = os.path.dirname(os.path.realpath(__file__))
    yield os.path.join(here, "bin", "collsim")  # installed by pip
    file = _native.file()
    if os.sep in file:
        library = os.path.dirname(os.path.realpath(file))
        yield os.path.join(library, "collsim")  # build/ of the source tree
        yield os.path.join(library, "..", "bin", "collsim")  # PREFIX/bin, of PREFIX/lib
        yield os.path.join(library, "..", "..", "bin", "collsim")  # or of a folder for an architecture in it
    yield shutil.which("collsim") or ""


@functools.lru_cache(maxsize=None)
def _program(asked: str) -> str:
    tried = (file for file in candidates() if os.path.isfile(file) and os.access(file, os.X_OK))
    file = asked or next(tried, "")
    allowed = "allowed: COLLSIM_PROGRAM=FILE, an installed program, or that of `make` in this tree"
    if not file:
        raise Error(f"the program collsim is not installed, which answers this; {allowed}")
    said = _finished([file, "--version"]).stdout.decode("utf-8", "replace")
    own = _native.string(_native.plain("version"))
    if own not in said.split():
        raise Error(f"{file!r} is not collsim {own}, as the library is; {allowed}")
    return file


def _finished(arguments: List[str]) -> "subprocess.CompletedProcess[bytes]":
    try:
        return subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        why = f"{arguments[0]!r} cannot be run with these arguments: {error.strerror}"
        raise Error(f"{why}; allowed: an installed program, and shorter lists") from None


def program() -> str:
    """Returns the file of the program. Raises Error if there is none of the library's version."""
    return _program(os.environ.get("COLLSIM_PROGRAM", ""))


def call(arguments: Sequence[str]) -> Said:
    """Runs a command. Ctrl-C ends it. Raises Error with the command's one line if its input was wrong.

    A status of 1 is an answer too: that a check failed.
    """
    done = _finished([program(), *arguments])
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    own = [line[len("collsim: ") :] for line in lines if line.startswith("collsim: ")]
    # How long it takes is of interest before the answer, not in it.
    notes = [line[len("note: ") :] for line in own if line.startswith("note: ") and " takes about " not in line]
    errors = [line for line in own if not line.startswith("note: ")]
    if done.returncode == 2 and errors:
        raise Error(errors[-1])
    if done.returncode not in (0, 1):
        status = f"collsim {arguments[0]} ended with status {done.returncode}"
        raise Error(f"{status}, which is a bug; allowed: to report it", 4)
    return Said(done.stdout.decode("utf-8", "replace"), tuple(notes))


@functools.lru_cache(maxsize=None)
def _described(_file: str, command: str) -> Dict[str, Option]:
    found = {}
    for line in call([command, "--describe"]).output.splitlines():
        kind, *fields = line.split("\t")
        if kind == "option" and fields[0] not in ("help", "output"):
            name, letter = fields[0], fields[1]
            # p and m are called so everywhere, though their long names differ.
            found[letter if letter in ("p", "m") else name.replace("-", "_")] = Option(name, fields[3])
    return found


def options(command: str) -> Dict[str, Option]:
    """Returns the options of a command by their names in Python: p, m, per_node.

    Raises Error if there is no such command.
    """
    return _described(program(), command)
