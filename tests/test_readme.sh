#!/bin/sh
# README and docs/ agree with what the program prints today: the generated tables, the pictures, the output below each
# `$ build/collsim ..` of their examples, the names in their code, and the algorithm that CONTRIBUTING shows.
# `tests/test_readme.sh --write` (make readme) updates the tables and the pictures; it cannot mend an example.
set -u
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
cd "$root" || exit 1
temporary=$dir
trap 'exit 1' INT TERM HUP

# ---- Tables --------------------------------------------------------------------------------------------------------------------

# Each table is in a file between <!-- NAME --> and <!-- end -->.
tables='algorithms:docs/ALGORITHMS.md coverage:docs/ALGORITHMS.md verdicts:README.md noise:docs/NOISE.md'

# algorithms: prints one row for each collective, with its algorithms.
algorithms() {
    printf '| collective | algorithms |\n| --- | --- |\n'
    "$COLLSIM" list --format csv | awk -F'"?,"?' '
        NR > 1 && $1 != last { if (last) print row " |"; row = "| " $1 " |"; last = $1; comma = ""; collectives++ }
        NR > 1 { row = row comma " `" $2 "`"; comma = ","; n++ }
        END { print row " |"; print "\n" n " algorithms of " collectives " collectives." }'
}

# coverage: prints a row for each entry that some source has, with what the sources call it, and for each algorithm of the
# sources that no entry implements, with the reason.
coverage() {
    printf '| collective | algorithm | 4.1 | 5 | main | HAN | MPICH | SimGrid | UCC | libnbc | Intel | documents |\n'
    printf '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n'
    "$COLLSIM" list --coverage --format csv | awk -F, '
        NR == 1 { next }
        {
            names = ""
            for (i = 3; i <= 12; i++) { names = names $i; cell[i] = $i; gsub(/_/, "\\_", cell[i]) }
            if (names == "") next
            reason = $13
            for (i = 14; i < NF; i++) reason = reason "," $i
            gsub(/"/, "", reason)
            row = "| " ($1 == last ? "" : $1) " | " ($2 == "" ? "none: " reason : "`" $2 "`")
            for (i = 3; i <= 12; i++) row = row " | " cell[i]
            gsub(/  +/, " ", row)
            print row " |"
            last = $1
        }'
}

# verdicts: prints how many claims of each source got which verdict.
verdicts() {
    "$COLLSIM" audit | sed -n '/^source  /,$p' | sed 's/   */ | /g; s/^/| /; s/$/ |/; 1a| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --- |
'
}

# noise: prints what late ranks change.
noise() { RESULTS=$temporary/noise COLLSIM=$COLLSIM experiments/noise.sh; }

# ---- Pictures ------------------------------------------------------------------------------------------------------------------

pictures='plots/bcast-lumi.svg plots/winners-leonardo.svg plots/two-levels.svg plots/regret-lumi.svg
    plots/guidelines-lumi.svg plots/guidelines-lumi-tuned.svg
    plots/space-time-rabenseifner.svg plots/space-time-smp.svg plots/space-time-torus.svg plots/space-time-late.svg
    plots/matrix-rabenseifner.svg plots/traffic-leonardo.svg plots/start-message.svg plots/start-recursive_doubling.svg
    plots/start-ring.svg plots/explore-map.svg plots/explore-half.svg plots/explore-times.svg plots/explore-trace.svg'

# picture_as PICTURE FILE.svg: draws a picture of README or docs/ anew, to the file.
picture_as() {
    case $1 in
    plots/bcast-lumi.svg)
        "$COLLSIM" best bcast --defaults --top 40 -p 586x56 -m 8,256,8K,64K,512K,4M --element 8 --platform lumi \
            -f csv >"$temporary/bcast.csv" 2>/dev/null &&
            "$COLLSIM" plot "$temporary/bcast.csv" -o "$2" 2>/dev/null
        ;;
    plots/winners-leonardo.svg)
        RESULTS=$temporary/winners COLLSIM=$COLLSIM experiments/winners.sh 2>/dev/null && cp "$temporary/winners/winners-leonardo.svg" "$2"
        ;;
    plots/regret-lumi.svg)
        RESULTS=$temporary/regret COLLSIM=$COLLSIM experiments/regret.sh >/dev/null 2>&1 && cp "$temporary/regret/regret-lumi.svg" "$2"
        ;;
    plots/guidelines-lumi.svg)
        RESULTS=$temporary/guidelines COLLSIM=$COLLSIM experiments/guidelines.sh default >/dev/null 2>&1 &&
            cp "$temporary/guidelines/guidelines-lumi.svg" "$2"
        ;;
    plots/guidelines-lumi-tuned.svg)
        RESULTS=$temporary/guidelines COLLSIM=$COLLSIM experiments/guidelines.sh >/dev/null 2>&1 &&
            cp "$temporary/guidelines/guidelines-lumi-tuned.svg" "$2"
        ;;
    plots/space-time-rabenseifner.svg)
        "$COLLSIM" trace allreduce rabenseifner -p 13 -m 64K -o "$2" 2>/dev/null
        ;;
    plots/space-time-smp.svg)
        "$COLLSIM" trace bcast smp -p 4x4 -m 64K --platform leonardo -o "$2" 2>/dev/null
        ;;
    plots/space-time-torus.svg) # the rate and the hop are examples, as in experiments/torus_winners.sh
        {
            sed '/^\[topology\]/,$d' platforms/fugaku.ini
            printf '[topology]\nkind = torus\nshape = 4,4\nshape.source = an example\n'
            printf 'rate = 6.2GB/s\nrate.source = an example\nhop = 0.1us\nhop.source = an example\n'
        } >"$temporary/torus.ini"
        "$COLLSIM" trace allreduce recursive_doubling -p 16 -m 64K --platform "$temporary/torus.ini" -o "$2" 2>/dev/null
        ;;
    plots/space-time-late.svg)
        "$COLLSIM" trace bcast binomial -p 8 -m 8K --arrival ascending:10us -o "$2" 2>/dev/null
        ;;
    plots/traffic-leonardo.svg)
        "$COLLSIM" traffic allreduce recursive_doubling -p 2048x4 -m 64K --platform leonardo --draw "$2" >/dev/null 2>&1
        ;;
    plots/start-*.svg)
        [ -e "$temporary/start/start-ring.svg" ] || RESULTS=$temporary/start experiments/start.sh 2>/dev/null
        cp "$temporary/start/${1#plots/}" "$2"
        ;;
    plots/explore-times.svg) # the commands that the page shows
        "$COLLSIM" run allreduce recursive_doubling,node_census,lane -p 3072 --per-node 48 -m 8..8M:x4 --platform lumi --format csv |
            "$COLLSIM" plot --size 4.6 --font 9 - -o "$2" 2>/dev/null
        ;;
    plots/explore-trace.svg)
        "$COLLSIM" trace allreduce node_census -p 8 --per-node 4 -m 64K --platform lumi -o "$2" 2>/dev/null
        ;;
    plots/explore-*.svg)
        half=
        [ "$1" = plots/explore-map.svg ] || half='--set alpha.far=x0.5'
        # shellcheck disable=SC2086
        "$COLLSIM" best allreduce --defaults --top 2 -p 48..3K:x2 --per-node 48 -m 8..8M:x4 --platform lumi $half --format csv |
            "$COLLSIM" plot --map --size 4.6 --font 9 - -o "$2" 2>/dev/null
        ;;
    plots/matrix-rabenseifner.svg)
        "$COLLSIM" matrix allreduce rabenseifner -p 16x4 -m 1M --platform leonardo --draw "$2" 2>/dev/null
        ;;
    plots/two-levels.svg)
        RESULTS=$temporary/levels COLLSIM=$COLLSIM experiments/two_levels.sh 2>/dev/null && cp "$temporary/levels/two-levels.svg" "$2"
        ;;
    esac
}
title_of() { sed -n 's:.*<title>\(.*\)</title>.*:\1:p' "$1"; }
gnuplot_of() { sed -n 's:.*Produced by GNUPLOT \([^<]*[^< ]\).*:\1:p' "$1"; }

