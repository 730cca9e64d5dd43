#!/bin/sh
# Answers on machines with nodes: what holds for one level only, as closed forms and their searches do, is not used where
# ranks are at several levels or share NICs.
. "$(dirname "$0")/tap.sh"

two_levels 4 3us 1us 1ns/B 250ps/B 500ps/B >levels.ini
cat levels.ini - >nics.ini <<'END2'
[node]
nics = 2
nics.source = test
nic.rate = 1GB/s
nic.rate.source = test
memory = 0.5
memory.source = test
END2

# rows COLUMNS ARGUMENTS...: prints these columns of the answer, a line for each row, joined by spaces; - for an empty cell
rows() {
    columns=$1
    shift
    c "$@" -f csv && awk -v columns="$columns" '
        function split_row(s,   k) { # sets field[1..] to the fields of a row; a field may be in quotes
            for (s = s ","; s != ""; s = substr(s, RLENGTH + 1)) {
                match(s, s ~ /^"/ ? "^\"([^\"]|\"\")*\"," : "^[^,]*,")
                field[++k] = s ~ /^"/ ? substr(s, 2, RLENGTH - 3) : substr(s, 1, RLENGTH - 1)
            }
            return k
        }
        { n = split_row($0) }
        NR == 1 {
            for (i = 1; i <= n; i++) at[field[i]] = i
            n_columns = split(columns, column, " ")
            for (i = 1; i <= n_columns; i++) if (!(column[i] in at)) exit 1
            next
        }
        { for (i = 1; i <= n_columns; i++) printf("%s%s", field[at[column[i]]] == "" ? "-" : field[at[column[i]]], i < n_columns ? " " : "\n") }' out
}

not_given() { # not_given TEXT ARGUMENTS: exit 0, and no such TEXT
    text=$1
    shift
    c "$@" && says_not out "$text"
}

# ---- Lower bounds ----------------------------------------------------------------------------------------------------

"$COLLSIM" list -f csv | sed 1d | cut -d, -f1 | sort -u >collectives
above_bound() { # above_bound PLATFORM: no algorithm is below the lower bound
    while read -r collective; do
        size=8,64K
        [ "$collective" = barrier ] && size=
        # shellcheck disable=SC2086
        rows "algorithm x_bound" run "$collective" all -p 4x4,3x5 ${size:+-m $size} \
            --platform "$1" >bounds || return 1
        [ -s bounds ] && awk '$2 != "-" && $2 < 1 - 1e-9 { print "#", $0; bad = 1 } END { exit bad }' bounds || return 1
    done <collectives
}
ok "x_bound: nothing is below the bound at two levels" above_bound levels.ini
ok "x_bound: nothing is below the bound with NICs" above_bound nics.ini

# ---- best ------------------------------------------------------------------------------------------------------------

best_is() { # best_is COLLECTIVE PLATFORM RUN-OPTIONS...: best is not slower than any of these runs
    collective=$1 platform=$2
    shift 2
    best=best-$collective-$platform
    [ -s "$best" ] || rows time_s best "$collective" -p 4x4 -m 64K --platform "$platform" --top 1 >"$best" || return 1
    rows "ran time_s algorithm params" run "$collective" all -p 4x4 -m 64K --platform "$platform" "$@" >runs || return 1
    awk 'NR == FNR { best = $1; next } $1 == "-" && $2 < best * (1 - 1e-9) { print "#", $0, best; bad = 1 }
        END { exit bad || NR < 10 }' "$best" runs
}
for platform in levels.ini nics.ini; do
    for collective in $(sampled 3 bcast allreduce reduce); do
        ok "best $collective on $platform: no default is faster" best_is $collective $platform
        ok "best $collective on $platform: no segment is faster" best_is $collective $platform \
            --param segment=1K,3K,4K,8K,10K,16K,32K
    done
    ok "best bcast on $platform: no chains are faster" best_is bcast $platform --param chains=1,2,3,4,8 \
        --param segment=2K,4K,8K
    ok "best on $platform: no optimum by a closed form" sh -c '[ "$1" = "- -" ]' sh \
        "$(rows "best_segments best_time_s" best bcast -p 4x4 -m 64K --platform $platform | sort -u)"
done
ok "best: without a map the nodes do not count" sh -c '[ "$1" = "$2" ]' sh \
    "$(rows "algorithm params time_s best_segments" best bcast -p 16 -m 64K --platform levels.ini)" \
    "$(rows "algorithm params time_s best_segments" best bcast -p 16 -m 64K --set alpha=3us --set beta=1ns/B --set gamma=500ps/B)"
ok "best: that closed forms do not hold is said" gives "none at several levels" best bcast -p 4x4 -m 64K --platform levels.ini

# ---- run: what parameters could gain ------------------------------------------------------------------------------------

for platform in levels.ini nics.ini; do
    ok "run all on $platform: no promise by a closed form" gives "at their defaults; collsim best searches for better ones" \
        run bcast all -p 4x4 -m 64K --platform $platform
done
ok "run all, no map: the promise of a closed form" gives "by its closed form" \
    run bcast all -p 16 -m 64K --platform levels.ini
ok "run all, NICs that delay messages of single ranks: no promise" gives "collsim best searches for better ones" \
    run bcast all -p 16 -m 64K --set nic.rate=1GB/s

ok "run: other nodes are another ranking" sh -c '[ "$1" = 2 ]' sh \
    "$(rows ranking run allreduce ring,linear -p 4x4,2x8 -m 64 --platform levels.ini | grep -cx 1)"

# ---- crossover -------------------------------------------------------------------------------------------------------

