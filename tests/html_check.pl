#!/usr/bin/perl
# html_check.pl FILE...: checks pages that the program writes, more strictly than a browser would. Each element that is
# not void is closed by its own end tag in order; attributes are quoted; ids are unique; a link goes to an id of the page;
# nothing is loaded from elsewhere; there is no script; & and < stand for themselves only as references. Prints what is
# wrong, and exits with 1 then.
use strict;
use warnings;

my %void = map { $_ => 1 } qw(area base br col embed hr img input link meta source track wbr);
my $bad = 0;

sub wrong { my ($file, $line, $what) = @_; print "$file:$line: $what\n"; $bad = 1; }

for my $file (@ARGV) {
    local $/;
    open(my $in, '<:raw', $file) or die "$file: $!\n";
    my $text = <$in>;
    my (@open, %ids, @links);
    my $line = 1;
    wrong($file, 1, 'does not begin with <!DOCTYPE html>') unless $text =~ s/\A<!DOCTYPE html>//;
    while ($text =~ /\G(?:<!--(.*?)-->|<(\/?)([A-Za-z][A-Za-z0-9:-]*)((?:\s+[^\s=>\/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'))?)*)\s*(\/?)>|([^<]+)|(.))/gcs) {
        my ($comment, $end, $name, $attributes, $closed, $words, $other) = ($1, $2, $3, $4, $5, $6, $7);
        my $all = $&;
        if (defined $other) {
            wrong($file, $line, "a < that begins no tag: " . substr($text, pos($text) - 1, 40));
        } elsif (defined $words) {
            my $style = @open && $open[-1][0] eq 'style';
            wrong($file, $line, "an & that is not a reference: $words")
                if !$style && $words =~ /&(?!(?:amp|lt|gt|quot|#39|#\d+|#x[0-9a-fA-F]+);)/;
            wrong($file, $line, 'a style that loads something') if $style && $words =~ /url\(|\@import/;
        } elsif (defined $name) {
            if ($end) {
                my $last = pop @open;
                wrong($file, $line, "</$name> ends <" . ($last ? "$last->[0]> of line $last->[1]" : 'nothing>'))
                    unless $last && $last->[0] eq $name;
            } else {
                wrong($file, $line, "<$name>") if $name =~ /^(?:script|iframe|object|embed|link|base|form)$/i;
                while ($attributes =~ /\s+([^\s=>\/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/gs) {
                    my ($key, $value) = (lc $1, defined $2 ? $2 : defined $3 ? $3 : '');
                    wrong($file, $line, "$key of <$name>") if $key =~ /^on|^(?:src|srcset|action|data|poster)$/;
                    if ($key eq 'id') {
                        wrong($file, $line, "id $value is that of line $ids{$value} too") if $ids{$value};
                        wrong($file, $line, "id $value") if $value !~ /^[^\s]+$/;
                        $ids{$value} = $line;
                    }
                    if ($key =~ /^(?:xlink:)?href$/ || ($key eq 'for' && $name eq 'label')) {
                        my $to = $key eq 'for' ? "#$value" : $value;
                        if ($to =~ /^#(.+)/s) { push @links, [$1, $line] }
                        else { wrong($file, $line, "a link out of the page: $value") }
                    }
                    while ($value =~ /url\(([^)]*)\)/g) {
                        my $to = $1;
                        if ($to =~ /^['"]?#(.+?)['"]?$/) { push @links, [$1, $line] }
                        else { wrong($file, $line, "loads $to") }
                    }
                }
                push @open, [$name, $line] unless $closed || $void{$name};
            }
        }
        $line += ($all =~ tr/\n//);
    }
    wrong($file, $line, "<$_->[0]> of line $_->[1] is not closed") for @open;
    for my $link (@links) {
        wrong($file, $link->[1], "no place has the id $link->[0]") unless $ids{$link->[0]};
    }
    wrong($file, 1, "no $_") for grep { $text !~ /<$_\b/ } qw(title main h1 nav);
}
exit $bad;
