# Draws the picture of `collsim compare --draw`: a measured curve as points, and what candidates are predicted to take as
# lines. The candidates that fit are thick, and come first.
#
# Reads the file `data` with a block of `bytes seconds` for the measurements and one for each candidate.
# cli/answer/judge/compare_plot.c sets the variables:
#   plots                   the folder of these scripts
#   out format              see page.gp
#   n name_I                the number of candidates, and the name of candidate I
#   fitting                 how many of them fit at some sizes
#   title_0 title_rows      the title, and the number of its lines
#   x_min x_max y_min y_max the ranges of the points

above = 25. * (title_rows - 1); width = 1000; height = 620 + above + 29. * n
load plots . '/page.gp'

colors = '#0072B2 #D55E00 #009E73 #E69F00 #56B4E9 #CC79A7' # of Okabe and Ito
set logscale x 2
set logscale y 10
set border 3 linecolor rgb ink linewidth 1
set tics textcolor rgb ink
set grid xtics ytics linecolor rgb faint linetype 1 linewidth 0.8 dashtype 1
set lmargin at screen 90. / width; set rmargin at screen 1 - 40. / width
set tmargin at screen 1 - (76. + above) / height; set bmargin at screen (100. + 29. * (n + 1)) / height
x_air = x_min == x_max ? 2 : (x_max / x_min) ** 0.02
set xrange [x_min / x_air : x_max * x_air]
set yrange [y_min / 1.2 : y_max * 1.2]

# Ticks of sizes are at powers of two, at most 14 of them with a label, and those of times at powers of ten.
set xtics () nomirror scale mark, 0.5 * mark
set ytics () nomirror scale mark, 0.5 * mark
e_min = ceil(log(x_min) / log(2) - 1e-9); e_max = floor(log(x_max) / log(2) + 1e-9)
step = ceil((e_max - e_min + 1.) / 14)
do for [e = e_min : e_max] {
    if (e % step == 0) { set xtics add (size_label(2.**e) 2.**e) } else { set xtics add ('' 2.**e 1) }
}
d_min = floor(log10(y_min)); d_max = ceil(log10(y_max))
do for [d = d_min : d_max] {
    do for [m = 1 : 9] {
        shown = m == 1 || ((m == 2 || m == 5) && d_max - d_min < 4)
        if (shown) { set ytics add (time_label(m * 10.**d) m * 10.**d) } else { set ytics add ('' m * 10.**d 1) }
    }
}

set label 1 title_0 left at screen 20. / width, screen 1 - 26. / height font title_font textcolor rgb ink
set label 2 'time' at screen 20. / width, screen 1 - (58. + above) / height left textcolor rgb pale
set label 3 'bytes' at graph 0.5, screen (52. + 29. * (n + 1)) / height center textcolor rgb pale
set key at screen 90. / width, screen (29. * (n + 1) + 20) / height left top Left reverse samplen 3 spacing 1.2 noautotitle \
    textcolor rgb ink

plot data index 0 using 1:2 with points linecolor rgb '#000000' pointtype 7 pointsize 1.1 * mark title 'measured', \
     for [i = 1 : n] data index i using 1:2 with lines linecolor rgb word(colors, i) dashtype i \
         linewidth (i <= fitting ? 3 : 1.7) title value(sprintf('name_%d', i))
