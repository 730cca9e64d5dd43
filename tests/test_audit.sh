#!/bin/sh
# `collsim audit`: verdicts, counterexamples, the formulas that fit, bad input, tables of claims, and the report.
claims=$(realpath "$(dirname "$0")/../experiments/claims")
readme=$(realpath "$(dirname "$0")/../README.md")
. "$(dirname "$0")/tap.sh"
serve

verdict() { # verdict TEXT CLAIM COLLECTIVE ALGORITHM ...: TEXT is the verdict, in the last line
    want=$1
    shift
    c audit --claim "$@" && [ ! -s err ] && [ "$(tail -n 1 out)" = "verdict: $want" ]
}

ok 'a ring is exact' verdict exact '(p-1)*alpha + (p-1)/p*m*(beta+gamma)' reduce_scatter ring --expect exact
ok 'the textbook binomial tree is wrong' verdict "wrong: in beta, claimed/true tends to 0 as p grows" 'log2(p)*alpha + beta*m' bcast binomial
tr -s ' \n' ' ' <out >flat
ok '.. with the smallest counterexample' says flat 'p=3 m=12: 1.585 alpha + 12 beta claimed, 2 alpha + 24 beta true'
ok '.. with the formula that fits' says out 'ceil(log2(p))*(alpha + m*beta)'
ok 'exact for a class' verdict 'exact for powers of two, else within a factor of 2.25, sometimes too low' \
    '2*log2(p)*alpha + (p-1)/p*m*(2*beta+gamma)' allreduce rabenseifner
ok 'exact for a class, wrong elsewhere' verdict "exact for powers of two, else wrong: in alpha, claimed/true tends to 0 as p grows" \
    'log2(p)*(alpha + m*beta + m*gamma)' allreduce butterfly_v2
ok 'loose' verdict loose 'p*alpha + p*m*beta' bcast linear
ok 'right order' verdict 'right order, constant 1.5, sometimes too low' '2*(p-1)*alpha + (p-1)*m*beta' gather linear_sync
ok 'an order' verdict 'right order, constant 2' 'p*alpha + p*m*beta' --as order bcast linear
ok 'an upper bound that holds' verdict loose 'p*alpha + p*m*beta' --as upper bcast linear
ok '.. at one number of ranks too' verdict loose 'p*alpha + p*m*beta' --as upper --where 'p==8' bcast linear
ok 'an upper bound that does not' verdict "wrong: in alpha, the claim is below the lower bound" '(p-2)*alpha + p*m*beta' --as upper bcast linear
ok 'a bound that holds up to 6 ranks' verdict 'wrong: in alpha, claimed/true tends to 0 as p grows' '5*alpha + 5*m*beta' --as upper bcast linear
tr -s ' \n' ' ' <out >flat
ok '.. fails first at 7' says flat 'smallest counterexample: p=7 m=56: 5 alpha + 280 beta claimed, 6 alpha + 336 beta true'
ok 'a bound that holds has no counterexample' verdict loose 'p*alpha + p*m*beta' --as upper bcast linear
ok '.. and none is printed' sh -c '! grep -q counterexample out'
ok 'a lower bound that holds' verdict loose 'alpha + m*beta' --as lower bcast linear
ok 'a lower bound that does not' verdict 'wrong: in alpha, the claim is above the truth' '5*alpha + m*beta' --as lower bcast linear
tr -s ' \n' ' ' <out >flat
ok '.. fails first at 2' says flat 'smallest counterexample: p=2 m=4: 5 alpha + 4 beta claimed, 1 alpha + 4 beta true'
ok 'an order that is right' verdict 'right order, constant 2' 'p*alpha + p*m*beta' --as order bcast linear
tr -s ' \n' ' ' <out >flat
ok '.. is only refuted as an equality' says flat 'smallest counterexample: as an equality, p=2 m=4: 2 alpha + 8 beta claimed'
ok 'an order that is wrong' verdict 'wrong: in alpha, claimed/true tends to 0 as p grows' 'alpha + p*m*beta' --as order bcast linear
ok '.. as an equality too, which is not said again' sh -c '[ $(grep -c "tends to 0" out) = 1 ] && ! grep -q "as an equality:" out'
ok 'below what any algorithm can do' verdict "wrong: in alpha, the claim is below the lower bound" 'log2(p)*alpha + 2*(p-1)/p*m*beta' \
    bcast scatter_rd_allgather
ok 'a cost that is left out is claimed to be 0' verdict "wrong: in gamma, claimed/true tends to 0 as p grows" \
    '2*(p-1)*alpha + 2*(p-1)/p*m*beta' allreduce ring
