#!/bin/sh
# docs/FORMATS.md describes what the program writes as CSV and JSON. This test runs each kind of answer in both formats and
# compares names, order and the schema's version with each other and with the page. It fakes the backends, so it needs
# neither MPI nor SimGrid. `tests/test_formats.sh --write` (make readme) updates the two tables of the page.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
page=$root/docs/FORMATS.md

if ! command -v perl >/dev/null; then
    echo "1..0 # SKIP perl is missing"
    exit
fi

printf '[hockney]\nalpha = 1us\nalpha.source = test\nbeta = 1ns/B\nbeta.source = test\ngamma = 1ns/B\ngamma.source = test\n' >ring.ini
printf '[topology]\nkind = torus\nshape = 8\nshape.source = test\nrate = 1GB/s\nrate.source = test\n' >>ring.ini

# ---- The answers -----------------------------------------------------------------------------------------------------------

# Each line is TITLE|BASE|ARGUMENTS. The page lists every sheet of the answer under the title; if the answer BASE has a
# sheet of that name, it lists only the difference.
cat >answers <<'END'
run||run bcast binomial -p 4 -m 64
run --model measured|run|run bcast binomial -p 4 -m 64 --model measured --set "one=8:1us 64:2us"
run --model loggops|run|run bcast binomial -p 4 -m 64 --model loggops
run --model loggp|run|run bcast binomial -p 4 -m 64 --model loggp
run --model logp|run|run bcast binomial -p 4 -m 64 --model logp
run --model shared|run|run bcast shm_flat -p 4 -m 64 --model shared
run --model shared, all figures|run --model shared|run bcast shm_flat -p 4 -m 64 --model shared --set line=1ns --set queue=1ns --set raise=1ns --set reuse=1ns/B --set local=1ns/B --set call=1ns --set remote=1.1 --set streams=4 --set single=1us --set touch=1ns/B
run --memory|run|run bcast binomial -p 4 -m 64 --memory
run --timing|run|run bcast binomial -p 4 -m 64 --timing
run LIB:auto|run|run bcast ompi:auto -p 4 -m 64
run --non-commutative|run|run allreduce all -p 4 -m 64 --non-commutative
run --why|run|run bcast binomial -p 4 -m 64 --why
run, on a network|run|run allreduce recursive_doubling -p 8 -m 64 --platform ring.ini
run --why, on a network|run --why|run allreduce recursive_doubling -p 8 -m 64 --why --platform ring.ini
run --arrival|run|run bcast binomial -p 4 -m 64 --arrival one-late:1us
run --nodes, several seeds|run, on a network|run allreduce recursive_doubling -p 4 -m 64 --platform ring.ini --nodes random:1..3
run --noise|run|run bcast binomial -p 4 -m 64 --noise message:exp:1us --seeds 3
run, with notes|run|run bcast binomial -p 2x2 -m 64
run --goal||run --goal ends.goal
run --goal (stuck)|run --goal|run --goal stuck.goal
best|run|best bcast -p 4 -m 64
best --arrival|best|best bcast -p 4 -m 64 --arrival random:1us:1 --seeds 2
best --only|best|best bcast -p 4 -m 64 --only ompi
bound|run|bound bcast -p 4 -m 64
measure|run|measure bcast binomial -p 2 -m 64 --launcher=env\ P={p}
measure --model shared|measure|measure bcast shm_flat -p 2 -m 64 --model shared --launcher=env\ P={p}
app||app profile.csv --for ompi-4.1
regret||regret ompi allreduce -p 48 -m 120,128
regret --of-all|regret|regret ompi allreduce -p 48 -m 120,128 --of-all
guidelines||guidelines ompi-4.1 -p 4 -m 8,64
guidelines LOG|guidelines|guidelines sides.csv
learn||learn ompi bcast -p 2,4 -m 64,1M
learn --from||learn --from from.csv --share --seeds 2 --next 1 -p 8 -m 8
crossover||crossover bcast binomial scatter_ring_allgather -p 4
crossover --best|crossover|crossover bcast binomial pipeline -p 4 --best
check||check bcast binomial -p 2..4
check --prove|check|check --prove barrier two_procs
check --backends||check --backends sim,smpi,mpi,simgrid allgather ring -p 4 -m 64
audit||audit --claim alpha bcast binomial
calibrate||calibrate times.csv
calibrate --model measured|calibrate|calibrate times.csv --model measured
calibrate --site|calibrate|calibrate --site logs --levels node=4
validate||validate --rows rows.csv --column predicted_us
compare||compare curve.csv --only ompi
compare LOG of NCCL|compare|compare allreduce=nccl.log --only ompi
rules check||rules check rules.conf --for ompi-4.1
rules check -p -m|rules check|rules check rules.conf --for ompi-4.1 -p 4 -m 64
rules diff||rules diff rules.conf other.conf --for ompi-4.1
rules diff --for mpich-4.0||rules diff tree.json tree2.json --for mpich-4.0
show||show bcast binomial -p 4 -m 64
matrix||matrix bcast binomial -p 2x2 -m 64
traffic||traffic bcast binomial -p 4 -m 64 --topology torus:2,2
traffic --rounds|traffic|traffic bcast binomial -p 4 -m 64 --topology torus:2,2 --rounds
network||network --topology torus:4,4
list||list
list --coverage||list --coverage
list --columns||list --columns
END

