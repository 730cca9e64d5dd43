"""Finds libcollsim.so and declares the functions of collsim.h that this package calls."""

import ctypes
import glob
import os
import threading
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint64, c_void_p
from typing import Any, Dict, Iterator, List, Tuple

NAME = "libcollsim.so.0"  # with the number of the interface that this package was written for


class Error(ValueError):
    """Something that is not allowed, or a run that would be too large.

    The message is the one line that the program collsim prints: what is wrong, where, and what is allowed. ``code`` is
    ``collsim.INPUT``, ``collsim.TOO_LARGE`` (sums that do not fit into 64 bits), ``collsim.TOO_MUCH`` (too much time or
    memory) or ``collsim.BUG`` (the library is wrong).
    """

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> Any:  # so that processes of a pool can pass it on with its code
        return (Error, (str(self), self.code))


Error.__module__ = "collsim"  # its name for users


class Term(ctypes.Structure):
    """``collsim_term``"""

    _fields_ = [("name", c_char_p), ("count", c_int64), ("value_s", c_double)]


class Column(ctypes.Structure):
    """``collsim_column``"""

    _fields_ = [("name", c_char_p), ("value", c_double), ("count", c_int64)]


class Run(ctypes.Structure):
    """``collsim_run``"""

    _fields_ = [
        ("algorithm", c_char_p),
        ("params", c_char_p),
        ("ran", c_char_p),
        ("why", c_char_p),
        ("p", c_int),
        ("root", c_int),
        ("bytes", c_uint64),
        ("time_s", c_double),
        ("certificate", c_char_p),
        ("terms", POINTER(Term)),
        ("n_terms", c_size_t),
        ("messages", c_uint64),
        ("bytes_sent", c_uint64),
        ("stuck", c_char_p),
        ("place", c_int),
        ("setting", c_char_p),
        ("per_node", c_int),
        ("default_s", c_double),
        ("saves_low", c_double),
        ("saves_high", c_double),
        ("sure", c_double),
        ("last_arrival_s", c_double),
        ("mean_end_s", c_double),
        ("median_s", c_double),
        ("p99_s", c_double),
        ("x_best", c_double),
        ("x_bound", c_double),
        ("model", c_char_p),
        ("transfer", c_char_p),
        ("nodes", c_int),
        ("map", c_char_p),
        ("element", c_uint64),
        ("max_messages_sent", c_uint64),
        ("max_messages_received", c_uint64),
        ("max_bytes_sent", c_uint64),
        ("max_bytes_received", c_uint64),
        ("max_bytes_reduced", c_uint64),
        ("costs", c_char_p),
        ("parts_ran", c_char_p),
        ("counts", c_char_p),
        ("displs", c_char_p),
        ("end_min_s", c_double),
        ("end_mean_s", c_double),
        ("end_max_s", c_double),
        ("columns", POINTER(Column)),
        ("n_columns", c_size_t),
    ]


class Decision(ctypes.Structure):
    """``collsim_decision``"""

    _fields_ = [
        ("p", c_int),
        ("bytes", c_uint64),
        ("library", c_char_p),
        ("id", c_char_p),
        ("text", c_char_p),
        ("algorithm", c_char_p),
        ("missing", c_char_p),
        ("setting", c_char_p),
        ("per_node", c_int),
    ]


# What each function returns and takes, without the last parameter `error` of those in FALLIBLE.
PLAIN = {
    "error_code": (c_int, [c_void_p]),
    "error_message": (c_char_p, [c_void_p]),
    "error_free": (None, [c_void_p]),
    "version": (c_char_p, []),
    "collective_count": (c_size_t, []),
    "collective_name": (c_char_p, [c_size_t]),
    "algorithm_count": (c_size_t, [c_char_p]),
    "algorithm_name": (c_char_p, [c_char_p, c_size_t]),
    "free": (None, [c_void_p]),
    "platform_name": (c_char_p, [c_void_p]),
    "platform_free": (None, [c_void_p]),
    "request_free": (None, [c_void_p]),
    "request_stop": (None, [c_void_p]),
    "runs_count": (c_size_t, [c_void_p]),
    "runs_at": (POINTER(Run), [c_void_p, c_size_t]),
    "runs_note": (c_char_p, [c_void_p, c_size_t]),
    "runs_free": (None, [c_void_p]),
    "decisions_count": (c_size_t, [c_void_p]),
    "decisions_at": (POINTER(Decision), [c_void_p, c_size_t]),
    "decisions_free": (None, [c_void_p]),
}
FALLIBLE = {
    "platform_open": (c_void_p, [c_char_p]),
    "platform_parse": (c_void_p, [c_char_p, c_char_p, c_size_t]),
    "platform_set": (c_int, [c_void_p, c_char_p]),
    "platform_text": (c_void_p, [c_void_p]),
    "request_new": (c_void_p, [c_void_p, c_char_p]),
    "request_ranks_list": (c_int, [c_void_p, c_char_p]),
    "request_sizes_list": (c_int, [c_void_p, c_char_p]),
    "request_algorithms": (c_int, [c_void_p, c_char_p]),
    "request_option": (c_int, [c_void_p, c_char_p, c_char_p]),
    "predict": (c_void_p, [c_void_p]),
    "rank": (c_void_p, [c_void_p]),
    "best": (c_void_p, [c_void_p, c_int]),
    "decide": (c_void_p, [c_void_p, c_char_p]),
    "calibrate": (c_void_p, [c_char_p, POINTER(c_char_p), c_size_t, c_void_p, c_char_p]),
}


