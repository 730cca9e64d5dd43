# How many times its lower bound the fastest algorithm takes, over size or ranks, one line for each number of ranks or size:
# `collsim bound -o`. Reads `data`, of `x ratio rgb`: a block per line; one per algorithm, its points; one of the bounds for
# equal blocks. Variables (cli/answer/bound_plot.c sets them):
#   plots out format width height as page.gp has them
#   title_J axis_0 note_0         the title's rows (titles of them), what is on x, the line under the plot
#   left right top bottom         the plot's edges, shares of the picture
#   x_min x_max y_min y_max       the ranges; log_y 1: of a logarithmic axis
#   n best_I color_I point_I      the algorithms and their looks; their place in the legend: at_x_I at_y_I, pixels
#   lines thick_L end_x_L end_y_L place_L line_L   a line's width, last point, how high its name stands (a share of the plot), its
#                                 name
#   blocks                        1: there are bounds for equal blocks

load plots . '/page.gp'

set logscale x 2
if (log_y) { set logscale y 10 }
set xrange [x_min : x_max]
set yrange [y_min : y_max]
set lmargin at screen left; set rmargin at screen right
set tmargin at screen top; set bmargin at screen bottom
px = 1. / width / (right - left); py = 1. / height / (top - bottom) # a pixel as a share of the plot

# x: every power of two has a tick; as many carry a label as there is room for.
e_min = ceil(log(x_min) / log(2) - 1e-9); e_max = floor(log(x_max) / log(2) + 1e-9)
step = ceil((e_max - e_min + 1.) / ((right - left) * width / 50.))
set xtics () nomirror scale mark, 0.5 * mark
do for [e = e_min : e_max] {
    if (e % step == 0) { set xtics add (size_label(2.**e) 2.**e) } else { set xtics add ('' 2.**e 1) }
}
set ytics nomirror scale mark, 0.5 * mark format '%g'
if (log_y) { set ytics (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10000) }

set border 3 linecolor rgb ink linewidth 1
set tics textcolor rgb ink
set grid xtics ytics linecolor rgb faint linetype 1 linewidth 0.8 dashtype 1
unset key

do for [j = 1 : titles] {
    set label j value(sprintf('title_%d', j)) left at screen 20. / width, screen 1 - (4. + 22 * j) / height \
        font title_font textcolor rgb ink
}
set label 10 'time / bound' at graph -60 * px, graph 1 + 16 * py left textcolor rgb pale
set label 11 axis_0 at graph 0.5, graph -46 * py center textcolor rgb pale
set label 12 note_0 at screen 20. / width, screen 18. / height left textcolor rgb pale
do for [i = 1 : n] {
    x = value(sprintf('at_x_%d', i)); y = value(sprintf('at_y_%d', i))
    set label 20 + 2 * i '' at screen x / width, screen y / height point linecolor rgb value(sprintf('color_%d', i)) \
        pointtype value(sprintf('point_%d', i)) pointsize 1.2 * mark linewidth 2
    set label 21 + 2 * i value(sprintf('best_%d', i)) left at screen (x + 12) / width, screen y / height textcolor rgb ink
}
do for [i = 1 : lines] { if (value(sprintf('line_%d', i)) ne '') {
    p = value(sprintf('place_%d', i)); thick = value(sprintf('thick_%d', i))
    set arrow 2 * i from first value(sprintf('end_x_%d', i)), first value(sprintf('end_y_%d', i)) \
        to graph 1 + 24 * px, graph p nohead back linecolor rgb '#AAAAAA' linewidth 0.8
    set arrow 2 * i + 1 from graph 1 + 24 * px, graph p to graph 1 + 44 * px, graph p \
        nohead back linecolor rgb '#AAAAAA' linewidth thick
    set label 200 + i value(sprintf('line_%d', i)) at graph 1 + 50 * px, graph p left textcolor rgb ink
} }

plot for [b = 1 : blocks] data index lines + n using 1:2 with lines linecolor rgb pale dashtype 3 linewidth 1.5, \
     for [i = 1 : lines] data index i - 1 using 1:2:3 with lines linecolor rgb variable \
         linewidth value(sprintf('thick_%d', i)), \
     for [i = 1 : n] data index lines + i - 1 using 1:2 with points linecolor rgb value(sprintf('color_%d', i)) \
         pointtype value(sprintf('point_%d', i)) pointsize 1.1 * mark linewidth 2