# A schedule that ends, one that does not, and a ping-pong that one line does not fit.
"$COLLSIM" export goal bcast binomial -p 2 -m 8 >ends.goal || exit 1
mkdir logs
{ echo '+ srun -N 2 -n 2 ./osu_latency'; echo '# OSU MPI Latency Test v7.5'; echo '# Size Latency (us)'
  for m in 1 2 4 8; do echo "$m 1.50"; done; } >logs/far.out
printf '%s\n' 'mpirun -np 8 --map-by ppr:4:node ./osu_bcast' '# OSU MPI Broadcast Latency Test v7.5' '# Size Avg Latency(us)' '8 6.00' >logs/bcast.out
for p in 2 4; do for a in linear binomial pipeline; do echo "score,bcast,$a,$p,64,${#a},2e-6"; done; done |
    sed '1i use,collective,algorithm,p,bytes,measured_us,predicted_s' >from.csv
printf '%s\n' 'collective,p,bytes,time_us' 'bcast,4,8,3' 'bcast,4,64,2' >sides.csv
cat >stuck.goal <<'END'
num_ranks 2
rank 0 {
a: recv 8b from 1
b: send 8b to 1
b requires a
}
rank 1 {
}
END
awk 'BEGIN {
    print "collective,algorithm,ranks,bytes,time_s"
    for (m = 1; m <= 65536; m *= 2) print "pingpong,,2," m "," (m < 2048 ? 1e-6 : 1e-5 + m * 1e-10)
    print "bcast,binomial,4,1024,3e-6" }' >times.csv

cat >rows.csv <<'END'
use,collective,algorithm,p,bytes,measured_us,predicted_us
score,bcast,binomial,4,64,5,6
score,bcast,linear,4,64,6,6
default,bcast,ompi-5:auto,4,64,5,6
END

printf 'collective,calls,bytes,ranks,time_s\nallreduce,1000,128,48,1\nMPI_Send,2,8,48,1\n' >profile.csv

printf 'collective,ranks,bytes,time_s\nalltoall,4,64,1e-5\n' >curve.csv
cat >nccl.log <<'TABLE'
# nThread 1 nGpus 1 minBytes 64 maxBytes 64 step: 2(factor) warmup iters: 5 iters: 20
#  Rank  0 Group  0 Pid 1 on n1 device  0 [0] NVIDIA H100
#  Rank  1 Group  0 Pid 2 on n1 device  1 [1] NVIDIA H100
n1 [0] NCCL INFO comm 0x5 rank 0 nRanks 2 nNodes 1 localRanks 2
n1 [0] NCCL INFO Latency/AlgBw |    Tree/    LL |    Ring/    LL |
n1 [0] NCCL INFO     AllReduce |     6.3/   1.0 |     8.0/   9.0 |
n1 [0] NCCL INFO 64 Bytes -> Algo 0 proto 0 time 6.4
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
64 16 float sum -1 10.00 0.01 0.01 0 9.00 0.01 0.01 0
TABLE

printf '1 2 1 2 1 0 4 0 0' >rules.conf
printf '{"collective=bcast": {"algorithm=MPIR_Bcast_intra_binomial": {}}}' >tree.json
printf '{"collective=bcast": {"algorithm=MPIR_Bcast_allcomm_nb": {}}}' >tree2.json
printf '1 2 1 2 1 0 3 0 0' >other.conf

# Programs that answer as the backends and their launchers do.
mkdir fake
cat >fake/collsim-mpi <<'END'
#!/bin/sh
[ "$1" = --library ] && echo "Open MPI v4.1.4" && exit
echo "@0 repetitions=2 min=1e-6 median=2e-6 mean=2e-6 p95=3e-6 max=3e-6 ranks_min=1e-6 ranks_mean=2e-6 counted=0"
END
chmod +x fake/collsim-mpi
for name in collsim-smpi mpirun.openmpi smpirun; do
    cp fake/collsim-mpi fake/$name
done
answer() { # answer FORMAT ARGUMENTS: runs the command; the words of ARGUMENTS are quoted as for the shell
    eval "COLLSIM_BACKENDS=\$dir/fake PATH=\$dir/fake:\$PATH \"\$COLLSIM\" $2 -f $1" 2>err
    [ $? -le 1 ] # 1: a schedule does not end, or times differ, which is an answer too
}

