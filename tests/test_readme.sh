#!/bin/sh
# README's tables (the algorithms, what they cover, the verdicts) agree with what the program prints, and README has
# fewer than 250 lines. `tests/test_readme.sh --write` (make readme) updates the tables.
set -u
cd "$(dirname "$0")/.." || exit 1
COLLSIM=${COLLSIM:-build/collsim}

# algorithms: prints one row for each collective, with its algorithms.
algorithms() {
    printf '| collective | algorithms |\n| --- | --- |\n'
    "$COLLSIM" list --format csv | awk -F'"?,"?' '
        NR > 1 && $1 != last { if (last) print row " |"; row = "| " $1 " |"; last = $1; comma = "" }
        NR > 1 { row = row comma " `" $2 "`"; comma = "," }
        END { print row " |" }'
}

# coverage: prints one row for each collective, with three lists of algorithms: Open MPI's with their ids (of version
# 4.1, or with an m of later ones), MPICH's, and those of the five documents. If our entry has another name, that is
# given too. An algorithm that no entry covers is struck out, with the reason.
coverage() {
    printf '| collective | Open MPI | MPICH | documents |\n| --- | --- | --- | --- |\n'
    "$COLLSIM" list --coverage --format csv | sed 's/,[^,]*$//' | sort -st, -k1,1 | awk -F, '
        $1 == "collective" { next }
        !($1 in seen) { order[++n] = $1; seen[$1] = 1 }
        {
            split($3, name, " "); id = name[1]; sub(/^[a-z-]*:/, "", id)
            if ($2 == "Open MPI") item = (name[1] ~ /main/ ? "m" : "") id " `" $4 "`"
            else if ($2 == "MPICH") item = "`" id "`" (id == $4 || $4 == "" ? "" : " (`" $4 "`)")
            else { item = (id "" == number[$1] "" ? "" : id " ") "`" ($4 == "" ? substr(name[2], 2, length(name[2]) - 2) : $4) "`"; number[$1] = id }
            if ($4 == "") { reason = $5; gsub(/"/, "", reason); for (i = 6; i <= NF; i++) reason = reason "," $i; gsub(/"/, "", reason); item = "~~" item "~~ (" reason ")" }
            cell[$1, $2] = cell[$1, $2] (cell[$1, $2] == "" ? "" : ", ") item
        }
        END { for (i = 1; i <= n; i++) print "| " order[i] " | " cell[order[i], "Open MPI"] " | " cell[order[i], "MPICH"] " | " cell[order[i], "documents"] " |" }'
}

# verdicts: prints how many claims of each source got which verdict.
verdicts() {
    "$COLLSIM" audit | sed -n '/^source  /,$p' | sed 's/   */ | /g; s/^/| /; s/$/ |/; 1a| --- | --: | --: | --: | --: | --: | --: | --: | --- |
'
}

if [ "${1:-}" = --write ]; then
    for table in algorithms coverage verdicts; do
        $table >README.table &&
            awk -v mark="<!-- $table -->" '
                $0 == mark { print; while ((getline line < "README.table") > 0) print line; skip = 1; next }
                /^<!-- end -->/ { skip = 0 } !skip' README.md >README.new && mv README.new README.md
        rm -f README.table
    done
    exit
fi

echo 1..4
n=0
for table in algorithms coverage verdicts; do
    n=$((n + 1))
    if [ $table = verdicts ] && [ "${SANITIZED:-}" ]; then # make check runs all claims in test_audit.sh too
        echo "ok $n # SKIP the table of verdicts, which takes a sanitized program long"
    elif [ "$(sed -n "/^<!-- $table -->/,/^<!-- end -->/p" README.md | sed '1d;$d')" = "$($table)" ]; then
        echo "ok $n - the table of $table is what collsim says"
    else
        echo "not ok $n - the table of $table is not what collsim says: make readme"
    fi
done
if [ "$(wc -l <README.md)" -lt 250 ]; then
    echo "ok 4 - README stays below 250 lines"
else
    echo "not ok 4 - README has 250 lines or more"
fi
