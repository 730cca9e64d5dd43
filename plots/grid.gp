# Draws the maps of `collsim plot --map` and `collsim regret --draw`: a grid of coloured places.
#
# Reads the file `data` with four blocks: `x y colour rows` for each place, where x and y are its lower left corner; the
# same for the places that are hatched; `x y dx dy` for each border; and `x y text colour half-width half-height box` for
# each name in the grid, with the size and the colour of the box behind it. cli/figure/grid.c sets the variables; all sizes
# are pixels:
#   plots                     the folder of these scripts
#   out format width height   see page.gp
#   left above                the left end of the grid, and the height of what is above it
#   grid_width grid_height    size of the grid
#   border_width              of a border
#   fine                      1 if places have no white lines around them
#   title_0 note_0 note_rows  the title, the text under the picture, and the number of its lines
#   axis_0 axis_1             the names of the axes
#   nx x_I ny y_I             the number of columns, the label of column I; the same for rows, from below
#   keys list_row             the number of rows in the list beside the grid, and their height
#   key_I color_I hatched_I   the text of row I, its colour, and 1 if it is hatched
#   heading_I                 1 if the row has no colour

load plots . '/page.gp'

set xrange [0 : nx]; set yrange [0 : ny]
set xtics () scale 0; set ytics () scale 0
do for [i = 1 : nx] { x = value(sprintf('x_%d', i)); if (strlen(x)) { set xtics add (x i - 0.5) } }
do for [i = 1 : ny] { y = value(sprintf('y_%d', i)); if (strlen(y)) { set ytics add (y i - 0.5) } }
unset key
set border 0
top = height - above; bottom = top - grid_height; right = left + grid_width
set lmargin at screen left / width; set rmargin at screen right / width
set tmargin at screen top / height; set bmargin at screen bottom / height
set tics textcolor rgb ink
set label 1 title_0 left at screen 20. / width, screen (height - 24.) / height font title_font textcolor rgb ink
set label 2 axis_1 left at screen 20. / width, screen (top + 18.) / height textcolor rgb pale
set label 3 axis_0 center at screen (left + right) / 2 / width, screen (bottom - 46.) / height textcolor rgb pale
set label 4 note_0 left at screen 20. / width, screen (24. * note_rows - 6) / height textcolor rgb pale

do for [i = 1 : keys] {
    x = right + 28; y = top - list_row * (i - 1); heading = value(sprintf('heading_%d', i))
    if (!heading) {
        set object 2 * i rectangle from screen x / width, screen (y - 18) / height \
            to screen (x + 18) / width, screen y / height fillstyle solid 1 border rgb pale front \
            fillcolor rgb value(sprintf('color_%d', i)) linewidth 0.7
    }
    if (value(sprintf('hatched_%d', i))) {
        set object 2 * i + 1 rectangle from screen x / width, screen (y - 18) / height \
            to screen (x + 18) / width, screen y / height fillstyle transparent pattern 4 noborder front \
            fillcolor rgb ink linewidth 0.7
    }
    set label 100 + i value(sprintf('key_%d', i)) left textcolor rgb (heading ? pale : ink) \
        at screen (x + (heading ? 0 : 28)) / width, screen (y - 9) / height
}
set style fill solid 1 noborder
if (!fine) { set style fill solid 1 border rgb '#FFFFFF' }
plot data index 0 using ($1 + 0.5):($2 + 0.5 * $4):1:($1 + 1):2:($2 + $4):3 with boxxyerror \
         linewidth 0.7 linecolor rgb variable notitle, \
     data index 1 using ($1 + 0.5):($2 + 0.5 * $4):1:($1 + 1):2:($2 + $4) with boxxyerror \
         fillstyle transparent pattern 4 noborder linecolor rgb ink notitle, \
     data index 2 using 1:2:3:4 with vectors nohead linewidth 2 * border_width linecolor rgb '#FFFFFF' notitle, \
     data index 2 using 1:2:3:4 with vectors nohead linewidth border_width linecolor rgb ink notitle, \
     data index 3 using ($5 > 0 ? $1 : NaN):2:($1 - $5):($1 + $5):($2 - $6):($2 + $6):7 with boxxyerror \
         fillstyle solid 1 noborder linecolor rgb variable notitle, \
     data index 3 using 1:2:3:4 with labels textcolor rgb variable notitle
