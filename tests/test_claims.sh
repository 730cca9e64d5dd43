#!/bin/sh
# The tables of claims in experiments/claims: they have the right columns; they name collectives, algorithms and
# parameters that exist; and for each place of a source they have as many rows as the source makes claims there. The
# table of Open MPI's parameters agrees with ompi_info.
claims=$(cd "$(dirname "$0")/../experiments/claims" && pwd) || exit 1
. "$(dirname "$0")/tap.sh"

fields() { # fields FILE: prints the rows of the CSV file except the first, with tabs between the fields
    awk 'NR > 1 {
            row = ""
            quoted = 0
            for (i = 1; i <= length($0); i++) {
                x = substr($0, i, 1)
                if (x == "\"" && quoted && substr($0, i + 1, 1) == x) row = row substr($0, ++i, 1)
                else if (x == "\"") quoted = !quoted
                else row = row (x == "," && !quoted ? "\t" : x)
            }
            print row
        }' "$claims/$1"
}
begins() { head -n 1 "$claims/$1" >out && [ "$(cat out)" = "$2" ]; } # begins FILE LINE: this is the file's first line
none() { "$@" >err && [ ! -s err ]; } # none COMMAND...: the command succeeds and prints nothing; what it prints is in err
rows_that() { awk -F'\t' "$1" rows; } # rows_that CONDITION: prints the rows for which the awk condition is true
twice() { cut -f1 rows | sort | uniq -d; }

columns=id,source,place,collective,algorithm,params,quantity,against,kind,claim,let,where,without,truth,note
n_source=0
for table in openmpi_report allreduce_survey gatherv shared_memory tree_butterfly; do
    ok "$table: columns" begins $table.csv $columns
    fields $table.csv | sed "s/^/00$n_source\t/" >>sourced
    n_source=$((n_source + 1))
done
cut -f2- sourced >rows

ok "every row has 15 fields" none rows_that 'NF != 15'
ok "no id occurs twice" none twice
ok "each table has one source, 000 .. 004, and ids begin with it" none awk -F'\t' '$3 != $1 || index($2, $1 "-") != 1' sourced
ok "every quantity is known" none rows_that '$7 !~ /^(time|bound|rounds|messages|bytes|connections|connection_memory|scratch|scratch_root_1|others_scratch|copied|segment|allocated|bandwidth|crossover|speedup|id|ids|fallback|mca|figure)$/'
ok "every kind is known" none rows_that '$9 !~ /^(equality|upper|lower|order|measured|suited)$/'
ok "only figures have a truth; figures, ids, fallbacks and mca have a claim" none rows_that '($7 == "figure") != ($14 != "") || $7 ~ /^(ids?|fallback|mca|figure)$/ && $10 == ""'
ok "a row without a claim has a note that says why" none rows_that '$10 == "" && $15 == ""'
ok "a note has fewer than 100 characters" none rows_that 'length($15) >= 100'
ok "crossovers and speedups are against another algorithm; of the others, only recommendations may be" none rows_that '($7 == "crossover" || $7 == "speedup") != ($8 != "") && $9 != "suited" || $8 == $5 && $8 != "" && $9 != "measured"'

# ---- Names --------------------------------------------------------------------------------------------------------------
"$COLLSIM" list --format csv | awk -F'"?,"?' 'NR > 1 { print $1 "\t" $2; if (!seen[$1]++) print $1 "\t" }' >names
strange() { # strange FIELD: prints the rows where an algorithm in that field is not one of the row's collective
    awk -F'\t' -v algorithm="$1" 'NR == FNR { known[$1, $2]; next }
        { given = $algorithm; sub(/ .*/, "", given); n = split(given, each, ";"); for (i = n ? 1 : 0; i <= n; i++) if ($4 != "" && !(($4, each[i]) in known)) print }' names rows
}
ok "collectives and algorithms exist" none strange 5
ok "algorithms that they are compared with exist" none strange 8
ok "figures and mca have no collective, all others have one" none rows_that '($4 == "") != ($7 == "figure" || $7 == "mca")'
ok "only figures, mca, ids and rows without a claim may lack an algorithm" none rows_that \
    '$5 == "" && $7 !~ /^(ids|mca|figure)$/ && $10 != ""'
params() { # prints an error for each parameter that `run` does not know or that is out of range
    awk -F'\t' '$6 != "" { gsub(";", " --param ", $6); print $4, $5, "--param " $6 }' rows | sort -u |
        while read -r collective algorithm rest; do
            case $algorithm in shm_*) model=shared ;; *) model=hockney ;; esac
            "$COLLSIM" run "$collective" "$algorithm" -p 8 -m 64K --model $model $rest 2>&1 >out
        done
}
ok "parameters exist and are in range" none params

