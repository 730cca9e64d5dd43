#!/bin/sh
# fuzz.sh FOLDER SECONDS NAME...: runs the fuzzer FOLDER/fuzz-NAME for each name, on the inputs in tests/fuzz/corpus/NAME and
# those that earlier runs kept in FOLDER/corpus/NAME. For each it prints how many inputs it ran. The exit status is 1 if one
# of them broke a parser: its input is FOLDER/found/NAME-*, and FOLDER/NAME.log has the report. FUZZ_FLAGS are more flags
# of libFuzzer's.
folder=$1 seconds=$2 status=0
shift 2
mkdir -p "$folder/found" "$folder/empty"
folder=$(realpath "$folder")
tree=$(pwd)
cd "$folder/empty" || exit 1 # an input that names a file finds none
for name in "$@"; do
    mkdir -p "$folder/corpus/$name"
    # shellcheck disable=SC2086 # FUZZ_FLAGS are several words
    G_DEBUG=fatal-criticals "$folder/fuzz-$name" -max_total_time="$seconds" -max_len=4096 -timeout=20 \
        -rss_limit_mb=2048 -print_final_stats=1 -close_fd_mask=3 -artifact_prefix="$folder/found/$name-" $FUZZ_FLAGS \
        "$folder/corpus/$name" "$tree/tests/fuzz/corpus/$name" >"$folder/$name.log" 2>&1
    ended=$?
    inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$name.log" | tail -n 1)
    if [ $ended = 0 ]; then
        echo "$name: $inputs inputs, none breaks it"
        continue
    fi
    status=1
    # libFuzzer names the file last, in its log.
    input=$(sed -n 's/.*Test unit written to //p' "$folder/$name.log" | tail -n 1)
    if [ -f "$input" ]; then kept="and $input"; else kept="which ends with status $ended; no input was kept"; fi
    echo "$name: broken after ${inputs:-some} inputs, see $folder/$name.log $kept"
done
exit $status
