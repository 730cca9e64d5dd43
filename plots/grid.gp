# Draws the picture of `collsim plot --winners`: a grid of places, each in the colour of the algorithm that is the
# fastest there.
#
# Reads the file `data` with two blocks: `x y colour number` for each place, where x and y are its lower left corner and
# number is that of its winner; and `x y dx dy` for each piece of the borders between regions.
# cli/figure/winners_draw.c sets the variables:
#   plots                     the folder of these scripts
#   out format width height   see page.gp
#   grid_width grid_height    size of the grid, in pixels
#   title_0 title_1 note_0    the two lines of the title (the second may be empty), and the line under the picture
#   axis_0 axis_1             the names of the axes
#   nx x_I ny y_I             the number of columns, the label of column I; the same for rows, from below
#   winners                   the number of algorithms in the list
#   winner_I color_I places_I the name of winner I, its colour, and at how many places it wins
#   list_row                  the height of a row in the list, in pixels
#   names name_I name_x_I name_y_I name_color_I   the names in the grid, where they stand and their colour

load plots . '/page.gp'
is_dumb = format eq 'dumb'

set xrange [0 : nx]; set yrange [0 : ny]
set xtics () scale 0; set ytics () scale 0
do for [i = 1 : nx] { set xtics add (value(sprintf('x_%d', i)) i - 0.5) }
do for [i = 1 : ny] { set ytics add (value(sprintf('y_%d', i)) i - 0.5) }
unset key
set border 0
letter(i) = substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', int(i), int(i))

if (is_dumb) {
    # As text, the places are letters.
    set xlabel axis_0
    set tmargin 4
    set bmargin 4
    set rmargin 34
    set label 1 title_0 at character 0, character height - 1
    set label 2 title_1 at character 0, character height - 2
    set label 3 axis_1 at character 0, character height - 4
    do for [i = 1 : winners] {
        set label 10 + i letter(i) . ' ' . value(sprintf('winner_%d', i)) \
            at character width - 32, character height - 3 - i
    }
    plot data index 0 using ($1 + 0.5):($2 + 0.5):(letter($4)) with labels
    exit
}

left = 92.; top = height - 88.; bottom = top - grid_height; right = left + grid_width
set lmargin at screen left / width; set rmargin at screen right / width
set tmargin at screen top / height; set bmargin at screen bottom / height
set tics textcolor rgb ink
set label 1 (title_1 eq '' ? title_0 : title_0 . "\n" . title_1) left \
    at screen 20. / width, screen (height - 24.) / height font title_font textcolor rgb ink
set label 2 axis_1 left at screen 20. / width, screen (top + 14.) / height textcolor rgb pale
set label 3 axis_0 center at screen (left + right) / 2 / width, screen (bottom - 46.) / height textcolor rgb pale
set label 4 note_0 left at screen 20. / width, screen 18. / height textcolor rgb pale

# The list of winners is at the right of the grid.
do for [i = 1 : winners] {
    x = right + 28; y = top - 2 * list_row * (i - 1)
    set object 100 + i rectangle from screen x / width, screen (y - 18) / height \
        to screen (x + 18) / width, screen y / height fillstyle solid 1 noborder front \
        fillcolor rgb value(sprintf('color_%d', i))
    set label 100 + 2 * i value(sprintf('winner_%d', i)) left at screen (x + 28) / width, screen (y - 9) / height \
        textcolor rgb ink
    set label 101 + 2 * i value(sprintf('places_%d', i)) left at screen (x + 28) / width, screen (y - 31) / height \
        textcolor rgb pale
}
do for [i = 1 : names] {
    set label 1000 + i value(sprintf('name_%d', i)) center front \
        at first value(sprintf('name_x_%d', i)), first value(sprintf('name_y_%d', i)) \
        textcolor rgb value(sprintf('name_color_%d', i))
}
set style fill solid 1 border rgb '#FFFFFF'
plot data index 0 using ($1 + 0.5):($2 + 0.5):1:($1 + 1):2:($2 + 1):3 with boxxyerror \
         linewidth 0.7 linecolor rgb variable notitle, \
     data index 1 using 1:2:3:4 with vectors nohead linewidth 2 linecolor rgb ink notitle
