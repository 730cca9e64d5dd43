#!/bin/sh
# A folder of logs becomes a machine (calibrate --site): clusters whose figures are known are found again, whatever their files
# are called and however their benchmarks were started; and what is not a log, or contradicts another one, is named.
# COLLSIM_SEED and COLLSIM_CLUSTERS choose the clusters. CHECK_SEED draws half of them, and the first one always runs.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"

python3=$(interpreter)
if [ -z "$python3" ]; then
    echo "1..0 # SKIP python3 (3.8 or later) is missing"
    exit
fi
python3() { "$python3" -E -S "$@"; } # without packages, which nothing here needs

# judge DIR: prints what of DIR/rows.csv and DIR/here.ini is not as DIR/truth.csv says: a figure that is off by more than its
# bar, or whose interval does not hold the truth; and a size of a table that is off by more than 10 %.
judge() {
    python3 - "$1" <<'END'
import csv, re, sys
folder = sys.argv[1]
truth = {name: float(value) for name, value in csv.reader(open(folder + "/truth.csv"))}
rows = {row["figure"]: row for row in csv.DictReader(open(folder + "/rows.csv"))}
bars = {"alpha": 3, "beta": 3, "eager": 0, "jump": 15, "gap": 15, "memory": 15, "nic.rate": 5, "nic.messages": 10}
for name, true in truth.items():
    if ":" in name:
        continue
    row, bar = rows.get(name), bars.get(name, bars.get(name.split(".")[0]))
    if not row or not row["value"]:
        print(name, "is missing")
    elif abs(float(row["value"]) / true - 1) > bar / 100:
        print(name, "is", row["value"], "and should be", true)
    elif not float(row["low"]) <= true <= float(row["high"]):
        print(name, "is from", row["low"], "to", row["high"], "and should be", true)
units = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}
tables = re.findall(r"^((?:one|gap)[.]\w+) = (.*)$", open(folder + "/here.ini").read(), re.M)
for name, text in tables:
    for size, value, unit in re.findall(r"(\w+):([\d.]+)(\w+)", text):
        factor = {"K": 1024, "M": 1 << 20}.get(size[-1], 1)
        true = truth.get("%s:%d" % (name, int(size.rstrip("KM")) * factor))
        if true and abs(float(value) * units[unit] / true - 1) > 0.1:
            print(name, "at", size, "is", value + unit, "and should be", true)
print(len([name for name, text in tables if name.startswith("one")]), "levels")
END
}

# fit DIR [OPTION ..]: calibrates from DIR/logs.
fit() {
    dir=$1
    shift
    c calibrate --site "$dir/logs" --levels "$(cat "$dir/levels")" --write "$dir/here.ini" "$@" -f csv || return 1
    grep -v '^#' out >"$dir/rows.csv"
}

seed=${COLLSIM_SEED:-1}
last=$((seed + ${COLLSIM_CLUSTERS:-6} - 1))
for seed in "$seed" $(sampled 2 $(seq $((seed + 1)) "$last")); do
    python3 "$root/tests/site_logs.py" "site$seed" "$seed"
    ok "cluster $seed: it is read" fit "site$seed"
    judge "site$seed" >judged
    ok "cluster $seed: its figures, and the sizes of its tables" [ "$(cat judged)" = "3 levels" ]
