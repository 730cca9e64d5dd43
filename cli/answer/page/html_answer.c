// The beginning of a report: what to set, and what that saves.
#include "answer/page/html_parts.h"
#include "search/search/sure.h"
#include "answer/advice/tune_answer.h"
#include "answer/advice/tune_family.h"
#include "answer/report/report.h"
#include "base/units.h"
#include "out/sheet.h"
#include <math.h>

// ---- What a file saves ----------------------------------------------------------------------------------------------

void html_savings_add(HtmlSavings *sum, const HtmlCollective *of)
{
    for (guint i = 0; of->tune && i < of->tune->places->len; i++) {
        const TunePlace *place = &g_array_index(of->tune->places, TunePlace, i);
        if (!place->grid || isnan(place->default_s) || !(place->time_s > 0 && place->best_s > 0))
            continue;
        sum->n++;
        sum->logs += log(place->default_s / place->time_s);
        sum->worst = MAX(sum->worst, place->default_s / place->best_s);
    }
    const TunePlace *top = of->tune ? tune_most(of->tune) : NULL;
    if (top && (!sum->top || top->default_s / top->time_s > sum->top->default_s / sum->top->time_s)) {
        sum->top = top;
        sum->top_of = of->collective;
    }
}

double html_saved(const HtmlSavings *x)
{
    return 1 - exp(-x->logs / x->n);
}

char *html_saved_text(const HtmlSavings *x)
{
    return g_strdup_printf("%ld %%", lround(100 * html_saved(x)));
}

// ---- The table of collectives ---------------------------------------------------------------------------------------

// Returns who wins at the smallest or at the largest size on the most ranks; NULL if nobody does. Free with g_free.
static char *winner_at(const HtmlCollective *of, gboolean largest)
{
    const Contest *found = NULL;
    for (guint i = 0; of->contests && i < of->contests->len; i++) {
        const Contest *x = of->contests->pdata[i];
        if (!found || x->p > found->p || (x->p == found->p && (largest ? x->m > found->m : x->m < found->m)))
            found = x;
    }
    const Point *winner = found ? html_report_winner(found) : NULL;
    return winner ? point_choice(winner) : NULL;
}

static char *times_text(double x)
{
    return isnan(x) ? NULL : tune_ratio(x);
}

HtmlMark html_mark_of(double mean)
{
    return isnan(mean) ? HTML_PLAIN : mean < 1.1 ? HTML_GOOD : mean < 2 ? HTML_FAIR : HTML_BAD;
}

static void add_glance_row(const HtmlReport *x, const HtmlCollective *of)
{
    g_autofree char *first = winner_at(of, FALSE), *last = winner_at(of, TRUE);
    const HtmlCell name = {.text = collectives[of->collective].name, .to = of->id}, smallest = {first ? first : "none"},
                   largest = {last ? last : "none"};
    if (!x->options->only) {
        const HtmlCell cell[] = {name, smallest, largest};
        html_row(x->page, NULL, NULL, cell, G_N_ELEMENTS(cell));
        return;
    }
    HtmlSavings savings = {0};
    html_savings_add(&savings, of);
    const Tune *tune = of->tune && of->tune->places->len ? of->tune : NULL;
    const double mean = tune ? tune->before : of->regret ? of->regret->mean : NAN;
    g_autoptr(GArray) worst = of->regret ? regret_worst(of->regret, 1) : NULL;
    const RegretPlace *most =
        worst && worst->len ? &g_array_index(of->regret->places, RegretPlace, g_array_index(worst, guint, 0)) : NULL;
    const HtmlMark mark = html_mark_of(mean);
    g_autofree char *saved = savings.n ? html_saved_text(&savings) : NULL, *before = times_text(mean),
                    *before_worst = times_text(savings.n ? savings.worst
                                               : most    ? regret_x(most)
                                                         : mean),
                    *after = tune ? times_text(tune->after) : NULL,
                    *after_worst = tune ? times_text(tune->worst) : NULL,
                    *gain = tune ? tune_answer_most(tune, x->tuned.machine.platform, SURE_DEFAULT) : NULL;
    const HtmlCell cell[] = {name,
                             {saved         ? saved
                              : isnan(mean) ? NULL
                                            : "no file",
                              HTML_NUMBER},
                             {before, HTML_NUMBER, mark},
                             {before_worst, HTML_NUMBER},
                             {after, HTML_NUMBER},
                             {after_worst, HTML_NUMBER},
                             {gain},
                             smallest,
                             largest};
    html_row(x->page, NULL, NULL, cell, G_N_ELEMENTS(cell));
}

// Adds a table of all collectives.
static void add_glance(const HtmlReport *x)
{
    static const HtmlCell head[] = {{"collective"},
                                    {"time saved", HTML_NUMBER},
                                    {"default / best", HTML_NUMBER},
                                    {"at worst", HTML_NUMBER},
                                    {"with the file / best", HTML_NUMBER},
                                    {"at worst", HTML_NUMBER},
                                    {"most is saved at"},
                                    {"fastest, smallest size"},
                                    {"fastest, largest size"}},
                          any[] = {{"collective"}, {"fastest, smallest size"}, {"fastest, largest size"}};
    if (!x->options->only) {
        html_table(x->page, "The fastest algorithm on the most ranks", any, G_N_ELEMENTS(any));
    } else {
        g_autofree char *text = g_strdup_printf(
            "Times are divided by that of the best that a file can make %s run; they are geometric means "
            "over the grid, and the worst of its points. The fastest algorithms are those on the most "
            "ranks.",
            x->library.library.only->library->title);
        html_text(x->page, text);
        html_table(x->page, "What the file saves in each collective", head, G_N_ELEMENTS(head));
    }
    for (guint i = 0; i < x->all->len; i++)
        add_glance_row(x, x->all->pdata[i]);
    html_table_end(x->page);
    if (x->options->only)
        html_text(x->page,
                  "The sign before the default's mean is a tick below 1.1, a wave below 2, and a cross above.");
}

