#!/bin/sh
# Hostile texts as a user might meet them: claims, titles, names of files and of platforms that hold quotes, markup, control
# characters or a way out of the folder. $COLLSIM is the program.
share=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"

esc=$(printf '\033') csi=$(printf '\302\233')
control=$(printf '[\001-\010\013-\037\177]')
clean() { # clean FILE...: no control characters but line ends and tabs, in UTF-8 or as bytes
    ! LC_ALL=C grep -q "$control\|$csi" "$@"
}
xml() { # xml FILE...: well-formed, as far as a parser is installed
    clean "$@" || return 1
    ! command -v xmllint >/dev/null || xmllint --noout "$@" 2>err
}

# ---- Claims ---------------------------------------------------------------------------------------------------------
mkdir -p work
evil="<script>alert(1)</script> | *x* \`y\` ${esc}[31m ${csi}31m"
head='id,source,place,collective,algorithm,params,quantity,against,kind,claim,let,where,without,truth,note'
{
    echo "$head"
    for id in ../../pwned '.._.._pwned' '<img src=x>' "a/${esc}[1mb"; do
        echo "$id,<b>mine</b> & ${esc}]0;x,\"$evil\",bcast,binomial,,time,,equality,log2(p)*alpha + beta*m,,,,,\"$evil\""
    done
} >claims.csv
if command -v gnuplot >/dev/null; then
    ok 'a report of hostile claims' c audit --claims claims.csv -o work/deep/report
    ok '.. four pictures, each with a name of its own' test "$(LC_ALL=C ls work/deep/report | tr '\n' ' ')" = \
        '_._.._pwned-2.svg _._.._pwned.svg _img_src_x_.svg a___1mb.svg report.html report.md '
    ok '.. nothing outside' sh -c '[ "$(ls -A work)" = deep ] && [ "$(ls -A work/deep)" = report ] && ! ls ./*pwned* 2>/dev/null'
    for file in work/deep/report/*.svg; do ok ".. $(basename "$file")" xml "$file"; done
    ok '.. HTML: no element of theirs' sh -c '! grep -qi "<script\|<img src=x\|<b>" work/deep/report/report.html'
    ok '.. but their text' says work/deep/report/report.html '&lt;script&gt;alert(1)&lt;/script&gt;'
    ok '.. HTML: no control characters' clean work/deep/report/report.html
    ok '.. Markdown: no element, cell or emphasis of theirs' says work/deep/report/report.md '&lt;script>alert(1)&lt;/script> \| \*x\* \`y\`'
    ok '.. Markdown: no control characters' clean work/deep/report/report.md
fi
ok 'in the terminal' c audit --claims claims.csv
ok '.. the text' says out '<script>alert(1)</script> | *x* `y` ?[31m ?31m'
ok '.. no control characters' clean out err
ok 'CSV' c audit --claims claims.csv --format csv
ok '.. keeps every character' says out "$evil"

# ---- Titles ---------------------------------------------------------------------------------------------------------
title="it's \"5 < 6\" & {/Bold x} @y^2_3 \\n \$(touch pwned) \`touch pwned\` '; system('touch pwned') #'${esc}[31m$csi$(printf '\nsecond')"
c run bcast all -p 8 -m 8,64K --format csv && mv out f.csv
printf 'collective,algorithm,p,bytes,time_s\npingpong,pingpong,2,8,1e-6\npingpong,pingpong,2,4096,2e-6\npingpong,pingpong,2,65536,1e-5\n' >pp.csv
if command -v gnuplot >/dev/null; then
    for format in svg png pdf; do
        ok "plot, $format" c plot f.csv -o "t.$format" --title "$title"
    done
    ok '.. the svg' xml t.svg
    ok '.. has the title' says t.svg '<title>it&#39;s &quot;5 &lt; 6&quot; &amp; {/Bold x} @y^2_3 \n $(touch pwned)'
    ok 'plot, text' c plot f.csv --title "$title"
    ok '.. no control characters' clean out
    ok 'calibrate' c calibrate pp.csv -o pp.ini --plot pp.svg --title "$title" --set gamma=0.1ns/B
    ok '.. the svg' xml pp.svg
    ok '.. the platform' clean pp.ini
    ok '.. which reads back' c run bcast binomial -p 8 -m 8 --platform ./pp.ini
    printf 'collective,algorithm,p,bytes,time_s,platform\nbcast,"%s",8,8,1e-6,"%s"\nbcast,other,8,8,2e-6,"%s"\nbcast,"%s",8,64,2e-6,"%s"\nbcast,other,8,64,3e-6,"%s"\n' \
        "a'b<c>\"\"d${esc}[1m" "m'<&>\"\"${csi}" "m'<&>\"\"${csi}" "a'b<c>\"\"d${esc}[1m" "m'<&>\"\"${csi}" "m'<&>\"\"${csi}" >names.csv
    ok 'algorithms of a table' c plot names.csv -o names.svg
    ok '.. the svg' xml names.svg
    ok '.. as text' c plot names.csv
    ok '.. no control characters' clean out
    ok 'nothing was run' sh -c '! ls pwned 2>/dev/null'
fi

# ---- Every kind of picture --------------------------------------------------------------------------------------------
# Texts that mean something to gnuplot: its strings, escapes, markup, macros, commands and comments; and what svg escapes.
texts() { # texts COMMAND...: runs the command with each text as one more argument, and fails with the first that fails
    point=0
    for text in "'a" "''" "a'" "it's" "a''b" "''''" "'" '"' 'a"b' '""' '\' 'a\' '\n' 'a\nb' '\\' '{' '}' '{/Bold x}' '@' '@x' '^' '_' 'a_b^c' \
        '%' '%s%d' '`' '`touch pwned`' '$(touch pwned)' '#' 'a # b' ';' "'; system('touch pwned') #" "\"'" "\\'" '\"' '<&>' '-' '--x' '=' '?' \
        'NaN' '*' '!' 'größe' '日本' 'a b' 'new
line' 'tab	here'; do
        point=$((point + 1))
        ! takes $point 3 || "$@" "$text" || { printf '# text: %s\n' "$text" && return 1; }
    done
}
utf8() ( LC_ALL=C.UTF-8 && export LC_ALL && "$@" ) # in the C locale a word must be ASCII
field() { printf '"%s"' "$(printf '%s' "$1" | sed 's/"/""/g')"; }
# shown TEXT FILE: an svg has the text of a title or name. What its own code escapes is taken back, and what cannot be drawn
# is left out of the comparison.
shown() {
    case $1 in *[\<\&]* | *"
"* | *"	"*) return 0 ;; esac
    sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&#39;/'"'"'/g; s/&amp;/\&/g' "$2" | grep -qF -- "$1"
}
drawn() { rm -f picture.svg && c "$@" && xml picture.svg; } # drawn COMMAND...: the command draws picture.svg
title_drawn() { drawn plot f.csv -o picture.svg --title "$1" && shown "$1" picture.svg && c plot f.csv --title "$1" && says_not err failed; }
calibrated() { drawn calibrate pp.csv -o pp.ini --draw picture.svg --title "$1" --set gamma=0.1ns/B; }
# A file, and a machine, of this name in every fourth picture of those that name them, beginning with another one for each text.
named() {
    name=./$(printf '%s' "$1" | tr '/' '_') kind=$point
    rm -f named-*.svg
    cp times.csv "$name.csv" && cp machine.ini "$name.ini" && on="--platform=$name.ini" || return 1
    fourth plot "$name.csv" -o named-plot.svg && fourth compare "$name.csv" "$on" --draw named-compare.svg --only ompi-4.1 &&
        fourth validate "$name.csv" "$on" --draw named-validate.svg &&
        fourth bound bcast binomial -p 8 -m 8,64K "$on" --draw named-bound.svg &&
        fourth matrix bcast binomial -p 8 -m 64 "$on" --draw named-matrix.svg &&
        fourth learn ompi-4.1 bcast -p 2,4 -m 8,64K "$on" --draw named-learn.svg &&
        fourth regret ompi-4.1 bcast -p 2,4 -m 8,64K "$on" --draw named-regret.svg &&
        fourth plot times.csv -o "$name.named.svg" || return 1
    set -- named-*.svg
    [ -e "$1" ] || shift
    [ ! -e "$name.named.svg" ] || set -- "$@" "$name.named.svg"
    [ $# -ge 1 ] && xml "$@"
}
fourth() { kind=$((kind + 1)) && { ! takes $kind 4 || c "$@"; }; } # fourth COMMAND...: runs it if it is in the sample
installed() { # the folder of the scripts has this name
    mkdir -p "./$1/share" && cp -r "$share/plots" "$share/platforms" "$share/decisions" "./$1/share" || return 1
    COLLSIM_SHARE=$PWD/$1/share drawn plot f.csv -o picture.svg
}
put() { printf '%s\n' "$1"; } # put LINE: prints it as it is, where echo would take a \ for an escape
algorithms() { # algorithms NAME: adds the name to three tables
    k=$((k + 1))
    name=$(field "$1")
    for bytes in 8 64 512; do put "bcast,$name,8,$bytes,$k.e-6,pl" >>"lines-$((k % 2)).csv"; done
    put "bcast,$name,8,8,$k.e-6,pl" >>"bars-$((k % 2)).csv"
    put "bcast,$name,$((1 << (k % 7 + 1))),$((8 << (k / 7))),1e-6,pl" >>map-0.csv
    put "bcast,other,$((1 << (k % 7 + 1))),$((8 << (k / 7))),2e-6,pl" >>map-0.csv
    put "bcast,a,8,8,$k.e-6,$name" >>"machines-$((k % 2)).csv"
    put "bcast,a,8,64,$k.e-6,$name" >>"machines-$((k % 2)).csv"
    put "$k,$name,$name,bcast,binomial,,time,,equality,log2(p)*alpha + beta*m,,,,,$name" >>all-claims.csv
}
tables() { # tables FORMAT: draws the tables of algorithms() in this format
    for table in lines-0 lines-1 bars-0 bars-1 machines-0 machines-1 map-0; do
        case $table in map*) c plot $table.csv --map -o "$table.$1" ;; *) c plot $table.csv --all -o "$table.$1" ;; esac || return 1
        [ "$1" != svg ] || xml $table.svg || return 1
    done
}
has_name() { for file in lines-?.svg; do shown "$1" "$file" && return 0; done; return 1; }
as_text() { for table in lines-0 bars-1 machines-0; do c plot $table.csv --all && clean out || return 1; done; c plot map-0.csv --map && clean out; }
if command -v gnuplot >/dev/null; then
    printf 'collective,algorithm,p,bytes,time_s\nbcast,binomial,8,8,3e-6\nbcast,binomial,8,1024,4e-6\nbcast,binomial,8,65536,3e-5\n' >times.csv
    c calibrate pp.csv -o machine.ini --set gamma=0.1ns/B
    ok 'a title' utf8 texts title_drawn
    ok 'the title of a calibration' utf8 texts calibrated
    ok 'the name of a file or a machine' utf8 texts named
    ok 'the folder of the scripts' utf8 installed "it''s \`a\` {"
    for table in lines-0 lines-1 bars-0 bars-1 machines-0 machines-1 map-0; do echo collective,algorithm,p,bytes,time_s,platform >$table.csv; done
    echo "$head" >all-claims.csv
    k=0
    texts algorithms
    for format in svg png pdf; do ok "names of algorithms and machines, $format" tables $format; done
    ok '.. each of them is there' texts has_name
    ok '.. as text' as_text
    ok 'claims' c audit --claims all-claims.csv -o all-report
    for file in all-report/*.svg; do xml "$file" || echo "$file" >bad-picture; done
    ok '.. the svg' test ! -e bad-picture
    ok 'nothing of it was run' sh -c '! ls pwned 2>/dev/null'
fi

# ---- Names ----------------------------------------------------------------------------------------------------------
end=$(printf '\n.') # $(..) takes line ends away
hostile="x\"]; e[label=\"\\N${esc}[31m${end%.}y"
seq 8 >"$hostile.txt"
ok 'export dot: a file of counts' c export dot gatherv linear -p 8 -m 36 --counts "$hostile.txt" -o n.dot
ok '.. the label stays a string' says n.dot 'x\"]; e[label=\"\\N [31m\ny.txt'
ok '.. on one line' test "$(grep -cv '^    \|^}$\|^digraph\|^//' n.dot)" = 0
ok '.. no control characters' clean n.dot
ok 'export goal' c export goal gatherv linear -p 8 -m 36 --counts "$hostile.txt" -o n.goal
ok '.. reads back' c run --goal n.goal
ok '.. no control characters' clean n.goal
printf '[machine]\ntitle = <b>"it'\''s"</b>%s[31m%s31m\n[hockney]\nalpha = 1us\nalpha.source = x\nbeta = 0.1ns/B\nbeta.source = x\ngamma = 0.1ns/B\ngamma.source = x\n' "$esc" "$csi" >"$hostile.ini"
ok "a platform's title and name" c run bcast binomial -p 8 -m 8 --platform "./$hostile.ini"
ok '.. no control characters' clean out err
ok '.. in a GOAL file' c export goal allreduce ring -p 4 -m 64 --platform "./$hostile.ini" -o m.goal
ok '.. which reads back' c run --goal m.goal
ok '.. no control characters' clean out err m.goal
for command in 'plot' 'audit --claims' 'run --goal' 'run bcast all -p 8 -m 8 --platform' 'calibrate'; do
    # shellcheck disable=SC2086
    ok "a file that is not there: $command" fails '' $command "./no$hostile.csv"
    ok '.. no control characters' clean err
done
ok 'a file that cannot be written' fails 'none/' export goal bcast binomial -p 4 -m 8 -o "none/$hostile"
ok '.. no control characters' clean err
ok 'a file that is written' c export goal bcast binomial -p 4 -m 8 -o "$hostile"
ok '.. in one line' test "$(wc -l <err)" = 1
ok '.. no control characters' clean err
ok 'an unknown command' fails '' "$esc[31m"
ok '.. no control characters' clean err
ok 'an unknown option' fails '' run "--$esc[31m"
ok '.. no control characters' clean err
echo "1..$n"
