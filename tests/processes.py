"""What /proc says of a process, for tests. A process may end at any moment, also between two lines of a test: then it has no
children, no words, and has used no time."""


def _read(process, name):
    try:
        with open(f"/proc/{process}/{name}", encoding="utf-8", errors="replace") as file:
            return file.read()
    except (FileNotFoundError, ProcessLookupError):  # it ended before, or while, its file was read
        return ""


def children(process):
    """The numbers of the processes that its first thread has started and that it has not waited for yet."""
    return _read(process, f"task/{process}/children").split()


def words(process):
    """Its command line."""
    return _read(process, "cmdline").split("\0")[:-1]


def used(process):
    """The time that it has run outside the kernel, in hundredths of a second of a processor."""
    return int((_read(process, "stat").rpartition(")")[2].split() or [0] * 12)[11])
