#!/bin/sh
# Every command that writes, when something goes wrong while it does: a file system without space, a name that cannot be
# written, a pipe that nobody reads, and a signal at any moment. Afterwards each file is the old or the new one, files that
# belong together are both old or both new, and nothing else is left. $COLLSIM is the program. FAULTS is the number of
# signals, and SEED the moments: FAULTS=5000 SEED=7 tests/test_faults.sh.
# shellcheck source=tests/tap.sh disable=SC3045
. "$(dirname "$0")/tap.sh"
FAULTS=${FAULTS:-15} SEED=${SEED:-1}

# ---- The commands ---------------------------------------------------------------------------------------------------
# Their input: measurements, claims, and a backend that answers as collsim-mpi does.
{
    echo collective,algorithm,ranks,bytes,time_s
    awk 'BEGIN { for (m = 8; m <= 65536; m *= 8) printf "pingpong,pingpong,2,%d,%g\n", m, 1e-6 + m * 1e-10 }'
} >times.csv
cat >claims.csv <<'END'
id,source,place,collective,algorithm,params,quantity,against,kind,claim,let,where,without,truth,note
a,s,,bcast,binomial,,time,,equality,log2(p)*alpha,,p<9,,,
END
"$COLLSIM" run bcast all -p 8 -m 8..32K:x8 -f csv >table.csv || exit 1
printf 'collective,algorithm,p,bytes,time_s\nbcast,binomial,8,8,3e-6\nbcast,binomial,8,1024,4e-6\nbcast,binomial,8,65536,3e-5\n' >bcast.csv
printf 'collective,calls,bytes,ranks\nallreduce,1000,128,8\nbcast,10,1048576,8\n' >calls.csv
printf '1\n7 1\n2 1\n0 6 0 0\n' >rules.conf
for i in 1 2; do "$COLLSIM" sweep bcast binomial,chain -p 4 -m 8,64 -o parts --shard $i/2 >/dev/null || exit 1; done
inputs='times.csv table.csv claims.csv bcast.csv calls.csv rules.conf parts.1-of-2.rows parts.2-of-2.rows'
mkdir backends
cat >backends/collsim-mpi <<'END'
#!/bin/sh
[ "$1" = --library ] && echo "Open MPI v4.1.4" && exit
echo "@0 repetitions=2 min=1e-6 median=2e-6 mean=2e-6 p95=3e-6 max=3e-6 ranks_min=1e-6 ranks_mean=2e-6 counted=0"
END
chmod +x backends/collsim-mpi
COLLSIM_BACKENDS=$dir/backends
export COLLSIM_BACKENDS

# Each line is FILES|ARGUMENTS: the command writes these files, among others in a folder.
cat >writers <<'END'
x.csv|list bcast -o x.csv
x.json|show bcast binomial -p 8 -m 64 -o x.json
x.csv|run gather all -p 64 -m 8..64K:x2 -o x.csv
x|run allreduce ring -p 64 -m 64K --why -o x
x.json|best gather -p 4 -m 64K -o x.json
x.csv|crossover bcast binomial chain -p 16 -o x.csv
x.csv|check bcast binomial -p 2..9 -o x.csv
x.csv|bound gather -p 4 -m 8,64K -o x.csv
x.html|report barrier -p 4 -m 8 -o x.html
x.json|audit --claims claims.csv -o x.json
x.csv|measure bcast binomial -p 2 -m 8 --launcher=env\ P={p} -o x.csv
x.csv|calibrate times.csv -o x.csv
x.ini|calibrate times.csv --write x.ini
x|export goal alltoall linear -p 64 -m 8 -o x
x.dot|export dot bcast binomial -p 16 -m 8 -o x.dot
x.xml x.hosts|export smpi-platform -p 64 -o x.xml
x.json|trace bcast binomial -p 16 -m 64K -o x.json
x.csv|matrix bcast binomial -p 8 -m 64 -o x.csv
x|tune ompi-4.1 barrier -p 4,7 -o x
x|rules convert rules.conf --for ompi-4.1 --to ompi-main -o x
x.csv|rules show rules.conf --for ompi-4.1 -o x.csv
x.csv|regret ompi-4.1 barrier -p 4,7 -o x.csv
x.csv|guidelines ompi-4.1 -p 4,7 -m 8,64 -o x.csv
x.csv|compare bcast.csv --only ompi-4.1 -o x.csv
x.csv|validate bcast.csv -o x.csv
x.csv|merge parts.1-of-2.rows parts.2-of-2.rows -o x.csv
x.csv|app calls.csv -o x.csv
x.csv|learn ompi-4.1 barrier -p 4,7 -o x.csv
END
command -v gnuplot >/dev/null && cat >>writers <<'END'
x.svg|plot table.csv -o x.svg
x.svg|bound gather -p 4 -m 8,64K --draw x.svg
x.svg|regret ompi barrier -p 4,7 --draw x.svg
x.svg|guidelines ompi -p 4,7 -m 8,64 --draw x.svg
x.svg|learn ompi barrier -p 4,7 --draw x.svg
x.csv|learn ompi barrier -p 4,7 --data x.csv
x.svg|matrix bcast binomial -p 8 -m 64 --draw x.svg
x.svg|compare bcast.csv --only ompi-4.1 --draw x.svg
x.svg|validate bcast.csv --draw x.svg
x.svg|plot table.csv --map -o x.svg
x.ini x.svg|calibrate times.csv --write x.ini --draw x.svg
x/report.md x/report.html x/a.svg|audit --claims claims.csv --report x
END