// ---- The answer -----------------------------------------------------------------------------------------------------

// Returns what the file saves over all collectives of the page, and where most. Free with g_free.
static char *answer_text(const HtmlReport *x)
{
    const char *const title = x->library.library.only->library->title;
    HtmlSavings sum = {0};
    guint n = 0;
    for (guint i = 0; i < x->all->len; i++) {
        const guint before = sum.n;
        html_savings_add(&sum, x->all->pdata[i]);
        n += sum.n > before;
    }
    if (!sum.top)
        return g_strdup_printf("Leave %s as it is: no rules file makes these collectives faster than its defaults.",
                               title);
    g_autofree char *saved = html_saved_text(&sum), *size = units_format_size(sum.top->m),
                    *before = units_format_time(sum.top->default_s), *after = units_format_time(sum.top->time_s);
    const Sure sure = tune_sure(sum.top, x->tuned.machine.platform);
    g_autofree char *gain = report_sure_text(&sure, SURE_DEFAULT);
    g_autofree char *bytes = sum.top_of == COLL_BARRIER ? g_strdup("") : g_strdup_printf(" of %s bytes", size);
    g_autofree char *over = n > 1 ? g_strdup_printf("%u collectives and ", n) : g_strdup("");
    return g_strdup_printf("With the rules file of this page, %s is predicted to take %s less time than with its "
                           "defaults, in the geometric mean over %sthe points of the grid. Most is saved in %s%s on %d "
                           "ranks: %s instead of %s, which %s.",
                           title, saved, over, collectives[sum.top_of].name, bytes, sum.top->p, after, before, gain);
}

// Returns how well the file's choices are, and which collectives have one choice for all sizes. Free with g_free.
static char *file_text(const HtmlReport *x)
{
    g_autoptr(GString) one = g_string_new(NULL);
    for (guint i = 0; i < x->tunes->len; i++) {
        const Tune *tune = x->tunes->pdata[i];
        if (tune->one && tune->part == TUNE_CALLS && tune->collective != COLL_BARRIER)
            g_string_append_printf(one, "%s%s", one->len ? ", " : "", collectives[tune->collective].name);
    }
    return g_strdup_printf(
        "The file's choices are right for any operation and %d %% sure to be faster than the default, and take at most "
        "%g %% more time than the best of those that a file can name%s%s.",
        SURE_DEFAULT, 100 * TUNE_WITHIN,
        one->len ? ", except where the library does not tell it the size, and one choice serves all sizes: " : "",
        one->str);
}

// Adds the commands that make the file and run with it.
static void add_file_commands(const HtmlReport *x)
{
    const Library *const library = x->library.library.only->library;
    const char *const file = x->pair.load ? HTML_REPORT_FOLDER : tune_family_file(library);
    g_autoptr(GString) start = g_string_new("tune ");
    guint n = 0;
    g_string_append(start, x->options->only);
    for (guint i = 0; i < x->all->len && x->all->len < N_COLLECTIVES; i++)
        g_string_append_printf(start, "%s%s", n++ ? "," : " ",
                               collectives[((const HtmlCollective *)x->all->pdata[i])->collective].name);
    RequestOptions o = *x->options;
    o.only = o.root = NULL;
    g_autofree char *end = g_strdup_printf("-o %s", file), *command = html_report_command(&o, start->str, end),
                    *load = x->pair.load ? g_strdup(x->pair.load) : tune_answer_load(&x->tuned.library, file),
                    *lines = g_strdup_printf("%s\n%s", command, load);
    html_command(x->page, lines);
}

void html_report_answer(const HtmlReport *x)
{
    if (!x->options->only) {
        html_section(x->page, 2, NULL, "At a glance");
        add_glance(x);
        html_text(x->page, "The algorithms are those of all libraries. With --only ompi-4.1, or another library, the "
                           "page says what to set, and what that saves.");
        return;
    }
    html_section(x->page, 2, NULL, "What to set");
    g_autofree char *answer = answer_text(x), *about = x->rules ? file_text(x) : NULL;
    html_text(x->page, answer);
    if (x->library.question.asked_root) {
        g_autofree char *roots =
            g_strdup_printf("A library's file does not tell roots apart. Its choices, and what they save, are those of "
                            "root 0; the fastest algorithms, and the times below, are those of root %d.",
                            x->library.question.asked_root);
        html_text(x->page, roots);
    }
    if (x->rules)
        add_file_commands(x);
    add_glance(x);
    if (!x->rules)
        return;
    html_text(x->page, about);
    const TunePairNames names = tune_family_pair(x->library.library.only->library);
    g_autofree char *first = g_strdup_printf("The rules file of %s", names.for_first),
                    *second = g_strdup_printf("The rules file of %s", names.for_algorithms);
    html_pre(x->page, x->pair.first ? second : "The rules file", x->rules);
    if (x->pair.first)
        html_pre(x->page, first, x->pair.first);
}
