# The functions that the shell tests share. A test sources this file first; it then runs in a temporary folder of its
# own, counts its cases in $n and writes TAP. $COLLSIM is the program (default build/collsim); it is exported with its
# whole path, because scripts that a test runs look for it from other folders. A test exits with 1 if a case failed.
COLLSIM=$(realpath "${COLLSIM:-build/collsim}")
export COLLSIM
dir=$(mktemp -d) || exit 1
# The test ends with an error if a case failed. A file remembers that, because the case may be in a subshell.
trap 'status=$?; [ ! -e "$dir.failed" ] || status=1; rm -rf "$dir" "$dir.failed"; exit $status' EXIT
cd "$dir" || exit 1
n=0

result() { # result STATUS NAME: says how a test case ended; it passed if the status is 0, which is returned
    n=$((n + 1))
    if [ "$1" = 0 ]; then echo "ok $n - $2" && return; fi
    echo "not ok $n - $2"
    : >"$dir.failed"
    return 1
}
ok() { # ok NAME COMMAND...: one test case, which passes if the command succeeds
    name=$1
    shift
    if "$@"; then result 0 "$name"; else
        result 1 "$name"
        head -n 20 err out 2>/dev/null | sed 's/^/# /'
    fi
}

# interpreter MODULE...: prints the path of Python 3.8 or later that has these modules, or nothing. A test asks once, because
# python3 may be a script that looks for the interpreter, and takes ten times as long to start.
interpreter() {
    python3 -c 'import importlib, sys
for module in sys.argv[1:]: importlib.import_module(module)
print(sys.executable if sys.version_info >= (3, 8) else "")' "$@" 2>/dev/null
}

# takes I APART: the test runs point I (from 0), where a sample has one of every APART in a row, as sample_takes() of sample.h
takes() {
    [ "${CHECK_ALL-}" ] || [ $(((${CHECK_SEED:-1} * 7919 + $1 / $2 * 104729) % 65521 % $2)) = $(($1 % $2)) ]
}
# sampled APART WORD...: prints the words of the sample, and the first if it has none
sampled() (
    apart=$1 i=0 none=$2
    shift
    for word; do
        if takes $i $apart; then echo "$word" && none=; fi
        i=$((i + 1))
    done
    [ -z "$none" ] || echo "$none"
)

# Before a command, this gives it the signals as a shell at a terminal has them. Whoever started the test may ignore some
# (nohup, or a program that ignores PIPE), the program rightly goes on to ignore these, and sh cannot take that back.
DEFAULTS='env --default-signal=HUP,INT,QUIT,PIPE,TERM,XFSZ,XCPU'

# The functions below run the program; a test may replace them by its own.
# limit SECONDS: from here on, a program that uses so much CPU time is stopped. One that waits for ever is stopped by run.sh.
# `make check-all` also runs the longest commands with sanitizers.
limit() { ulimit -S -t "$1"; }
limit $([ "${CHECK_ALL-}" ] && [ "${SANITIZED-}" ] && echo 300 || echo 60)
# c ARGUMENTS...: runs the program, with its output in `out`, or in the file $into, and in `err`. A slow machine makes it note
# how long it takes; this is not in `err`, so that no test depends on the clock.
into=
c() {
    if [ "$served" ] && may_serve "$@" && surroundings && [ "$around" = "$served_in" ]; then ask "$@"; else "$COLLSIM" "$@" >"${into:-out}" 2>err; fi
    set -- $?
    [ ! -s err ] || unpaced || sed -i "/$PACE/d" err
    return "$1"
}
PACE='^collsim: note: running .* at the rate of the first [0-9]*$'
unpaced() { # err has no note on how long it takes; this starts no process, since tests run the program thousands of times
    while IFS= read -r line; do
        case $line in 'collsim: note: running '*' at the rate of the first '*) return 1 ;; esac
    done <err
}
# serve: from here on, c has one process answer (`collsim serve`), which starts in no time where sanitizers take long for it.
# With CHECK_ALL each command is a process of its own, as users have it. So is one whose surroundings have changed since,
# because the process that serves would not see a variable, a folder or a limit that a test has set after it.
served=
# To look at all variables, and at the limits, would take a subshell, which costs more than the answer: these are the
# variables that the program reads (test_serve_again.sh), and those of what it calls.
SURROUNDINGS='PWD PATH HOME TMPDIR LANG LC_ALL LC_CTYPE LC_MESSAGES LC_NUMERIC TZ CC DISPLAY WAYLAND_DISPLAY SSH_CONNECTION TERM
    NO_COLOR COLLSIM_BACKENDS COLLSIM_CLAIMS COLLSIM_DECISIONS COLLSIM_GNUPLOT_LIMIT COLLSIM_HEADERS COLLSIM_LIBRARY
    COLLSIM_PLATFORMS COLLSIM_PLOTS COLLSIM_PROGRAM COLLSIM_SHARE MPI_LOCALNRANKS OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE
    PMI_RANK PMI_SIZE SLURM_ARRAY_TASK_COUNT SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_MAX SLURM_ARRAY_TASK_MIN SLURM_ARRAY_TASK_STEP SLURM_NTASKS
    SLURM_PROCID PYTHONPATH LD_LIBRARY_PATH LD_PRELOAD G_MESSAGES_DEBUG ASAN_OPTIONS UBSAN_OPTIONS'
