# A coefficient of a cost as it is claimed and as it is: `collsim audit -o FOLDER`. Reads `data`: lines of p, claimed, true.
# Variables (cli/audit_picture.c sets them): out format title claim axis.
width = 760; height = 430
ink = '#222222'; pale = '#555555'; faint = '#DDDDDD'; family = 'DejaVu Sans'
set encoding utf8
set terminal svg noenhanced size width,height font sprintf('%s,16', family) background '#FFFFFF'
set output out

stats data using 1 nooutput
p_min = STATS_min; p_max = STATS_max
# Both start at 0 or above: what is 0 has no place on a log axis and is left out.
positive(y) = y > 0 ? y : NaN
stats data using (positive(column(2))) nooutput
low = STATS_records > 0 ? STATS_min : 1e300; high = STATS_records > 0 ? STATS_max : 0; claimed = STATS_records
stats data using (positive(column(3))) nooutput
if (STATS_records > 0) { low = STATS_min < low ? STATS_min : low; high = STATS_max > high ? STATS_max : high }

set logscale x 2
set logscale y 10
set border 3 linecolor rgb ink
set tics textcolor rgb ink
set grid xtics ytics linecolor rgb faint linetype 1 linewidth 0.8
set tmargin at screen 1 - 92. / height; set bmargin at screen 66. / height
set lmargin at screen 84. / width; set rmargin at screen 1 - 30. / width
set xrange [p_min / 1.1 : p_max * 1.1]
set yrange [low / 1.5 : high * 2]
set xtics () nomirror
do for [e = 1 : 20] { set xtics add (sprintf('%d', 2**e) 2**e) }
set ytics nomirror format '%g'
set label 1 title left at screen 16. / width, screen 1 - 24. / height font sprintf('%s:Bold,16', family) textcolor rgb ink
set label 2 axis left at screen 16. / width, screen 1 - 74. / height textcolor rgb pale
set label 3 'ranks' at graph 0.5, screen 20. / height center textcolor rgb pale
set label 4 sprintf('claimed: %s', claim) left at screen 16. / width, screen 1 - 50. / height font sprintf('%s,14', family) textcolor rgb '#0072B2'
set key at graph 0.02, graph 0.98 left top Left reverse samplen 2 noautotitle textcolor rgb ink
plot data using 1:(positive(column(2))) with lines linecolor rgb '#0072B2' linewidth 2.5 title 'claimed', \
     data using 1:(positive(column(3))) with points linecolor rgb '#D55E00' pointtype 7 pointsize 0.6 title 'simulated'
