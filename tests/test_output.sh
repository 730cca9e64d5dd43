#!/bin/sh
# Files that the program writes, as a user sees them: devices, FIFOs and links stay, mode and owner stay, a name that cannot
# be written is found before the work begins, and neither an error nor a signal leaves anything behind. $COLLSIM is the program.
claims=$(realpath "$(dirname "$0")/../experiments/claims/allreduce_survey.csv")
. "$(dirname "$0")/tap.sh"

GOAL="export goal bcast binomial -p 4 -m 8 -o"
SMPI="export smpi-platform -p 4 -o"
c export goal bcast binomial -p 4 -m 8
mv out expected
written() { # written NAME: the schedule is the content of the file, and stderr says so and nothing else
    # shellcheck disable=SC2086
    c $GOAL "$1" && [ ! -s out ] && [ "$(cat err)" = "wrote $1" ] && cmp -s "$1" expected
}
alone() { [ "$(ls -A "$1")" = "$2" ]; } # alone FOLDER NAMES: it holds these files and no temporary

# ---- Two outputs -----------------------------------------------------------------------------------------------------
same="a file of its own for each"
mkdir two
ok 'two outputs with one name' fails "two/page: two outputs have this name; allowed: $same" report barrier -p 4 -o two/page --brief two/../two/page
ok '.. neither is written' alone two ''
ok 'two outputs with two names' c report barrier -p 4 -o two/page --brief two/short
rm -r two

# ---- What a name may be ---------------------------------------------------------------------------------------------
mkdir files
ok 'a new file' written files/new
chmod 604 files/new
echo old >files/new
ok 'an existing file' written files/new
ok '.. keeps its mode' test "$(stat -c %a files/new)" = 604
if [ "$(id -u)" = 0 ]; then
    chown 12:34 files/new
    ok '.. and its owner' written files/new
    ok '.. (both)' test "$(stat -c %u:%g:%a files/new)" = 12:34:604
fi
ok 'no other file' alone files new
ln -s files/new link
echo old >files/new
ok 'a symbolic link: its target is written' written link
ok '.. and it is still a link' test "$(readlink link)" = files/new
ln -s files/made dangling
ok 'a link to a file that is not there yet' written dangling
ok '.. and it is still a link' test "$(readlink dangling)" = files/made -a -f files/made
# shellcheck disable=SC2086
ok 'a device' c $GOAL /dev/null
ok '.. is not replaced' test -c /dev/null
mkfifo fifo
cat fifo >read &
# shellcheck disable=SC2086
ok 'a FIFO' c $GOAL fifo
wait
ok '.. has a reader' cmp read expected
ok '.. and is not replaced' test -p fifo
ok '-: standard output' gives 'num_ranks 4' export goal bcast binomial -p 4 -m 8 -o -
ok '/dev/stdout, appended to a file' sh -c 'echo first >log && "$0" '"$GOAL"' /dev/stdout >>log && [ "$(head -n 1 log)" = first ] &&
    tail -n +2 log | cmp - expected' "$COLLSIM"
# shellcheck disable=SC2086
ok 'a folder' fails 'files: Is a directory; allowed: a file that can be written' $GOAL files

