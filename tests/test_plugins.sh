#!/bin/sh
# Algorithms in files: compiled, loaded, ranked, drawn, run on backends, proven; and what is refused.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
plugin=$root/experiments/plugins/scatter_circulant.c
unset CC COLLSIM_HEADERS
mkdir temporary && TMPDIR=$PWD/temporary && export TMPDIR # what is left in it is ours

# entry FILE NAME FIELDS [TEXT]: writes a plugin, a copy of bcast linear's idea, with these fields of its entry.
entry() {
    cat >"$1" <<END
#include "coll.h"
#include "times/times.h"
static int nowhere(const Coll *c) { return -5; }
static int endless(const Coll *c, int *x) { return 5000; }
static void text(const Coll *c)
{
    ${4:-for (int i = 0; c->rank == c->root && i < c->p; i++) if (i != c->root) coll_send(c, i, c->out);
    if (c->rank != c->root) coll_recv(c, c->root, c->out);}
}
static int64_t formula(const CollPoint *x) { return (x->p - 1) * u(x, x->m); }
static const CollAlgorithm own = {.collective = COLL_BCAST, .name = $2, .summary = "s", .run = text, .cost = "c",
                                  .formula = formula, .source = "s", .peers = PEERS_SHIFT, $3};
COLL_PLUGIN(&own)
END
}
build() { # build FILE..: shared libraries, which load faster than C files
    for file in "$@"; do
        gcc -std=gnu11 -O0 -w -fPIC -shared -Wl,-Bsymbolic -I "$root/algos" -o "${file%.c}.so" "$file" || return 1
    done
}
faulty() { # faulty TEXT ARGUMENTS..: exit 1, and the answer or the error has the text
    text=$1
    shift
    c "$@"
    [ $? = 1 ] && cat out err | grep -qF -- "$text" && [ "$(wc -l <err)" -le 1 ]
}

# The example of docs/PLUGINS.md.
sed -n '/^```c$/,/^```$/p' "$root/docs/PLUGINS.md" | sed '/^```/d' >one_by_one.c
entry taken.c '"linear"' '.shared = false'
entry bad.c '"Bad Name"' '.shared = false'
entry range.c '"range"' '.params = {CHAINS, {"radix", PARAM_INT, offsetof(CollParams, radix), 1, 2, 8, 0, "a radix", false}}'
entry symmetry.c '"symmetry"' '.same_as = same_always'
entry dead.c '"dead"' '.shared = false' 'coll_recv(c, (c->rank + 1) % c->p, c->out);'
entry data.c '"data"' '.shared = false' 'if (c->rank == c->root) for (int i = 1; i < c->p; i++) coll_send(c, (c->root + i) % c->p, c->out); else coll_recv(c, c->root, coll_scratch(c, c->out.len));'
entry wrong.c '"wrong"' '.row_of = 0'
sed -i 's/(x->p - 1) \* u/x->p * u/' wrong.c
entry crash.c '"crash"' '.shared = false' '*(volatile int *)0 = 1;'
entry nobody.c '"nobody"' '.shared = false' 'coll_send(c, c->rank + c->p, c->out);'
sed 's/COLL_PLUGIN(&one_by_one)/COLL_PLUGIN(\&one_by_one, \&one_by_one)/' one_by_one.c >twice.c
sed 's/COLL_PLUGIN(.*/COLL_PLUGIN()/' one_by_one.c >empty.c
sed 's/^static void/void undefined(void);\n&/; s/coll_recv(.*/undefined();/' one_by_one.c >undefined.c
entry zero.c '"zero"' '.row_of = 0'
sed -i 's/return (x->p - 1)/volatile int zero = 0; return x->p \/ zero/' zero.c
entry endless.c '"endless"' '.shared = false' 'for (;;) coll_send(c, c->root, c->out);'
sed '/times.h/d' one_by_one.c >no_times.c
echo 'COLL_PLUGIN(&nothing' >broken.c
printf '#include "coll.h"\nconst CollPlugin coll_plugin = {COLL_ABI + 1};\n' >later.c
echo 'int x;' >none.c
echo 'no library' >text.so
mkdir folder.c
build zero.c endless.c taken.c bad.c range.c symmetry.c dead.c data.c wrong.c crash.c later.c none.c nobody.c twice.c empty.c undefined.c
cp one_by_one.c 'with space.c'
sed 's/"one_by_one"/"other"/; s/.*COLL_BCAST,/&\n    .aliases = {"libnbc:one_by_one", "ompi:1"},/' one_by_one.c >alias.c
build one_by_one.c

