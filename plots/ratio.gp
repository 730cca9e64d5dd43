# Draws the time of one algorithm divided by that of another over the number of ranks, a line for each machine.
# experiments/004.sh calls it, with these variables:
#   plots            the folder of these scripts
#   data out         the file to read, and the .svg to write
#   title subtitle   two lines above the picture
#
# Reads blocks that two empty lines separate; each begins with a line that has the name of the machine in quotes, and has
# the lines `ranks ratio`.

format = 'svg'; width = 900; height = 560
load plots . '/page.gp'

array colors[4] = ['#222222', '#D55E00', '#0072B2', '#009E73']
array dashes[4] = [1, 2, 4, 3]
stats data using 1:2 nooutput
n = STATS_blocks

set lmargin 9; set rmargin 4; set tmargin 5; set bmargin 4
set label 1 title at graph -0.08, 1.12 left font font(title_size + 2) textcolor rgb ink
set label 2 subtitle at graph -0.08, 1.05 left textcolor rgb pale
set border 3 lc rgb ink
set grid ytics lc rgb faint lt 1
set logscale x 2; set logscale y 2
set xrange [2 : 130]; set yrange [0.38 : 20]
set xtics nomirror out (2, 4, 8, 16, 32, 64, 128)
set ytics nomirror out ('1/2' 0.5, '1' 1, '2' 2, '4' 4, '8' 8, '16' 16)
set xlabel 'ranks' textcolor rgb pale
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead lc rgb ink lw 2 back
set label 3 'the tree is faster' at graph 0.01, first 1.09 left textcolor rgb pale
set label 4 'the butterfly is faster' at graph 0.01, first 0.43 left textcolor rgb pale
set key at graph 0.03, graph 0.99 left top Left reverse samplen 3 textcolor rgb ink
plot for [k = 0 : n - 1] data index k using 1:2 with linespoints lw 2 pt 7 ps mark * 0.6 lc rgb colors[k + 1] dt dashes[k + 1] \
    title columnheader(1)