# ---- A disk that is full --------------------------------------------------------------------------------------------
# shellcheck disable=SC2086
ok 'a full device' fails '/dev/full: No space left on device' $GOAL /dev/full
full() { # full ARGUMENTS...: as fails, where no file may be longer than 1 KiB
    (
        trap '' XFSZ
        ulimit -f 2
        # The shell's own redirections are small enough.
        "$COLLSIM" "$@" >out 2>err
    )
    [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && says err 'File too large' && [ ! -s out ]
}
mkdir small
ok 'a disk that becomes full' full export goal bcast binomial -p 256 -m 8 -o small/new
ok '.. nothing is left' alone small ''
echo old >small/old
ok '.. in place of an old file' full export goal bcast binomial -p 256 -m 8 -o small/old
ok '.. which stays' sh -c '[ "$(cat small/old)" = old ] && [ "$(ls -A small)" = old ]'
ok '.. for a pair' full export smpi-platform -p 2048 -o small/pair.xml
ok '.. nothing is left' alone small old

# ---- Before the work begins -----------------------------------------------------------------------------------------
# A backend that leaves a mark when it is started; and a gnuplot that does.
mkdir marks
printf '#!/bin/sh\n[ "$1" = --library ] && echo "Open MPI v4.1.4" && exit\ntouch %s/started\nexit 3\n' "$dir" >marks/collsim-mpi
printf '#!/bin/sh\ntouch %s/started\nexit 3\n' "$dir" >marks/gnuplot
chmod +x marks/*
early() { # early NAME ARGUMENTS...: fails by that name, and nothing was started
    name_there=$1
    shift
    rm -f started
    COLLSIM_BACKENDS=$dir/marks PATH=$dir/marks:$PATH "$COLLSIM" "$@" >out 2>err
    [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && says err "$name_there: No such file or directory" && [ ! -s out ] && [ ! -e started ]
}
echo 'collective,algorithm,p,bytes,time_s
pingpong,pingpong,2,8,1e-6
pingpong,pingpong,2,4096,2e-6
pingpong,pingpong,2,65536,1e-5' >pp.csv
"$COLLSIM" run bcast all -p 8 -m 8,64 --format csv >f.csv
ok 'measure' early none/x.csv measure allreduce ring -p 2 -m 8 -o none/x.csv --launcher 'env P={p}'
ok 'calibrate' early none/x.ini calibrate --run -o none/x.ini --launcher 'env P={p}'
ok 'calibrate, the picture' early none/x.svg calibrate --run -o x.ini --plot none/x.svg --launcher 'env P={p}'
ok '.. without the other file' test ! -e x.ini
ok 'plot' early none/x.svg plot f.csv -o none/x.svg
ok 'bound' early none/x.svg bound bcast -p 8,64 -m 8 -o none/x.svg
ok 'export dot' early none/x export dot bcast binomial -p 8 -m 8 -o none/x
limit 10 # an audit with --grid 2 takes a minute or more
ok 'audit' fails 'files/new/x: Not a directory; allowed: a folder that can be written' audit --grid 2 -o files/new/x
ok 'export smpi-platform' fails 'files/new: Not a directory' export smpi-platform -p 4 -o files/new/x.xml
if [ "$(id -u)" != 0 ]; then
    mkdir locked && chmod 555 locked
    ok 'a folder that is read-only' fails 'locked: Permission denied' audit -o locked
    chmod 755 locked
fi
limit 60

# ---- Files that belong together -------------------------------------------------------------------------------------
mkdir pair pair/m.hosts
echo old >pair/m.xml
# shellcheck disable=SC2086
ok 'one of a pair cannot be written' fails 'pair/m.hosts: Is a directory' $SMPI pair/m.xml
ok '.. the other one stays' sh -c '[ "$(cat pair/m.xml)" = old ]'
rmdir pair/m.hosts
echo old >pair/m.hosts
mv pair/m.xml pair/saved
mkfifo pair/m.xml
ln -sf ../none/m.xml pair/broken.xml
# shellcheck disable=SC2086
ok 'a link into a folder that is missing' fails 'pair/broken.xml: No such file' $SMPI pair/broken.xml
ok '.. nothing is left' alone pair "$(printf 'broken.xml\nm.hosts\nm.xml\nsaved')"
rm pair/m.xml
# shellcheck disable=SC2086
ok 'a pair' c $SMPI pair/m.xml
ok '.. in one line' test "$(cat err)" = 'wrote pair/m.xml, pair/m.hosts'
ok '.. both new' sh -c 'grep -q radical pair/m.xml && [ "$(wc -l <pair/m.hosts)" = 4 ]'
ok 'a new folder goes again' fails 'alpha of 16 beta' export smpi-platform -p 4 --set alpha=1ns -o fresh/folder/m.xml
ok '.. with its parent' test ! -e fresh
if command -v gnuplot >/dev/null; then
    ok 'platform and picture' c calibrate pp.csv -o pair/pp.ini --plot pair/pp.svg
    ok '.. in one line' test "$(cat err)" = 'wrote pair/pp.ini, pair/pp.svg'
    grep -E '^id,|reduce_scatter,recursive_doubling,' "$claims" >few.csv # these have a picture
    ok 'the report' c audit --claims few.csv -o report
    ok '.. in one line' sh -c 'grep -q "^wrote .*report/report.md, report/report.html$" err && [ "$(wc -l <err)" = 1 ]'
    ok '.. no other file' sh -c '[ "$(ls -A report | grep -vcE "^([^.].*[.]svg|report[.](md|html))$")" = 0 ]'
fi

# A new file has the mode that the user's umask leaves of reading and writing for all.
moded() { # moded UMASK MODE
    rm -f moded.csv
    (umask "$1" && c run bcast binomial -p 4 -m 8 -f csv -o moded.csv) && [ "$(stat -c %a moded.csv)" = "$2" ]
}
ok 'a new file under umask 000' moded 000 666
ok '.. under 022' moded 022 644
ok '.. under 077' moded 077 600

# ---- Signals --------------------------------------------------------------------------------------------------------
# stopped SIGNAL STATUS ARGUMENTS...: sends it as soon as the folder `busy` or $TMPDIR holds a file; both are empty then.
mkdir busy tmp
begun() { [ -n "$(ls -A busy)$(ls -A tmp)" ]; }
stopped() {
    signal=$1 status=$2
    shift 2
    background env TMPDIR=$dir/tmp COLLSIM_BACKENDS=$dir/hangs $DEFAULTS "$COLLSIM" "$@"
    wait_for begun
    begun || return 1
    sleep "${AFTER:-0}"
    kill -s "$signal" $pid || kill $pid
    wait $pid 2>/dev/null
    [ $? = "$status" ] && alone busy '' && alone tmp ''
}
mkdir hangs
printf '#!/bin/sh\n[ "$1" = --library ] && echo "Open MPI v4.1.4" && exit\nexec sleep 100\n' >hangs/collsim-mpi
chmod +x hangs/collsim-mpi
for sent in TERM:143 HUP:129 INT:130; do
    which=${sent%:*} ends=${sent#*:}
    ok "export goal, $which" stopped "$which" "$ends" export goal alltoall linear -p 2048 -m 8 -o busy/x.goal
    ok "measure, $which at the start" stopped "$which" "$ends" measure allreduce ring -p 2 -m 8 -o busy/x.csv --launcher 'env P={p}'
    AFTER=1 ok "measure, $which while it runs" stopped "$which" "$ends" measure allreduce ring -p 2 -m 8 -o busy/x.csv --launcher 'env P={p}'
    ok "audit, $which" stopped "$which" "$ends" audit -o busy/report
done
nohup_measure() { # HUP is ignored: the run goes on until TERM comes
    (
        trap '' HUP
        TMPDIR=$dir/tmp COLLSIM_BACKENDS=$dir/hangs exec env --default-signal=TERM "$COLLSIM" measure allreduce ring -p 2 -m 8 --launcher 'env P={p}' >out 2>err
    ) &
    pid=$!
    wait_for begun
    kill -s HUP $pid
    kill -s TERM $pid || return 1
    wait $pid 2>/dev/null
    [ $? = 143 ] && alone tmp ''
}
ok 'under nohup, HUP is ignored' nohup_measure
echo "1..$n"
