# Prints how far two measurements of one point lie from each other: "SET|same run|another run", where the last two are
# "median / p90 (pairs)" in percent of the smaller time. The files are the data, and then rows as `collsim validate --points -f csv`
# writes them. A point is one algorithm on as many ranks with as many bytes, on one machine. Two codes of one algorithm are two
# measurements. Where the data have the least and the most of several runs (Peak), these are a pair.
BEGIN { FS = "," }
FNR == 1 {
    delete at
    for (i = 1; i <= NF; i++)
        at[$i] = i
    file = FILENAME
    sub(/.*\//, "", file)
    predicted = "predicted_s" in at
    next
}
function field(name) { return name in at ? $at[name] : "" }
!predicted { # what was measured in one run
    run[file, FNR] = field("timestamp") field("run") field("source")
    machine[file, FNR] = field("system") field("machine") field("partition") field("map_by") field("experiment")
    most[file, FNR] = field("max_run_us")
    least[file, FNR] = field("min_run_us")
    next
}
field("use") == "winner" || field("use") == "default" || field("variant") ~ /:auto$/ { next }
{
    set = $at["set"]
    if (field("ranks") == 2 && field("collective") == "bcast") # one message, whatever the algorithm
        $at["variant"] = "message"
    id = field("file") SUBSEP field("line")
    if (most[id] > 0 && field("use") == "score")
        pairs["other", ++n["other"]] = most[id] / least[id] - 1
    point = (machine[id] ? machine[id] : field("group")) FS field("collective") FS field("variant") FS field("ranks") FS field("per_node") FS field("bytes")
    for (i = 1; i <= count[point]; i++) {
        where = run[id] == run_of[point, i] ? "same" : "other"
        ratio = field("measured_s") / time_of[point, i]
        pairs[where, ++n[where]] = (ratio > 1 ? ratio : 1 / ratio) - 1
    }
    count[point]++
    run_of[point, count[point]] = run[id]
    time_of[point, count[point]] = field("measured_s")
}
function quantile(where, q, low) {
    low = 1 + int(q * (n[where] - 1))
    return sorted[low] + (low < n[where] ? (sorted[low + 1] - sorted[low]) * (q * (n[where] - 1) - low + 1) : 0)
}
function sort(from, to, pivot, i, j, swap) { # quicksort of sorted[]
    if (from >= to)
        return
    pivot = sorted[int((from + to) / 2)]
    i = from
    j = to
    while (i <= j) {
        while (sorted[i] < pivot) i++
        while (sorted[j] > pivot) j--
        if (i <= j) {
            swap = sorted[i]
            sorted[i++] = sorted[j]
            sorted[j--] = swap
        }
    }
    sort(from, j)
    sort(i, to)
}
function text(where, i) {
    if (!n[where])
        return ""
    for (i = 1; i <= n[where]; i++)
        sorted[i] = pairs[where, i]
    sort(1, n[where])
    return sprintf("%.1f / %.1f (%d)", 100 * quantile(where, 0.5), 100 * quantile(where, 0.9), n[where])
}
END { print set "|" text("same") "|" text("other") }
