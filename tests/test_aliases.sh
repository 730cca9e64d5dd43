#!/bin/sh
# Open MPI's algorithms of bcast and gather send the messages of our entries, in their order: a few ranks only, the
# rest is `make aliases`.
. "$(dirname "$0")/tap.sh"
program=$(dirname "$COLLSIM")/tests/order_ompi
if [ ! -x "$program" ] || ! command -v mpirun.openmpi >/dev/null; then
    echo "1..0 # SKIP Open MPI is missing"
    exit
fi
root=
[ "$(id -u)" != 0 ] || root=--allow-run-as-root

compared() { # compared RANKS COLLECTIVE ALIASES LEAST: so many aliases, at least so many messages, and no call differs
    # shellcheck disable=SC2086 # no option, or one
    mpirun.openmpi $root --oversubscribe -np "$1" "$program" "$2" >out 2>err </dev/null || return 1
    awk -F, -v aliases="$3" -v least="$4" '{ n++; messages += $11; bad += $9 > 0 || $10 > 0 || $12 == "" }
        END { exit !(n == aliases && messages >= least && !bad) }' out
}

ok "bcast on 5 ranks" compared 5 bcast 9 2000
ok "gather on 5 ranks" compared 5 gather 3 300
echo "1..$n"
