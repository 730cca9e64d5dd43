#!/bin/sh
# The includes of algos/, sim/ and cli/ go in one direction. A room is a folder of sources; it includes only rooms that
# the list below has on earlier lines. The rooms of sim/ are in wings: sim/engine/replay is a room of the wing engine.
# Wings, rooms and headers do not include each other in a circle, and no two sources of sim/ and cli/ have one name.
set -u
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
cd "$root" || exit 1

# The floors, from the bottom up: each line lists the rooms of one floor, which may not include each other. `algos`
# stands for coll.h, and `cli` for the files at the top of that folder. The word "algorithms" marks rooms that hold only
# algorithms.
floors='
    algos/api
    algos/shapes
    algos/times
    algos/registry
    algos
    algorithms algos/allgather algos/allreduce algos/alltoall algos/barrier algos/bcast algos/gather algos/gatherv algos/reduce algos/reduce_scatter algos/scan algos/scatter
    sim/base
    sim/machine/platform
    sim/machine/network
    sim/engine/formula
    sim/engine/goal
    sim/engine/schedule
    sim/engine/plugin
    sim/engine/replay
    sim/engine/loggops
    sim/engine/network
    sim/engine/model
    sim/engine/rounds
    sim/engine/trace
    sim/libraries/sources
    sim/libraries/decide
    sim/libraries/nccl
    sim/libraries/targets
    sim/measurements/logs
    sim/measurements/calibrate
    sim/search/form
    sim/search/search
    sim/search/sweep
    sim/advice/tune
    sim/advice/guidelines
    sim/advice/targets
    sim/advice/app
    sim/advice/learn
    sim/judge/validate
    sim/judge/compare
    sim/judge/prove
    sim/judge/audit
    sim/run/launch
    sim/run/mpi
    sim/library
    cli/out
    cli/ask
    cli/figure
    cli/export
    cli/answer/report
    cli/answer/engine
    cli/answer/libraries
    cli/answer/measurements
    cli/answer/search
    cli/answer/judge
    cli/answer/advice
    cli/answer/run
    cli/answer/page
    cli/explore
    cli
'

# includes FOLDER: prints FILE 0 for each source below the folder, and FILE LINE HEADER for each include of a project's
# header.
includes() (
    cd "$1" || exit 1
    find algos sim cli -name '*.[ch]' 2>/dev/null | LC_ALL=C sort | xargs awk '
        FNR == 1 { print FILENAME, 0 }
        /^[ \t]*#[ \t]*include[ \t]*"/ { split($0, part, "\""); print FILENAME, FNR, part[2] }'
)

