"""Machines."""

from __future__ import annotations

import ctypes
import itertools
import os
import re
from typing import Any, List, Optional

from . import _native
from ._native import Error
from ._options import MOST_VALUES, Settings, settings


class Platform:
    """A machine: the figures that cost models need, each with its source. It does not change.

        Platform("lumi")                                 an installed platform
        Platform("./mine.ini")                           a file; it has a '/' or ends in .ini
        Platform("lumi", set={"alpha": "2us"})           with other figures, as the option --set has them

    Raises Error if there is no such machine, or a figure is not allowed.
    """

    def __init__(self, name_or_file: str, *, set: Optional[Settings] = None) -> None:
        given = _native.text(name_or_file, "platform")
        self._own(_native.call("platform_open", given), set, name=given.decode("utf-8"))

    @classmethod
    def parse(cls, name: str, text: str, *, set: Optional[Settings] = None) -> "Platform":
        """Reads a platform from the text of an .ini file."""
        given = _native.text(text, "text")
        self = cls.__new__(cls)
        self._own(_native.call("platform_parse", _native.text(name, "name"), given, len(given)), set, text=text)
        return self

    def _own(self, handle: int, set: Optional[Settings] = None, name: str = "", text: str = "") -> None:
        self._handle: Any = handle
        self._name, self._text = name, text  # what the program is told: a name or file, or the text of a file
        self._sets = settings(set, "set")
        for assignment in self._sets:
            _native.call("platform_set", handle, _native.text(assignment, "set"))

    @property
    def name(self) -> str:
        """The name: that of the file without the folder and ".ini"."""
        name: str = _native.string(_native.plain("platform_name", self._handle))
        return name

    def text(self) -> str:
        """Returns the platform as the text of an .ini file, but without a topology."""
        text = _native.call("platform_text", self._handle)
        try:
            return ctypes.string_at(text).decode("utf-8")
        finally:
            _native.plain("free", text)

    def _arguments(self, folder: str, option: str) -> List[str]:
        """Returns the options that give the program this platform, whose text it reads from a file in a folder."""
        name = self._name
        if not name:
            own = self.name
            stem = own if re.fullmatch(r"\w[\w.-]{0,100}", own, re.ASCII) else "platform"
            name = os.path.join(folder, stem + ".ini")
            with open(name, "w", encoding="utf-8", newline="") as file:
                file.write(self._text or self.text())
        return [f"--{option}={name}", *(f"--set={x}" for x in self._sets)]

    def __repr__(self) -> str:
        return f"collsim.Platform({self.name!r})"

    def __reduce__(self) -> Any:
        raise Error("a Platform cannot be copied or pickled; allowed: its name, or its text()")

    def __del__(self) -> None:
        handle, self._handle = getattr(self, "_handle", None), None
        free = getattr(_native, "plain", None)  # None when Python ends
        if handle and free:
            free("platform_free", handle)


Platform.__module__ = "collsim"  # its name for users


def platforms(platform: Any, set: Optional[Settings]) -> List[Platform]:
    """Returns one or more machines as a list."""
    if isinstance(platform, Platform):
        if set:
            raise Error("set changes a platform that is named; allowed: Platform(NAME, set=..) or Platform.parse")
        return [platform]
    if isinstance(platform, str) or not hasattr(platform, "__iter__"):
        return [Platform(platform, set=set)]
    given = list(itertools.islice(platform, MOST_VALUES + 1))
    if not 1 <= len(given) <= MOST_VALUES:
        raise Error(f"platform has {len(given) or 'no'} values; allowed: 1 .. {MOST_VALUES}")
    return [item if isinstance(item, Platform) and not set else Platform(item, set=set) for item in given]