ok '.. unless --without names it' verdict exact '2*(p-1)*alpha + 2*(p-1)/p*m*beta' allreduce ring --without gamma
ok 'a claim that is negative at one number of ranks' verdict "wrong: in alpha, the value is different" '(p-3)*alpha + (p-1)*m*beta' bcast linear
ok '.. as an order, from some p on' verdict 'right order, constant 3, sometimes too low' '(p-3)*(alpha + m*beta)' --as order bcast linear
ok 'a claim that has no value at one number of ranks' verdict 'exact for p > 2, else not within any factor' \
    '(p-1)*(alpha + m*beta) + 0*alpha/(p-2)' bcast linear
ok 'a claim in letters of its own' verdict exact '(N-1)*alpha + (N-1)/N*n*beta' --let 'N=p;n=p*m' allgather ring
ok 'segments' verdict exact '(p+S-2)*(alpha + m/S*beta)' --where 'p <= 33' bcast pipeline
ok 'a radix' verdict exact 'knomial(p,k)*(alpha + m*beta)' bcast knomial
ok 'under eager' verdict exact 'alpha + m*beta' gather linear --transfer eager
ok '.. and not under rendezvous' verdict "wrong: in alpha, claimed/true tends to 0 as p grows" 'alpha + m*beta' gather linear
ok 'LogGP' verdict exact 'L+2*o+(m-1)*max(o,g)' --where 'p==2' bcast pipeline --param segment=1
ok 'LogGP, with a wrong term' verdict "wrong: in o, the value is different" 'L+2*o+(m-1)*b' --let 'b=min(o,g)' --where 'p==2' \
    bcast pipeline --param segment=1
ok 'a ratio that goes up and down with the digits of p does not grow' verdict 'exact for p = k^d, else within a factor of 1.81, sometimes too low' \
    'log(p,k)*L' --without 'o;g;G' bcast knomial
ok 'a claim that is right for its own number of segments' verdict 'right order, constant 3.8, sometimes too low' 'log2(p)*alpha + m*beta' --as order \
    --where 'S==ceil(log2(p))' bcast bintree
ok 'LogGP, right only where g > o' verdict loose 'floor(log2(p))*(L+2*o+max(o,g)+2*(m-1)*G)' \
    --where 'p==3 || p==7 || p==15 || p==31' bcast bintree
ok 'points at which a fallback runs are left out' verdict 'exact, except where a fallback runs (p is not a power of two)' 'log2(p)*alpha + (p-1)*m*beta' allgather recursive_doubling
ok '.. and the answer says so' says out 'a fallback runs'

# ---- The notation of papers ----------------------------------------------------------------------------------------------
ok 'a formula as LaTeX' verdict exact '\lceil \log_2 p \rceil (\alpha + n \beta)' bcast binomial
ok '.. the answer says how it was read' says out 'read as:                 ceil(log2(p))*(alpha + n*beta)'
ok 'of two readings the one that is a time' verdict exact '2(p-1) \alpha + 2\frac{p-1}{p} n \beta + (p-1)/p n \gamma' allreduce ring
ok 'O() is an order, of rounds if it has no cost' verdict 'right order, constant 1.29, sometimes too low' 'O(log p)' bcast binomial
ok '.. and says nothing of bytes then' fails 'contains no cost; allowed: alpha, beta, gamma, or L, o, g, G (read as n*log2(p))' \
    audit --claim 'O(n log p)' bcast binomial
ok 'a formula with two readings' fails 'this can be read as 1/2*p*alpha, or as 1/(2*p)*alpha; allowed: with brackets that tell' \
    audit --claim '1/2p alpha' bcast binomial
ok 'a letter of LaTeX that is not known' fails "--claim: column 2: 'sigma' is not known; allowed: --let sigma=EXPR, or p, m" audit --claim '\sigma p' bcast binomial
ok 'a letter behind a number that is not known' fails "--claim: column 15: 'P' is not known, did you mean p? allowed: --let P=p, or p, m" \
    audit --claim '2alpha + (log P)*beta*n' bcast binomial
ok '.. without a product that is left out' fails "--claim: column 16: 'Q' is not known; allowed: --let Q=EXPR, or p, m" \
    audit --claim '2*alpha + (log(Q))*beta*n' bcast binomial
ok '.. a function, which --let does not define' fails "'rint' is not known; allowed: p, m" audit --claim 'rint(p)*alpha' bcast binomial
ok 'n as papers write it, all the data' verdict \
    'wrong: in beta, claimed/true tends to 0 as p grows; exact where n is all the data (--let n=p*m)' \
    '(p-1)*alpha + (p-1)/p*n*beta' allgather ring
ok '.. with what the verdict says' verdict exact '(p-1)*alpha + (p-1)/p*n*beta' --let n=p*m allgather ring
ok '.. is not said of another formula' verdict 'wrong: in beta, claimed/true tends to 0 as p grows' \
    '(p-1)*alpha + (p-2)/p*n*beta' allgather ring
