# Prints rows for `collsim validate --rows` that say what a library took by default, as LIB:auto, where `library` is LIB.
# The files are the measured data, whose rows of the default have the id 0 or a name that begins with default_, and a rows
# file: each place in it that has a default gets one row, which is only held against others (`winner`).
BEGIN { FS = OFS = "," }
FNR == 1 {
    delete at
    for (i = 1; i <= NF; i++)
        at[$i] = i
    file++
    next
}
# What identifies a place in the data.
function field(name) { return name in at ? $at[name] : "" }
function place() {
    return field("timestamp") FS field("collective") FS field("experiment") FS field("partition") FS field("map_by") FS field("p") FS \
        field("bytes")
}
file == 1 {
    places[FNR] = place()
    if (field("ompi_id") == "0" || field("algorithm") ~ /^default_/) {
        line[places[FNR]] = FNR
        # The column that the rows have, with all its digits.
        us[places[FNR]] = sprintf("%.9g", field("median_ns") != "" ? field("median_ns") / 1000 : field("min_run_us") field("max_us"))
    }
    next
}
field("algorithm") != "" {
    at_place = places[$at["line"]]
    if (at_place in us && !done[at_place, $at["bytes"], $at["group"]]++) {
        $at["line"] = line[at_place]
        $at["use"] = "winner"
        $at["algorithm"] = library ":auto"
        $at["measured_us"] = us[at_place]
        for (name in at) # predictions, which are of another algorithm
            if (name ~ /_us$/ && name != "measured_us")
                $at[name] = ""
        print
    }
}
