# fill PAGE MARK FILE: puts FILE between the line <!-- MARK --> of PAGE and the next <!-- end -->.
fill() {
    awk -v mark="<!-- $2 -->" -v file="$3" '
        $0 == mark { print; while ((getline line < file) > 0) print line; skip = 1; next }
        /^<!-- end -->/ { skip = 0 } !skip' "$1" >"$3.page"
    cat "$3.page" >"$1"
    rm "$3.page"
}