ok '.. nor where n is all the data' verdict 'exact' '(p-1)*alpha + (p-1)/p*n*(beta+gamma)' reduce_scatter ring
ok 'a source by its author' c audit --source Kurnosov --collective bcast -f csv
ok '.. has its claims only' sh -c 'awk -F, "NR > 1 && \$2 !~ /003/ { bad = 1 } END { exit bad || NR < 5 }" out'
ok "a source by that of its algorithms" c audit --source thakur --collective allreduce -f csv
ok 'a platform without [shared]' c audit --source 003 --platform lumi -f csv
ok '.. leaves claims of times in shared memory unjudged' sh -c 'grep "^003-t1-switch-8," out | grep -q "not judged: the platform lacks figures of .shared."'
ok '.. but not those of messages' sh -c '[ "$(grep -c "not judged" out)" -lt "$(wc -l <out)" ]'
ok 'a platform that has only [measured]' c audit --source 001 --platform archer2 -f csv
ok '.. leaves crossovers and recommendations unjudged' sh -c \
    '[ "$(grep -c "not judged: the platform lacks figures of .hockney." out)" = "$(grep -cE "time,,suited|,crossover," out)" ]'
ok '.. but not formulas' sh -c 'grep -q ",exact," out'
ok 'a source that is not known' fails '003, Shared memory based MPI Reduce and Bcast algorithms (Romanyuta Alexey A., Kurnosov Mikhail G.)' audit --source nobody

# corrupted: an exact claim is judged again with each of its constants changed by one; none of these claims is exact.
corrupted() {
    for x in '(p-2)*alpha + (p-1)/p*m*(beta+gamma)' '(p-1)*alpha + (p-2)/p*m*(beta+gamma)' 'p*alpha + (p-1)/p*m*(beta+gamma)' \
        '(p-1)*alpha + p/p*m*(beta+gamma)' '(p-1)*alpha + (p-1)/p*m*(beta+2*gamma)' '2*(p-1)*alpha + (p-1)/p*m*(beta+gamma)'; do
        c audit --claim "$x" reduce_scatter ring --expect exact
        [ $? = 1 ] || return 1
        case $(tail -n 1 out) in 'verdict: exact'*) return 1 ;; esac
    done
}
ok 'a corrupted constant is never exact' corrupted

# ---- Measurements --------------------------------------------------------------------------------------------------------
# A binomial tree over 4 ranks has 2 messages in a row. The linear gather of 32 ranks receives 31, the tree's root 5 in a
# row, so 124 times as fast implies messages that cost 124/(31/5) = 20 times as much in linear.
ok 'a measured time' verdict 'measured; implied cost a message: 23.09 us' 46.18e-6 --as measured --let 'p=4;m=1024' bcast binomial
ok '.. needs its point' fails 'needs its point in `let`; allowed' audit --claim 1e-6 --as measured --let p=4 bcast binomial
ok '.. which is of whole ranks' fails 'let: p is 4.5; allowed: an integer from 2 to 65536' \
    audit --claim 1e-6 --as measured --let 'p=4.5;m=8' bcast binomial
ok '.. is a number' fails 'alpha has no value in a measurement' audit --claim alpha --as measured --let 'p=4;m=8' bcast binomial
ok '.. above 0' fails '0 was measured; allowed' audit --claim 0 --as measured --let 'p=4;m=8' bcast binomial
ok '.. where the algorithm runs' fails 'cannot run at p = 6' \
    audit --claim 1e-6 --as measured --let 'p=6;m=8' allgather recursive_doubling
measured() { # measured CLAIM LET ALGORITHM AGAINST COLLECTIVE TEXT: the verdict on a speed-up has this text
    printf 'id,source,place,collective,algorithm,params,quantity,against,kind,claim,let,where,without,truth,note\nx,y,z,%s,%s,,speedup,%s,measured,%s,%s,,,,\n' \
        "$5" "$3" "$4" "$1" "$2" >measured.csv
    c audit --claims measured.csv && tr -s ' \n' ' ' <out >flat && says flat "$6"
}
ok 'a speed-up that the model can give' measured 4 'p=32;m=8' binomial linear gather 'measured; the model allows it, if beta is'
ok '.. that it cannot give' measured 124 'p=32;m=8' binomial linear gather 'not by this model; implied cost a message: in linear 20 times that in binomial'
ok '.. nor this one, which is too low' measured 0.25 'p=32;m=8' binomial linear gather 'implied cost a message: in binomial 4 times that in linear'
ok '.. the most that it can give, alpha alone' measured 6.2 'p=32;m=8' binomial linear gather 'measured; the model allows it, if beta is 0 alpha'
ok '.. and the least, beta alone' measured 1 'p=32;m=8' binomial linear gather 'measured; the model allows it'
ok '.. of two sizes' measured 2 'p=32;m=8192;m_against=8' linear linear gather 'implied cost a message: 2 times that of the first case'
ok '.. of shared memory over messages' measured 5 'p=8;m=8' shm_flat binomial bcast 'with 3 in a row in binomial'

