# Draws the picture of `collsim calibrate --draw`: measured times, and the times that the calibrated figures predict.
# There are two kinds: times over the size, with a series for each algorithm and number of ranks; and a scatter plot of
# predicted over measured times, with a series for each number of ranks.
#
# Reads the file `data` with four blocks for each series: the points that were used, the points that were left out, the
# prediction, and the pieces. cli/answer/measurements/calibrate_plot.c sets the variables:
#   plots                   the folder of these scripts
#   out format              see page.gp
#   n name_I                the number of series, and the name of series I
#   names_width             the width of the longest name, in pixels
#   left_out                how many points are left out in all series together
#   scatter                 1 for predicted over measured times, both in seconds; 0 for seconds over bytes
#   title_0 title_rows      the title, and the number of its lines
#   note_0 note_rows        the text under the plot, and the number of its lines
#   x_min x_max y_min y_max the ranges of the points

above = 26. * (title_rows - 1); below = 24. * (note_rows - 1) # for the lines after the first
width = 1000 + (names_width > 240 ? names_width - 240 : 0); height = 640 + above + below
load plots . '/page.gp'

# The colours of Okabe and Ito and two more, each with a type of point.
colors = '#0072B2 #D55E00 #009E73 #000000 #E69F00 #56B4E9 #CC79A7 #882255 #808080'
points = '7 5 9 6 13 11 4 12 2'
color(i) = word(colors, (i - 1) % words(colors) + 1)
point(i) = int(word(points, (i - 1) % words(points) + 1))

set logscale x (scatter ? 10 : 2)
set logscale y 10
set border 3 linecolor rgb ink linewidth 1
set tics textcolor rgb ink
set grid xtics ytics linecolor rgb faint linetype 1 linewidth 0.8 dashtype 1
set tmargin at screen 1 - (76. + above) / height; set bmargin at screen (100. + below) / height
set lmargin at screen 90. / width; set rmargin at screen 1 - (n > 1 ? names_width + 90. : 40.) / width

if (scatter) {
    x_min = x_min < y_min ? x_min : y_min; y_min = x_min
    x_max = x_max > y_max ? x_max : y_max; y_max = x_max
}
set xrange [x_min / (scatter ? 1.2 : 1) : x_max * (scatter ? 1.2 : 1.1)]
set yrange [y_min / 1.2 : y_max * 1.2]

# Ticks of sizes are at powers of two, at most 14 of them with a label. Ticks of times are at 1 to 9 times powers of
# ten; powers of ten have a label, and with fewer than four of them 2 and 5 times a power of ten have one too.
set xtics () nomirror scale mark, 0.5 * mark
set ytics () nomirror scale mark, 0.5 * mark
e_min = ceil(log(x_min) / log(2) - 1e-9); e_max = floor(log(x_max) / log(2) + 1e-9)
step = ceil((e_max - e_min + 1.) / 14)
if (!scatter) { do for [e = e_min : e_max] {
    if (e % step == 0) { set xtics add (size_label(2.**e) 2.**e) } else { set xtics add ('' 2.**e 1) }
} }
d_min = floor(log10(y_min)); d_max = ceil(log10(y_max))
do for [d = d_min : d_max] {
    do for [m = 1 : 9] {
        shown = m == 1 || ((m == 2 || m == 5) && d_max - d_min < 4)
        if (shown) { set ytics add (time_label(m * 10.**d) m * 10.**d) } else { set ytics add ('' m * 10.**d 1) }
        if (scatter) { if (m == 1) { set xtics add (time_label(10.**d) 10.**d) } else { set xtics add ('' m * 10.**d 1) } }
    }
}

set label 1 title_0 left at screen 20. / width, screen 1 - 26. / height font title_font textcolor rgb ink
set label 2 (scatter ? 'predicted' : 'time') at screen 20. / width, screen 1 - (58. + above) / height left textcolor rgb pale
set label 3 (scatter ? 'measured' : 'bytes') at graph 0.5, screen (52. + below) / height center textcolor rgb pale
set label 4 note_0 at screen 20. / width, screen (18. + below) / height left textcolor rgb pale
key_font = font(14)
if (n > 1) {
    set key at screen 1 - (names_width + 76.) / width, screen 1 - (76. + above) / height left top Left reverse samplen 1.5 spacing 1.15 noautotitle \
        textcolor rgb ink font key_font
} else {
    set key at graph 0.02, graph 0.98 left top Left reverse samplen 3 spacing 1.2 noautotitle textcolor rgb ink
}

plot for [i = 1 : n] data index 4 * (i - 1) + 2 using 1:2 with lines linecolor rgb (n > 1 ? color(i) : '#D55E00') \
         dashtype 2 linewidth 1.5 title (n > 1 ? '' : 'predicted'), \
     for [i = 1 : n] data index 4 * (i - 1) + 3 using 1:2 with lines linecolor rgb (n > 1 ? color(i) : '#009E73') \
         linewidth 2 title (n > 1 ? '' : 'by pieces'), \
     for [i = 1 : n] data index 4 * (i - 1) using 1:2 with points linecolor rgb color(i) pointtype point(i) \
         pointsize 1.1 * mark linewidth 2 title (n > 1 ? value(sprintf('name_%d', i)) : 'measured'), \
     for [i = 1 : n] data index 4 * (i - 1) + 1 using 1:2 with points linecolor rgb '#808080' pointtype 2 \
         pointsize 1.1 * mark linewidth 2 title (i == n && left_out > 0 ? 'left out' : ''), \
     (scatter ? x : NaN) with lines linecolor rgb pale linewidth 1