# ---- Examples ------------------------------------------------------------------------------------------------------------------

# examples FILE: writes each example of the file, a command and the output below it, to $temporary/N.command and N.output, and
# prints how many there are. A command that has a backend to be built, or is followed by nothing, is left out; but not the
# latter in START.md and HOURS.md, whose commands use each other's files, and may be called collsim.
examples() {
    rm -f "$temporary"/*.command "$temporary"/*.output
    awk -v to="$temporary/" -v whole="$(case $1 in */START.md | */HOURS.md) echo 1 ;; esac)" '
        function finish() {
            if (lines || on && whole) { n++; printf "%s", command >(to n ".command"); printf "%s", output >(to n ".output") }
            lines = 0
            on = 0
        }
        /^    \$ / { finish(); on = ($2 == "build/collsim" || whole && $2 == "collsim") && !/ --backends / && !/ >/; command = substr($0, 7) "\n"; output = ""; next }
        /^    / && on { lines++; output = output substr($0, 5) "\n"; next }
        /^$/ && on { output = output "\n"; next }
        { finish() }
        END { finish(); print n + 0 }' "$1"
}

# agrees OUTPUT ACTUAL: true if the actual output is OUTPUT; "..." there stands for any lines. Empty lines do not count.
agrees() {
    awk '
        !NF { next }
        FNR == NR { due[++n] = $0; next }
        FNR != NR && at == 0 { at = 1 }
        { skip = 0; while (at <= n && due[at] == "...") { at++; any = 1 } }
        at <= n && $0 == due[at] { at++; any = 0; next }
        !any { bad = 1; exit }
        END { if (at == 0) at = 1; while (at <= n && due[at] == "...") at++; exit bad || at <= n }' "$1" "$2"
}

