# Draws the pictures of experiments/003.sh, from the files that it writes to the folder where gnuplot runs. The variables are
# set before this file is loaded:
#   plots out format   see page.gp
#   picture            ratio: times divided by those of Open MPI; queue: fragments and slots; levels: several nodes
width = picture eq 'levels' ? 860 : 1180; height = picture eq 'ratio' ? 1040 : 520
load plots . '/page.gp'
blue = '#0072B2'; orange = '#D55E00'; green = '#009E73'; purple = '#CC79A7'; sky = '#56B4E9'; gold = '#E69F00'
color(name) = name eq 'flat' || name eq 'shm_flat' ? blue : name eq 'knomial' || name eq 'shm_knomial' ? orange : green
exists_file(name) = int(system('test -s "' . name . '" && echo 1 || echo 0'))
set border 3 linecolor rgb ink
set datafile missing NaN # a line goes on past rows of others
set tics textcolor rgb ink
set grid xtics ytics linecolor rgb faint linetype 1 linewidth 0.8
set logscale x 2
set logscale y 10

set xtics () nomirror
if (picture eq 'ratio') {
    set multiplot
    set label 1 'Shared memory divided by Open MPI: below 1 it is faster' at screen 0.012, screen 1 - 24. / height \
        font font(title_size) textcolor rgb ink
    set label 2 'predicted with contention; dashed: and with cache lines; thick green: sets, mostly under flat' \
        at screen 0.012, screen 1 - 50. / height textcolor rgb pale
    do for [e = 6 : 24 : 6] { set xtics add (size_label(2.**e) 2.**e) }
    set xrange [2.**5.5 : 2.**24.5]
    set yrange [0.05 : 20]
    set ytics nomirror ('0.1' 0.1, '0.2' 0.2, '0.5' 0.5, '1' 1, '2' 2, '5' 5, '10' 10)
    set arrow 1 from 2.**5.5, 1 to 2.**24.5, 1 nohead linecolor rgb ink linewidth 1.2 back
    rows = '2 8 16'
    do for [r = 1 : 3] {
        p = word(rows, r)
        do for [c = 1 : 3] {
            name = word('bcast reduce allreduce', c)
            set lmargin at screen 0.055 + 0.33 * (c - 1); set rmargin at screen 0.315 + 0.33 * (c - 1)
            set tmargin at screen 0.895 - 0.3 * (r - 1); set bmargin at screen 0.675 - 0.3 * (r - 1)
            set title name . ', ' . p . ' ranks, ' . (r == 1 ? 'measured on two cores' : 'predicted') \
                textcolor rgb ink offset 0, -0.6
            unset key
            if (r == 1 && c == 1) {
                set key at graph 0.98, graph 0.98 right top Left reverse samplen 2 noautotitle textcolor rgb ink
            }
            if (r == 3) { set xlabel 'bytes' textcolor rgb pale offset 0, 0.3 } else { unset xlabel }
            file(a) = 'ratio-' . name . '-' . p . '-' . a . '.txt'
            if (r == 1) {
                if (exists_file(file('flat'))) {
                    plot for [a in 'flat knomial sets'] file(a) using 1:2 with linespoints linecolor rgb color(a) linewidth 1 \
                        dashtype 3 pointtype (a eq 'flat' ? 7 : a eq 'knomial' ? 5 : 9) pointsize mark * 1.3 title a
                }
            } else {
                plot for [a in 'sets flat knomial'] file(a) using 1:2 with lines linecolor rgb color(a) \
                         linewidth (a eq 'sets' ? 5 : 2.2) title a, \
                     for [a in 'flat knomial'] file(a) using 1:3 with lines linecolor rgb color(a) linewidth 1.6 dashtype 2 notitle
            }
            unset label
        }
    }
    unset multiplot
}
if (picture eq 'queue') {
    set multiplot
    set label 1 'The fragment matters; from 2 slots on, their number hardly does' at screen 0.012, screen 1 - 24. / height \
        font font(title_size) textcolor rgb ink
    set label 2 'time for 1M bytes, over the bytes of a fragment; a line for each number of slots; dashed: 8, with cache lines' \
        at screen 0.012, screen 1 - 50. / height textcolor rgb pale
    do for [e = 10 : 20 : 2] { set xtics add (size_label(2.**e) 2.**e) }
    set xrange [2.**9.6 : 2.**20.4]
    set yrange [2e-5 : 3e-3]
    set xlabel 'fragment, bytes' textcolor rgb pale
    set ytics nomirror
    do for [e = -6 : 0] { do for [m in '1 2 5'] { set ytics add (time_label(m * 10.**e) m * 10.**e) } }
    shade(s) = s == 1 ? purple : s == 2 ? gold : s == 4 ? green : s == 8 ? blue : ink
    files = 'queue-predicted-bcast-16-flat queue-predicted-reduce-16-knomial queue-measured-reduce-2-knomial'
    titles = '"bcast flat, 16 ranks, predicted" "reduce k-nomial, 16, predicted" "reduce k-nomial, 2, measured"'
    do for [c = 1 : 3] {
        set lmargin at screen 0.075 + 0.325 * (c - 1); set rmargin at screen 0.32 + 0.325 * (c - 1)
        set tmargin at screen 0.80; set bmargin at screen 0.14
        set title word(titles, c) textcolor rgb ink offset 0, -0.6
        unset key
        if (c == 1) { set key at graph 0.98, graph 0.98 right top Left reverse samplen 2 noautotitle textcolor rgb ink }
        file = word(files, c) . '.txt'
        if (exists_file(file)) {
            plot for [s in '1 2 4 8 32'] file using 1:($2 == s ? $3 : NaN) with linespoints linecolor rgb shade(s + 0) \
                     linewidth 2 pointtype 7 pointsize mark title s . (s eq '1' ? ' slot' : ' slots'), \
                 (c == 2 ? 'queue-lines-reduce-16-knomial.txt' : file) using 1:($2 == 8 ? $3 : NaN) with lines \
                     linecolor rgb shade(8) linewidth 2 dashtype 2
        }
        unset label
    }
    unset multiplot
}
if (picture eq 'levels') {
    set label 1 'Shared memory inside an allreduce of 64 nodes of 16 ranks' at screen 0.016, screen 1 - 24. / height \
        font font(title_size) textcolor rgb ink
    set label 2 'predicted on ORFEO THIN; rd and rab: recursive doubling and rabenseifner among the leaders' at screen 0.016, \
        screen 1 - 50. / height textcolor rgb pale
    do for [e = 3 : 21 : 2] { set xtics add (size_label(2.**e) 2.**e) }
    set xrange [2.**2.6 : 2.**22]
    set xlabel 'bytes' textcolor rgb pale
    set ytics nomirror
    do for [e = -6 : 0] { do for [m in '1 2 5'] { set ytics add (time_label(m * 10.**e) m * 10.**e) } }
    set lmargin at screen 0.1; set rmargin at screen 0.97; set tmargin at screen 0.86; set bmargin at screen 0.15
    set key at graph 0.02, graph 0.98 left top Left reverse samplen 3 noautotitle textcolor rgb ink
    inner(k) = word('binomial shm_flat shm_knomial', k)
    plot for [k = 1 : 3] 'levels-rd + ' . inner(k) . '.txt' using 1:2 with lines linewidth 2.2 \
             linecolor rgb (k == 1 ? purple : color(inner(k))) title 'rd + ' . inner(k), \
         for [k = 1 : 3] 'levels-rab + ' . inner(k) . '.txt' using 1:2 with lines linewidth 2.2 dashtype 2 \
             linecolor rgb (k == 1 ? purple : color(inner(k))) title 'rab + ' . inner(k), \
         'levels-ompi-5:auto.txt' using 1:2 with lines linewidth 2.2 linecolor rgb ink dashtype 4 title "Open MPI 5's choice"
}
