#include "judge/audit/form.h"
#include "engine/formula/expression.h"
#include "judge/audit/form_points.h"
#include <string.h>

enum { LONG = 100 }; // characters; a longer form is split by classes if that makes it shorter

static bool is_two(const Sample *s)
{
    return s->p == 2;
}

static const SampleClass all_other = {"all other", NULL}, p_is_two = {"p = 2", is_two};

// ---- Is a text exact? -----------------------------------------------------------------------------------------------

static bool is_exact(const FormPoints *x, const FormCosts *costs, const char *text)
{
    static const char *const point[] = {"p", "m", "S", "k"};
    enum { POINT = G_N_ELEMENTS(point) };
    const char *names[POINT + SAMPLE_PARTS + 1] = {point[0], point[1], point[2], point[3]};
    const bool named = costs->name && costs->name[0] && *costs->name[0];
    for (int i = 0; i < costs->n && named; i++)
        names[POINT + i] = costs->name[i];
    g_autoptr(Expression) e = expression_new("form", text, names, NULL);
    bool exact = true;
    for (int j = 0; j < x->n && exact; j++) {
        const Sample *s = x->sample[j];
        double values[POINT + SAMPLE_PARTS] = {s->p, s->m, s->S, s->k};
        for (int part = 0; part < (named ? costs->n + SAMPLE_MIXED : 1) && exact; part++) {
            const int mixed = part - costs->n;
            for (int i = 0; i < costs->n; i++)
                values[POINT + i] = mixed < 0 ? part == i : costs->mixed[mixed][i];
            exact = same_value(expression_value(e, values), mixed < 0 ? s->part[part] : s->mixed[mixed]);
        }
    }
    return exact;
}

// ---- One form -------------------------------------------------------------------------------------------------------

static FormParts parts_of(const FormPoints *x, const FormCosts *costs)
{
    FormParts parts = {.n = costs->n};
    for (int i = 0; i < costs->n; i++) {
        parts.name[i] = costs->name && costs->name[i] ? costs->name[i] : "";
        parts.bytes[i] = costs->bytes[i];
    }
    for (int i = 0; i < MAX_MEMBERS; i++) {
        parts.value[i] = g_new0(double, x->n);
        for (int j = 0; j < x->n && i < costs->n; j++)
            parts.value[i][j] = x->sample[j]->part[i];
    }
    return parts;
}

