#!/bin/sh
# Machines side by side: lists in --platform and --set of run and best, what plot draws of them, and figures that are scaled.
. "$(dirname "$0")/tap.sh"

same_rows() { # the rows of several machines are those of each of them
    c run bcast all -p 8 -m 8,64K --platform lumi,leonardo --set beta=x1,x0.5 -f csv && cp out all.csv || return 1
    for machine in lumi leonardo; do
        for factor in x1 x0.5; do
            c run bcast all -p 8 -m 8,64K --platform $machine --set beta=$factor -f csv && tail -n +2 out
        done
    done >each
    tail -n +2 all.csv | cmp -s - each
}
ok 'run has the rows of each machine' same_rows
models() { # machines whose models have other columns
    printf '[measured]\none = 8:1us 64:2us\none.source = test\n' >m.ini
    c run bcast binomial,chain -p 4 -m 8 --platform generic-100g,m.ini -f csv && cp out m.csv &&
        [ "$(grep -c ',generic-100g,hockney,rendezvous,' m.csv)" = 2 ] && [ "$(grep -c ',m,measured,,' m.csv)" = 2 ] &&
        [ "$(awk -F, '{ print NF }' m.csv | sort -u | wc -l)" = 1 ]
}
ok 'machines with different models share a table' models
best_rows() {
    c best bcast -p 8 -m 64K --top 2 --platform lumi,leonardo -f csv && cp out all.csv &&
        { for machine in lumi leonardo; do c best bcast -p 8 -m 64K --top 2 --platform $machine -f csv && tail -n +2 out; done; } >each &&
        tail -n +2 all.csv | cmp -s - each
}
ok 'best has the rows of each machine' best_rows
tables() {
    gives '* is the fastest on its machine' run allreduce ring,recursive_doubling -p 8 -m 64K --set alpha=1us,2us --set beta=0 --set gamma=0 &&
        grep -q '^recursive_doubling  *3 us\*  *6 us\*  *2.00' out && says out '  B on generic-100g' &&
        gives 'A  recursive_doubling' best allreduce -p 8 -m 8 --set alpha=1us,2us && says out 'B  recursive_doubling  6' &&
        gives 'not ranked: ring, ran: recursive_doubling (count < p)' run allreduce ring -p 8 -m 4 --set alpha=1us,2us &&
        says_not out 'B/A' && says_not out 'fastest'
}
ok 'tables compare the machines' tables
json() { c run bcast binomial -p 4 -m 8 --set beta=x1,x0.5 -f json && [ "$(grep -c '"algorithm":"binomial"' out)" = 2 ]; }
ok 'JSON has one sheet of rows' json
scales() { # twice the bandwidth is half the time of a byte, at each level
    c run bcast binomial -p 4 -m 1M --set alpha=0s --set bandwidth=x2 -f csv && cp out fast.csv &&
        c run bcast binomial -p 4 -m 1M --set alpha=0s -f csv &&
        awk -F, 'FNR == 2 { t[NR] = $10 } END { for (i in t) print t[i] }' fast.csv out | sort -g |
        awk '{ t[NR] = $1 } END { exit !(t[2] / t[1] > 1.999999 && t[2] / t[1] < 2.000001) }' && says fast.csv 'beta=x0.5'
}
ok 'bandwidth=x2 halves the time of a byte' scales
lines() { # a line for each machine, and no line if nothing is predicted twice
    c run bcast binomial,chain -p 4 -m 8,64K --platform lumi,leonardo -f csv && cp out two.csv && c plot two.csv &&
        says out 'binomial on lumi' && says out 'chain on leonardo' &&
        c run bcast binomial -p 4 -m 8,64K --set beta=x1,x0.5 -f csv && cp out sets.csv && c plot sets.csv && says out 'binomial beta=x0.5' &&
        c run allreduce recursive_doubling -p 8 -m 8,64K --platform lumi,leonardo --set beta=x1,x0.5 -f csv && cp out long.csv &&
        c plot long.csv && says out 'recursive_dou.. on lumi, beta=x0.5'
}
command -v gnuplot >/dev/null && ok 'plot draws a line for each machine' lines
errors() {
    fails '--platform and --set make 9 machines' run bcast binomial -p 4 -m 8 --set alpha=x1,x2,x3,x4,x5,x6,x7,x8,x9 &&
        fails '--why prints a path on one machine' run bcast binomial -p 4 -m 8 --set alpha=x1,x2 --why &&
        fails '--memory has no place in a table of several machines' run bcast binomial -p 4 -m 8 --set alpha=x1,x2 --memory &&
        fails "alpha: 'x0' is not a factor; allowed: x and a number above 0" run bcast binomial -p 4 -m 8 --set alpha=x1,x0 &&
        fails "unknown platform ''" run bcast binomial -p 4 -m 8 --platform lumi, &&
        fails "alpha: '' is not a time" run bcast binomial -p 4 -m 8 --set alpha=x1, &&
        fails 'only times and rates are scaled' run bcast binomial -p 4x2 -m 8 --platform leonardo --set nics=x2 &&
        fails "'x1,x2' is not a factor" crossover bcast binomial chain -p 4 --set alpha=x1,x2
}
ok 'what is wrong is said in one line' errors
echo "1..$n"
