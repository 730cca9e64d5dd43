#include "judge/audit/right.h"
#include "search/form/closed_form.h"
#include <string.h>

// ---- By search ------------------------------------------------------------------------------------------------------

// Returns the forms as "CLASS: FORMULA; ..; else: FORMULA", a single one of all points as "FORMULA"; NULL if none was
// found.
static char *forms_text(const GArray *forms)
{
    GString *s = g_string_new(NULL);
    bool any = false;
    for (guint i = 0; i < forms->len; i++) {
        const Form *f = &g_array_index(forms, Form, i);
        any |= f->text != NULL;
        if (i > 0)
            g_string_append(s, "; ");
        if (f->points != sample_classes || forms->len > 1)
            g_string_append_printf(s, "%s: ", f->points->has ? f->points->name : "else");
        g_string_append(s, f->text ? f->text : "no closed form");
    }
    return g_string_free(s, !any);
}

// The costs that a claim is judged by, and samples whose parts are these costs only.
typedef struct Judged {
    int n;
    const char *name[SAMPLE_PARTS];
    bool bytes[SAMPLE_PARTS];
    double mixed[SAMPLE_MIXED][SAMPLE_PARTS];
    GArray *samples; // Sample
} Judged;

static Judged judged_of(const Claim *c, const Truth *t)
{
    const CostNames *names = &cost_models[c->costs];
    const bool bytes =
        c->quantity == QUANTITY_BYTES || (c->quantity >= QUANTITY_SCRATCH && c->quantity <= QUANTITY_COPIED);
    Judged j = {.samples = g_array_copy(t->samples)};
    int part[SAMPLE_PARTS] = {0};
    for (int i = 0; i < names->n; i++) {
        if (c->left_out[i])
            continue;
        j.name[j.n] = c->quantity == QUANTITY_BANDWIDTH ? "B" : names->name[i];
        j.bytes[j.n] = c->costs == COSTS_NONE ? bytes : names->bytes[i];
        for (int mixed = 0; mixed < SAMPLE_MIXED; mixed++)
            j.mixed[mixed][j.n] = names->mixed[mixed][i];
        part[j.n++] = i;
    }
    for (guint i = 0; i < j.samples->len; i++) {
        Sample *s = &g_array_index(j.samples, Sample, i);
        for (int k = 0; k < j.n; k++)
            s->part[k] = s->part[part[k]];
        if (c->quantity == QUANTITY_ROUNDS) // its samples hold T, so that they can be shared with claims about T
            sample_add_up(s, j.n, j.mixed);
    }
    return j;
}

static Right search(const Claim *c, const Truth *t)
{
    const Judged j = judged_of(c, t);
    const FormCosts costs = {j.n, j.name, j.bytes, j.mixed};
    g_autoptr(GArray) samples = j.samples;
    g_autoptr(GArray) forms = form_find_all(&costs, (const Sample *)(const void *)samples->data, samples->len);
    Right r = {forms_text(forms), 0, 0};
    for (guint i = 0; i < forms->len; i++) {
        const Form *f = &g_array_index(forms, Form, i);
        r.fitted += f->text ? f->fitted : 0;
        r.verified += f->text ? f->verified : 0;
    }
    return r;
}

// Returns the number of samples at which the registry's formula applies, provided that it is right at all of them; else
// 0.
static int registry_holds(const Claim *c, const Truth *t)
{
    const CollAlgorithm *a = c->algorithm;
    const bool time = c->quantity == QUANTITY_TIME && c->costs == COSTS_HOCKNEY;
    int points = 0;
    if (!time && c->quantity != QUANTITY_ROUNDS)
        return 0;
    for (guint i = 0; i < t->samples->len; i++) {
        const Sample *s = &g_array_index(t->samples, Sample, i);
        const Operation op = {.algorithm = a, .c = {.p = s->p, .par = t->par[i]}, .m = (size_t)s->m};
        CollPoint x = closed_form_point(&op, false);
        for (int part = 0; part < (time ? 3 : 1); part++) {
            x.alpha = part == 0;
            x.beta = part == 1;
            x.gamma = part == 2;
            const int64_t T = algorithm_time(a, &x);
            if (T >= 0 && (double)T != s->part[part])
                return 0;
            points += T >= 0 && part == 0;
        }
    }
    return points;
}

// Returns the formula that the search finds. If that leaves points without one, adds the registry's formula if it
// holds.
static Right formula(const Claim *c, const Truth *t)
{
    Right r = search(c, t);
    const bool whole = r.text && !strstr(r.text, "no closed form");
    const int points = whole ? 0 : registry_holds(c, t);
    if (points == 0)
        return r;
    g_autofree char *some = r.text;
    r.text =
        some ? g_strdup_printf("%s (the registry has: %s)", some, c->algorithm->cost) : g_strdup(c->algorithm->cost);
    r.verified = points;
    return r;
}

