# Draws the picture of `collsim plot`: times or bandwidths over the size or the number of ranks. There is one line for each algorithm,
# and one panel for each collective, or for each collective and number of ranks.
#
# Reads the file `data`. It has two blocks for each line: `x y` as predicted, and `x y low high crowded` as measured, where
# crowded is 1 if ranks shared cores. Then it has two blocks of `x y rgb` for each panel: stretches of lines whose rows the
# files do not have, and the ends before or after which they lack rows or a point is omitted. Then it has a block of `x y` for each line: the
# points at which it is the fastest. cli/figure/figure_layout.c sets the variables; places in the picture are fractions of
# its width and height:
#   plots                         the folder of these scripts
#   out format width height       see page.gp
#   panels axis_0 note_0          the number of panels, the label of the x axes, the line under the figure
#   axis_1 unit_0                 the name of the y axes, and their unit: s, B/s, or none for ratios, with a line at 1
#   predicted measured            1 if there are such points
#   lacking                       1 if a line lacks rows that others have, or has an end beside an omitted point
#   x_min x_max y_min y_max       the ranges of the axes, the same in all panels
#   x_last                        the largest x that is drawn
#   mark_step                     only every so many points of a predicted line have a mark
#   cell_x_K cell_y_K             the upper left corner of panel K
#   bottom_K top_K left_K right_K the edges of its plot
#   title_K title_rows_K          its title, and the number of lines that it has
#   subtitle_K                    a note on what it leaves out, which may have several lines
#   title_rows subtitle_rows      the room for a title and a subtitle, in lines
#   note_rows                     the number of lines of note_0
#   first_K last_K                the numbers of its first and last line; lines are numbered through the figure, and in
#                                 a panel the one that ends highest comes first
#   draw_N                        the number of the line that is drawn as the N-th
#   name_I color_I dash_I point_I the name and the looks of line I
#   line_rows_I line_row_I_J      the number of rows of names that have the same points as line I, and row J
#   end_x_I end_y_I               the last point of line I
#   place_I                       the height of its name, as a fraction of the plot
#   all_lines                     the number of lines in all panels
#   entries                       the number of rows in the legend under the panels; 0 if names are beside the plots
#   entry_E entry_rows_E entry_row_E_J   the name of entry E, and the rows of names that have the same points
#   entry_color_E entry_dash_E entry_point_E   its looks
#   entry_x_E entry_y_E           its left end and the middle of its first row, in pixels from below

load plots . '/page.gp'
is_dumb = format eq 'dumb'
y_label(v) = unit_0 eq 'B/s' ? rate_label(v) : unit_0 eq 's' ? time_label(v) : sprintf('%g', v)

set logscale x 2
set logscale y 10
set xrange [x_min : x_max]
set yrange [y_min : y_max]

# On the x axis every power of two has a tick, and as many of them have a label as there is room for.
e_min = ceil(log(x_min) / log(2) - 1e-9); e_max = floor(log(x_max) / log(2) + 1e-9)
room = is_dumb ? (width - 40) / 6. : (right_1 - left_1) * width / (e_max < 50 ? 50. : 70.) # 512K, 16384T
step = 1
do for [s in "2 4 5 10 20"] { if ((e_max - e_min + 1.) / step > room) { step = s + 0 } }
set xtics () nomirror scale mark, 0.5 * mark
do for [e = e_min : e_max] {
    if (e % step == 0) { set xtics add (size_label(2.**e) 2.**e) } else { set xtics add ('' 2.**e 1) }
}

# On the y axis powers of ten have a label; with fewer than four of them, 2 and 5 times a power of ten have one too.
d_min = floor(log10(y_min)); d_max = ceil(log10(y_max))
set ytics () nomirror scale mark, 0.5 * mark
do for [d = d_min : d_max] {
    set ytics add (y_label(10.**d) 10.**d)
    do for [m = 2 : 9] {
        if ((m == 2 || m == 5) && d_max - d_min < 4) { set ytics add (y_label(m * 10.**d) m * 10.**d) } \
        else { if (!is_dumb) { set ytics add ('' m * 10.**d 1) } }
    }
}

