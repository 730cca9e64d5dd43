#!/bin/sh
# `collsim measure` as a user runs it: all algorithms with a real MPI, the library's own algorithms, and probes. What it
# writes can be read by the program. Bad input and failing backends give an error of one line and leave no file.
. "$(dirname "$0")/tap.sh"

m() { "$COLLSIM" measure "$@" >out 2>err; }
fails() { # fails TEXT ARGUMENTS...: exits with 2, writes TEXT in the last line of stderr, nothing to stdout and no file
    text=$1
    shift
    m "$@"
    [ $? = 2 ] && last_has "$text" && [ ! -s out ] && [ ! -e bad.csv ]
}
last_has() { # last_has TEXT: the last line of err has the text
    last=
    while IFS= read -r line; do last=$line; done <err
    case $last in *"$1"*) ;; *) return 1 ;; esac
}
refuses() { # refuses TEXT ARGUMENTS...: fails with this one line, so nothing was started
    fails "$@" && errs "$text"
}
all_are() { # all_are FILE NAME VALUE: every row has the value in this column
    [ "$(column "$2" "$1" | sort -u)" = "$3" ]
}
rows() { [ "$(sed 1d "$1" | wc -l)" = "$2" ]; }
square() { # every row has as many fields as the header
    [ "$(awk -F, '{ print NF }' "$1" | sort -u | wc -l)" = 1 ]
}

# ---- Bad input, before anything is started --------------------------------------------------------------------------
ok "unknown collective" refuses "did you mean bcast" bcst ring -p 2 -m 8
ok "unknown algorithm" refuses "did you mean ring" allreduce rin -p 2 -m 8
ok "unknown algorithm of a library" refuses "Open MPI 4.1.4 has no allreduce 'rin'" allreduce ompi:rin -p 2 -m 8
ok "an unknown algorithm beside the library" refuses "did you mean binomial" bcast library,binomail -p 2 -m 8
ok "an unknown one of the library beside others" refuses "allowed" bcast binomial,library:nothing -p 2 -m 8
ok "a default that is not in the data" refuses "which is not in the data" gatherv ompi:auto -p 2 -m 8
ok "without an algorithm" refuses "all, or library" allreduce -p 2 -m 8
ok "without -p" refuses "-p is missing" allreduce ring -m 8
ok "without -m" refuses "-m is missing" allreduce ring -p 2
ok "an algorithm that cannot run" refuses "cannot run on 4 ranks" barrier two_procs -p 4
ok "an algorithm in shared memory with another model" refuses "--model shared" bcast shm_flat -p 2 -m 8 --model hockney
ok "probes have no algorithms" refuses "has no algorithms" pingpong ring -m 8
ok "probes have no ranks" refuses "takes only -m and --element" pingpong -p 4 -m 8
for option in "--sync sometimes" "--budget 5" "--budget 0s" "--precision 1" "--precision 200%" "--repetitions 0" \
    "--warmup x" "--patience -1s" "--mpi lam" "--format xml" "--element 0"; do
    # shellcheck disable=SC2086
    ok "$option" refuses "allowed" allreduce ring -p 2 -m 8 $option
done