# ---- Nothing is missing -------------------------------------------------------------------------------------------------
# The list below has the number of claims of each source and place, which is the part of the column `place` before the
# comma. The chains of tables 3.2 and 3.3 are counted once for each of their two readings, and the memory of scatter's
# root (3.4.2.1) for root 0 and for another root. Of table 4.12 only
# what it recommends is a claim, because it names only parameters that earlier tables name too. Recommendations are not
# counted: a source may say in several sentences what an algorithm is meant for.
#
# A row may be followed by other readings of the same claim, which are not counted. Their ids are the row's id and one
# of the suffixes in $readings: with segments, with as many ports as needed, with other parts. A suffix -beta belongs to
# a row whose id ends in -bandwidth, and is beta's part of the time.
cat >counted <<'END'
000 10 table 3.1
000 8 table 3.2
000 4 section 3.2.2
000 8 table 3.3
000 1 section 3.3.4
000 2 section 3.3.6
000 8 table 3.4
000 4 section 3.4.1.1
000 8 section 3.4.1.2
000 4 section 3.4.1.3
000 3 section 3.4.1.4
000 6 section 3.4.1.5
000 5 section 3.4.2.1
000 3 section 3.4.2.2
000 2 section 3.4.2.3
000 6 section 3.4.3.1
000 3 section 3.4.3.2
000 3 section 3.4.3.3
000 3 section 3.4.4.1
000 1 section 3.4.4.2
000 4 section 3.4.4.3
000 3 section 3.4.4.4
000 1 section 3.4.4.5
000 1 section 3.4.5.1
000 2 section 3.4.5.2
000 2 section 3.4.5.6
000 10 section 3.5
000 9 table 3.5
000 4 table 4.1
000 4 table 4.2
000 12 table 4.3
000 7 table 4.4
000 4 table 4.5
000 6 table 4.6
000 4 table 4.7
000 1 section 4.7.2
000 9 table 4.8
000 11 section 4.8.2
000 4 table 4.9
000 7 section 4.9.1
000 1 section 4.9.2
000 5 table 4.10
000 4 table 4.11
000 11 table 4.12
000 33 table 4.13
000 2 section 5.1.2.1
000 26 table 5.2
001 3 section 0
001 11 section 1
001 6 section 2
001 12 section 3
001 7 section 4
001 10 section 5
001 7 Open MPI 4.1.2
001 8 summary table
002 3 section 1
002 4 section 3
002 1 section 4
002 5 section 5.1
002 1 section 3.3.1
002 1 section 4.1
002 3 section 5.2
002 6 section 5.3
003 1 algorithms 1 and 2
003 6 algorithm 2
003 3 abstract
003 7 section 3
003 10 section 4.1
003 4 section 4.2
003 6 section 5
003 4 section 6
003 3 table 1
003 3 table 2
004 6 section 2.1
004 1 section 3.3.1
004 1 section 3.3.2
004 14 section 4
END
readings='-(segments|ports|parts|beta)$'
alone() { # prints the ids of other readings that belong to no row
    awk -F'\t' -v readings="$readings" '
        NR == FNR { ids[$1]; next }
        $1 ~ readings { of = $1; sub(/-beta$/, "-bandwidth", of); sub(readings, "", of); if (!(of in ids)) print }' rows rows
}
ok "every other reading follows a row" none alone
places() { awk -F'\t' -v readings="$readings" '$1 !~ readings && $9 != "suited" { sub(/,.*/, "", $3); n[$2 "\t" $3]++ } END { for (at in n) { split(at, x, "\t"); print x[1], n[at], x[2] } }' rows; }
other_counts() {
    places | sort >found
    sort counted | diff - found
}
ok "as many rows of each place as there are claims" none other_counts

# ---- Open MPI's parameters ----------------------------------------------------------------------------------------------
ok "Open MPI's parameters: columns" begins openmpi-4.1-parameters.csv name,default,source
fields openmpi-4.1-parameters.csv | cut -f1,2 | sort >told
awk -F'\t' '$7 == "mca" { sub(/=.*/, "", $10); print $10 }' rows | sort -u >claimed
# real: prints the parameters of coll/tuned, and the others about which there are claims, with their values as ompi_info
# gives them. A value that has a name, such as `ignore`, is printed as its number.
real() {
    env -i PATH="$PATH" HOME="$dir" ompi_info --all --parsable 2>/dev/null |
        awk -F: '
            NR == FNR { wanted[$1]; next }
            $4 != "param" || !($5 ~ /^coll_tuned_/ || $5 in wanted) { next }
            $6 == "value" { default_[$5] = $7; for (i = 8; i <= NF; i++) default_[$5] = default_[$5] ":" $i }
            $6 == "enumerator" { number[$5, $9] = $8 }
            END {
                for (name in default_) {
                    value = default_[name]
                    print name "\t" ((name, value) in number ? number[name, value] : value)
                }
            }' claimed - | sort
}
untrue() {
    real >there
    [ -s there ] && diff there told
}
if [ "$(ompi_info --version 2>/dev/null | head -n 1)" = "Open MPI v4.1.4" ]; then
    ok "Open MPI's parameters are those of Open MPI 4.1.4" none untrue
else
    echo "# SKIP: Open MPI's parameters are not checked, because there is no ompi_info of Open MPI 4.1.4"
    echo "ok $((n = n + 1)) - Open MPI's parameters are those of Open MPI 4.1.4 # SKIP ompi_info is missing"
fi

echo "1..$n"
