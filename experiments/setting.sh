#!/bin/sh
# From a log to a setting, on this machine and its Open MPI 4.1 (docs/TUNING.md): measures what a machine file needs, says what the
# defaults cost, writes a rules file, loads it, and measures the points at which it should save the most time without and
# with it, in turns. It takes a minute; nothing else should run meanwhile.
#
#   experiments/setting.sh
#
# COLLSIM is the program, RESULTS the folder to write to (results/setting). RANKS (2) should be at most the number of
# cores. LOGS are files that `calibrate` reads beside its own measurements, such as those of OSU, as absolute paths. POINTS (8) are
# measured, ROUNDS (5) times each way, with BUDGET (200ms) for each time. It needs perl.
set -eu
cd "$(dirname "$0")/.."
COLLSIM=$(realpath "${COLLSIM:-build/collsim}") RESULTS=${RESULTS:-results/setting}
RANKS=${RANKS:-2} SIZES=${SIZES:-8..2M:x2} POINTS=${POINTS:-8} ROUNDS=${ROUNDS:-5} BUDGET=${BUDGET:-200ms} LOGS=${LOGS:-}
LIB=ompi-4.1
export COLLSIM RANKS POINTS ROUNDS BUDGET LIB
mkdir -p "$RESULTS"
cd "$RESULTS"

rm -f log.txt
echo "== A machine file, from measurements"
: >all.csv
for _ in $(seq "$ROUNDS"); do
    for what in 'pingpong -m 1..4M:x2' 'reduce_local -m 256..4M:x2' "allgather ring -p $RANKS -m 1..2M:x2"; do
        # shellcheck disable=SC2086
        $COLLSIM measure $what --budget 50ms -f csv 2>>log.txt >>all.csv
    done
done
# The least time of each row, which other programs disturb least.
awk -F, '$1 == "collective" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { key = $1 "," $2 "," $(at["ranks"]) "," $(at["bytes"]); t = $(at["min_s"])
      if (!(key in least)) { order[++n] = key; least[key] = t } else if (t + 0 < least[key] + 0) least[key] = t }
    END { print "collective,algorithm,ranks,bytes,time_s"
          for (i = 1; i <= n; i++) print order[i] "," least[order[i]] }' all.csv >log.csv
# shellcheck disable=SC2086 # LOGS are words
$COLLSIM calibrate log.csv $LOGS --model measured --title 'this machine' --write machine.ini 2>>log.txt |
    sed -n '/^calibrated/,/^not from/p' | sed '$d'

# Without --map, every rank would be on a node of its own.
on="--platform ./machine.ini -p 1x$RANKS -m $SIZES"
echo "== What the defaults cost"
# shellcheck disable=SC2086
$COLLSIM regret $LIB $on --top 2 2>>log.txt | tee regret.txt
echo
echo "== A rules file, and what a library makes of it"
# shellcheck disable=SC2086
$COLLSIM tune $LIB $on -o rules.conf 2>>log.txt
$COLLSIM rules check rules.conf --for $LIB || [ $? = 1 ] # which only means that it has remarks
# shellcheck disable=SC2086
$COLLSIM rules diff default rules.conf --for $LIB $on -f json -o points.json 2>>log.txt || [ $? = 1 ]

echo
echo "== Measured without and with the file"
perl - <<'END' | tee table.txt
use strict;
use warnings;
use JSON::PP;
use List::Util qw(min);

# Measures the library's own collective, in seconds, with the file or without it: the minimum and the median.
sub measure_point {
    my ($point, $with) = @_;
    local $ENV{OMPI_MCA_coll_tuned_use_dynamic_rules} = $with;
    local $ENV{OMPI_MCA_coll_tuned_dynamic_rules_filename} = $with ? 'rules.conf' : '';
    my $element = $point->{collective} =~ /reduce|scan/ ? 8 : 1; # as tune has it
    my $on = "-p $ENV{RANKS} -m $point->{bytes} --element $element --budget $ENV{BUDGET}";
    my $text = `"$ENV{COLLSIM}" measure $point->{collective} library $on -f json 2>>log.txt`;
    my $row = decode_json($text)->{rows}[0];
    return @$row{qw(min_s median_s)};
}

# Below so many times of the best, a difference is lost in noise.
my $least = 1.1;
open my $in, '<', 'points.json' or die "points.json: $!\n";
my @points = grep { ($_->{time_ratio} // 0) >= $least } @{decode_json(join '', <$in>)->{points}};
printf "%-21s %8s %10s %10s %6s   %10s %10s %6s %7s  %s\n", 'collective', 'bytes', 'predicted', 'with file', 'x', 'measured',
    'with file', 'x', 'median', 'runs';
splice @points, $ENV{POINTS} if @points > $ENV{POINTS};
for my $point (@points) {
    my (@without, @with);
    for (1 .. $ENV{ROUNDS}) {
        push @without, [measure_point($point, 0)];
        push @with, [measure_point($point, 1)];
    }
    my @least = map { my $side = $_; map { my $k = $_; min map { $_->[$k] } @$side } 0, 1 } \@without, \@with;
    my ($first, $second) = map { s/ \(.*?\)//r } @$point{qw(first_runs second_runs)};
    printf "%-21s %8d %7.2f us %7.2f us %6.2f   %7.2f us %7.2f us %6.2f %7.2f  %s -> %s\n", @$point{qw(collective bytes)},
        1e6 * $point->{first_s}, 1e6 * $point->{second_s}, $point->{time_ratio}, 1e6 * $least[0], 1e6 * $least[2],
        $least[0] / $least[2], $least[1] / $least[3], $first, $second;
}
print "No point saves as much as ", 100 * ($least - 1), " %: the defaults are good here.\n" unless @points;
END
echo "times are the least of all repetitions; median: the same ratio of the least medians"
