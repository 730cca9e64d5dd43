#!/bin/sh
# collsim crossover, best and bound: answers that can be told beforehand.
. "$(dirname "$0")/tap.sh"
figures='--set alpha=1us --set beta=0.08ns/B --set gamma=0.05ns/B'

closed() { # closed COLLECTIVE A B M8 M64 M1024: the closed forms
    # shellcheck disable=SC2086
    c crossover "$1" "$2" "$3" -p 8,64,1024 $figures || return 1
    got=$(awk '/ alpha = m / || / = m / { printf "%s ", $2 }' out)
    [ "$got" = "$4 $5 $6 " ]
}
ok 'binomial, scatter and doubling' closed bcast binomial scatter_rd_allgather 30000.0 18604.7 15621.2
ok 'binomial, scatter and ring' closed bcast binomial scatter_ring_allgather 70000.0 195348.8 1598047.4
ok 'doubling, Rabenseifner' closed allreduce recursive_doubling rabenseifner 14545.5 10466.1 9172.6
ok 'doubling, ring' closed allreduce recursive_doubling ring 53333.3 209321.3 1867538.5
ok 'Bruck, pairwise' closed alltoall bruck pairwise 10000.0 5523.3 3090.7
ok 'the bracket is simulated' gives '14549' crossover allreduce recursive_doubling rabenseifner -p 8
ok 'the issue of two of one kind' fails 'nosuch' crossover allreduce nosuch ring -p 8
ok 'no ranks' fails '-p is missing' crossover allreduce ring rabenseifner

ok 'the best at 8 bytes' gives 'binomial' best bcast -p 64 -m 8
ok 'segments beside their optimum' gives 'circulant segment=144632' best bcast -p 64 -m 8M
ok 'a bad size' fails '-m' best bcast -p 64 -m x

ok 'a bound that is reached' gives 'recursive_doubling' bound allreduce -p 8 -m 8
ok 'bounds as CSV' gives 'x_bound' bound allreduce -p 8 -m 8 --format csv
ok 'a picture' c bound allreduce -p 8,64 -m 8,64K,8M -o bound.svg
ok '.. that is one' says bound.svg '<svg'
ok 'no picture of another kind' fails '.svg, .png or .pdf' bound allreduce -p 8 -m 8 -o bound.txt

echo "1..$n"
