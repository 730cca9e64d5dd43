#!/bin/sh
# README's table of algorithms is what the program lists. `tests/test_readme.sh --write` (make readme) brings it up to date.
set -u
cd "$(dirname "$0")/.." || exit 1
COLLSIM=${COLLSIM:-build/collsim}

table() {
    printf '| collective | algorithms |\n| --- | --- |\n'
    "$COLLSIM" list --format csv | awk -F'"?,"?' '
        NR > 1 && $1 != last { if (last) print row " |"; row = "| " $1 " |"; last = $1; comma = "" }
        NR > 1 { row = row comma " `" $2 "`"; comma = "," }
        END { print row " |" }'
}

if [ "${1:-}" = --write ]; then
    table >README.table &&
        awk '/^<!-- algorithms -->/ { print; while ((getline line < "README.table") > 0) print line; skip = 1; next }
             /^<!-- end -->/ { skip = 0 } !skip' README.md >README.new && mv README.new README.md
    rm -f README.table
    exit
fi

echo 1..2
if [ "$(sed -n '/^<!-- algorithms -->/,/^<!-- end -->/p' README.md | sed '1d;$d')" = "$(table)" ]; then
    echo "ok 1 - the table of algorithms is what collsim list says"
else
    echo "not ok 1 - the table of algorithms is not what collsim list says: make readme"
fi
if [ "$(wc -l <README.md)" -lt 250 ]; then
    echo "ok 2 - README stays below 250 lines"
else
    echo "not ok 2 - README has 250 lines or more"
fi
