#!/bin/sh
# tests/fuzz.sh keeps the input that breaks a harness, however it breaks, and names the file. The harness here breaks in the
# way that the input's first letter says; the corpus has that one input.
tree=$(pwd)
. "$tree/tests/tap.sh"

cat >harness.c <<'C'
#include <glib.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    volatile char *heap = malloc(4);
    volatile size_t beyond = 4, turns = 1;
    guint64 value;
    switch (size > 0 ? *data : 0) {
    case 'c':
        g_ascii_string_to_unsigned("1", 10, 2, 1, &value, NULL);
        break;
    case 't':
        __builtin_debugtrap();
        break;
    case 'a':
        abort();
    case 'g':
        g_assert_not_reached();
    case 's':
        heap[beyond] = 1;
        break;
    case 'l':
        while (turns)
            ;
        break;
    case 'e':
        exit(0);
    case 'x':
        _exit(3);
    }
    free((void *)heap);
    return 0;
}
C
# shellcheck disable=SC2046
if ! clang -g -fsanitize=fuzzer,address -I"$tree/tests" -I"$tree/sim" -I"$tree/algos" $(pkg-config --cflags glib-2.0) \
    -o fuzz-toy harness.c "$tree/tests/fuzz_trap.c" $(pkg-config --libs glib-2.0) >err 2>&1; then
    echo '1..0 # SKIP clang has no libFuzzer here'
    exit 0
fi
mkdir -p tests/fuzz/corpus/toy

fuzz() { # fuzz LETTER: runs the harness on one input that begins with this letter
    rm -rf found corpus
    printf '%s, the input' "$1" >tests/fuzz/corpus/toy/input
    FUZZ_FLAGS='-timeout=1 -runs=0' "$tree/tests/fuzz.sh" . 60 toy >out 2>err
}
keeps() { # keeps LETTER: the harness is said to be broken, and the one file that is kept, and named, has the input
    fuzz "$1"
    [ $? = 1 ] && says out "toy: broken after " && [ "$(ls found | wc -l)" = 1 ] &&
        cmp -s found/toy-* tests/fuzz/corpus/toy/input && says out "toy.log and $(realpath found/toy-*)"
}
loses() { # loses LETTER TEXT: no input can be kept, and the line says so
    fuzz "$1"
    [ $? = 1 ] && says out "$2" && [ "$(wc -l <out)" = 1 ]
}
good() { fuzz 'n' && says out 'none breaks it' && [ -z "$(ls found)" ]; }

ok 'an input that breaks nothing is not kept' good
ok 'a critical warning of GLib' keeps c
ok 'a trap' keeps t
ok 'an abort' keeps a
ok 'an assertion' keeps g
ok 'what a sanitizer reports' keeps s
ok 'an input that takes too long' keeps l
ok 'an exit' keeps e
ok 'an end that libFuzzer does not see is said to keep no input' loses x 'status 3; no input was kept'
echo "1..$n"