ok 'a wrong expression' fails 'column 5' audit --claim 'log2(p' bcast binomial
ok 'an unknown name' fails 'column 1' audit --claim 'q*alpha' bcast binomial
ok 'segments of an algorithm that has none' fails 'the claim uses S, but bcast linear has no segments; allowed' audit --claim 'S*alpha' bcast linear
ok 'no cost' fails 'the claim contains no cost' audit --claim 'p+1' bcast linear
ok 'a constant' fails 'the claim is 3, but 5 where costs are twice as high' audit --claim 'p*alpha+1' bcast linear
ok 'costs of two models' fails 'two models' audit --claim 'p*alpha+L' bcast linear
ok 'shared memory sends no messages' fails 'sends no messages' audit --claim 'p*alpha' bcast shm_flat
ok 'no algorithm' fails 'needs an algorithm' audit --claim 'p*alpha'
ok 'a verdict that cannot be expected' fails 'exact' audit --expect wrong

# ---- Nothing is judged that was not compared -------------------------------------------------------------------------------
ok 'a cost that is left out cannot be claimed' fails 'the claim contains alpha, which `without` leaves out; allowed' \
    audit --claim 'p^9*alpha + 7*beta' --without 'alpha;beta;gamma' bcast binomial --expect exact
ok 'right coefficients do not make a maximum exact' verdict 'right order, constant 1.88, sometimes too low' 'max((p-1)*alpha, (p-1)*m*beta)' bcast linear
ok '.. nor where a cost is left out' verdict 'right order, constant 1.88, sometimes too low' \
    'max((p-1)*alpha, (p-1)*m*beta)' bcast linear --without gamma
ok '.. the counterexample is T at costs that differ' says out 'p=2 m=4 alpha=7 beta=3 gamma=0: 12 claimed, 19 true'
ok '.. as an upper bound it is wrong' verdict 'wrong: in T, the claim is below the truth' 'max((p-1)*alpha, (p-1)*m*beta)' bcast linear --as upper
ok 'a square of a cost' fails 'the claim is 1, but 4 where costs are twice as high' audit --claim '(p-1)*alpha^2' --without 'beta;gamma' bcast linear
ok 'a letter that has no value' fails 'B has no value in a claim of time; allowed: p, m, n, S, k, alpha' audit --claim '(p-1)*(alpha + m*beta) + B' bcast linear
ok 'bytes of a barrier' fails 'm has no value in a claim of time about a barrier' audit --claim 'p^9*m*beta' --without alpha barrier dissemination
ok 'points chosen by a cost' fails 'where: costs select no points' audit --claim '(p-1)*(alpha + m*beta)' --where 'x > 3' --let 'x=2*alpha' bcast linear
ok 'a condition that has no value' fails 'runs at no point of the grid that the claim is about' audit --claim 'alpha' --where '0/0' bcast linear
ok 'an order at too few numbers of ranks' verdict 'not judged: too few numbers of ranks to show growth' 'p^9*(alpha + m*beta)' --as order --where 'p<=33' bcast linear
ok 'a factor at too few numbers of ranks' verdict 'wrong: in L, the value is different' 'p*L' --where 'p<=33' bcast linear
ok 'a letter that the claim defines itself' verdict exact '(S-1)*(alpha + m*beta)' --let 'S=p' bcast linear
ok 'a definition of a constant' fails "let: 'never' is infinity; allowed: another name" audit --claim 'p*alpha' --let 'never=p' bcast linear
ok 'too many definitions' fails 'too many definitions; allowed: at most' audit --claim 'p*alpha' --let "$(printf 'x=1;%.0s' $(seq 99))x=1" bcast linear
too_large() { verdict exact '(p-1)*(S*alpha + m*beta)' scatter pipeline && says out 'points with too many messages'; }
ok 'points that are too large are counted' too_large

limit 300
printf 'id,source,place\n1,2,3\n' >short.csv
ok 'a table without its columns' fails 'collective' audit --claims short.csv
head -n 1 "$claims/tree_butterfly.csv" >bad.csv
echo 'x,900,here,bcast,nosuch,,time,,equality,p*alpha,,,,,' >>bad.csv
ok 'a table with an unknown algorithm, at its line' fails 'bad.csv:2: unknown bcast algorithm' audit --claims bad.csv
head -n 1 "$claims/tree_butterfly.csv" >bad.csv
echo 'x,900,here,bcast,binomial,,crossover,shm_flat,upper,4096,,,,,' >>bad.csv
ok 'an algorithm that sends messages against one in shared memory' fails 'shm_flat sends no messages' audit --claims bad.csv

