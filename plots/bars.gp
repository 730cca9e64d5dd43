# Draws the bars of `collsim plot`: boxes, lines and texts whose places in pixels are computed in
# cli/figure/bars_draw.c.
#
# Reads the file `data` with eleven blocks: `x y x2 y2 colour` for each box, the corners below left and above right, in
# eight blocks by gnuplot's fill patterns 0 to 7; `x y dx dy colour` for each thin line, and for each thick one, which
# hides what is below it; and `x y` for each diamond. Variables:
#   plots                     the folder of these scripts
#   out format width height   see page.gp
#   texts text_I              the number of texts, and text I
#   x_I y_I side_I            its place, and what of it stands there: 0 its beginning, 1 its end, 2 its middle
#   ink_I bold_I              its colour, and 1 if it is a title

load plots . '/page.gp'

set xrange [0 : width]; set yrange [0 : height]
set lmargin at screen 0; set rmargin at screen 1; set tmargin at screen 1; set bmargin at screen 0
unset border; unset tics; unset key
do for [i = 1 : texts] {
    x = value(sprintf('x_%d', i)); y = value(sprintf('y_%d', i)); side = value(sprintf('side_%d', i))
    look = value(sprintf('ink_%d', i)); words = value(sprintf('text_%d', i))
    if (value(sprintf('bold_%d', i))) { set label i words at first x, first y left font title_font textcolor rgb look front } \
    else { if (side == 0) { set label i words at first x, first y left textcolor rgb look front } \
    else { if (side == 1) { set label i words at first x, first y right textcolor rgb look front } \
    else { set label i words at first x, first y center textcolor rgb look front } } }
}
plot for [p = 0 : 7] data index p using (($1 + $3) / 2):(($2 + $4) / 2):1:3:2:4:5 with boxxyerror \
         fillstyle pattern p border rgb pale linewidth 0.7 linecolor rgb variable notitle, \
     data index 8 using 1:2:3:4:5 with vectors nohead linewidth 1.2 linecolor rgb variable notitle, \
     data index 9 using 1:2:3:4:5 with vectors nohead linewidth 4 linecolor rgb variable notitle, \
     data index 10 using 1:2 with points pointtype 13 pointsize 1.1 * mark linecolor rgb '#FFFFFF' notitle, \
     data index 10 using 1:2 with points pointtype 12 pointsize 1.1 * mark linewidth 1.5 linecolor rgb ink notitle