def candidates() -> Iterator[str]:
    """Yields the files that may be the library, in the order in which they are tried."""
    here = os.path.dirname(os.path.realpath(__file__))
    yield os.path.join(here, "lib", NAME)  # installed by pip
    prefix = os.path.abspath(os.path.join(here, "..", "..", ".."))  # PREFIX/lib of PREFIX/lib/python3/dist-packages
    yield os.path.join(prefix, NAME)
    yield from sorted(glob.glob(os.path.join(glob.escape(prefix), "*-linux-*", NAME)))  # a folder for an architecture
    tree = os.path.dirname(prefix)  # of sim/library/python/collsim
    yield os.path.join(tree, "build", NAME)


def file() -> str:
    """Returns the file of the library, or its name alone where the system has to find it."""
    named = os.environ.get("COLLSIM_LIBRARY", "")
    return named or next((file for file in candidates() if os.path.exists(file)), NAME)


def load() -> ctypes.CDLL:
    """Loads the library. Raises ImportError, with one line, if it is not there or has another interface."""
    found = file()
    try:
        library = ctypes.CDLL(found)
        tables: List[Tuple[Dict[str, Any], List[Any]]] = [(PLAIN, []), (FALLIBLE, [POINTER(c_void_p)])]
        for table, last in tables:
            for name, (returned, taken) in table.items():
                function = getattr(library, "collsim_" + name)
                function.restype = returned
                function.argtypes = taken + last
    except (OSError, AttributeError, ValueError) as error:
        raise ImportError(
            f"{found!r} cannot be used as libcollsim: {error}; "
            "allowed: COLLSIM_LIBRARY=FILE, an installed libcollsim.so, or that of `make` in the tree of this module"
        ) from None
    return library


_library = load()


def plain(name: str, *arguments: Any) -> Any:
    """Calls a function that cannot fail."""
    return getattr(_library, "collsim_" + name)(*arguments)


def call(name: str, *arguments: Any) -> Any:
    """Calls a function that can fail. Raises Error if it does."""
    stored = c_void_p()
    returned = getattr(_library, "collsim_" + name)(*arguments, byref(stored))
    if not stored:
        return returned
    message, code = string(plain("error_message", stored)), plain("error_code", stored)
    plain("error_free", stored)
    raise Error(message or "", code)


def run(name: str, request: int, *arguments: Any) -> Any:
    """Calls a function that makes runs of a request, which may take long: Ctrl-C ends it.

    Python tells the main thread alone of signals, and not before a call of C returns. So another thread makes the call, and the
    main one waits. The library does not hold Python's lock meanwhile.
    """
    if threading.current_thread() is not threading.main_thread():
        return call(name, request, *arguments)
    made: List[Any] = []
    errors: List[Error] = []
    lock, ended = threading.Lock(), threading.Event()
    begun: List[bool] = []
    given_up: List[bool] = []

    def work() -> None:
        with lock:
            if given_up:
                return
            begun.append(True)
        try:
            made.append(call(name, request, *arguments))
        except Error as error:
            errors.append(error)
        finally:
            ended.set()

    try:
        threading.Thread(target=work, name="collsim", daemon=True).start()
        while not ended.wait(_TURN):
            pass
    except BaseException:  # what a handler of a signal raises, such as KeyboardInterrupt, perhaps before the call began
        plain("request_stop", request)
        with lock:
            given_up.append(True)
        while begun and not _waited(ended):  # the points that are simulated now end first, because the request is theirs
            pass
        for handle in made:
            plain("runs_free", handle)
        raise
    if errors:
        raise errors[0]
    return made[0]


# Seconds. A signal that comes just before a thread begins to wait does not end the wait: Python looks at it at its end.
_TURN = 0.1


def _waited(event: threading.Event) -> bool:
    """Waits for an event, and returns False if it did not come in a turn, or a signal came first."""
    try:
        return event.wait(_TURN)
    except KeyboardInterrupt:
        return False


def string(text: Any) -> Any:
    """Returns a text of the library as str; None for NULL."""
    return None if text is None else text.decode("utf-8", "replace")


def text(value: Any, what: str) -> bytes:
    """Returns a str as the library takes it. Raises Error if there is no such text in C."""
    if not isinstance(value, str) and hasattr(value, "__fspath__"):
        value = os.fspath(value)
    if not isinstance(value, str):
        raise Error(f"{what} is {shown(value)}; allowed: a text")
    if "\0" in value:
        raise Error(f"{what} has a zero byte; allowed: a text without it")
    try:
        return value.encode("utf-8")
    except UnicodeEncodeError:
        raise Error(f"{what} is not UTF-8; allowed: UTF-8") from None


def shown(value: Any) -> str:
    """Returns any object as a short text of one line, for an error."""
    try:
        line = repr(value)
    except Exception:  # whatever the object of a caller raises
        line = f"an object of {type(value).__name__}"
    line = line.encode("unicode_escape").decode("ascii")
    return line if len(line) <= 60 else line[:57] + "..."


def texts(values: List[bytes]) -> Any:
    """Returns an array of texts."""
    return (c_char_p * len(values))(*values)
