# Draws the picture of `collsim validate --draw`: measured over predicted times, a point for each row, with a panel for
# each set of measurements. On the thick diagonal both are equal; on the thin ones they differ by a factor of two.
#
# Reads the file `data` with a block for each set and, inside it, for each collective: lines of `predicted measured`, in
# seconds. cli/answer/judge/validate_plot.c sets the variables:
#   plots            the folder of these scripts
#   out format width see page.gp
#   n name_I         the number of sets, and the text above panel I
#   name_rows        the most lines that such a text has
#   n_what what_I    the number of collectives, and the name of collective I
#   what_x_I what_row_I what_rows   its place in the legend, in pixels and rows, and the number of rows
#   title_0          the title
#   title_rows       the number of its lines

across = n < 3 ? n : 3; down = ceil(n * 1. / across)
side = 300; left = 70; right = 24; above = 44 + 21. * (name_rows - 1); below = 56
more = 26. * (title_rows - 1); head = 84 + more + 22. * (what_rows - 1) # room for the lines after the first
height = head + down * (side + above + below) + 10
load plots . '/page.gp'

# The colours of Okabe and Ito and two more, each with a type of point.
colors = '#0072B2 #D55E00 #009E73 #000000 #E69F00 #56B4E9 #CC79A7 #882255 #808080'
points = '7 5 9 6 13 11 4 12 2'

small_font = font(13); name_font = font(14)
set logscale xy 10
set border 3 linecolor rgb ink linewidth 1
set tics textcolor rgb ink font small_font
set grid xtics ytics linecolor rgb faint linetype 1 linewidth 0.8 dashtype 1
unset key
set multiplot
set label 1 title_0 left at screen 20. / width, screen 1 - 26. / height font title_font textcolor rgb ink
do for [c = 1 : n_what] {
    x = value(sprintf('what_x_%d', c)); y = 1 - (58. + more + 22 * value(sprintf('what_row_%d', c))) / height
    set label 10 + 2 * c '' at screen x / width, screen y point pointtype int(word(points, c)) \
        pointsize 1.1 * mark linecolor rgb word(colors, c)
    set label 11 + 2 * c value(sprintf('what_%d', c)) at screen (x + 12) / width, screen y left \
        textcolor rgb ink font name_font
}
do for [s = 1 : n] {
    col = (s - 1) % across; row = (s - 1) / across
    x0 = 10. + col * (side + left + right) + left; y0 = 1. * height - head - row * (side + above + below) - above
    set lmargin at screen x0 / width; set rmargin at screen (x0 + side) / width
    set tmargin at screen y0 / height; set bmargin at screen (y0 - side) / height
    first = (s - 1) * n_what
    low = 1e300; high = 0
    do for [c = 0 : n_what - 1] {
        do for [k = 1 : 2] {
            stats data index first + c using k nooutput
            found = exists('STATS_records') ? STATS_records : 0 # gnuplot undefines it if there is no value
            if (found > 0) { low = STATS_min < low ? STATS_min : low; high = STATS_max > high ? STATS_max : high }
        }
    }
    set xrange [low / 1.5 : high * 1.5]; set yrange [low / 1.5 : high * 1.5]
    set xtics () nomirror scale mark, 0.5 * mark; set ytics () nomirror scale mark, 0.5 * mark
    d_min = ceil(log10(low / 1.5)); d_max = floor(log10(high * 1.5))
    do for [d = d_min : d_max] {
        t = (d - d_min) % ceil((d_max - d_min + 1) / 5.) == 0 ? time_label(10.**d) : ''
        set xtics add (t 10.**d); set ytics add (t 10.**d)
    }
    set label 2 value(sprintf('name_%d', s)) at screen (x0 - left + 14) / width, screen (y0 + above - 20) / height left \
        textcolor rgb ink font name_font
    set label 3 'measured' at screen (x0 + 6) / width, screen (y0 - 8) / height left textcolor rgb pale font small_font
    set label 4 'predicted' at screen (x0 + side) / width, screen (y0 - side + 12) / height right textcolor rgb pale \
        font small_font
    plot x with lines linecolor rgb pale linewidth 1.5, 2 * x with lines linecolor rgb '#BBBBBB' linewidth 1, \
         x / 2 with lines linecolor rgb '#BBBBBB' linewidth 1, \
         for [c = 1 : n_what] data index first + c - 1 using 1:2 with points linecolor rgb word(colors, c) \
             pointtype int(word(points, c)) pointsize 0.6 * mark
    if (s == 1) { unset label 1; do for [c = 10 : 11 + 2 * n_what] { unset label c } }
}
unset multiplot
