#!/bin/sh
# `collsim export smpi-platform` as a user runs it: it writes both files or neither, and prints a command line that a
# shell can read. Where SimGrid is installed, a program that is run with this command line takes the time that the
# platform implies.
. "$(dirname "$0")/tap.sh"

export_smpi() { "$COLLSIM" export smpi-platform "$@" >out 2>err; }
fails() { # fails TEXT ARGUMENTS...: exits with 2, writes one line with TEXT to stderr, nothing to stdout and no file
    text=$1
    shift
    export_smpi "$@" -o bad.xml
    [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "$text" err && [ ! -s out ] && [ ! -e bad.xml ] && [ ! -e bad.hosts ]
}
lines() { [ "$(wc -l <"$1")" = "$2" ]; } # lines FILE N: the file has N lines

ok "writes both files" export_smpi -p 16 -o a.xml -- ./prog -n 'two words'
ok "one command line" lines out 1
ok "the command line has the files and the number of ranks" says out "smpirun -np 16 -platform a.xml -hostfile a.hosts -no-privatize"
ok "the command line has the program, quoted" says out "./prog -n 'two words'"
ok "the XML has the hosts" says a.xml 'radical="0-15"'
ok "the hostfile has a line for each rank" lines a.hosts 16
ok "a second export writes the same bytes" sh -c 'cp a.xml b.xml; "$0" export smpi-platform -p 16 -o a.xml >/dev/null && cmp a.xml b.xml' "$COLLSIM"
ok "-o of a folder that does not exist" export_smpi -p 4 --platform torus-16 -o new/folder
ok "the files in the folder have the platform's name" test -s new/folder/torus-16.xml -a -s new/folder/torus-16.hosts
ok "without a program the command line ends with PROGRAM" sh -c 'grep -q " PROGRAM$" out'
ok "without -o the files go into the current folder" sh -c '"$0" export smpi-platform -p 4 --platform dragonfly-16 >/dev/null && test -s dragonfly-16.xml' "$COLLSIM"
ok "--per-node" export_smpi -p 9 --per-node 4 -o n.xml
ok "the ranks of a node share a host" sh -c 'sort n.hosts | uniq -c | tr -s " \n" " " | grep -q "^ 4 n0 4 n1 1 n2 $"'
ok "--help" sh -c '"$0" export smpi-platform --help | grep -q "collsim export smpi-platform -p 16"' "$COLLSIM"
ok "export --help names smpi-platform" sh -c '"$0" export --help | grep -q smpi-platform' "$COLLSIM"

ok "no -p" fails "-p is missing; allowed: -p P"
ok "several numbers of ranks" fails "-p has 2 numbers; allowed: one" -p 4,5
ok "more ranks than hosts" fails "topology torus 4,4 has 16 hosts, 17 are needed" -p 17 --platform torus-16
ok "alpha below the time of SMPI's 16 extra bytes" fails "alpha of 16 beta or more" -p 4 --set alpha=1ns
ok "no such transfer" fails "did you mean eager?" -p 4 --transfer eagr
ok "eager on a topology" fails "transfer eager has no network" -p 4 --platform torus-16 --transfer eager
ok "no such platform" fails "unknown platform" -p 4 --platform none
ok "a figure of another model" fails "unknown parameter of hockney" -p 4 --set lanes=2
mkdir busy.xml.d && touch plain
ok "-o below a file" sh -c '"$0" export smpi-platform -p 4 -o plain/x.xml 2>err; [ $? = 2 ] && [ "$(wc -l <err)" = 1 ]' "$COLLSIM"

if command -v smpicc >/dev/null && command -v smpirun >/dev/null; then
    cat >ring.c <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    static char in[65536], out[65536];
    int rank, p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Sendrecv(out, sizeof out, MPI_BYTE, (rank + 1) % p, 0, in, sizeof in, MPI_BYTE, (rank + p - 1) % p, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%.9f\n", MPI_Wtime() * 1e6);
    MPI_Finalize();
    return 0;
}
C
    smpicc ring.c -o ring 2>err || exit 1
    for transfer in rendezvous eager eager-shared; do
        export_smpi -p 8 --transfer $transfer -o run.xml ./ring
        ok "$transfer: 64 KiB to the neighbour take 1 us + 65536 * 0.08 ns" sh -c 'sh out | grep -qx 6.242880000'
    done
else
    echo "ok $((n = n + 1)) - SimGrid runs the program # SKIP smpicc and smpirun are missing"
fi
echo "1..$n"
