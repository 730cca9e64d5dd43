#!/usr/bin/perl
# Finds out what each script of tests/ runs, so that `make check` runs again only the scripts that a change can affect:
# uses.pl BUILD STARTED... writes BUILD/uses/test_NAME.sh for each script, a list of files with the MD5 of each. A list that
# has not changed keeps its time. STARTED are programs and libraries that scripts start or load beside collsim.
#
# A command can call what its file cmd_NAME.o refers to, what that refers to, and so on: only main.o and commands.o have the
# table of all commands. A script can give only the commands whose names are words of its text, unless it gets command lines
# from elsewhere: then, and if it reads the sources, it depends on all.
use strict;
use warnings;
use Digest::MD5;

my ($build, @started) = @ARGV;
my @objects = grep { !m{/sim/run/mpi/} } map { glob "$build/$_" } map { ("$_/*.o", "$_/*/*.o", "$_/*/*/*.o") } 'algos', 'sim', 'cli';
my @sources = map { glob } map { ("$_/*.[ch]", "$_/*/*.[ch]", "$_/*/*/*.[ch]", "$_/*/*/*/*.[ch]") } 'algos', 'sim', 'cli';

# What each object refers to.
my (%defined, %wanted, %refers);
open my $nm, '-|', 'nm', '-A', '-g', @objects or die "nm: $!\n";
while (<$nm>) {
    my ($object, $kind, $name) = /^(.*?):\S* +(\w) (\S+)$/ or die "uses.pl: nm writes: $_";
    if ($kind eq 'U') { push @{$wanted{$object}}, $name } else { $defined{$name} = $object }
}
close $nm or die "uses.pl: nm failed\n";
for my $object (@objects) {
    my %others = map { $_ => 1 } grep { defined } map { $defined{$_} } @{$wanted{$object}};
    $refers{$object} = [grep { $object !~ m{/(main|commands)\.o$} || !m{/cmd_} } keys %others];
}

# The objects that can be reached from some.
sub reach {
    my %seen;
    while (defined(my $object = pop)) { push @_, @{$refers{$object}} if !$seen{$object}++ }
    return keys %seen;
}
my %command = map { m{/cmd_(\w+)\.o$} ? ($1 => $_) : () } @objects;
my @always = ("$build/cli/main.o", grep { defined } map { $defined{$_} } `cat sim/library/exports.txt` =~ /(coll_\w+)/g);

my %md5;
sub md5 {
    my $file = shift;
    return $md5{$file} //= do { open my $in, '<:raw', $file or die "$file: $!\n"; Digest::MD5->new->addfile($in)->hexdigest };
}
sub text {
    open my $in, '<', shift or return '';
    local $/;
    return <$in>;
}

mkdir "$build/uses";
for my $script (glob 'tests/test_*.sh') {
    my $text = text($script) =~ s/^ *#.*//mgr;
    $text .= join '', map { text($_) } grep { !/tap[.]sh$/ } map { glob "{tests,experiments,install}/$_" } $text =~ m{/(\w+[.](?:p[ly]|sh|txt))\b}g;
    my ($list) = $script =~ m{([^/]+)$};
    my @names = grep { $text =~ /(?<![\w-])$_(?!\w)/ } keys %command;
    @names = grep { $_ ne 'export' || $text =~ /(?<![\w-])export (?![A-Z_]+\b)/ } @names; # the shell has this command too
    my %uses = map { $_ => 1 } reach(@always, @command{@names});
    my $all = $text =~ m~
        README[.]md | \bdocs/ | \b(cli|sim|algos)\b/ | coll[.]h           # other texts, and the sources
        | (COLLSIM"?|\bcollsim|\bc|"[\$]0")\ (help|--help|complete|man)\b # names of all commands
        | collsim\ [}/]                                                   # command lines of an answer
    ~x;
    $uses{$_} = 1 for $all ? (@objects, @sources, @started) : ();
    # Programs that are started are made of what is below the commands.
    my $starts = $text =~ /mpi|libcollsim|order_/ || grep { m{/sim/run/launch/} } keys %uses;
    $uses{$_} = 1 for $starts ? (@started, grep { !m{/cli/} } @objects) : ();
    my $now = join '', map { md5($_) . " $_\n" } sort('Makefile', 'sim/library/exports.txt', keys %uses);
    next if $now eq text("$build/uses/$list");
    open my $out, '>', "$build/uses/$list" or die "$build/uses/$list: $!\n";
    print $out $now;
    close $out or die "$build/uses/$list: $!\n";
}
