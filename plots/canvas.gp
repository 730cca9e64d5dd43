# Draws what cli/figure/canvas.c writes to the file `data`: statements for the texts, and a `plot` with its points. Places are
# pixels, from the upper left corner. These variables are set before this file is loaded:
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

# Text sizes are in pixels, by the numbers of Letters; 16 pixels are 12 points on a screen.
scale = (format eq 'svg' ? 1 : 0.75) * zoom # cairo takes font sizes in points: 0.75 points are a pixel at 96 pixels per inch
mark = (format eq 'svg' ? 0.6 : 1) * zoom   # svg draws marks and ticks larger than cairo does
font(family, size) = sprintf('%s,%g', family, size * scale)
font_1 = font('DejaVu Sans', 13); font_2 = font('DejaVu Sans', 14); font_3 = font('DejaVu Sans', 16)
font_4 = font('DejaVu Sans:Bold', 17)
set encoding utf8
if (format eq 'svg') { set terminal svg noenhanced size page_width,page_height font font_3 linewidth zoom background '#FFFFFF' }
if (format eq 'png') { set terminal pngcairo noenhanced size page_width,page_height font font_3 linewidth zoom background '#FFFFFF' }
if (format eq 'pdf') { set terminal pdfcairo noenhanced size page_width/96.,page_height/96. \
    font font_3 fontscale 1 linewidth 1.2*zoom dashlength 0.8 background '#FFFFFF' }
set output out

set xrange [0 : width]; set yrange [height : 0]
set lmargin at screen 0; set rmargin at screen 1; set tmargin at screen 1; set bmargin at screen 0
unset border; unset tics; unset key
load data
