#!/bin/sh
# Each slip of tests/mutations/ still applies to the sources, so that `make mutate` can try all of them.
mutate=$(realpath "$(dirname "$0")/mutate.sh")
. "$(dirname "$0")/tap.sh"
command -v perl >/dev/null || { echo "1..0 # SKIP perl is missing" && exit; }
ok 'each slip applies' sh -c '"$0" --applies >out 2>err' "$mutate"
echo "1..$n"
