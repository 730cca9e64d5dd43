# Reads sources: which names a file has for itself, and which words it uses (units.pl, and uses.pl of tests/).
use strict;
use warnings;

our $APART = qr{//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'}s; # what has no names: comments and texts

# read_file FILE: the text of a file, or nothing.
sub read_file {
    open my $in, '<', shift or return undef;
    local $/;
    return scalar <$in>;
}

# write_new FILE TEXT: writes a file, unless it has this text.
sub write_new {
    my ($file, $text) = @_;
    return if $text eq (read_file($file) // '');
    open my $out, '>', $file or die "$file: $!\n";
    print $out $text;
    close $out or die "$file: $!\n";
}

# globs KIND: the files of a kind in the folders of the program.
sub globs {
    my ($kind) = @_;
    return map { glob } map { ("$_/*.$kind", "$_/*/*.$kind", "$_/*/*/*.$kind") } 'algos', 'sim', 'cli';
}

# read_source FILE: what is in a source or a header.
#   raw       its text
#   includes  the headers of ours that it includes
#   free      its words that are not members
#   macros    the macros that it defines
#   own       the names that nothing outside has: of static functions, types and constants; of a header all names
#   global    the names of functions and variables that others can use
#   fixed     those of own that a unit cannot change (units.pl)
#   alone     whether it is in no unit
sub read_source {
    my ($file) = @_;
    my $raw = read_file($file) // die "$file: $!\n";
    my %source = (file => $file, raw => $raw, includes => [$raw =~ /^#include "([^"]*)"/mg]);
    my $text = $raw =~ s/$APART/ /gr;
    $source{free} = {map { $_ => 1 } $text =~ /(?<![.>\w])[A-Za-z_]\w*/g};
    $source{macros} = [$text =~ /^\s*#\s*define\s+(\w+)/mg];
    $source{alone} = $file =~ m{/main\.c$} || $text =~ /^\s*#\s*define\b.*?^\s*#\s*include\b/ms;
    my $fixed = $text =~ /^\s*#\s*define\b(?:[^\n]*\\\n)*[^\n]*#\s*\w/m;

    my (%own, %global);
    for my $constants ($text =~ /\benum\b[^{;()]*\{([^}]*)\}/g) {
        $own{$_} = 1 for $constants =~ /(\w+)\s*(?:=[^,]*)?(?:,|$)/g;
    }
    # What is left are declarations, without their parameters, bodies and values.
    $text =~ s/^\s*#(?:[^\n]*\\\n)*[^\n]*//mg;
    my %member;
    for my $members ($text =~ /\b(?:struct|union)\b\s*\w*\s*(\{(?:[^{}]++|(?1))*\})/g) {
        $member{$_} = 1 for $members =~ /(\w+)\s*(?=[;,\[:)])/g;
    }
    1 while $text =~ s/\([^()]*\)/<>/g;
    $text =~ s/^[A-Z_]+<>$/;/mg; # a macro of GLib that defines functions
    $text =~ s/\bextern\s+\{//g;
    $own{$_} = 1 for $text =~ /\b(?:struct|union|enum)\s+(\w+)\s*\{/g;
    1 while $text =~ s/=\s*\{[^{}]*\}/=/g || $text =~ s/(\b(?:struct|union|enum)\b\s*\w*)\s*\{[^{}]*\}/$1 /g || $text =~ s/\{[^{}]*\}/ ;/g;
    for my $declaration (grep { !/^\s*(?:struct|union|enum)\s*\w*\s*$/ } split /;/, $text) {
        my $names = $file =~ /h$/ || $declaration =~ /^\s*(?:[A-Z_]+\s+)?(?:static|typedef)\b/ ? \%own : \%global;
        $declaration =~ s/=[^,]*//g;
        $names->{$_} = 1 for $declaration =~ /(\w+)\s*(?:<>|\[|,|$)/g;
    }
    delete $own{$_} for grep { /^(?:struct|union|enum|__attribute__|G_[A-Z_]+)$/ } keys %own;
    @source{'own', 'global'} = (\%own, \%global);
    $source{fixed} = {map { $_ => 1 } grep { $fixed || $member{$_} } keys %own};
    return \%source;
}

# reach HEADERS SOURCE: those of the headers, by the names that they are included by, that a source includes, and that
# these include.
sub reach {
    my ($headers, $source) = @_;
    my %seen;
    my @next = @{$source->{includes}};
    while (defined(my $name = pop @next)) { push @next, @{$headers->{$name}{includes} // []} if !$seen{$name}++ }
    return grep { defined } map { $headers->{$_} } sort keys %seen;
}
1;