# writes ARGUMENTS...: runs one of these commands in the folder `here`; the arguments are quoted as for the shell.
writes() {
    (
        cd here || exit 3
        eval "TMPDIR=\$dir/tmp exec $1 \"\$COLLSIM\" $2"
    )
}
mkdir fresh fresh/here fresh/tmp
for file in $inputs; do ln -s "../$file" fresh/here; done
begin() { # begin FILES: each file has its old content
    rm -rf here tmp
    cp -a fresh/. .
    for file in $1; do
        case $file in */*) mkdir -p "here/${file%/*}" ;; esac
        echo old >"here/$file"
    done
}
echo old >old
# holds old|new FILES: all files are the old ones, or those of a run that nothing disturbed, good$number.
holds() {
    for file in $2; do
        if [ "$1" = old ]; then cmp -s "here/$file" old; else cmp -s "here/$file" "good$number/$file"; fi || return 1
    done
}
left() { find here tmp \( -type f -o -path 'tmp/*' \) "$@"; } # prints what files there are, and what is in the folder for passing ones
only() { # only FILES: these files are there, and nothing else; each is there if as many are
    for file in $1; do [ -f "here/$file" ] && [ ! -h "here/$file" ] || return 1; done
    found=$(left -printf x)
    set -- $1
    [ ${#found} = $# ]
}

# Each command runs once as it should; good1, good2 .. keep what it writes.
commands=0
while IFS='|' read -r files arguments; do
    commands=$((commands + 1))
    begin "$files"
    before=$(date +%s%N)
    writes '' "$arguments" >out 2>err
    if [ $? = 2 ] || ! mv here good$commands || grep -qx old "good$commands/${files%% *}"; then
        echo "Bail out! $arguments: $(cat err)"
        exit 1
    fi
    echo $(($(date +%s%N) - before)) >took$commands
done <writers

# all COMMAND...: COMMAND FILES ARGUMENTS succeeds for every command of the list that the sample has.
all() {
    number=0 failed=0
    while IFS='|' read -r files arguments; do
        number=$((number + 1))
        takes $number 3 || continue
        begin "$files"
        "$@" "$files" "$arguments" && continue
        echo "# $arguments: $(tail -n 1 err); files: $(left | tr '\n' ' ')"
        failed=1
    done <writers
    return $failed
}

# ---- A file system without space --------------------------------------------------------------------------------------
# No file may have more than $most blocks of 512 bytes; stderr is a pipe, which has no length. The last line has the cause.
# CHECK_SEED draws half of the limits.
last_lines() { # $last is the last line of err, and $cause the reason that the line before it gives
    cause= last=
    while IFS= read -r line; do cause=$last last=$line; done <err
    cause=${cause#collsim: *: } && cause=${cause%%;*}
}
no_space() {
    before=
    { (
        if [ "$handling" = default ]; then before=$DEFAULTS; else trap '' XFSZ; fi
        ulimit -c 0
        ulimit -f "$most"
        writes "$before" "$2"
        echo "status $?"
    ) 2>&1 | cat; } >err
    last_lines
    if [ "$most" != 0 ] && [ "$last" != 'status 2' ]; then holds new "$1"; return; fi # it is short enough
    [ "$last, $cause" = 'status 2, File too large' ] && holds old "$1" && only "$1"
}
pair=0
for handling in ignored default; do
    for most in 0 1 16; do
        takes $pair 2 && ok "no file above $most blocks, XFSZ $handling: the old files stay" all no_space
        pair=$((pair + 1))
    done
done
limit() { # the rows of a sweep stay, and the next run goes on
    rm -f limited*
    { (
        ulimit -c 0
        ulimit -f 8
        $DEFAULTS "$COLLSIM" sweep bcast all -p 4 -m 8..1M:x2 -o limited.csv
        echo "status $?"
    ) 2>&1 | cat; } >err
    last_lines
    [ "$last, $cause" = 'status 2, File too large' ] && [ ! -e limited.csv ] && c sweep bcast all -p 4 -m 8..1M:x2 -o limited.csv &&
        says out ' before: ' && says_not out ', 0 before' && c sweep bcast all -p 4 -m 8..1M:x2 -o whole.csv && cmp limited.csv whole.csv
}
ok 'rows of a sweep that may not grow' limit
full_device() { # the files are links to a device that is full
    case $1 in */*) return 0 ;; esac
    for file in $1; do ln -sf /dev/full "here/$file"; done
    { writes '' "$2" && echo 'status 0' || echo "status $?"; } >err 2>&1
    last_lines
    [ "$last, $cause" = 'status 2, No space left on device' ] && [ -z "$(left)" ]
}
ok 'a full device' all full_device
full_stdout() { # what would go to a file goes to stdout; only smpi-platform has files whether or not it is given names
    case $2 in *smpi*) return 0 ;; esac
    writes '' "$(echo "$2" | sed 's/ -o [^ ]*//; s/ --draw [^ ]*//; s/ --write [^ ]*//; s/ --report [^ ]*//; s/ --data [^ ]*//')" >/dev/full 2>err
    [ $? = 2 ] && last_lines && [ "$last" = 'collsim: stdout: No space left on device' ] && holds old "$1" && only "$1"
}
ok 'a full device as stdout' all full_stdout

