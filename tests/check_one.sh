#!/bin/sh
# Proves one algorithm: `make check-one ALGO=bcast/binomial` builds what this needs and runs it. COLLSIM is the program, and the test
# programs are beside it in tests/. Prints a line for each step, and the first messages of a step that fails; exit status 0 if all
# is well, 1 if a step failed, 2 if there is no such algorithm.
set -u
COLLSIM=$(realpath "${COLLSIM:-build/collsim}")
cd "$(dirname "$0")/.." || exit 1 # test_heads reads the algorithms' files
tests=$(dirname "$COLLSIM")/tests
COLLSIM_ALGO=${1:-}
export COLLSIM_ALGO
if [ -z "$COLLSIM_ALGO" ]; then
    echo 'ALGO is missing, for example: make check-one ALGO=bcast/binomial' >&2
    exit 2
fi
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
trap 'exit 1' INT TERM HUP

"$tests/test_contents" -l >/dev/null || exit 2 # an unknown name is refused here, once

status=0
show() { # show STEP STATUS DETAIL
    if [ "$2" = 0 ]; then
        echo "$1 $3" | awk '{ name = $1; sub(/^[^ ]* */, ""); printf "%-10s ok%s\n", name, $0 == "" ? "" : "   " $0 }'
    else
        printf '%-10s FAILED\n' "$1"
        sed '/^# \(Start of\|End of\|random seed\)/d; /^ok /d; /^1\.\./d; /^#*$/d' "$output" >"$output.told"
        { head -n 5 "$output.told"; tail -n +6 "$output.told" | tail -n 2; } | sed 's/^/    /'
        rm -f "$output.told"
        status=1
    fi
}
# step NAME PROGRAM DETAIL: runs a test program; the line of its messages that has the words DETAIL says how much it did.
step() {
    "$tests/$2" >"$output" 2>&1
    result=$?
    # A program without a test of the algorithm skips one and says why; a program that ran nothing is an error.
    grep -q '^\(not \)\{0,1\}ok ' "$output" || result=1
    detail=$(grep -e "$3" -e '# SKIP' "$output" | head -n 1 | sed 's/^# //; s/.*# SKIP/not tested:/; s/;.*//')
    show "$1" "$result" "$detail"
}
step head test_heads '^$'
step registry test_registry '^$'
step contents test_contents ' cases '
step mutants test_mutants ' mutants, .* the same'
step gears test_gears ' schedules; '
step shared test_shared '^$'
step search test_form ', all: '

# shellcheck disable=SC2046
"$COLLSIM" check $(echo "$COLLSIM_ALGO" | tr / ' ') -p 2..33,64,100,127,128 >"$output" 2>&1
show formula $? "$(awk 'NF >= 6 && $3 ~ /^[0-9]+$/ { printf "%d times are equal, %d have no formula", $3, $5 }' "$output")"
exit $status
