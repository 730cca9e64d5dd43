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
    from = calloc(4, 1 << 18);
    to = calloc(4, 1 << 18);
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
runs() { # runs EXPECTED OPTIONS...: what decides bcast and allgather at the sizes
    expected=$1
    shift
    asked "$@" --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename "$PWD/tuned.conf"
    [ "$(cat out)" = "$expected " ] || { cat err && false; }
}
SIZES='99 100 399 400 999 1000 9999 10000 10001' HOSTS=one:2,two:2
asked() { # asked OPTIONS...: asks Open MPI with these options
    # By its name: a path would count as where Open MPI is on all hosts. Messages take the loopback, which a machine
    # without a network has too.
    # shellcheck disable=SC2086 # words are words
    mpirun.openmpi $root --oversubscribe --mca plm_rsh_agent "$PWD/here" --host $HOSTS -np 4 --mca btl self,tcp \
        --mca btl_tcp_if_include lo --mca oob_tcp_if_include lo \
        "$@" ./ask $SIZES </dev/null 2>err | awk '{ print $2 substr($3, 1, 1) }' | tr '\n' ' ' >out
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
# On one node HAN serves nothing, and tuned's file acts as if HAN were not there.
# shellcheck disable=SC2086 # options
{
    HOSTS=one:4
    ok 'on one node its file acts as it is' runs 'othero othert othert tunedt tunedt tunedt tunedt othert othert' $HAN $FILE
    HOSTS=one:2,two:2
}

# What docs/TUNING.md says to look for.
# shellcheck disable=SC2086 # options
{
    ok 'coll_base_verbose 30' runs 'othero othert othert othert othert tunedo tunedo othero othero' $HAN $FILE --mca coll_base_verbose 30
    ok '.. says that HAN serves the communicator' grep -q 'comm_select: selecting *han, priority *40, Enabled' err
    ok '.. and that it read its file' grep -q "init_dynamic_rules read [0-9]* rules from $PWD/han.conf" err
    ok '.. with a file that is missing, HAN decides' runs 'othero othero othero othero othero othero othero othero othero' $HAN $FILE.not --mca coll_base_verbose 30
    ok '.. and it says so' grep -q "init_dynamic_rules cannot open dynamic file" err
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

# A pair of tune, with the options that it prints. Its ids become one that does not exist.
SIZES='8 2000 41604 41605 100000 131071 131072 200000'
grid='-p 2x2 -m 8,64K,256K --platform archer2 --han priority=40 --sure 50'
# shellcheck disable=SC2086 # words are words
ok 'tune ompi-4.1 --han priority=40' c tune ompi-4.1 bcast $grid -o pair
options=$(sed -n 's/^mpirun \(.*\) \.\.\.$/\1/p' out)
# What its file for HAN says of bcast on 4 ranks.
expected=$(awk -v sizes="$SIZES" '
    $1 == "4" && /# ranks/ { on = 1; next } /# ranks/ { on = 0 } on { from[++k] = $1; runs[k] = $2 }
    END { n = split(sizes, size, " "); for (i = 1; i <= n; i++) { for (j = k; from[j] > size[i]; j--); print (runs[j] == "tuned" ? "tunedo" : "othero") } }
    ' pair/han.conf | tr '\n' ' ')
ok '.. has both' sh -c "case '$expected' in *othero*tunedo* | *tunedo*othero*) ;; *) exit 1 ;; esac"
sed -i '/rule-file/!s/^\([0-9]*\) [1-9][0-9]* \([0-9]* [0-9]*\)$/\1 99 \2/' pair/tuned.conf
# shellcheck disable=SC2086 # options
pair() { asked $options; [ "$(cat out)" = "$expected" ] || { echo "$expected" && cat out err && false; }; }
ok '.. acts, loaded with what it prints' pair

# What HAN runs between the nodes, by the messages of the nodes' first ranks on three nodes of two (its component monitoring
# counts them): an allreduce in segments by libnbc; a reduce without, by tuned, as the first segment of a bcast. A
# binomial tree has a message between ranks 0 and 4, and a chain one between 2 and 4.
cat >between.c <<'END'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    const int n = 1 << 13;
    MPI_Init(&argc, &argv);
    int *from = calloc(n, 4), *to = calloc(n, 4), *all = calloc(10 * n, 4);
    if (argc > 1 && argv[1][0] == 'b')
        MPI_Bcast(to, n, MPI_INT, 0, MPI_COMM_WORLD);
    else if (argc > 1 && argv[1][0] == 'r')
        MPI_Reduce(from, to, n, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    else if (argc > 1 && argv[1][0] == 'g')
        MPI_Allgather(from, n, MPI_INT, all, n, MPI_INT, MPI_COMM_WORLD);
    else
        MPI_Allreduce(from, to, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return MPI_Finalize();
}
END
"$mpicc" between.c -o between
NODES='one:2,two:2,three:2 -np 6'
sends() { # sends CALL PAIRS OPTIONS...: the nodes' first ranks send each other long messages, "2>0 4>0"
    call=$1 expected=$2
    shift 2
    rm -f sent.*
    # shellcheck disable=SC2086 # words are words
    mpirun.openmpi $root --oversubscribe --mca plm_rsh_agent "$PWD/here" --host $NODES \
        --mca btl self,tcp --mca btl_tcp_if_include lo --mca oob_tcp_if_include lo $HAN "$@" --mca pml_monitoring_enable 2 \
        --mca pml_monitoring_enable_output 3 --mca pml_monitoring_filename "$PWD/sent" ./between "$call" </dev/null 2>err
    cat sent.* | awk '$1 == "I" && $4 > 9000 && $2 % 2 == 0 && $3 % 2 == 0 { print $2 ">" $3 }' | sort -u | tr '\n' ' ' >out
    [ "$(cat out)" = "$expected " ] || { cat out err && false; }
}
TUNED='--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_reduce_algorithm'
if ompi_info | grep -q 'MCA pml: monitoring'; then
    # shellcheck disable=SC2086 # options
    {
        ok 'an allreduce in segments goes by libnbc' sends allreduce '0>2 2>0 2>4 4>2' \
            --mca coll_libnbc_ireduce_algorithm chain --mca coll_libnbc_ibcast_algorithm chain
        ok '.. and not by tuned' sends allreduce '0>2 0>4 2>0 4>0' --mca coll_libnbc_ireduce_algorithm binomial \
            --mca coll_libnbc_ibcast_algorithm binomial $TUNED 3 --mca coll_tuned_bcast_algorithm 3
        ok 'a simple reduce goes by tuned' sends reduce '2>0 4>0' --mca coll_han_use_simple_reduce 1 \
            --mca coll_libnbc_ireduce_algorithm chain $TUNED 1
        ok 'the first segment of a bcast, too' sends bcast '0>2 2>4' --mca coll_libnbc_ibcast_algorithm linear \
            --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_bcast_algorithm 3
        # Where its calls block, tuned decides by the number of nodes. Bruck's algorithm sends 1, 2 and 4 nodes down.
        NODES='one:2,two:2,three:2,four:2,five:2 -np 10'
        ok 'an allgather goes by tuned' sends gather '0>2 2>4 4>6 6>8 8>0' --mca coll_tuned_use_dynamic_rules 1 \
            --mca coll_tuned_allgather_algorithm 4
        ok '.. which decides with a rank for each node' sends gather \
            '0>2 0>6 0>8 2>0 2>4 2>8 4>0 4>2 4>6 6>2 6>4 6>8 8>0 8>4 8>6'
        ok '.. as run says' gives 'han (allgather: 2 bruck' run allgather ompi-4.1:auto -p 5x2 -m 32K --han priority=40
        ok 'a simple reduce by tuned' sends reduce '2>0 4>2 6>4 8>6' --mca coll_han_use_simple_reduce 1
        ok '.. as run says' gives 'han (reduce: 2 chain' \
            run reduce ompi-4.1:auto -p 5x2 -m 32K --element 4 --han algorithm=simple,priority=40
        ok 'a simple bcast' sends bcast '0>2 0>4 0>6 0>8' --mca coll_han_use_simple_bcast 1
        ok '.. as run says' gives 'han (bcast: 1 basic_linear' \
            run bcast ompi-4.1:auto -p 5x2 -m 32K --han algorithm=simple,priority=40
    }
fi
echo "1..$n"
