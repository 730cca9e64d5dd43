#!/bin/sh
# packages.sh [--while COMMAND] PACKAGE...: installs the packages that are missing, on Debian and systems like it. On a
# terminal it asks before it uses sudo. On other systems it names the programs and libraries that are missing. Whoever calls
# it goes on without them, unless collsim cannot be built without one: then it fails.
#
# Those that every build needs are installed first, and COMMAND, which can do with them, runs while the others are installed.
# It only saves time: it is not run if there is nothing to wait for, and may fail.
set -u
essential='gcc pkg-config libglib2.0-dev'
command=''
if [ "${1-}" = --while ]; then
    command=$2
    shift 2
fi

# without PACKAGE...: ends the script, which fails if one of these is essential.
without() {
    for package; do
        case " $essential " in *" $package "*) exit 1 ;; esac
    done
    exit 0
}

# what PACKAGE: prints what it is called elsewhere, a colon, and the command that succeeds if it is there.
what() {
    case $1 in
    libc6-dev | fonts-dejavu-core) echo ':true' ;;
    libglib2.0-dev) echo 'GLib 2 with its headers:pkg-config --exists glib-2.0' ;;
    libmicrohttpd-dev) echo 'libmicrohttpd with its headers:pkg-config --exists libmicrohttpd' ;;
    gnuplot-nox) echo 'gnuplot:command -v gnuplot' ;;
    openmpi-bin) echo 'Open MPI:command -v mpirun' ;;
    libopenmpi-dev) echo 'mpicc of Open MPI:command -v mpicc' ;;
    mpich) echo 'MPICH:command -v mpirun.mpich' ;;
    libmpich-dev) echo 'mpicc of MPICH, as mpicc.mpich:command -v mpicc.mpich' ;;
    simgrid) echo 'SimGrid with SMPI:command -v smpirun' ;;
    libsimgrid-dev) echo 'smpicc of SimGrid:command -v smpicc' ;;
    libclang-rt-*) echo 'libFuzzer of clang:false' ;;
    *) echo "$1:command -v $1" ;;
    esac
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    missing='' names=''
    for package; do
        it=$(what "$package")
        ${it#*:} >/dev/null 2>&1 && continue
        missing="$missing $package" names="$names${names:+, }${it%%:*}"
    done
    [ -z "$names" ] || echo "missing, to be installed by hand because this system has no apt-get: $names" >&2
    # shellcheck disable=SC2086 # a word for each package
    without $missing
fi

# A name may be one that another package provides, as libsimgrid-dev does simgrid.
installed=$(dpkg-query -W -f '${Status}, ${Package}, ${Provides},\n' 2>/dev/null | grep '^install ok installed,')
missing=''
for package; do
    echo "$installed" | grep -q ", $package[ ,]" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
root=''
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "missing, and only root can install them: apt-get install$missing" >&2
        # shellcheck disable=SC2086
        without $missing
    fi
    root=sudo
    if [ -t 0 ] && [ -t 2 ]; then
        printf 'Install%s with sudo apt-get? [Y/n] ' "$missing" >&2
        read -r answer || answer=n
        # shellcheck disable=SC2086
        case $answer in '' | [Yy]*) ;; *) without $missing ;; esac
    fi
fi
echo "installing$missing"
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

# get PACKAGE...: installs packages, or prints what apt-get says and fails.
get() {
    [ $# -gt 0 ] || return 0
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>"$log" || {
        cat "$log" >&2
        return 1
    }
}

first='' others=''
for package in $missing; do
    case " $essential libc6-dev " in *" $package "*) first="$first $package" ;; *) others="$others $package" ;; esac
done
if [ -z "$command" ]; then first=$missing others=''; fi
# shellcheck disable=SC2086 # a word for each package
$root apt-get update -qq && get $first || exit 1
[ -n "$others" ] || exit 0
# shellcheck disable=SC2086
get $others &
sh -c "$command" >/dev/null 2>&1
wait $!
