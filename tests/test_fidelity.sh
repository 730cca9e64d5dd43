#!/bin/sh
# docs/FIDELITY.md has the figures that the program gives: for two of its sets, and with CHECK_ALL=1 for all. The measurements are
# read from ../shared/measured, or where $COLLSIM_MEASURED says; without them there is nothing to compare.
root=$(realpath "$(dirname "$0")/..")
measured=$(realpath "${COLLSIM_MEASURED:-$root/../shared/measured}" 2>/dev/null)
. "$root/tests/tap.sh"

# The sets of the table are those of the script.
sets=$(sed -n 's/^every="\(.*\)"$/\1/p' "$root/experiments/validate.sh")
for set in $sets; do
    ok "$set: a line of the table" grep -q "^| $set | [0-9]" "$root/docs/FIDELITY.md"
    ok "$set: what is left" grep -q "^\*\*$set\*\*" "$root/docs/FIDELITY.md"
done

if [ -d "$measured/rows" ]; then
    [ "${CHECK_ALL:-}" = 1 ] || sets="cloud_noise cloudlab"
    # shellcheck disable=SC2086
    COLLSIM_MEASURED=$measured sh "$root/experiments/validate.sh" --check "$PWD/work" $sets >out 2>err
    status=$?
    ok "the page has what the program gives: $sets" [ $status = 0 ]
    [ $status = 0 ] || grep 'does not have' err | sed 's/^/# /'
    # A line that the page has not: another figure would have to be found.
    mkdir -p copy/docs && cp -r "$root/experiments" "$root/platforms" copy/
    sed 's/^\(| cloudlab | 176 | [^|]*|\) [0-9]/\1 9/' "$root/docs/FIDELITY.md" >copy/docs/FIDELITY.md
    COLLSIM_MEASURED=$measured sh copy/experiments/validate.sh --check "$PWD/work" cloudlab >out 2>err
    status=$?
    ok "another figure is noticed" [ $status = 1 ]
else
    n=$((n + 1))
    echo "ok $n # SKIP the measurements of others are not in ../shared/measured (or \$COLLSIM_MEASURED)"
fi
echo "1..$n"