ok 'the example of the page is compiled and run' gives '7 alpha + 448 beta' run bcast ./one_by_one.c -p 8 -m 64
ok 'a library gives the same' gives '7 alpha + 448 beta' run bcast one_by_one.so -p 8 -m 64
ok 'it is ranked among all' gives 'one_by_one' run bcast all,./one_by_one.so -p 8 -m 64
sed 's/"binomial"/"copied"/; /aliases/d' "$root/algos/bcast/binomial.c" >copy.c
echo 'COLL_PLUGIN(&bcast_binomial_algorithm)' >>copy.c
ok 'a copy of a built-in file is an algorithm of its own' gives '3 alpha + 192 beta' run bcast ./copy.c -p 8 -m 64
ok 'a claim about it is judged' gives 'exact' audit --claim '(p-1)*(alpha + m*beta)' bcast ./one_by_one.so
listed() { # the ranking has the built-in ones, too
    c run bcast all,./one_by_one.so -p 8 -m 64 && says out binomial && says out scatter_ring_allgather
}
ok 'among all others' listed
ok 'it is drawn' gives '0 -> 7' show bcast ./one_by_one.so -p 8
ok 'it is listed' gives '(p-1) (alpha + m beta)' list ./one_by_one.so -f csv
listed_alone() { c list ./one_by_one.so && says out '1 algorithm;' && says_not out binomial; }
ok 'alone' listed_alone
among_best() { c best bcast ./one_by_one.so -p 16 -m 1K --top 2 -f csv && [ "$(grep -cv 'left out' out)" = 4 ] && grep -q '^bcast,one_by_one,.*,,3[.]75' out; }
ok 'best shows it, although others are faster' among_best
sed 's/"pipeline"/"own_pipeline"/; /aliases/d' "$root/algos/bcast/pipeline.c" >pipeline.c
echo 'COLL_PLUGIN(&bcast_pipeline_algorithm)' >>pipeline.c
build pipeline.c
ok 'best searches its parameters' gives 'own_pipeline segment=116509' best bcast ./pipeline.so -p 3 -m 1M --top 1
ok 'it is held against lower bounds' gives '7 alpha + 57344 beta' bound bcast ./one_by_one.so -p 8 -m 8K -f csv
swept() { # with its best parameters too, from a specification and in shards
    printf '[sweep]\ncollective = bcast, reduce\nalgorithm = binomial, ./one_by_one.so, tuned:one_by_one.so\np = 4,8\nm = 64\n' >spec.ini
    c sweep spec.ini -o whole.csv && [ "$(grep -c 'one_by_one,' whole.csv)" = 4 ] || return 1
    for i in 1 2; do c sweep spec.ini -o part.csv --shard $i/2 || return 1; done
    c merge part.csv.*.rows -o part.csv && cmp part.csv whole.csv
}
ok 'it is swept, in shards too' swept
ok 'a sweep of what does not compile' fails './broken.c:1: ' sweep bcast,reduce all,./broken.c -p 4 -m 8 -o broken.csv
other_code() { # rows of a text that has changed since are refused
    cp one_by_one.so again.so && c sweep bcast ./again.so -p 4 -m 8 -o again.csv && c sweep bcast ./again.so -p 4 -m 8 -o again.csv || return 1
    cp range_ok.so again.so && fails 'belongs to another specification' sweep bcast ./again.so -p 4 -m 8 -o again.csv
}
sed 's/"range"/"one_by_one"/; s/1, 2, 8/2, 2, 8/' range.c >range_ok.c
build range_ok.c
ok 'a sweep of changed code' other_code
validated() {
    printf 'collective,algorithm,bytes,ranks,time_s\nbcast,one_by_one,64,4,1e-5\n' >times.csv
    fails 'bcast has no algorithm `one_by_one`' validate times.csv && gives 'bcast' validate times.csv ./one_by_one.so
}
ok 'rows with its name' validated
printf 'collective,algorithm,bytes,ranks,time_s\nbcast,./one_by_one.so,64,4,1e-5\n' >file.csv
ok 'data load no file' fails 'bcast has no algorithm `./one_by_one.so`' validate file.csv
ok 'no library runs it' fails 'cannot be told to run ./one_by_one.so' best bcast ./one_by_one.so -p 4 -m 8 --only ompi-4.1
ok 'one file under two paths' gives '7 alpha' run bcast "./one_by_one.so,$PWD/one_by_one.so" -p 8 -m 64
ok 'it is exported' gives 'send 64b' export goal bcast ./one_by_one.so -p 4 -m 64
ok 'it is a part' gives 'one_by_one' run allreduce reduce_bcast --param bcast=./one_by_one.so -p 4 -m 64
ok 'nothing is left of what was compiled' test -z "$(find temporary -name 'plugin0.so')"
proven() { c check "$plugin" && [ "$(grep -c ' ok ' out)" = 5 ] && [ ! -s err ]; }
ok 'our own broadcast is proven' proven
not_built_in() { c list bcast && says_not out scatter_circulant; }
ok 'it is not built in' not_built_in
fastest() { c best bcast "all,$plugin" --defaults --top 1 -p 1000 -m 1M && grep -q '^scatter_circulant .* 1\.00 .* 20 alpha + 2095478 beta' out; }
ok 'it is the fastest on 1,000 ranks and 1 MiB' fastest
ok 'a built-in one is proven as well' gives 'formula   ok' check --prove barrier two_procs
each() { c check --prove barrier && [ "$(grep -c '^barrier' out)" = "$("$COLLSIM" list barrier -f csv | tail -n +2 | wc -l)" ]; }
takes 0 3 && ok '.. and so is each of a collective' each

