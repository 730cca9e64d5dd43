#!/bin/sh
# What make prints: a short line for each file, the commands themselves with V=1, and nothing with -s.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
unset MAKEFLAGS MAKELEVEL V

# made WORDS..: makes one small file anew, and keeps what make says of it.
made() {
    rm -rf built
    make --no-print-directory -C "$root" BUILD="$PWD/built" "$PWD/built/exports.list" "$@" >out 2>err && [ -s built/exports.list ]
}
ok 'make' made
ok '.. prints a line for each file' [ "$(cat out)" = "GEN $PWD/built/exports.list" ]
ok 'make V=1' made V=1
ok '.. prints the command' says out 'sed -n'
ok '.. and no short line' says_not out 'GEN '
ok 'make V=0' made V=0
ok '.. is make' says out 'GEN '
ok 'make -s' made -s
ok '.. prints nothing' [ ! -s out ]

# The lines of what is compiled and linked, without doing so.
make --no-print-directory -n -s -C "$root" BUILD="$PWD/built" V=1 "$PWD/built/collsim" >commands 2>err
make --no-print-directory -n -C "$root" BUILD="$PWD/built" "$PWD/built/collsim" >short 2>err
each() {
    lines=$(grep -cE '^(echo .[A-Z]+ .*;)(gcc|rm|ar) ' short)
    [ "$lines" -gt 100 ] && [ "$lines" = "$(grep -cE '^(gcc|rm) ' commands)" ]
}
ok 'every compilation and every link has one' each

# An object is made by one command, whatever it is made for: what a target sets for itself is not handed down to what it is
# made of. The goals are those that set something.
for goal in collsim-mpi collsim-mpich collsim-smpi collsim-explore sim/base/share.o tests/test_fuzz; do
    make --no-print-directory -n -s -C "$root" BUILD="$PWD/built" V=1 "$PWD/built/$goal"
done >commands 2>err
one_command() {
    awk '!/ -c / { next }
        { for (i = 1; $i != "-o"; i++) { } object = $(i + 1); if (!(object in command)) { command[object] = $0; n++ } }
        $0 != command[object] { print command[object]; print; differ = 1 }
        END { exit n < 500 || differ }' commands >out
}
ok 'every object is compiled by one command' one_command
echo "1..$n"
