#!/bin/sh
# Sums of sizes, counts and times cannot wrap, and no simulation runs for ever or takes all memory. Input for which that
# would happen is refused, before it runs, by an error of one line; input just below a limit runs.
. "$(dirname "$0")/tap.sh"

# refused: reads rows of the form TEXT|ARGUMENTS from standard input. The program must refuse each row's arguments by an
# error that contains the text.
refused() {
    while IFS='|' read -r text arguments; do
        [ -z "$text" ] && continue
        # No argument contains a blank, so the shell may split the arguments at blanks.
        # shellcheck disable=SC2086
        ok "refused: $arguments" fails "$text" $arguments
    done
}
numbers() { # numbers N COUNT: prints COUNT lines that contain N
    i=0
    while [ $i -lt "$2" ]; do
        echo "$1"
        i=$((i + 1))
    done
}

c_fails() { # c_fails TEXT ARGUMENTS...: as fails, but the program may have begun its answer
    text=$1
    shift
    c "$@"
    [ $? = 2 ] && errs "$text"
}

# ---- Blocks of given lengths ----------------------------------------------------------------------------------------------
numbers 1152921504606846976 8 >eight   # 2^60 each, 2^63 in all
numbers 4611686018427387904 2 >two     # 2^62
numbers 4611686018427387904 4 >four
numbers 4611686018427387904 8 >wrapped # 2^65 in all, which wraps to 0
numbers 72057594037927935 8 >most      # p times their sum is just below 2^62, which is the limit
numbers 72057594037927936 8 >more      # p times their sum is 2^62
refused <<'END'
the blocks of 8 ranks are too long|run alltoallv padded_bruck -p 8 -m 0 --counts eight
the blocks of 2 ranks are too long|run reduce_scatter nonoverlapping -p 2 -m 0 --counts two
the blocks of 4 ranks are too long|run reduce_scatter nonoverlapping -p 4 -m 0 --counts four
the blocks of 4 ranks are too long|run reduce_scatter circulant -p 4 -m 0 --counts four
the blocks of 8 ranks are too long|run gatherv all -p 8 -m 0 --counts wrapped
the blocks of 8 ranks are too long|run scatterv linear -p 8 -m 0 --counts more
the blocks of 8 ranks are too long|show alltoallv padded_bruck -p 8 -m 0 --counts eight
the blocks of 8 ranks are too long|export goal allgatherv ring -p 8 -m 0 --counts eight
sends 2^62 bytes or more|run alltoallv padded_bruck -p 64 -m 64T --counts one-big
sends 2^62 bytes or more|show alltoallv padded_bruck -p 64 -m 64T --counts one-big
sends 2^62 bytes or more|export goal alltoallv padded_bruck -p 64 -m 64T --counts one-big
allowed: 1 .. 1G|run gatherv linear -p 8 -m 0 --element 4611686018427387904 --displs gaps
END
ok "blocks just below the limit" gives "504403158265495545 beta" run scatterv linear -p 8 -m 0 --counts most
ok "the other algorithms of the collective run" gives "not ranked: padded_bruck, cannot run: 2^62 bytes or more" \
    run alltoallv all -p 64 -m 64T --counts one-big
ok "one-big where it fits" gives ,72057594037927936, run alltoallv padded_bruck -p 4 -m 1024T --counts one-big --format csv

