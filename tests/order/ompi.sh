#!/bin/sh
# Compares the messages of Open MPI's algorithms with those of our entries on 2 .. $RANKS ranks (9 unless set), and writes
# the table of docs/ALIASES.md. Run by `make aliases`.
cd "$(dirname "$0")/../.." || exit 2
. tests/order/table.sh
program=${ORDER_OMPI:-build/tests/order_ompi} ranks=${RANKS:-9} table=docs/ALIASES.md
mpirun=$(command -v mpirun.openmpi) || mpirun=
[ -x "$program" ] && [ "$mpirun" ] || { echo "Open MPI's messages are not compared: mpirun.openmpi or $program is missing"; exit 0; }
lines=$(mktemp) rows=$(mktemp)
trap 'rm -f "$lines" "$rows"' EXIT
root=
[ "$(id -u)" != 0 ] || root=--allow-run-as-root
for p in $(seq 2 "$ranks"); do
    # The ids of allgatherv can only be set before the library starts, so each of them has a run of its own.
    for id in '' allgatherv:1 allgatherv:2 allgatherv:3 allgatherv:4 allgatherv:5; do
        # shellcheck disable=SC2086 # no option, or one; no id, or one
        "$mpirun" $root --oversubscribe -np "$p" "$program" $id </dev/null |
            awk -F, -v single="$id" 'single != "" || $1 != "allgatherv"' >>"$lines"
    done
done
version=$("$mpirun" --version | sed 's|.*) ||; q')
# Remarks on what differs, by alias.
cat >"$rows.remarks" <<'END'
alltoall ompi:4|the library answers a completed receive by a receive and a completed send by a send; ours posts one of each when two have completed
barrier ompi:1|rank 0 receives from any rank, by requests that are under way together
alltoallv ompi:1|the library posts in the order of the ranks from 0 on, ours from the next rank on
bcast ompi:8|blocks of ceil(n/p) elements, here an even cut
bcast ompi:9|blocks of ceil(n/p) elements, here an even cut
allreduce ompi:2|with bcast 8 and 9
allreduce ompi:4|the library's rank r ends the first half with block r+1, ours with block r
allreduce ompi:5|the library's rank r ends the first half with block r+1, ours with block r
allgatherv ompi:1|the library broadcasts one element of a derived type, so broadcasts that cut the message do not cut it
reduce_scatter_block ompi:1|no scatterv: a scatter
END
awk -F, -v version="$version" -v remarks="$rows.remarks" '
    BEGIN { while ((getline line < remarks) > 0) { split(line, part, "|"); remark[part[1]] = part[2] } }
    {
        key = $1 " " $2
        if (!(key in entry)) { order[++n] = key; entry[key] = $3; least[key] = 99 }
        if ($5 + $6 + $7 + $8 + $9 == 0) next
        if ($4 < least[key]) least[key] = $4
        if ($4 > most[key]) most[key] = $4
        same[key] += $5; ways[key] += $6; apart[key] += $7; uneven[key] += $8; not[key] += $9; messages[key] += $11
        if ($12 != "" && (!(key in function_of) || $4 == 4)) function_of[key] = $12 # on 4 ranks no fallback runs
    }
    END {
        for (i = 1; i <= n; i++) {
            key = order[i]
            split(key, word, " ")
            note = ""
            if (not[key]) note = "**" not[key] " cases differ**"
            if (uneven[key]) note = note (note ? "; " : "") uneven[key] " cases of an uneven cut differ"
            if (apart[key]) note = note (note ? "; " : "") apart[key] " cases have sends and receives in order, but not both together"
            if (ways[key]) note = note (note ? "; " : "") "in " ways[key] " a post waits that ours does not wait for, or the reverse"
            if (note && remark[key]) note = note ": " remark[key]
            id = word[2]; sub("ompi:", "", id)
            printf "| %s | %s | `%s` | coll_base_%s.c: %s | %s | %s | %d | %d | order | %s |\n", word[1], id, entry[key], word[1], \
                function_of[key], version, least[key] == most[key] ? least[key] : least[key] ".." most[key], \
                same[key] + ways[key], messages[key], note
        }
    }' "$lines" >"$rows"
rm -f "$rows.remarks"
write_rows "$table" ompi "$rows" "| collective | id | entry | file and function | version | p | cases equal | messages | compared | remark |"
awk -F, '$9 > 0' "$lines" >&2
