#!/usr/bin/perl
# Holds what the commands say of a point against what `collsim run` says of exactly what they print: searches (best,
# bound, regret, app, crossover, report), what libraries and files decide (LIB:auto, tune, rules diff), what would help
# (run --why), tables of times (learn, sweep, compare), and the Python module.
#
#   agree.pl COLLSIM FIRST POINTS [PYTHON_PATH LIBRARY]
#
# draws the points with numbers from FIRST on; a point depends on its number alone. A time must be equal to the last bit.
# Prints a line for each contradiction, with the number of its point and the commands, and at last how often each command
# was held. The exit status is 1 if there is a contradiction.
use strict;
use warnings;
use JSON::PP;
use File::Temp qw(tempdir);

my ($collsim, $first, $points, $python_path, $library) = @ARGV;
my $folder = tempdir(CLEANUP => 1);
chdir $folder or die;
my ($number, %held, $wrong, @asked) = (0);
my $json = JSON::PP->new;

# ---- Running the program ---------------------------------------------------------------------------------------------

my %answers; # of one point, by the command

# Returns the program's answer as text, or undef if it refuses the command. Anything but an answer or bad input is wrong.
sub text {
    my @words = @_;
    my $command = join ' ', @words;
    return $answers{$command} if exists $answers{$command};
    my $pid = open(my $from, '-|') // die;
    if (!$pid) {
        open STDERR, '>', "$folder/err";
        exec $collsim, @words or exit 127;
    }
    local $/;
    my $out = <$from>;
    close $from;
    my $status = $?;
    wrong("collsim $command", "ends with status " . ($status & 127 ? "signal " . ($status & 127) : $status >> 8))
        if $status != 0 && $status != 2 << 8 && !($status == 1 << 8 && $words[0] eq 'rules');
    return $answers{$command} = $status == 2 << 8 ? undef : $out;
}

sub answer { # .. as JSON
    my $out = text(@_, '-f', 'json');
    return defined $out && length $out ? $json->decode($out) : undef;
}

sub wrong {
    my ($what, $why) = @_;
    $wrong++;
    print "point $number: $what: $why\n";
}

sub command { join ' ', map { /[ ;*]/ ? "'$_'" : $_ } 'collsim', @_ }

