#!/bin/sh
# `collsim explore`: who may ask, that each view is what its command line gives, requests that are wrong, many at a time, and
# how it ends. Then a page in a headless Chromium, if there is one. What is missing is skipped, with the reason.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
limit 600
ok 'help has an example' gives 'collsim explore allreduce --platform lumi' explore --help
ok 'help has the limits' gives 'at most 256 ranks' explore --help
ok 'an unknown collective' fails 'did you mean bcast' explore bcats
ok 'an unknown machine' fails "'nosuch'" explore --platform nosuch
ok 'a machine that is a file' fails 'none.ini' explore --platform ./none.ini
ok 'several numbers of ranks' fails 'allowed: one number' explore -p 8,16
ok 'a port that is none' fails '--port' explore --port 70000
ok 'the server is missing: what to install' env COLLSIM_BACKENDS=none sh -c '"$0" explore >out 2>err; [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && [ ! -s out ] && grep -q "libmicrohttpd-dev" err' "$COLLSIM"

skipped() { # skipped REASON: nothing more is tested
    echo "ok $((n = n + 1)) - explore # SKIP $1"
    echo "1..$n"
    exit 0
}
[ -x "$(dirname "$COLLSIM")/collsim-explore" ] || skipped 'collsim-explore is not built, because libmicrohttpd is missing'
python3=$(interpreter)
[ "$python3" ] || skipped 'python3 (3.8 or later), which asks, is missing'
command -v gnuplot >/dev/null || skipped 'gnuplot, which draws, is missing'

ok 'a machine without alpha' fails 'loggopsim has no alpha and beta' explore --platform loggopsim --no-browser

mkdir bin tmp
ln -s "$COLLSIM" bin/collsim
PATH=$PWD/bin:$PATH
export PATH TMPDIR="$PWD/tmp"
# start ARGUMENTS...: starts a server, $server, and waits until it has printed its address, $address
start() {
    rm -f address
    mkfifo address
    $DEFAULTS "$COLLSIM" explore "$@" >address 2>err &
    server=$!
    read -r address <address || address=
}
# ends STATUS: the server ends, with this status, and leaves no folder
ends() {
    wait "$server"
    [ $? = "$1" ] && [ -z "$(ls tmp)" ]
}
# The client draws by CHECK_SEED.
asks() { "$python3" -B "$root/tests/explore_client.py" "$address" "$@" >out 2>&1; } # asks CASE [ARGUMENT]: of explore_client.py
has_token() { expr "$address" : 'http://127\.0\.0\.1:[0-9]*/[0-9a-f]\{32\}/$' >out; }

unset DISPLAY WAYLAND_DISPLAY SSH_CONNECTION
start allreduce --platform lumi -p 4x4
ok 'it prints an address with a token' has_token
ok 'another host, origin, site or token gets nothing' asks forbidden
ok 'the page loads nothing from elsewhere' asks headers
ok 'what is not allowed is refused in one line' asks refused
ok 'the last value of each field is allowed' asks limits
ok 'each view is what its command line gives' asks lines
ok 'maps while one drags' asks dragged "$server"
ok '100 requests at a time get their own answers' asks concurrent
ok 'random requests' asks fuzz
ok 'a newer request replaces an older one' asks replaced "$server"
ok 'no connection is left, and no process but that of maps' asks tidy "$server"
port=${address#http://127.0.0.1:} port=${port%%/*}
ok 'a port that is taken' sh -c '"$0" explore --port "$1" >out 2>taken; [ $? = 2 ] && [ "$(wc -l <taken)" = 1 ] && grep -q "port $1 of 127.0.0.1" taken' "$COLLSIM" "$port"
kill -INT $server
ok 'Ctrl-C ends it' ends 0
ok '.. and the process of maps' asks ended

{
    printf '[machine]\ntitle = <i>"Mine" & yours</i>\n'
    two_levels 8 2us 500ns 1ns/B 0.2ns/B 0.1ns/B
} >'a "machine".ini'
start bcast --platform './a "machine".ini' -p 5x8 -m 48K
ok 'what the page is told' asks about
kill -TERM $server
ends 0

start bcast
ok 'a page that is loaded again' asks closed
ok 'it ends when the page is closed' ends 0
ok '.. and says so' says err 'the page was closed'

printf '#!/bin/sh\necho "$1" >url.part && mv url.part url\n' >bin/xdg-open
chmod +x bin/xdg-open
DISPLAY=:9 SSH_CONNECTION='' start bcast
ok 'no browser where SSH_CONNECTION is set' [ ! -e url ]
kill -TERM $server
ends 0
export DISPLAY=:9
start bcast
while [ ! -e url ]; do sleep 0.1; done
ok 'a browser gets an address that is good once' asks ticket url
kill -TERM $server
ok 'TERM ends it' ends 0
rm url
start bcast --no-browser
kill -TERM $server
ends 0
ok 'no browser with --no-browser' [ ! -e url ]
unset DISPLAY
SSH_CONNECTION='10.0.0.1 5000 10.0.0.2 22' start bcast
ok 'over ssh, how to reach it' says err "ssh -L "
ok '.. with the address of this machine' says err '@10.0.0.2'
kill -TERM $server
ends 0

# ---- What a person does ------------------------------------------------------------------------------------------------------
chromium=
for name in chromium chromium-browser google-chrome; do [ "$chromium" ] || chromium=$(command -v $name); done
if [ "$chromium" ]; then
    sed 's|^title = .*|title = <i>"Mine" \& yours</i>|; /^\[topology/,$d' "$root/platforms/lumi.ini" >'a machine.ini'
    start allreduce --platform "./a machine.ini" -p 5x8 -m 48K --no-browser
    "$python3" "$root/tests/explore_browser.py" "$chromium" "$address" ${COLLSIM_SHOTS:+"$COLLSIM_SHOTS"} >browser 2>&1
    status=$?
    sed '/^1\.\.[0-9]*$/d' browser | while IFS= read -r line; do
        case $line in
        ok\ * | not\ ok\ *) echo "${line%%[0-9]*}$((n = n + 1)) - ${line#* - }" ;;
        *) echo "# $line" ;;
        esac
    done
    n=$((n + $(grep -c -E '^(not )?ok ' browser)))
    ok 'the page in a browser' [ $status = 0 ]
    ok '.. whose end ends the server' ends 0
else
    echo "ok $((n = n + 1)) - the page in a browser # SKIP there is no chromium"
fi
echo "1..$n"
