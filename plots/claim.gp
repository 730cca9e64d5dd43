# Draws a picture of `collsim audit --report`: a coefficient of a cost over the number of ranks, as it is claimed and
# as it was simulated. Reads the file `data` with lines of `p claimed true`. cli/answer/judge/audit_picture.c sets the
# variables:
#   plots               the folder of these scripts
#   out format          see page.gp
#   title_0 title_rows  the title, and the number of its lines
#   claim_0 claim_rows  the claimed formula; the same
#   axis_0 axis_1       the labels of the y and the x axis
more = 25. * (title_rows - 1); most = more + 24. * (claim_rows - 1) # for the lines after the first
width = 760; height = 430 + most
load plots . '/page.gp'

stats data using 1 nooutput
p_min = STATS_min; p_max = STATS_max
# Values may be 0, which a logarithmic axis cannot show, so these are left out.
positive(y) = y > 0 ? y : NaN
low = 1e300; high = 0
do for [c = 2 : 3] {
    stats data using (positive(column(c))) nooutput
    found = exists('STATS_records') ? STATS_records : 0 # gnuplot undefines it if there is no value
    if (found > 0) { low = STATS_min < low ? STATS_min : low; high = STATS_max > high ? STATS_max : high }
}
if (high == 0) { low = 1; high = 1 }

set logscale x 2
set logscale y 10
set border 3 linecolor rgb ink
set tics textcolor rgb ink
set grid xtics ytics linecolor rgb faint linetype 1 linewidth 0.8
set tmargin at screen 1 - (92. + most) / height; set bmargin at screen 66. / height
set lmargin at screen 84. / width; set rmargin at screen 1 - 30. / width
set xrange [p_min / 1.1 : p_max * 1.1]
set yrange [low / 1.5 : high * 2]
set xtics () nomirror
do for [e = 1 : 20] { set xtics add (sprintf('%d', 2**e) 2**e) }
set ytics nomirror format '%g'
set label 1 title_0 left at screen 16. / width, screen 1 - 24. / height font title_font textcolor rgb ink
set label 2 axis_0 left at screen 16. / width, screen 1 - (74. + most) / height textcolor rgb pale
set label 3 axis_1 at graph 0.5, screen 20. / height center textcolor rgb pale
set label 4 claim_0 left at screen 16. / width, screen 1 - (50. + more) / height textcolor rgb '#0072B2'
set key at graph 0.02, graph 0.98 left top Left reverse samplen 2 noautotitle textcolor rgb ink
plot data using 1:(positive(column(2))) with lines linecolor rgb '#0072B2' linewidth 2.5 title 'claimed', \
     data using 1:(positive(column(3))) with points linecolor rgb '#D55E00' pointtype 7 pointsize mark title 'simulated'
