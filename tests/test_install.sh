#!/bin/sh
# `make install` puts what is built into a folder in which the program works without the source tree, and `make uninstall`
# takes away just that. The program is installed below a scratch DESTDIR; that it reads the installed files, and not those
# of the tree in which it was built, shows when they are altered or removed.
tree=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
unset COLLSIM_SHARE COLLSIM_PLATFORMS COLLSIM_PLOTS COLLSIM_DECISIONS COLLSIM_CLAIMS COLLSIM_BACKENDS MAKEFLAGS MAKELEVEL
built=$(dirname "$COLLSIM") PREFIX=/opt/some/where
installed=$dir/root$PREFIX

# make_ TARGET ARGUMENTS...: runs make in the tree, for the program under test
make_() { make -s -C "$tree" BUILD="$built" PREFIX=$PREFIX DESTDIR="$dir/root" "$@" >out 2>err; }

# ---- Which backends are built ----------------------------------------------------------------------------------------------
# A stand-in for a compiler without headers, one that is not there, and one that finds mpi.h.
printf '#!/bin/sh\nexit 1\n' >mpicc.bare && printf '#!/bin/sh\nexit 0\n' >mpicc.good && chmod +x mpicc.bare mpicc.good
make_ -n all BUILD="$dir/none" UNIT= MPICC="$dir/mpicc.good" MPICHCC="$dir/mpicc.bare" SMPICC="$dir/missing"
cp out plan && tail -n 2 plan >why.sh
ok "a compiler that finds mpi.h builds its backend" grep -q "^$dir/mpicc.good .* -o $dir/none/collsim-mpi " plan
ok ".. others are left out" sh -c '! grep -q -e "-o [^ ]*/collsim-mpich " -e "-o [^ ]*/collsim-smpi " plan'
said() { sh why.sh | grep -qxF "$1"; }
ok ".. which make says" said "collsim-mpich is not built: $dir/mpicc.bare does not find mpi.h (Debian: mpich libmpich-dev)"
ok ".. with the reason" said "collsim-smpi is not built: $dir/missing is missing (Debian: simgrid libsimgrid-dev)"

# ---- Installed ------------------------------------------------------------------------------------------------------------
mkdir -p "$installed/man"
ok "make man" make_ man
ok "make install" make_ install-files
COLLSIM=$installed/bin/collsim
ok "the manual and the completions are there" [ -s "$installed/share/man/man1/collsim-run.1" -a \
    -s "$installed/share/man/man5/collsim-formats.5" -a -s "$installed/share/bash-completion/completions/collsim" -a \
    -s "$installed/share/zsh/site-functions/_collsim" ]