// Returns true if the formula of a segment holds at all samples.
static bool segment_holds(const Claim *c, const Truth *t, const char *text)
{
    static const char *const names[] = {"p", "slots", "fragment", NULL};
    g_autoptr(Expression) e = expression_new(c->id, text, names, NULL);
    for (guint i = 0; i < t->samples->len; i++) {
        const Sample *s = &g_array_index(t->samples, Sample, i);
        const CollParams *par = &t->par[i];
        if (expression_value(e, (const double[]){s->p, par->slots, (double)par->fragment}) != s->part[0])
            return false;
    }
    return true;
}

// Returns the formula of what a component allocates for its segment, the shorter one where p has at most one page of
// notices. The text is NULL if there is no such formula.
static Right allocated(const Claim *c, const Truth *t)
{
    static const char *const texts[] = {"p*slots*(fragment + 4096)", "p*slots*(fragment + 4096*ceil(p/1024))",
                                        "p*slots*4096*(ceil(fragment/4096) + ceil(p/1024))"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        if (segment_holds(c, t, texts[i]))
            return (Right){g_strdup(texts[i]), 0, (int)t->samples->len};
    return (Right){NULL};
}

// Returns the formula of a shared-memory segment whose queues are those of one rank, of all ranks but one, or of all,
// and whose flags are a few for each rank. The text is NULL if there is no such formula.
static Right segment(const Claim *c, const Truth *t)
{
    static const char *const queues[] = {"min(p-1, 1)", "(p-1)", "p*min(p-1, 1)"}, *const more[] = {
                                                                                       "", " + 64*min(p-1, 1)"};
    enum { MOST_FLAGS = 4 };
    for (guint q = 0; q < G_N_ELEMENTS(queues); q++)
        for (int n = 1; n <= MOST_FLAGS; n++)
            for (guint i = 0; i < G_N_ELEMENTS(more); i++) {
                g_autofree char *text = g_strdup_printf("%s*slots*fragment + %d*(p-1)%s", queues[q], 64 * n, more[i]);
                if (segment_holds(c, t, text))
                    return (Right){g_steal_pointer(&text), 0, (int)t->samples->len};
            }
    return (Right){NULL};
}

// ---- Two algorithms -------------------------------------------------------------------------------------------------

// Returns the formula for T of an algorithm; NULL if there is none. Free with g_free.
static char *time_text(const Claim *of, const CollAlgorithm *a, const CollParams *par, const TruthOptions *o)
{
    const Claim c = {.id = of->id,
                     .params = "",
                     .collective = of->collective,
                     .algorithm = a,
                     .par = *par,
                     .quantity = QUANTITY_TIME,
                     .costs = COSTS_HOCKNEY};
    g_autoptr(Truth) t = truth_new(&c, o, NULL);
    return t ? formula(&c, t).text : NULL;
}

// Puts braces around formulas by classes, "A; B", so that they can stand in an equation.
static void brace(char **text)
{
    if (strstr(*text, "; ")) {
        g_autofree char *bare = *text;
        *text = g_strdup_printf("{%s}", bare);
    }
}

static Right of_two(const Claim *c, const TruthOptions *o)
{
    if (*c->params || *c->against_params) // the grid's sizes may be too short to show its segments
        return (Right){NULL};
    g_autofree char *first = time_text(c, c->algorithm, &c->par, o),
                    *second = time_text(c, c->against, &c->against_par, o);
    if (!first || !second)
        return (Right){NULL};
    brace(&first);
    brace(&second);
    return (Right){c->quantity == QUANTITY_CROSSOVER ? g_strdup_printf("m where %s = %s", first, second)
                                                     : g_strdup_printf("(%s) / (%s)", second, first)};
}

// ---- One value ------------------------------------------------------------------------------------------------------

// Returns the true value if it is the same number at all points that the claim is about; else NULL. Free with g_free.
static char *one_value(const Claim *c, const Truth *t, const Claimed *claimed)
{
    const double *value = NULL;
    for (guint i = 0; i < t->samples->len; i++) {
        const Sample *s = &g_array_index(t->samples, Sample, i);
        if (!claimed->covered[i])
            continue;
        if (value && !same_value(*value, s->part[0]))
            return NULL;
        value = s->part;
    }
    return value && c->costs == COSTS_NONE ? claim_costs_text(c->costs, value) : NULL;
}

Right right_find(const Claim *c, const Truth *t, const Claimed *claimed, const TruthOptions *o)
{
    Right r = c->quantity == QUANTITY_CROSSOVER || c->quantity == QUANTITY_SPEEDUP ? of_two(c, o)
              : c->quantity == QUANTITY_SEGMENT                                    ? segment(c, t)
              : c->quantity == QUANTITY_ALLOCATED                                  ? allocated(c, t)
                                                                                   : formula(c, t);
    if (!r.text)
        r.text = one_value(c, t, claimed);
    return r;
}
