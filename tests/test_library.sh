#!/bin/sh
# The library as another program uses it: laid out as an installation, described to the compiler by pkg-config, called by
# the examples of docs/LIBRARY.md. That page is made of collsim.h and the examples; `tests/test_library.sh --write` (make
# readme) writes it anew.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
build=$(dirname "$COLLSIM")
page=$root/docs/LIBRARY.md
header=$root/sim/library/collsim.h
export LC_ALL=C

if [ "${SANITIZED-}" ]; then # a program that links it would need the sanitizer too; test_library.c is sanitized
    echo "1..0 # SKIP sanitized"
    exit
fi

# ---- An installation ---------------------------------------------------------------------------------------------------

usr=$dir/usr
make -s --no-print-directory -C "$root" install-files BUILD="$build" PREFIX="$usr" || exit 1
export PKG_CONFIG_PATH="$usr/lib/pkgconfig"
examples=$(cd "$root/docs/examples" && ls ./*.c | sed 's|^\./||; s|\.c$||')

compiled() { # compiled FORM EXAMPLE PACKAGE: compiles an example against the library's form of this package
    mkdir -p "$1" && cc -std=c99 -Wall -Wextra -Wpedantic -Werror "$root/docs/examples/$2.c" -o "$1/$2" \
        $(pkg-config --cflags --libs "$3") >out 2>err
}
runs() { LD_LIBRARY_PATH=$usr/lib "./$1/$2" >"$1.$2" 2>err && [ ! -s err ]; } # runs FORM EXAMPLE

# ---- The page ------------------------------------------------------------------------------------------------------------

# Prints collsim.h as Markdown: its head, and every declaration below its section with what its comment says.
reference() {
    awk -v examples="$(cd "$root/docs/examples" && grep -o 'collsim_[a-z_]*(' ./*.c | sort -u | tr '\n' ' ')" '
        function flush_item() { if (item != "") print item; item = "" }
        function say(text) { # a line of a comment; lines that name a parameter become a list
            if (text ~ /^   ? ?[a-z]/ && match(text, /^ *[a-z_, -]*[a-z]  +/)) {
                flush_item()
                name = substr(text, 1, RLENGTH)
                gsub(/^ +| +$/, "", name)
                gsub(/, /, "`, `", name)
                if (!listing) print ""
                listing = 1
                item = "- `" name "`: " substr(text, RLENGTH + 1)
            } else if (listing && text ~ /^     /) {
                sub(/^ */, "", text)
                item = item " " text
            } else {
                flush_item()
                if (listing && text != "") print ""
                listing = 0
                print text
            }
        }
        function declare(n, i, part, used) {
            code = ""
            if (declaration ~ /^typedef struct / || declaration !~ /\(/) { # not a function
                if (notes != "") { n = split(notes, part, "\n"); for (i = 1; i < n; i++) say(part[i]); flush_item(); print "" }
                printf "```c\n%s```\n\n", declaration
            } else {
                match(declaration, /collsim_[a-z_]+\(/)
                code = substr(declaration, RSTART, RLENGTH - 1)
                printf "### %s\n\n```c\n%s```\n\n", code, declaration
                n = split(notes, part, "\n")
                for (i = 1; i < n; i++) say(part[i])
                flush_item()
                listing = 0
                print ""
                n = split(examples, part, " ")
                used = ""
                for (i = 1; i <= n; i++)
                    if (index(part[i], ":" code "(")) {
                        file = part[i]; sub(/^\.\//, "", file); sub(/:.*/, "", file)
                        anchor = file; sub(/\./, "", anchor)
                        used = used (used == "" ? "" : ", ") "[" file "](#" anchor ")"
                    }
                print "Example: " used "\n"
            }
            declaration = notes = ""
            listing = 0
        }
        FNR == 1 { head = 1; print "# The library\n" }
        head && /^\/\// { sub(/^\/\/ ?/, ""); print; next }
        head { head = 0; print ""; skip = 1 }
        /^\/\/ ---- / { gsub(/^\/\/ -+ | -+$/, ""); print "## " $0 "\n"; skip = 0; next }
        skip || /^#/ || /^}$/ || /^extern/ { next }
        /^\/\// { sub(/^\/\/ ?/, ""); notes = notes $0 "\n"; next }
        /./ {
            declaration = declaration $0 "\n"
            if (/{$/) depth++
            if (/^}/) depth--
            if (!depth && /;$/) declare()
        }' "$header"
}
page() {
    echo '<!-- Generated from sim/library/collsim.h and docs/examples by tests/test_library.sh --write. -->'
    reference
    echo '## How to link it'
    echo
    echo '```sh'
    echo "cc -o predict predict.c \$(pkg-config --cflags --libs collsim)        # libcollsim.so"
    echo "cc -o predict predict.c \$(pkg-config --cflags --libs collsim-static) # libcollsim.a, system libraries shared"
    echo '```'
    echo
    echo '## Examples'
    for i in $examples; do
        printf '\n### %s.c\n\n```c\n' "$i"
        cat "$root/docs/examples/$i.c"
        printf '```\n\nIt prints\n\n```\n'
        cat "static.$i"
        echo '```'
    done
}

for i in $examples; do compiled static "$i" collsim-static && runs static "$i"; done
page >made
if [ "${1-}" = --write ]; then
    cp made "$page"
    exit
fi

# ---- Tests ---------------------------------------------------------------------------------------------------------------

echo "1..$((4 * $(echo "$examples" | wc -w) + 7))"
for i in $examples; do
    ok "$i.c compiles with libcollsim.a" compiled static "$i" collsim-static
    ok "$i.c runs" runs static "$i"
    ok "$i.c compiles with libcollsim.so" compiled shared "$i" collsim
    same() { runs shared "$i" && cmp -s "static.$i" "shared.$i"; }
    ok "$i.c prints the same" same
done
current() { diff "$page" made >out; }
ok 'docs/LIBRARY.md is up to date' current
grep '^collsim_' "$root/sim/library/exports.txt" | while read -r name; do
    grep -qE "\b$name\(" "$root"/docs/examples/*.c || echo "$name"
done >out
: >err
none() { [ ! -s out ]; }
ok 'an example calls every function' none
small() { [ "$(wc -c <static/predict)" -lt 5000000 ] && ! ldd static/predict | grep -q libcollsim; }
ok 'a program with libcollsim.a is below 5 MB and needs no libcollsim.so' small
cat >mine.c <<'END'
#include "coll.h"
#include "times/times.h"
static void bcast_flat(const Coll *c)
{
    const Blocks b = blocks_even(c, c->out, 1);
    for (int i = 0; c->rank == c->root && i < c->p; i++)
        if (i != c->root)
            coll_send(c, i, block(&b, 0));
    if (c->rank != c->root)
        coll_recv(c, c->root, blocks(&b, 0, 1));
}
const CollAlgorithm mine = {.collective = COLL_BCAST, .name = "flat", .run = bcast_flat, .same_as = same_linear};
END
plugin() {
    cc -std=gnu11 -fPIC -shared -Wall -Werror mine.c -o mine.so $(pkg-config --cflags collsim) 2>err &&
        nm -D --undefined-only mine.so | awk 'NF == 2 && $1 == "U" { print $2 }' >out && grep -q coll_blocks_even out &&
        ! grep -vE '^coll_' out
}
ok 'a text compiles against the installed coll.h, and needs names with coll_ only' plugin
# A wrong text is a bug that the library finds in itself. A thread with the least stack that docs/LIBRARY.md allows calls
# the library; under `ulimit -s 64`, so have the threads that the library makes.
cat >bug.c <<'END'
#include "coll.h"
#include "collsim.h"
#include "registry/registry.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void outside(const Coll *c) { blocks_even(c, c->out, 0); }
static CollAlgorithm wrong = {.collective = COLL_BCAST, .name = "outside", .run = outside};
static void *calls(void *what)
{
    static const char *const models[] = {"hockney", "measured", "loggops", "shared"},
                      *const machines[] = {"lumi", "archer2", "loggopsim", "generic-100g"},
                      *const of[] = {"allreduce", "bcast"};
    for (int i = what ? 1 : 0; i < (what ? 6 : 8); i += what ? 2 : 1) {
        collsim_platform *machine = collsim_platform_open(machines[i / 2], NULL);
        collsim_request *r = collsim_request_new(machine, of[i % 2], NULL);
        collsim_error *error = NULL;
        collsim_platform_set(machine, "gamma=1ns/B", NULL);
        collsim_request_ranks_list(r, i / 2 == 3 ? "1,2,9" : "1,3,2x2", NULL);
        collsim_request_sizes_list(r, "8,64K", NULL);
        collsim_request_option(r, "model", models[i / 2], NULL);
        if (what)
            collsim_request_algorithms(r, "binomial,outside", NULL);
        collsim_runs *runs[] = {collsim_predict(r, &error), what || i / 2 == 2 ? NULL : collsim_best(r, 3, &error)};
        printf("%s %s: %zu %zu %d %s\n", models[i / 2], of[i % 2], collsim_runs_count(runs[0]), collsim_runs_count(runs[1]),
               collsim_error_code(error), collsim_error_message(error));
        collsim_error_free(error);
        collsim_runs_free(runs[0]);
        collsim_runs_free(runs[1]);
        collsim_request_free(r);
        collsim_platform_free(machine);
    }
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_attr_t small;
    pthread_t thread;
    pthread_attr_init(&small);
    if (argc > 1)
        algorithm_add(&wrong);
    return pthread_attr_setstacksize(&small, 1 << 16) || pthread_create(&thread, &small, calls, argc > 1 ? &wrong : NULL) ||
           pthread_join(thread, NULL);
}
END
bug() { # bug ARGUMENT: builds the program and runs it with little stack
    cc -std=gnu11 -Wall -Werror -o bug bug.c $(pkg-config --cflags --libs collsim) -lpthread 2>err &&
        (ulimit -s 64 && LD_LIBRARY_PATH=$usr/lib ./bug "$@") >out 2>err && [ ! -s err ]
}
small_stack() { bug && [ "$(grep -c ' 0 $' out)" = "$(grep -c . out)" ]; }
ok '64 KiB of stack are enough' small_stack
no_end() {
    bug wrong && [ "$(grep -c '^[a-z]* bcast: 0 0 4 a bug of libcollsim: blocks_even: ' out)" = 3 ]
}
ok 'a bug of the library ends the call, and not the process' no_end
printf '#include <collsim.h>\nint main() { return collsim_version() == 0; }\n' >cpp.cc
cpp() { command -v g++ >/dev/null || return 0; g++ -Wall -Werror cpp.cc -o cpp $(pkg-config --cflags --libs collsim) 2>err; }
ok 'a C++ program compiles' cpp
