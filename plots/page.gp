# The page that all pictures share: its size, fonts and colours, and how sizes and times are written. The variables are
# set before this file is loaded:
#   out format     the file to write and its format: svg, png or pdf
#   width height   of the page as it is laid out, in pixels of 1/96 inch
#   page_zoom      how much larger or smaller the layout is drawn (default: 1)
#   page_width page_height   the page's own size if it is another one: the layout is scaled to it, and its gaps grow where
#                  the shapes differ; a height of 0 follows from the width
# A pdf that would be wider than a sheet, 11 inches, is scaled to that.

if (!exists('page_zoom')) { page_zoom = format eq 'pdf' && width > 1056 ? 1056. / width : 1. }
if (!exists('page_width')) { page_width = width * page_zoom; page_height = 0 }
if (page_height == 0) { page_height = 1. * height * page_width / width }
zoom = page_width / width < page_height / height ? page_width / width : page_height / height

# Text sizes are in pixels; 16 pixels are 12 points on a screen.
ink = '#222222'; pale = '#555555'; faint = '#DDDDDD'; family = 'DejaVu Sans'; text_size = 16; title_size = 17
scale = (format eq 'svg' ? 1 : 0.75) * zoom # cairo takes font sizes in points: 0.75 points are a pixel at 96 pixels per inch
mark = (format eq 'svg' ? 0.6 : 1) * zoom   # svg draws marks and ticks larger than cairo does
font(size) = sprintf('%s,%g', family, size * scale)
plain_font = font(text_size); title_font = sprintf('%s:Bold,%g', family, title_size * scale)
set encoding utf8
if (format eq 'svg') { set terminal svg noenhanced size page_width,page_height font plain_font linewidth zoom background '#FFFFFF' }
if (format eq 'png') { set terminal pngcairo noenhanced size page_width,page_height font plain_font linewidth zoom background '#FFFFFF' }
if (format eq 'pdf') { set terminal pdfcairo noenhanced size page_width/96.,page_height/96. \
    font plain_font fontscale 1 linewidth 1.2*zoom dashlength 0.8 background '#FFFFFF' }
set output out

# Writes a size as 8, 64K or 1M, exactly if it is a power of two.
size_label(v) = v < 2.**10 ? sprintf('%g', v) : v < 2.**20 ? sprintf('%gK', v / 2.**10) : \
    v < 2.**30 ? sprintf('%gM', v / 2.**20) : v < 2.**40 ? sprintf('%gG', v / 2.**30) : sprintf('%gT', v / 2.**40)
# Writes bytes per second with the unit that suits them; these units are powers of ten.
rate_label(v) = v < 0.9999e3 ? sprintf('%g B/s', v) : v < 0.9999e6 ? sprintf('%g kB/s', v / 1e3) : \
    v < 0.9999e9 ? sprintf('%g MB/s', v / 1e6) : v < 0.9999e12 ? sprintf('%g GB/s', v / 1e9) : sprintf('%g TB/s', v / 1e12)
# Writes a time in seconds with the unit that suits it.
time_label(t) = t < 0.9999e-9 ? sprintf('%g ps', t * 1e12) : t < 0.9999e-6 ? sprintf('%g ns', t * 1e9) : \
    t < 0.9999e-3 ? sprintf('%g us', t * 1e6) : t < 0.9999 ? sprintf('%g ms', t * 1e3) : sprintf('%g s', t)