around_text=
for variable in $SURROUNDINGS; do around_text="$around_text$variable=\${$variable-(unset)} "; done
surroundings() { eval "around=\"$around_text\""; } # sets $around, without a subshell
umask() { served_in= && command umask "$@"; }
ulimit() { served_in= && command ulimit "$@"; }
serve() {
    [ ! "${CHECK_ALL-}" ] || return 0
    mkfifo .requests .replies && : >.notes || exit 1
    "$COLLSIM" serve <.requests >.replies 2>>.notes &
    served=$!
    surroundings
    served_in=$around
    exec 8>.requests 9<.replies
    rm .requests .replies
}
may_serve() { # a request begins with a command, has no empty words, asks for no help, and reads no stdin, which has the requests
    case ${1-} in '' | -* | help) return 1 ;; esac
    for word; do case $word in '' | -h | --help | - | *=-) return 1 ;; esac done
}
ask() { # ask ARGUMENTS...: c, answered by that process; if it ends, the test fails, even where a case expects an error
    : >.notes
    : >"${into:-out}"
    printf '%s\0' "${into:-out}" "$@" '' >&8
    IFS= read -r reply <&9 || { reply='139 the process that serves has ended' && served= && : >"$dir.failed"; }
    while IFS= read -r note || [ "$note" ]; do printf '%s\n' "$note"; done <.notes >err # which starts no process
    [ -z "${reply#* }" ] || printf 'collsim: %s\n' "${reply#* }" >>err
    return "${reply%% *}"
}
served_well() { # the process that served ends without an error of a sanitizer; c starts processes again
    [ "$served" ] || return 0
    exec 8>&- 9<&-
    wait "$served" && served=
}
# one_core COMMAND...: runs it on one of the processors that this test may use, which need not be the first of the machine.
one_core() { taskset -c "$(taskset -cp $$ | sed 's/.*[ ,-]//')" "$@"; }
# background COMMAND...: begins a command, $pid, in the background. Its output goes to `out` and `err`. They are emptied before it
# begins, since the shell that runs it may empty them late, and whoever waits for a line would read that of the case before.
background() {
    : >out
    : >err
    "$@" >out 2>err &
    pid=$!
}
# wait_for COMMAND...: waits until the command succeeds, or the program in the background, $pid, has ended
wait_for() { until "$@" || ! kill -0 "$pid" 2>/dev/null; do sleep 0.1; done; }
fails() { # fails TEXT ARGUMENTS...: the program exits with 2, writes one line with TEXT to stderr and nothing to stdout
    text=$1
    shift
    c "$@"
    [ $? = 2 ] && errs "$text" && [ ! -s out ]
}
errs() { # errs TEXT: err has one line, and the line has the text
    { IFS= read -r line && ! IFS= read -r more && [ -z "$more" ]; } <err || return 1
    case $line in *"$1"*) ;; *) return 1 ;; esac
}
gives() { # gives TEXT ARGUMENTS...: the program exits with 0, writes TEXT to stdout and nothing to stderr
    text=$1
    shift
    c "$@" && [ ! -s err ] && says out "$text"
}
# says FILE TEXT: the file contains the text. It stands in the first lines of most, where no program has to look for it.
says() {
    says_n=0
    while [ $says_n -lt 16 ] && IFS= read -r says_line; do
        case $says_line in *"$2"*) return 0 ;; esac
        says_n=$((says_n + 1))
    done <"$1"
    grep -qF -- "$2" "$1"
}
says_not() { ! says "$@"; }
# column NAME [FILE]: prints a column of a CSV, which is `out` or this file; - is the standard input. It does not know
# quotes, so the columns before it must not have commas.
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at[name] }' "${2:-out}"; }
# two_levels RANKS ALPHA ALPHA_NODE BETA BETA_NODE GAMMA: prints a platform with nodes of so many ranks and these figures.
two_levels() {
    printf '[levels]\nnode = %s ranks\n[hockney]\n' "$1"
    printf '%s = %s\n%s.source = test\n' alpha "$2" alpha alpha.node "$3" alpha.node
    printf '%s = %s\n%s.source = test\n' beta "$4" beta beta.node "$5" beta.node gamma "$6" gamma
}

# part NAME FILE.svg: prints what a picture draws as this part, such as legend, axes, series, names or places.
part() { awk -v part="$1" '/<g id="gnuplot_plot_/ { open = index($0, "<title>" part "</title>") } /<text/ { open = 0 } open' "$2"; }
