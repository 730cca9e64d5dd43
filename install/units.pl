#!/usr/bin/perl
# units.pl MOST BUILD SOURCE...: packs the sources of each folder into units of at most MOST, each of which gcc compiles at
# once, because to start gcc and to read headers takes most of the time of a build without optimising. A unit is a file of
# options, BUILD/FOLDER/unit_1.sources: all sources but the last are read before the last. Prints the objects: one for each
# unit, and for each source that is compiled alone.
#
# A source of a unit must not notice the others. So two can be in one only if no name that one of them has for itself (of a
# static function, a type, a constant or a macro) is a word of the other. A source that has for itself what a header has too
# stays alone, and so do the files of the commands, for uses.pl.
use strict;
use warnings;

my ($most, $build, @sources) = @ARGV;
my @headers = map { glob } map { ("$_/*.h", "$_/*/*.h", "$_/*/*/*.h", "$_/*/*/*/*.h") } 'algos', 'sim', 'cli';

# read_source FILE: the words of a source, those that are not members of a struct, and the names that it has for itself.
sub read_source {
    my ($file) = @_;
    open my $in, '<', $file or die "$file: $!\n";
    my $text = do { local $/; <$in> };
    $text =~ s{//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'}{ }gs;
    my %source = (file => $file, words => {map { $_ => 1 } $text =~ /\w+/g});
    $source{free} = {map { $_ => 1 } $text =~ /(?<![.>\w])\w+/g};
    $source{macros} = [$text =~ /^\s*#\s*define\s+(\w+)/mg];
    $source{alone} = $file =~ m{^cli/[^/]*$} || grep { $_ eq '_GNU_SOURCE' } @{$source{macros}};

    my %own;
    for my $constants ($text =~ /\benum\b[^{;()]*\{([^}]*)\}/g) {
        $own{$_} = 1 for $constants =~ /(\w+)\s*(?:=[^,]*)?(?:,|$)/g;
    }
    # What is left are declarations, without their parameters, bodies and values.
    $text =~ s/^\s*#(?:[^\n]*\\\n)*[^\n]*//mg;
    1 while $text =~ s/\([^()]*\)/<>/g;
    1 while $text =~ s/=\s*\{[^{}]*\}/=/g || $text =~ s/\{[^{}]*\}/ ;/g;
    for my $declaration (split /;/, $text) {
        $own{$1} = 1 if $declaration =~ /^\s*(?:typedef\s+)?(?:struct|union|enum)\s+(\w+)\s*$/;
        next unless $file =~ /h$/ || $declaration =~ /^\s*(?:static|typedef)\b/;
        $declaration =~ s/=[^,]*//g;
        $own{$_} = 1 for $declaration =~ /(\w+)\s*(?:<>|\[|,|$)/g;
    }
    $source{own} = [grep { !/^(?:struct|union|enum|__attribute__|G_[A-Z_]+)$/ } keys %own];
    return \%source;
}

# notices A B: returns true if A has a word that is a name of B's own.
sub notices {
    my ($a, $b) = @_;
    return $b->{alone} || grep({ $a->{free}{$_} } @{$b->{own}}) || grep { $a->{words}{$_} } @{$b->{macros}};
}

# write_new FILE TEXT: writes a file, unless it has this text.
sub write_new {
    my ($file, $text) = @_;
    if (open my $in, '<', $file) {
        local $/;
        return if <$in> eq $text;
    }
    open my $out, '>', $file or die "$file: $!\n";
    print $out $text;
    close $out or die "$file: $!\n";
}

my %units;
my %in_header = map { $_ => 1 } map { (@{$_->{own}}, @{$_->{macros}}) } map { read_source($_) } @headers;
for my $source (map { read_source($_) } sort @sources) {
    $source->{alone} ||= grep { $in_header{$_} } @{$source->{own}}, @{$source->{macros}};
    my ($folder) = $source->{file} =~ m{(.*)/};
    my ($unit) = grep { @$_ < $most && !grep { notices($source, $_) || notices($_, $source) } @$_ } @{$units{$folder}};
    $unit ? push @$unit, $source : push @{$units{$folder}}, [$source];
}
for my $folder (sort keys %units) {
    system('mkdir', '-p', "$build/$folder") if !-d "$build/$folder";
    my %objects;
    my $n = 0;
    for my $unit (@{$units{$folder}}) {
        my ($last, @before) = map { $_->{file} } reverse @$unit;
        my $object = "$build/$last" =~ s/c$/o/r;
        if (@before) {
            $object = "$build/$folder/unit_" . ++$n . '.o';
            write_new($object =~ s/o$/sources/r, join('', map { "-include $_\n" } reverse @before) . "$last\n");
        }
        $objects{$object} = 1;
    }
    # What another packing left would be taken for a part of the program.
    unlink grep { !$objects{$_} } glob "$build/$folder/*.o";
    print "$_\n" for sort keys %objects;
}
