"""Builds the wheel that `pip install .` installs: the Python package, with libcollsim.so, the program, and their data inside.

pip calls build_wheel (pyproject.toml names this file). It runs `make`, and so needs a compiler; it needs no other Python
package, and no network. BUILD in the environment names the folder that make builds in.
"""

import base64
import hashlib
import os
import re
import subprocess
import sysconfig
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.abspath(os.path.join(HERE, "..", "..", ".."))
BUILD = os.path.abspath(os.path.join(TREE, os.environ.get("BUILD", "build")))
# What the library and the program read. They look for it in share/collsim beside the folders lib and bin of the package.
DATA = ("platforms", "decisions", "plots", *("experiments/" + x for x in ("claims", "names", "choices", "profiles", "sweeps")))
PROGRAM = "collsim/bin/collsim"


def version():
    with open(os.path.join(TREE, "sim", "base", "version.h"), encoding="utf-8") as file:
        return re.search(r'COLLSIM_VERSION "(.*)"', file.read()).group(1)


def sources():
    """Returns the files of the wheel, as pairs of a name in it and a file."""
    package = os.path.join(HERE, "collsim")
    found = [("collsim/" + name, os.path.join(package, name)) for name in os.listdir(package) if not name.startswith("__pyc")]
    found.append(("collsim/lib/libcollsim.so.0", os.path.join(BUILD, "libcollsim.so.0")))
    found.append((PROGRAM, os.path.join(BUILD, "collsim")))
    for folder in DATA:
        for name in os.listdir(os.path.join(TREE, folder)):
            if name.endswith((".ini", ".hosts", ".csv", ".gp")):
                found.append((f"collsim/share/collsim/{folder}/{name}", os.path.join(TREE, folder, name)))
    return sorted(found)


def metadata():
    return (
        f"Metadata-Version: 2.1\nName: collsim\nVersion: {version()}\n"
        "Summary: Predicts how long MPI collectives take without running them\nRequires-Python: >=3.8\n"
    )


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    subprocess.run(["make", "-s", "-C", TREE, f"BUILD={BUILD}", f"{BUILD}/libcollsim.so", f"{BUILD}/collsim"], check=True)
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    tag, info = f"py3-none-{platform}", f"collsim-{version()}.dist-info"
    wheel = f"collsim-{version()}-{tag}.whl"
    record = []
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:

        def add(name, content):
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}\n")
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if name == PROGRAM else 0o100644) << 16
            archive.writestr(entry, content)

        for name, path in sources():
            with open(path, "rb") as file:
                add(name, file.read())
        add(f"{info}/METADATA", metadata().encode())
        add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: collsim\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
        archive.writestr(f"{info}/RECORD", "".join(record) + f"{info}/RECORD,,\n")
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    raise RuntimeError("pip makes no source packages of collsim; allowed: make dist")