# ---- Names that cannot be written -------------------------------------------------------------------------------------
below_file() {
    writes '' "$(echo "$2" | sed 's/\(-o\|--draw\|--write\|--report\|--data\) x/\1 times.csv\/x/')" >out 2>err
    [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && says err 'Not a directory' && [ ! -s out ] && holds old "$1" && only "$1"
}
ok 'a name below a file' all below_file

# ---- Pipes and closed descriptors -------------------------------------------------------------------------------------
mkfifo fifo
sh -c 'exec 4<fifo' &
exec 3>fifo
wait # nobody reads the pipe of descriptor 3 any more
broken() { # broken STATUS BEFORE: ends like this, and says so only if SIGPIPE is ignored
    writes "$2" 'run bcast all -p 8 -m 8' >&3 2>err
    [ $? = "$1" ]
}
begin ''
ok 'a pipe that nobody reads: ended by its signal' broken 141 "$DEFAULTS"
ok '.. without a word' test ! -s err
ignored() {
    (
        trap '' PIPE
        broken 2 ''
    ) && [ "$(cat err)" = 'collsim: stdout: Broken pipe' ]
}
ok '.. and where the signal is ignored' ignored
exec 3>&-
closed() { # closed FILES ARGUMENTS: without a stderr, the files are written as ever
    writes '' "$2" >out 2>&-
    [ $? != 2 ] && holds new "$1"
}
noting='run allgather two_procs,ring -p 6 -m 64 -o x.csv' # notes on stderr that two_procs did not run
number=noting
begin x.csv
writes '' "$noting" 2>err
mv here goodnoting
begin x.csv
ok 'stderr that is closed: no note goes into a file' closed x.csv "$noting"
written_to_closed() {
    writes '' 'list' >&- 2>err
    [ $? = 2 ] && [ "$(cat err)" = 'collsim: stdout: Bad file descriptor' ]
}
ok 'stdout that is closed is an error' written_to_closed

# ---- Signals ----------------------------------------------------------------------------------------------------------
# Draws a command, a signal and a moment for each fault. The signal comes when the command has run for a part of the time
# that it takes, or, now and then, after its end.
awk -v n="$FAULTS" -v seed="$SEED" -v commands=$commands 'BEGIN {
    srand(seed)
    split("INT:130 TERM:143 HUP:129 QUIT:131 PIPE:141", signals, " ")
    for (i = 0; i < n; i++) print 1 + int(rand() * commands), signals[1 + int(rand() * 5)], rand() * 1.2 }' | tr ':' ' ' >faults
