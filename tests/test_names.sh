#!/bin/sh
# A name means one thing. A type is defined in one file only, and so is a macro that takes arguments, unless its
# definitions are the same. A function that other files can call is named after its module, and no other function has
# its name. A name with `measured` in it is about the model of that name: data are measurements, or rows.
set -u
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
cd "$root" || exit 1

# The name of a function with external linkage is one of the following words, or begins with one of them and a _:
#   - the first word or words of its file's name: goal_labels.c may define goal_.. and goal_labels_..
#   - the name of its room (its folder): sim/engine/replay may define replay_..
#   - a type that its room defines: Prediction in sim/engine/model allows prediction_..
#   - a word in the table below, which lists a room or a file and then its words.
words='
    algos/api                    coll slice view
    algos/api/integers.c         is_pow2 log2 pow2 pow
    algos/shapes                 coll same need
    algos/times                  same
    algos/registry               coll need same call algorithm param params
    sim/base/error.c             bad_input collsim_error_quark
    sim/engine/schedule/parse.c  collective algorithm param
    sim/library                  collsim
    sim/library/library_bug.c    __wrap
    sim/run/mpi/host_mpi.c       mca_common_monitoring_record_pml
    sim/run/mpi/mpi_main.c       main __asan_default_options
    sim/run/mpi/polite_mpich.c   MPI
    cli/explore/explore_main.c   main
    cli/main.c                   exit quick_exit _exit _Exit
'

