# Prints each name in a code span of the pages that nothing in the sources has: "PAGE:LINE: NAME". From the top of the sources:
#
#     perl tests/docs_names.pl PAGE..
#
# Names are identifiers with a _ or with a capital inside, functions (`name()`), and paths of files (`sim/base/error.c`,
# `error.h`). NAME inside a name stands for others (`log_NAME_read`), and so does a file's name in capitals (`FILE.ini`). The pages' own examples, and names of
# other programs, are listed here.
use strict;
use warnings;
use File::Find;

my %listed = map { $_ => 1 } qw(
    bcast_relay mean_sent_bytes tau tau_s tau_count module_verb
    L_ns o_ns g_ns G_ns O_ns port_bytes work_bytes at_zero_s per_byte_s
    algos/bcast/relay.c mine.c pick.h PICK_ALLGATHER PICK_IRREGULAR
    coll_han_COLLECTIVE_low_module coll_han_bcast_low_module coll_xhc_priority coll_xhc_bcast_hierarchy coll_acoll_priority
    coll_acoll_comm_size_thresh coll_acoll_use_dynamic_rules coll_acoll_bcast_lin0 cico_max chunk_size _chunk_size _cico_max
    here.ini ucc.sh adjust.sh UCC_TL_UCP_ALLREDUCE_KN_RADIX mpi.h IPM_LOGDIR LD_PRELOAD MPIR_CVAR_COLLECTIVE_FALLBACK libbine_allgather libbine/libbine_allgather.c
    single_s single_count allreduce_mine process_vm_readv coll_libnbc_ibcast_knomial_radix
);

my (%word, %call, %file);
sub keep
{
    my ($path) = @_;
    $path =~ s{^\./}{};
    for (my $tail = $path; ; ) { # sim/base/error.c is also base/error.c and error.c
        $file{$tail} = 1;
        $tail =~ s{^[^/]*/}{} or last;
    }
    return if $path =~ /\.(?:md|svg|png)$/ || $path =~ /^\./;
    open my $in, '<', $path or return;
    local $/;
    my $text = <$in>;
    @word{$text =~ /[A-Za-z_]\w*+/g} = ();
    @call{$text =~ /\b([A-Za-z_]\w*+)\s*+\(/g} = ();
}
find({ no_chdir => 1, wanted => sub {
    return $File::Find::prune = 1 if m{^\./(?:build[^/]*|\.git|results)$};
    keep($_) if -f;
} }, '.');

my $status = 0;
for my $page (@ARGV) {
    open my $in, '<', $page or die "$page: $!\n";
    my $code = 0;
    while (my $line = <$in>) {
        $code = !$code if $line =~ /^\s*```/;
        next if $code;
        while ($line =~ /`([^`]+)`/g) {
            my $span = $1;
            my @missing;
            while ($span =~ m{((?:[\w-]+/)*[\w-]+\.(?:c|h|sh|pl|py|ini))\b}g) { # after a * it is a pattern, as test_*.c
                push @missing, $1 if !$file{$1} && $1 !~ m{(?:^|/)[A-Z]+\.\w+$} && substr($span, 0, $-[1]) !~ /[*.\$]$/;
            }
            while ($span =~ /([A-Za-z_]\w*)(\(\))?/g) {
                my ($name, $called) = ($1, $2);
                next unless $called || $name =~ /_|[a-z][A-Z]/;
                next if $file{"$name.c"} || $file{"$name.h"} || $file{"$name.sh"} || $file{"$name.pl"};
                push @missing, $name unless $called ? exists $call{$name} : exists $word{$name};
            }
            for my $name (grep { !$listed{$_} && !/NAME/ } @missing) {
                print "$page:$.: $name\n";
                $status = 1;
            }
        }
    }
}
exit $status;
