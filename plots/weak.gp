# Draws the picture of experiments/ours.sh: the time of the fastest algorithm over the number of ranks, with a panel for each
# machine. A solid line is for ranks that share their node's NIC, a dashed one of the same colour for a NIC each.
#
# Reads the file `data` with two blocks of `ranks seconds` for each machine and collective, shared and own. The script sets
#   plots data       the folder of these scripts, and the file
#   out format       see page.gp
#   answer           the title
width = 1200; height = 960
load plots . '/page.gp'
colors = '#0072B2 #D55E00 #009E73 #000000'
points = '7 5 9 13'
collectives = 'allreduce bcast allgather'
machines = "'LUMI, 4 NICs' 'Leonardo, 1 NIC' 'Peak, 2 NICs' 'generic-100g, 1 NIC'"
sizes = "'allreduce of 256 KiB' 'bcast of 64 KiB' 'allgather, blocks of 1 KiB'"
left = 90.; between = 80.; right = 20.; head = 150.; above = 50.; foot = 60.
side = (width - left - between - right) / 2; tall = (height - head - above - 2 * foot) / 2

set logscale x 2; set logscale y 10
set xrange [45 : 46341]; set yrange [1e-5 : 5e-2]
set border 3 linecolor rgb ink linewidth 1
set tics textcolor rgb ink
set grid xtics ytics linecolor rgb faint linetype 1 linewidth 0.8 dashtype 1
unset key
set xtics () nomirror scale mark
do for [e = 6 : 15 : 3] { set xtics add (size_label(2.**e) 2.**e) }
set ytics () nomirror scale mark
do for [d = -5 : -2] { set ytics add (time_label(10.**d) 10.**d) }
set multiplot
set label 1 answer left at screen 20. / width, screen 1 - 26. / height font font(title_size) textcolor rgb ink
set label 2 '32 ranks on a node. Solid: they share its NICs. Dashed: each rank has a NIC of its own.' \
    left at screen 20. / width, screen 1 - 54. / height textcolor rgb pale
do for [c = 1 : 3] {
    x = 30. + (c - 1) * (width - 40.) / 3
    set label 10 + 2 * c '' at screen x / width, screen 1 - 84. / height point pointtype int(word(points, c)) \
        pointsize mark linecolor rgb word(colors, c)
    set label 11 + 2 * c word(sizes, c) left at screen (x + 14) / width, screen 1 - 84. / height textcolor rgb ink
}
do for [m = 0 : 3] {
    x0 = left + (m % 2) * (side + between); y0 = height - head - (m / 2) * (tall + above + foot)
    set lmargin at screen x0 / width; set rmargin at screen (x0 + side) / width
    set tmargin at screen y0 / height; set bmargin at screen (y0 - tall) / height
    set label 30 word(machines, m + 1) left at screen x0 / width, screen (y0 + 18) / height font font(title_size) textcolor rgb ink
    set label 31 'ranks' center at screen (x0 + side / 2) / width, screen (y0 - tall - 42) / height textcolor rgb pale
    plot for [c = 0 : 2] data index 6 * m + 2 * c + 1 using 1:2 with lines dashtype (6, 5) linewidth 2 \
             linecolor rgb word(colors, c + 1), \
         for [c = 0 : 2] data index 6 * m + 2 * c using 1:2 with linespoints linewidth 2 pointsize mark \
             pointtype int(word(points, c + 1)) linecolor rgb word(colors, c + 1)
    do for [l = 1 : 20] { unset label l }
}
unset multiplot
