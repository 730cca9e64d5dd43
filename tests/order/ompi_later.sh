#!/bin/sh
# Writes the table of docs/ALIASES.md on the later versions of Open MPI from ompi_later.txt. Run by `make aliases`.
cd "$(dirname "$0")/../.." || exit 2
. tests/order/table.sh
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
grep -v '^#' tests/order/ompi_later.txt | while IFS='|' read -r collective id versions entry file commit remark; do
    echo "| $collective | $id | $versions | \`$(shown "$entry")\` | $file | $commit | $remark |"
done >"$rows"
write_rows docs/ALIASES.md ompi-later "$rows" "| collective | id | versions | entry | file and function | commit | remark |"
