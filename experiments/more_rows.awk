# Prints rows for `collsim validate --rows` that the rows files of the measured data lack. They are not scored, and only what
# is chosen by predictions is held against them. The files are the data and a rows file. Each place of the rows file at
# which the data have the library's default (the id 0, or a name that begins with default_) gets one row of the use `default`,
# LIB:auto, where `library` is LIB. With `ranks`, the numbers of ranks that the rows file leaves out get rows of all
# its algorithms as well, of the use `winner`.
BEGIN { FS = OFS = "," }
FNR == 1 {
    delete at
    for (i = 1; i <= NF; i++)
        at[$i] = i
    file++
    next
}
function field(name) { return name in at ? $at[name] : "" }
# What identifies a place in the data.
function place() {
    return field("timestamp") FS field("collective") FS field("experiment") FS field("partition") FS field("map_by") FS field("p") FS \
        field("bytes")
}
# Returns what Open MPI 4.0 runs by default, which collsim does not know as a library; "" if that is not one algorithm. These
# are the fixed decisions of coll/tuned up to those of June 2020, for reductions that commute and 4-byte elements.
function ompi_4_0(op, p, m, power) {
    for (power = 1; power < p; power *= 2)
        ;
    if (op == "allreduce")
        return m < 10000 ? "recursive_doubling" : m / 4 > p && m <= p * 2 ^ 20 ? "ring" : ""
    if (op == "alltoall")
        return m < 200 && p > 12 ? "bruck" : m < 3000 ? "linear" : "pairwise"
    if (op == "allgather")
        return m * p >= 50000 ? (p % 2 ? "ring" : "neighbor_exchange") : power == p ? "recursive_doubling" : "bruck"
    if (op == "reduce_scatter")
        return m <= 12288 || (m <= 262144 && power == p) || p >= 0.0012 * m + 8 ? "recursive_halving" : "ring"
    return ""
}
function default_of(op, p, m) { return library == "ompi-4.0" ? ompi_4_0(op, p, m) : library ":auto" }
# Prints the row as one of another line of the data.
function print_row(number, algorithm) {
    if (algorithm == "")
        return
    $at["line"] = number
    $at["use"] = number == usual[places[number]] ? "default" : "winner"
    $at["algorithm"] = algorithm
    $at["measured_us"] = us[number]
    for (name in at) # predictions, which are of another algorithm
        if (name ~ /_us$/ && name != "measured_us")
            $at[name] = ""
    print
}
file == 1 {
    places[FNR] = place()
    id[FNR] = $at["collective"] FS field("ompi_id")
    p[FNR] = $at["p"]
    bytes[FNR] = $at["bytes"]
    # The column that the rows have, with all its digits.
    us[FNR] = sprintf("%.9g", field("median_ns") != "" ? field("median_ns") / 1000 : field("min_run_us") field("max_us"))
    if (field("ompi_id") == "0" || field("algorithm") ~ /^default_/)
        usual[places[FNR]] = FNR
    lines = FNR
    next
}
field("algorithm") != "" {
    number = $at["line"]
    called[id[number]] = $at["algorithm"]
    split(id[number], words, FS)
    called[words[1] FS 0] = "default"
    seen_ranks[words[1], $at["p"]] = seen_bytes[words[1], $at["bytes"]] = row = $0
    if (places[number] in usual && !done[places[number], $at["bytes"], $at["group"]]++)
        print_row(usual[places[number]], default_of($at["collective"], $at["p"], $at["bytes"]))
}
END {
    for (number = 2; ranks && number <= lines; number++) {
        split(id[number], words, FS)
        if (!(id[number] in called) || (words[1], p[number]) in seen_ranks || !((words[1], bytes[number]) in seen_bytes) || p[number] <= 2)
            continue
        $0 = row
        $at["collective"] = words[1]
        $at["p"] = p[number]
        $at["bytes"] = bytes[number]
        print_row(number, number == usual[places[number]] ? default_of(words[1], p[number], bytes[number]) : called[id[number]])
    }
}