static void parts_clear(FormParts *parts)
{
    for (int i = 0; i < MAX_MEMBERS; i++)
        g_free(parts->value[i]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FormParts, parts_clear)

static bool is_sum(const FormPoints *x, const FormCosts *costs)
{
    for (int j = 0; j < x->n; j++)
        for (int mixed = 0; mixed < SAMPLE_MIXED; mixed++)
            if (!same_value(sample_sum(x->sample[j], costs->n, costs->mixed[mixed]), x->sample[j]->mixed[mixed]))
                return false;
    return true;
}

// Tries a form with LogGP's gap between messages: max(o, g) or, with `bytes`, max(o, g + (m-1)*G), where the wire is
// also busy with the bytes. The slower of processor and wire limits how fast messages leave.
//
// The gap counts as often as g is in T, so we take that many o (and G) out of the other parts and search for the rest.
// With `by_bytes`, that number may grow with m, as if every byte is a message.
static char *with_max_of_gaps(const FormPoints *x, const FormCosts *costs, bool bytes, bool by_bytes)
{
    g_auto(FormParts) parts = parts_of(x, costs);
    const char *o = costs->name[1], *g = costs->name[2], *G = costs->name[3];
    g_autofree char *wire = g_strdup_printf("%s + (m%s-1)*%s", g, x->segments ? "/S" : "", G);
    g_autofree char *slower = g_strdup_printf("max(%s, %s)", o, bytes ? wire : g);
    for (int j = 0; j < x->n; j++) {
        const Sample *s = x->sample[j];
        parts.value[1][j] -= s->part[2];
        if (bytes)
            parts.value[3][j] -= s->part[2] * (s->m / s->S - 1);
    }
    parts.name[2] = slower;
    parts.bytes[2] = by_bytes;
    return form_parts_text(x, &parts);
}

// Tries a form in which some messages overlap with reductions of as many bytes, so that only the slower one of each
// pair counts: max(alpha + bytes*beta, bytes*gamma). The bytes are a segment or, with `blocks`, m/p.
//
// How many pairs overlap follows from T at the first mixed costs, where a message takes longer than its reduction: T
// falls short of the sum of the parts by one reduction for each pair. We take both out of the parts and add the max()
// as a part.
static char *with_max_of_work(const FormPoints *x, const FormCosts *costs, bool blocks)
{
    g_auto(FormParts) parts = parts_of(x, costs);
    const char *alpha = costs->name[0], *beta = costs->name[1], *gamma = costs->name[2];
    const char *bytes = blocks ? "m/p" : x->segments ? "m/S" : "m";
    g_autofree char *both = g_strdup_printf("max(%s + %s*%s, %s*%s)", alpha, bytes, beta, bytes, gamma);
    for (int j = 0; j < x->n; j++) {
        const Sample *s = x->sample[j];
        const double size = s->m / (blocks ? s->p : s->S);
        const double hidden = (sample_sum(s, costs->n, costs->mixed[0]) - s->mixed[0]) / (costs->mixed[0][2] * size);
        parts.value[0][j] -= hidden;
        parts.value[1][j] -= hidden * size;
        parts.value[2][j] -= hidden * size;
        parts.value[3][j] = hidden;
    }
    parts.name[parts.n++] = both;
    return form_parts_text(x, &parts);
}

static char *reciprocal(const FormPoints *x, const FormCosts *costs)
{
    g_auto(FormParts) parts = parts_of(x, costs);
    for (int j = 0; j < x->n; j++)
        parts.value[0][j] = 1 / parts.value[0][j];
    const char *name = parts.name[0];
    parts.name[0] = "";
    g_autofree char *text = form_parts_text(x, &parts);
    return text ? g_strdup_printf("%s/(%s)", *name ? name : "1", text) : NULL;
}

// Sets *text to the i-th kind of form for these values, or to NULL if no such form was found. Returns false if there is
// no i-th kind.
static bool one_way(int i, const FormPoints *x, const FormCosts *costs, char **text)
{
    const bool sum = is_sum(x, costs);
    *text = NULL;
    if (sum && i == 0) {
        g_auto(FormParts) parts = parts_of(x, costs);
        *text = form_parts_text(x, &parts);
    } else if (costs->n == 1 && i == 1) {
        *text = reciprocal(x, costs);
    } else if (!sum && costs->n == 3 && i < 2) {
        *text = with_max_of_work(x, costs, i == 1);
    } else if (!sum && costs->n == 4 && i < 3) {
        *text = with_max_of_gaps(x, costs, i == 1, i == 2);
    } else {
        return false;
    }
    return true;
}

static char *form_find(const FormPoints *x, const FormCosts *costs)
{
    char *text;
    for (int i = 0; one_way(i, x, costs, &text); i++) {
        if (text && is_exact(x, costs, text))
            return text;
        g_free(text);
    }
    return NULL;
}

// ---- By classes -----------------------------------------------------------------------------------------------------

static gint by_place(gconstpointer a, gconstpointer b)
{
    const Sample *x = *(const Sample *const *)a, *y = *(const Sample *const *)b;
    return x->p != y->p ? x->p - y->p : x->k != y->k ? (x->k < y->k ? -1 : 1) : 0;
}

typedef struct FormSearch {
    const FormCosts *costs;
    int n, left;           // the number of all samples, and of those that have no form yet
    const Sample **sample; // sorted by place
    int *at;               // the place of each sample
    bool *taken;           // for each sample: true if it has a form already
    Grammar *grammar;
} FormSearch;

// Marks the samples of a class as having a form. Returns true if samples without one remain.
static bool take(FormSearch *s, const SampleClass *class)
{
    s->left = 0;
    for (int i = 0; i < s->n; i++) {
        s->taken[i] |= !class->has || class->has(s->sample[i]);
        s->left += !s->taken[i];
    }
    return s->left > 0;
}

// Returns a class that has exactly the samples without a form: p = 2, one of sample_classes, or else all_other.
static const SampleClass *rest_of(const FormSearch *s)
{
    bool two = true;
    for (int i = 0; i < s->n; i++)
        two &= s->taken[i] || is_two(s->sample[i]);
    for (size_t i = 0; i < n_sample_classes && !two; i++) {
        int same = 0;
        while (same < s->n && sample_classes[i].has(s->sample[same]) == !s->taken[same])
            same++;
        if (same == s->n)
            return &sample_classes[i];
    }
    return two ? &p_is_two : &all_other;
}

// Sets members[i] to true for the samples of a class. For the first class, of all samples, it selects only the samples
// that have no form yet. Returns the number of members, or 0 if fewer than a third of them lack a form, because another
// form is then not worth it.
static int members_of(const FormSearch *s, const SampleClass *class, bool *members)
{
    const bool rest = class == sample_classes;
    int n = 0, new = 0;
    for (int i = 0; i < s->n; i++) {
        members[i] = rest ? !s->taken[i] : class->has(s->sample[i]);
        n += members[i];
        new += members[i] && !s->taken[i];
    }
    return 3 * new >= n ? n : 0;
}

static Form form_of_class(const FormSearch *s, const SampleClass *class)
{
    g_autofree bool *members = g_new(bool, s->n);
    members_of(s, class, members);
    g_autoptr(FormPoints) x = form_points_new(s->grammar, s->sample, s->at, members, s->n);
    const bool rest = class == sample_classes;
    char *text = x && (rest || x->n_places > 1) ? form_find(x, s->costs) : NULL;
    if (!text)
        return (Form){NULL};
    return (Form){text, rest ? rest_of(s) : class, x->fitted, x->n - x->fitted};
}

// Returns the form of the largest class that has one. If no class has a form, the text is NULL, and `points` is a class
// of exactly the samples that lack one.
static Form next_form(const FormSearch *s)
{
    g_autofree bool *members = g_new(bool, s->n), *tried = g_new0(bool, n_sample_classes);
    for (;;) {
        int most = 0;
        size_t largest = 0;
        for (size_t i = 0; i < n_sample_classes; i++) {
            const int n = tried[i] ? 0 : members_of(s, &sample_classes[i], members);
            if (n > most) {
                most = n;
                largest = i;
            }
        }
        if (most == 0)
            return (Form){NULL, rest_of(s)};
        const Form form = form_of_class(s, &sample_classes[largest]);
        if (form.text)
            return form;
        tried[largest] = true;
    }
}

static void form_clear(void *form)
{
    g_free(((Form *)form)->text);
}

// Looks for two forms that are together shorter than `text`, a form of all samples: *class for a class, and *rest for
// the samples outside the class. Returns false if there are none, or if `text` has at most LONG characters.
static bool split(FormSearch *s, const char *text, Form *class, Form *rest)
{
    size_t shortest = strlen(text);
    for (size_t i = 1; i < n_sample_classes && shortest > LONG; i++) {
        memset(s->taken, 0, (size_t)s->n);
        Form a = form_of_class(s, &sample_classes[i]), b = {NULL};
        if (a.text && take(s, a.points))
            b = form_of_class(s, &sample_classes[0]);
        if (b.text && strlen(a.text) + strlen(b.text) < shortest) {
            shortest = strlen(a.text) + strlen(b.text);
            form_clear(class);
            form_clear(rest);
            *class = a;
            *rest = b;
        } else {
            form_clear(&a);
            form_clear(&b);
        }
    }
    return rest->text;
}

GArray *form_find_all(const FormCosts *costs, const Sample *samples, size_t n)
{
    GArray *forms = g_array_new(FALSE, FALSE, sizeof(Form));
    g_array_set_clear_func(forms, form_clear);
    g_autofree const Sample **sample = g_new(const Sample *, n);
    for (size_t i = 0; i < n; i++)
        sample[i] = &samples[i];
    qsort(sample, n, sizeof *sample, by_place);
    g_autofree Place *places = g_new(Place, n);
    g_autofree int *at = g_new(int, n);
    g_autofree bool *taken = g_new0(bool, n);
    int n_places = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || by_place(&sample[i - 1], &sample[i]) != 0)
            places[n_places++] = (Place){sample[i]->p, sample[i]->k};
        at[i] = n_places - 1;
    }
    FormSearch s = {costs, (int)n, (int)n, sample, at, taken, grammar_new(places, n_places)};
    bool more;
    do {
        Form form = next_form(&s), class = {NULL}, rest = {NULL};
        more = take(&s, form.text ? form.points : &all_other);
        if (!more && forms->len == 0 && form.text && split(&s, form.text, &class, &rest)) {
            form_clear(&form);
            g_array_append_val(forms, class);
            g_array_append_val(forms, rest);
        } else {
            g_array_append_val(forms, form);
        }
    } while (more);
    grammar_free(s.grammar);
    return forms;
}
