#include "advice/app/mix.h"
#include "answer/page/html_report.h"
#include "answer/report/report.h"
#include "ask/ask_profile.h"
#include "base/units.h"
#include "out/sheet.h"
#include <math.h>

// ---- A run of the application ---------------------------------------------------------------------------------------

// Predicts the calls of a profile, as `app` does.
static Mix *mix_of(const HtmlReport *x, const Profile *profile, Request *r, GError **error)
{
    gboolean called[N_COLLECTIVES];
    r->known = x->known;
    Mix *mix = ask_calls("report", x->options->only, profile, x->options, called, r, error)
                   ? mix_compute(r, profile, error)
                   : NULL;
    r->question.asked = NULL; // `called` ends here
    return mix;
}

// Returns what the best settings save of a run's time in a collective; NULL if the profile does not call it. Free with
// g_free.
static char *run_text(const Mix *mix, Collective collective)
{
    for (guint i = 0; i < mix->collectives->len; i++) {
        const MixCollective *of = &g_array_index(mix->collectives, MixCollective, i);
        g_autofree char *saves = units_format_time(mix_saves(&of->sum)), *all = units_format_time(of->sum.total_s);
        if (of->collective == collective)
            return g_strdup_printf("%s of %s", saves, all);
    }
    return NULL;
}

// ---- The picture ----------------------------------------------------------------------------------------------------

// Returns a picture with a bar for each collective: the time with the file, as a share of the default's.
static GString *bars(const HtmlReport *x)
{
    enum { WIDTH = 608, BAR = 225, LENGTH = 290, ROW = 38, FOOT = 40 };
    const guint rows = x->all->len;
    GString *svg = g_string_new(NULL);
    g_string_append_printf(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" viewBox=\"0 0 %d %u\" "
        "font-family=\"sans-serif\" font-size=\"20\" role=\"img\" aria-label=\"times with the file\">\n",
        WIDTH, rows * ROW + FOOT, WIDTH, rows * ROW + FOOT);
    for (guint i = 0; i < rows; i++) {
        const HtmlCollective *of = x->all->pdata[i];
        HtmlSavings savings = {0};
        html_savings_add(&savings, of);
        const double share = savings.n ? 1 - html_saved(&savings) : 1;
        const long percent = lround(100 * (1 - share));
        const guint y = i * ROW + 6;
        g_string_append_printf(svg, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\">%s</text>\n", BAR - 10, y + 20,
                               collectives[of->collective].name);
        g_string_append_printf(svg,
                               "<rect x=\"%d\" y=\"%u\" width=\"%d\" height=\"26\" fill=\"#ddd\"/>"
                               "<rect x=\"%d\" y=\"%u\" width=\"%.1f\" height=\"26\" fill=\"#2b6cb0\"/>\n",
                               BAR, y, LENGTH, BAR, y, LENGTH * share);
        g_string_append_printf(svg, "<text x=\"%d\" y=\"%u\">%s%ld %%</text>\n", BAR + LENGTH + 10, y + 20,
                               percent > 0 ? "\342\210\222" : "", percent);
    }
    g_string_append_printf(svg,
                           "<text x=\"%d\" y=\"%u\" font-size=\"17\">blue: with the file; grey: the defaults</text>\n",
                           BAR, rows * ROW + 26);
    g_string_append(svg, "</svg>\n");
    return svg;
}

// ---- The table ------------------------------------------------------------------------------------------------------