# anchors PAGE: the names of its headings, as a page that shows it has them
anchors() { sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | sed 's/[^a-z0-9_-]//g'; }
links_lead() { # links_lead: each link in an installed page is to a file that is installed, and to a heading that it has
    find "$installed/share/doc" -name '*.md' -exec grep -oH '](\([^):]*\))' {} + >links
    while IFS= read -r line; do # PAGE:](LINK) or PAGE:](LINK#HEADING)
        page=${line%%:\](*} link=${line#*:\](} to=$page
        link=${link%)}
        [ -z "${link%%#*}" ] || to=${page%/*}/${link%%#*}
        [ -e "$to" ] || echo "$page: $link"
        case $link in *'#'*) anchors "$to" | grep -qxF -e "${link#*#}" || echo "$page: $link" ;; esac
    done <links >err
    [ "$(grep -c '#' links)" -gt 20 ] && [ "$(wc -l <links)" -gt 100 ] && [ -s "$installed/share/doc/collsim/docs/FORMATS.md" ] && [ ! -s err ]
}
ok "the links in installed pages lead somewhere" links_lead
no_path() { # no_path: nothing that is installed as text names the tree or the scratch folder
    ! grep -rIlF -e "$tree" -e "$dir" "$installed/share"
}
ok "no installed text names the tree" no_path
ok "another PREFIX needs no build" sh -c 'make -n -C "$1" BUILD="$2" PREFIX=/else "${2#"$1"/}/collsim" | grep -q "up to date"' sh "$tree" "$built"

share=$installed/share/collsim
run="run bcast binomial -p 8 -m 8"
ok "it runs" gives "3 alpha + 24 beta" $run
sed -i 's/^title = .*/title = Altered/' "$share/platforms/generic-100g.ini"
ok "it reads the installed machine" gives "(Altered)" $run
ln -s "$COLLSIM" linked
ok "a link to the program finds the files too" sh -c './linked "$@" | grep -q "(Altered)"' sh $run
cp -r "$installed" moved
ok "it can be moved" sh -c 'moved/bin/collsim "$@" | grep -q "(Altered)"' sh $run
mkdir -p other/platforms && sed 's/Altered/Asked/' "$share/platforms/generic-100g.ini" >other/platforms/generic-100g.ini
asked() { # asked TEXT ARGUMENTS...: the answer with COLLSIM_SHARE has the text
    COLLSIM_SHARE=$dir/other gives "$@"
}
ok "COLLSIM_SHARE comes first" asked "(Asked)" $run
ok "claims and decisions are there" sh -c '"$0" audit --source 004 -f csv >out && "$0" run bcast ompi:auto,mpich:auto -p 8 -m 8 >>out' "$COLLSIM"
named() { # named: each file below experiments/ that --help names is installed
    for page in $("$COLLSIM" man); do "$COLLSIM" man "$page"; done | grep -o 'experiments/[a-z_/]*[.][a-z]*' | sort -u >names
    while IFS= read -r file; do [ -f "$share/$file" ] || echo "$file"; done <names >err
    [ -s names ] && [ ! -s err ]
}
ok "the files that --help names are there" named
# A program in a package was built with the folder of its files in place of the tree; a link to the tree stands for it.
rm -rf moved/libexec && cp -r moved packaged && rm -r packaged/share/collsim && ln -s "$tree" packaged/share/collsim
lacks() { # lacks FOLDER ADVICE: the installation in the folder says that the backend of MPICH is missing, and the advice
    (COLLSIM=$dir/$1/bin/collsim && fails "$1/libexec/collsim/collsim-mpich is missing; $2" measure bcast binomial -p 2 -m 8 --mpi mpich)
}
ok "a backend is missing: make install" lacks moved "install mpich libmpich-dev, then repeat make install"
ok "a backend is missing: a package" lacks packaged "install the package collsim-mpich"
mkdir -p "$installed/libexec/collsim" && printf '#!/bin/sh\nexit 3\n' >"$installed/libexec/collsim/collsim-mpi"
chmod +x "$installed/libexec/collsim/collsim-mpi"
ok "backends are in libexec" fails "/libexec/collsim/collsim-mpi cannot be run" check --backends mpi bcast binomial -p 2 -m 8

# ---- pkg-config -----------------------------------------------------------------------------------------------------------
# The descriptions name folders from where they lie: an installation that was moved, or packed with DESTDIR, compiles.
# described FOLDER FLAGS PACKAGE: compiles and runs an example against the installation in the folder, whose library lies in
# $libdir there. The only installation is that one, so a path to another place fails.
described() {
    rm -f predict
    flags=$(PKG_CONFIG_PATH=$dir/$1/$libdir/pkgconfig pkg-config $2 --cflags --libs "$3" 2>err) &&
        eval "cc \"\$tree/docs/examples/predict.c\" -o predict $flags" 2>err &&
        LD_LIBRARY_PATH=$dir/$1/$libdir COLLSIM_SHARE=$dir/$1/share/collsim ./predict >out 2>err && [ -s out ] && [ ! -s err ]
}
names_no() { # names_no FOLDER TEXT: the descriptions below the folder do not have the text
    ! grep -qF -- "$2" "$1"/$libdir/pkgconfig/*.pc
}
if command -v pkg-config >/dev/null && [ -z "${SANITIZED:-}" ]; then
    mv "$dir/root" "$dir/elsewhere" # so that nothing is at the place of the installation
    number=0
    for libdir in lib lib/x86_64-linux-gnu; do
        rm -rf stage 'far away'
        make_ install-files DESTDIR="$dir/stage" LIBDIR="$PREFIX/$libdir" && mkdir 'far away' && mv "stage$PREFIX" 'far away/moved again' || exit 1
        for package in collsim collsim-static; do
            for flags in '' --define-prefix --static; do
                number=$((number + 1))
                takes $number 2 || continue
                ok "$package in $libdir, moved${flags:+, $flags}" described 'far away/moved again' "$flags" $package
            done
        done
        ok ".. names no place" names_no 'far away/moved again' "$PREFIX"
    done
    mv "$dir/elsewhere" "$dir/root"
    # A cross compiler finds the descriptions in its sysroot.
    make_ install-files DESTDIR="$dir/sysroot" PREFIX=/usr
    PKG_CONFIG_SYSROOT_DIR=$dir/sysroot PKG_CONFIG_PATH=$dir/sysroot/usr/lib/pkgconfig pkg-config --cflags collsim-static >out 2>err
    in_sysroot() { [ "$(realpath "$(tr ' ' '\n' <out | sed -n 's/^-I\(.*collsim\)$/\1/p')")" = "$dir/sysroot/usr/include/collsim" ]; }
    ok "in a sysroot" in_sysroot
    # What does not lie below PREFIX keeps its whole name.
    libdir=lib
    # CHECK_SEED draws one of each pair below.
    if takes 0 2; then
        make_ install-files DESTDIR="$dir/apart" INCLUDE=/opt/headers
        ok "headers elsewhere" grep -qx 'includedir=/opt/headers' "apart$PREFIX/lib/pkgconfig/collsim.pc"
    fi
    if takes 1 2; then
        make_ install-files DESTDIR="$dir/apart" LIBDIR=/opt/libraries
        ok "libraries elsewhere" grep -qx "includedir=$PREFIX/include/collsim" apart/opt/libraries/pkgconfig/collsim.pc
    fi
    for prefix in / ''; do
        takes ${#prefix} 2 || continue
        rm -rf top && make_ install-files DESTDIR="$dir/top" PREFIX=$prefix
        ok "PREFIX=$prefix" grep -qE 'includedir=([$]{pcfiledir}/[.][.]/[.][.]|/)/include/collsim' top/lib/pkgconfig/collsim.pc
    done
fi

# ---- A file is missing ------------------------------------------------------------------------------------------------
missing() { # missing FILE ARGUMENTS...: without the file, the program says which one is missing and what to do
    mv "$share/$1" kept
    gone=$1
    shift
    fails "$share/$gone: a file of collsim is missing; install collsim again, or set COLLSIM_SHARE=FOLDER" "$@"
    status=$?
    mv kept "$share/$gone"
    return $status
}
"$COLLSIM" run bcast all -p 8 -m 8,64K -f csv >rows.csv
ok "missing: the default machine" missing platforms/generic-100g.ini $run
ok "missing: all machines" missing platforms $run --platform lumi
ok "missing: a table of decisions" missing decisions/openmpi-han.csv run bcast ompi:auto -p 8 -m 8
ok "missing: the claims" missing experiments/claims audit
if command -v gnuplot >/dev/null; then
    ok "missing: a gnuplot script" missing plots/canvas.gp plot rows.csv -o rows.svg
fi

# ---- Uninstalled ----------------------------------------------------------------------------------------------------------
listed() { # listed: the list names the files that are there, and no others
    sed "/[/]$/d; s,^,$dir/root," "$share/installed.txt" | sort >listed
    find "$dir/root" ! -type d | sort | comm -3 - listed | grep -v libexec/collsim/collsim-mpi$ >err
    [ ! -s err ]
}
ok "the list has all files" listed
echo mine >"$share/platforms/mine.ini"
mkdir "$dir/root$PREFIX/lib/python3/dist-packages/collsim/__pycache__"
ok "make uninstall" make_ uninstall
left() { # left: only these files are left, with the folders that they are in, and those that were there before
    rm -rf "$installed/libexec" # the stand-in, unless make installed this backend
    [ "$(find "$dir/root" -type f)" = "$share/platforms/mine.ini" ] && [ "$(find "$dir/root" -type d -empty)" = "$installed/man" ]
}
ok "what the user added stays, and nothing else" left
ok "make uninstall where nothing is" sh -c '! make -s -C "$1" uninstall DESTDIR="$2/nowhere" PREFIX=/x 2>err && grep -q "collsim is not installed there" err' sh "$tree" "$dir"

# ---- The Debian packages --------------------------------------------------------------------------------------------------
# install/debian says which package has which of the files that `make install` installs.
packaging=$tree/install/debian
arch=$(dpkg-architecture -q DEB_HOST_MULTIARCH 2>/dev/null || echo x86_64-linux-gnu)
make_ installed-files PREFIX=/usr LIBDIR="/usr/lib/$arch" ZSH=/usr/share/zsh/vendor-completions && cp out files
# The lines of PACKAGE.install and of not-installed, as PACKAGE PATTERN.
(cd "$packaging" && awk '{ print FILENAME, "/" $1 }' ./*.install not-installed) >patterns
each_in_one() { # each_in_one: every installed file is in one package, or is not meant to be in any
    while IFS= read -r file; do
        found=''
        while read -r package pattern; do
            # shellcheck disable=SC2254 # the pattern has wildcards
            case $file in $pattern | $pattern/*) found="$found $package" ;; esac
        done <patterns
        case $found in ' '*' '* | '') echo "$file:${found:- in no package}" ;; esac
    done <files >err
    [ -s files ] && [ ! -s err ]
}
ok "Debian: each installed file is in one package" each_in_one
packages_known() { # packages_known: each list of files belongs to a package of control, and each package has a list
    sed -n 's/^Package: //p' "$packaging/control" | sort >known
    (cd "$packaging" && printf '%s\n' *.install) | sed 's/[.]install$//' | sort | diff known - >err
}
ok "Debian: each package has a list of files" packages_known
version=$(sed -n 's/^.define COLLSIM_VERSION "\(.*\)"/\1/p' "$tree/sim/base/version.h")
versions() { # versions: the changelog, CITATION.cff and the recipe for Spack have the version of the program
    head -n 1 "$packaging/changelog" | grep -q "^collsim ($version-[0-9]*) " && grep -qx "version: $version" "$tree/CITATION.cff" &&
        grep -q "version(\"$version\"" "$tree/install/spack/package.py"
}
ok "Debian, Spack and CITATION.cff have the program's version" versions
abi=$(sed -n 's/^ABI *= *//p' "$tree/Makefile")
ok "Debian: the library's package has its ABI" grep -qx "Package: libcollsim$abi" "$packaging/control"

# ---- make dist ------------------------------------------------------------------------------------------------------------
ok "make dist" make_ dist TARBALL="$dir/collsim.tar.gz"
tar -tzf collsim.tar.gz | sed 's,^[^/]*/,,' >names
ok "the tarball has the sources" sh -c 'for f in Makefile cli/main.c install/man.awk platforms/lumi.ini tests/tap.sh; do grep -qx $f names || exit 1; done'
ok "the tarball has nothing that was built" sh -c '! grep -E "^(build|results)/|[.]o$" names'

# ---- Packages -------------------------------------------------------------------------------------------------------------
# A folder of programs that stand for a machine: as PATH it has no apt-get, or one with sudo.
mkdir bare debian
for program in sh env mktemp rm cat grep; do ln -s "$(command -v $program)" bare; done
cp -P bare/* debian
for program in dpkg-query apt-get sudo; do printf '#!/bin/sh\necho %s "$@" >>"%s/calls"\n' $program "$dir" >debian/$program; done
printf '#!/bin/sh\necho 1000\n' >debian/id
chmod +x debian/*
packages() { (PATH=$1 && shift && "$tree/install/packages.sh" "$@") >out 2>err; }
stops() { ! packages "$@"; }
ok "no apt-get: says what is missing" stops "$dir/bare" gcc libglib2.0-dev gnuplot-nox
ok "no apt-get: by names of any system" says err "no apt-get: gcc, GLib 2 with its headers, gnuplot"
ok "no apt-get: goes on without what can be missing" packages "$dir/bare" gnuplot-nox libopenmpi-dev
printf 'echo "install ok installed, libsimgrid-dev, simgrid (= 3.32),"\n' >>debian/dpkg-query
printf 'echo "deinstall ok config-files, perl, ,"\n' >>debian/dpkg-query
ok "what another package provides is there" packages "$dir/debian" libsimgrid-dev simgrid
ok "what is there is not installed" sh -c '! grep -q "^sudo" calls'
ok "not a terminal: installs without a question" packages "$dir/debian" gcc perl </dev/null
ok "not a terminal: through sudo" grep -q '^sudo env DEBIAN_FRONTEND=noninteractive apt-get install .* gcc perl$' calls
# What can be done meanwhile runs after the compiler is there, and the script waits for it and for what is installed.
rm calls
meanwhile() { rm -f calls; packages "$dir/debian" --while "echo meanwhile >>'$dir/calls'" "$@" </dev/null; }
ok "meanwhile" meanwhile perl gcc libc6-dev libsimgrid-dev
ok ".. the compiler is installed first" sh -c 'sed -n "s/.*recommends //p; /^meanwhile/p" calls | head -n 1 | grep -qx "gcc libc6-dev"'
ok ".. and the others beside the command" sh -c '[ "$(grep -cE "recommends perl$|^meanwhile" calls)" = 2 ]'
ok "meanwhile, with nothing to install" meanwhile simgrid
ok ".. the command is not run" says_not calls meanwhile
cp debian/sudo sudo
printf 'case "$*" in *perl*) echo no such package >&2; exit 100 ;; esac\n' >>debian/sudo
ok "meanwhile, with a package that cannot be installed" stops "$dir/debian" --while true gcc perl </dev/null
ok ".. says why" says err "no such package"
mv sudo debian/sudo
if command -v script >/dev/null; then
    rm calls
    terminal() { # terminal ANSWER PACKAGE: runs packages.sh on a terminal
        echo "$1" | PATH=$dir/debian:$PATH script -qec "$tree/install/packages.sh $2" /dev/null >out 2>err
    }
    ok "a terminal: no" terminal n perl
    ok "a terminal: it asked" says out "Install perl with sudo apt-get? [Y/n]"
    ok "a terminal: it did not call sudo" sh -c '! grep -q ^sudo calls'
    ok "a terminal: yes" terminal y perl
    ok "a terminal: it called sudo" grep -q '^sudo.* perl$' calls
fi
echo "1..$n"
