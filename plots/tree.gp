# Draws the decision tree of `collsim learn --draw`.
#
# Reads the file `data` with four blocks: `x y dx dy` for each line; `x y rgb` for the mark of each leaf; `x y text` for
# the text of each question and leaf; and the same for each yes and no. cli/answer/advice/learn_plot.c sets the variables; all
# sizes are pixels:
#   plots                     the folder of these scripts
#   out format width height   see page.gp
#   title_0 note_0            the title, and the text under the tree

load plots . '/page.gp'

set xrange [0 : width]; set yrange [0 : height]
set lmargin at screen 0; set rmargin at screen 1; set bmargin at screen 0; set tmargin at screen 1
unset border; unset tics; unset key
set label 1 title_0 left at screen 20. / width, screen (height - 30.) / height font title_font textcolor rgb ink
set label 2 note_0 left at screen 20. / width, screen 22. / height textcolor rgb pale
plot data index 0 using 1:2:3:4 with vectors nohead linewidth 1.2 linecolor rgb '#999999' notitle, \
     data index 1 using 1:2:3 with points pointtype 5 pointsize 1.4 * mark linecolor rgb variable notitle, \
     data index 2 using 1:2:3 with labels left textcolor rgb ink notitle, \
     data index 3 using 1:2:3 with labels left textcolor rgb pale font font(13) notitle