head -n 1 "$claims/tree_butterfly.csv" >bad.csv
echo 'x,900,here,bcast,shm_flat,,crossover,binomial,upper,4096,,,,,' >>bad.csv
ok '.. and the reverse' fails 'shm_flat sends no messages' audit --claims bad.csv
head -n 1 "$claims/tree_butterfly.csv" >bad.csv
echo 'x,900,here,bcast,binomial,,crossover,pipeline leaders=2,upper,4096,,,,,' >>bad.csv
ok '.. and a parameter that the other algorithm lacks' fails "bad.csv:2: against: bcast pipeline has no parameter 'leaders=2'" audit --claims bad.csv
# refused TEXT ROW: the table with this row is refused
refused() {
    head -n 1 "$claims/tree_butterfly.csv" >bad.csv
    echo "$2" >>bad.csv
    ok "refused: $1" fails "$1" audit --claims bad.csv
}
refused 'does not use the column where' x,900,here,bcast,linear,,id,,equality,1,,p==2,,,
refused 'does not use the column against' x,900,here,bcast,linear,,time,binomial,equality,p*alpha,,,,,
refused 'does not use the column truth' x,900,here,bcast,linear,,messages,,equality,p-1,,,,p-1,
refused 'a claim of id is right or wrong' x,900,here,bcast,linear,,id,,order,1,,,,,
refused 'a claim of messages has no costs' x,900,here,bcast,linear,,messages,,equality,p-1,,,beta,,
refused 'alpha has no value in a claim of messages; allowed: p, m, n, S, k' x,900,here,bcast,linear,,messages,,equality,p-1+9*alpha,,,,,
refused 'L has no value in a claim of bound' x,900,here,bcast,linear,,bound,,equality,p*L,,,,,
refused 'p has no value in a claim of figure; allowed: numbers' x,900,here,,,,figure,,equality,p+8,,,,allgather_ids,
refused 'S has no value in a recommendation; allowed: p, m' x,900,here,bcast,pipeline,,time,,suited,1.1,,S==2,,,
refused 'a recommendation must be of time' x,900,here,bcast,linear,,rounds,,suited,1.1,,,,,
refused 'a recommendation does not use the column let' x,900,here,bcast,linear,,time,,suited,1.1,n=p,p==2,,,
refused '0.9 times the best is claimed; allowed: a number, 1 or above' x,900,here,bcast,linear,,time,,suited,0.9,,p==2,,,
refused '`where` holds at no point of the grid' x,900,here,bcast,linear,,time,,suited,1.1,,p==5,,,
refused 'shm_flat is an algorithm of shared memory; allowed: others' x,900,here,bcast,linear,,time,binomial\;shm_flat,suited,1,,,,,
refused 'the column truth is not a finite number' x,900,here,,,,figure,,equality,5,,,,never,
head -n 1 "$claims/tree_butterfly.csv" >empty.csv
echo 'x,900,here,bcast,linear,,time,,order,,,,,,' >>empty.csv
ok 'nothing can be expected of a table without formulas' fails '--expect exact: no claim has a formula' audit --claims empty.csv --expect exact
echo 'x,900,here,exscan,dissemination,,id,,equality,0,,,,,' >>empty.csv
echo 'x,900,here,,,,mca,,equality,coll_no_such_name_at_all,,,,,' >>empty.csv
echo 'x,900,here,,,,mca,,equality,coll_tuned_reduce_segment_size,,,,,' >>empty.csv
echo 'x,900,here,,,,mca,,equality,coll_tuned_bcast_max_requests=0,,,,,' >>empty.csv
echo 'x,900,here,,,,mca,,equality,coll_tuned_verbos,,,,,' >>empty.csv
echo 'x,900,here,,,,mca,,equality,coll_tuned_dynamic_rules_verbose,,,,,' >>empty.csv
echo 'x,900,here,allreduce,ring,,bandwidth,,equality,p/(2*(p-1)),,,,,' >>empty.csv
c audit --claims empty.csv
ok 'an id that Open MPI does not have is not 0' says out '0 claimed; true: none in Open MPI 4.1'
ok 'a parameter that does not exist' says out 'claimed; true: no such parameter'
ok '.. and the one that lacks a word of it' says out 'right  coll_tuned_reduce_algorithm_segmentsize=0'
ok '.. of the same collective, or none' sh -c '! grep -q alltoall out'
ok '.. and one that differs by a letter' says out 'right  coll_base_verbose=0'
ok '.. and one that sets the same, before one that is spelled alike' sh -c '[ $(grep -c "right  coll_base_verbose=0" out) = 2 ]'
ok 'a bandwidth without B is wrong' says out 'p=2 m=4 B=3: 1 claimed, 3 true'
ok '.. and the right one has it' says out 'B/(2*(p-1)/p)'

# Upper bounds that fail at some points only. At each printed counterexample a coefficient is claimed below the true one.
head -n 1 "$claims/tree_butterfly.csv" >bounds.csv
bound=0
for x in 'bcast,linear,,time,,upper,5*alpha+5*m*beta' 'bcast,binomial,,rounds,,upper,4' 'bcast,knomial,,connections,,upper,k' \
    'bcast,linear,,time,,upper,p*alpha+40*m*beta' 'allreduce,ring,,messages,,upper,20*p' 'bcast,linear,,bandwidth,,upper,B/7' \
    'bcast,linear,,time,,upper,max(2*(p-1)*alpha;6*m*beta)' 'bcast,linear,,crossover,binomial,upper,1' 'bcast,bintree,,connections,,upper,2'; do
    bound=$((bound + 1))
    echo "bound-$bound,900,here,$x,,,,," | sed 's/\(max(.*\);\(.*)\),,,,,/"\1,\2",,,,,/' >>bounds.csv
