# What all pictures share: the page, its letters and inks, how sizes and times are written. Reads `out` and `format` (svg, png,
# pdf, dumb), `width` and `height` (pixels, points of a pdf, characters of dumb).

# Sizes in pixels: 16 are 12 points on a screen.
ink = '#222222'; pale = '#555555'; faint = '#DDDDDD'; family = 'DejaVu Sans'; text_size = 16; title_size = 17
scale = format eq 'svg' ? 1 : 0.75   # cairo takes a letter's size for points of 96 to the inch
mark = format eq 'svg' ? 0.6 : 1       # cairo's marks and ticks are smaller
font(size) = sprintf('%s,%g', family, size * scale)
plain_font = font(text_size); title_font = sprintf('%s:Bold,%g', family, title_size * scale)
set encoding utf8
if (format eq 'svg') { set terminal svg noenhanced size width,height font plain_font background '#FFFFFF' }
if (format eq 'png') { set terminal pngcairo noenhanced size width,height font plain_font background '#FFFFFF' }
if (format eq 'pdf') { set terminal pdfcairo noenhanced size width/72.,height/72. \
    font plain_font fontscale 1 linewidth 1.5 dashlength 0.8 background '#FFFFFF' }
if (format eq 'dumb') { set terminal dumb noenhanced size width,height }
set output out

# 8, 64K, 1M; exact for powers of two.
size_label(v) = v < 2.**10 ? sprintf('%g', v) : v < 2.**20 ? sprintf('%gK', v / 2.**10) : \
    v < 2.**30 ? sprintf('%gM', v / 2.**20) : v < 2.**40 ? sprintf('%gG', v / 2.**30) : sprintf('%gT', v / 2.**40)
# seconds, scaled
time_label(t) = t < 0.9999e-9 ? sprintf('%g ps', t * 1e12) : t < 0.9999e-6 ? sprintf('%g ns', t * 1e9) : \
    t < 0.9999e-3 ? sprintf('%g us', t * 1e6) : t < 0.9999 ? sprintf('%g ms', t * 1e3) : sprintf('%g s', t)
