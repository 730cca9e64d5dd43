#!/bin/sh
# What a script runs (uses.pl): the sources that its commands refer to, however they do so, and no others. A list changes if
# one of these is compiled differently, and not with a comment or with what a header only declares.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
perl -MDigest::MD5 -e 1 2>/dev/null || { echo "1..0 # SKIP perl is missing" && exit; }

mkdir -p tree/tests tree/install tree/build tree/cli tree/sim/room tree/sim/library tree/algos/kind
cp "$root/install/sources.pm" tree/install && cp "$root/tests/uses.pl" tree/tests
cd tree || exit 1
write() { printf '%s\n' "$2" >"$1"; }
write Makefile 'all:'
write sim/library/exports.txt coll_always
write sim/room/always.c 'int coll_always(void) { return 0; }'
write sim/room/room.h '#define MAC(x) by_macro(x)
static inline int room_inline(int x)
{
    return by_inline(x);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Room, by_auto)
#define ENTRIES(X) X(kind)
#define DECLARE(name) extern const int name##_entry;
ENTRIES(DECLARE)
int by_call(int x);
int by_macro(int x);'
for way in call macro inline auto text; do write "sim/room/by_$way.c" "int by_$way(int x) { return x; }"; done
write algos/kind/kind.c 'const int kind_entry = 1;'
write sim/room/table.c '#include "room/room.h"
#define ADDRESS(name) &name##_entry,
const int *const table[] = {ENTRIES(ADDRESS)};'
write cli/main.c 'int main(void) { return cmd_call() + cmd_other(); }'
write cli/cmd_call.c '#include "room/room.h"
int cmd_call(void) { return by_call(1); } // by_text() is called elsewhere'
write cli/cmd_macro.c 'int cmd_macro(void) { return MAC(1); }'
write cli/cmd_inline.c 'int cmd_inline(void) { return room_inline(1); }'
write cli/cmd_auto.c 'int cmd_auto(void) { g_autoptr(Room) room = 0; return 0; }'
write cli/cmd_table.c 'int cmd_table(struct row *row) { return *table[0] + row->by_text; }'
write cli/cmd_other.c 'int cmd_other(void) { return 0; }'
commands='call macro inline auto table other'
for command in $commands; do write "tests/test_$command.sh" "$command"; done
write tests/test_all.sh 'docs/MODEL.md'

lists() { perl tests/uses.pl build; }
# uses NAME FILE...: the list of the script has these files beside those of every list.
uses() {
    list=build/uses/test_$1.sh
    shift
    { printf '%s\n' Makefile cli/main.c sim/library/exports.txt sim/room/always.c "$@" | sort; } >want
    sed 's/^[^ ]* //' "$list" | sort | diff - want >out
}
ok 'the lists are made' lists
ok 'what a command calls' uses call cli/cmd_call.c sim/room/by_call.c
ok '.. by a macro of a header' uses macro cli/cmd_macro.c sim/room/by_macro.c
ok '.. by a function in a header' uses inline cli/cmd_inline.c sim/room/by_inline.c
ok '.. at the end of a block' uses auto cli/cmd_auto.c sim/room/by_auto.c
ok '.. in a table whose names a macro makes' uses table cli/cmd_table.c sim/room/table.c algos/kind/kind.c
ok '.. and nothing more' uses other cli/cmd_other.c
ok 'a script that reads the documents uses all' [ "$(wc -l <build/uses/test_all.sh)" = 18 ]

# changes NAME...: of the scripts of single commands, the lists of these change when they are made again.
changes() {
    rm -rf before && cp -r build/uses before && lists || return 1
    for command in $commands; do cmp -s "before/test_$command.sh" "build/uses/test_$command.sh" || printf '%s ' "$command"; done >out
    [ "$(cat out)" = "${*:+$* }" ]
}
write sim/room/by_call.c '/* a comment */ int   by_call(int x)
{ return x; }'
ok 'a comment changes no list' changes
echo 'int by_nobody(int x);' >>sim/room/room.h
ok '.. nor does a declaration in a header' changes
echo 'enum { ROOM = 3 };' >>sim/room/room.h
ok 'a constant in a header changes the lists of what includes it' changes call table
write sim/room/by_macro.c 'int by_macro(int x) { return 2 * x; }'
ok 'a source changes the lists of what refers to it' changes macro
echo "1..$n"