# What `new` writes.
written() ( # written COLLECTIVE: the file is right as it stands
    mkdir -p new && cd new && c new "$1" "my_$1" && says out "collsim check ./my_$1.c" && [ "$(cat err)" = "wrote my_$1.c" ] || return 1
    ! grep -n '.\{121\}' "my_$1.c" && c check "./my_$1.c" && [ "$(grep -c ' ok ' out)" = 5 ] && [ ! -s err ]
)
for collective in $(sampled 6 $("$COLLSIM" list -f csv | sed 1d | cut -d, -f1 | sort -u)); do
    ok "new $collective" written "$collective"
done
unformulated() { # as its comments say
    c new scan halfway && sed -i '/^static int64_t formula/,/^}/d; s/\.formula = formula.*/.unknown = "no formula is known yet",/' halfway.c &&
        c check ./halfway.c && says out 'formula   ok      there is no formula'
}
ok 'a new file without a formula' unformulated
unordered() { # a reduction that says that it keeps the order, and does not
    c new reduce unordered && says unordered.c '.needs = {&need_commutative}' && sed -i 's/\.needs = .*/.ordered = true,/' unordered.c &&
        faulty 'contents  FAILED' check ./unordered.c
}
ok 'a new reduction needs an operation that commutes' unordered
kept() { # no file is overwritten, nor what a link points to
    echo mine >kept.c && ln -s nowhere.c link.c && fails 'kept.c is there already; allowed: another NAME' new bcast kept && [ "$(cat kept.c)" = mine ] &&
        fails 'link.c is there already' new bcast link && [ ! -e nowhere.c ]
}
ok 'new overwrites nothing' kept
ok 'a new name with capitals' fails "'Mine' cannot be an algorithm's name; allowed: a-z, 0-9 and _" new bcast Mine
ok 'a new name with a folder' fails "'./mine.c' cannot be an algorithm's name" new bcast ./mine.c
ok 'a new name that is a word of commands' fails "'all' cannot be an algorithm's name" new bcast all
ok 'a new name that is taken' fails 'there is another algorithm bcast binomial; allowed: a name that `collsim list bcast`' new bcast binomial
ok 'a new one of no collective' fails "did you mean bcast?" new bcats mine
of_header() { c new reduce over && c new bcast int && gives '3 alpha' run reduce ./over.c -p 4 -m 64 && gives '3 alpha' run bcast ./int.c -p 4 -m 64; }
ok 'new names that coll.h and C have' of_header

