#compdef collsim
# Completion of collsim's command lines in zsh. `collsim complete LINE` prints the candidates, one per line, each with a
# tab and a description. A line that has only a tab and `files`, `folders` or `plugins` asks for names of files, of
# folders, or of C files and libraries.

_collsim() {
    local line candidate about names='' program=${~${(Q)words[1]}}
    local -a whole shown open open_shown
    for line in "${(@f)$(_call_program candidates ${(q)program} complete ${(q):-"${(j: :)words[1,CURRENT-1]} $PREFIX"})}"; do
        candidate=${line%%$'\t'*} about=${line#*$'\t'}
        case $line in
        ('') ;;
        ($'\tfiles'|$'\tfolders'|$'\tplugins') names=$about ;;
        (*[=:]$'\t'*) # a value follows, so no space does
            open+=("$candidate") open_shown+=("${(r:24:)candidate} $about") ;;
        (*) whole+=("$candidate") shown+=("${(r:24:)candidate} $about") ;;
        esac
    done
    (( $#whole )) && compadd -l -V collsim -d shown -a whole
    (( $#open )) && compadd -l -S '' -V collsim-open -d open_shown -a open
    [[ -n $names && $PREFIX == --*=* ]] && compset -P '*='
    case $names in
    (files) _files ;;
    (folders) _files -/ ;;
    (plugins) # the file may follow other names and a comma
        compset -P '*,'
        _files -g '*.(c|so)' ;;
    esac
    (( compstate[nmatches] ))
}

_collsim "$@"
