# What the shell tests share: they run in a folder of their own, count what they try, and speak TAP. To be sourced first.
COLLSIM=$(realpath "${COLLSIM:-build/collsim}")
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
n=0

ok() { # ok NAME COMMAND...: passes if the command does
    name=$1
    shift
    n=$((n + 1))
    if "$@"; then echo "ok $n - $name"; else
        echo "not ok $n - $name"
        head -n 20 err out 2>/dev/null | sed 's/^/# /'
    fi
}

# The program, its output in `out` and `err`; and what is often asked of it. A test that asks otherwise says so itself.
LIMIT=60 # seconds
c() { timeout $LIMIT "$COLLSIM" "$@" >out 2>err; }
fails() { # fails TEXT ARGUMENTS...: exit 2, one line on stderr that holds TEXT, nothing on stdout
    text=$1
    shift
    c "$@"
    [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && says err "$text" && [ ! -s out ]
}
gives() { # gives TEXT ARGUMENTS...: exit 0, nothing on stderr, TEXT on stdout
    text=$1
    shift
    c "$@" && [ ! -s err ] && says out "$text"
}
says() { grep -qF -- "$2" "$1"; }
says_not() { ! says "$@"; }