in_macro() { # the compiler finds it in the macro of the next line
    c new allreduce half && sed -i 's/\(coll_send(c, 0, c->in)\);/\1/' half.c && line=$(grep -n 'coll_recv(c, 0, c->out);' half.c) &&
        fails "./half.c:$((${line%%:*} - ${1:-0})): expected" check ./half.c
}
case $(cc --version) in
*clang*) ok 'a missing semicolon' in_macro 1 ;;
*) ok 'a missing semicolon before a macro' in_macro ;;
esac
ok 'wrong data' faulty 'was never written' check ./data.so
stuck() { c run bcast ./dead.so -p 4 -m 8; [ $? = 1 ] && says err 'rank 0 waits for rank 1: operation 0, recv of 8 bytes'; }
ok 'a deadlock' stuck
ok 'a deadlock proves nothing' faulty 'contents  FAILED' check ./dead.so
nobody() { faulty './nobody.so: rank 0 of 4 names rank 4, which does not exist; allowed: 0 .. p-1' run bcast ./nobody.so -p 4 -m 8 "$@"; }
ok 'a rank that does not exist' nobody
ok 'nor in a graph' nobody --model loggp
without_it() { c best bcast ./dead.so -p 4 -m 8 && says out binomial && says err 'bcast dead has no time at 1 of 1 points'; }
ok 'best goes on without a deadlock' without_it
ok 'a wrong symmetry' faulty 'bcast symmetry declares a symmetry that v = 7 of 8 does not have' run bcast ./symmetry.so -p 8 -m 8
ok 'a wrong symmetry proves nothing' faulty 'symmetry  FAILED' check ./symmetry.so
ok 'a wrong formula' faulty 'simulated, 2 by the formula' check ./wrong.so
few() { faulty 'bcast wrong: 310 more, see -f json' check bcast ./wrong.so -p 2..33 && [ "$(grep -c 'by the formula' out)" = 10 ]; }
ok '.. is shown at ten points, and the others are counted' few
[ -n "${SANITIZED:-}" ] || ok 'a crash says whose code was loaded' faulty 'a crash, after the code of ./crash.so was loaded: an access outside' run bcast ./crash.so -p 4 -m 8
[ -n "${SANITIZED:-}" ] || ok 'a division by zero' faulty 'was loaded: a division by zero' check ./zero.so
# One plugin makes all these calls, each at its number in $MISUSE.
cat >misuses <<'END' # NAME|TEXT|ANSWER
a block that does not exist|Blocks b = blocks_even(c, c->out, c->p); coll_send(c, 1, block(&b, c->p + 3));|blocks 7 .. 7 are asked for, and there are 4
a cut into no blocks|blocks_even(c, c->out, 0);|blocks_even: 64 bytes of elements of 1 cannot be cut into 0 blocks
a part beyond a slice|slice_at(c->out, 60, 5);|slice_at: bytes 60 + 5 lie outside of a slice of 64 bytes
a throttle of nothing|coll_throttle(c, 0);|coll_throttle: 0 requests are none
a copy of another length|coll_copy(c, coll_scratch(c, 3), coll_scratch(c, 4));|coll_copy: 4 bytes cannot be copied into 3 bytes
negative scratch|coll_scratch(c, (size_t)-8);|coll_scratch: rank 0 of 4 takes
memory for too many integers|coll_ints(c, (size_t)-1);|coll_ints: rank 0 of 4 asks for
a slot without a queue|coll_slot(c, 0, 0, 1, 0);|are not in a queue of 0 slots
flags of an entry that is not shared|coll_raise(c, 0, 1);|bcast misuse uses shared memory, and is not .shared
a radix below 2|tree_knomial(c, c->root, 1);|a k-nomial tree has radix 1; allowed: 2 and more
END
entry misuse.c '"misuse"' '.shared = false' "extern char *getenv(const char *); extern int atoi(const char *); switch (atoi(getenv(\"MISUSE\"))) {
    $(awk -F'|' '{ printf "case %d: { %s break; }\n", NR, $2 }' misuses)
    }"