# Says that two commands contradict each other unless the numbers are equal.
sub same {
    my ($kind, $said, $by, $true, $truth) = @_;
    $held{$kind}++;
    return 1 if defined $said && defined $true && $said == $true;
    wrong($kind, sprintf "%s says %s, and %s %s", $by, $said // 'nothing', $truth, $true // 'nothing');
    return 0;
}

# ---- Points ----------------------------------------------------------------------------------------------------------

sub pick { $_[int rand @_] }

my @collectives = qw(allgather allgatherv allreduce alltoall alltoallv barrier bcast exscan gather gatherv reduce
    reduce_scatter reduce_scatter_block scan scatter scatterv);
my %reduces = map { $_ => 1 } qw(allreduce reduce reduce_scatter reduce_scatter_block scan exscan);
my @libraries = qw(ompi-4.1 ompi-5 ompi-main mpich-4.0 mpich-4.3);
my %algorithms; # names by collective

sub algorithms {
    my ($collective) = @_;
    my $list = $algorithms{$collective} //= answer('list', $collective);
    return map { $_->{algorithm} } @{$list->{rows}};
}

# Draws a number of elements: none, fewer than ranks, about as many, or more.
sub count {
    my ($p) = @_;
    my $kind = int rand 7;
    return $kind == 0 ? int rand 3
        : $kind == 1  ? int rand $p + 1
        : $kind == 2  ? $p + int rand 2 * $p + 2
        : $kind == 3  ? 1 << int rand 18
        : $kind == 4  ? $p * (1 + int rand 500)
        :               1 + int rand(10**(1 + rand 5));
}

sub draw {
    my %x = (collective => pick(@collectives));
    my $kind = int rand 10;
    $x{nodes} = $kind < 4;
    my ($n, $k) = (1 + int rand 9, 1 + int rand 9);
    $x{p} = $kind < 4 ? $n * $k : $kind < 6 ? 2 + int rand 8 : $kind < 9 ? 2 + int rand 60 : pick(64, 97, 128, 200, 255, 256, 257, 512);
    $x{ranks} = $kind < 4 ? "${n}x$k" : $x{p};
    ($x{p}, $x{ranks}) = (2, 2) if $x{p} < 2;
    $x{platform} = pick(qw(generic-100g lumi leonardo archer2 orfeo-epyc orfeo-thin alps));
    $x{p} = $x{ranks} = 2 + int rand 46 if $x{platform} eq 'archer2' && $x{p} > 60; # measured has no forms, so best runs more
    $x{elem} = pick(1, 4, 8, 8);
    $x{m} = $x{collective} eq 'barrier' ? 0 : count($x{p}) * $x{elem};
    my @machine = ('--platform', $x{platform});
    push @machine, '--set', pick('alpha=x0.1', 'beta=x10', 'gamma=0', 'alpha=0') if $x{platform} ne 'archer2' && rand() < 0.2;
    if ($x{platform} eq 'archer2' ? rand() < 0.4 : rand() < 0.5) {
        $x{transfer} = pick(qw(rendezvous eager eager-port));
        push @machine, '--model', 'hockney', '--transfer', $x{transfer};
    }
    my $other = rand;
    if ($other < 0.1) { # the LogP family, which run, best, sweep and compare know
        ($x{platform}, $x{model}, $x{transfer}) = ('loggopsim', pick(qw(loggops loggp logp)));
        @machine = ('--platform', 'loggopsim', '--model', $x{model});
    } elsif ($other < 0.16 && $x{p} < 30) {
        ($x{platform}, $x{model}, $x{transfer}) = ('generic-100g', 'shared');
        @machine = ('--model', 'shared');
    }
    $x{machine} = \@machine;
    $x{operation} = $reduces{$x{collective}} && rand() < 0.15 ? ['--non-commutative'] : [];
    $x{at} = ['-p', $x{ranks}, $x{collective} eq 'barrier' ? () : ('-m', $x{m}), $x{collective} eq 'barrier' ? () : ('--element', $x{elem})];
    $x{library} = pick(@libraries);
    return \%x;
}

# Returns the options that set these parameters, "a=1;b=2".
sub params {
    my ($text) = @_;
    return map { ('--param', $_) } grep { length } split /;/, $text // '';
}

# Returns the row of `run` of an algorithm, and the command; the row is undef if it does not run there.
sub run_of {
    my ($x, $algorithm, $params, @more) = @_;
    my @words = ('run', $x->{collective}, $algorithm, params($params), @{$x->{at}}, @{$x->{machine}}, @{$x->{operation}}, @more);
    my $got = answer(@words);
    return ($got ? $got->{rows}[0] : undef, command(@words));
}

# Holds a row that has algorithm, params and time_s against run.
sub hold_row {
    my ($kind, $x, $row, $by) = @_;
    my ($run, $command) = run_of($x, $row->{algorithm}, $row->{params});
    return wrong($kind, "$by prints what $command refuses") if !$run;
    same($kind, $row->{time_s}, "$by ($row->{algorithm} " . ($row->{params} // '') . ")", $run->{time_s}, $command) or return;
    wrong($kind, "$by prints $row->{algorithm}, and $command runs $run->{ran}") if $run->{ran};
    wrong($kind, "$by prints $row->{certificate}, and $command $run->{certificate}")
        if defined $row->{certificate} && $row->{certificate} ne $run->{certificate};
}

# Returns the time of "name a=1;b=2 (of 3)", as tables write a choice.
sub hold_choice {
    my ($kind, $x, $choice, $time_s, $by) = @_;
    $choice =~ s/ \(of \d+\)//g;
    my ($algorithm, $params) = split / /, $choice, 2;
    $params //= '';
    my ($run, $command) = run_of($x, $algorithm, $params);
    return wrong($kind, "$by prints '$choice', which $command refuses") if !$run;
    same($kind, $time_s, "$by ('$choice')", $run->{time_s}, $command);
}

# ---- What is held ----------------------------------------------------------------------------------------------------

# The rows of best are what run gives, --top changes nothing, and nothing that run ranks is faster.
sub hold_best {
    my ($x, @only) = @_;
    my $kind = @only ? 'best --only' : 'best';
    my @words = ('best', $x->{collective}, @{$x->{at}}, @{$x->{machine}}, @{$x->{operation}}, @only);
    my $one = answer(@words, '--top', 1) or return;
    my $many = answer(@words, '--top', 9);
    my @rows = grep { defined $_->{time_s} } @{$many->{rows}}; # the others are what was left out
    return if !@rows;
    same($kind, $one->{rows}[0]{time_s}, command(@words, '--top', 1), $rows[0]{time_s}, 'with --top 9');
    hold_row($kind, $x, $one->{rows}[0], command(@words, '--top', 1));
    hold_row($kind, $x, $rows[rand @rows], command(@words, '--top', 9));
    my $all = answer('run', $x->{collective}, 'all', @{$x->{at}}, @{$x->{machine}}, @{$x->{operation}}, @only);
    return wrong($kind, command(@words) . ' answers, and run all refuses') if !$all;
    for my $row (@{$all->{rows}}) {
        next if !defined $row->{time_s} || $row->{ran} || $row->{ranking} && $row->{ranking} > 1;
        $held{$kind}++;
        wrong($kind, command(@words) . " says $rows[0]{time_s} ($rows[0]{algorithm}), and run all has $row->{algorithm} "
            . ($row->{params} // '') . " with $row->{time_s}") if $row->{time_s} < $rows[0]{time_s} * (1 - 1e-9);
    }
    push @asked, {kind => 'best', x => $x, time_s => $rows[0]{time_s}, algorithm => $rows[0]{algorithm}} if !@only && $python_path;
}

# What a library runs by default is what its entry runs with the parameters that are printed.
sub hold_auto {
    my ($x) = @_;
    my ($auto, $by) = run_of($x, "$x->{library}:auto", '');
    return if !$auto || !defined $auto->{time_s} || !$auto->{entry};
    hold_row('auto', $x, {algorithm => $auto->{entry}, params => $auto->{params}, time_s => $auto->{time_s},
            certificate => $auto->{certificate}}, $by);
}

# The times of regret are those of the default and of what it calls the best.
sub hold_regret {
    my ($x) = @_;
    my @words = ('regret', $x->{library}, $x->{collective}, @{$x->{at}}, @{$x->{machine}}, @{$x->{operation}});
    my $regret = answer(@words) or return;
    my ($point) = grep { $_->{grid} && defined $_->{x} } @{$regret->{points}};
    return if !$point;
    my $by = command(@words);
    my ($auto, $command) = run_of($x, "$x->{library}:auto", '');
    same('regret', $point->{default_s}, $by, $auto->{time_s}, $command);
    if ($point->{best} eq 'the default') {
        same('regret', $point->{best_s}, $by, $auto->{time_s}, $command);
    } else {
        hold_choice('regret', $x, $point->{best}, $point->{best_s}, $by);
    }
    same('regret', $point->{x}, $by, $point->{default_s} / $point->{best_s}, 'default_s / best_s') if $point->{best_s} > 0;
    # An application whose only calls are these.
    return if $x->{collective} eq 'barrier' || $x->{nodes};
    open my $to, '>', 'profile.csv';
    print $to "collective,calls,bytes,ranks,element\n$x->{collective},10,$x->{m},$x->{p},$x->{elem}\n";
    close $to;
    @words = ('app', 'profile.csv', '--for', $x->{library}, @{$x->{machine}}, @{$x->{operation}});
    my $app = answer(@words) or return;
    my $row = $app->{rows}[0];
    return if !defined $row->{default_s};
    same('app', $row->{default_s}, command(@words), $auto->{time_s}, $command);
    # What app saves is what tune's file saves, whose choices are right for any operation, so it may be less.
    wrong('app', command(@words) . " says $row->{best_s}, and $by $point->{best_s}") if $row->{best_s} < $point->{best_s};
    hold_choice('app', $x, $row->{best}, $row->{best_s}, command(@words)) if $row->{best} ne 'the default';
    same('app', $row->{total_s}, command(@words), 10 * $row->{default_s}, 'ten times its default_s');
}

# A rules file gives the times that its head promises: what the file and the default run is run's, and no call of the
# grid takes longer than W percent more than the best.
sub hold_tune {
    my ($x) = @_;
    return if $x->{collective} eq 'barrier' || $x->{nodes};
    my @grid = ('-p', "$x->{p}," . ($x->{p} + 1), '-m', join(',', $x->{m}, 4 * $x->{m} + $x->{elem}), '--element', $x->{elem});
    my @words = ('tune', $x->{library}, $x->{collective}, @grid, @{$x->{machine}});
    my $file = text(@words) // return;
    my $name = $x->{library} =~ /ompi-(4|5)/ ? 'rules.conf' : 'rules.json';
    open my $to, '>', $name;
    print $to $file;
    close $to;
    $held{tune}++;
    my @check = ('rules', 'check', $name, '--for', $x->{library});
    wrong('tune', command(@words) . " writes what " . command(@check) . " refuses") if !defined text(@check);
    my ($default, $rules, $worst) = $file =~ /elements of \d+: default ([\d.]+|unknown), these rules ([\d.]+) \(.*\), at worst ([\d.]+)/;
    wrong('tune', command(@words) . ' says what to expect in other words') if !defined $worst && $file =~ /elements of/;
    return if !defined $worst; # the JSON of main has no comments
    my @diff = ('rules', 'diff', $name, 'default', '--for', $x->{library}, @grid, @{$x->{machine}});
    my $diff = answer(@diff) or return;
    my ($log, $n, $largest) = (0, 0, 0);
    my %timed = map { ("$_->{ranks} $_->{bytes}" => $_) } grep { defined $_->{first_s} && defined $_->{second_s} } @{$diff->{points}};
    for my $p ($x->{p}, $x->{p} + 1) {
        for my $m ($x->{m}, 4 * $x->{m} + $x->{elem}) {
            my @at = ('-p', $p, '-m', $m, '--element', $x->{elem});
            my $regret = answer('regret', $x->{library}, $x->{collective}, @at, @{$x->{machine}}, $x->{library} =~ /ompi-(5|main)/ ? '--no-han' : ());
            my ($point) = grep { $_->{grid} && defined $_->{x} } @{$regret->{points} // []} or return;
            my $row = $timed{"$p $m"};
            my $x_file = ($row ? $row->{first_s} : $point->{default_s}) / ($point->{best_s} || return);
            same('tune', $row->{second_s}, command(@diff), $point->{default_s}, "regret at $p ranks and $m bytes") if $row;
            $log += log $x_file;
            $largest = $x_file if $x_file > $largest;
            $n++;
        }
    }
    $held{tune}++;
    # The best of tune is of what is right for any operation, so it can be slower than regret's, and never faster.
    wrong('tune', sprintf "%s says at worst %s, and the file takes %.3f times regret's best (%s)", command(@words), $worst,
        $largest, command(@diff)) if $worst > sprintf('%.3f', $largest) + 0.0005;
}

# The lower bound is below the time of the fastest, which is best's and run's.
sub hold_bound {
    my ($x) = @_;
    my @words = ('bound', $x->{collective}, @{$x->{at}}, @{$x->{machine}});
    my $bound = answer(@words) or return;
    return if grep { $_->{note} =~ /^figures of level far/ } @{$bound->{notes} // []}; # a machine of one level, as it says
    my $row = $bound->{rows}[0];
    return if !$row->{algorithm};
    local $x->{operation} = [];
    hold_row('bound', $x, $row, command(@words));
    my $best = answer('best', @words[1 .. $#words], '--top', 1);
    same('bound', $row->{time_s}, command(@words), $best->{rows}[0]{time_s}, 'best');
    wrong('bound', command(@words) . " says $row->{bound_s}, and the time is $row->{time_s}")
        if defined $row->{bound_s} && $row->{bound_s} > $row->{time_s} * (1 + 1e-12);
}

# What would help helps by as much as run says with the change, and shares and path add up to the time.
sub hold_why {
    my ($x) = @_;
    my $name = rand() < 0.25 ? "$x->{library}:auto" : pick(algorithms($x->{collective}));
    my @words = ('run', $x->{collective}, $name, @{$x->{at}}, @{$x->{machine}}, @{$x->{operation}});
    my $why = answer(@words, '--why') or return;
    my $row = $why->{rows}[0];
    return if !defined $row->{time_s};
    my $by = command(@words, '--why');
    my $plain = answer(@words);
    same('why', $row->{time_s}, $by, $plain->{rows}[0]{time_s}, 'without --why');
    my $sum = 0;
    $sum += $_->{term_s} for @{$why->{shares} // []};
    wrong('why', "$by: the shares are $sum s of $row->{time_s} s") if @{$why->{shares} // []} && abs($sum - $row->{time_s}) > 1e-9 * $row->{time_s};
    my @path = @{$why->{path} // []};
    wrong('why', "$by: the path ends at $path[-1]{end_s}, and the run at $row->{time_s}") if @path && abs($path[-1]{end_s} - $row->{time_s}) > 1e-9 * $row->{time_s};
    for my $relief (@{$why->{relief} // []}) {
        my @changed = @words;
        if ($relief->{change} =~ /^(\d+) ranks? per node$/) {
            my ($at) = grep { $changed[$_] eq '-p' } 0 .. $#changed;
            $changed[$at + 1] = $x->{p} / $1 . "x$1";
        } else {
            push @changed, map { ('--set', $_) } split / /, $relief->{change};
        }
        my $run = answer(@changed);
        same('why', $relief->{time_s}, "$by ($relief->{change})", $run ? $run->{rows}[0]{time_s} : undef, command(@changed));
    }
}

# The times that trees are grown from are run's.
sub hold_learn {
    my ($x) = @_;
    my $library = $x->{library} =~ /ompi/ ? $x->{library} : 'ompi-4.1';
    return if $x->{collective} eq 'barrier' || $x->{p} > 64;
    my ($p, $m) = ($x->{nodes} ? $x->{ranks} : $x->{p} . ',' . ($x->{p} + 3), "$x->{m}," . (2 * $x->{m} + $x->{elem}));
    my @words = ('learn', $library, $x->{collective}, '-p', $p, '-m', $m, '--element', $x->{elem}, @{$x->{machine}}, '--data', 'data.csv');
    unlink 'data.csv';
    text(@words) // return;
    my ($head, @rows) = csv('data.csv');
    local $x->{operation} = [];
    for (1 .. 2) {
        my $row = $rows[rand @rows] // return;
        next if !length $row->{time_s};
        local $x->{at} = ['-p', $row->{per_node} ? $row->{ranks} / $row->{per_node} . "x$row->{per_node}" : $row->{ranks},
            '-m', $row->{bytes}, '--element', $row->{element}];
        hold_choice('learn', $x, "$row->{algorithm} " . ($row->{params} // ''), $row->{time_s}, command(@words));
        my ($auto, $command) = run_of($x, "$library:auto", '');
        same('learn', $row->{default_s}, command(@words), $auto->{time_s}, $command) if length $row->{default_s};
    }
}

sub csv { # the rows of a file, by the names of its columns
    my ($file) = @_;
    open my $from, '<', $file or return;
    my @lines = grep { !/^#/ } <$from>;
    chomp @lines;
    my @names = split /,/, shift @lines // '';
    my @rows;
    for my $line (@lines) {
        my @fields = $line =~ /\G("(?:[^"]|"")*"|[^,]*)(?:,|$)/g;
        s/^"(.*)"$/$1/ && s/""/"/g for @fields;
        my %row;
        @row{@names} = @fields;
        push @rows, \%row;
    }
    return (\@names, @rows);
}

# compare predicts what run does, and recognises what run predicted.
sub hold_compare {
    my ($x) = @_;
    return if $x->{collective} eq 'barrier' || $x->{p} > 64;
    my $name = pick(algorithms($x->{collective}));
    my $sizes = join ',', map { $_ * $x->{elem} } 1 + int rand 50, 100 + int rand 1000, 5000;
    my @at = ('-p', $x->{ranks}, '-m', $sizes, '--element', $x->{elem});
    my $log = text('run', $x->{collective}, $name, @at, @{$x->{machine}}, '-f', 'csv') // return;
    open my $to, '>', 'log.csv';
    print $to $log;
    close $to;
    my @words = ('compare', 'log.csv', '--element', $x->{elem}, @{$x->{machine}}, '--points');
    return if grep { $_ eq '--transfer' } @{$x->{machine}};
    my $compare = answer(@words) or return;
    my @points = grep { defined $_->{predicted_s} } @{$compare->{points}};
    my ($best) = @{$compare->{candidates}};
    local $x->{operation} = [];
    for (1 .. 3) {
        my $row = $points[rand @points] // return;
        my ($candidate) = grep { $_->{candidate} eq $row->{candidate} } @{$compare->{candidates}};
        next if $row->{candidate} =~ /:/;
        local $x->{at} = ['-p', $x->{ranks}, '-m', $row->{bytes}, '--element', $x->{elem}];
        hold_choice('compare', $x, $row->{candidate}, $row->{predicted_s}, command(@words));
    }
    $held{compare}++;
    wrong('compare', command(@words) . " has no candidate that fits what " . command('run', $x->{collective}, $name, @at, @{$x->{machine}}) . ' predicted')
        if $best && $best->{deviation} > 1e-12 && $log !~ /\bran:/ && $log !~ /,$name,.*,[a-z_]+ \(/;
}

# At the sizes beside each change, crossover has the times of run.
sub hold_crossover {
    my ($x) = @_;
    return if $x->{collective} eq 'barrier' || $x->{p} > 64 || @{$x->{operation}};
    my @names = algorithms($x->{collective});
    my ($one, $two) = (pick(@names), pick(@names));
    my @words = ('crossover', $x->{collective}, $one, $two, '-p', $x->{ranks}, '--element', $x->{elem}, @{$x->{machine}});
    return if $one eq $two;
    my $crossover = answer(@words) or return;
    for my $row (@{$crossover->{rows}}) {
        for my $side (['last', 'before'], ['next', 'after']) {
            my ($at, $winner) = @$side;
            next if !defined $row->{"${at}_bytes"};
            local $x->{at} = ['-p', $x->{ranks}, '-m', $row->{"${at}_bytes"}, '--element', $x->{elem}];
            my ($first, $command) = run_of($x, $one, '');
            my ($second) = run_of($x, $two, '');
            same('crossover', $row->{"${at}_first_s"}, command(@words), $first->{time_s}, $command);
            same('crossover', $row->{"${at}_second_s"}, command(@words), $second->{time_s}, "$two");
            my $faster = $first->{time_s} < $second->{time_s} ? $one : $first->{time_s} > $second->{time_s} ? $two : '';
            wrong('crossover', command(@words) . " says $row->{$winner} at " . $row->{"${at}_bytes"} . ", and run $faster")
                if $faster && $row->{$winner} =~ /^(\Q$one\E|\Q$two\E)$/ && $row->{$winner} ne $faster;
        }
    }
}

# A sweep has the rows of run, and of best.
sub hold_sweep {
    my ($x) = @_;
    my @names = (pick(algorithms($x->{collective})), "$x->{library}:auto", 'best');
    return if @{$x->{operation}};
    my @words = ('sweep', $x->{collective}, join(',', @names), @{$x->{at}}, @{$x->{machine}}, '-o', 'sweep.csv');
    unlink glob 'sweep.csv*';
    text(@words) // return;
    my ($head, @rows) = csv('sweep.csv');
    for my $row (@rows) {
        next if !length($row->{time_s} // '') || length($row->{ran} // '');
        if ($row->{algorithm} =~ /:auto$/) {
            my ($auto, $command) = run_of($x, $row->{algorithm}, '');
            same('sweep', $row->{time_s}, command(@words), $auto->{time_s}, $command);
        } else {
            hold_row('sweep', $x, {%$row, algorithm => length($row->{entry} // '') ? $row->{entry} : $row->{algorithm}}, command(@words));
        }
        if ($row->{algorithm} eq 'best') {
            my $best = answer('best', $x->{collective}, @{$x->{at}}, @{$x->{machine}}, '--top', 1);
            same('sweep', $row->{time_s}, command(@words), $best->{rows}[0]{time_s}, 'best');
        }
    }
}

# The times on a page are those that run prints.
sub hold_report {
    my ($x) = @_;
    return if $x->{collective} eq 'barrier' || $x->{nodes} || $x->{p} > 40 || $x->{m} == 0;
    my @words = ('report', $x->{collective}, '-p', "$x->{p}," . ($x->{p} + 1), '-m', join(',', $x->{m}, 8 * $x->{m}), '--element', $x->{elem},
        '--only', pick($x->{library}, 'any'), @{$x->{machine}});
    my $page = text(@words) // return;
    my ($table) = $page =~ /The fastest algorithm at each size<(.*?)<\/table>/s or return;
    local $x->{operation} = [];
    for my $row ($table =~ /<tr[^>]*>(.*?)<\/tr>/gs) {
        my ($p, $m, $choice, $time) = map { s/<[^>]*>//g; s/&nbsp;|\xa0|\xc2\xa0/ /g; s/^\s+|\s+$//g; $_ } $row =~ /<td[^>]*>(.*?)<\/td>/gs;
        next if !defined $time;
        my ($algorithm, $params) = split / /, $choice, 2;
        $params = join ';', split /[ ;]+/, ($params // '') =~ s/ \(of \d+\)//gr;
        my @run = ('run', $x->{collective}, $algorithm, params($params), '-p', $p, '-m', $m, '--element', $x->{elem}, @{$x->{machine}});
        my $run = text(@run) // '';
        $held{report}++;
        wrong('report', command(@words) . " says $time for $choice at $p ranks and $m bytes, and " . command(@run) . " another time")
            if index($run, "  $time  ") < 0 && index($run, " $time ") < 0;
    }
}

# ---- Python ----------------------------------------------------------------------------------------------------------

# Asks the module for the points that best was asked for, all in one process.
sub hold_python {
    my $program = <<'PY';
import json, sys, collsim
for line in open(sys.argv[1]):
    x = json.loads(line)
    runs = collsim.best(x["collective"], p=x["ranks"], m=x["m"], element=x["elem"], platform=collsim.Platform(x["platform"]), **x["options"])
    best = runs[0]
    again = collsim.run(x["collective"], best.algorithm, p=x["ranks"], m=x["m"], element=x["elem"], platform=collsim.Platform(x["platform"]),
                        param=dict(w.split("=") for w in best.params.split(";") if w), **x["options"])[0]
    print(json.dumps([best.time_s, best.algorithm, again.time_s]))
PY
    open my $to, '>', 'asked.json';
    my @used;
    for my $asked (@asked) {
        my $x = $asked->{x};
        next if grep { $_ eq '--set' } @{$x->{machine}};
        my %options = ($x->{model} ? (model => $x->{model}) : defined $x->{transfer} ? (model => 'hockney', transfer => $x->{transfer}) : (), @{$x->{operation}} ? (non_commutative => JSON::PP::true) : ());
        print $to $json->encode({collective => $x->{collective}, ranks => "$x->{ranks}", m => 0 + $x->{m}, elem => 0 + ($x->{collective} eq 'barrier' ? 1 : $x->{elem}),
                platform => $x->{platform}, options => \%options}), "\n";
        push @used, $asked;
    }
    close $to;
    open $to, '>', 'ask.py';
    print $to $program;
    close $to;
    local $ENV{PYTHONPATH} = $python_path;
    local $ENV{COLLSIM_LIBRARY} = $library;
    my @lines = `python3 ask.py asked.json 2>&1`;
    for my $asked (@used) {
        $number = $asked->{number};
        my $line = shift @lines;
        my $got = eval { $json->decode($line) };
        return wrong('Python', join '', $line // 'nothing', @lines) if !$got;
        same('Python', $got->[0], "collsim.best($asked->{x}{collective}) on $asked->{x}{ranks} ranks", $asked->{time_s}, 'collsim best');
        same('Python', $got->[2], 'collsim.run of it', $asked->{time_s}, 'collsim best');
    }
}

# ---- All -------------------------------------------------------------------------------------------------------------

my @holds = ((sub { hold_best($_[0]) }) x 4, (sub { hold_best($_[0], '--only', $_[0]{library}) }) x 3, (\&hold_auto) x 3, (\&hold_regret) x 3,
    (\&hold_why) x 3, (\&hold_bound) x 2, \&hold_tune, \&hold_learn, \&hold_compare, (\&hold_crossover) x 2, \&hold_sweep);
for my $drawn ($first .. $first + $points - 1) {
    srand($number = $drawn);
    rand for 1 .. 3;
    my $before = @asked;
    my $x = draw();
    %answers = ();
    ($number % 25 ? $holds[rand @holds] : \&hold_report)->($x);
    $_->{number} = $number for @asked[$before .. $#asked];
}
hold_python() if $python_path;
print join(', ', map { "$_ $held{$_}" } sort keys %held), "\n";
exit($wrong ? 1 : 0);
