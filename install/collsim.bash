# Completion of collsim's command lines in bash. `collsim complete LINE` prints the candidates, one per line, each with a
# tab and a description; a line that has only a tab and `files` or `folders` asks for names of these.

_collsim() {
    local program=${1/#\~/$HOME} line=${COMP_LINE:0:COMP_POINT} candidate names='' kept=''
    local word=${line##*[[:space:]]} breaks=${COMP_WORDBREAKS//[^=:]/}
    # Bash takes `=` and `:` for the ends of words, so it replaces only what follows the last of them.
    [ -n "$breaks" ] && kept=${word%"${word##*[$breaks]}"}
    COMPREPLY=()
    while IFS= read -r candidate; do
        case $candidate in
        $'\tfiles') names=-f ;;
        $'\tfolders') names=-d ;;
        *) candidate=${candidate%%$'\t'*} COMPREPLY+=("${candidate#"$kept"}") ;;
        esac
    done < <("$program" complete "$line" 2>/dev/null)
    if [ -n "$names" ]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r candidate; do
            COMPREPLY+=("$candidate")
        done < <(compgen "$names" -- "${word#"$kept"}")
    fi
    # A value follows `segment=`, and a name `block:`.
    case ${#COMPREPLY[@]}${COMPREPLY[0]} in
    1*[=:]) compopt -o nospace 2>/dev/null ;;
    esac
}
complete -o nosort -F _collsim collsim 2>/dev/null || complete -F _collsim collsim
