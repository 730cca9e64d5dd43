#!/bin/sh
# The notebooks of docs/examples: every cell runs, and shows what is committed. `tests/notebooks.py --write docs/examples/*.ipynb`
# keeps what they show now.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
unset MAKEFLAGS MAKELEVEL
limit 200
PYTHONPATH=$root/sim/library/python COLLSIM_LIBRARY=$(dirname "$COLLSIM")/libcollsim.so.0 COLLSIM_PROGRAM=$COLLSIM
export PYTHONPATH COLLSIM_LIBRARY COLLSIM_PROGRAM LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 HOME="$dir" IPYTHONDIR="$dir"
export JUPYTER_PLATFORM_DIRS=1 JUPYTER_RUNTIME_DIR="$dir/runtime"

lacks() { # what the notebooks need and is not there
    command -v jupyter-nbconvert >/dev/null || { echo 'jupyter-nbconvert is missing (Debian: jupyter-nbconvert)' && return; }
    /usr/bin/python3 -c 'import ipykernel' 2>/dev/null || { echo 'ipykernel is missing (Debian: python3-ipykernel)' && return; }
    command -v gnuplot >/dev/null || echo 'gnuplot is missing (Debian: gnuplot-nox)'
}
why=$(lacks)
[ "${SANITIZED-}" ] && why=sanitized
for notebook in "$root"/docs/examples/*.ipynb; do
    name=${notebook##*/}
    if [ "$why" ]; then
        echo "ok $((n = n + 1)) - $name # SKIP $why"
        continue
    fi
    cp "$root"/docs/examples/measured-*.csv .
    cp "$notebook" "$name"
    executes() { "$root/tests/notebooks.py" "$name" >out 2>err; }
    ok "$name" executes
    links() { # its links lead somewhere
        grep -o '](\.\./[A-Za-z]*\.md)' "$notebook" | tr -d '()]' | sort -u | while read -r to; do [ -e "$root/docs/examples/$to" ] || exit 1; done
    }
    ok "$name: its links" links
done
echo "1..$n"