# faults FOLDER: prints what is wrong with the includes below the folder. Each line is a word for the kind and a text.
# The kinds are
#   path       an include that does not name its room, or a header that does not exist
#   list       a room that the list of floors does not have
#   up         an include of a room that is not below
#   algorithm  an algorithm that includes more than it may
#   base       an include of another room in sim/base, which knows nothing of MPI
#   wings      wings that include each other in a circle, although their rooms may not
#   rooms      rooms that include each other in a circle
#   shape      too many arrows between wings, or too many floors of them, if they have no circle
#   headers    headers that include each other in a circle; an include in FILE.c counts as one in FILE.h, so that a
#              reader can understand a header without those that need it
#   name       a source of sim/ or cli/ that has the name of another one
faults() {
    { echo "$floors" && echo --- && includes "$1"; } | awk '
        function room_of(file) { sub(/\/[^\/]*$/, "", file); return file }
        function wing_of(room, part) { split(room, part, "/"); return part[1] == "sim" ? part[1] "/" part[2] : part[1] }
        function arrow(graph, from, to, where) {
            if ((graph, from, to) in at) return
            at[graph, from, to] = where
            if (!((graph, from) in next_of)) node[graph, ++nodes[graph]] = from
            next_of[graph, from] = next_of[graph, from] " " to
        }
        # Reports the shortest circle through a node, as A -> B (where A includes B) -> A (where B includes A), unless a
        # circle that was reported before goes through the node.
        function circle(graph, start, before, queue, first, last, here, targets, n, i, path) {
            if ((graph, start) in told) return
            queue[last = 1] = start
            for (first = 1; first <= last; first++) {
                here = queue[first]
                n = split(next_of[graph, here], targets, " ")
                for (i = 1; i <= n; i++) if (!(targets[i] in before)) { before[targets[i]] = here; queue[++last] = targets[i] }
                if (start in before) break
            }
            if (!(start in before)) return
            here = start
            do {
                told[graph, here] = 1
                path = " -> " here " (" at[graph, before[here], here] ")" path
                here = before[here]
            } while (here != start)
            print graph, start path
        }
        # Returns how many floors are needed for a wing and those below it.
        function height(wing, targets, n, i, below, most) {
            if (wing in high) return high[wing]
            n = split(next_of["wings", wing], targets, " ")
            for (i = 1; i <= n; i++) if ((below = height(targets[i])) > most) most = below
            return high[wing] = most + 1
        }
        /^---$/ { listed = 1; next }
        !listed {
            floor++
            for (i = 1; i <= NF; i++) if ($i != "algorithms") { floor_of[$i] = floor; holds_algorithms[$i] = $1 == "algorithms" }
            next
        }
        { file[++files] = $1; line[files] = $2; header[files] = $3; exists[$1] = 1 }
        END {
            split("algos sim cli", tree, " ")
            for (f = 1; f <= files; f++) {
                from = room_of(file[f])
                where = file[f] ":" line[f]
                if (line[f] == 0) {
                    base = file[f]
                    sub(/.*\//, "", base)
                    if (base in has) print "name", file[f] ": " has[base] " has this name too"
                    if (file[f] !~ /^algos\//) has[base] = file[f]
                    if (!(from in floor_of) && !(from in missing)) { missing[from] = 1; print "list", where ": the room " from " is not in the list of floors" }
                    continue
                }
                target = ""
                for (t = 1; t <= 3 && target == ""; t++) if ((tree[t] "/" header[f]) in exists) target = tree[t] "/" header[f]
                if (target == "") { print "path", where ": \"" header[f] "\" names no header of a room"; continue }
                to = room_of(target)
                if (holds_algorithms[from] && target != "algos/coll.h" && target != "algos/times/times.h")
                    print "algorithm", where ": an algorithm includes coll.h and times/times.h only, not \"" header[f] "\""
                if (from == "sim/base" && to != from) print "base", where ": sim/base includes \"" header[f] "\" of " to
                if (from != to) {
                    if (floor_of[to] >= floor_of[from]) print "up", where ": " from " includes \"" header[f] "\" of " to ", which is not below it"
                    arrow("rooms", from, to, where)
                    if (wing_of(from) != wing_of(to)) arrow("wings", wing_of(from), wing_of(to), where)
                }
                source = file[f]
                sub(/\.[ch]$/, "", source)
                sub(/\.h$/, "", target)
                if (source != target) arrow("headers", source, target, where)
            }
            split("wings rooms headers", graphs, " ")
            for (g = 1; g <= 3; g++) for (i = 1; i <= nodes[graphs[g]]; i++) circle(graphs[g], node[graphs[g], i])
            for (i in told) if (i ~ /^wings/) exit
            for (i = 1; i <= nodes["wings"]; i++) {
                arrows += split(next_of["wings", node["wings", i]], tree, " ")
                if (height(node["wings", i]) > floors) floors = height(node["wings", i])
            }
            if (arrows > 63 || floors > 8) print "shape", arrows " arrows between wings, on " floors " floors; allowed: 63 on 8"
        }'
}

report() { # report NAME TEXT: passes if the text is empty
    [ -z "$2" ]
    result $? "$1" || echo "$2" | sed 's/^[a-z]* /# /'
}
finds() { # finds KIND TEXT: passes if the planted tree's report has a line of that kind that begins with the text
    echo "$planted" | grep -qF "$1 $2"
    result $? "planted: $1 $2" || echo "$planted" | sed 's/^/# /'
}

echo 1..26
found=$(faults .)
kind() { echo "$found" | grep "^$1 "; }
report 'each include names its room' "$(kind path)"
report 'each room is in the list of floors' "$(kind list)"
report 'a room includes only rooms below it' "$(kind up)"
report 'an algorithm includes only coll.h and times/times.h' "$(kind algorithm)"
report 'sim/base includes no other room' "$(kind base)"
report 'wings do not include each other in a circle' "$(kind wings)"
report 'wings have at most 63 arrows, on 8 floors' "$(kind shape)"
report 'rooms do not include each other in a circle' "$(kind rooms)"
report 'headers do not include each other in a circle' "$(kind headers)"
report 'no two sources of sim/ and cli/ have one name' "$(kind name)"

# The checks can fail: in a small tree with at least one mistake of each kind, these mistakes are found and nothing else
# is.
plant() { # plant FILE HEADER...: makes a source that includes the headers
    file=$dir/$1
    mkdir -p "${file%/*}"
    shift
    echo '// planted' >"$file"
    for header in "$@"; do echo "#include \"$header\""; done >>"$file"
}
plant algos/coll.h
plant algos/api/slice.h
plant algos/api/slice.c api/slice.h base/csv.h # algos includes sim
plant algos/bcast/chain.c coll.h api/slice.h   # more than an algorithm may
plant sim/base/csv.h
plant sim/base/csv.c csv.h coll.h # without its room, and of algos
plant sim/attic/box.c base/csv.h # a room that is not listed
plant sim/engine/replay/replay.h engine/replay/gears.h
plant sim/engine/replay/gears.h engine/replay/machine.h
plant sim/engine/replay/machine.h engine/replay/replay.h # a circle of three headers
plant sim/engine/replay/replay.c engine/replay/replay.h engine/loggops/graph.h
plant sim/engine/loggops/graph.h
plant sim/engine/loggops/read.c engine/loggops/graph.h engine/replay/replay.h # a circle of two rooms
plant sim/search/form/form.h judge/audit/claim.h # a circle of two wings, which is none of rooms
plant sim/judge/audit/claim.h
plant sim/judge/prove/read.c search/sweep/rows.h # and the name of another source
plant sim/search/sweep/rows.h
plant sim/machine/platform/pieces.h machine/platform/platform.h # a circle of a header and the file that implements the other
plant sim/machine/platform/platform.h
plant sim/machine/platform/platform.c machine/platform/platform.h machine/platform/pieces.h
plant sim/run/launch/job.c cli.h                            # sim includes cli
plant cli/cli.h base/csv.h
plant cli/main.c cli.h
planted=$(faults "$dir")
finds path 'sim/base/csv.c:2: "csv.h"'
finds list 'sim/attic/box.c:0: the room sim/attic'
finds up 'algos/api/slice.c:3: algos/api includes "base/csv.h" of sim/base'
finds up 'sim/attic/box.c:2: sim/attic includes "base/csv.h"'
finds up 'sim/engine/replay/replay.c:3: sim/engine/replay includes "engine/loggops/graph.h" of sim/engine/loggops'
finds up 'sim/run/launch/job.c:2: sim/run/launch includes "cli.h" of cli'
finds algorithm 'algos/bcast/chain.c:3:'
finds base 'sim/base/csv.c:3: sim/base includes "coll.h" of algos'
finds wings 'algos -> sim/base (algos/api/slice.c:3) -> algos (sim/base/csv.c:3)'
finds up 'sim/search/form/form.h:2: sim/search/form includes "judge/audit/claim.h"'
finds wings 'sim/judge -> sim/search (sim/judge/prove/read.c:2) -> sim/judge (sim/search/form/form.h:2)'
finds name 'sim/judge/prove/read.c: sim/engine/loggops/read.c has this name too'
finds rooms 'sim/engine/loggops -> sim/engine/replay (sim/engine/loggops/read.c:3) -> sim/engine/loggops (sim/engine/replay/replay.c:3)'
finds headers 'sim/engine/replay/gears -> sim/engine/replay/machine (sim/engine/replay/gears.h:2) -> sim/engine/replay/replay (sim/engine/replay/machine.h:2) ->'
finds headers 'sim/machine/platform/pieces -> sim/machine/platform/platform (sim/machine/platform/pieces.h:2) -> sim/machine/platform/pieces (sim/machine/platform/platform.c:3)'
[ "$(echo "$planted" | wc -l)" = 15 ]
result $? 'nothing else is found there' || echo "$planted" | sed 's/^/# /'
