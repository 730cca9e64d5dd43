# Draws for each set of docs/FIDELITY.md the median error before and now, and how far two measurements of one point lie from each
# other. `data` and `out` are set before (validate.sh).
set terminal svg size 960,420 font 'DejaVu Sans,14' background '#FFFFFF'
set output out
set termoption noenhanced # an underscore in a set's name makes no index
set style data histograms
set style histogram clustered gap 1.5
set style fill solid 0.9 border rgb '#333333'
set boxwidth 0.9
set grid ytics lc rgb '#DDDDDD'
set ylabel 'median of the error, in %'
set yrange [0:*]
set key top left reverse Left samplen 2
set datafile missing 'NaN'
stats data using 3 nooutput name 'now'
stats data using 4 nooutput name 'same'
stats data using 5 nooutput name 'other'
least = same_min < other_min ? same_min : other_min
most = same_max > other_max ? same_max : other_max
set title sprintf('Predictions are off by %.0f to %.0f %%, second measurements by %.1f to %.0f %%', \
    now_min, now_max, least, most) font ',16'
plot data using 2:xtic(1) title 'before' lc rgb '#BBBBBB', \
    '' using 3 title 'now' lc rgb '#0072B2', \
    '' using 4 title 'another measurement in the same run' lc rgb '#E69F00', \
    '' using 5 title '.. in another run' lc rgb '#CC79A7'
