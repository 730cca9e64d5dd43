#include "answer/judge/compare_answer.h"
#include "base/units.h"
#include "out/wrap.h"
#include <math.h>
#include <string.h>

static const CompareCandidate *candidate_at(const Compared *x, guint i)
{
    return g_ptr_array_index(x->candidates, i);
}

static const VerdictPiece *piece_at(const Compared *x, guint i)
{
    return &g_array_index(x->verdict->pieces, VerdictPiece, i);
}

static size_t bytes_at(const Compared *x, guint i)
{
    return curve_at(x->curve, i)->bytes;
}

// ---- Texts ----------------------------------------------------------------------------------------------------------

// Returns the names of those that count as one with a candidate, "5, 6", without the library's name. Free with g_free.
static char *same_text(const CompareCandidate *c)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < c->same->len; i++) {
        const char *name = g_ptr_array_index(c->same, i), *colon = strchr(name, ':');
        g_string_append_printf(text, "%s%s", i ? ", " : "", colon ? colon + 1 : name);
    }
    return g_string_free(text, FALSE);
}

char *compare_candidate(const CompareCandidate *c)
{
    const gboolean library = strchr(c->name, ':') != NULL;
    g_autofree char *same = same_text(c);
    if (!library && !*same)
        return g_strdup(c->name);
    return g_strdup_printf("%s (%s%s%s)", c->name, library ? c->entry : "", *same ? library ? "; as " : "as " : "",
                           same);
}

char *compare_title(const Compared *x)
{
    const LogSample *s = curve_at(x->curve, 0);
    g_autofree char *ran = log_variant(curve_at(x->curve, 0));
    return g_strdup_printf("%s on %d ranks%s%s%s", collectives[s->collective].name, x->p,
                           s->in_place ? ", in place" : "", *ran ? ", " : "", ran);
}

char *compare_factor_text(double factor)
{
    return factor > 1000 ? g_strdup("over 1000") : g_strdup_printf("%.*f", factor < 1.1 ? 2 : 1, factor);
}

// Appends "ompi-5:3 (recursive_doubling) to 8K" for each piece.
static void append_pieces(const Compared *x, double tie_limit, GString *text)
{
    for (guint i = 0; i < x->verdict->pieces->len; i++) {
        const VerdictPiece *piece = piece_at(x, i);
        g_autofree char *name = compare_candidate(candidate_at(x, piece->candidate)),
                        *from = units_format_size(bytes_at(x, piece->first)),
                        *to = units_format_size(bytes_at(x, piece->last));
        g_string_append_printf(text, "%s%s", i ? ", " : "", name);
        if (piece->times_worse < tie_limit) {
            g_autofree char *other = compare_candidate(candidate_at(x, piece->second));
            g_string_append_printf(text, " or %s", other);
        }
        if (x->verdict->pieces->len == 1)
            continue;
        if (i == 0)
            g_string_append_printf(text, " to %s", to);
        else if (i + 1 == x->verdict->pieces->len)
            g_string_append_printf(text, " from %s", from);
        else
            g_string_append_printf(text, " from %s to %s", from, to);
    }
}

// A candidate whose prediction is off by a factor of two on average does not fit.
#define POOR G_LN2

char *compare_sentence(const Compared *x)
{
    const CurveVerdict *v = x->verdict;
    GString *text = g_string_new(NULL);
    if (v->tied && v->pieces->len == 1) {
        const VerdictPiece *piece = piece_at(x, 0);
        g_autofree char *a = compare_candidate(candidate_at(x, piece->candidate)),
                        *b = compare_candidate(candidate_at(x, piece->second));
        g_string_printf(text, "cannot tell %s from %s: both are off by %.0f %% on average", a, b,
                        100 * (exp(v->fit) - 1));
        return g_string_free(text, FALSE);
    }
    g_string_append(text, v->fit < POOR ? "fits " : "nothing fits; the nearest is ");
    append_pieces(x, v->tied ? v->times_worse * (1 + 1e-12) : 0, text);
    g_string_append_printf(text, ", off by %.0f %% on average; ", 100 * (exp(v->fit) - 1));
    if (isinf(v->times_worse)) {
        g_string_append(text, "there is no other candidate");
    } else if (v->pieces->len == 1) {
        g_autofree char *second = compare_candidate(candidate_at(x, piece_at(x, 0)->second)),
                        *factor = compare_factor_text(v->times_worse);
        g_string_append_printf(text, "the second candidate, %s, is %s times worse", second, factor);
    } else {
        g_autofree char *factor = compare_factor_text(v->times_worse);
        g_string_append_printf(text, "the second candidate is %s times worse", factor);
    }
    return g_string_free(text, FALSE);
}