ulimit -c 0 # QUIT would leave a core
signalled() { # signalled NUMBER SIGNAL STATUS PART: the command NUMBER gets the signal
    line=$(sed -n "$1p" writers)
    files=${line%%|*} arguments=${line#*|}
    after=$(awk -v took="$(cat "took$1")" -v part="$4" 'BEGIN { printf "%.4f", took * 1e-9 * part + 0.001 }')
    begin "$files"
    writes "$DEFAULTS timeout -k 100 --foreground --preserve-status -s $2 $after" "$arguments" >out 2>err
    ended=$?
    { [ $ended = "$3" ] || [ $ended -le 1 ]; } && { holds old "$files" || holds new "$files"; } && only "$files"
}
all_signals() {
    while read -r number signal status part; do
        signalled "$number" "$signal" "$status" "$part" && continue
        echo "# $signal after $after s, status $ended: $arguments: $(head -n 1 err); files: $(left | tr '\n' ' ')"
        return 1
    done <faults
}
ok "$FAULTS signals (seed $SEED): old or new, and nothing left" all_signals

# A gnuplot that hangs, and leaves a child behind that does.
mkdir hangs
cat >hangs/gnuplot <<END
#!/bin/sh
sleep 100 &
echo \$\$ \$! >$dir/hanging
wait
END
chmod +x hangs/gnuplot
runs() { grep -q '^State:.[RSDT]' "/proc/$1/status" 2>/dev/null; }
ends() { # ends PROCESS: it ends; to die of a signal, a process needs a processor once more, which on a busy machine it waits for
    for _ in $(seq 200); do
        runs "$1" || return 0
        sleep 0.1
    done
    return 1
}
hung() { # gnuplot and its child, which ran, ended with the program; by themselves they would end much later
    [ -s hanging ] || return 1
    read -r first second <hanging
    holds old x.svg && only x.svg && ends "$first" && ends "$second"
}
plots() { rm -f hanging && begin x.svg; } # before it is drawn by that gnuplot
hanging() { # hanging SIGNAL: the program gets the signal when gnuplot's child runs
    plots
    (cd here && TMPDIR=$dir/tmp PATH=$dir/hangs:$PATH exec $DEFAULTS "$COLLSIM" plot table.csv -o x.svg) >out 2>err &
    pid=$!
    wait_for test -s hanging
    kill -s "$1" $pid
    wait $pid 2>/dev/null
    ended=$?
    hung
}
for sent in INT:130 TERM:143 HUP:129 QUIT:131; do
    ok "a gnuplot that hangs, ${sent%:*}: both end" hanging "${sent%:*}"
    ok '.. by the signal' test $ended = "${sent#*:}"
done
# A busy machine may need more time than the first limits to begin with gnuplot.
for limit in 0.2 1 5 25; do
    plots
    writes "$DEFAULTS PATH=$dir/hangs:$PATH COLLSIM_GNUPLOT_LIMIT=${limit}s" 'plot table.csv -o x.svg' >out 2>err
    ended=$?
    if [ -s hanging ]; then break; fi
done
ok 'a gnuplot that hangs: ended after a time' hung
ok '.. which is said' test "$ended: $(cat err)" = "2: collsim: gnuplot drew for $limit s and was ended; allowed: less, or a larger COLLSIM_GNUPLOT_LIMIT"
COLLSIM_GNUPLOT_LIMIT=0s
export COLLSIM_GNUPLOT_LIMIT
ok 'a limit that is not a time above 0' fails 'COLLSIM_GNUPLOT_LIMIT=' plot table.csv -o x.svg
echo "1..$n"
