#!/bin/sh
# Completion: what `collsim complete LINE` offers, and what bash and zsh make of it. Shells that are not there are skipped.
# $COLLSIM is the program.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"

# offers LINE CANDIDATE...: just these are offered, in this order. FILES stands for names of files, FOLDERS for those of
# folders, and PLUGINS for C files and libraries.
offers() {
    line=$1
    shift
    printf '%s\n' "$@" >asked
    "$COLLSIM" complete "$line" >out 2>err && [ ! -s err ] &&
        sed 's/^\tfiles$/FILES/; s/^\tfolders$/FOLDERS/; s/^\tplugins$/PLUGINS/; s/\t.*//' out | cmp -s asked -
}
nothing() { # nothing LINE: there is no candidate
    "$COLLSIM" complete "$1" >out 2>err && [ ! -s out ] && [ ! -s err ]
}
has() { # has LINE CANDIDATE: this is one of the candidates
    "$COLLSIM" complete "$1" >out 2>err && cut -f1 out | grep -qxF -- "$2"
}

# ---- Words ------------------------------------------------------------------------------------------------------------------
ok "a command" offers "collsim r" run report regret rules
ok "an option of the program" offers "collsim --v" --version
ok "help" offers "collsim help ex" explore export
ok "help of a kind" offers "collsim help rules c" check convert
ok "a kind" offers "collsim export " goal dot smpi-platform
ok "an unknown command" nothing "collsim rum "
ok "an unknown kind" nothing "collsim rules chekc "
ok "a collective" offers "collsim run sc" scan scatter scatterv
ok "an algorithm" offers "collsim show allreduce sm" smp PLUGINS
ok "an algorithm after another" offers "collsim run allreduce ring,sm" ring,smp PLUGINS
ok "all" has "collsim run allreduce " all
ok "not all, where one is asked for" sh -c '! "$1" complete "collsim show allreduce " | cut -f1 | grep -qx all' sh "$COLLSIM"
ok "the second of two" offers "collsim crossover bcast binomial pi" pipeline PLUGINS
ok "no third" nothing "collsim crossover bcast binomial pipeline "
ok "a library's default" offers "collsim run bcast ompi-4.1:a" ompi-4.1:auto ompi-4.1:all PLUGINS
ok "a library's algorithm" offers "collsim run bcast ompi-4.1:split" ompi-4.1:split_binary_tree PLUGINS
ok "a library" offers "collsim regret mp" mpich-4.0 mpich-4.3
ok "collectives of a library" offers "collsim regret ompi-5 bcast,barr" bcast,barrier
ok "a library or a log" has "collsim guidelines " mpich-4.3
ok "what stands on the left of guidelines" offers "collsim guidelines ompi-5 --of bcast,barr" bcast,barrier
ok "a file" offers "collsim rules check " FILES
ok "several files" offers "collsim plot a.csv " FILES
ok "a file or a collective" has "collsim sweep " bcast
ok "options anywhere" offers "collsim run -p 8 allreduce --timing rab" rabenseifner PLUGINS
ok "mpirun's -np" offers "collsim run -np 8 allreduce rab" rabenseifner PLUGINS
ok "after --" offers "collsim run -- allreduce rab" rabenseifner PLUGINS
ok "an open quote" offers "collsim run 'bca" bcast

# ---- Options ----------------------------------------------------------------------------------------------------------------
ok "an option" offers "collsim run --per" --per-node
ok "not one that is there" nothing "collsim run --per-node 8 --per"
ok "again one that may be repeated" offers "collsim run --param segment=8 --par" --param
ok "letters" has "collsim run -" -p
ok "a machine" offers "collsim run --platform lu" lumi FILES
ok "a machine after =" offers "collsim run --platform=lu" --platform=lumi FILES
ok "a second machine" offers "collsim run --platform lumi,le" lumi,leonardo FILES
ok "models of run" offers "collsim run --model " hockney measured loggops loggp logp shared
ok "models of best" offers "collsim best --model " hockney measured loggops loggp logp shared
ok "models of sweep" has "collsim sweep --model hockney," hockney,loggp
ok "a format" offers "collsim run -f " table csv json
ok "a format with an explanation" offers "collsim tune -f " rules c
ok "a transfer" offers "collsim run --transfer " rendezvous eager eager-port
ok "a map" offers "collsim run --map " block: cyclic: FILES
ok "backends" offers "collsim check --backends sim,s" sim,smpi sim,simgrid
ok "alternatives" offers "collsim plot --x " size p per-node
ok "one alternative" offers "collsim audit --expect " exact
ok "all roots" offers "collsim run --root " all
ok "lengths of blocks" offers "collsim run --counts l" linear FILES
ok "a version" offers "collsim rules check --for ompi-4" ompi-4.1
ok "a folder" offers "collsim audit --report " FOLDERS
ok "a file" offers "collsim run -o " FILES
ok "a number" nothing "collsim run -p "
ok "a size" nothing "collsim run -m "
ok "a figure" offers "collsim run --set al" alpha=
ok "a parameter" offers "collsim run bcast pipeline --param " segment=
ok "parameters of two algorithms" offers "collsim run bcast chain,generic --param s" segment=
ok "a choice" offers "collsim run allreduce rabenseifner --param prestep=" prestep=ompi prestep=mpich
ok "a default" offers "collsim run bcast chain --param chains=" chains=4
ok "an algorithm as a parameter" has "collsim run allreduce smp --param reduce=b" reduce=binomial