done
c audit --claims bounds.csv -f csv
sed 's/"[^"]*"//g' out | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $1 !~ /^bound/ || $(at["kind"]) != "upper" { next }
    { checked++; n = split($(at["claimed"]), x, / [a-z+ ]*/); split($(at["true"]), y, / [a-z+ ]*/); below = 0
      for (i = 1; i <= n; i++) below += x[i] != "" && (y[i] == "never" || x[i] + 0 < y[i] + 0)
      if ($(at["at"]) != "" && !below) print }
    END { if (checked != 9) print "checked " checked + 0 }' >bad
ok 'the counterexample of an upper bound is above it' test ! -s bad

# Quantities that a claim on the command line cannot have. For each there is a claim that is right and one that is wrong
# by 1.
head -n 1 "$claims/tree_butterfly.csv" >some.csv
cat >>some.csv <<'END'
right-1,900,here,allgather,ring,,bound,,equality,(p-1)*m*beta,,,alpha;gamma,,
wrong-1,900,here,allgather,ring,,bound,,equality,(p-2)*m*beta,,,alpha;gamma,,
right-2,900,here,gatherv,binomial,level=aggressive,scratch,,equality,(p-2)*m,,p>2&&2*floor(p/2)==p,,,
wrong-2,900,here,gatherv,binomial,level=aggressive,scratch,,equality,(p-3)*m,,p>2&&2*floor(p/2)==p,,,
right-3,900,here,gather,binomial,,others_scratch,,equality,p/2*m,,p>2&&popcount(p)==1,,,
wrong-3,900,here,gather,binomial,,others_scratch,,equality,(p/2-1)*m,,p>2&&popcount(p)==1,,,
right-4,900,here,gatherv,binomial,level=aggressive,copied,,equality,(p-1)*m,,popcount(p)==1,,,
wrong-4,900,here,gatherv,binomial,level=aggressive,copied,,equality,(p-2)*m,,popcount(p)==1,,,
right-5,900,here,,,,figure,,equality,8 + 6,,,,allgather_main_ids + allgather_ids,
wrong-5,900,here,,,,figure,,equality,8 + 5,,,,allgather_main_ids + allgather_ids,
right-6,900,here,reduce,shm_flat,,crossover,shm_knomial,upper,9209,,p==8,,,
wrong-6,900,here,reduce,shm_flat,,crossover,shm_knomial,upper,9208,,p==8,,,
right-7,900,here,bcast,linear,,speedup,binomial,equality,3/7,,p==8,,,
wrong-7,900,here,bcast,linear,,speedup,pipeline,equality,3/7,,p==8,,,
right-8,900,here,bcast,linear,,speedup,pipeline,equality,1,,p==8,,,
wrong-8,900,here,bcast,linear,,speedup,binomial,equality,1,,p==8,,,
right-9,900,here,,,,mca,,equality,coll_tuned_use_dynamic_rules = No,,,,,
wrong-9,900,here,,,,mca,,equality,coll_tuned_use_dynamic_rules=enabled,,,,,
right-10,900,here,,,,mca,,equality,coll_tuned_init_tree_fanout,,,,,
wrong-10,900,here,,,,mca,,equality,coll_tuned_init_tree_fanouts,,,,,
right-11,900,here,bcast,binomial,,id,,equality,6,,,,,
wrong-11,900,here,bcast,binomial,,id,,equality,5,,,,,
right-12,900,here,bcast,,,ids,,equality,9,,,,,
wrong-12,900,here,bcast,,,ids,,equality,8,,,,,
right-13,900,here,bcast,binomial,,messages,,equality,p-1,,,,,
wrong-13,900,here,bcast,binomial,,messages,,equality,p-2,,,,,
right-14,900,here,bcast,binomial,,bytes,,equality,(p-1)*m,,,,,
wrong-14,900,here,bcast,binomial,,bytes,,equality,p-1,,,,,
right-15,900,here,gather,linear,,connection_memory,,upper,(p-1)*41989,,,,,
wrong-15,900,here,gather,linear,,connection_memory,,upper,(p-1)*41988,,,,,
right-16,900,here,scatter,binomial,,scratch,,equality,0,,,,,
wrong-16,900,here,gather,binomial,,copied,,equality,0,,,,,
right-17,900,here,bcast,pipeline,,connections,,equality,1,,,,,
wrong-17,900,here,bcast,pipeline,,connections,,equality,2,,p==8,,,
right-18,900,here,bcast,pipeline,,connection_memory,,equality,41989,,,,,
wrong-18,900,here,bcast,pipeline,,connection_memory,,equality,41989*2,,p==8,,,
right-19,900,here,bcast,linear,,bandwidth,,equality,B/(p-1),,,,,
wrong-19,900,here,bcast,linear,,bandwidth,,equality,B*(p-1),,,,,
right-20,900,here,bcast,scatter_ring_allgather,,speedup,linear,equality,4,,p==8,,,
wrong-20,900,here,bcast,scatter_ring_allgather,,speedup,linear,equality,0.7,,p==8,,,
right-21,900,here,bcast,linear,,crossover,scatter_ring_allgather,equality,3*alpha/(5.25*beta),,p==8,,,
wrong-21,900,here,bcast,linear,,crossover,scatter_ring_allgather,equality,never,,p==8,,,
right-22,900,here,bcast,linear,,crossover,binomial,equality,0,,p==8,,,
wrong-22,900,here,bcast,linear,,crossover,binomial,equality,never,,p==8,,,
right-23,900,here,bcast,binomial,,crossover,linear,equality,never,,p==8,,,
wrong-23,900,here,bcast,binomial,,crossover,linear,equality,0,,p==8,,,
right-24,900,here,reduce,binomial,,crossover,redscat_gather,equality,3*alpha/(1.25*beta+2.125*gamma),,p==8,,,
right-25,900,here,,,,figure,,equality,9,,,,bcast_main_ids,
wrong-25,900,here,,,,figure,,equality,0,,,,bcast_main_ids,
wrong-24,900,here,reduce,binomial,,crossover,redscat_gather,equality,never,,p==8,,,
right-27,900,here,bcast,binomial,,crossover,pipeline segment=32K,equality,65536+4*alpha/beta,,p==4,,,
wrong-27,900,here,bcast,binomial,,crossover,pipeline segment=32K,equality,never,,p==4,,,
right-26,900,here,reduce,shm_knomial,,crossover,shm_flat,equality,never,,p==8,,,
wrong-26,900,here,reduce,shm_knomial,,crossover,shm_flat,equality,9209,,p==8,,,
END
c audit --claims some.csv --format csv
rights() { [ "$(grep -c '^right.*,\(exact\|loose\),' out)" = 27 ]; }
wrongs() { [ "$(grep -c '^wrong' out)" = 27 ] && ! grep -q '^wrong.*,\(exact\|loose\)' out; }
ok 'bounds, buffers, copies, figures, shared memory: the right claims' rights
ok '.. and the wrong ones' wrongs
ends() { grep "^$1," out | grep -qF -- "$2,"; } # ends ID TEXT: the formula that is right for the claim is TEXT
ok '.. the right formula leaves out what the claim leaves out' ends wrong-1 '4 beta,,(p-1)*m*beta'
ok '.. of a speed-up' ends wrong-8 ',(ceil(log2(p))*(alpha + m*beta)) / ((p-1)*(alpha + m*beta))'
ok '.. of bytes' ends wrong-14 ',(p-1)*m'
ok '.. of copies' ends wrong-16 ',m'
ok '.. of a fact, which has one point' says out 'wrong,,5,6,,6,1,'
ok '.. of one value' ends wrong-6 ',9209'
c run reduce shm_flat,shm_knomial --model shared -p 8 -m 9208,9209
ok '.. the crossover is the one that run finds, to the byte' says out 'from 9209 on'
if [ "${SANITIZED:-}" ]; then # the claims of the other sources reach no other code
    ok 'the claims of one source are judged' c audit --source 003 --format csv
