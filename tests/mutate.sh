#!/bin/sh
# Makes slips in a copy of the sources, one at a time, and runs the tests that should notice. `tests/mutate.sh` makes all
# slips of tests/mutations/; `tests/mutate.sh WORD..` makes those whose file, texts or description have one of the words.
# Prints a row for each slip: the test that caught it, or SURVIVED. The exit status is 1 if 15 % or more survive, and 2 if
# a slip no longer applies or compiles, or a test fails without any slip. `tests/mutate.sh --applies` only says which slips
# no longer apply.
#
# A slip is a paragraph of four lines in tests/mutations/*.txt, and # begins a comment:
#
#   FILE: what is wrong now
#   - TEXT          what the slip replaces, which must occur exactly once in the file
#   + TEXT          what it is replaced by
#   tests: NAME..   the tests that are run, the likeliest first, then those of $cheap; test_contents@bcast/binomial runs
#                   that test for one algorithm
#
# The copy is build/mutate, where objects stay, so that a second run builds only what has changed.
cheap='test_cells.sh test_rounds test_golden test_formats.sh'
LIMIT=300 # seconds for one test
cd "$(dirname "$0")/.." || exit 2
root=$PWD copy=$PWD/build/mutate
work=$copy/work
fail() { echo "mutate.sh: $*" >&2 && exit 2; }
only_apply=
if [ "${1:-}" = --applies ]; then
    only_apply=1
    shift
    work=$(mktemp -d) || exit 2
else
    mkdir -p "$copy/tree" && exec 9>"$copy/lock" && flock -n 9 || fail "another run uses build/mutate"
    rm -rf "$work"
fi
mkdir -p "$work/tmp" || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' INT TERM HUP

# ---- The slips -------------------------------------------------------------------------------------------------------

# Writes slip number i to the files i.file, i.what, i.old, i.new and i.tests, and prints how many slips there are.
cat tests/mutations/*.txt | sed '/^#/d' | perl -e '
    my ($work, @words) = @ARGV;
    my $n = 0;
    local $/ = "";
    while (<STDIN>) {
        my $slip = $_;
        /^(\S+): (.*)\n- (.*)\n\+ (.*)\ntests: (.*)\n*\z/ or die "mutate.sh: not a slip:\n$_";
        my %part = (file => $1, what => $2, old => $3, new => $4, tests => $5);
        next if @words && !grep { index($slip, $_) >= 0 } @words;
        $n++;
        for (keys %part) {
            open my $out, ">", "$work/$n.$_" or die;
            print $out $part{$_};
        }
    }
    print "$n\n"' "$work" "$@" >"$work/count" || exit 2
count=$(cat "$work/count")
[ "$count" -gt 0 ] || fail "no slip has one of these words: $*"

# apply FILE I..: writes what each of these slips makes of its file to FILE. Fails, and names them, if some do not apply.
apply() {
    perl -e '
        my ($root, $work, $to, @slips) = @ARGV;
        sub text { open my $in, "<", $_[0] or die "$_[0]: $!\n"; local $/; my $all = <$in>; $all // "" }
        my $lost = 0;
        for my $i (@slips) {
            my ($file, $old, $new) = map { text("$work/$i.$_") } qw(file old new);
            my $text = text("$root/$file");
            my $times = () = $text =~ /\Q$old\E/g;
            if ($times != 1) {
                warn "mutate.sh: $file has this text $times times; allowed: once: $old\n";
                $lost++;
                next;
            }
            $text =~ s/\Q$old\E/$new/;
            open my $out, ">", $to or die "$to: $!\n";
            print $out $text;
        }
        die "mutate.sh: $lost of " . @slips . " slips no longer apply\n" if $lost' "$root" "$work" "$@"
}
# A slip that does not apply is found before anything is built.
# shellcheck disable=SC2046 # each number is a word
apply /dev/null $(seq "$count") || exit 2
[ -z "$only_apply" ] || exit 0

# ---- The tests -------------------------------------------------------------------------------------------------------

# Only what has changed since the last run is copied, because a new file is newer than its object.
git ls-files -co --exclude-standard | while read -r file; do
    if [ -f "$file" ] && ! cmp -s "$file" "$copy/tree/$file"; then
        mkdir -p "$copy/tree/$(dirname "$file")" && cp "$file" "$copy/tree/$file"
    fi
done
cd "$copy/tree" || exit 2
find . -path ./build -prune -o -type f -print | while read -r file; do
    [ -f "$root/$file" ] || rm "$file"
done

# built TEST: builds the program, the test, and the backends if the test runs them.
built() {
    case $1 in
    test_measure.sh | test_backends.sh | test_mpi) targets="all $(ls tests/mpi | sed 's,\(.*\)\.c,build/\1/collsim-mpi,')" ;;
    *) targets=build/collsim ;;
    esac
    case $1 in *.sh) ;; *) targets="$targets build/tests/${1%@*}" ;; esac
    # shellcheck disable=SC2086
    make -s -j2 OPT=-O1 $targets >"$work/built" 2>&1 9>&-
}
# passes TEST: the test passes. It ends at its first failure.
passes() {
    case $1 in *.sh) program=tests/$1 ;; *) program=build/tests/${1%@*} ;; esac
    case $1 in *@*) only=${1#*@} ;; *) only= ;; esac
    {
        CHECK_ALL=1 COLLSIM_ALGO=$only COLLSIM=$PWD/build/collsim TMPDIR=$work/tmp timeout $LIMIT "$program" 2>/dev/null </dev/null 9>&-
        echo "status $?"
    } | sed '/^not ok\|^Bail out/q' >"$work/out"
    rm -rf "$work/tmp" && mkdir "$work/tmp"
    grep -qx 'status 0' "$work/out" && ! grep -q '^not ok\|^Bail out' "$work/out"
}

# ---- The table -------------------------------------------------------------------------------------------------------

survivors=0 catchers=
for i in $(seq "$count"); do
    file=$(cat "$work/$i.file") caught=SURVIVED
    apply "$file" "$i" || exit 2
    for test in $(echo "$(cat "$work/$i.tests")" "$cheap" | tr ' ' '\n' | awk '!seen[$0]++'); do
        built "$test" || { head -n 5 "$work/built" >&2 && fail "$file: does not compile: $(cat "$work/$i.what")"; }
        passes "$test" || { caught=$test && catchers="$catchers $test" && break; }
    done
    cp "$root/$file" "$file"
    [ "$caught" != SURVIVED ] || survivors=$((survivors + 1))
    printf '%-34s %-34s %s\n' "$caught" "$file" "$(cat "$work/$i.what")"
done
echo "$survivors of $count slips survived."

for test in $(echo "$catchers" | tr ' ' '\n' | sort -u); do # a test that always fails catches nothing
    { built "$test" && passes "$test"; } || { tail -n 5 "$work/out" >&2 && fail "$test fails without a slip too"; }
done
[ $((survivors * 100)) -lt $((count * 15)) ]
