#!/bin/sh
# Which algorithms win on 512 nodes of Fugaku if messages share the links of an 8x8x8 torus, against a network in which only
# ports limit them. The rate, 6.2GB/s, and the hop, 0.1us, are examples, so the table of docs/NETWORKS.md that this prints is
# one, too. It takes a minute. COLLSIM is the program, RESULTS the folder to write to (results/torus_winners).
set -eu
cd "$(dirname "$0")/.."
COLLSIM=$(realpath "${COLLSIM:-build/collsim}") RESULTS=${RESULTS:-results/torus_winners}
mkdir -p "$RESULTS"
sed '/^\[topology\]/,$d' platforms/fugaku.ini >"$RESULTS/flat.ini"
{
    cat "$RESULTS/flat.ini"
    printf '[topology]\nkind = torus\nshape = 8,8,8\nshape.source = an example\n'
    printf 'rate = 6.2GB/s\nrate.source = an example\nhop = 0.1us\nhop.source = an example\n'
} >"$RESULTS/torus.ini"
cd "$RESULTS"

# best COLLECTIVE BYTES MACHINE: prints the winner, its parameters and its time
best() {
    "$COLLSIM" best "$1" -p 512 -m "$2" --platform "./$3.ini" --top 1 -f csv 2>>errors.txt |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
            NR == 2 { print $at["algorithm"] "," $at["params"] "," $at["time_s"] }'
}
# on_torus COLLECTIVE BYTES ALGORITHM PARAMS: prints its time on the torus
on_torus() {
    collective=$1 bytes=$2 algorithm=$3
    old=$IFS
    IFS=';'
    set -- $4
    IFS=$old
    for param in "$@"; do
        set -- "$@" --param "$param"
        shift
    done
    "$COLLSIM" run "$collective" "$algorithm" "$@" -p 512 -m "$bytes" --platform ./torus.ini -f csv 2>>errors.txt |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at["time_s"] }'
}

: >errors.txt
echo 'collective,bytes,flat,flat_params,flat_s,torus,torus_params,torus_s,flat_on_torus_s' >rows.csv
for at in bcast:1K bcast:64K bcast:4M allreduce:1K allreduce:64K allreduce:4M reduce_scatter:64K reduce_scatter:4M \
    allgather:64 allgather:4K allgather:64K alltoall:64 alltoall:1K; do
    collective=${at%:*} bytes=${at#*:}
    flat=$(best "$collective" "$bytes" flat) torus=$(best "$collective" "$bytes" torus)
    name=${flat%%,*} rest=${flat#*,}
    echo "$collective,$bytes,$flat,$torus,$(on_torus "$collective" "$bytes" "$name" "${rest%,*}")" >>rows.csv
done
echo '| collective | bytes | without links | on the torus | what the first costs there |'
echo '| --- | --- | --- | --- | --- |'
awk -F, 'NR > 1 { printf("| %s | %s | %s | %s | %.2f times as long |\n", $1, $2, $3, $6 == $3 ? ($7 == $4 ? "the same" : "the same, " $7) : "**" $6 "**", $9 / $8) }' rows.csv