// ---- Sheets ---------------------------------------------------------------------------------------------------------

static void fill_curve(Sheet *sheet, const Compared *x, guint number)
{
    sheet_count(sheet, "curve", number + 1);
    sheet_text(sheet, "collective", collectives[curve_at(x->curve, 0)->collective].name);
    sheet_count(sheet, "ranks", x->p);
}

static void fill_deviation(Sheet *sheet, double deviation)
{
    sheet_number(sheet, "deviation", deviation);
    sheet_show(sheet, "deviation", g_strdup_printf("%.3f", deviation));
}

// Makes the sheet "rows": the curves. Free with sheet_free.
static Sheet *curves_sheet(const CompareAnswer *c)
{
    Sheet *sheet = sheet_new("rows", (const char *const[]){"curve", "file", "collective", "ranks", "per_node",
                                                           "variant", "in_place", "sizes", "candidates", "nearest",
                                                           "deviation", "times_worse", "recognised", "fits", NULL});
    for (guint i = 0; i < c->all->len; i++) {
        const Compared *x = g_ptr_array_index(c->all, i);
        const CurveVerdict *v = x->verdict;
        const gboolean one = v->pieces->len == 1;
        g_autoptr(GString) pieces = g_string_new(NULL);
        append_pieces(x, 0, pieces);
        sheet_row(sheet);
        fill_curve(sheet, x, i);
        sheet_text(sheet, "file", curve_at(x->curve, 0)->log->name);
        if (x->per_node)
            sheet_count(sheet, "per_node", x->per_node);
        sheet_take(sheet, "variant", log_variant(curve_at(x->curve, 0)));
        sheet_count(sheet, "in_place", curve_at(x->curve, 0)->in_place);
        sheet_count(sheet, "sizes", x->curve->points->len);
        sheet_count(sheet, "candidates", x->candidates->len);
        sheet_text(sheet, "nearest", candidate_at(x, v->order[0])->name);
        fill_deviation(sheet, v->fit);
        sheet_number(sheet, "times_worse", v->times_worse);
        sheet_text(sheet, "fits", one && v->tied ? NULL : pieces->str);
        if (x->truth >= 0)
            sheet_count(sheet, "recognised", compared_recognised(x));
    }
    return sheet;
}

// Makes the sheet "candidates", those of each curve by deviation. Free with sheet_free.
static Sheet *candidates_sheet(const CompareAnswer *c)
{
    Sheet *sheet = sheet_new("candidates", (const char *const[]){"curve", "collective", "ranks", "candidate", "entry",
                                                                 "same_as", "deviation", "bias", "times_worse", NULL});
    for (guint i = 0; i < c->all->len; i++) {
        const Compared *x = g_ptr_array_index(c->all, i);
        const CurveVerdict *v = x->verdict;
        for (guint k = 0; k < x->candidates->len; k++) {
            const guint at = v->order[k];
            const CompareCandidate *candidate = candidate_at(x, at);
            const double least = v->deviation[v->order[0]];
            sheet_row(sheet);
            fill_curve(sheet, x, i);
            sheet_text(sheet, "candidate", candidate->name);
            sheet_text(sheet, "entry", candidate->entry);
            sheet_take(sheet, "same_as", same_text(candidate));
            fill_deviation(sheet, v->deviation[at]);
            sheet_number(sheet, "bias", v->bias[at]);
            sheet_show(sheet, "bias", g_strdup_printf("%+.0f %%", 100 * v->bias[at]));
            sheet_number(sheet, "times_worse", least > 0 ? v->deviation[at] / least : NAN);
        }
    }
    return sheet;
}