# Prints each example of a file whose output is another one today.
stale() {
    n_examples=$(examples "$1")
    [ "$1" != README.md ] || [ "$n_examples" -gt 0 ] || echo "# $1 has no example"
    i=0
    while [ $i -lt "$n_examples" ]; do
        i=$((i + 1))
        (cd "$temporary" && PATH=${COLLSIM%/*}:$PATH sh "$i.command") >"$temporary/actual" 2>/dev/null
        [ ! -s "$temporary/$i.output" ] || agrees "$temporary/$i.output" "$temporary/actual" || sed "s|^|# $1: |" "$temporary/$i.command" "$temporary/actual" | head -n 20
    done
}

# --------------------------------------------------------------------------------------------------------------------------------

if [ "${1:-}" = --write ]; then
    for x in $tables; do
        table=${x%%:*} file=${x#*:}
        $table >"$temporary/table" &&
            awk -v mark="<!-- $table -->" -v table="$temporary/table" '
                $0 == mark { print; while ((getline line < table) > 0) print line; skip = 1; next }
                /^<!-- end -->/ { skip = 0 } !skip' "$file" >"$temporary/new" && cp "$temporary/new" "$file"
    done
    for picture in $pictures; do
        picture_as "$picture" "$picture"
    done
    exit
fi

for x in $tables; do
    table=${x%%:*} file=${x#*:}
    [ "$table" != verdicts ] || continue # test_audit.sh compares this one, because it judges all claims anyway
    [ "$(sed -n "/^<!-- $table -->/,/^<!-- end -->/p" "$file" | sed '1d;$d')" = "$($table)" ]
    result $? "the table of $table in $file is what collsim says (else run make readme)"
done

# To draw one of these takes longer than to draw all others, so only check-all draws them.
[ "${CHECK_ALL-}" ] || pictures=$(echo "$pictures" | sed 's:plots/guidelines-lumi-tuned.svg::; s:plots/regret-lumi.svg::; s:plots/bcast-lumi.svg::')
for picture in $(sampled 4 $pictures); do
    if [ "${SANITIZED:-}" ] || ! command -v gnuplot >/dev/null; then
        n=$((n + 1))
        echo "ok $n # SKIP $picture needs gnuplot, and takes a sanitized program long"
        continue
    fi
    picture_as "$picture" "$temporary/picture.svg"
    [ "$(title_of "$picture")" ] && [ "$(title_of "$picture")" = "$(title_of "$temporary/picture.svg")" ] &&
        { [ "$(gnuplot_of "$picture")" != "$(gnuplot_of "$temporary/picture.svg")" ] || cmp -s "$picture" "$temporary/picture.svg"; }
    result $? "$picture is what collsim draws (else run make readme)"
done

ln -sfn "${COLLSIM%/*}" "$temporary/build"
ln -sfn "$PWD/experiments" "$PWD/docs" "$temporary"
for file in README.md docs/*.md; do
    stale "$file"
done >"$temporary/stale"
[ ! -s "$temporary/stale" ]
result $? 'the examples of README.md and docs/ show what collsim says'
cat "$temporary/stale"

perl tests/docs_names.pl README.md docs/*.md experiments/pages/*.md >"$temporary/names"
result $? 'README, docs/ and the pages of experiments name only what is there'
sed 's/^/# /' "$temporary/names"

# The C blocks of CONTRIBUTING, one after the other, are the example's file.
awk '/^ *```c$/ { on = 1; next } /^ *```/ { on = 0 } on' docs/CONTRIBUTING.md >"$temporary/example.c"
[ -s "$temporary/example.c" ] && ${CC:-gcc} -std=gnu11 -Wall -Werror -fsyntax-only -Ialgos "$temporary/example.c" 2>"$temporary/errors"
result $? 'the algorithm of docs/CONTRIBUTING.md compiles'
sed 's/^/# /' "$temporary/errors"

[ "$(wc -l <README.md)" -lt 250 ]
result $? 'README stays below 250 lines (else move something to docs/)'
echo "1..$n"
