#!/usr/bin/perl
# Checks that the texts of SVG pictures neither overlap nor leave the picture.
#
#   perl tests/text_boxes.pl A.svg B.svg ..
#
# Prints a line for each fault, and exits with 1 if there is one. A text's box has the width of its letters, from the table
# below: the advance widths of DejaVu Sans and DejaVu Sans Bold, the first font that the pictures name. A viewer without it
# takes Verdana, whose letters are at most 3 % wider in words. Kerning, which makes some pairs narrower by up to 0.1 of the
# size, is left out, so a box is not too narrow. A letter that the table does not have counts as 1 em, which is wider than
# any Latin, Greek or Cyrillic letter. Up and down a box reaches 0.76 and 0.24 of the size from the base line: the height of
# brackets and the depth of g. Texts side by side have to be 2 pixels apart, texts above each other 1 pixel.
use strict;
use warnings;
use utf8;
use open qw(:std :encoding(UTF-8));

# In 1/2048 of the font size, for the letters from space to ~.
my @plain = qw(651 821 942 1716 1303 1946 1597 563 799 799 1024 1716 651 739 651 690 1303 1303 1303 1303 1303 1303 1303 1303
  1303 1303 690 690 1716 1716 1716 1087 2048 1401 1405 1430 1577 1294 1178 1587 1540 604 604 1343 1141 1767 1532 1612 1235
  1612 1423 1300 1251 1499 1401 2025 1403 1251 1403 799 690 799 1716 1024 1024 1255 1300 1126 1300 1260 721 1300 1298 569
  569 1186 569 1995 1298 1253 1300 1300 842 1067 803 1298 1212 1675 1212 1212 1075 1303 690 1303 1716);
my @bold = qw(713 934 1067 1716 1425 2052 1786 627 936 936 1071 1716 778 850 778 748 1425 1425 1425 1425 1425 1425 1425 1425
  1425 1425 819 819 1716 1716 1716 1188 2048 1585 1561 1503 1700 1399 1399 1681 1714 762 762 1587 1305 2038 1714 1741 1501
  1741 1577 1475 1397 1663 1585 2259 1579 1483 1485 936 748 936 1716 1024 1024 1382 1466 1214 1466 1389 891 1466 1458 702
  702 1362 702 2134 1458 1407 1466 1466 1010 1219 979 1458 1335 1892 1321 1335 1192 1458 748 1458 1716);
my ($beside, $above) = (2, 1);    # pixels between two texts
my $slack = 0.5;                  # .. that a text may leave the picture by, as places are rounded

sub width_of {
    my ($text, $size, $bold) = @_;
    my $sum = 0;
    for my $letter (unpack 'U*', $text) {
        my $known = $letter >= 32 && $letter < 127;
        $sum += $known ? ($bold ? \@bold : \@plain)->[$letter - 32] : 2048;
    }
    return $sum * $size / 2048;
}

# Returns the corners (left, top, right, bottom) of a text, which may be turned by multiples of 90 degrees.
sub box_of {
    my ($text, $look) = @_;
    my ($size, $anchor) = ($look->{'font-size'}, $look->{'text-anchor'});
    my $width = width_of($text, $size, $look->{'font-weight'} eq 'bold');
    my $left = $anchor eq 'middle' ? -$width / 2 : $anchor eq 'end' ? -$width : 0;
    my @corners = ([$left, -0.76 * $size], [$left + $width, 0.24 * $size]);
    my ($sin, $cos) = (sin($look->{turn} * 3.14159265358979 / 180), cos($look->{turn} * 3.14159265358979 / 180));
    my (@x, @y);
    for my $c (@corners) {
        push @x, $look->{x} + $c->[0] * $cos - $c->[1] * $sin;
        push @y, $look->{y} + $c->[0] * $sin + $c->[1] * $cos;
    }
    return ((sort { $a <=> $b } @x)[0], (sort { $a <=> $b } @y)[0], (sort { $a <=> $b } @x)[1], (sort { $a <=> $b } @y)[1]);
}