# Fails unless the input is JSON as the page describes it, with the same names in every row of a sheet. Prints
# "schema VERSION", and "SHEET NAME,NAME,.." for each sheet, with the names in the order in which they are written.
cat >sheets.pl <<'END'
use strict;
use warnings;
use JSON::PP;
my $text = do { local $/; <STDIN> };
my $answer = decode_json($text);
$text =~ /^\{"schema":(\d+),"answer":"(\w+)",/ && $2 eq $ARGV[0] or die "the answer does not begin with schema and answer\n";
print "schema $1\n";
my $string = qr/"(?:[^"\\]|\\.)*"/;
my ($depth, @sheets, %names, @row) = (0);
while ($text =~ /($string)(:?)|([{}])/g) {
    my ($name, $named, $brace) = ($1, $2, $3 // '');
    $depth++ if $brace eq '{';
    @row = () if $brace eq '{';
    if ($brace eq '}' && $depth-- == 2) {
        my $names = join(',', @row);
        ($names{$sheets[-1]} //= $names) eq $names or die "$sheets[-1]: rows have different names\n";
    }
    next unless $named;
    $name =~ s/"//g;
    push @row, $name if $depth == 2;
    push @sheets, $name if $depth == 1 && $name ne 'schema' && $name ne 'answer';
}
$sheets[0] eq 'rows' or die "the first sheet is not rows\n";
for (@sheets) {
    ref $answer->{$_} eq 'ARRAY' or die "$_ is not an array\n";
    print $_, ' ', $names{$_} // '', "\n";
}
END

# Runs all answers. Answer number i goes to i.csv and i.json, and its sheets to i.sheets. A sheet without rows has no names in
# JSON; the first sheet then takes them from CSV.
count=0
while IFS='|' read -r title base arguments; do
    count=$((count + 1))
    answer csv "$arguments" >$count.csv && answer json "$arguments" >$count.json &&
        perl sheets.pl "${arguments%% *}" <$count.json >$count.all || {
        echo "Bail out! collsim $arguments: $(tail -n 1 err)"
        exit 1
    }
    awk -v csv=$count.csv '
        BEGIN { getline names <csv; if (!sub(/,schema$/, "", names)) names = "" }
        /^schema / { next }
        $0 == "rows " { $0 = $0 names }
        { print }' $count.all >$count.sheets
done <answers

# ---- The page --------------------------------------------------------------------------------------------------------------

# The page has each table between <!-- NAME --> and <!-- end -->.
tables='columns answers'

# columns: prints the dictionary, one row for each column.
columns() {
    printf '| column | type | meaning |\n| --- | --- | --- |\n'
    "$COLLSIM" list --columns -f json | perl -MJSON::PP -e '
        local $/;
        print "| `$_->{column}` | $_->{type} | $_->{meaning} |\n" for @{decode_json(<STDIN>)->{rows}}'
}

# answers: prints one row for each sheet of each answer, with its columns in order.
answers() {
    printf '| answer | sheet | columns |\n| --- | --- | --- |\n'
    awk -F'|' '
        function quoted(names) { gsub(/,/, "`, `", names); return "`" names "`" }
        # Returns the names that are in a list and not in the other, joined by commas.
        function only(list, other,   i, n, name, s) {
            n = split(list, name, ",")
            for (i = 1; i <= n; i++) if (index("," other ",", "," name[i] ",") == 0) s = s (s == "" ? "" : ",") name[i]
            return s
        }
        # Prints the row of a sheet of the answer with this title, which is like that of the answer base.
        function put(title, base, sheet, names,   less, more, text) {
            of[title, sheet] = names
            text = quoted(names)
            if ((base, sheet) in of) {
                if (names == of[base, sheet]) return
                less = only(of[base, sheet], names)
                more = only(names, of[base, sheet])
                text = "as `" base "`" (less == "" ? "" : ", without " quoted(less)) (more == "" ? "" : ", with " quoted(more))
            }
            print "| `" title "` | `" sheet "` | " text " |"
        }
        {
            while ((getline line <(NR ".sheets")) > 0) {
                match(line, / [^ ]*$/)
                put($1, $2, substr(line, 1, RSTART - 1), substr(line, RSTART + 1))
            }
            close(NR ".sheets")
        }' answers | sed 's/ (stuck)`/` if it does not end/'
}

if [ "${1:-}" = --write ]; then
    for table in $tables; do
        $table >table && awk -v mark="<!-- $table -->" '
            $0 == mark { print; while ((getline line < "table") > 0) print line; skip = 1; next }
            /^<!-- end -->/ { skip = 0 } !skip' "$page" >new && cp new "$page"
    done
    exit
fi

agrees() { # agrees TABLE PAGE: the table in the page is what the program says
    sed -n "/^<!-- $1 -->/,/^<!-- end -->/p" "$2" | sed '1d;$d' >due && cmp -s due "says.$1" && [ -s due ]
}
for table in $tables; do
    $table >"says.$table"
    ok "the table of $table in docs/FORMATS.md is what collsim says (else run make readme)" agrees "$table" "$page"
done
planted() { # planted TABLE SED: the page is found wrong after this change
    sed "$2" "$page" >planted.md
    ! cmp -s planted.md "$page" && ! agrees "$1" planted.md
}
ok "a column that is missing in the dictionary is noticed" planted columns '/^| `x_bound` |/d'
ok "another meaning is noticed" planted columns 's/^\(| `ranks` |.*\)p |$/\1P |/'
ok "a column that an answer lost is noticed" planted answers 's/^\(| `show` .*\), `round`/\1/'
ok "a sheet that is missing is noticed" planted answers '/^| `run --why` |/d'

# ---- CSV and JSON ----------------------------------------------------------------------------------------------------------

# The columns that some answer writes, and those of the dictionary. `schema` belongs to the format and to no sheet.
cat ./*.sheets | sed 's/^[^ ]* //' | tr , '\n' | sort -u >written
"$COLLSIM" list --columns -f csv | sed '1d; s/,.*//' | sort >dictionary
missing() { # missing FILE OTHER: prints the lines of the file that the other one does not have; true if there are none
    comm -23 "$1" "$2" >out
    [ -s "$1" ] && [ ! -s out ]
}
ok "every column that is written is in the dictionary" missing written dictionary
ok "every column of the dictionary is written by an answer" missing dictionary written
ok "no column is listed twice" test -z "$(uniq -d dictionary)"
grep -v '^x_bound$' dictionary >short
ok "a column that the dictionary lacks is noticed" eval '! missing written short'
{ cat written && echo zzz; } >long
ok "a column that no answer writes is noticed" eval '! missing long written'

same_names() { # same_names I: JSON has the columns of CSV in the first sheet, in their order, and CSV ends with the schema
    [ "rows $(sed -n '1s/,schema$//p' "$1.csv")" = "$(sed -n 1p "$1.sheets")" ]
}
# versions I: prints every number that the answer has for `schema`, one per line
versions() {
    sed -n 's/^schema //p' "$1.all"
    sed '1d; s/.*,//' "$1.csv"
}
i=0
while IFS='|' read -r title base arguments; do
    i=$((i + 1))
    ok "$title: CSV and JSON have the same columns" same_names $i
done <answers
with_round=$(grep -l '^rows .*,round,' ./*.sheets | head -n 1)
sed 's/,round,/,rounds,/' "${with_round%.sheets}.csv" >wrong.csv
cp "$with_round" wrong.sheets
ok "another name in CSV is noticed" eval '! same_names wrong'

version=$(sed -n 's/^This page describes version \([0-9]*\) .*/\1/p' "$page")
for i in $(seq $count); do
    versions "$i"
done | sort -u >out
ok "every answer has the version that docs/FORMATS.md describes" test "$(cat out)" = "${version:-none}"

answer csv "calibrate times.csv --points" >points.csv
ok "calibrate --points: CSV is the sheet points" grep -qx "points $(sed -n '1s/,schema$//p' points.csv)" ./*.sheets -h
for format in csv json; do
    answer $format "run bcast binomial -p 4 -m 64" >piped
    "$COLLSIM" run bcast binomial -p 4 -m 64 -o file.$format 2>/dev/null
    ok "-o file.$format chooses $format" cmp file.$format piped
done

# ---- Names of earlier releases -------------------------------------------------------------------------------------------------

mkdir old new
cat >old/times.csv <<'END'
collective,algorithm,params,p,bytes,root,platform,model,transfer,time_s,certificate,ran
bcast,linear,,8,64,0,host,measured,,4e-6,,
bcast,linear,,8,1024,0,host,measured,,5e-6,,
bcast,binomial,,8,64,0,host,measured,,2e-6,,
bcast,binomial,,8,1024,0,host,measured,,6e-6,,
END
sed '1s/,p,/,ranks,/' old/times.csv >new/times.csv
alike() { # alike ARGUMENTS...: the command says the same about both files, and not nothing
    for folder in old new; do
        (cd $folder && c "$@") || return 1
    done
    [ -s old/out ] && cmp old/out new/out
}
ok "calibrate reads the column p as ranks" alike calibrate times.csv
if command -v gnuplot >/dev/null; then
    ok "plot reads the column p as ranks" alike plot times.csv
else
    echo "ok $((n = n + 1)) - plot # SKIP gnuplot is missing"
fi
echo "1..$n"
