#!/bin/sh
# A pair of rules files, one for HAN and one for tuned, with Open MPI 4.1.4 itself on two nodes of two ranks. The nodes are
# pretended: what Open MPI starts by ssh runs here, and so it takes the ranks for those of two hosts. A rule of tuned
# that names an algorithm which does not exist makes a call return an error, so that one sees which calls tuned's file
# decides: those that HAN's file hands to tuned.
. "$(dirname "$0")/tap.sh"
mpirun=$(command -v mpirun.openmpi) mpicc=$(command -v mpicc.openmpi)
if [ -z "$mpirun" ] || [ -z "$mpicc" ] || [ "$(ompi_info --version | head -n 1)" != "Open MPI v4.1.4" ]; then
    echo '1..0 # SKIP there is no Open MPI 4.1.4'
    exit
fi
cat >here <<'END'
#!/bin/sh
# Runs a command for a host: the options of ssh and the host's name are left out. A host has files of its own.
while [ "${1#-}" != "$1" ]; do shift; done
mkdir -p "$PLACES/$1" && export TMPDIR="$PLACES/$1"
shift
exec sh -c "$*"
END
chmod +x here
cat >ask.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    char *from, *to;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    from = calloc(4, 1 << 16);
    to = calloc(4, 1 << 16);
    for (int i = 1; i < argc; i++) {
        const int n = atoi(argv[i]), first = MPI_Bcast(to, n, MPI_CHAR, 0, MPI_COMM_WORLD),
                  second = MPI_Allgather(from, n, MPI_CHAR, to, n, MPI_CHAR, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%d %s %s\n", n, first ? "tuned" : "other", second ? "tuned" : "other");
    }
    return MPI_Finalize();
}
END
"$mpicc" ask.c -o ask
# tuned: bcast from 400 to 9,999 bytes; allgather from 400 bytes of all four ranks on. Both on 4 ranks and more.
printf '2\n7 2\n0 1\n0 0 0 0\n4 3\n0 0 0 0\n400 99 0 0\n10000 6 0 0\n0 2\n0 1\n0 0 0 0\n4 2\n0 0 0 0\n400 99 0 0\n' >tuned.conf
# HAN hands bcast over from 1,000 bytes on, and allgather up to 999 bytes of one rank.
printf '2\nbcast 1\n2 1\n1 2\n0 han\n1000 tuned\nallgather 1\n2 1\n1 2\n0 tuned\n1000 han\n' >han.conf
root=
[ "$(id -u)" != 0 ] || root=--allow-run-as-root
runs() { # runs EXPECTED OPTIONS...: what decides bcast and allgather at 9 sizes
    expected=$1
    shift
    # By its name: a path would count as where Open MPI is on all hosts. Messages take the loopback, which a machine
    # without a network has too.
    # shellcheck disable=SC2086 # no option, or one
    timeout 120 mpirun.openmpi $root --oversubscribe --mca plm_rsh_agent "$PWD/here" --host one:2,two:2 -np 4 --mca btl self,tcp \
        --mca btl_tcp_if_include lo --mca oob_tcp_if_include lo \
        --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename "$PWD/tuned.conf" "$@" ./ask 99 100 \
        399 400 999 1000 9999 10000 10001 </dev/null 2>err | awk '{ print $2 substr($3, 1, 1) }' | tr '\n' ' ' >out
    [ "$(cat out)" = "$expected " ] || { cat err && false; }
}
PLACES=$PWD/places
export PLACES
HAN="--mca coll_han_priority 40"
FILE="--mca coll_han_use_dynamic_file_rules 1 --mca coll_han_dynamic_rules_filename $PWD/han.conf"
# shellcheck disable=SC2086 # options
{
    ok 'tuned alone' runs 'othero othert othert tunedt tunedt tunedt tunedt othert othert'
    ok 'HAN alone decides' runs 'othero othero othero othero othero othero othero othero othero' $HAN
    ok 'HAN hands over what its file says' runs 'othero othert othert othert othert tunedo tunedo othero othero' $HAN $FILE
}

# What rules check says of the same files: all of tuned's rules act, until HAN keeps a collective.
says_pair() { # says_pair TRAPS: the numbers of the lines that never act
    "$COLLSIM" rules check tuned.conf --for ompi-4.1 --han han.conf >all
    [ "$(sed -n 's/^tuned.conf:\([0-9]*\): dead:.*/\1/p' all | tr '\n' ' ')" = "$1" ] || { cat all && false; }
}
ok 'rules check: all act' says_pair ''
printf '1\nbcast 1\n2 1\n1 2\n0 han\n1000 tuned\n' >han.conf
ok 'rules check: allgather does not' says_pair '14 '
# shellcheck disable=SC2086 # options
ok '.. and so it is' runs 'othero othero othero othero othero tunedo tunedo othero othero' $HAN $FILE
echo "1..$n"
