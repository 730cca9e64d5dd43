#!/usr/bin/perl
# A second reader of Open MPI's rules files, written from a description of the formats alone, without a look at the
# program's own (sim/libraries/decide/rules_text.c and rules_json.c). Two details that the description lacks are from the library's
# source: that a fifth number is on the line of the fourth, and what infinity is as an end of ranks. It says what id runs
# for a collective on p ranks with so many bytes, as the library counts them, and holds that against `collsim rules show`:
#
#     rules_reader.pl random N             at N random files of each kind, a third of them with a mistake
#     rules_reader.pl files VERSION:FILE.. at these files, each as the version reads it; all of them must run the same
#
# Files are compared at all numbers that they have for ranks and for sizes, at these numbers -1 and +1, and at some
# others. Where a file has one rule for a point, what the rule passes to the algorithm is compared as well.
use strict;
use warnings;
use JSON::PP;

my @names = qw(allgather allgatherv allreduce alltoall alltoallv alltoallw barrier bcast exscan gather gatherv reduce
    reduce_scatter reduce_scatter_block scan scatter scatterv);
my %idle = map { $_ => 1 } qw(alltoallw gatherv scatterv); # the component tuned does not have these
my %sizeless = map { $_ => 1 } qw(alltoallv barrier);     # their size is always 0
my $endless = 9e18;
my $collsim = $ENV{COLLSIM};

# The answer of `rules show`, for which no shell starts.
sub show {
    my ($path, $version, @options) = @_;
    open my $answer, '-|', $collsim, 'rules', 'show', $path, '--for', $version, @options or die "$collsim: $!\n";
    local $/;
    return <$answer> // '';
}
my ($points, $bad) = (0, 0);

# ---- Reading --------------------------------------------------------------------------------------------------------------
#
# A file becomes a list of communicators for each collective, in the order in which the library looks at them:
#     {allreduce} = [{from, to, rules => [{from, to, id, fanout, segment, requests}, ..]}, ..]
# The first communicator that fits decides, and in it the first rule that fits. Returns undef for a file that the library
# ignores.

