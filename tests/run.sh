#!/bin/sh
# Runs a test and judges its TAP: run.sh STAMP TEST. If all is well, it makes the file STAMP, by which make sees that the
# test need not run again, and prints one line; otherwise it prints what failed and exits with 1. The test's output stays
# in STAMP.log.
set -u
stamp=$1 test=$2
rm -f "$stamp"
# On one machine MPI needs no network and no PCI devices. A process that does not look for these, and does not map the tables
# of its launcher, starts in two thirds of the CPU time, and tests start hundreds.
export HWLOC_COMPONENTS="${HWLOC_COMPONENTS--pci}" PMIX_MCA_gds="${PMIX_MCA_gds-hash}"
# hwloc loads plugins for displays and GPUs, with the libraries of X and OpenCL, and UCX opens every network interface, in each
# rank. Without them Open MPI starts in five sixths of the CPU time, and MPICH in three quarters.
export HWLOC_PLUGINS_PATH="${HWLOC_PLUGINS_PATH-/dev/null}" UCX_TLS="${UCX_TLS-self,posix}"
# A rank that waits for another one gives up its processor, which the other one may need on a busy machine. There, tests that
# launch MPI take a third of the CPU time.
export OMPI_MCA_mpi_yield_when_idle="${OMPI_MCA_mpi_yield_when_idle-1}"
export OMPI_MCA_btl="${OMPI_MCA_btl-^tcp,openib,ofi,uct}" OMPI_MCA_pml="${OMPI_MCA_pml-^cm,ucx,v}"
# A test that waits for ever is ended with all that it started, and so is one whose make is interrupted: what runs in the
# background gets no signal from the terminal.
[ "${CHECK_ALL-}" ] && limit=7200 || limit=1800
timeout -k 5 $limit "$test" >"$stamp.log" 2>"$stamp.err" </dev/null &
trap 'kill $!; exit 130' INT TERM HUP
wait $!
status=$?
# The second line of `times` has the CPU time of the children as two words such as 1m2.34s.
times >"$stamp.times"
cpu=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "[ms]"); s += 60 * t[1] + t[2] } printf "%.1f", s }' "$stamp.times")
# A test that died early, that did not run what it planned, or whose cases failed has not passed, whatever its status is.
fault=$(awk -v status="$status" -v limit="$limit" '
    /^ok / { n++ }
    /^not ok / { n++; bad++ }
    /^1\.\.[0-9]+/ { planned = 1; plan = substr($1, 4) }
    /^Bail out/ { bad++ }
    END {
        if (status == 124) print "stopped after " limit " s"
        else if (bad) print bad " failed"
        else if (!planned) print "no plan"
        else if (n + 0 != plan) print "ran " n + 0 " of " plan
        else if (status) print "exit status " status
    }' "$stamp.log")
if [ -z "$fault" ]; then
    printf '%s .. ok (%d cases, %s s of CPU)\n' "$test" "$(grep -c '^ok ' "$stamp.log")" "$cpu"
    rm -f "$stamp.err" "$stamp.times"
    : >"$stamp"
    exit 0
fi
echo "FAILED  $test: $fault; see $stamp.log"
{
    awk '/^not ok|^Bail out/ { on = 20 } /^ok / { on = 0 } on-- > 0' "$stamp.log" | head -n 60
    tail -n 20 "$stamp.err"
} | sed 's/^/    /'
exit 1