sub attributes { my %a; $a{$1} = $3 while $_[0] =~ /([\w-]+)\s*=\s*(["'])(.*?)\2/gs; return \%a }

# Returns the looks inside an element: those outside, and what the element changes.
sub inside {
    my ($outer, $given) = @_;
    my %look = (%$outer, map { $_ => $given->{$_} } grep { exists $given->{$_} } qw(font-size font-weight text-anchor));
    $look{'font-size'} =~ s/px$//;
    my ($x, $y) = ($given->{x} // 0, $given->{y} // 0);
    my $transform = $given->{transform} // '';
    if ($transform =~ /translate\(\s*([-\d.]+)[\s,]+([-\d.]+)/) { $look{x} += $1; $look{y} += $2 }
    $look{turn} += $1 if $transform =~ /rotate\(\s*([-\d.]+)/;
    die "a transform other than translate and rotate: $transform\n" if $transform =~ /scale|matrix|skew/;
    $look{x} += $x;
    $look{y} += $y;
    return \%look;
}

my ($faults, $texts) = (0, 0);
for my $name (@ARGV) {
    open my $file, '<', $name or die "$name: $!\n";
    my $svg = do { local $/; <$file> };
    close $file;
    $svg =~ s/<defs>.*?<\/defs>//gs;
    my @looks = ({'font-size' => 16, 'font-weight' => 'normal', 'text-anchor' => 'start', x => 0, y => 0, turn => 0});
    my ($width, $height, @boxes);
    while ($svg =~ /<(\/?)(svg|g|text|tspan)\b([^>]*?)(\/?)>([^<]*)/gs) {
        my ($end, $element, $rest, $empty, $text) = ($1, $2, $3, $4, $5);
        if ($end) { pop @looks; next }
        my $given = attributes($rest);
        ($width, $height) = ($given->{width}, $given->{height}) if $element eq 'svg';
        my $look = inside($looks[-1], $given);
        push @looks, $look unless $empty;
        next if $element !~ /text|tspan/ || $text !~ /\S/;
        $text =~ s/&lt;/</g; $text =~ s/&gt;/>/g; $text =~ s/&quot;/"/g; $text =~ s/&apos;|&#39;/'/g; $text =~ s/&amp;/&/g;
        $text =~ s/^\s+|\s+$//g;
        push @boxes, [$text, box_of($text, $look)];
    }
    die "$name: no picture\n" unless $height;
    die "$name: no text\n" unless @boxes;
    $texts += @boxes;
    for my $i (0 .. $#boxes) {
        my ($text, $left, $top, $right, $bottom) = @{$boxes[$i]};
        if ($left < -$slack || $top < -$slack || $right > $width + $slack || $bottom > $height + $slack) {
            printf "%s: \"%s\" leaves the picture of %d x %d: %.0f..%.0f, %.0f..%.0f\n", $name, $text, $width, $height, $left,
              $right, $top, $bottom;
            $faults++;
        }
        for my $other (@boxes[$i + 1 .. $#boxes]) {
            my ($text2, $left2, $top2, $right2, $bottom2) = @$other;
            my $x = ($right < $right2 ? $right : $right2) - ($left > $left2 ? $left : $left2);
            my $y = ($bottom < $bottom2 ? $bottom : $bottom2) - ($top > $top2 ? $top : $top2);
            next if $x <= -$beside || $y <= -$above;
            printf "%s: \"%s\" and \"%s\" %s: %.1f x %.1f\n", $name, $text, $text2,
              $x > 0 && $y > 0 ? 'overlap' : 'touch', $x, $y;
            $faults++;
        }
    }
}
printf "%d texts in %d pictures, %d faults\n", $texts, scalar @ARGV, $faults;
exit($faults ? 1 : 0);
