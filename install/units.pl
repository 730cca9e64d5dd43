#!/usr/bin/perl
# units.pl MOST BUILD SOURCE...: packs the sources of each folder into units of at most MOST, each of which gcc compiles at
# once, because to start gcc and to read headers takes most of the time of a build. A unit, BUILD/FOLDER/unit_1.c, has the
# texts of its sources one after the other, and says which file each line is of. Prints the objects: one for each unit, and
# for each source that is compiled alone. BUILD/FOLDER/units has those of a folder until one of its sources changes.
#
# A source of a unit must not notice the others. If a name that one has for itself (of a static function, a type or a
# constant) is a word of another one, the unit gives it the name of the source too: formula of binomial.c is
# formula_of_binomial there. Where this cannot be done, because a member has the name or because a macro makes names or texts
# of words, the two are in different units. A macro ends with its source. What defines a macro for its headers stays alone,
# and so does main.c, which not every program has.
use strict;
use warnings;
my $beside = $0 =~ s{[^/]*$}{}r . 'sources.pm';
require($beside =~ m{^/} ? $beside : "./$beside");
our $APART;

my ($most, $build, @sources) = @ARGV;

# What each header has, read when a folder has changed, and the names of all.
my (%header, %of_headers);
my @headers = (globs('h'), glob('tests/*.h'));
sub read_headers {
    return if %header;
    %header = map { s{^[^/]*/}{}r => read_source($_) } @headers;
    %of_headers = map { $_ => 1 } map { (keys %{$_->{own}}, @{$_->{macros}}) } values %header;
}

# meet_headers SOURCE: a name of a source that is a name of a header too is changed, unless the source includes the header:
# then it is the same, such as that of a type whose members only this source knows.
sub meet_headers {
    my ($source) = @_;
    my @met = grep { $of_headers{$_} } keys %{$source->{own}}, @{$source->{macros}};
    return if !@met;
    my %same = map { $_ => 1 } map { (keys %{$_->{own}}, @{$_->{macros}}) } reach(\%header, $source);
    delete $source->{own}{$_} for grep { $same{$_} } @met;
    $source->{changed}{$_} = 1 for grep { $source->{own}{$_} } @met;
    my %macro = map { $_ => 1 } @{$source->{macros}};
    $source->{alone} ||= grep { $macro{$_} || $source->{own}{$_} && $source->{fixed}{$_} } @met;
}

# noticed A B: the names of A's own that are words of B.
sub noticed {
    my ($a, $b) = @_;
    return grep { $b->{free}{$_} } keys %{$a->{own}};
}

# fit A B: returns true if two sources can be in one unit.
sub fit {
    my ($a, $b) = @_;
    return !$a->{alone} && !$b->{alone} && !grep({ $a->{fixed}{$_} } noticed($a, $b)) && !grep { $b->{fixed}{$_} } noticed($b, $a);
}

# unit_text SOURCE...: the text of a unit.
sub unit_text {
    my $unit = '';
    for my $source (@_) {
        my ($base) = $source->{file} =~ m{([^/]*)\.c$};
        my %changed = %{$source->{changed} // {}};
        for my $other (@_) {
            $changed{$_} = 1 for $other == $source ? () : noticed($source, $other);
        }
        my $raw = $source->{raw};
        $raw =~ s{($APART|^[ \t]*#[ \t]*include\b[^\n]*)|(?<![.>\w])([A-Za-z_]\w*)}
                 {defined $1 ? $1 : $changed{$2} ? "$2_of_$base" : $2}gmse if %changed;
        $unit .= "#line 1 \"$source->{file}\"\n$raw" . join '', map { "#undef $_\n" } @{$source->{macros}};
    }
    return $unit;
}

# pack_folder FOLDER FILE...: packs the sources of a folder, and returns the objects.
sub pack_folder {
    my ($folder, @files) = @_;
    read_headers();
    my @units;
    for my $source (map { read_source($_) } @files) {
        meet_headers($source);
        my ($unit) = grep { @$_ < $most && !grep { !fit($source, $_) } @$_ } @units;
        $unit ? push @$unit, $source : push @units, [$source];
    }
    system('mkdir', '-p', "$build/$folder") if !-d "$build/$folder";
    my @objects;
    my $n = 0;
    for my $unit (@units) {
        push @objects, "$build/" . (@$unit == 1 ? $unit->[0]{file} =~ s/c$/o/r : "$folder/unit_" . ++$n . '.o');
        write_new($objects[-1] =~ s/o$/c/r, unit_text(@$unit)) if @$unit > 1;
    }
    return @objects;
}

# age FILE...: the time of the latest change of files, in seconds.
sub age {
    my $latest = 0;
    for my $file (@_) {
        my $time = (stat $file)[9] // 0;
        $latest = $time if $time > $latest;
    }
    return $latest;
}

my $common = age(@headers, $0, $beside);
my %files;
push @{$files{s{/[^/]*$}{}r}}, $_ for sort @sources;
for my $folder (sort keys %files) {
    my $list = "$build/$folder/units";
    my $packed = "@{$files{$folder}} by $most\n";
    my $objects = read_file($list) // '';
    if (age($list) <= age(@{$files{$folder}}) || age($list) <= $common || index($objects, $packed)) {
        $objects = $packed . join '', map { "$_\n" } pack_folder($folder, @{$files{$folder}});
        open my $out, '>', $list or die "$list: $!\n";
        print $out $objects;
        close $out or die "$list: $!\n";
    }
    print substr $objects, length $packed;
}
