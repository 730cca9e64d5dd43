#!/bin/sh
# `collsim cite`: what an algorithm is from, as BibTeX. Every paper, document and library that an entry names is in
# decisions/sources.csv, and every source there is named somewhere.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"

# ---- The whole list ---------------------------------------------------------------------------------------------------------
# The parts of an entry's source that name nothing to cite: what is our own of it, and what nobody is known for.
ours='^(folklore|in no library|in MPICH .smp. the sums |(the|its) .* (is|are) (ours|this project.s)$|the mirror of |the same messages as |the scatter (mirrors|of UCC)|the skips are found )'
c cite && sed -n 's/^\([^ ][^ ]*\) .*/\1/p' out | LC_ALL=C sort >keys
ok 'every source has a key' [ "$(wc -l <keys)" = "$(($(wc -l <"$root/decisions/sources.csv") - 1))" ]
# shellcheck disable=SC2046,SC2010
sources() { # the .source of all entries, one part a line
    perl -0777 -ne 'while (/\.source\s*=\s*((?:\\?\s*"(?:[^"\\]|\\.)*"\s*)+)/g) { my ($x, $s) = ($1, ""); $s .= $1 while $x =~ /"((?:[^"\\]|\\.)*)"/g; print map { "$_\n" } split /; /, $s }' $(ls "$root"/algos/*/*.c | grep -v /registry/)
}
# The words by which entries name a source, as regular expressions, with its key.
perl -ne 'BEGIN { $/ = "\n" } chomp; my @f; push @f, defined $1 ? $1 : $2 while /\G(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/gc && @f < 15; next if $. == 1 || $f[13] eq ""; print map { quotemeta($_) . "\t$f[0]\n" } split /\|/, $f[13]' "$root/decisions/sources.csv" >names
named() { # every part names a source, or is ours
    sources | sort -u | perl -ne 'BEGIN { open my $n, "<", "names"; @n = map { (split /\t/)[0] } <$n>; $ours = shift }
        chomp; my $x = $_; print "$x\n" unless $x =~ /$ours/ || grep { $x =~ /^$_(?![A-Za-z0-9])/ } @n' "$ours" >out
    [ "$(sources | wc -l)" -gt 200 ] && [ ! -s out ]
}
ok 'what an entry names is a source' named
used() { # every source is named by an entry, or is another word for a model, or stands in decisions/README.md
    sources | sort -u | perl -ne 'BEGIN { open my $n, "<", "names"; %n = map { chomp; split /\t/ } <$n> }
        for my $w (keys %n) { print "$n{$w}\n" if /^$w(?![A-Za-z0-9])/ }' | LC_ALL=C sort -u >by_entries
    LC_ALL=C comm -23 keys by_entries | tr '\n' ' ' >out
    [ "$(cat out)" = 'alexandrov1995 culler1993 hockney1994 hoefler2010 hunold2016 hunold2018 traff2010 ' ]
}
ok 'and every source is named' used
balanced() { # out has entries of BibTeX, and each of them ends
    begun=0 ended=0
    while IFS= read -r line; do
        case $line in @*) begun=$((begun + 1)) ;; '}') ended=$((ended + 1)) ;; esac
    done <out
    [ $begun -gt 0 ] && [ $begun = $ended ]
}
all_cited() { # every algorithm has something to cite, or says that it has not
    "$COLLSIM" list -f csv | sed 1d | cut -d, -f1,2 | tr ',' ' ' >entries
    none=0
    while read -r collective algorithm; do
        if c cite "$collective" "$algorithm"; then
            balanced || return 1
        else
            none=$((none + 1))
            errs 'no paper, document or library is known for' || return 1
        fi
    done <entries
    [ $none -le 4 ]
}
serve
ok 'every algorithm is cited' all_cited
ok "the process that answered ends well" served_well

# ---- What is printed --------------------------------------------------------------------------------------------------------
exact() { # the fields, their order and what TeX needs
    c cite 001 && cmp out - <<'END2'
@misc{001,
  author = {{Hu Wang}},
  title = {{The past and present of MPI\_Allreduce}},
  howpublished = {Computing Dynamics},
  year = {2022},
  url = {https://chudod.gitee.io/works/2022/03/27/MPI_Allreduce_Summary/},
  note = {in Chinese; the title is translated}
}
END2
}
ok 'an entry of BibTeX' exact
documents() { for number in 000 001 002 003 004; do gives "@" cite $number && says out 'title = {{' || return 1; done; gives 'doi = {10.26089/NumMet.v24r424}' cite 003; }
ok 'the five documents have titles' documents
authors() { # `audit` names the same authors of the documents as `cite`
    c audit --source nobody
    cp err said
    while read -r number author; do
        says said "$author" && c cite "$number" && says out "$author" || return 1
    done <<'END2'
000 WizHUA
002 Sun
002 Wang
002 Wei
002 Yin
002 Shi
003 Romanyuta
003 Kurnosov
END2
}
ok 'audit has the same authors' authors
ok 'an algorithm of one collective' gives '@article{thakur2005,' cite allreduce rabenseifner
ok '.. in one word' gives '@article{thakur2005,' cite allreduce/rabenseifner
ok 'a word whose algorithm is not there' fails "unknown allreduce algorithm 'brck'" cite allreduce/brck
several() { c cite bruck && says out bruck1997 && c cite alltoall bruck bruck1997 && [ "$(grep -c bruck1997 out)" = 1 ]; }
ok 'an algorithm of several, and a source that is named twice' several
ok 'a model' gives 'doi = {10.1145/215399.215427}' cite loggp
ok 'a key in capitals' gives '@article{bruck1997,' cite Bruck1997
ok 'a name of a library' gives '@misc{openmpi,' cite bcast ompi:6
ok 'an eprint' gives 'archiveprefix = {arXiv}' cite jeaugey2025
to_file() { c cite bruck1997 -o paper.bib && [ ! -s out ] && says paper.bib '@article{bruck1997,'; }
ok 'a file' to_file
narrow() { c cite && ! grep -n '.\{81\}' out && says out 'Bayatpour, Mohammadreza et al.:'; }
ok 'the list fits 80 columns' narrow
compiled() { # BibTeX itself reads all of it
    command -v bibtex >/dev/null || return 0
    # shellcheck disable=SC2046
    "$COLLSIM" cite $(cat keys) >all.bib && printf '\\citation{*}\n\\bibdata{all}\n\\bibstyle{plain}\n' >all.aux && bibtex all >out && ! grep -i 'error\|repeated' out
}
ok 'bibtex reads all sources' compiled

completed() { gives bruck1997 complete 'collsim cite bru' && gives bruck1997 complete 'collsim cite hockney1994 bru' && gives binomial complete 'collsim cite bcast bin'; }
ok 'keys and algorithms are completed' completed

# ---- What is wrong ----------------------------------------------------------------------------------------------------------
ok 'a key that is not there' fails "'brukc1997' is neither an algorithm nor a source, did you mean bruck1997?" cite brukc1997
ok 'an algorithm that is not there' fails "unknown allreduce algorithm 'brck'" cite allreduce brck
ok 'a collective alone' fails 'allreduce is a collective; allowed: one of its algorithms after it' cite allreduce
wrong() { # wrong TEXT ROW: a list of sources with this row is refused
    mkdir -p data && printf 'key,type,title\na,misc,A title\n%s\n' "$2" >data/sources.csv && COLLSIM_DECISIONS=data fails "data/sources.csv:3: $1" cite
}
ok 'a key that is there twice' wrong 'its key is there already' a,misc,B
ok 'no title' wrong 'it has no title' b,misc,
ok 'another type' wrong 'its type is not known; allowed: article, ' b,book,B
no_list() { mkdir -p empty && COLLSIM_DECISIONS=empty fails 'empty/sources.csv' cite; }
ok 'no list' no_list
echo "1..$n"
