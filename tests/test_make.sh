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

# ---- Units: sources that are compiled at once (install/units.pl) ----------------------------------------------------------
mkdir -p sim/room cli
write() { printf '%s\n' "$2" >"sim/room/$1"; }
write one.c 'static int twice(int i) { return 2 * i; } int one(void) { return twice(1); }'
write two.c 'int two(void) { return 2; }'
write local.c 'int local(int twice) { return twice; }'
write same.c 'static int twice(int i) { return i + i; } int same(void) { return twice(1); }'
write member.c 'struct member { int twice; }; int member(struct member *m) { return m->twice; }'
write macro.c '#define other 3
int macro(void) { return other; }'
write other.c 'struct other { int i; }; int other_i(struct other *o) { return o->i; }'
write constant.c 'enum { FAR = 1 }; int constant(void) { return FAR; }'
write room.h 'enum { FAR = 2 };'
write gnu.c '#define _GNU_SOURCE
int gnu(void) { return 1; }'
write comment.c 'int comment(void) { return 0; } // twice'
echo 'int cmd_a(void) { return 1; }' >cli/cmd_a.c
echo 'int cmd_b(void) { return 1; }' >cli/cmd_b.c
# units MOST: packs these sources, and prints each unit as a line of the names of its sources.
units() {
    "$root/install/units.pl" "$1" built sim/room/*.c cli/*.c >objects || return 1
    while read -r object; do
        case $object in */unit_*) grep -o '[a-z_]*[.]c' "${object%o}sources" | tr '\n' ' ' && echo ;; *) basename "${object%o}c " ;; esac
    done <objects | sed 's/ $//' | sort >out
}
packed() { units "$1" 2>err && [ "$(paste -sd , out)" = "$2" ]; }
ok 'sources that would notice each other are apart' packed 12 \
    'cmd_a.c,cmd_b.c,comment.c local.c macro.c member.c two.c,constant.c,gnu.c,one.c other.c,same.c'
compiled() { # compiled: the units can be compiled, and have the functions of all their sources
    for unit in built/sim/room/unit_*.sources; do gcc -c -Wall -Werror -Wno-shadow -o "${unit%sources}o" "@$unit" || return 1; done
    [ "$(nm built/sim/room/unit_*.o | awk '$2 == "T" { print $3 }' | sort | paste -sd ' ')" = 'comment local macro member one other_i two' ]
}
ok '.. and units can be compiled' compiled
touch built/sim/room/one.o built/sim/room/constant.o
ok 'a unit has as many sources as it may' packed 2 'cmd_a.c,cmd_b.c,comment.c local.c,constant.c,gnu.c,macro.c member.c,one.c other.c,same.c two.c'
ok '.. an object that is now part of a unit is removed' [ ! -e built/sim/room/one.o ]
ok '.. and others stay' [ -e built/sim/room/constant.o ]

# Every source is in one object of the program.
make --no-print-directory -n -s -C "$root" BUILD="$PWD/built" V=1 UNIT=12 "$PWD/built/collsim" >commands 2>err
each_once() {
    { sed -n 's/.* -c -o [^ ]* \([^@].*[.]c\)$/\1/p' commands && sed -n 's/.* @\(.*[.]sources\)$/\1/p' commands | xargs sed 's/^-include //'; } | sort >compiled
    (cd "$root" && find algos sim cli -name '*.c' ! -path 'sim/run/mpi/*' ! -path 'cli/explore/*') | sort | diff - compiled >out &&
        [ "$(grep -c '[.]sources$' commands)" -gt 50 ]
}
ok 'with UNIT=12, every source is compiled once' each_once
echo "1..$n"
