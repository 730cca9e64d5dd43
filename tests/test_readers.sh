#!/bin/sh
# The readers of files. A number in a file is in range or refused, never wrapped; a byte 0 does not hide the rest; and a
# file or a device that never ends is refused before it fills the memory. Numbers and whole files are read in one place
# each, which the last tests hold.
ROOT=$(cd "$(dirname "$0")/.." && pwd)
. "$(dirname "$0")/tap.sh"

KB=500000
# Sanitizers reserve much more memory than a program uses, so only the plain program runs under a limit, of $KB.
[ -n "${SANITIZED:-}" ] || c() { (ulimit -v $KB && exec "$COLLSIM" "$@") >out 2>err; }
piped() { # piped LINE TEXT ARGUMENTS...: fails, as below, with an endless pipe of lines as standard input
    line=$1
    shift
    yes "$line" | fails "$@"
}

# ---- Numbers ------------------------------------------------------------------------------------------------------------
imb() { # imb P: an IMB log of P processes
    printf '# Benchmarking Allreduce\n# #processes = %s\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n' "$1"
    printf '8 1000 1.93 2.01 1.97\n64 1000 2.93 3.01 2.97\n1048576 100 900 1000 950\n'
}
for p in 4294967300 2147483647 134217729 0 -4 4.0 0x4 18446744073709551620; do
    imb $p >imb.txt
    ok "IMB: $p processes" fails "imb.txt:2: #processes is '$p'; allowed: an integer from 1 to 2^27" calibrate allreduce:ring=imb.txt
done
imb 4 >imb.txt
ok "IMB: 4 processes" gives "hockney from imb.txt (IMB)" calibrate allreduce:ring=imb.txt
ok "a label: 4294967300 ranks" fails '`4294967300` is not a number of ranks' calibrate allreduce:ring:4294967300=imb.txt
printf 'collective,algorithm,p,bytes,time_s\nbcast,binomial,4294967300,8,1\n' >p.csv
ok "CSV: 4294967300 ranks" fails 'p.csv:2: p is `4294967300`; allowed: an integer from 0 to 2^27' calibrate p.csv
ok "a seed of 2^32" fails "a number from 0 to 4294967295" run gatherv linear -p 2 -m 8 --counts random:4294967296

# ---- A byte 0 -----------------------------------------------------------------------------------------------------------
printf '8\n16\0 7\n' >zero
ok "counts: a byte 0" fails "zero:2: the line has a byte 0; allowed: text" run gatherv linear -p 2 -m 8 --counts zero
printf '8\n16\n\0\n24\n' >zero
ok "counts: a byte 0 after the last number" fails "zero:3: the line has a byte 0; allowed: text" run gatherv linear -p 2 -m 8 --counts zero
printf '0\n1\0 7\n' >zero
ok "a map: a byte 0" fails "zero:2: the line has a byte 0; allowed: text" run bcast binomial -p 2 -m 8 --map zero
{ imb 4 && printf '\0\n'; } >zero
ok "a log: a byte 0" fails "zero:7: the line is not text; allowed: UTF-8" calibrate allreduce:ring=zero
{ cat p.csv && printf 'bcast,binomial,4,8,1\0\n'; } >zero.csv
ok "a table: a byte 0" fails "zero.csv:3: the line is not text; allowed: UTF-8" plot zero.csv
printf '[hockney]\nalpha = 1us\0\n' >zero.ini
ok "a platform: a byte 0" fails "zero.ini:2: the line is not text; allowed: UTF-8" run bcast binomial -p 2 -m 8 --platform ./zero.ini

# ---- Files that never end, folders and pipes ----------------------------------------------------------------------------
for file in /dev/zero /; do
    [ $file = / ] && why="/: Is a directory; allowed: a readable file" || why="/dev/zero:1: the line is not text; allowed: UTF-8"
    ok "plot $file" fails "$why" plot $file
    ok "--claims $file" fails "$why" audit --claims $file
    ok "calibrate $file" fails "$why" calibrate $file
    ok "--platform $file" fails "$why" run bcast binomial -p 2 -m 8 --platform $file
    [ $file = / ] || why="/dev/zero:1: the line is too long; allowed: at most 262143 bytes"
    ok "--map $file" fails "$why" run bcast binomial -p 2 -m 8 --map $file
    ok "--counts $file" fails "$why" run gatherv linear -p 2 -m 8 --counts $file
done
ok "an endless pipe: plot" piped 1 "stdin: the file is too large; allowed: at most 64M bytes" plot -
ok "an endless pipe: --counts" piped 1 "standard input:9: the file has too many numbers; allowed: one for each rank" run gatherv linear -p 2,8 -m 8 --counts -
ok "an endless pipe: --map" piped 0 "standard input:9: the file has too many ranks; allowed: one line for each rank" run bcast binomial -p 2,8 -m 8 --map -
ok "a pipe: --counts" sh -c 'printf "8\n16\n" | "$0" run gatherv linear -p 2 -m 8 --counts - >out 2>err && [ ! -s err ]' "$COLLSIM"
if [ -z "${SANITIZED:-}" ]; then # it shows only under the limit of memory
    yes '' | head -c 8388608 >lines.txt && KB=60000
    ok "8 MiB of line ends: a log" fails "lines.txt:1: unknown layout" calibrate lines.txt
    rm lines.txt && KB=500000
fi

# ---- One place ----------------------------------------------------------------------------------------------------------
# only PATTERN FILES: no other source than FILES, paths below the root with | between them, has the pattern.
only() { (cd "$ROOT" && ! grep -rnE --include='*.[ch]' "$1" algos sim cli | grep -vE "^($2):" >"$dir/err"); }
# units.c reads numbers with units, and budget.c what the kernel and GLib write. A formula and a colour are checked
# before they are converted, and a backend's line has stricter rules. Rules files are read as the libraries read them.
ok "numbers without a unit are read by base/number.h" \
    only '\b(ato[ifl]+|strto[a-z]+|[fs]*scanf|g_ascii_strto(d|ll|ull|u?int64)|g_ascii_string_to_[a-z]+)\(' \
    'sim/base/(number|units|budget)\.c|sim/engine/formula/formula_words\.c|cli/answer/search/bound_plot\.c|cli/figure/grid\.c|sim/run/launch/job\.c|sim/libraries/(decide/(rules_text|text_reader|selection_read|ucc_conf|ucc_string)|targets/target)\.c'
# The rows of a sweep are mapped, because they can be more than fits into memory. The code of a plugin is not text.
# Nor are the requests of a server, whose words end in a byte 0.
ok "files are read by base/text.h and base/lines.h" \
    only '\b(g_file_get_contents|g_key_file_load_from_file|g_mapped_file_new|fread|fgets|getline|getdelim|fopen\([^"]*"r)' \
    'sim/base/(text|lines|budget)\.c|sim/search/sweep/(sweep_rows|merge)\.c|sim/engine/plugin/plugin\.c|cli/serve\.c'
echo "1..$n"
