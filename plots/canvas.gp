# Draws what cli/figure/canvas.c writes to the file `data`: statements for the texts, and a `plot` with its points. Places are
# pixels, from the upper left corner. For the other variables see page.gp.
load plots . '/page.gp'
font_1 = font(13); font_2 = font(14); font_3 = plain_font; font_4 = title_font # by the numbers of Letters
set xrange [0 : width]; set yrange [height : 0]
set lmargin at screen 0; set rmargin at screen 1; set tmargin at screen 1; set bmargin at screen 0
unset border; unset tics; unset key
load data