if (is_dumb) {
    # As text, the panels stand below each other, and points are letters. A is the line that ends highest.
    set xlabel axis_0
    set key outside right top Left reverse samplen 1 noautotitle
    more = subtitle_rows > 1 ? subtitle_rows - 1 : 0
    set tmargin title_rows + more + 2
    # Of points that fall on the same place, that of the fastest is drawn last.
    wins = 2 * all_lines + 2 * panels
    do for [k = 1 : panels] {
        set label 1 value(sprintf('title_%d', k)) at character 0, character height - 1
        set label 3 value(sprintf('subtitle_%d', k)) at character 0, character height - 1 - title_rows
        set label 4 axis_1 at character 3, character height - 2 - title_rows - more
        a = value(sprintf('first_%d', k)); b = value(sprintf('last_%d', k))
        plot for [i = a : b] data index 2 * i - 2 using 1:(measured ? $2 : NaN) with dots notitle, \
             for [i = a : b] data index 2 * i - (measured ? 1 : 2) using 1:2 with points pointtype i - a + 1 \
                 title value(sprintf('name_%d', i)), \
             for [i = a : b] data index wins + i - 1 using 1:2 with points pointtype i - a + 1 notitle
    }
    exit
}

set border 3 linecolor rgb ink linewidth 1
set tics textcolor rgb ink
set grid xtics ytics linecolor rgb faint linetype 1 linewidth 0.8 dashtype 1
set bars 0.4
unset key
# If there are lines of predictions, the measured points of one x are moved apart, so that their bars do not overlap.
dodge(i, first, last) = predicted && measured && last > first ? 2.**(0.3 * ((i - first + 0.) / (last - first) - 0.5)) : 1
# The filled and the hollow form of a point type. Crosses (types below 4) have none, so a star and a cross take their
# place.
filled(p) = p < 4 ? 3 : p % 2 ? p : p + 1
hollow(p) = p < 4 ? 2 : p % 2 ? p - 1 : p
shape(p) = measured ? filled(p) : p
set multiplot
do for [k = 1 : panels] {
    left = value(sprintf('left_%d', k)); right = value(sprintf('right_%d', k))
    first = value(sprintf('first_%d', k)); last = value(sprintf('last_%d', k))
    top = value(sprintf('top_%d', k)); bottom = value(sprintf('bottom_%d', k))
    cell_x = value(sprintf('cell_x_%d', k)); cell_y = value(sprintf('cell_y_%d', k))
    set lmargin at screen left; set rmargin at screen right
    set tmargin at screen top; set bmargin at screen bottom
    px = 1. / width / (right - left); py = 1. / height / (top - bottom) # a pixel as a fraction of the plot
    set label 1 value(sprintf('title_%d', k)) left \
        at screen cell_x + 20. / width, screen cell_y - 24. / height font title_font textcolor rgb ink
    below = 22. + 25.5 * value(sprintf('title_rows_%d', k)) # the middle of the subtitle's first line
    set label 5 value(sprintf('subtitle_%d', k)) left \
        at screen cell_x + 20. / width, screen cell_y - below / height textcolor rgb pale
    if (axis_1 eq 'time') { set label 2 axis_1 at graph -8 * px, graph 1 + 16 * py right textcolor rgb pale } \
    else { set label 2 axis_1 at screen cell_x + 20. / width, graph 1 + 16 * py left textcolor rgb pale }
    set label 3 axis_0 at graph 0.5, graph -46 * py center textcolor rgb pale
    if (k == 1) { set label 4 note_0 at screen 20. / width, screen (24. * note_rows - 6) / height left textcolor rgb pale }
    if (!strlen(unit_0)) {
        set arrow 9999 from graph 0, first 1 to graph 1, first 1 nohead back linecolor rgb pale dashtype 2 linewidth 1.5
    }
    # At the right of the plot, a thin line leads from the end of each line to its point and name.
    do for [i = first : (entries ? 0 : last)] {
        x = value(sprintf('end_x_%d', i)); y = value(sprintf('end_y_%d', i)); p = value(sprintf('place_%d', i))
        look = value(sprintf('color_%d', i))
        if (x == x_last) {
            set arrow i from first x, first y to graph 1 + 26 * px, graph p nohead back \
                linecolor rgb look linewidth 0.8
        }
        set label 50 * i '' at graph 1 + 34 * px, graph p \
            point linecolor rgb look pointtype shape(value(sprintf('point_%d', i))) pointsize mark linewidth 2
        set label 50 * i + 1 value(sprintf('name_%d', i)) at graph 1 + 46 * px, graph p left textcolor rgb ink
        do for [j = 1 : value(sprintf('line_rows_%d', i))] {
            set label 50 * i + 1 + j value(sprintf('line_row_%d_%d', i, j)) \
                at graph 1 + 46 * px, graph p - 22 * j * py left textcolor rgb pale
        }
    }
    if (k == 1) { do for [e = 1 : entries] {
        x = value(sprintf('entry_x_%d', e)); y = value(sprintf('entry_y_%d', e)) / height
        look = value(sprintf('entry_color_%d', e))
        # The svg terminal keeps the dashes of an arrow for the next one if neither its colour nor its width changes.
        set arrow 10000 + e from screen x / width, screen y to screen (x + 46) / width, screen y nohead \
            linecolor rgb look linewidth 2 + 0.01 * (e % 2) dashtype value(sprintf('entry_dash_%d', e))
        set label 10000 + 50 * e '' at screen (x + 23) / width, screen y \
            point linecolor rgb look pointtype shape(value(sprintf('entry_point_%d', e))) pointsize mark linewidth 2
        set label 10001 + 50 * e value(sprintf('entry_%d', e)) at screen (x + 58) / width, screen y left textcolor rgb ink
        do for [j = 1 : value(sprintf('entry_rows_%d', e))] {
            set label 10001 + 50 * e + j value(sprintf('entry_row_%d_%d', e, j)) \
                at screen (x + 58) / width, screen y - 22. * j / height left textcolor rgb pale
        }
    } }
    lacks = 2 * all_lines + 2 * (k - 1)
    if (!measured) {
        plot for [n = first : last] data index 2 * value(sprintf('draw_%d', n)) - 2 using 1:2 with linespoints \
            linecolor rgb value(sprintf('color_%d', value(sprintf('draw_%d', n)))) \
            dashtype value(sprintf('dash_%d', value(sprintf('draw_%d', n)))) \
            pointtype value(sprintf('point_%d', value(sprintf('draw_%d', n)))) linewidth 2 pointsize 0.9 * mark \
            pointinterval mark_step, \
            for [l = 1 : lacking] data index lacks using 1:2:3 with lines linewidth 0.7 linecolor rgb variable, \
            for [l = 1 : lacking] data index lacks + 1 using 1:2:3 with points pointtype 6 pointsize 1.7 * mark linewidth 1 \
                linecolor rgb variable
    } else {
        # Without predictions, thin lines join the measured points.
        plot for [n = first : last] data index 2 * value(sprintf('draw_%d', n)) - (predicted ? 2 : 1) \
                using 1:2 with lines linewidth (predicted ? 2 : 1) \
                linecolor rgb value(sprintf('color_%d', value(sprintf('draw_%d', n)))) \
                dashtype value(sprintf('dash_%d', value(sprintf('draw_%d', n)))) notitle, \
            for [l = 1 : lacking] data index lacks using 1:2:3 with lines linewidth 0.7 linecolor rgb variable, \
            for [l = 1 : lacking] data index lacks + 1 using 1:2:3 with points pointtype 6 pointsize 1.7 * mark linewidth 1 \
                linecolor rgb variable, \
            for [i = first : last] data index 2 * i - 1 using ($1 * dodge(i, first, last)):2:3:4 with yerrorbars \
                linecolor rgb value(sprintf('color_%d', i)) pointtype 0 linewidth 1.2 notitle, \
            for [i = first : last] for [c = 0 : 1] data index 2 * i - 1 \
                using ($1 * dodge(i, first, last)):($5 == c ? $2 : NaN) with points \
                linecolor rgb value(sprintf('color_%d', i)) linewidth 1.5 pointsize 0.9 * mark \
                pointtype (c ? hollow(value(sprintf('point_%d', i))) : filled(value(sprintf('point_%d', i)))) notitle
    }
    unset label; unset arrow
}
unset multiplot
