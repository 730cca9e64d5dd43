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
