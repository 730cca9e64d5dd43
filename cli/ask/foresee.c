#include "ask/foresee.h"
#include "advice/tune/regret.h"
#include "base/progress.h"
#include "base/units.h"
#include "out/note.h"
#include <math.h>
#include <time.h>

static const double claim_s = 0.06, // of a processor, to judge a claim: the mean of those that are published
    least_s = 0.2,                  // of a processor: the least sample that shows how the work is shared
    short_s = 5;                    // .. what is shorter needs no warning, whatever else runs here

static double now_s(void)
{
    return (double)g_get_monotonic_time() / 1e6;
}

static double used_s(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

Foresee foresee_begin(void)
{
    progress_foreseen(); // the loops that run a part of the work must not say how long that part takes
    return (Foresee){.begun_s = now_s(), .begun_used_s = used_s()};
}

void foresee_regret(Foresee *x, Request *r, Collective collective, size_t element, int top)
{
    const double s = regret_foresee(r, collective, element, top, NULL);
    x->all_s += isnan(s) ? 0 : s;
}

void foresee_claims(Foresee *x, guint n)
{
    x->all_s += n * claim_s;
}

void foresee_say(const Foresee *x, const char *what)
{
    // A short sample does not show how many processors the work will get.
    const double used = used_s() - x->begun_used_s, wall = now_s() - x->begun_s,
                 total_s = used < least_s ? x->all_s / g_get_num_processors() : x->all_s * wall / used;
    g_autofree char *about = units_format_about(total_s);
    if (x->all_s > short_s)
        note("%s takes about %s", what, about);
}

void foresee_library(Request *r, const RequestOptions *o, const gboolean *chosen, const char *what)
{
    enum { FEW = 64, TOP = 5 }; // places of a grid that take a few seconds at most
    guint places = 0;
    for (int i = 0; i < N_COLLECTIVES; i++)
        places += chosen[i] ? r->question.ranks->len * (r->question.sizes ? r->question.sizes->len : 1) : 0;
    if (places <= FEW)
        return;
    Foresee x = foresee_begin();
    for (int i = 0; i < N_COLLECTIVES; i++)
        if (chosen[i])
            foresee_regret(&x, r, (Collective)i, ask_library_element(o, (Collective)i), TOP);
    foresee_say(&x, what);
}
