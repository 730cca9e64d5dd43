# Prints the line of a set in the table of what is left, from its rows as `collsim validate --points -f csv` writes them: the
# algorithms and size bands with the most rows whose error is above 25 %.
FNR == 1 {
    for (i = 1; i <= NF; i++)
        at[$i] = i
    next
}
function band(bytes) {
    return bytes <= 1024 ? "up to 1K" : bytes <= 32768 ? "up to 32K" : bytes <= 1048576 ? "up to 1M" : "above 1M"
}
$at["use"] == "score" && $at["predicted_s"] != "" {
    error = $at["predicted_s"] / $at["measured_s"] - 1
    name = $at["collective"] ($at["variant"] == "" ? "" : " " $at["variant"]) " " band($at["bytes"])
    rows++
    count[name]++
    sum[name] += error
    if (error > 0.25 || error < -0.25) {
        off[name]++
        all++
    }
}
END {
    text = ""
    for (k = 0; k < 4; k++) {
        best = ""
        for (name in off)
            if (best == "" || off[name] > off[best] || (off[name] == off[best] && name < best))
                best = name
        if (best == "" || off[best] < 2)
            break
        text = text (k ? "; " : "") sprintf("%s: %d of %d, %+.0f", best, off[best], count[best], 100 * sum[best] / count[best])
        delete off[best]
    }
    printf("| %s | %d | %d | %s |\n", set, rows, all, text)
}
