#!/bin/sh
# Compares the messages of MPICH's algorithms with those of our entries, and writes the table of docs/ALIASES.md. Each
# line of mpich.txt is one run of build/tests/order_mpich on RANKS ranks (9 unless set). Run by `make aliases`.
cd "$(dirname "$0")/../.." || exit 2
. tests/order/table.sh
program=${ORDER:-build/tests/order_mpich} ranks=${RANKS:-9} table=docs/ALIASES.md
mpiexec=$(command -v mpiexec.mpich) || mpiexec=
[ -x "$program" ] && [ "$mpiexec" ] || { echo "MPICH's messages are not compared: mpiexec.mpich or $program is missing"; exit 0; }
# NOLOCAL sends all messages through UCX, and DEVICE_COLLECTIVES chooses the collectives of src/mpi/coll.
export MPIR_CVAR_NOLOCAL=1 MPIR_CVAR_DEVICE_COLLECTIVES=none UCX_WARN_UNUSED_ENV_VARS=n
rows=$(mktemp) said=$(mktemp)
trap 'rm -f "$rows" "$said"' EXIT
grep -v '^#' tests/order/mpich.txt | while IFS='|' read -r collective name entry variables file remark; do
    how=order
    case $entry in "~"*) how=set ;; esac
    shown=$(shown "${entry#[~^+]}")
    version=4.0.2
    case $file in *" ("*")") version=$(echo "${file#* }" | tr -d '()') file=${file%% *} ;; esac
    if [ "$variables" = - ]; then
        echo "| $collective | \`$name\` | \`$shown\` | $file | $version | | | | | not in 4.0.2: read, not run${remark:+; }$remark |" >>"$rows"
        continue
    fi
    words=$(for v in $variables; do echo "MPIR_CVAR_$v"; done)
    # shellcheck disable=SC2086 # words are words
    env $words "$mpiexec" -n "$ranks" "$program" "$collective" "$name" "$entry" </dev/null >"$said" 2>&1
    # The line is COLLECTIVE,NAME,ENTRY,RANKS,EQUAL,MESSAGES,DIFFERENT,UNEVEN,ELSE.
    line=$(grep -F "$collective,$name,$entry," "$said" | cut -d, -f4-)
    [ "$line" ] || { cat "$said" >&2; echo "$collective $name: no answer" >&2; continue; }
    IFS=, read -r most equal messages different uneven else <<END
$line
END
    notes=
    [ "$different" = 0 ] || notes="**$different cases differ**"
    [ "$uneven" = 0 ] || notes="$notes${notes:+; }$uneven cases of an uneven cut differ"
    [ "$else" = 0 ] || notes="$notes${notes:+; }$else not compared"
    notes="$notes${notes:+${remark:+: }}$remark"
    echo "| $collective | \`$name\` | \`$shown\` | $file | $version | 2..$most | $equal | $messages | $how | $notes |" >>"$rows"
    [ "$different" = 0 ] || cat "$said" >&2
done
write_rows "$table" mpich "$rows" "| collective | MPICH | entry | file read | version | p | cases equal | messages | compared | remark |"
! grep -q "cases differ\*\*" "$rows"