# names TREE...: prints the names that the sources define, one line each, as KIND NAME FILE [BODY]. The kinds are
#   type      a typedef, struct, enum or union
#   macro     a macro that takes arguments, with its body
#   static    a static function
#   function  a function with external linkage
names() {
    find "$@" -name '*.[ch]' | LC_ALL=C sort | xargs awk '
        function put(kind, name, body) { print kind, name, FILENAME, body }
        FNR == 1 { open = 0; macro = head = "" }
        macro != "" { body = body $0; if (!sub(/\\$/, "", body)) { gsub(/[ \t]+/, " ", body); put("macro", macro, body); macro = "" } next }
        /^#[ \t]*define[ \t]+[A-Za-z_0-9]+\(/ {
            macro = $0
            sub(/^#[ \t]*define[ \t]+/, "", macro)
            body = macro
            sub(/\(.*/, "", macro)
            sub(/^[A-Za-z_0-9]+/, "", body)
            if (!sub(/\\$/, "", body)) { gsub(/[ \t]+/, " ", body); put("macro", macro, body); macro = "" }
            next
        }
        /^typedef (struct|enum|union) [A-Za-z_0-9]+ [A-Za-z_0-9]+;/ { if ($3 ";" != $4) put("type", substr($4, 1, length($4) - 1)); next }
        /^(typedef )?(struct|enum|union) [A-Za-z_0-9]+ *\{/ { put("type", $1 == "typedef" ? $3 : $2) }
        /^typedef .*\(\*[A-Za-z_0-9]+\)\(/ { match($0, /\(\*[A-Za-z_0-9]+\)\(/); put("type", substr($0, RSTART + 2, RLENGTH - 4)); next }
        /^typedef [^{(]*[ *][A-Za-z_0-9]+\(/ { sub(/\(.*/, ""); put("type", $NF); next }
        /^typedef .*[ *}][A-Za-z_0-9]+(\[[^]]*\])?;/ { sub(/(\[[^]]*\])?;.*/, ""); gsub(/\*/, " "); put("type", $NF); next }
        /^typedef .*\{/ { open = 1 }
        open && /^\} [A-Za-z_0-9]+;/ { put("type", substr($2, 1, length($2) - 1)); open = 0 }
        /^([A-Z_]+ )?static [^=]*[ *][a-z_0-9A-Z]+\(/ { sub(/\(.*/, ""); gsub(/\*/, " "); put("static", $NF) }
        /^\{/ && head != "" { put("function", head) }
        /^[A-Za-z_]/ && !/^(([A-Z_]+ )?static|typedef)/ && match($0, /[A-Za-z_0-9]+\(/) { head = substr($0, RSTART, RLENGTH - 1); next }
        /^[^ ]|;/ { head = "" }'
}

# faults: reads the lines that names and functions print, and prints what is wrong with them. Each line is a word for
# the kind and a text.
faults() {
    { echo "$words" && echo --- && cat; } | awk '
        function room_of(file) { sub(/\/[^\/]*$/, "", file); return file }
        function snake(name, i, c, text) { # GoalOp: goal_op
            for (i = 1; i <= length(name); i++) {
                c = substr(name, i, 1)
                text = text (c ~ /[A-Z]/ && i > 1 && substr(name, i - 1, 1) !~ /[A-Z_]/ ? "_" : "") tolower(c)
            }
            return text
        }
        function fits(name, words, word, n, i) {
            n = split(words, word, " ")
            for (i = 1; i <= n; i++) if (name == word[i] || index(name, word[i] "_") == 1) return 1
            return 0
        }
        function modules(file, base, n, part, i, text, all) {
            base = file
            sub(/.*\//, "", base)
            sub(/\.c$/, "", base)
            n = split(base, part, "_")
            for (i = 1; i <= n; i++) { text = text (i > 1 ? "_" : "") part[i]; all = all " " text }
            base = room_of(file)
            sub(/.*\//, "", base)
            return all " " base types_of[room_of(file)] extra[room_of(file)] extra[file]
        }
        /^---$/ { listed = 1; next }
        !listed { for (i = 2; i <= NF; i++) extra[$1] = extra[$1] " " $i; next }
        ($1, $2, $3) in seen { if ($1 != "macro") next }
        { seen[$1, $2, $3] = 1 }
        { kind[++n] = $1; name[n] = $2; file[n] = $3; $1 = $2 = $3 = ""; body[n] = $0 }
        END {
            of_model = "^(sim/(machine|engine|measurements/calibrate|judge/prove)|cli/answer/measurements|tests)/"
            for (i = 1; i <= n; i++) {
                if (kind[i] == "type") types_of[room_of(file[i])] = types_of[room_of(file[i])] " " snake(name[i])
                if (kind[i] == "function" && !(name[i] in of_file)) of_file[name[i]] = file[i]
            }
            for (i = 1; i <= n; i++) {
                key = kind[i] " " name[i]
                if (kind[i] != "macro" && name[i] ~ /[Mm]easured/ && file[i] !~ of_model) print "measured", file[i] ": " name[i] " is not about the model measured"
                if (kind[i] == "type") {
                    if (key in first && first[key] != file[i]) print "type", name[i] " is a type of " first[key] " and of " file[i]
                } else if (kind[i] == "macro") {
                    algorithm = file[i] ~ /^algos\// && room_of(file[i]) !~ /^algos(\/(api|shapes|times|registry))?$/
                    if (algorithm) continue # an algorithm may have macros of its own
                    if (key in first && body[i] != body_of[key]) print "macro", name[i] " differs in " first[key] " and " file[i]
                    body_of[key] = body[i]
                } else if (kind[i] == "function") {
                    if (!fits(name[i], modules(file[i]))) print "module", file[i] ": " name[i] " is not named after its module"
                } else if (name[i] in of_file && of_file[name[i]] != file[i]) {
                    print "static", name[i] " is a function of " of_file[name[i]] " and a static one of " file[i]
                } else if (file[i] ~ /\.h$/) {
                    if (key in first && first[key] != file[i]) print "static", name[i] " is a static function of " first[key] " and of " file[i]
                } else continue
                if (!(key in first)) first[key] = file[i]
            }
        }'
}

report() { # report NAME KIND: passes if nothing of the kind was found
    ! echo "$found" | grep -q "^$2 "
    result $? "$1"
    echo "$found" | sed -n "s/^$2 /# /p"
}
plants() { # plants TEXT: passes if the text is a line of what is found in the planted files
    echo "$planted" | grep -qxF "$1"
    result $? "planted: $1"
}

echo 1..13
found=$({ names algos sim cli; names tests | grep '^type'; } | faults)
report 'a type is defined in one file' type
report 'a macro that takes arguments means the same in all files' macro
report 'no static function has the name of one that other files call' static
report 'a function that other files call is named after its module' module
report 'a name with measured in it is about the model of that name' measured

# The checks can fail: in a few files with at least one mistake of each kind, these mistakes are found and nothing else
# is.
mkdir -p "$dir/sim/engine/goal" "$dir/sim/measurements/logs"
cat >"$dir/sim/engine/goal/goal.h" <<'C'
typedef struct Goal Goal;
typedef struct Sample {
    int p;
} Sample;
typedef int (*GoalVisit)(Goal *goal, int op);
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define SAME(a) (a)
static inline int goal_latest(const Goal *goal)
{
C
cat >"$dir/sim/measurements/logs/logs.c" <<'C'
typedef struct Goal Goal;
typedef enum { FAST, SLOW } Sample;
typedef struct Log {
    int n;
} Log;
typedef int (*GoalVisit)(int a,
                         int b);
#define LARGER(a, b) \
    MAX(a, b)
#define SAME(a) (a)
static int goal_read(const char *text)
{
}
int given(int a);
int log_read(int a,
             int b)
{
    take_all(a);
}
const Log *log_measured(void)
{
}
Log *take(const Log *log)
{
}
C
printf 'void goalkeeper(void)\n{\n}\n' >"$dir/sim/engine/goal/goal.c"
printf 'int goal_read(const char *text)\n{\n}\n' >"$dir/sim/engine/goal/goal_read.c"
planted=$(cd "$dir" && names sim | faults)
plants 'type Sample is a type of sim/engine/goal/goal.h and of sim/measurements/logs/logs.c'
plants 'type GoalVisit is a type of sim/engine/goal/goal.h and of sim/measurements/logs/logs.c'
plants 'macro LARGER differs in sim/engine/goal/goal.h and sim/measurements/logs/logs.c'
plants 'static goal_read is a function of sim/engine/goal/goal_read.c and a static one of sim/measurements/logs/logs.c'
plants 'module sim/measurements/logs/logs.c: take is not named after its module'
plants 'module sim/engine/goal/goal.c: goalkeeper is not named after its module'
plants 'measured sim/measurements/logs/logs.c: log_measured is not about the model measured'
[ "$(echo "$planted" | wc -l)" = 7 ]
result $? 'nothing else is found there'
echo "$planted" | sed 's/^/# /'