build misuse.c
misused() { # misused ANSWER [NUMBER]: what the plugin does ends with the answer
    MISUSE=${2-} && export MISUSE
    faulty "$1" run bcast ./misuse.so -p 4 -m 64
}
number=0
while IFS='|' read -r name text answer; do
    ok "$name" misused "$answer" $((number += 1))
done <misuses
misdeclared() { # misdeclared FIELDS ANSWER: the plugin with these fields ends with the answer
    entry misuse.c '"misuse"' "$1"
    build misuse.c && misused "$2"
}
ok 'messages of an entry that is shared' misdeclared '.shared = true' 'bcast misuse is .shared, and sends messages'
ok 'a negative symmetry' misdeclared '.same_as = nowhere' 'same_as or row_of says -5 at v = 0 of 4'
ok 'a pattern that is too long' misdeclared '.pattern = endless' 'the pattern of v = 0 of 4 has 5000 integers; allowed: 0 to 64'
ok 'a text without an end proves nothing' faulty 'operations, and its text does not end' check ./endless.so
# An end of the program by a plugin's code is found, whoever calls what: nothing is answered, and no file is left but the
# rows with which a sweep goes on.
ending='the program was ended before its answer, after the code of ./ending.so was loaded; allowed: code that returns'
ends() { # ends PLACE CALL COMMAND...: runs the command with a plugin that makes this call at this place
    END_AT=$1 END_BY=$2
    shift 2
    export END_AT END_BY
    ended "$@"
    set -- $?
    unset END_AT END_BY
    return "$1"
}
{
    printf '#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n'
    printf 'static void end(const char *place) {\n  const char *at = getenv("END_AT"), *by = getenv("END_BY");\n  if (!at || strcmp(at, place)) return;\n'
    for end in 'exit(0)' 'exit(7)' '_exit(0)' '_Exit(0)' 'quick_exit(0)' 'pthread_exit(0)' 'abort()'; do printf '  if (!strcmp(by, "%s")) %s;\n' "$end" "$end"; done
    printf '}\n__attribute__((constructor)) static void begin(void) { end("constructor"); }\n'
    entry own.c '"ending"' '.shared = false'
    sed 's/return (x->p - 1)/end("formula"); &/; s/^ *for (int i = 0; c->rank == c->root/end("text"); &/' own.c
} >ending.c
build ending.c
ended() { # ended COMMAND...: the command, in which the plugin ends the program, ends as it should
    rm -rf left && mkdir left || return 1
    (cd left && cp ../ending.so . && TMPDIR=$PWD && export TMPDIR && "$COLLSIM" "$@" >../out 2>../err)
    [ $? = 1 ] && says err "$ending" && [ "$(wc -l <err)" = 1 ] && [ "$(ls -A left | grep -v '^answer.csv.*rows$')" = ending.so ] && says_not out own
}
of_thread='pthread_exit(0)'; [ -z "${SANITIZED:-}" ] || of_thread= # a sanitizer does not survive it
for end in 'exit(0)' 'exit(7)' '_exit(0)' '_Exit(0)' 'quick_exit(0)' $of_thread; do
    ok "$end in a text" ends text "$end" run bcast ./ending.so -p 4 -m 64 -f csv -o answer.csv
    ok "$end in a formula" ends formula "$end" check ./ending.so
    ok "$end on another thread" ends text "$end" sweep bcast all,./ending.so -p 4,5 -m 64,65 -o answer.csv
