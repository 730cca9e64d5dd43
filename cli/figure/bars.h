// The bars that `collsim plot` draws in place of lines: for each algorithm the time at the only x that there is, or the
// parts of its time at each x.
//
//     64K bytes                                   a group, with its bars below each other, the fastest first
//     rabenseifner  ####//.                79 us  a bar has parts if the figure shows what times consist of
//             ring  ##################>   895 us  a bar may be cut, so that the others can be compared
//
//   bars_groups.c makes the groups from the figure
//   bars_parts.c  cuts bars into the costs of terms
//   bars_words.c  writes titles, headings and notes
//   bars_draw.c   draws the bars
//   bars_text.c   prints the bars as text
#pragma once
#include "figure/figure.h"
#include "engine/replay/term.h"
#include <stdio.h>

enum {
    BARS_MAX = 300,     // bars in a figure
    BARS_MAX_TERMS = 8, // terms that have a look of their own; the smallest ones share the last one
    BARS_CUT = 20       // times and ratios of times: a bar ends at this many times the shortest
};

// Returns the resource that a term of a CSV stands for, by its name; N_RESOURCES if no model has the term.
TermResource bar_term_resource(const char *name);

// A part of a bar.
typedef struct {
    guint term; // index in Bars.terms
    double seconds;
} BarPart;

typedef struct {
    const FigureLine *line;
    const FigurePoint *point; // decides the length
    const FigurePoint
        *seen; // what was measured, drawn on a predicted bar; NULL if `point` is that, or there is nothing
    const FigurePoint *contest; // decides the order of the bars: what was measured if there is that
    CanvasLook look;
    double value;  // as figure_value() of the point
    GArray *parts; // of BarPart, in the order of Bars.terms; empty if the figure does not show them
} Bar;

typedef struct {
    char *heading; // what tells this group from the others; "" if it is the only one
    const FigurePanel *panel;
    size_t x;
    GArray *bars; // of Bar, the fastest first
    guint ties;   // bars whose times are as good as the first one's, which is one of them
    double scale; // the value at which the longest bar ends
} BarGroup;

typedef struct {
    const Figure *figure;
    GPtrArray *groups; // of BarGroup
    GPtrArray *terms;  // of char *: what parts stand for, in the order in which they are drawn
    guint cut;         // number of bars that are cut
} Bars;

// Makes the bars of a figure, which must outlive them. Returns NULL and a bad-input error if there are more than
// BARS_MAX, or if the costs of a row cannot be read. Free with bars_free.
Bars *bars_new(const Figure *figure, GError **error);
void bars_free(Bars *bars);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Bars, bars_free)

// Returns the title: "allreduce, 128 ranks, 64K bytes, lumi: rabenseifner wins with 79.2 us; ring takes 11.3 times as
// long". It has lines of this width. Free with g_free.
char *bars_title(const Bars *bars, double width, Letters font);
// Returns the text under the picture. May be "". Free with g_free.
char *bars_note(const Bars *bars);
// Returns ", x1.5" for a bar that takes 1.5 times as long as the best of its group, or "" if it takes about as long. Free
// with g_free.
char *bar_times_text(double times);
// Returns the text beside a bar: "895 us, x11.3". Free with g_free.
char *bar_text(const Bars *bars, const BarGroup *group, const Bar *bar);
// Returns the share of the longest bar's length at which a value ends, at most 1.
double bar_length(const BarGroup *group, double value);

// Returns the picture. Free with canvas_free.
Canvas *bars_canvas(const Bars *bars, const PictureAsk *ask);
// Prints the bars as text of at most `columns` characters a line.
void bars_print(const Bars *bars, const char *title, size_t columns, FILE *to);

// ---- Between the files of the bars ----------------------------------------------------------------------------------

// Finds the terms, and the parts of all bars. Returns FALSE and a bad-input error if a row's costs cannot be read.
gboolean bars_cut(Bars *bars, GError **error);
// Sets the headings of the groups: the collective, the ranks or bytes, and x, as far as these differ.
void bars_set_headings(Bars *bars);