static void add_row(const HtmlReport *x, Html *page, const HtmlCollective *of, const Mix *mix)
{
    HtmlSavings savings = {0};
    html_savings_add(&savings, of);
    const gboolean saves = savings.top != NULL;
    const Sure gain = saves ? tune_sure(savings.top, x->tuned.machine.platform) : (Sure){0};
    g_autofree char *share = savings.n ? html_saved_text(&savings) : NULL,
                    *size = saves ? units_format_size(savings.top->m) : NULL,
                    *before = saves ? units_format_time(savings.top->default_s) : NULL,
                    *after = saves ? units_format_time(savings.top->time_s) : NULL,
                    *sure = saves ? report_sure_text(&gain, SURE_DEFAULT) : NULL,
                    *run = mix ? run_text(mix, of->collective) : NULL;
    g_autofree char *where = !saves ? NULL
                             : of->collective == COLL_BARRIER
                                 ? g_strdup_printf("%d ranks", savings.top->p)
                                 : g_strdup_printf("%s bytes, %d ranks", size, savings.top->p);
    const HtmlCell cell[] = {{collectives[of->collective].name},
                             {share ? share : "no file", HTML_NUMBER},
                             {where ? where : "nowhere"},
                             {before, HTML_NUMBER},
                             {after, HTML_NUMBER},
                             {sure},
                             {run ? run : "not called", HTML_NUMBER}};
    html_row(page, NULL, NULL, cell, G_N_ELEMENTS(cell) - (mix ? 0 : 1));
}

static void add_table(const HtmlReport *x, Html *page, const Mix *mix)
{
    static const HtmlCell head[] = {{"collective"},
                                    {"time saved", HTML_NUMBER},
                                    {"most is saved at"},
                                    {"default there", HTML_NUMBER},
                                    {"with the file", HTML_NUMBER},
                                    {"how sure there"},
                                    {"saved in a run", HTML_NUMBER}};
    html_table(page, "What the file saves in each collective", head, G_N_ELEMENTS(head) - (mix ? 0 : 1));
    for (guint i = 0; i < x->all->len; i++)
        add_row(x, page, x->all->pdata[i], mix);
    html_table_end(page);
}

// ---- The page -------------------------------------------------------------------------------------------------------

// Returns the sentence of the page. Free with g_free.
static char *sentence_of(const HtmlReport *x, const Profile *profile, const Mix *mix)
{
    const char *const title = x->library.library.only->library->title;
    HtmlSavings sum = {0};
    for (guint i = 0; i < x->all->len; i++)
        html_savings_add(&sum, x->all->pdata[i]);
    if (!sum.top)
        return g_strdup_printf("No settings file makes %s faster here than its defaults.", title);
    g_autofree char *saves = mix ? units_format_time(mix_saves(&mix->sum)) : NULL,
                    *all = mix ? units_format_time(mix->sum.total_s) : NULL;
    g_autofree char *run = mix ? g_strdup_printf(", and the best settings for the calls of %s save %s of the %s that a "
                                                 "run spends in collectives",
                                                 profile->name, saves, all)
                               : g_strdup("");
    g_autofree char *saved = html_saved_text(&sum);
    return g_strdup_printf("With one settings file, %s is predicted to take %s less time in collectives%s.", title,
                           saved, run);
}

GString *html_brief(const HtmlReport *x, const Profile *profile, const char *full, GError **error)
{
    g_auto(Request) r = {0};
    g_autoptr(Mix) mix = profile ? mix_of(x, profile, &r, error) : NULL;
    if (profile && !mix)
        return NULL;
    g_autofree char *title =
                        g_strdup_printf("What a settings file saves: %s on %s", x->library.library.only->library->title,
                                        x->library.machine.platform->title),
                    *sentence = sentence_of(x, profile, mix);
    g_autoptr(Html) page = html_new(x->title ? x->title : title, sentence);
    g_autoptr(GString) picture = bars(x);
    html_section(page, 2, NULL, "The time that remains");
    html_picture(page, picture, "Time in each collective with the file, as a share of that with the defaults");
    html_section(page, 2, NULL, "Each collective");
    add_table(x, page, mix);
    g_autofree char *how = g_strdup_printf(
        "For p %s and sizes %s; shares are geometric means over these. %d of 100 measured ratios are above the lower "
        "number in brackets, and as many are below the higher one.%s%s%s",
        x->options->ranks, x->options->sizes, SURE_DEFAULT, full ? " The file, and how to load it, are in " : "",
        full ? full : "", full ? "." : "");
    html_text(page, how);
    return html_end(page);
}