time_of() { # time_of ALGORITHM BYTES PLATFORM
    rows time_s run allreduce "$1" -p 4x4 -m "$2" --platform "$3"
}
crosses() { # crosses PLATFORM: the times at both sizes of the crossover are those of runs, and there is no closed form
    rows "before last_bytes last_first_s last_second_s after next_bytes next_first_s next_second_s m_star equation" \
        crossover allreduce smp ring -p 4x4 --platform "$1" >crossings || return 1
    read -r before last a b after next x y star equation <crossings
    [ "$before $after $star $equation" = "smp ring - -" ] && [ "$next" = $((last + 1)) ] &&
        [ "$a" = "$(time_of smp "$last" "$1")" ] && [ "$b" = "$(time_of ring "$last" "$1")" ] &&
        [ "$x" = "$(time_of smp "$next" "$1")" ] && [ "$y" = "$(time_of ring "$next" "$1")" ] &&
        awk 'BEGIN { exit !(ARGV[1] < ARGV[2] && ARGV[3] > ARGV[4]) }' "$a" "$b" "$x" "$y"
}
ok "crossover at two levels" crosses levels.ini
ok "crossover with NICs" crosses nics.ini
ok "crossover: that closed forms do not hold is said" gives "(closed forms hold for one level only)" \
    crossover allreduce smp ring -p 4x4 --platform levels.ini

# ---- The critical path -----------------------------------------------------------------------------------------------

why() { # why TEXT: the critical path of smp on 4 nodes of 4 ranks has this line; blanks may be many
    c run allreduce smp -p 4x4 -m 64K --platform "$platform" --why && tr -s ' ' <out >flat && says flat "$1"
}
platform=levels.ini
ok "--why: a message inside a node" why " 0.000 17.384 2 recv 3 64K node"
ok "--why: a message between nodes" why " 100.304 68.536 0 recv 4 64K far"
ok "--why: the sum of each level" why " in all: node 69.54 us, reduce 131.1 us, far 137.1 us"
platform=nics.ini
ok "--why: what a node's ranks share" why " memory busy 0 64K node"
ok "--why: the sum with what is shared" why " in all: memory busy 16.38 us, node 69.54 us, reduce 131.1 us, far 137.1 us"
ok "--why: one level: no names of levels" not_given " far" run allreduce smp -p 4x4 -m 64K --why
ok "--why: no map: no names of levels" not_given " far" run allreduce ring -p 16 -m 64K --why --platform levels.ini
# Each message goes one rank further than the last one. With one level, one line stands for all that are received.
levels() { # levels LEVELS ARGUMENTS...: the levels of the lines of the critical path
    due=$1
    shift
    c "$@" --why && [ "$(awk '$NF == "node" || $NF == "far" { printf "%s ", $NF }' out)" = "$due " ]
}
ok "--why: messages at several levels are not folded together" \
    levels "node far node node node" run bcast pipeline -p 2x4 -m 8 --platform levels.ini

# ---- show ------------------------------------------------------------------------------------------------------------

ok "show: messages between nodes are marked" gives "0 <=> 2*   4 <=> 6*" show allreduce smp -p 4x2
ok "show: messages inside nodes are not" gives "0 -> 1   2 -> 3   4 -> 5   6 -> 7" show allreduce smp -p 4x2
ok "show: the sum between nodes" gives "between nodes: 8 messages, 512 bytes" show allreduce smp -p 4x2
ok "show: a round in which some go between nodes" gives "r -> r+1, 4 of 8 between nodes" show allgather ring -p 4x2
ok "show: a round in which all do" gives "r -> r+1*" show allgather ring -p 8 --map cyclic:4
ok "show: nodes are those of the ranks, whatever the root" gives "3 -> 4*" show bcast binomial -p 2x4 --root 3
ok "show: no map, no marks" not_given "between" show allgather ring -p 8

# ---- calibrate ---------------------------------------------------------------------------------------------------------

# On nodes of 9 and 1 ranks smp takes a round more than on two of 5, so figures fit only if the map is read.
for map in cyclic:9 block:9; do
    "$COLLSIM" run bcast smp,linear -p 10 --map $map -m 8,1000,100000 -f csv >measured.csv
    ok "calibrate: rows on $map" sh -c '[ "$1" = "0 0" ]' sh \
        "$(rows "figure worst_error" calibrate measured.csv | awk '$2 != "-" { printf "%s%d", n++ ? " " : "", $2 * 1e9 }')"
done
ok "calibrate: with another map the rows do not fit" sh -c '[ "$1" != "0 0" ]' sh \
    "$(sed 's/block:9/cyclic:9/' measured.csv >other.csv && rows "figure worst_error" calibrate other.csv |
        awk '$2 != "-" { printf "%s%d", n++ ? " " : "", $2 * 1e9 }')"
sed 's/block:9/nowhere/' measured.csv >nowhere.csv
ok "calibrate: a map that is not there" fails "nowhere.csv:2: --map 'nowhere'" calibrate nowhere.csv

# ---- What knows one level only -----------------------------------------------------------------------------------------

far="note: figures of level far; other levels, and what a node's ranks share, are"
for platform in levels.ini nics.ini; do
    ok "audit on $platform: says that it takes the figures of far" gives "$far" \
        audit --claim alpha bcast binomial --platform $platform
done
ok "audit, JSON: a sheet of notes" gives '"note":"figures of level far' \
    audit --claim alpha bcast binomial --platform levels.ini -f json
ok "audit at one level: silence" not_given "note:" audit --claim alpha bcast binomial

echo "1..$n"
