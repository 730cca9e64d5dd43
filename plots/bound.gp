# Draws the picture of `collsim bound --draw`: the time of the fastest algorithm divided by its lower bound, over the size
# or the number of ranks. There is one line for each number of ranks or size; its points show which algorithm is the
# fastest.
#
# Reads the file `data` with lines of `x ratio rgb`, in blocks: one block for each line, then one with the points of
# each algorithm, then one with the bounds for equal blocks if there are any. cli/answer/search/bound_plot.c sets the
# variables:
#   plots                         the folder of these scripts
#   out format width height       see page.gp
#   titles title_J                the number of rows of the title, and row J
#   axis_0 note_0                 the label of the x axis, and the line under the plot
#   left right top bottom         the edges of the plot, as fractions of the picture
#   x_min x_max y_min y_max       the ranges of the axes
#   log_y                         1 if the y axis is logarithmic
#   n                             the number of algorithms
#   best_I color_I point_I        the name, colour and point type of algorithm I
#   at_x_I at_y_I                 its place in the legend, in pixels
#   lines                         the number of lines
#   line_L thick_L                the name of line L (empty if it is not shown), and the line's width
#   end_x_L end_y_L               its last point
#   place_L                       the height of its name, as a fraction of the plot
#   blocks                        1 if there are bounds for equal blocks

load plots . '/page.gp'

set logscale x 2
if (log_y) { set logscale y 10 }
set xrange [x_min : x_max]
set yrange [y_min : y_max]
set lmargin at screen left; set rmargin at screen right
set tmargin at screen top; set bmargin at screen bottom
px = 1. / width / (right - left); py = 1. / height / (top - bottom) # a pixel as a fraction of the plot

# On the x axis every power of two has a tick, and as many of them have a label as there is room for.
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
set label 12 note_0 at screen 20. / width, screen (24. * note_rows - 6) / height left textcolor rgb pale
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
