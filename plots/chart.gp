# Draws points and lines in one or more panels: the pictures of `collsim calibrate`, `compare`, `validate` and `audit`.
#
# Reads the file `data` with a block of lines `x y` for each series of each panel. cli/figure/chart.c sets the variables; all
# places are pixels, from the upper left corner:
#   plots                      the folder of these scripts
#   out format width height    see page.gp
#   texts text_I text_x_I text_y_I ink_I font_I   the texts, their places, colours, and fonts (2 14, 3 16, 4 17 pixels, bold)
#   keys key_I key_of_I key_x_I key_y_I           the entries of the legend, and the series of each
#   n_series color_I point_I dash_I thick_I       the looks of series I; no point, or no line, if that is 0
#   panels left_K top_K wide_K high_K             the places of the plots
#   x_min_K x_max_K y_min_K y_max_K many_K        their ranges, and 1 if they have many points
#   x_kind y_kind axis_0 axis_1                   kinds of axes: 0 bytes, 1 ranks, 2 seconds, 3 numbers; and their names
#   diagonals                                     1 for lines where y is x, twice and half of it

load plots . '/page.gp'
fonts(i) = i == 4 ? title_font : i == 2 ? font(14) : plain_font
label_of(kind, v) = kind == 0 ? size_label(v) : kind == 2 ? time_label(v) : sprintf('%g', v)
set logscale xy 10
set border 3 linecolor rgb ink linewidth 1
set grid xtics ytics linecolor rgb faint linetype 1 linewidth 0.8 dashtype 1
if (panels > 1) { tic_font = font(14) } else { tic_font = plain_font }
set tics textcolor rgb ink font tic_font
unset key
set multiplot
do for [i = 1 : texts] {
    words = value(sprintf('text_%d', i)); look = value(sprintf('ink_%d', i)); face = fonts(value(sprintf('font_%d', i)))
    set label i words left at screen value(sprintf('text_x_%d', i)) / width, \
        screen 1 - value(sprintf('text_y_%d', i)) / height font face textcolor rgb look
}
do for [i = 1 : keys] {
    x = value(sprintf('key_x_%d', i)); y = 1 - value(sprintf('key_y_%d', i)) / height; of = value(sprintf('key_of_%d', i))
    look = value(sprintf('color_%d', of)); type = value(sprintf('point_%d', of)); dash = value(sprintf('dash_%d', of))
    words = value(sprintf('key_%d', i)); key_font = font(14)
    # The svg terminal keeps the dashes of an arrow for the next one if neither its colour nor its width changes.
    if (dash) { set arrow i from screen x / width, y to screen (x + 30) / width, y nohead linecolor rgb look \
        linewidth value(sprintf('thick_%d', of)) + 0.01 * i dashtype dash }
    if (type) { set label 1000 + 2 * i '' at screen (x + 15) / width, y point linecolor rgb look pointtype type \
        pointsize 1.1 * mark linewidth 2 }
    set label 1001 + 2 * i words left at screen (x + 38) / width, y font key_font textcolor rgb ink
}
do for [k = 1 : panels] {
    x0 = value(sprintf('left_%d', k)); y0 = value(sprintf('top_%d', k)); many = value(sprintf('many_%d', k))
    wide = value(sprintf('wide_%d', k)); high = value(sprintf('high_%d', k))
    set lmargin at screen x0 / width; set rmargin at screen (x0 + wide) / width
    set tmargin at screen 1 - y0 / height; set bmargin at screen 1 - (y0 + high) / height
    x_low = value(sprintf('x_min_%d', k)); x_high = value(sprintf('x_max_%d', k))
    y_low = value(sprintf('y_min_%d', k)); y_high = value(sprintf('y_max_%d', k))
    set xrange [x_low : x_high]; set yrange [y_low : y_high]
    set xtics () nomirror scale mark, 0.5 * mark; set ytics () nomirror scale mark, 0.5 * mark

    # Ticks of sizes and ranks are at powers of two, others at powers of ten, and 2 and 5 times these. As many have a label
    # as there is room for.
    do for [of_y = 0 : 1] {
        kind = of_y ? y_kind : x_kind; low = of_y ? y_low : x_low; high_end = of_y ? y_high : x_high
        base = kind < 2 ? 2. : 10.; room = of_y ? high / 30. : wide / 62.
        e_min = ceil(log(low) / log(base) - 1e-9); e_max = floor(log(high_end) / log(base) + 1e-9)
        step = ceil((e_max - e_min + 1.) / room); step = step < 1 ? 1 : step
        few = log10(high_end / low) * (of_y ? 95 : 220) < (of_y ? high : wide) # room for 2 and 5 times powers of ten
        do for [e = e_min - 1 : e_max] { do for [m = 1 : base - 1] {
            shown = m == 1 ? (e - e_min) % step == 0 : (m == 2 || m == 5) && few
            words = shown ? label_of(kind, m * base**e) : ''
            at = m * base**e; level = !shown # a small tick has no label
            if (of_y) { set ytics add (words at level) } else { set xtics add (words at level) }
        } }
    }
    set label 3001 axis_1 left at screen (x0 - 72) / width, screen 1 - (y0 - 19) / height font tic_font textcolor rgb pale
    set label 3002 axis_0 center at screen (x0 + wide / 2) / width, screen 1 - (y0 + high + 46) / height font tic_font \
        textcolor rgb pale
    if (diagonals) {
        small_font = font(13)
        set label 3003 'x 2' right at first y_high / 2, graph 1 offset -0.7, -0.7 font small_font textcolor rgb ink front
        set label 3004 '/ 2' right at graph 1, first x_high / 2 offset -0.3, -1.2 font small_font textcolor rgb ink front
    }
    first = n_series * (k - 1)
    plot for [s = 1 : n_series] data index first + s - 1 using 1:(value(sprintf('dash_%d', s)) ? $2 : NaN) with lines \
             linecolor rgb value(sprintf('color_%d', s)) linewidth value(sprintf('thick_%d', s)) \
             dashtype value(sprintf('dash_%d', s)), \
         for [s = 1 : n_series] data index first + s - 1 using 1:(value(sprintf('point_%d', s)) ? $2 : NaN) with points \
             linecolor rgb (many ? '#A0' : '#') . substr(value(sprintf('color_%d', s)), 2, 7) \
             pointtype value(sprintf('point_%d', s)) pointsize (many ? 0.35 : panels > 1 || diagonals ? 0.6 : 1.1) * mark \
             linewidth (many ? 1 : 2), \
         (diagonals ? x : NaN) with lines linecolor rgb ink linewidth 1.5, \
         for [c in '2 0.5'] (diagonals ? c * x : NaN) with lines linecolor rgb pale linewidth 1
    if (k == 1) { do for [i = 1 : texts] { unset label i }; do for [i = 1 : keys] { unset label 1000 + 2 * i; unset label 1001 + 2 * i }; unset arrow }
}
unset multiplot