done
racing() { # several threads end it at once, again and again
    for _ in 1 2 3 4 5 6 7 8; do
        ends text 'exit(0)' sweep bcast ./ending.so -p 4,5,6,7 -m 64,65,66 -o answer.csv || return 1
    done
}
ok 'exit(0) on several threads' racing
ok 'exit(0) in a constructor' ends constructor 'exit(0)' run bcast ./ending.so -p 4 -m 64
ok '_exit(0) in a constructor' ends constructor '_exit(0)' run bcast ./ending.so -p 4 -m 64
aborts() { ending='a crash, after the code of ./ending.so was loaded: an assertion that failed' ends "$@"; }
[ -n "${SANITIZED:-}" ] || ok 'abort() in a text' aborts text 'abort()' run bcast ./ending.so -p 4 -m 64 -f csv -o answer.csv
[ -n "${SANITIZED:-}" ] || ok 'abort() in a constructor' aborts constructor 'abort()' run bcast ./ending.so -p 4 -m 64
child() { # a child of the plugin ends as it likes
    entry child.c '"child"' '.shared = false' 'if (c->rank != c->root) coll_recv(c, c->root, c->out); else { if (fork() == 0) _exit(0); wait(0); for (int i = 0; i < c->p; i++) if (i != c->root) coll_send(c, i, c->out); }'
    sed -i '1i #include <unistd.h>\n#include <sys/wait.h>' child.c
    build child.c && gives '3 alpha' run bcast ./child.so -p 4 -m 64
}
ok 'the end of a child is not that of the program' child

# Names that mean something to a compiler, a shell or a printer.
named() { # named NAME: a file of this name is compiled, and an error in it is one line
    cp one_by_one.c "./$1" && gives '7 alpha + 448 beta' run bcast "./$1" -p 8 -m 64 || return 1
    case $1 in -* | ' '*) ;; *) gives '7 alpha + 448 beta' run bcast "$1" -p 8 -m 64 || return 1 ;; esac
    echo 'COLL_PLUGIN(&nothing' >"./$1" && fails ':1: ' run bcast "./$1" -p 8 -m 64
}
utf8() ( LC_ALL=C.UTF-8 && export LC_ALL && "$@" ) # in the C locale a word must be ASCII
cp one_by_one.c mine.c
mkdir -p @folder
i=0
# shellcheck disable=SC2016
for name in @mine.c @.c @folder/@mine.c @folder/mine.c -mine.c --mine.c 'a b.c' ' .c' "it's.c" 'say "so".c' 'back\slash.c' \
    '%s.c' '$HOME.c' '`x`.c' '#.c' '=.c' ';.c' '*.c' '(.c' 'a:1: error: x.c' 'größe.c' 'new
line.c' 'tab	.c'; do
    takes $((i += 1)) 6 || continue
    ok "a file named $(printf %s "$name" | tr '#\n\t' '   ')" utf8 named "$name"
done
included() { # what it includes lies beside it
    mkdir -p below && cp one_by_one.c below/@text.c && sed -i '1i #include "../beside.h"' below/@text.c && echo 'int beside = nothing;' >beside.h
    fails 'beside.h:1: ' run bcast below/@text.c -p 8 -m 64 && : >beside.h && gives '7 alpha' run bcast below/@text.c -p 8 -m 64
}
ok 'a file whose name begins with @ includes what is beside it' included
cp one_by_one.c '@say "so".c'
ok 'a file that cannot be included' fails 'the compiler cannot include it; allowed: a name without @' run bcast '@say "so".c' -p 8 -m 64
odd_folders() { mkdir -p @headers @tmp && cp -r "$root/algos/." @headers && COLLSIM_HEADERS=@headers TMPDIR=@tmp gives '7 alpha' run bcast ./one_by_one.c -p 8 -m 64 && [ -z "$(ls -A @tmp)" ]; }
ok 'folders whose names begin with @' odd_folders

ok 'a file before the collective' fails './one_by_one.so is a file; allowed: a collective first' run ./one_by_one.so -p 4 -m 8
ok 'a file in place of the collective' fails './one_by_one.so is a file; allowed: a collective first' run ./one_by_one.so binomial -p 4 -m 8
ok 'a formula without times.h' fails 'allowed: a file that includes times/times.h' run bcast ./no_times.c -p 4 -m 8

