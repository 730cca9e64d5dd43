# shellcheck shell=sh
# Functions for the scripts that write docs/ALIASES.md.

# shown ENTRY: prints an entry and its parameters as the tables do: "tree, radix=2 segment=8192" for
# tree:radix=2:segment=8192.
shown() {
    echo "$1" | sed 's/:/, /; s/:/ /g'
}

# write_rows FILE NAME ROWS HEADER: replaces what FILE has between the lines <!-- NAME --> and <!-- end --> by a table of
# the lines of the file ROWS, whose first line is HEADER.
write_rows() {
    written=$(mktemp)
    awk -v begin="<!-- $2 -->" -v rows="$3" -v header="$4" '
        $0 == begin { print; print header; gsub(/[^|]+/, " --- ", header); print header
            while ((getline line < rows) > 0) print line; skip = 1; next }
        /^<!-- end -->/ { skip = 0 }
        !skip' "$1" >"$written" && cat "$written" >"$1"
    rm -f "$written"
}