# ---- Totals ---------------------------------------------------------------------------------------------------------------
refused <<'END'
overflows; allowed: less than 2^62 bytes|run alltoall linear -p 64 -m 1024T
sends 2^62 bytes or more|run alltoall bruck -p 1000 -m 4T
sends 2^62 bytes or more|run allreduce allgather_reduce -p 4096 -m 1T
sends 2^62 bytes or more|run reduce_scatter_block recursive_doubling -p 1000 -m 4T
sends 2^62 bytes or more|run alltoall bruck -p 1000 -m 4T --model logp
keeps memories busy for 2^62 bytes or more|run allreduce ring -p 64 -m 256T --map block:64 --set memory=1024
sends 2^62 bytes or more|run alltoall bruck -p 1000 -m 4T --memory
END
ok "a pairwise alltoall of the same blocks" gives "4393648464592896 beta" run alltoall pairwise -p 1000 -m 4T
ok "best passes over what is too large" gives "pairwise" best alltoall -p 1000 -m 4T
ok "the largest size" gives "3377699720527872 beta" run bcast binomial -p 8 -m 1024T
ok "many ranks" gives "20 alpha + 687194767360 beta" run bcast binomial -p 1M -m 32G

# ---- Figures --------------------------------------------------------------------------------------------------------------
refused <<'END'
alpha: 1e+308 s is too large; allowed: 0, or 1e-100 s to 1e+09 s|run bcast binomial -p 8 -m 8 --set alpha=1e308s
alpha: 1e+308 s is too large|run bcast binomial -p 8 -m 8 --set alpha=1e308s --format json
alpha: 1e+308 s is too large|best bcast -p 8 -m 8 --set alpha=1e308s
alpha: 1e+10 s is too large|bound bcast -p 8 -m 8 --set alpha=1e10s
beta: 1e+10 s/B is too large|crossover bcast binomial linear -p 8 --set beta=1e10s/B
gamma: 1e-300 s/B is too small|run reduce binomial -p 8 -m 8 --set gamma=1e-300s/B
lanes: 1e+30 is too large|run bcast shm_flat -p 8 -m 8 --set lanes=1e30
L: 1e+10 s is too large|run bcast binomial -p 8 -m 8 --model loggops --set L=1e10s
END
sed 's/^ *//' >huge.ini <<'END'
    [hockney]
    alpha = 1us
    alpha.source = s
    beta = 1e10s/B
    beta.source = s
END
ok "a figure in a file: the error names the line" fails "huge.ini:4: beta: 1e+10 s/B is too large" run bcast binomial -p 8 -m 8 --platform huge.ini
sed 's/^ *//' >pieces.ini <<'END'
    [pieces]
    from = 0
    alpha = 1e10s
    beta = 1ns/B
    source = s
END
ok "a figure in [pieces]: the error names the line" fails "pieces.ini:3: alpha: 1e+10 s is too large" run bcast binomial -p 8 -m 8 --platform pieces.ini
finite() { c "$@" && [ ! -s err ] && ! grep -Eqi 'inf|nan' out; }
ok "the largest figures: finite times" finite run allreduce all -p 8 -m 1024T --set alpha=1e9s --set beta=1e9s/B --set gamma=1e9s/B --format json
ok "the largest and the smallest: best" finite best allreduce -p 8 -m 1024T --set alpha=1e9s --set beta=1e-100s/B --set gamma=1e-100s/B
ok "the largest figures: bounds" finite bound allreduce -p 8 -m 1024T --set alpha=1e9s --set beta=1e9s/B
# This takes two seconds.
takes 0 4 && ok "refused: more requirements than fit" fails "operations require more than 134217728 others" \
    run alltoall linear_sync -p 1000 -m 8 --param max_requests=400 --model loggops --full

# ---- GOAL -----------------------------------------------------------------------------------------------------------------
printf 'num_ranks 1\nrank 0 {\na: calc 9223372036854775807\nb: calc 9223372036854775807\nb requires a\n}\n' >calc.goal
printf 'num_ranks 2\nrank 0 {\nsend 9223372036854775807b to 1\n}\nrank 1 {\nrecv 9223372036854775807b from 0\n}\n' >pair.goal
printf 'num_ranks 2\nrank 0 {\nrecv 9223372036854775808b from 1\n}\nrank 1 {\n}\n' >huge.goal
printf 'num_ranks 1\nrank 0 {\na: calc 9223372036854775000\nb: calc 5\nb requires a\n}\n' >long.goal
refused <<'END'
calc.goal: the operations take up to 1.845e+19 ns in all; allowed: less than 9.223e+18 ns|run --goal calc.goal
huge.goal:3: '9223372036854775808' is too large; allowed: a number of bytes, at most 9223372036854775807|run --goal huge.goal
pair.goal: the operations take up to|run --goal pair.goal
long.goal: the operations take up to|run --goal long.goal --set o=1ps
END
ok "a calc just below the limit" gives '"max_finish_ns":9223372036854775005,' run --goal long.goal --format json