// Makes the sheet "points": each size of each curve with each candidate. Free with sheet_free.
static Sheet *points_sheet(const CompareAnswer *c)
{
    Sheet *sheet =
        sheet_new("points", (const char *const[]){"curve", "collective", "ranks", "bytes", "line", "candidate",
                                                  "measured_s", "predicted_s", "error", "ran", NULL});
    for (guint i = 0; i < c->all->len; i++) {
        const Compared *x = g_ptr_array_index(c->all, i);
        for (guint k = 0; k < x->candidates->len; k++) {
            const CompareCandidate *candidate = candidate_at(x, x->verdict->order[k]);
            for (guint s = 0; s < x->curve->points->len; s++) {
                const LogSample *point = g_ptr_array_index(x->curve->points, s);
                sheet_row(sheet);
                fill_curve(sheet, x, i);
                sheet_count(sheet, "bytes", (int64_t)point->bytes);
                sheet_count(sheet, "line", point->line);
                sheet_text(sheet, "candidate", candidate->name);
                sheet_number(sheet, "measured_s", point->time_s);
                sheet_number(sheet, "predicted_s", candidate->time_s[s]);
                sheet_text(sheet, "ran", g_ptr_array_index(candidate->ran, s));
                sheet_take(sheet, "error",
                           g_strdup_printf("%+.0f %%", 100 * (candidate->time_s[s] / point->time_s - 1)));
            }
        }
    }
    return sheet;
}

// ---- For people -----------------------------------------------------------------------------------------------------

static void print_recognised(const CompareAnswer *c, FILE *to)
{
    guint known = 0, right = 0, pieces = 0, tied = 0;
    for (guint i = 0; i < c->all->len; i++) {
        const Compared *x = g_ptr_array_index(c->all, i);
        const CurveVerdict *v = x->verdict;
        if (x->truth < 0)
            continue;
        known++;
        right += compared_recognised(x);
        tied += v->pieces->len == 1 && v->tied;
        pieces += v->pieces->len > 1;
    }
    if (known < 2)
        return;
    g_autofree char *text =
        g_strdup_printf("%u of %u curves whose algorithm is known are nearest to it (%.1f %%); %u cannot be told from "
                        "another candidate, and %u are given several candidates.",
                        right, known, 100.0 * right / known, tied, pieces);
    fputc('\n', to);
    wrap_print(to, "", text);
}

void compare_report(const Answer *answer, const CompareAnswer *c, gboolean points)
{
    static const SheetView view[] = {{"candidate"}, {"entry"},       {"same_as"}, {"deviation"},
                                     {"bias"},      {"times_worse"}, {NULL}},
                           each[] = {{"bytes"}, {"measured_s"}, {"candidate"}, {"predicted_s"},
                                     {"error"}, {"ran"},        {NULL}};
    g_autoptr(Sheet) curves = curves_sheet(c), candidates = candidates_sheet(c), rows = points_sheet(c),
                     choices = c->choices->len ? nccl_answer_sheet(c->choices) : NULL,
                     notes = c->notes->len ? sheet_notes(c->notes) : NULL;
    if (answer->format == FORMAT_CSV && (points || c->all->len == 0))
        sheet_csv(c->all->len ? rows : choices, answer->to);
    else if (answer->format != FORMAT_TABLE)
        answer_sheets(answer, "compare", (const Sheet *const[]){curves, candidates, rows, choices, notes}, 5);
    if (answer->format != FORMAT_TABLE)
        return;
    guint row = 0, size = 0;
    for (guint i = 0; i < c->all->len; i++) {
        const Compared *x = g_ptr_array_index(c->all, i);
        const guint n = x->candidates->len, sizes = n * x->curve->points->len;
        g_autofree char *title = compare_title(x), *sentence = compare_sentence(x),
                        *head = g_strdup_printf("%s (%s)", title, curve_at(x->curve, 0)->log->name);
        if (i && (points || c->all->len == 1))
            fputc('\n', answer->to);
        wrap_print(answer->to, "", head);
        wrap_print(answer->to, "  ", sentence);
        if (c->all->len == 1 || points) {
            fputc('\n', answer->to);
            sheet_table(candidates, view, row, row + n, "", answer->to);
        }
        if (points) {
            fputc('\n', answer->to);
            sheet_table(rows, each, size, size + sizes, "", answer->to);
        }
        row += n;
        size += sizes;
    }
    print_recognised(c, answer->to);
    if (choices && c->all->len)
        fputc('\n', answer->to);
    if (choices)
        nccl_answer_print(c->choices, choices, answer->to);
    if (c->notes->len)
        fputc('\n', answer->to);
    for (guint i = 0; i < c->notes->len; i++)
        wrap_print(answer->to, "", g_ptr_array_index(c->notes, i));
}