ok 'a file that does not compile' fails './broken.c:1: ' run bcast ./broken.c -p 4 -m 8
ok 'another interface' fails 'compiled with COLL_ABI 6, and this program has 5' run bcast ./later.so -p 4 -m 8
ok 'a library without algorithms' fails './none.so: it has no algorithms; allowed: a file that ends with COLL_PLUGIN' run bcast ./none.so -p 4 -m 8
ok 'a text that is not a library' fails './text.so: ' run bcast ./text.so -p 4 -m 8
ok 'a folder' fails './folder.c is not a file' run bcast ./folder.c -p 4 -m 8
ok 'no file' fails './missing.c: No such file or directory' run bcast ./missing.c -p 4 -m 8
ok 'another suffix' fails './mine is not a plugin; allowed: a file that ends in .c or .so' run bcast ./mine -p 4 -m 8
ok 'the name of a built-in algorithm' fails 'there is another algorithm bcast linear' run bcast ./taken.so -p 4 -m 8
ok 'an alias of a built-in algorithm' fails 'alias ompi:1 is one of bcast linear; allowed: another alias' run bcast ./alias.c -p 4 -m 8
ok 'the same name in two files' fails 'there is another algorithm bcast one_by_one' run bcast './one_by_one.so,./with space.c' -p 4 -m 8
ok 'the same name twice in a file' fails 'two entries are bcast one_by_one' run bcast ./twice.so -p 4 -m 8
ok 'no entry' fails 'COLL_PLUGIN has no entry' run bcast ./empty.so -p 4 -m 8
ok 'a function that is not there' fails 'undefined symbol: undefined' run bcast ./undefined.so -p 4 -m 8
ok 'a name with a space' fails 'its name is not made of a-z, 0-9 and _' run bcast ./bad.so -p 4 -m 8
ok 'a default out of range' fails 'param radix: its default 1 is outside of its range 2 .. 8' run bcast ./range.so -p 4 -m 8
mended() { # an error says which lines mend the entry: each of them does
    sed 's/COLL_BCAST/COLL_REDUCE/' one_by_one.c >sum.c
    fails 'allowed: .ordered = true, or .needs = {&need_commutative}' run reduce ./sum.c -p 4 -m 8 || return 1
    sed 's/.*COLL_REDUCE,/&\n    .ordered = true,/' sum.c >ordered.c
    sed 's/.*COLL_REDUCE,/&\n    .needs = {\&need_commutative},/' sum.c >commutes.c
    gives '3 alpha' run reduce ./ordered.c -p 4 -m 8 && gives '3 alpha' run reduce ./commutes.c -p 4 -m 8
}
ok 'a reduction that does not say whether it keeps the order' mended
ok 'another collective' fails './one_by_one.so has no algorithm of reduce; allowed: bcast one_by_one' run reduce ./one_by_one.so -p 4 -m 8
no_compiler() { CC=no-such-compiler fails 'no-such-compiler' run bcast ./one_by_one.c -p 4 -m 8; }
ok 'no compiler' no_compiler
no_output() { CC=true fails 'true is not a C compiler, because it writes nothing' run bcast ./one_by_one.c -p 4 -m 8; }
ok 'no output of the compiler' no_output
no_library() { CC='gcc -lnone-such' fails './one_by_one.c: ' run bcast ./one_by_one.c -p 4 -m 8 && says err 'cannot find -lnone-such'; }
ok 'a linker that fails' no_library
no_folder() { TMPDIR=/proc fails 'allowed: a TMPDIR in which folders can be made' run bcast ./one_by_one.c -p 4 -m 8; }
ok 'no folder for what is compiled' no_folder
no_headers() { COLLSIM_HEADERS=/nowhere fails '/nowhere/coll.h: there is no such file' run bcast ./one_by_one.c -p 4 -m 8; }
ok 'no headers' no_headers
ok 'a proof of nothing' fails '--prove needs a COLLECTIVE' check --prove
ok 'a proof takes no ranks' fails 'a proof chooses the ranks itself' check ./one_by_one.so -p 4
echo "1..$n"