# ---- bash -------------------------------------------------------------------------------------------------------------------
cat >try.bash <<'END'
# Calls the function as bash does, with the words as COMP_WORDBREAKS cuts them.
. "$1"
try() {
    COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
    _collsim "$COLLSIM" 2>/dev/null
    printf '%s => %s\n' "$1" "${COMPREPLY[*]}"
}
touch data.csv data.c none.so
mkdir own && touch own/own.c own/own.h
try 'collsim cal'
try 'collsim run bcast ompi-4.1:au'
try 'collsim run bcast all --platform=lum'
try 'collsim run bcast pipeline --param seg'
try 'collsim run allreduce rabenseifner --param prestep=m'
try 'collsim run allreduce ring,smp'
try 'collsim plot data.cs'
try 'collsim run bcast dat'
try 'collsim run bcast all,non'
try 'collsim trace bcast own/o'
try 'collsim show bcast ow'
COMP_WORDBREAKS=' '
try 'collsim run bcast ompi-4.1:au'
END
cat >asked <<'END'
collsim cal => calibrate
collsim run bcast ompi-4.1:au => auto
collsim run bcast all --platform=lum => lumi
collsim run bcast pipeline --param seg => segment=
collsim run allreduce rabenseifner --param prestep=m => mpich
collsim run allreduce ring,smp => ring,smp
collsim plot data.cs => data.csv
collsim run bcast dat => data.c
collsim run bcast all,non => all,none.so
collsim trace bcast own/o => own/own.c
collsim show bcast ow => own/
collsim run bcast ompi-4.1:au => ompi-4.1:auto
END
if command -v bash >/dev/null; then
    ok "bash" sh -c 'COLLSIM=$1 bash --norc try.bash "$2/install/collsim.bash" >out 2>err && diff asked out >>err' sh "$COLLSIM" "$root"
    ok "bash: the function belongs to collsim" sh -c 'bash --norc -c ". \"\$0\"; complete -p collsim" "$1" | grep -q "_collsim collsim"' sh "$root/install/collsim.bash"
fi

# ---- zsh --------------------------------------------------------------------------------------------------------------------
cat >try.zsh <<'END'
# Types lines and a tab into an interactive zsh, and prints what the line becomes.
zmodload zsh/zpty || exit 1
zpty shell 'TERM=dumb zsh -f -i'
send() { zpty -w shell "$1" }
await() { zpty -r -m shell seen "*$1*" }
send "PS1= PROMPT_EOL_MARK= ; unsetopt zle_bracketed_paste; fpath=($FOLDER \$fpath); autoload -Uz compinit; compinit -u -D; PATH=${COLLSIM:h}:\$PATH"
send 'show() { print -r -- "<$BUFFER>"; BUFFER=; zle accept-line }; zle -N show; bindkey "^X" show; print READ""Y'
await READY
for line in 'collsim cal' 'collsim run bcast ompi-4.1:au' 'collsim run bcast all --platform=lum' \
    'collsim run bcast pipeline --param seg' 'collsim plot data.cs' 'collsim run bcast all --transfer rend' \
    'collsim run bcast dat' 'collsim run bcast all,non'; do
    zpty -w -n shell "$line"$'\t\x18'
    seen=
    await '<collsim*>'
    print -r -- "$line => ${${seen##*<}%%>*}"
done
zpty -d shell
END
cat >asked <<'END'
collsim cal => collsim calibrate 
collsim run bcast ompi-4.1:au => collsim run bcast ompi-4.1:auto 
collsim run bcast all --platform=lum => collsim run bcast all --platform=lumi 
collsim run bcast pipeline --param seg => collsim run bcast pipeline --param segment=
collsim plot data.cs => collsim plot data.csv 
collsim run bcast all --transfer rend => collsim run bcast all --transfer rendezvous 
collsim run bcast dat => collsim run bcast data.c 
collsim run bcast all,non => collsim run bcast all,none.so 
END
if command -v zsh >/dev/null; then
    mkdir zsh && cp "$root/install/collsim.zsh" zsh/_collsim
    ok "zsh" sh -c 'COLLSIM=$1 FOLDER=$PWD/zsh zsh -f try.zsh >out 2>err; diff asked out >>err' sh "$COLLSIM"
fi
echo "1..$n"