# ---- Backends that are missing, fail, hang or are stopped -----------------------------------------------------------
backend() { # backend FOLDER COMMAND...: runs the command with backends from this folder
    COLLSIM_BACKENDS=$1
    export COLLSIM_BACKENDS
    shift
    "$@"
    set -- $?
    unset COLLSIM_BACKENDS
    return "$1"
}
fake() { # fake NAME LINE: makes a folder with a backend that runs this line of shell
    mkdir "$1"
    printf '#!/bin/sh\n[ "$1" = --library ] && echo asked >>"$0.asked" && echo "Open MPI v4.1.4" && exit\n%s\n' "$2" >"$1/collsim-mpi"
    chmod +x "$1/collsim-mpi"
}
fake dies 'echo "it is the disk" >&2; exit 3'
fake hangs 'echo >"$0.runs"; sleep 100'
fake lies 'echo "@0 repetitions=two"; sleep 100'
mkdir none
ok "the backend is missing" backend "$dir/none" refuses "collsim-mpi is missing" allreduce ring -p 2 -m 8
ok "the launcher is missing" backend "$dir/dies" fails "nosuchmpirun" allreduce ring -p 2 -m 8 -o bad.csv --launcher "nosuchmpirun {p}"
ok "a launcher without {p}" backend "$dir/dies" fails "{p}" allreduce ring -p 2 -m 8 --launcher "env"
ok "a backend that dies: the error has its last line" backend "$dir/dies" fails "it is the disk" allreduce ring -p 2 -m 8 -o bad.csv --launcher "env P={p}"
ok "a backend that hangs" backend "$dir/hangs" fails "gave no answer" allreduce ring -p 2 -m 8 -o bad.csv --launcher "env P={p}" --patience 1s
ok "a backend that answers nonsense" backend "$dir/lies" fails "is not a result" allreduce ring -p 2 -m 8 -o bad.csv --launcher "env P={p}"
fake answers 'for i in 0 1; do echo "@$i repetitions=2 min=1 median=$((i + 2)) mean=2 p95=3 max=3 ranks_min=1 ranks_mean=2 counted=0"; done'
fake repeats 'for i in 0 0; do echo "@$i repetitions=2 min=1 median=2 mean=2 p95=3 max=3 ranks_min=1 ranks_mean=2 counted=0"; done'
ok "a backend that answers twice for one point" backend "$dir/repeats" fails "allowed: the result of job 1" allreduce ring,linear -p 2 -m 8 -o bad.csv --launcher "env P={p}"
compares() { # the rows of one p and m are compared with the fastest of them
    m allreduce ring,linear -p 2 -m 8 -f csv --launcher "env P={p}" && [ "$(column x_best | sort | tr '\n' ' ')" = "1 1.5 " ]
}
ok "x_best compares with the fastest row" backend "$dir/answers" compares
mkdir launcher && printf '#!/bin/sh\nwhile [ "$1" != -np ]; do shift; done\nshift 2\nexec "$@"\n' >launcher/mpirun.openmpi && chmod +x launcher/mpirun.openmpi
asked_once() { # the backend is asked for its library once, however many launches there are
    rm -f answers/*.asked
    PATH=$dir/launcher:$PATH m allreduce ring,linear -p 2,3 -m 8 && [ "$(grep -c 'mpirun.openmpi .*-np [23] ' err)" = 2 ] &&
        [ "$(wc -l <answers/collsim-mpi.asked)" = 1 ]
}
ok "the backend is asked once which library it has" backend "$dir/answers" asked_once
fake fields 'i=0; for times in "median=4 mean=2" "median=5 mean=1" "median=40 mean=60" "median=80 mean=50"; do
    echo "@$i repetitions=7 min=0.25 $times p95=85 max=90 ranks_min=0.125 ranks_mean=0.5 counted=0"; i=$((i + 1)); done'
fields() { # each column has its own field, and x_best is by medians, among rows of the same p and m
    m allreduce ring,linear -p 2 -m 8,64 -f csv --launcher "env P={p}" || return 1
    for cell in repetitions=7 min_s=0.25 p95_s=85 max_s=90 ranks_min_s=0.125 ranks_mean_s=0.5; do
        all_are out "${cell%=*}" "${cell#*=}" || return 1
    done
    [ "$(column bytes | paste -sd' ')" = "8 8 64 64" ] && [ "$(column median_s | paste -sd' ')" = "4 5 40 80" ] &&
        [ "$(column mean_s | paste -sd' ')" = "2 1 60 50" ] && [ "$(column x_best | paste -sd' ')" = "1 1.25 1 2" ]
}
ok "each column has its field of the backend's answer" backend "$dir/fields" fields
sizes() { m allreduce ring,linear -p 2 -m 8,64 --launcher "env P={p}"; }
ok "a table of two sizes" backend "$dir/fields" sizes
ok "a table of two sizes: the fastest" grep -qx "fastest on 2 ranks: ring everywhere" out
# On 3 ranks, recursive_doubling falls back to bruck. The backend answers two jobs: bruck and ring.
once() { m allgather recursive_doubling,bruck,ring -p 3 -m 8 "$@" --launcher "env P={p}"; }
shares() {
    once -f csv && [ "$(column algorithm | tr '\n' ' ')" = "recursive_doubling bruck ring " ] &&
        [ "$(column median_s | tr '\n' ' ')" = "2 2 3 " ] && [ "$(column x_best | tr '\n' ' ')" = " 1 1.5 " ]
}
ok "a fallback and the algorithm itself are one run" backend "$dir/answers" shares
ok "the table" backend "$dir/answers" once
ok "the table says that they are one run" says out "ran: bruck (p is not a power of two); same run as bruck"
ok "the table says it of no other row" test "$(grep -c "same run" out)" = 1
one() { m allreduce ring -p 2 -m 8,64K --launcher "env P={p}"; }
ok "a table of one algorithm" backend "$dir/answers" one
ok "a table of one algorithm: the median" says out "median"
decided() { m allgather bruck,ring,ompi:auto -p 3 -m 8 --launcher "env P={p}"; }
ok "what a library decides, and its algorithm, are one run" backend "$dir/answers" decided
ok "the table says so" says out "same run as bruck"
# The messages of an algorithm of the library are compared with those that it should send. Then it is measured.
zeros="repetitions=0 min=0 median=0 mean=0 p95=0 max=0 ranks_min=0 ranks_mean=0"
times="repetitions=2 min=1 median=2 mean=2 p95=3 max=3 ranks_min=1 ranks_mean=2"
for answer in "$zeros counted=1" "unlike rank 0 sends one message less" "$zeros counted=0"; do
    name=$(echo "$answer" | sed 's/.*=//; s/ .*//') # 1, unlike and 0
    fake "$name" "[ \"\$OMPI_MCA_pml_monitoring_enable\" ] && echo '@0 $answer' || echo '@0 $times counted=0'"
done
forced() { m allreduce library:3 -p 2 -m 8 --launcher "env P={p}"; }
noted() { # noted STATUS FOLDER NOTE: the table of this backend's answers has this note and no other on messages
    backend "$dir/$2" forced
    [ $? = "$1" ] && says out "2 s" && [ "$(grep -o 'other messages\|not verified' out)" = "$3" ]
}
ok "messages of the forced algorithm: no note" noted 0 1 ""
ok "other messages: a note says so" noted 1 unlike "other messages"
ok "messages that were not counted: a note says so" noted 0 0 "not verified"
fake skewed 'echo "@0 repetitions=200 min=1 median=1 mean=16 p95=1 max=512 ranks_min=1 ranks_mean=2 counted=0"
    echo "@1 repetitions=200 min=1 median=2 mean=20 p95=2 max=512 ranks_min=1 ranks_mean=2 counted=0"'
cuts() { # a parameter that p cuts to the same value comes to the same run
    m bcast chain -p 3 -m 8,64 --param chains=2,5,9 --launcher "env P={p}" -f csv &&
        [ "$(column mean_s | tr '\n' ' ')" = "16 16 16 20 20 20 " ]
}
ok "parameters that p cuts are one run" backend "$dir/skewed" cuts
ok "a mean far from the median is noted, a mean of 10 medians is not" says err \
    "at 1 of 2 points, because a few repetitions took very long; most at chain chains=2, 8 bytes on 3 ranks: mean 16 s, median 1 s, maximum 512 s, 200 repetitions"
ok "a mean near the median" backend "$dir/answers" shares
ok "a mean near the median is not noted" says_not err "the mean is"
stopped() { # a measurement that is ended by a signal while the backend runs leaves no file
    rm -f hangs/*.runs
    background $DEFAULTS "$COLLSIM" measure allreduce ring -p 2 -m 8 -o bad.csv --launcher "env P={p}"
    wait_for test -e hangs/collsim-mpi.runs
    kill -TERM $pid
    wait $pid 2>/dev/null
    [ $? != 0 ] && [ ! -e bad.csv ] && [ ! -s out ]
}
ok "stopped: no file" backend "$dir/hangs" stopped

# ---- A machine without room ------------------------------------------------------------------------------------------
limited() { # limited LIMIT TEXT: with this limit of the shell, nothing can be started, and the error says why
    LIMITS=$1 sh -c 'eval "ulimit $LIMITS" && exec "$@" 3>&- 4>&- 5>&- 6>&-' sh "$COLLSIM" measure allreduce ring -p 2 -m 8 --launcher "env P={p}" >out 2>err
    [ $? = 2 ] && [ ! -s out ] && tail -n 1 err | grep -qF -- "$2"
}
for files in 4 5 6 7; do
    ok "$files open files" backend "$dir/answers" limited "-n $files" "cannot be started: Too many open files; allowed: a higher limit"
done
if [ "$(id -u)" != 0 ]; then
    ok "1 process" backend "$dir/answers" limited "-u 1" "a higher limit of processes"
else
    echo "ok $((n = n + 1)) - 1 process # SKIP root has no such limit"
fi
nowhere() {
    TMPDIR=/dev/null/x
    export TMPDIR
    fails "a TMPDIR in which folders can be made" allreduce ring -p 2 -m 8 --launcher "env P={p}"
    set -- $?
    unset TMPDIR
    return "$1"
}
ok "a TMPDIR that is not a folder" backend "$dir/answers" nowhere

# ---- Real runs ------------------------------------------------------------------------------------------------------
if [ ! -x "$(dirname "$COLLSIM")/collsim-mpi" ] || ! command -v mpirun >/dev/null; then
    echo "ok $((n = n + 1)) - real runs # SKIP mpirun or collsim-mpi is missing"
    echo "1..$n"
    exit
fi
fast="--repetitions 2 --warmup 1"
measures() { # measures FILE ARGUMENTS...: writes a CSV file in which all rows are whole
    file=$1
    shift
    # shellcheck disable=SC2086
    m "$@" $fast -o "$file" && square "$file" && [ ! -s out ]
}
ok "all of allreduce" measures all.csv allreduce all -p 1,4 -m 8,64K --element 8
algorithms=$("$COLLSIM" list allreduce --format csv | grep -vc "shm_\|^collective")
ok "each algorithm at each point" rows all.csv $((algorithms * 4))
ok "stderr has the command line" says err "-np 4"
ok "one process for all points of a number of ranks" sh -c '[ "$(grep -c "^collsim: note: running: " err)" = 2 ]'
ok "stderr says that ranks share cores" sh -c '[ "$(nproc)" -ge 4 ] || grep -q "4 ranks share" err'
ok "times are measured" all_are all.csv model measured
ok "each point is measured twice" all_are all.csv repetitions 2
ordered() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    !($at["min_s"] <= $at["median_s"] && $at["median_s"] <= $at["max_s"] && $at["ranks_min_s"] <= $at["min_s"] &&
      $at["min_s"] > 0 && $at["p95_s"] <= $at["max_s"] && $at["time_s"] / $at["median_s"] - 1 < 1e-6) { exit 1 }' "$1"; }
ok "min, median, max are in order, and time_s is the median" ordered all.csv
begins() { # the columns of run that are not about the machine, in its order, come first
    "$COLLSIM" run allreduce ring -p 2 -m 8 --format csv | head -n 1 | sed 's/,sets,.*/,/' >run.csv
    [ "$(head -c $(($(wc -c <run.csv) - 1)) all.csv)" = "$(cat run.csv)" ]
}
ok "the columns of run come first" begins
crowded() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["oversubscribed"] != ($at["ranks"] > $at["cores"]) { exit 1 }' "$1"; }
ok "more ranks than cores are oversubscribed, as many are not" crowded all.csv
ok "plot reads it" "$COLLSIM" plot all.csv -o all.svg
ok "the picture says that the times are measured" says all.svg measured
ok "--root all" measures roots.csv bcast binomial -p 2 -m 100 --root all
ok "--root all: a row for each root" rows roots.csv 2
ok "blocks of different lengths" measures counts.csv allgatherv bruck -p 3 -m 96 --counts linear --displs gaps --element 8
ok "blocks of different lengths: the row says so" all_are counts.csv counts linear
ok "shared memory" measures shm.csv bcast all -p 2 -m 64,8K --model shared
ok "shared memory: its algorithms" sh -c 'grep -q "^bcast,shm_flat" shm.csv && ! grep -q "^bcast,ring" shm.csv'
ok "--per-node" measures node.csv allreduce smp -p 3 -m 64 --element 8 --per-node 2
ok "a barrier, without -m" measures barrier.csv barrier all -p 2
ok "--sync window" measures window.csv allreduce ring -p 2 -m 8 --sync window
ok "--sync window: the row says so" all_are window.csv sync window
ok "JSON" m allreduce ring -p 2 -m 8 --budget 10ms -f json
ok "JSON that can be read" perl -MJSON::PP -0777 -e 'my $row = decode_json(<>)->{rows}[0];
    exit !($row->{ranks} == 2 && $row->{median_s} == $row->{time_s} && $row->{time_s} > 0)' out
ok "ping-pong" measures pingpong.csv pingpong -m 1,1K
ok "ping-pong: it has two ranks" all_are pingpong.csv ranks 2
ok "reduce_local" measures reduce.csv reduce_local -m 1K,64K,1M --element 8
ok "calibrate takes gamma from it" sh -c '"$0" calibrate reduce.csv >out 2>err && grep -q "^gamma  *[0-9.]*[np]s/B " out' "$COLLSIM"
ok "reduce_local: longer reductions take longer" sh -c 'awk -F, "NR > 1 { t[NR] = \$10 } END { exit !(t[3] > t[2]) }" reduce.csv'
# A kernel may forbid them, as in some containers; then the answer says so.
if m single_copy -m 1,1K,64K -f csv && cp out single.csv; then
    ok "single copies: the columns" all_are single.csv ranks 2
    ok "single copies: calibrate takes single from them" sh -c '"$0" calibrate single.csv --model shared >out 2>err && grep -q "^single  *[0-9.]*[nu]s " out' "$COLLSIM"
else
    ok "single copies are refused with a reason" grep -q "single_copy of 1 bytes: \|single_copy .*: [A-Z]" err
fi

# ---- The library's own ----------------------------------------------------------------------------------------------
"$(dirname "$COLLSIM")/collsim-mpi" --library >library
forced=
! grep -q "^Open MPI v4.1" library || forced=library:3,
# Beside each other: our algorithms, what the library chooses, and the algorithm that it is made to use, which is named twice.
own() { measures own.csv allreduce "${forced}ring,library,${forced}recursive_doubling" -p 3 -m 64,24000 --element 8; }
ok "the library's own beside algorithms" own
each_once() { # each of them at each size, with the id where one is forced
    column algorithm own.csv >names && column library_id own.csv >ids &&
        [ "$(paste -d/ names ids | LC_ALL=C sort | uniq -c | tr -s ' \n' ' ')" = " 2 library/${forced:+ 2 library:recursive_doubling/3} 2 recursive_doubling/ 2 ring/ " ]
}
ok ".. each once, with the id where one is forced" each_once
ok ".. and plot draws them" "$COLLSIM" plot own.csv -o own.svg
if [ "$forced" ]; then
    sed -n '1p; /^allreduce,library:/p' own.csv >id.csv
    ok "a forced id: the library used it, as its messages show" all_are id.csv library_id_verified 1
    ok "an id that it does not have" refuses "allowed" allreduce library:9 -p 4 -m 8
    ok "a name that it does not have" refuses "allowed" allreduce library:swing -p 4 -m 8
    ok "a parameter that the library does not take" fails "has no setting for it" alltoall library:3 -p 4 -m 8 --param radix=3
    ok "no algorithm of gatherv can be forced" refuses "allowed: library" gatherv library:1 -p 4 -m 8
    ok "library:all" measures scan.csv scan library:all -p 3 -m 1K --element 8
    ok "library:all: each id once" [ "$(column library_id scan.csv | tr '\n' ' ')" = "1 2 " ]
    ok "library:all: the library used all of them" all_are scan.csv library_id_verified 1
    # CHECK_SEED draws which of the nine algorithms of bcast run: one of those that have no segment, and one that has.
    ids="$(sampled 3 1 8 9) $(sampled 6 2 3 4 5 6 7)"
    bcast() { measures bcast.csv bcast "$(printf 'library:%s\n' $ids | paste -sd,)" -p "$([ "${CHECK_ALL-}" ] && echo 5 || echo 3)" -m 24000 --param segment=4K; }
    ok "a segment for several algorithms, and some take none: bcast" bcast
    ok "a forced segment: a row for each id" [ "$(column library_id bcast.csv | paste -sd' ')" = "$(echo $ids)" ]
    ok "a forced segment: the library used all of them" all_are bcast.csv library_id_verified 1
    # This launcher withholds the forced id, so the library chooses by itself, which on 3 ranks with 64 bytes is not ring.
    # shellcheck disable=SC2016
    printf '#!/bin/sh\nn=$1\nshift 1\nfor a; do shift; [ "$a" = OMPI_MCA_coll_tuned_use_dynamic_rules=1 ] || set -- "$@" "$a"; done\n%s\n' \
        'exec mpirun -np "$n" --oversubscribe $([ "$(id -u)" = 0 ] && echo --allow-run-as-root) "$@"' >forgets
    chmod +x forgets
    # shellcheck disable=SC2086
    "$COLLSIM" measure allreduce library:ring -p 3 -m 64 --element 8 $fast --launcher "./forgets {p}" -f csv >other.csv 2>err
    ok "an id that the library did not use: status 1" test $? = 1
    ok "an id that the library did not use: a line says so" grep -q \
        "does not send that algorithm's messages: rank 0 sends [0-9]* messages, [0-9]* bytes to rank [0-9]" err
    ok "an id that the library did not use: the row says so" all_are other.csv library_id_verified 0
    sed 's/coll_tuned_use_dynamic_rules=1/pml_monitoring_enable=1/' forgets >blind
    chmod +x blind
    ok "messages that were not counted" measures blind.csv allreduce library:3 -p 2 -m 64 --element 8 --launcher "./blind {p}"
    ok "messages that were not counted: whether the id was used is unknown" all_are blind.csv library_id_verified ""
else
    echo "ok $((n = n + 1)) - Open MPI's ids # SKIP $(head -n 1 library)"
fi
if [ -x "$(dirname "$COLLSIM")/collsim-mpich" ] && command -v mpirun.mpich >/dev/null; then
    ok "MPICH" measures mpich.csv allreduce ring -p 2 -m 8 --mpi mpich
    ok "MPICH: the row names it" sh -c 'grep -q "MPICH" mpich.csv'
    ok "MPICH: an algorithm by its name" measures name.csv allreduce library:recursive_doubling -p 2 -m 64 --mpi mpich
    ok "MPICH: whether it used the algorithm is unknown" all_are name.csv library_id_verified ""
else
    echo "ok $((n = n + 1)) - MPICH # SKIP mpirun.mpich or collsim-mpich is missing"
fi
echo "1..$n"
