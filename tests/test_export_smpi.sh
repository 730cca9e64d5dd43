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

ok "-p NxK is --map block:K" sh -c '"$0" export smpi-platform -p 3x4 -o b.xml >/dev/null 2>&1 && "$0" export smpi-platform -p 12 --map block:4 -o n.xml >/dev/null 2>&1 && cmp b.xml n.xml && cmp b.hosts n.hosts' "$COLLSIM"
ok "--map cyclic:K" export_smpi -p 5 --map cyclic:2 -o n.xml
ok "a cyclic map in the hostfile" sh -c '[ "$(tr "\n" " " <n.hosts)" = "n0 n1 n2 n0 n1 " ]'
{ two_levels 4 1us 0.4us 0.08ns/B 0.05ns/B 0 && cat; } >box.ini <<'INI'
[node]
nic.rate = 12.5GB/s
nic.rate.source = test
INI
N="--platform ./box.ini -p 2x4"
ok "a node with a NIC" export_smpi $N -o n.xml
ok "the NIC is the host's link" says n.xml 'bw="12500000000Bps"'
ok "a NIC as fast as a port: no limit for each message" sh -c '! grep -q bb_bw n.xml'
ok "the ranks of a node use the loopback" says n.xml 'loopback_bw="20000000000Bps" loopback_lat="3.99'
ok "a NIC as fast as a port: no note" sh -c '! grep -q note err'
ok "a faster NIC" export_smpi $N --set nic.rate=50GB/s -o n.xml
ok "each message is limited to a port" says n.xml 'bb_bw="12500000000Bps" bb_lat="0s" bb_sharing_policy="FATPIPE"'
ok "a faster NIC: a note" says err "note: nic.rate is above 1 / beta"
ok "several NICs for more ranks" fails "nics is 2, and SMPI's hosts have one link" $N --set nics=2
ok "messages per second" fails "nic.messages is 10M/s" $N --set nic.messages=10M/s
ok "a node's memory" fails "memory is 0.5" $N --set memory=0.5
ok "a NIC slower than a port" fails "nic.rate is 10GB/s, and a rank's port is faster" $N --set nic.rate=10GB/s
ok "a NIC under eager" fails "transfer eager" $N --transfer eager
ok "a map of other than p lines" sh -c 'printf "0\n1\n" >two.map; "$0" export smpi-platform -p 4 --map two.map -o bad.xml 2>err; [ $? = 2 ] && [ ! -e bad.xml ]' "$COLLSIM"
ok "two maps" fails "both place the ranks" $N --map block:4 --per-node 4

ok "no -p" fails "-p is missing; allowed: -p P"
ok "several numbers of ranks" fails "-p has 2 numbers; allowed: one" -p 4,5
ok "more ranks than hosts" fails "topology torus 4,4 has 16 hosts, 17 are needed" -p 17 --platform torus-16
ok "alpha below the time of SMPI's 16 extra bytes" fails "alpha of 16 beta or more" -p 4 --set alpha=1ns
ok "no such transfer" fails "did you mean eager?" -p 4 --transfer eagr
ok "eager on a topology" fails "transfer eager has no network" -p 4 --platform torus-16 --transfer eager
ok "no such platform" fails "unknown platform" -p 4 --platform none
ok "a figure of another model" fails "unknown parameter of hockney" -p 4 --set L=2us
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

    # Recursive doubling on two nodes of 4: in the last of three rounds, all ranks of a node send n bytes to the other node
    # at once. collsim's NIC serves one after the other, so the last ends at alpha + n beta + 3 n / rate; SMPI's serves
    # all at once, and its messages are 16 bytes longer. With a NIC as fast as a port, the last end agrees: only 3
    # messages' 16 bytes are left, because alpha makes up for one message's. Without NICs nothing is left. A faster NIC
    # lets SMPI end earlier, by n (beta - 1 / rate). The figures agree to 1e-9 of the time, the digits of MPI_Wtime.
    cat >double.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, p, n = atoi(argv[1]);
    char *in = calloc(1, n), *out = calloc(1, n);
    double t, last;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int d = 1; d < p; d *= 2)
        MPI_Sendrecv(out, n, MPI_BYTE, rank ^ d, 0, in, n, MPI_BYTE, rank ^ d, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    t = MPI_Wtime();
    MPI_Reduce(&t, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.17g\n", last);
    MPI_Finalize();
    return 0;
}
C
    smpicc double.c -o double 2>err || exit 1
    # last_end BYTES NIC EXTRA: with this nic.rate, SMPI's last end is collsim's plus EXTRA, a number of seconds
    last_end() {
        ours=$("$COLLSIM" run allreduce recursive_doubling $N -m "$1" --set "nic.rate=$2" -f csv 2>/dev/null |
            column time_s - | head -n 1)
        "$COLLSIM" export smpi-platform $N --set "nic.rate=$2" -o run.xml ./double "$1" >out 2>err || return 1
        smpi=$(sh out) || return 1
        echo "nic.rate $2: collsim $ours, SMPI $smpi" >err
        awk -v a="$ours" -v b="$smpi" -v x="$3" 'BEGIN { d = a + x - b; exit !(a > 0 && b > 0 && d < 1e-9 * b && d > -1e-9 * b) }'
    }
    for bytes in 8 1000 65536 1048576; do
        ok "$bytes bytes without NICs: the same end" last_end $bytes none 0
        ok "$bytes bytes to another node at once: the same last end, but for 48 bytes" \
            last_end $bytes 12.5GB/s "$(awk 'BEGIN { printf "%.17g", 48 * 0.08e-9 }')"
        ok "$bytes bytes, a NIC of twice a port: earlier by half the bytes" \
            last_end $bytes 25GB/s "$(awk "BEGIN { printf \"%.17g\", (16 - $bytes / 2) * 0.08e-9 }")"
    done
else
    echo "ok $((n = n + 1)) - SimGrid runs the program # SKIP smpicc and smpirun are missing"
fi
echo "1..$n"