else
    sed -n '/^<!-- verdicts -->/,/^<!-- end -->/p' "$readme" | sed '1d; $d; /^| ---/d; s/^| //; s/ |$//; s/ | /  /g' >table
    verdicts() { sed -n '/^source  /,$p' out | sed 's/   */  /g'; }
    if [ "${CHECK_ALL-}" ]; then
        c audit
        cp out all
        verdicts >now
        ok "README's table of verdicts is what the audit says; otherwise run make readme" cmp table now
        sources='001 003'
        ok 'all claims of the sources are judged' test "$(grep -c '^      is ' all)" -gt 150
    else # without 000, whose claims take four times as long as those of the others, and with 001, which takes most of these, one day in four
        sources="$(takes 0 4 && echo 001 || echo 003) 002 004"
        for source in $sources; do
            c audit --source $source
            cat out >>all
            ok "README's verdicts on $source are what the audit says; otherwise run make readme" grep -qxF "$(verdicts | grep "^$source")" table
        done
    fi
    tr -s ' \n' ' ' <all >flat
    ok 'the formula that fits a number of rounds' says flat '2*ceil(log2(p))'
    case $sources in *001*) ok '.. a crossover' says flat 'm where ceil(log2(p))*(alpha + m*beta) = ' ;; esac
fi
# What a claim has to be judged against: touched and allocated memory, another root, fallbacks, and ids with a limit.
head -n 1 "$claims/tree_butterfly.csv" >more.csv
cat >>more.csv <<'END'
touched,900,here,allreduce,shm_flat,,segment,,equality,p*slots*(fragment + 4096),,p <= 1024,,,
allocated,900,here,allreduce,shm_flat,,allocated,,equality,p*slots*(fragment + 4096),,p <= 1024,,,
fragments,900,here,bcast,shm_flat,fragment=5000,allocated,,equality,p*slots*12288,,p <= 1024,,,
pages,900,here,bcast,shm_flat,,allocated,,equality,p*slots*(fragment + 4096),,,,,
root,900,here,gather,binomial,,scratch,,equality,0,,,,,
moved,900,here,gather,binomial,,scratch_root_1,,equality,p/2*m,,popcount(p) == 1 && p > 2,,,
runs,900,here,bcast,scatter_rd_allgather,,fallback,,equality,linear,,,,,
other,900,here,bcast,scatter_rd_allgather,,fallback,,equality,binomial,,,,,
none,900,here,bcast,binomial,,fallback,,equality,linear,,,,,
limits,900,here,,,,figure,,equality,5,,,,reduce_limited_ids,
free,900,here,,,,figure,,equality,1,,,,bcast_limited_ids,
both,900,here,allreduce,shm_flat,,speedup,ring,measured,2,p=16;m=4096,,,,
END
c audit --claims more.csv --format csv
cut_verdicts() { awk -F, 'NR > 1 { sub(/^"/, "", $15); print $1, $15 }' out | sed 's/:.*//;s/;.*//' | sort; }
cut_verdicts >judged
ok 'memory, fallbacks and limits' sh -c 'diff judged - <<END
allocated exact
both measured
fragments exact
free wrong
limits exact
moved exact
none wrong
other wrong
pages exact for even p
root exact
runs exact
touched loose
END'
c audit --claims more.csv
tr -s ' \n' ' ' <out >flat
ok '.. what a segment has that is touched' says flat 'p*min(p-1, 1)*slots*fragment + 192*(p-1)'
ok '.. and one that is allocated, beyond a page of notices' says flat 'p*slots*(fragment + 4096*ceil(p/1024))'
ok '.. a measurement that no model has' says flat 'p=16 m=4096: 2 measured, and no model has both times'
sed '/^runs/s/,linear,/,lineal,/' more.csv >typo.csv
ok '.. a fallback that does not exist' fails 'lineal' audit --claims typo.csv
c audit --claim 'L+2*o+(m-1)*min(o,g)' --where 'p==2' bcast pipeline --param segment=1
tr -s ' \n' ' ' <out >flat
ok 'LogGP, the true cost as a maximum' says flat '1 L + 2 o + 3 max(o, g) true'
ok '.. and the formula with it' says flat 'L + 2*o + (m-1)*max(o, g) (found'
c audit --claims more.csv --format json
ok 'as JSON' sh -c 'python3 -c "import json,sys; json.load(open(\"out\"))" 2>/dev/null || head -c 1 out | grep -q "\["'
ok 'the report' c audit --source 004 -o pages
ok 'the report, by --report' c audit --source 004 --report pages2
ok '.. has the same bytes' cmp pages/report.html pages2/report.html
printf '%s\n' "$(head -n 1 "$claims/tree_butterfly.csv")" 'twice,900,here,bcast,linear,,time,,order,alpha + m*beta,,,,,' >twice.csv
once() {
    c audit --claims twice.csv --report twice && c audit --claims twice.csv && tr -s ' \n' ' ' <out >flat &&
        says flat 'is wrong: in alpha, claimed/true tends to 0 as p grows (as an equality and as O())' &&
        grep -q 'wrong: in alpha, claimed/true tends to 0 as p grows (as an equality and as O())' twice/report.html
}
ok '.. a verdict that is the same as O() and as an equality is said once' once
ok '.. as Markdown and HTML' test -s pages/report.md -a -s pages/report.html

# The first signal ends the work, and what is judged by then is printed.
stopped() { # stopped PATTERN FILE WHAT ARGUMENTS: gets TERM once the file has a line like the pattern
    pattern=$1 file=$2 what=$3
    shift 3
    background $DEFAULTS "$COLLSIM" "$@"
    wait_for grep -q "$pattern" "$file"
    kill -TERM $pid
    wait $pid 2>err.wait
    [ $? = 143 ] && grep -qE "^collsim: note: stopped after [0-9]+ of [0-9]+ $what$" err
}
ok 'TERM stops an audit, which says what is missing' stopped 'takes about' err claims audit
ok '.. and a proof' stopped ' ok ' out algorithms check --prove bcast
ok '.. which has what is proven' says out 'contents  ok'
no_file() { ! stopped 'takes about' err claims audit -o stopped.csv && [ ! -e stopped.csv ] && [ "$(ls -A .collsim-* 2>/dev/null)" = '' ]; }
ok '.. but no part of a file is written' no_file
ok "the process that answered ends well" served_well
echo "1..$n"
