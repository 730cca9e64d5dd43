# Completion of collsim's command lines in bash. `collsim complete LINE` prints the candidates, one per line, each with a
# tab and a description. A line that has only a tab and `files`, `folders` or `plugins` asks for names of files, of
# folders, or of C files and libraries.

_collsim() {
    local program=${1/#\~/$HOME} line=${COMP_LINE:0:COMP_POINT} candidate names='' plugins='' kept=''
    local word=${line##*[[:space:]]} breaks=${COMP_WORDBREAKS//[^=:]/}
    # Bash takes `=` and `:` for the ends of words, so it replaces only what follows the last of them.
    [ -n "$breaks" ] && kept=${word%"${word##*[$breaks]}"}
    COMPREPLY=()
    while IFS= read -r candidate; do
        case $candidate in
        $'\tfiles') names=-f ;;
        $'\tfolders') names=-d ;;
        $'\tplugins') plugins=1 ;;
        *) candidate=${candidate%%$'\t'*} COMPREPLY+=("${candidate#"$kept"}") ;;
        esac
    done < <("$program" complete "$line" 2>/dev/null)
    if [ -n "$names" ]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r candidate; do
            COMPREPLY+=("$candidate")
        done < <(compgen "$names" -- "${word#"$kept"}")
    fi
    if [ -n "$plugins" ]; then # the file may follow other names and a comma
        local list=${word%"${word##*,}"}
        while IFS= read -r candidate; do
            case $candidate in
            *.c | *.so) COMPREPLY+=("${list#"$kept"}$candidate") ;;
            *) [ -d "$candidate" ] && COMPREPLY+=("${list#"$kept"}$candidate/") && compopt -o nospace 2>/dev/null ;;
            esac
        done < <(compgen -f -- "${word##*,}")
    fi
    # A value follows `segment=`, and a name `block:`.
    case ${#COMPREPLY[@]}${COMPREPLY[0]} in
    1*[=:]) compopt -o nospace 2>/dev/null ;;
    esac
}
complete -o nosort -F _collsim collsim 2>/dev/null || complete -F _collsim collsim
