#!/bin/sh
# Each slip of tests/mutations/ still applies to the sources, so that `make mutate` can try all of them. `make check` runs a
# script again after a change of a file in which the script notices a slip: the list of what the script runs (uses.pl) has it.
mutate=$(realpath "$(dirname "$0")/mutate.sh")
. "$(dirname "$0")/tap.sh"
command -v perl >/dev/null || { echo "1..0 # SKIP perl is missing" && exit; }
ok 'each slip applies' sh -c '"$0" --applies >out 2>err' "$mutate"

forgotten() { # prints the slips whose sources are not in the lists of the scripts that notice them
    sed -n 's/^\([a-z0-9_/]*[.][a-z]*\): .*/\1/p; s/^tests: //p' "${mutate%/*}"/mutations/*.txt | while read -r file && read -r tests; do
        case $file in sim/run/mpi/*) used=/collsim-mpi ;; *.c) used=" $file" ;; *) continue ;; esac
        for test in $tests; do
            case $test in *.sh) grep -q "$used\$" "$lists/$test" || echo "$test: $used" ;; esac
        done
    done
}
lists=$(dirname "$COLLSIM")/uses
if [ -d "$lists" ]; then
    forgotten >err 2>&1
    ok 'a script that notices a slip runs again after it' [ ! -s err ]
fi
echo "1..$n"