# ---- Segments, memory, claims, logs ---------------------------------------------------------------------------------------
echo 'collective,algorithm,p,bytes,time_s' >log.csv
echo 'alltoall,bruck,1000,4398046511000,1' >>log.csv
echo 'collective,algorithm,p,bytes,time_s' >slow.csv
echo 'pingpong,sendrecv,2,8,1e300' >>slow.csv
echo 'collective,algorithm,p,bytes,time_s' >wide.csv
echo 'bcast,binomial,18446744073709551615,8,1' >>wide.csv
refused <<'END'
the queues of shm_flat on 8 ranks have 2^62 bytes or more|run bcast shm_flat -p 8 -m 8 --param fragment=4611686018427387904
the queues of shm_flat on 8 ranks have 2^62 bytes or more|show bcast shm_flat -p 8 -m 8 --param fragment=64G --param slots=2147483647
--element 1048576 on 4194304 ranks; allowed: at most 262143|crossover allgather ring bruck -p 4M --element 1M
allowed: 1 .. 1G|best allreduce -p 8 -m 0 --element 4611686018427387904
log.csv:2: bruck on 1000 ranks sends 2^62 bytes or more|calibrate log.csv --set gamma=0s/B
slow.csv:2: a time of 1e+300 s|calibrate slow.csv
wide.csv:2: p is `18446744073709551615`|plot wide.csv
END
ok "check: no size that all blocks divide is small enough" gives "is not simulated" check allgather ring -p 100001

