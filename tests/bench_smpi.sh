#!/bin/bash
# For make bench: runs the same algorithm in the engine and in SimGrid's SMPI and compares messages per second, peak
# memory and time. The two are measured in pairs, as whole processes. SMPI is as fast as it can be: without
# privatisation and guard pages, with small messages, and without checking the data.
set -eu
COLLSIM=${COLLSIM:-build/collsim}
over=0
if [ ! -f "$(dirname "$COLLSIM")/collsim-smpi" ] || ! command -v smpirun >/dev/null; then
    echo "SMPI: not compared, because collsim-smpi or smpirun is missing (Debian: simgrid libsimgrid-dev)"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# timed COMMAND...: prints the command's wall time in seconds and its peak memory in MB; its output is in $folder/out
timed() {
    command time -f '%e %M' -o "$folder/time" "$@" >"$folder/out"
    awk '{ printf "%s %.0f\n", $1, $2 / 1024 }' "$folder/time"
}

# many N COMMAND...: runs the command N times. The engine takes less than the 10 ms that `time` can resolve.
many() {
    local n=$1 i
    shift
    for ((i = 0; i < n; i++)); do "$@" || return; done
}

# pair P MESSAGES PAIRS BAR: compares allreduce recursive_doubling of 8 bytes on P ranks, which sends MESSAGES messages,
# in PAIRS pairs. SMPI must take at least BAR times as long as the engine; BAR = 0 allows any ratio.
pair() {
    local p=$1 messages=$2 pairs=$3 least=$4 times=20 i command
    command=$("$COLLSIM" export smpi-platform -p "$p" -o "$folder/flat.xml" -- --cfg=smpi/reduce:binomial \
        "$(dirname "$COLLSIM")/collsim-smpi" "$folder/plan")
    printf '%s\n' "collsim-plan ranks=$p sync=window least=1 most=1 blind=1" "allreduce recursive_doubling m=8 elem=8" end >"$folder/plan"
    for ((i = 0; i < pairs; i++)); do
        # shellcheck disable=SC2086
        echo "$(timed bash -c "$(declare -f many); many $times \"$COLLSIM\" run allreduce recursive_doubling -p $p -m 8 --full --format csv") $(timed $command)"
    done | awk -v p="$p" -v messages="$messages" -v times=$times -v least="$least" '
        { sim[NR] = $1 / times; if ($2 > mb) mb = $2; smpi[NR] = $3; if ($4 > theirs) theirs = $4; ratio[NR] = $3 / ($1 / times) }
        function middle(x, n,   i, j, t) {
            for (i = 1; i <= n; i++) for (j = i + 1; j <= n; j++) if (x[j] < x[i]) { t = x[i]; x[i] = x[j]; x[j] = t }
            return x[int((n + 1) / 2)]
        }
        END {
            s = middle(sim, NR); t = middle(smpi, NR); r = middle(ratio, NR)
            printf "%6d ranks   collsim %7.4f s %6.1f M messages/s %4d MB   SMPI %7.3f s %6.3f M messages/s %4d MB   %4.0f x%s\n",
                p, s, messages / s / 1e6, mb, t, messages / t / 1e6, theirs, r, least ? sprintf(" (bar %d)", least) : ""
            exit least && r < least
        }' || over=$((over + 1))
}

echo "allreduce recursive_doubling of 8 bytes; every message of every rank is simulated; medians of pairs of processes"
pair 256 2048 5 0
pair 1024 10240 5 0
pair 4096 49152 5 60
pair 32768 491520 3 250
[ $over = 0 ] && echo "SMPI: every ratio is above its bar" || echo "SMPI: $over ratios are below their bar"