done
first=site${COLLSIM_SEED:-1}
levels=$(cat "$first/levels")
cores=${levels##*=}

# ---- What the answer says --------------------------------------------------------------------------------------------
site() { c calibrate --site "$first/logs" --levels "$levels" "$@"; }
ok "each table is taken for something, and the answer says why" site
ok ".. by the cores of the launch line" says out "pp1.txt: one@node: 2 ranks bound to these cores of one node"
ok ".. by the mapping of mpirun" says out "pp2.txt: one@far: 2 ranks on different nodes"
ok ".. by the times, where ranks wait" says out "imb.txt: one@far: its times are those of pp2.txt"
ok ".. windows of many pairs are of a NIC or of a memory" says out "rate-far.txt: nic: $((2 * cores)) ranks on different nodes"
ok "what no log tells" says out "gamma is not measured, and is"
tr '\n' ' ' <out | tr -s ' ' >line
ok ".. with what would measure it" grep -q "what would measure it: IMB-MPI1 Reduce_local" line
ok ".. how many NICs there are" says out "no log says how many NICs a node has"
ok "the library's own collectives are predicted" says out "reduce.txt"
ok ".. by the library that the logs name" [ "$(site -f json && grep -c '"library": *"ompi-5"' out)" = 1 ]
ok ".. and the answer says what it runs" says out '"decided":"han (reduce: 5 binomial)"'
# near FILE LINE: the predictions of a table are 5 % off at most.
near() {
    python3 -c 'import json, sys
rows = [r for r in json.load(open("out"))["checks"] if r["file"] == sys.argv[1]]
sys.exit(not -0.05 < rows[int(sys.argv[2])]["median_off"] < 0.05)' "$@"
}
ok "ping-pongs of several pairs are predicted" near multi.txt 0
ok ".. and sendrecvs in a ring" near rings.txt 0
ok ".. and exchanges, which are longer than sendrecvs" gives '"collective":"exchange"' calibrate --site "$first/logs" --levels "$levels" -f json
ok "a machine with NICs makes alltoall wait for them" c run alltoall pairwise -p "8x$cores" -m 4K --platform "./$first/here.ini"
ok ".. and has no note that it knows none" says_not out "no NIC"

# ---- Other benchmarks ------------------------------------------------------------------------------------------------
cp -r "$first" windows
rm windows/logs/pp0.txt windows/logs/pp1.txt
grep -v '^\(alpha\|eager\|jump\|one\)[.]\(socket\|node\)\|^beta.node' "$first/truth.csv" >windows/truth.csv
ok "a level for which there are only windows" fit windows
judge windows >judged
ok ".. its slope is that of long messages" [ "$(cat judged)" = "3 levels" ]
ok ".. the answer says what is not known" gives "alpha.socket is as at far, and may be far too long" \
    calibrate --site windows/logs --levels "$levels"
# Of windows of short messages alone, all take as long; a slope through them would be one of messages, not of bytes.
cp -r windows short
for log in rate-far rate-in; do
    awk '/^#/ || !/^[0-9]/ || $1 <= 1024' "windows/logs/$log.txt" >"short/logs/$log.txt"
done
ok "windows of short messages alone" c calibrate --site short/logs --levels "$levels" -f csv
ok ".. say nothing of bytes" [ "$(grep -c '^\(beta.socket\|nic.rate\|memory\),,' out)" = 3 ]
ok ".. and what messages take" grep -q '^nic.messages,[0-9]' out
imb='#    Intel(R) MPI Benchmarks 2019 Update 6, MPI-1 part'
{
    printf '%s\n# Benchmarking Reduce_local\n# #processes = 1\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n' "$imb"
    awk 'BEGIN { for (n = 4; n <= 1024; n *= 2) printf "%d 1000 0.02 0.02 0.02\n", n }'
} >short/logs/imb_reduce.txt
ok ".. nor do short reductions say gamma" c calibrate --site short/logs --levels "$levels" -f csv
ok ".. which is assumed" grep -q '^gamma,[^,]*,,,' out
cp -r "$first" more
{
    printf '%s\n# Benchmarking Reduce_local\n# #processes = 2\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n' "$imb"
    awk 'BEGIN { for (n = 4; n <= 1048576; n *= 2) printf "%d 1000 %.2f %.2f %.2f\n", n, 0.02 + n / 4000, 0.03 + n / 4000, 0.02 + n / 4000 }'
    printf '# Benchmarking PingPing\n# #processes = 2\n#bytes #repetitions t[usec] Mbytes/sec\n'
    awk 'BEGIN { for (n = 1; n <= 1048576; n *= 2) printf "%d 1000 %.2f 1.0\n", n, 3 + n / 5000 }'
} >more/logs/imb_far.txt
ok "reductions of one rank, and two ranks that send at a time" fit more
{
    printf 'openmpi/4.1.6\n+ srun -N 2 -n 48 --ntasks-per-node=24 IMB-MPI1\n%s\n# Benchmarking Allreduce\n# #processes = 48\n' "$imb"
    printf '#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n4 10 9.0 9.0 9.0\n8 10 9.0 9.0 9.0\n1024 10 30.0 30.0 30.0\n'
    printf '0 10 0.1 0.1 0.1\n'
} >more/logs/sum.txt
sed 's/-n 48 --ntasks-per-node=24/-n 47/; s/#processes = 48/#processes = 47/' more/logs/sum.txt >more/logs/uneven.txt
ok "a row that no algorithm can run" c calibrate --site more/logs --levels "$levels" --write sum.ini -f json
ok ".. leaves the others" python3 -c 'import json, sys
row = [c for c in json.load(open("out"))["checks"] if c["file"] == "sum.txt"][0]
sys.exit(row["rows"] != 3 or row["missing"] is not None)'
# How far off the others are, by what the library runs with the figures.
cp out checks
c run allreduce ompi-4.1:auto -p 2x24 -m 4,8,1024 --element 4 --platform ./sum.ini -f json
ok ".. and they are as far off as the library with these figures" python3 -c 'import json, sys
row = [c for c in json.load(open("checks"))["checks"] if c["file"] == "sum.txt"][0]
measured = {4: 9e-6, 8: 9e-6, 1024: 30e-6}
off = sorted((r["time_s"] / measured[r["bytes"]] - 1, r["bytes"]) for r in json.load(open("out"))["rows"])
worst = max(off, key=lambda o: abs(o[0]))
near = lambda a, b: abs(a - b) < 1e-3
print(row, off, file=sys.stderr)
sys.exit(not (near(row["median_off"], off[1][0]) and near(row["worst_off"], worst[0]) and row["worst_off_bytes"] == worst[1]))'
ok "47 ranks on two nodes: 24 on the first" python3 -c 'import json, sys
sys.exit([(c["ranks"], c["per_node"]) for c in json.load(open("checks"))["checks"] if c["file"] == "uneven.txt"] != [(47, 24)])'
ok "gamma is measured" grep -q '^gamma,2\.[45][0-9]*e-10,' more/rows.csv
ok ".. so are steps" grep -q '^step.far = .*512K:107.9us' more/here.ini

# ---- Spreads ---------------------------------------------------------------------------------------------------------
# Three jobs of one collective whose times are what is predicted, half more and a third less: ln 1.5 is 0.405, and 0.327
# without a noise of 0.24. What its default runs, HAN, is of the family `others`; of other families there are too few rows,
# or none.
cp -r "$first" jobs
c run allgather ompi-5:auto -p "2x$cores" -m 1..128:x2 --platform "./$first/here.ini" -f csv
for times in 1 1.5 0.66667; do
    {
        sed '/MPI_FLOAT/d; /^1024/,$d; s/reduce/allgather/; s/Reduce/Allgather/' "$first/logs/reduce.txt"
        awk -F, -v times=$times '
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { us = $at["time_s"] * 1e6 * times; printf "%d %.4f %.4f %.4f 1000\n", $at["bytes"], us, us, us }' out
    } >"jobs/logs/allgather-$times.txt"
done
ok "jobs of one collective" c calibrate --site jobs/logs --levels "$levels" --write jobs.ini
tr '\n' ' ' <out | tr -s ' ' >line
ok ".. their spread is noted" says line "calibrate --site, rows of the library's own collectives: others 1"
ok ".. and what is from too few rows is not used" [ "$(sed -n '/^\[spread\]/,/^source/p' jobs.ini | grep -c =)" = 2 ]
ok ".. the spread is that of the jobs" awk '/^others = / { good = $3 > 0.30 && $3 < 0.38 } END { exit !good }' jobs.ini
ok ".. without such jobs there is none" [ "$(grep -c spread "$first/here.ini")" = 0 ]

# ---- Names -----------------------------------------------------------------------------------------------------------
cp -r "$first" renamed
for file in renamed/logs/*; do mv "$file" "renamed/logs/$(cksum <"$file" | cut -d' ' -f1).out"; done
mkdir renamed/logs/deeper && mv renamed/logs/1*.out renamed/logs/2*.out renamed/logs/deeper/ 2>/dev/null
ok "names say nothing, and folders are entered" fit renamed
judge renamed >judged
ok ".. the figures stay" [ "$(cat judged)" = "3 levels" ]
printf 'theirs,ours\npp1*,nothing\n' >names.csv
ok "--names: a file is used for nothing" site --names names.csv
ok ".. and the level has no log" says out "node: no log is of this level, so it is as far"
printf 'theirs,ours\npp1*,one@rack\n' >names.csv
ok "--names: an unknown level" fails "names.csv:2: unknown level 'rack'" \
    calibrate --site "$first/logs" --levels "$levels" --names names.csv
printf 'theirs,ours\npp1*,two@node\n' >names.csv
ok "--names: an unknown use" fails "names.csv:2: \`pp1*\` is \`two@node\`; allowed: one@LEVEL" \
    calibrate --site "$first/logs" --levels "$levels" --names names.csv

# ---- Mangled logs ----------------------------------------------------------------------------------------------------
# mangle HOW SEED: mangles the first cluster's logs into mangled/logs.
mangle() {
    rm -rf mangled && mkdir mangled && cp "$first/levels" "$first/truth.csv" mangled &&
        python3 "$root/tests/site_mangle.py" "$first/logs" mangled/logs "$1" "$2"
}
for how in $(sampled 2 crlf tabs ranks noise doubled); do
    mangle $how "${COLLSIM_SEED:-1}"
    ok "$how: it is read" fit mangled
    judge mangled >judged
    ok ".. and the figures stay" [ "$(cat judged)" = "3 levels" ]
done
# honest: each figure that is there lies, with its interval, around the truth, or a note names what is wrong in a log that it comes
# from; and if there are none, one line says why.
honest() {
    if ! c calibrate --site mangled/logs --levels "$levels" -f csv; then
        [ "$(wc -l <err)" = 1 ]
        return
    fi
    grep -v '^#' out >mangled/rows.csv && python3 - <<'END'
import csv, re, sys
truth = {name: float(value) for name, value in csv.reader(open("mangled/truth.csv"))}
named = re.findall("note: ([^ ]+): passed over", open("err").read())
wrong = [row for row in csv.DictReader(open("mangled/rows.csv")) if row["value"] and row["figure"] in truth and row["low"]
         and not any(name in row["source"] for name in named) and not float(row["low"]) <= truth[row["figure"]] <= float(row["high"])]
sys.exit(wrong or 0)
END
}
seed=${COLLSIM_SEED:-1}
last=$((seed + ${CHECK_ALL:+15} + 0))
while [ "$seed" -le "$last" ]; do
    for how in cut hole nul bits swapped; do
        mangle $how "$seed"
        ok "$how, seed $seed: no figure is wrong" honest
    done
    seed=$((seed + 1))
done

# ---- The day of docs/TUNING.md ---------------------------------------------------------------------------------------
# The page takes longer than all other steps, and has tests of its own.
printf '#!/bin/sh\n[ "$1" = report ] || exec "%s" "$@"\nfor page; do :; done\necho page >"$page"\n' "$COLLSIM" >quick
chmod +x quick
day() {
    COLLSIM=$PWD/quick RESULTS=$PWD/day PLACES=3x$cores COLLECTIVES=bcast SIZES=64,4K LOGS=${1:-} LEVELS=${2:-} SEED=${COLLSIM_SEED:-1} \
        nice "$root/experiments/site.sh" >out 2>err || { cat out err >&2 && false; }
}
ok "from logs to a setting" day
for file in here.ini setting/han.conf setting/tuned.conf page.html; do ok ".. $file" [ -s "day/$file" ]; done
for word in calibrate regret tune 'rules check' report; do ok ".. it prints how to $word" grep -q "^\$ collsim $word" out; done
ok ".. and what loads the files" says out "export OMPI_MCA_coll_han_dynamic_rules_filename=$PWD/day/setting/han.conf"
sed 's/^ *//' out >before
ok "the same from a folder of logs" day "$first/logs" "$levels"
ok ".. which says the same" [ "$(sed 's/^ *//' out | grep -c -x -F -f before)" -gt 40 ]

# ---- What is wrong in the folder -------------------------------------------------------------------------------------
cp -r "$first" odd
: >odd/logs/empty.out
printf '%%PDF-1.4\n\377\376' >odd/logs/report.pdf
printf 'a,b\n1,2\n' >odd/logs/other.csv
head -c 700 odd/logs/pp2.txt >odd/logs/cut.txt
awk '/^[0-9]+ +[0-9.]+$/ { printf "%d %.2f\n", $1, 1.9 * $2; next } { print }' odd/logs/pp2.txt >odd/logs/slow.txt
ok "files that are not logs, a log that is cut off, and one that contradicts others" \
    c calibrate --site odd/logs --levels "$levels"
for file in empty.out report.pdf other.csv; do ok ".. $file is named" says out "$file: not read: "; done
ok ".. the log that is cut off is used" says out "cut.txt: one@far"
tr '\n' ' ' <out | tr -s ' ' >line
ok ".. both of two that contradict each other are named" grep -Eq "slow.txt:[0-9]+ and (pp2|imb).txt:[0-9]+ contradict each other" line
ok "no rows of a spike reach a table" says out "left out, because the sweep's other rows contradict it"
apart() { # apart TIMES PAIRS: of a log whose times are so much longer than pp2.txt's, and the others, so many pairs contradict
    awk -v times="$1" '/^[0-9]+ +[0-9.]+$/ { printf "%d %.2f\n", $1, times * $2; next } { print }' "$first/logs/pp2.txt" >odd/logs/slow.txt
    c calibrate --site odd/logs --levels "$levels" && tr '\n' ' ' <out | tr -s ' ' >line &&
        [ "$(grep -o 'slow.txt:[0-9]* and [a-z0-9]*.txt:[0-9]* contradict' line | wc -l)" = "$2" ]
}
rm odd/logs/cut.txt
ok ".. those that are a fifth apart do not" apart 1.2 0
ok ".. those that are three tenths apart do" apart 1.3 2

cp -r "$first" mute
sed -i '/openmpi/d' mute/logs/*
ok "logs that name no library" c calibrate --site mute/logs --levels "$levels"
ok ".. the answer says why nothing is predicted" says out "not predicted: no log and no"
sed 's,openmpi/5.0.3,openmpi/4.0.5,' "$first/logs/reduce.txt" >mute/logs/reduce.txt
ok "Open MPI 4.0 has other decisions than 4.1" sh -c '"$COLLSIM" calibrate --site mute/logs --levels "$0" >out &&
    grep -q "not predicted: no log and no" out' "$levels"

# ---- Errors ----------------------------------------------------------------------------------------------------------
mkdir none
ok "an empty folder" fails "--site none: no file can be used; allowed: a folder with output of OSU or IMB" \
    calibrate --site none --levels node=8
ok "no folder" fails "--site: " calibrate --site missing --levels node=8
ok "no levels" fails "--site needs to know the levels of the machine, which no log names; allowed: with --levels" \
    calibrate --site "$first/logs"
ok "levels that are none" fails "--levels: \`node\`; allowed: NAME=RANKS" calibrate --site "$first/logs" --levels node
ok "--levels alone" fails "--levels node=8; allowed: with --site" calibrate x.out --levels node=8
ok "files and a site" fails "with other files or options; allowed: with --base" calibrate --site "$first/logs" x.out
mkdir near && cp "$first/logs/pp0.txt" near
ok "nothing between nodes" fails "no log says how long a message takes at far; allowed: with osu_latency" \
    calibrate --site near --levels "$levels" --write near.ini
ok ".. and no machine is written" [ ! -e near.ini ]
ok ".. without --write the other figures are said" gives "alpha.socket" calibrate --site near --levels "$levels"
echo "1..$n"
