#!/usr/bin/perl
# Finds out what each script of tests/ runs, so that `make check` runs again only the scripts that a change can affect:
# uses.pl BUILD STARTED... writes BUILD/uses/test_NAME.sh for each script, a list of files with an MD5 of each. A list that
# has not changed keeps its time. STARTED are programs and libraries that scripts start or load beside collsim.
#
# A command can call what its file cmd_NAME.c refers to, what that refers to, and so on: only main.c and commands.c have the
# table of all commands. A script can give only the commands whose names are words of its text, unless it gets command lines
# from elsewhere: then, and if it reads the sources, it depends on all.
use strict;
use warnings;
use Digest::MD5;
require './install/sources.pm';
our $APART;

my ($build, @started) = @ARGV;
my %source = map { $_ => read_source($_) } grep { !m{^sim/run/mpi/|^cli/explore/} } globs('c');
my %header = map { s{^[^/]*/}{}r => read_source($_) } globs('h');

# What each source refers to: where its words are defined. A word can be a macro or a function of a header, which stands for
# the words in its body. A macro can also make a name of two words: name##_algorithm.
my (%defined, %body);
for my $file (keys %source) { $defined{$_} = $file for keys %{$source{$file}{global}} }
for my $text (map { $_->{raw} } values %header) {
    $text =~ s/$APART/ /g;
    push @{$body{$1}}, $2 while $text =~ /^\s*#\s*define\s+(\w+)((?:[^\n]*\\\n)*[^\n]*)/mg;
    push @{$body{$1}}, $2 while $text =~ /^static\b[^;={}]*?(\w+)(\((?:[^;{}]*)\)\s*\{.*?^\})/msg;
    push @{$body{$1}}, $2 while $text =~ /^G_DEFINE_AUTO\w*\((\w+), (\w+)\)/mg;
}
# words_of TEXT: its words that are not members, and the ends that macros in it give to words.
my %words_of;
sub words_of {
    my ($text) = @_;
    return $words_of{$text} //= {words => [$text =~ /(?<![.>\w])[A-Za-z_]\w*/g], ends => [$text =~ /##\s*(\w+)/g]};
}
# refer FILE: the sources that a source refers to.
sub refer {
    my ($file) = @_;
    my (%words, %ends);
    for (my @texts = $source{$file}{raw} =~ s/$APART/ /gr; @texts; ) {
        my $next = words_of(pop @texts);
        $ends{$_} = 1 for @{$next->{ends}};
        for my $word (@{$next->{words}}) { push @texts, @{$body{$word} // []} if !$words{$word}++ }
    }
    my %others = map { $_ => 1 } grep { defined } map { my $word = $_; map { $defined{"$word$_"} } '', keys %ends } keys %words;
    return [grep { $file !~ m{/(main|commands)\.c$} || !m{/cmd_} } keys %others];
}
my %refers = map { $_ => refer($_) } keys %source;

# called FILE...: the sources that can be reached from some.
sub called {
    my %seen;
    while (defined(my $file = pop)) { push @_, @{$refers{$file}} if !$seen{$file}++ }
    return keys %seen;
}
my %command = map { m{/cmd_(\w+)\.c$} ? ($1 => $_) : () } keys %source;
my @always = ('cli/main.c', grep { defined } map { $defined{$_}, $defined{s/^coll_//r} } read_file('sim/library/exports.txt') =~ /(coll_\w+)/g);

# compiled FILE: an MD5 of what is compiled of a source: of its text and its headers, without comments, and without what a
# header only declares.
my (%md5, %compiled);
sub bare { # the MD5 of one file
    my ($file) = @_;
    my $text = $file->{raw} =~ s{($APART)}{$1 =~ m{^/} ? ' ' : $1}ger;
    $text =~ s/^(?!static|typedef)\w[^;{}=#]*\)\s*;//mg if $file->{file} =~ /h$/;
    return Digest::MD5::md5_hex(join ' ', split ' ', $text);
}
$_->{bare} = bare($_) for values %source, values %header;
sub compiled {
    my ($file) = @_;
    return $compiled{$file} //= Digest::MD5::md5_hex(map { $_->{bare} } $source{$file}, reach(\%header, $source{$file}));
}

sub md5 {
    my $file = shift;
    return $md5{$file} //= do { open my $in, '<:raw', $file or die "$file: $!\n"; Digest::MD5->new->addfile($in)->hexdigest };
}

mkdir "$build/uses";
for my $script (glob 'tests/test_*.sh') {
    my $text = read_file($script) =~ s/^ *#.*//mgr;
    $text .= join '', map { read_file($_) // '' } grep { !/tap[.]sh$/ } map { glob "{tests,experiments,install}/$_" } $text =~ m{/(\w+[.](?:p[ly]|sh|txt))\b}g;
    my ($list) = $script =~ m{([^/]+)$};
    my @names = grep { $text =~ /(?<![\w-])$_(?!\w)/ } keys %command;
    @names = grep { $_ ne 'export' || $text =~ /(?<![\w-])export (?![A-Z_]+\b)/ } @names; # the shell has this command too
    my %uses = map { $_ => 1 } called(@always, @command{@names});
    my $all = $text =~ m~
        README[.]md | \bdocs/ | \b(cli|sim|algos)\b/ | coll[.]h           # other texts, and the sources
        | (COLLSIM"?|\bcollsim|\bc|"[\$]0")\ (help|--help|complete|man)\b # names of all commands
        | collsim\ [}/]                                                   # command lines of an answer
    ~x;
    # Programs that are started are made of what is below the commands.
    my $starts = $all || $text =~ /mpi|libcollsim|order_/ || grep { m{^sim/run/launch/} } keys %uses;
    $uses{$_} = 1 for $starts ? grep { !m{^cli/} } keys %source : ();
    my %of = map { $_ => compiled($_) } keys %uses;
    $of{$_} = md5($_) for 'Makefile', 'sim/library/exports.txt', $starts ? @started : (), $all ? (globs('[ch]')) : ();
    write_new("$build/uses/$list", join '', map { "$of{$_} $_\n" } sort keys %of);
}