# ---- Too much to simulate -----------------------------------------------------------------------------------------------
limit 20
refused <<'END'
cuts a message into 2147483648 segments; allowed: at most 268435456 |run bcast pipeline -p 4 -m 2G --param segment=1
cuts a message into 2147483648 segments|run bcast pipeline -p 4 -m 2G --param segment=1 --transfer eager
cuts a message into 2147483648 segments|run bcast pipeline -p 4 -m 2G --param segment=1 --transfer eager-port --full
cuts a message into 2147483648 segments; allowed: at most 25000000 |run bcast pipeline -p 4 -m 2G --param segment=1 --model loggops
cuts a message into 2147483648 segments|run bcast pipeline -p 4 -m 2G --param segment=1 --model logp
cuts a message into 2147483648 segments|run bcast pipeline -p 4 -m 2G --param segment=1 --why
cuts a message into 2147483648 segments|show bcast pipeline -p 4 -m 2G --param segment=1
cuts a message into 2147483648 segments|export goal bcast pipeline -p 4 -m 2G --param segment=1
cuts a message into 2147483648 segments|export dot bcast pipeline -p 4 -m 2G --param segment=1
cuts a message into 2281701376 fragments; allowed: at most 134217728 |run bcast shm_flat -p 4 -m 17T
cuts a message into 2281701376 fragments|show bcast shm_flat -p 4 -m 17T
has 1099510579200 messages, and --memory looks at each; allowed: at most 4294967296|run allgather ring -p 1M -m 8 --memory
has 1073709056 messages that compete for ports; allowed: at most 200000000|run alltoall linear -p 32768 -m 8 --full
has 17179738112 messages to simulate; allowed: at most 2147483647|run alltoall linear -p 128K -m 8 --full --transfer eager
has 2147418112 requests open at a time; allowed: at most 1073741824|run alltoall linear -p 32768 -m 8 --full --transfer eager
operations to simulate; allowed: at most 2.75e+11|run allreduce ring -p 524289 -m 1M
has 1073709056 messages, and each is simulated or written; allowed: at most 50000000|run alltoall pairwise -p 32768 -m 8 --model loggops --full
one by one, takes about 3298928099328 steps; allowed: at most 17179869184, with a smaller -p|run alltoall bruck -p 1M -m 8 --memory
one by one, takes about 3298928099328 steps|run alltoall bruck -p 1M -m 8 --model loggops --platform loggopsim --full
one by one, takes about 68738285568 steps|run alltoallv padded_bruck -p 65536 -m 8 --counts linear
bruck on 1048576 ranks sends 2^62 bytes or more|run alltoall bruck -p 1M -m 1M
END
# It takes a tenth of a second; where parts cut the message into millions of pieces, it takes 11.
briefly() (limit 4 && finite "$@")
ok "parts in small segments of long messages are not tried" briefly best reduce -p 2x1 -m 16T --platform leonardo --format json
ok "all algorithms are too large: the first one's error" c_fails "cuts a message into 2281701376 fragments" run allreduce all --model shared -p 4 -m 17T
ok "the others run" gives "not ranked: pipeline, cannot run: too much to simulate" run bcast all -p 4 -m 2G --param segment=1
ok "symmetry makes it little" gives "1048575 alpha" run allgather ring -p 1M -m 8
ok "and also in the LogP family" gives "262143 L" run allgather ring -p 256K -m 8 --model loggops
ok "blocks that travel together are not segments" gives "351.5 us" run alltoall bruck -p 65536 -m 8
ok "nor are they on a million ranks" gives "20 alpha + 83886080 beta" run alltoall bruck -p 1M -m 8
ok "nor with another radix" gives "25 alpha + 71094952 beta" run alltoall bruck -p 1M -m 8 --param radix=3
ok "nor in alltoallv" gives "20 alpha + 83886080 beta" run alltoallv padded_bruck -p 1M -m 8
ok "nor where a library decides" gives "mpich-4.3:auto  6.731 ms" run alltoall ompi-4.1:auto,mpich-4.3:auto -p 1M -m 8
ok "a first segment is not a segment" gives "7 alpha" run gather linear_sync -p 4 -m 8G --param first_segment=1

# Sanitizers need more virtual memory than a limit would allow.
within() { # within KB TEXT ARGUMENTS..: as fails, with so much virtual memory
    kb=$1
    shift
    (ulimit -v "$kb" && fails "$@")
}
# One node has 20,000 ranks and 20,000 have one, so the NICs that they use are few, but not their number times the nodes.
{ yes 0 | head -n 20000 && seq 20000; } >crowded
if [ -z "${SANITIZED:-}" ]; then
    ok "NICs that no rank uses" sh -c 'ulimit -v 500000 && "$0" run bcast binomial -p 40000 -m 8 --map crowded --set nics=1024 --set nic.rate=1GB/s >out 2>err' "$COLLSIM"
    ok "memory of the ranks" within 200000 "needs 272M of memory, and" run bcast binomial -p 4M -m 8
    ok "memory of the schedule" within 200000 "more memory than the" run bcast binomial -p 64 -m 2M --param segment=1
    ok "memory of open requests" within 200000 "of memory, and" run alltoallv linear -p 2000 -m 8 --counts linear
    ok "memory of a graph" within 200000 "of memory, and" run alltoall pairwise -p 2000 -m 8 --model loggops --full
    ok "memory of flags" within 75000 "of memory, and" run bcast shm_flat -p 4 -m 1M --param fragment=1
    ok "memory that nobody foresaw" within 80000 "there is no memory for" run bcast pipeline -p 4 -m 1M --param segment=1 --transfer eager
    ok "memory that GLib cannot allocate" within 80000 "there is no memory for" export goal alltoall linear -p 1000 -m 8
fi

echo "1..$n"
