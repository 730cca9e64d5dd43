# Draws named series in one or two panels side by side, both axes logarithmic. It is for the pictures of experiments/pages
# that `collsim plot` does not draw. Reads the file `data` with a block of lines `x y` for each series of each panel: first
# those of panel 1, in the order of the names. Variables:
#   plots out format     see page.gp; plots is the folder of these scripts
#   title note           what the picture shows, and a line under it
#   panels panel_1 ..    the number of panels, and their titles
#   series name_1 ..     the number of series, and their names, which the legend of the first panel has
#   color_1 .. dash_1 .. their looks
#   x_axis y_axis        labels; y_axis is `time` for seconds, `bytes`, or `ratio`, with a line at 1
#   y_min y_max          the range of the y axes
#   key_x key_y          the upper left corner of the legend, as fractions of the first panel
width = 560 * panels + 40; height = 560
load plots . '/page.gp'

stats data using 1 nooutput
set logscale x 2
set logscale y 10
set border 3 linecolor rgb ink
set tics textcolor rgb ink nomirror
set grid xtics ytics linecolor rgb faint linetype 1 linewidth 0.8
set tmargin at screen 1 - 96. / height; set bmargin at screen 92. / height
set yrange [y_min : y_max]
set ytics ()
label_of(y) = y_axis eq 'time' ? time_label(y) : y_axis eq 'ratio' ? sprintf('%g', y) : \
    y < 1e3 ? sprintf('%g B', y) : y < 1e6 ? sprintf('%g kB', y / 1e3) : \
    y < 1e9 ? sprintf('%g MB', y / 1e6) : sprintf('%g GB', y / 1e9)
do for [e = -9 : 12] { if (10.**e >= y_min && 10.**e <= y_max) { set ytics add (label_of(10.**e) 10.**e) } }
set xrange [STATS_min / 1.15 : STATS_max * 1.15]
set xtics ()
do for [e = 0 : 30] { if (2.**e >= STATS_min && 2.**e <= STATS_max) { set xtics add (size_label(2.**e) 2.**e) } }

if (y_axis eq 'ratio') { set arrow from graph 0, first 1 to graph 1, first 1 nohead linecolor rgb pale dashtype 2 }
set multiplot
do for [k = 1 : panels] {
    unset label
    set lmargin at screen (560. * (k - 1) + 96) / width; set rmargin at screen (560. * k - 8) / width
    if (k == 1) {
        set label 1 title left at screen 16. / width, screen 1 - 26. / height font font(title_size) textcolor rgb ink
        set label 2 note left at screen 16. / width, screen 18. / height textcolor rgb pale
    }
    set label 3 value(sprintf('panel_%d', k)) left at graph 0, screen 1 - 74. / height textcolor rgb ink
    set label 4 x_axis center at graph 0.5, screen 46. / height textcolor rgb pale
    if (k == 1) { set key at graph key_x, graph key_y left top Left reverse samplen 3 textcolor rgb ink } else { unset key }
    plot for [i = 1 : series] data index series * (k - 1) + i - 1 using 1:2 with linespoints linewidth 2 \
        linecolor rgb value(sprintf('color_%d', i)) dashtype value(sprintf('dash_%d', i)) pointtype 7 \
        pointsize 0.8 * mark title value(sprintf('name_%d', i))
}
unset multiplot