# Takes the next number of a text, as C's %li reads it; comments and what is not a number are skipped. With `same_line` it
# must come next on the line, and 0 is returned otherwise.
sub number {
    my ($text, $same_line) = @_;
    return 0 if $same_line && $$text !~ /^[ \t]*\d/;
    $$text =~ s/^(?:#[^\n]*+|-(?!\d)|[^-#\d])*+(-?)(0x[0-9a-f]+|\d+)//i or die "ends\n";
    my ($minus, $digits) = ($1, $2);
    return ($minus ? -1 : 1) * ($digits =~ /^0/ ? oct $digits : $digits);
}

sub read_text {
    my ($text, $version) = @_;
    my $second = $version ne 'ompi-4.1' && $text =~ s/^rule-file-version-2//;
    my %file;
    my $take = sub { number(\$text) };
    my $ends = !eval {
        my $collectives = $take->();
        die "negative\n" if $collectives < 0;
        while ($collectives-- > 0) {
            my ($collective, @sets) = $names[$take->()];
            for (my $left = $take->(); $left > 0; $left--) {
                my %set = (key => $take->(), rules => []);
                for (my $rules = $take->(); $rules > 0; $rules--) {
                    my %rule = (key => $take->());
                    $rule{$_} = $take->() for qw(id fanout segment);
                    $rule{requests} = $second ? number(\$text, 1) : 0; # it may be left out
                    die "not from 0\n" if !@{$set{rules}} && $rule{key} != 0;
                    push @{$set{rules}}, \%rule;
                }
                push @sets, \%set;
            }
            $file{$collective} = $version eq 'ompi-main' ? shifted(@sets) : in_place(@sets);
        }
        1;
    };
    return $ends ? undef : \%file;
}

# 4.1 and 5: rules under a key serve from there up to the next one; those under the first key also what is below. A rule
# is not found behind a greater size.
sub in_place {
    my @sets = @_;
    for my $i (0 .. $#sets) {
        $sets[$i]{from} = $i ? $sets[$i]{key} : 0;
        $sets[$i]{to} = $i < $#sets ? $sets[$i + 1]{key} - 1 : $endless;
        my @rules = @{$sets[$i]{rules}};
        my $most = -1;
        for my $rule (@rules) { # the last one of those that begin up to the size, before the first one beyond it
            $most = $rule->{key} if $rule->{key} > $most;
            @$rule{qw(from to)} = ($most, $endless);
        }
        $sets[$i]{rules} = [reverse @rules];
    }
    return \@sets;
}

# main: the keys become upper ends, so that the rules under a key serve the range below it.
sub shifted {
    my @sets = @_;
    my $from = 0;
    for my $i (0 .. $#sets) {
        $sets[$i]{from} = $from;
        $from = $sets[$i]{key};
        $sets[$i]{to} = $i < $#sets ? $from - 1 : $endless;
        $from = $sets[$i]{to} + 1;
        my $rules = $sets[$i]{rules};
        $rules->[$_]{from} = $rules->[$_]{key} for 0 .. $#$rules;
        $rules->[$_]{to} = $_ < $#$rules ? $rules->[$_ + 1]{key} - 1 : $endless for 0 .. $#$rules;
    }
    return \@sets;
}

my %ids; # of the main version, by collective and name
open my $table, '<', "$ENV{DECISIONS}/openmpi-algorithms.csv" or die "no table of algorithms: $!";
while (<$table>) {
    my ($collective, $id, $name, $versions) = split /,/;
    $ids{$collective}{$name} = $id if $versions =~ /main/;
}

# A bound of JSON. Dies if it is neither an integer nor infinity, which `infinity` stands for: as an end of ranks the
# library cuts it to 32 bits, so that no number of ranks is below it.
sub bound {
    my ($text, $default, $infinity) = @_;
    return $default unless defined $text;
    return $infinity // $endless if $text =~ /^(?:inf|Inf|INF)$/;
    die "not an integer\n" if ref $text || $text !~ /^-?\d+$/ || JSON::PP->new->allow_nonref->encode($text) =~ /"/;
    return $text;
}

sub read_json {
    my ($text) = @_;
    my %file;
    my $good = eval {
        my $all = decode_json($text)->{collectives};
        for my $collective (keys %$all) {
            die "unknown\n" unless grep { $_ eq $collective } @names;
            for my $set (@{$all->{$collective}}) {
                my %out = (from => bound($set->{comm_size_min}, 0), to => bound($set->{comm_size_max}, $endless, -1),
                    nodes => $set->{comm_rank_distribution} // 'any', rules => []);
                for my $rule (@{$set->{rules}}) {
                    my $id = $rule->{alg} =~ /^\d+$/ ? $rule->{alg} : $ids{$collective}{$rule->{alg}};
                    my ($from, $to) = (bound($rule->{msg_size_min}, 0), bound($rule->{msg_size_max}, $endless));
                    next unless defined $id && ($id == 0 || grep { $_ == $id } values %{$ids{$collective}});
                    push @{$out{rules}}, {from => $from, to => $to, id => $id, fanout => $rule->{faninout} // 0,
                        segment => $rule->{seg_size} // 0, requests => $rule->{reqs} // 0};
                }
                push @{$file{$collective}}, \%out;
            }
        }
        1;
    };
    return $good ? \%file : undef;
}

sub read_rules {
    my ($text, $version) = @_;
    return $version eq 'ompi-main' && $text =~ /^\s*\{/ ? read_json($text) : read_text($text, $version);
}

# The rule that decides, on several nodes with several ranks on one of them; undef for the fixed decision.
sub find {
    my ($file, $collective, $p, $bytes) = @_;
    return undef if $idle{$collective};
    for my $set (@{$file->{$collective} // []}) {
        next unless $set->{from} <= $p && $p <= $set->{to} && ($set->{nodes} // 'any') eq 'any';
        for my $rule (@{$set->{rules}}) {
            return $rule->{id} ? $rule : undef if $rule->{from} <= $bytes && $bytes <= $rule->{to};
        }
        return undef;
    }
    return undef;
}

# ---- What the program says ------------------------------------------------------------------------------------------------

# The maps of `rules show`: {allreduce}{ranks}{bytes} is the id from there on, or a dot.
sub maps {
    my ($path, $version) = @_;
    my (%maps, $collective, @sizes);
    for (split /\n/, show($path, $version)) {
        if (/^(\w+), id from so many ranks/) {
            $collective = $1;
        } elsif (/^ +ranks +(.*)/) {
            @sizes = map { /^(\d+)([KMGT]?)$/ ? $1 * 1024**index(' KMGT', $2 || ' ') : die "no size: $_\n" } split ' ', $1;
        } elsif ($collective && /^ +(\d+) +(.*)/) {
            my ($ranks, @ids) = ($1, split ' ', $2);
            $maps{$collective}{$ranks}{$sizes[$_]} = $ids[$_] for 0 .. $#ids;
        }
    }
    return \%maps;
}

sub last_up_to {
    my ($value, @keys) = @_;
    my ($last) = sort { $b <=> $a } grep { $_ <= $value } @keys;
    return $last;
}

sub map_at {
    my ($maps, $collective, $p, $bytes) = @_;
    my $rows = $maps->{$collective} or return 0;
    my $row = $rows->{last_up_to($p, keys %$rows)};
    my $id = $row->{last_up_to($bytes, keys %$row)};
    return $id eq '.' ? 0 : $id;
}

# The rows of `rules show`, of which the first that fits decides unless a communicator without a rule hides it.
sub row_at {
    my ($rows, $collective, $p, $bytes) = @_;
    for (@$rows) {
        return $_ if $_->{collective} eq $collective && $_->{rank_distribution} eq 'any' && $_->{min_ranks} <= $p &&
            $p <= ($_->{max_ranks} // $endless) && $_->{min_bytes} <= $bytes && $bytes <= ($_->{max_bytes} // $endless);
    }
    return undef;
}

# ---- Comparing ------------------------------------------------------------------------------------------------------------

# All ranks and sizes to try: what is in the file, and beside it.
sub places {
    my (@files) = @_;
    my (%ranks, %sizes);
    for my $file (grep { $_ } @files) {
        for my $set (map { @$_ } values %$file) {
            $ranks{$_} = 1 for map { ($_ - 1, $_, $_ + 1) } grep { $_ < $endless } $set->{from}, $set->{to};
            $sizes{$_} = 1
                for map { ($_ - 1, $_, $_ + 1) } grep { $_ < $endless } map { ($_->{from}, $_->{to}) } @{$set->{rules}};
        }
    }
    return [grep { $_ >= 2 && $_ < 2**31 } 2, 7, 1000, keys %ranks], [grep { $_ >= 0 } 0, 8, 1 << 20, keys %sizes];
}

sub wrong {
    my ($what, $text) = @_;
    print "# $what\n", map { "# | $_\n" } split /\n/, $text;
    $bad++;
}

sub compare {
    my ($name, $text, $version, $path) = @_;
    my ($file, $maps) = (read_rules($text, $version), maps($path, $version));
    my $rows = decode_json(show($path, $version, '-f', 'json'))->{rows};
    my ($ranks, $sizes) = places($file);
    for my $collective (@names) {
        for my $p (@$ranks) {
            for my $bytes ($sizeless{$collective} ? 0 : @$sizes) {
                my $rule = find($file, $collective, $p, $bytes);
                my ($id, $said) = ($rule ? $rule->{id} : 0, map_at($maps, $collective, $p, $bytes));
                my $row = $rule && row_at($rows, $collective, $p, $bytes);
                $points++;
                return wrong("$name: $collective, $p ranks, $bytes bytes: $id here, $said there", $text) if $id != $said;
                next unless $rule && $row->{rule_id} == $id;
                my @here = @$rule{qw(fanout segment requests)};
                my @there = @$row{qw(fanout rule_segment_bytes max_requests)};
                return wrong("$name: $collective, $p ranks, $bytes bytes: @here here, @there there", $text)
                    if "@here" ne "@there";
            }
        }
    }
}

# ---- Random files ---------------------------------------------------------------------------------------------------------

sub any { return $_[int rand @_] }

sub size {
    my ($last) = @_;
    return $last + any(1, 7, 100, 1024, 8192, 1 << 20, 3 << 30);
}

# Returns a text file; `main` reads ids that do not exist in another way, so it gets none.
sub random_text {
    my ($version, $second) = @_;
    my @out = (1 + int rand 3);
    my @left = 0 .. $#names;
    for (1 .. $out[0]) {
        my ($collective, $key, $sets) = (splice(@left, int rand @left, 1), 0, 1 + int rand 3);
        push @out, $collective, $sets;
        for (1 .. $sets) {
            my ($bytes, $rules) = (0, 1 + int rand 3);
            $key += any(1, 2, 3, 8, 64);
            push @out, $key, $rules;
            for my $k (1 .. $rules) {
                my $fifth = $second && rand() < 0.7 ? any(' ', "\t") . any(0, 3) : '';
                my @ids = sort { $a <=> $b } values %{$ids{$names[$collective]} // {}};
                push @out, $bytes, any(0, @ids ? @ids : 0, $version eq 'ompi-main' ? 0 : 99), any(0, 0, 4), any(0, 1024) . $fifth;
                $bytes = rand() < 0.1 && $version ne 'ompi-main' && $k > 1 ? $bytes - 1 : size($bytes);
            }
        }
    }
    my $mistake = rand() < 0.33 ? int rand 8 : -1;
    my $text = join '', map { $_ . any($second ? () : (' ', "\t"), "\n", " # a comment 7\n") } @out;
    $text = substr $text, 0, length($text) / 2 if $mistake == 0;
    $text =~ s/\b(1024)\b/$1K/ if $mistake == 1;
    $text =~ s/\b8192\b/020000/ if $mistake == 2;
    $text =~ s/\b1024\b/0x400/g if $mistake == 3;
    $text =~ s/\b0\b/5/ if $mistake == 4 && $version ne 'ompi-main';
    $text =~ s/\s+\S+\s*$// if $mistake == 5;
    $text = "rule-file-version-2\n$text" if $second || $mistake == 6;
    $text = "# first\n$text" if $mistake == 6 && $version ne 'ompi-4.1';
    return $text;
}

sub random_json {
    my %all;
    for (1 .. 1 + int rand 3) {
        my $collective = any(grep { !$idle{$_} && $ids{$_} } @names);
        for (1 .. 1 + int rand 3) {
            my %set = (rules => []);
            $set{comm_size_min} = int rand 20 if rand() < 0.6;
            $set{comm_size_max} = any(10 + int rand 50, 'inf', 'Inf', 'INF') if rand() < 0.6;
            $set{comm_rank_distribution} = any(qw(any any one-per-node single-node)) if rand() < 0.4;
            for (1 .. int rand 4) {
                my %rule = (alg => any((sort keys %{$ids{$collective}}), (map { 0 + $_ } sort values %{$ids{$collective}}), 0, 99, 'nosuch'));
                $rule{msg_size_min} = size(0) if rand() < 0.5;
                $rule{msg_size_max} = any(size(1000), 'inf') if rand() < 0.5;
                $rule{faninout} = 4 if rand() < 0.2;
                $rule{seg_size} = 1024 if rand() < 0.2;
                $rule{segsize} = 4096 if rand() < 0.2;
                $rule{reqs} = 3 if rand() < 0.2;
                push @{$set{rules}}, \%rule;
            }
            push @{$all{$collective}}, \%set;
        }
    }
    my $mistake = rand() < 0.33 ? int rand 4 : -1;
    $all{reducescatter} = [] if $mistake == 0;
    my $json = JSON::PP->new->canonical->pretty->encode({rule_file_version => 3, module => 'tuned', collectives => \%all});
    $json =~ s/("msg_size_min" : )(\d+)/$1$2.5/ if $mistake == 1;
    $json =~ s/("comm_size_min" : )(\d+)/$1"$2"/ if $mistake == 2;
    return $json;
}

sub write_file {
    my ($path, $text) = @_;
    open my $out, '>', $path or die "$path: $!\n";
    print $out $text;
    close $out;
}

my ($kind, @arguments) = @ARGV;
if ($kind eq 'random') {
    srand 17;
    for my $i (1 .. $arguments[0]) {
        for (['ompi-4.1', 0], ['ompi-5', 0], ['ompi-5', 1], ['ompi-main', 0]) {
            my $text = random_text(@$_);
            write_file('random.conf', $text);
            compare("text $i, $_->[0]", $text, $_->[0], 'random.conf');
        }
        my $json = random_json();
        write_file('random.conf', $json);
        compare("JSON $i", $json, 'ompi-main', 'random.conf');
    }
} else {
    my @files;
    for (@arguments) {
        my ($version, $path) = /^(.*?):(.*)/;
        open my $in, '<', $path or die "$path: $!\n";
        my $text = join '', <$in>;
        compare($path, $text, $version, $path);
        push @files, read_rules($text, $version) // die "$path: $version ignores it\n";
    }
    my ($ranks, $sizes) = places(@files);
    for my $collective (@names) {
        for my $p (@$ranks) {
            for my $bytes ($sizeless{$collective} ? 0 : @$sizes) {
                my %runs = map { my $r = find($_, $collective, $p, $bytes); ($r ? $r->{id} : 0) => 1 } @files;
                wrong("$collective, $p ranks, $bytes bytes: " . join(' or ', sort keys %runs), '') if keys %runs > 1;
            }
        }
    }
}
print "$points points, $bad differences\n";
exit($bad > 0 || $points == 0);
