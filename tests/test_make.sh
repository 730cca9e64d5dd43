#!/bin/sh
# What make prints: a short line for each file, the commands themselves with V=1, and nothing with -s.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
unset MAKEFLAGS MAKELEVEL V

# made WORDS..: makes one small file anew, and keeps what make says of it.
made() {
    rm -rf built
    make --no-print-directory -C "$root" BUILD="$PWD/built" UNIT= "$PWD/built/exports.list" "$@" >out 2>err && [ -s built/exports.list ]
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
make --no-print-directory -n -s -C "$root" BUILD="$PWD/built" UNIT= V=1 "$PWD/built/collsim" >commands 2>err
make --no-print-directory -n -C "$root" BUILD="$PWD/built" UNIT= "$PWD/built/collsim" >short 2>err
each() {
    lines=$(grep -cE '^(echo .[A-Z]+ .*;)(gcc|rm|ar) ' short)
    [ "$lines" -gt 100 ] && [ "$lines" = "$(grep -cE '^(gcc|rm) ' commands)" ]
}
ok 'every compilation and every link has one' each

# An object is made by one command, whatever it is made for: what a target sets for itself is not handed down to what it is
# made of. The goals are those that set something, beside the program, and CHECK_SEED draws half of them.
for goal in $(sampled 2 collsim-mpi collsim-mpich collsim-smpi collsim-explore sim/base/share.o tests/test_fuzz); do
    make --no-print-directory -n -s -C "$root" BUILD="$PWD/built" UNIT= V=1 "$PWD/built/$goal"
done >>commands 2>err
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
write one.c 'static int twice(int i) { return 2 * i; } // twice
int one(void) { return twice(1); }'
write local.c 'int local(int twice) { return twice; }'
write same.c 'static int twice(int i) { return 3 * i; }
struct call { int (*f)(int); } same_call = {.f = twice};
const char *same(void) { return same_call.f(1) == 3 ? "twice" : ""; }'
write member.c 'struct member { int twice; }; int member(struct member *m) { return m->twice; }'
write fixed.c 'static struct { int twice; } fixed_one = {4};
static int twice(void) { return fixed_one.twice; } int fixed(void) { return twice(); }'
write text.c '#define TEXT(word) #word
static int twice(void) { return 5; } const char *text(void) { return twice() == 5 ? TEXT(twice) : ""; }'
write macro.c '#define other 3
int macro(void) { return other; }'
write other.c 'struct other { int i; }; int other_i(struct other *o) { return o->i; }'
write constant.c 'enum { FAR = 1 }; int constant(void) { return FAR; }'
write room.h '#pragma once
enum { FAR = 2 }; typedef struct Opaque Opaque; int opaque(Opaque *o);'
write opaque.c '#include "room/room.h"
struct Opaque { int i; }; int opaque(Opaque *o) { return o ? o->i : FAR; }'
write seen.c '#include "room/room.h"
int seen(Opaque *o) { return opaque(o); }'
write gnu.c '#define _GNU_SOURCE
#include "room/room.h"
int gnu(void) { return 1; }'
echo 'int main(void) { return 0; }' >cli/main.c
echo 'int cmd_a(void) { return 1; }' >cli/cmd_a.c
echo 'int cmd_b(void) { return 1; }' >cli/cmd_b.c
# units MOST: packs these sources, and prints each unit as a line of the names of its sources.
units() {
    "$root/install/units.pl" "$1" built sim/room/*.c cli/*.c >objects || return 1
    while read -r object; do
        case $object in
        */unit_*) sed -n 's,^#line 1 ".*/\(.*\)",\1,p' "${object%o}c" | tr '\n' ' ' && echo ;;
        *) basename "${object%o}c " ;;
        esac
    done <objects | sed 's/ $//' | sort >out
}
packed() { units "$1" 2>err && [ "$(paste -sd , out)" = "$2" ]; }
ok 'sources are in one unit, unless they have a name in common that cannot be changed' packed 12 \
    'cmd_a.c cmd_b.c,constant.c fixed.c macro.c opaque.c other.c seen.c,gnu.c,local.c member.c one.c same.c,main.c,text.c'
# compiled: the units can be compiled, and the functions return what they return in their sources.
compiled() {
    cat >all.c <<'C'
#include <string.h>
int one(void), local(int), member(int *), fixed(void), macro(void), other_i(int *), constant(void), opaque(int *), seen(int *), gnu(void);
const char *same(void), *text(void);
int main(void)
{
    int i = 7;
    return !(one() == 2 && local(6) == 6 && member(&i) == 7 && fixed() == 4 && macro() == 3 && other_i(&i) == 7 && constant() == 1 &&
             opaque(0) == 2 && seen(&i) == 7 && gnu() == 1 && !strcmp(same(), "twice") && !strcmp(text(), "twice"));
}
C
    sed -n '/room/p' objects | while read -r object; do
        source=${object%o}c
        [ -f "$source" ] || source=${source#built/}
        gcc -c -Wall -Werror -Wno-shadow -Isim -o "$object" "$source" || return 1
    done && gcc -o all all.c built/sim/room/*.o && ./all
}
ok '.. and units can be compiled, and mean what their sources mean' compiled
cp objects before
sleep 1
ok 'what has not changed is packed once' units 12
sleep 1
write one.c 'static int twice(int i) { return 8 * i; }
int one(void) { return twice(1) + }'
changed() { units 12 && ! gcc -c -Isim -o one.o built/sim/room/unit_2.c 2>err && grep -q '^sim/room/one.c:2:' err && cmp objects before; }
ok '.. a change of a source is in its unit, and a mistake has the line of the source' changed
ok 'a unit has as many sources as it may' packed 2 \
    'cmd_a.c cmd_b.c,constant.c fixed.c,gnu.c,local.c macro.c,main.c,member.c one.c,opaque.c other.c,same.c seen.c,text.c'

# Every source is in one object of the program.
make --no-print-directory -n -s -C "$root" BUILD="$PWD/built" V=1 UNIT=12 "$PWD/built/collsim" >commands 2>err
each_once() {
    sed -n 's/.* -c -o [^ ]* \(.*[.]c\)$/\1/p' commands >alone
    { grep -v /unit_ alone && sed -n 's/^#line 1 "\(.*\)"/\1/p' $(grep /unit_ alone); } | sort >compiled
    (cd "$root" && find algos sim cli -name '*.c' ! -path 'sim/run/mpi/*' ! -path 'cli/explore/*') | sort | diff - compiled >out &&
        [ "$(grep -c /unit_ alone)" -gt 50 ] && [ "$(wc -l <alone)" -lt 200 ]
}
ok 'with UNIT=12, every source is compiled once' each_once
echo "1..$n"
