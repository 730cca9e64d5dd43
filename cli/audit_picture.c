#include "audit_picture.h"
#include "gnuplot.h"
#include "picture.h"
#include <math.h>

// What is drawn: one coefficient, of points that differ in p alone.
typedef struct Drawn {
    int part, family;
    int last_p;  // the largest one
    double last; // claimed / true there
} Drawn;

static double coefficient(const Audited *r, const Sample *s, double value, int part)
{
    return cost_models[r->claim->costs].bytes[part] ? value / s->m : value;
}

static GString *data_of(const Audited *r, const Claimed *claimed, Drawn *d)
{
    GString *data = g_string_new("# p claimed true\n");
    const GArray *samples = r->samples->samples;
    d->last_p = 0;
    for (guint i = 0; i < samples->len; i++) {
        const Sample *s = &g_array_index(samples, Sample, i);
        const double c = claimed->value[i * (guint)(claimed->n_parts + 1) + (guint)d->part], t = s->part[d->part];
        if (!claimed->covered[i] || s->family != d->family)
            continue;
        g_string_append_printf(data, "%d %.17g %.17g\n", s->p, coefficient(r, s, c, d->part),
                               coefficient(r, s, t, d->part));
        d->last = c / t;
        d->last_p = s->p;
    }
    return data;
}

static char *title_of(const Audited *r, const Drawn *d)
{
    const CostNames *names = &cost_models[r->claim->costs];
    const char *what = names->name[d->part];
    g_autofree char *of = g_strdup_printf("%s %s: ", collectives[r->claim->collective].name, r->claim->algorithm->name);
    if (d->last == 0)
        return g_strdup_printf("%s%s is left out", of, what);
    return g_strdup_printf("%s%.*g times the %s that is claimed, at %d ranks", of, d->last < 0.01 ? 5 : 3, 1 / d->last,
                           what, d->last_p);
}

gboolean audit_picture(const Audited *r, const char *path, char **title, GError **error)
{
    const Verdict *v = r->order.kind == VERDICT_WRONG ? &r->order : &r->verdict;
    const CostNames *names = &cost_models[r->claim->costs];
    g_auto(Claimed) claimed = {0};
    if (!claimed_take(r->claim, r->samples, &claimed, error))
        return FALSE;
    Drawn d = {.part = v->part, .family = v->why <= WRONG_TO_ZERO ? v->trend.family : 0};
    GString *data = data_of(r, &claimed, &d);
    *title = title_of(r, &d);
    g_autofree char *quoted = gnuplot_quote(*title), *claim = gnuplot_quote(r->claim->text);
    g_autofree char *axis =
        g_strdup_printf("%s of %s in T", names->bytes[d.part] ? "bytes/m" : "count", names->name[d.part]);
    g_autofree char *axis_text = gnuplot_quote(axis);
    g_autofree char *setup =
        g_strdup_printf("format = 'svg'; title = %s; claim = %s; axis = %s\n", quoted, claim, axis_text);
    GString *picture = gnuplot_draw("claim.gp", setup, data, error);
    g_string_free(data, TRUE);
    if (!picture)
        return FALSE;
    picture_finish(picture, "svg", *title);
    const gboolean written = picture_write(path, picture, error);
    g_string_free(picture, TRUE);
    return written;
}
